#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Random programs that may go round for ever: whether there is a fair way round, one that is not, or none, against what
# rounds_oracle.c finds by definition, also where a reduction was asked for; and the same number of states. In some an
# invariant looks at two of the machines, which ends executions. FIRST, LAST and EVERY choose other seeds.
set -uo pipefail
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/livelock/verdict.shlib"

${CC:-cc} -O2 -w "$SOURCE/tests/livelock/rounds_oracle.c" -o oracle || exit 1
compile_once "$SOURCE/tests/livelock/rounds.c"
[ -n "$verdict_binary" ] || exit 1

# Few of them have ways round of which none is fair: all of these, and some of the others.
for test in rounds watched; do
    ./oracle "${FIRST:-0}" "${LAST:-700}" $test |
        awk -v every="${EVERY:-24}" -v test=$test '$3 == "unfair" || NR % every == 0 { print test, $0 }' >$test.txt
    for verdict in fair unfair none; do
        grep -q " $verdict " $test.txt || disagree "no program of $test is $verdict"
    done
done

cat rounds.txt watched.txt >expected.txt
while read -r test seed order verdict states; do
    printf 'rehearse schedule 1\nprogram rounds\ntest %s\ninput seed = %s\nend\n' "$test" "$seed" \
        >seed.schedule
    for mode in exact actors 'exact --reduction source'; do
        # shellcheck disable=SC2086
        explore_round "$verdict_binary" --schedule seed.schedule --delivery "$order" --states $mode
        [ "$round_verdict" = "$verdict" ] ||
            disagree "$test seed $seed $order $mode: expected $verdict, got $round_verdict"
        [ "$round_complete" = true ] || disagree "$test seed $seed $order $mode: not complete"
        [ "$mode" != exact ] || [ "$round_states" = "$states" ] ||
            disagree "$test seed $seed $order: $round_states states, expected $states"
    done
done <expected.txt
verdict_end
