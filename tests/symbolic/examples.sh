#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the examples of aPET say about Fact, figure 2: which trees are redundant (example 3), and the tests of example 6.
# What its criteria cut (examples 4 and 5) is in counts.txt.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/symbolic/analysis.shlib"

# orders OPTIONS...: of each test the deliveries, with s for the first actor, r for the one that it creates, and R for
# the next.
orders() {
    analyse "$SOURCE/subjects/apet/fact.c" --behaviour fact --message ft --delivery any --given b=NULL --loop 1 \
        --deliveries-each 5 --actors-each 2 "$@" >out
    sed -n 's/^ *order  */ /p' out | sed -E 's/ to fact#1(,|$)/.s\1/g; s/ to fact#1(\.[0-9a-z]+\.[0-9]+){2}/.R/g
        s/ to fact#1\.[0-9a-z]+\.[0-9]+/.r/g; s/,//g; s/$/ /'
}

# none WHAT PATTERN, some WHAT PATTERN: whether an order in the file `found` looks like that.
none() {
    verdict_count=$((verdict_count + 1))
    ! grep -qE "$2" found || disagree "$1: $(grep -cE "$2" found) orders"
}
some() {
    verdict_count=$((verdict_count + 1))
    grep -qE "$2" found || disagree "$1: no order"
}

# Behind ft and dg the first actor has wk, and the one that it has created has ft. The first is not stable, since ft
# leads to its rp, which depends on wk; the other is, since wk sends nothing. So its ft comes next.
orders --no-independence >found
some 'dg before wk' ' ft.s dg.s '
none 'wk of an actor that is not stable' ' dg.s wk.s '
none 'wk of an actor that is not stable, one further' ' dg.r wk.r '
none 'a created actor that waits' ' dg.s (wk|rp|dg).s '
orders --no-independence --no-stability >found
some 'every actor is tried' ' dg.s wk.s '
some 'every actor is tried, one further' ' dg.r wk.r '

# wk and dg are independent: where dg comes first, wk is not tried until something came that it depends on.
orders --no-independence >found
some 'wk behind dg without rp between' ' dg.s ([a-z]+\.[rR] )*wk.s '
orders >found
none 'wk behind dg without rp between' ' dg.s ([a-z]+\.[rR] )*wk.s '
some 'wk behind dg and rp' ' dg.s ([a-z]+\.[rR] )*rp.s wk.s '

# Example 6: three factors by three actors that take one each. The result is that of 3 * 2 * 1, and, where the actor in
# the middle reports before it has done its work, that of 3 * 1 * 1.
results=$(awk '/^ +[0-9]+ if / { n = "" } /gets +ft/ { n = $0 } /with +fact#1 / { r = $0; mx = $0 }
    /ends +fact#1 / && n ~ /n = 3\}/ && mx ~ /mx = 1,/ {
        sub(/.* r = /, "", r); sub(/\}.*/, "", r); sub(/.* r = /, ""); sub(/\}.*/, ""); if (r) print $0 / r }' out | sort -n | uniq)
[ "$results" = "$(printf '3\n6')" ] || disagree "results of three factors: $results, not 3 and 6"
verdict_count=$((verdict_count + 1))
verdict_end
