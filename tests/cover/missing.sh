#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# A schedule that `coverage` saves for an order that no run has shown ends with the two messages of it. Whoever follows it
# sees them in that order, or an error in the first of both. All small tests of the subjects, after one run.
if [ -n "${SANITIZE:-}" ]; then
    echo "each of many executions is a process"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

# has FILE FIRST SECOND: whether the coverage file has the pr goal of these two identities.
has() {
    awk -v first="$2" -v second="$3" '
        $1 == "event" {
            for (i = 2; i <= NF; i++)
                if ($i ~ /^@[0-9a-f]+$/ && length($i) == 17)
                    number[$i] = count + 0
            count++
        }
        $1 == "pr" && $2 == number[first] ":" {
            for (i = 3; i <= NF; i++) {
                split($i, range, "-")
                found = found || (number[second] >= range[1] && number[second] <= (range[2] == "" ? range[1] : range[2]))
            }
        }
        END { exit !((first in number) && (second in number) && found) }' "$1"
}

# follow TEST FILE: status 0, or 1 if it shows an error; leaves new.coverage.
follow() {
    rm -f new.coverage
    "$REHEARSE" cover --test "$1" --schedule "$2" --max-executions 1 --max-length 150 --no-shrink --quiet --save errors \
        --save-coverage new.coverage "$verdict_binary" >said.txt 2>&1 </dev/null
}

# missing TEST: each order that its first run lacks, of at most six pairs of each actor.
missing() {
    rm -rf saved
    mkdir -p saved errors
    "$REHEARSE" cover --test "$1" --max-executions 1 --max-length 150 --no-shrink --quiet --save errors \
        --save-coverage one.coverage "$verdict_binary" >said.txt 2>&1 </dev/null
    "$REHEARSE" coverage one.coverage --pairs 6 --save saved >said.txt || disagree "$verdict_binary $1" "$(cat said.txt)"
    for file in saved/*.schedule; do
        [ -e "$file" ] || continue
        verdict_count=$((verdict_count + 1))
        pair=$(sed -n 's/^deliver .*\(@[0-9a-f]*\) .*/\1/p' "$file" | tail -n 2 | tr '\n' ' ')
        # shellcheck disable=SC2086
        ! has one.coverage $pair || disagree "$verdict_binary $1 $file: not missing" "$(cat "$file")"
        follow "$1" "$file"
        case $? in
        0) ;;
        1) continue ;;
        *) disagree "$verdict_binary $1 $file: refused" "$(cat said.txt)" ;;
        esac
        # shellcheck disable=SC2086
        has new.coverage $pair || disagree "$verdict_binary $1 $file: not as it says" "$(cat "$file")"
    done
}

for source in "$SOURCE"/subjects/bita/*.c "$SOURCE"/subjects/mini/*.c; do
    # It has guards, and what they would say is not known before.
    [ "$(basename "$source")" != behavioural_deadlock.c ] || continue
    compile_once "$source"
    for test in $("$REHEARSE" list "$verdict_binary" | sed '/_full /d; s/ .*//'); do
        missing "$test"
    done
done
verdict_end
