#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Random programs that may go round for ever: whether there is a fair way round, one that is not, or none, against what
# rounds_oracle.c finds by definition, also where a reduction was asked for; and the same number of states. FIRST, LAST and EVERY choose other seeds.
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
./oracle "${FIRST:-0}" "${LAST:-700}" |
    awk -v every="${EVERY:-24}" '$3 == "unfair" || NR % every == 0' >expected.txt
for verdict in fair unfair none; do
    grep -q " $verdict " expected.txt || disagree "no program is $verdict"
done

while read -r seed order verdict states; do
    printf 'rehearse schedule 1\nprogram rounds\ntest rounds\ninput seed = %s\nend\n' "$seed" \
        >seed.schedule
    for mode in exact actors 'exact --reduction source'; do
        # shellcheck disable=SC2086
        explore_round "$verdict_binary" --schedule seed.schedule --delivery "$order" --states $mode
        [ "$round_verdict" = "$verdict" ] ||
            disagree "seed $seed $order $mode: expected $verdict, got $round_verdict"
        grep -q '"complete": true' round.json || disagree "seed $seed $order $mode: not complete"
        [ "$mode" != exact ] || [ "$(json_number round.json states)" = "$states" ] ||
            disagree "seed $seed $order: $(json_number round.json states) states, expected $states"
    done
done <expected.txt
verdict_end
