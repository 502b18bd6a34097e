#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random small programs: the reduced searches come to the same final states, and to findings of the
# same kinds, as plain enumeration, and both run as many executions: one for each class.
# RANDOM_COUNT and RANDOM_FIRST take more of them, or others.
set -u
count=${RANDOM_COUNT:-60}
# What such programs have found.
for reduction in none source optimal; do
    "$REHEARSE" explore --census --reduction $reduction "$SOURCE/tests/threads/found.c" 2>&1 |
        sed -n 's/^.*: \(test [a-z_]*\).*/\1/p; s/^\(census: .*\)/\1/p; s/^\(race\|deadlock\): .*/\1/p' |
        uniq >"found.$reduction"
done
grep -q race found.source && diff found.none found.source && diff found.none found.optimal || {
    echo "FAIL found.c: a reduced search has lost something"
    exit 1
}
# Kinds in the order of their names; what plain enumeration does not come to the end of says nothing.
compare() { # REDUCTION
    paste -d'|' none.lines "$1.lines" | awk -F'|' '
    function sorted(text,  n, w, i, k, t) { n = split(text, w, ":"); for (i = 1; i <= n; i++) for (k = i + 1; k <= n; k++) if (w[k] < w[i]) { t = w[i]; w[i] = w[k]; w[k] = t } t = ""; for (i = 1; i <= n; i++) t = t w[i] " "; return t }
    $1 ~ / cut / { cut++; next }
    { split($1, p, " "); split($2, q, " "); if (p[4] != q[4] || sorted(p[5]) != sorted(q[5])) { print "FAIL plain: " $1 ", reduced: " $2; failed++ } compared++ }
    END { print compared " compared, " cut + 0 " too large"; exit failed > 0 || compared < '"$count"' / 2 }'
}

# The second time statements may fail, and end their execution: what that cuts off is looked at in others.
for fails in '' 1; do
    awk -v seed="${RANDOM_FIRST:-1}" -v count="$count" -v fails="$fails" -f "$SOURCE/tests/threads/random.awk" >program.c
    for reduction in none source optimal; do
        "$REHEARSE" explore --census --max-executions 60000 --reduction $reduction program.c >"$reduction.out" 2>"$reduction.err"
        grep -q 'decides by something else' "$reduction.out" && {
            echo "FAIL an execution could not be repeated"
            exit 1
        }
        # One line for each test: its name, whether it was enumerated, states and kinds.
        awk '/: test / { if (name) print name, states + 0, list; split($0, w, /: /); name = w[2]; is_whole = /60000/ ? "cut" : "whole"; name = name " " is_whole; states = 0; list = ""; delete seen }
         /^census: / { states = $2 }
         /^(race|deadlock|check|crash|exit): / { if (!seen[$1]++) list = list $1 }
         END { print name, states + 0, list }' "$reduction.out" >"$reduction.lines"
    done
    for reduction in source optimal; do
        [ "$(grep -c . $reduction.lines)" = "$count" ] || {
            echo "FAIL $(grep -c . $reduction.lines) of $count programs were searched"
            cat $reduction.err
            exit 1
        }
        awk '/: test / { match($0, /[0-9]+ (in all|execution(s)?(, complete)?$)/); print $3, substr($0, RSTART) + 0 }' \
            $reduction.out >$reduction.classes
    done
    [ "$fails" ] || diff source.classes optimal.classes || {
        echo "FAIL source and optimal run other numbers of executions"
        exit 1
    }
    compare source && compare optimal || exit 1
done
