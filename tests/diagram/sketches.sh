#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every execution keeps to the sketch of its sources: some programs of Savina, and random ones; with SKETCHES_ALL all of
# Savina, the protocols and many random ones. Sketches of some subjects are as in their references.
set -u
. "$SOURCE/tests/graph/compare.shlib"
need_analysis
failed=0
subjects=(savina/{big,concurrent_dictionary,facility_location,fibonacci,quicksort,sleeping_barber} protocols/sip)
seeds=(3 12 20 34)
if [ -n "${SKETCHES_ALL:-}" ]; then
    mapfile -t subjects < <(cd "$SOURCE/subjects" && ls savina/*.c protocols/*.c | sed 's/\.c$//')
    mapfile -t seeds < <(seq 1 150)
fi

# keeps NAME SOURCE [FLAGS]: what executions do is in the sketch. Tests that fail have none or only some executions that
# come to their ends.
keeps() {
    local name=$1 source=$2
    shift 2
    "$REHEARSE" diagram --abstract "$source" "$@" >"$name.sketch" || {
        echo "FAIL $name: diagram --abstract"
        failed=$((failed + 1))
        return
    }
    "$REHEARSE" conform "$source" "$name.sketch" --max-deliveries 100000 "$@" >"$name.said" 2>&1
    judged=$((judged + $(grep -c ': conforms (sound' "$name.said")))
    if grep -E '^rehearse:|\(unsound' "$name.said" ||
        grep 'does not conform' "$name.said" | grep -v 'the test fails'; then
        echo "FAIL $name: not sound"
        failed=$((failed + 1))
    fi
}

# as_reference NAME SOURCE TEST: its sketch without comments is references/NAME.sketch.
as_reference() {
    "$REHEARSE" diagram --abstract "$SOURCE/subjects/$2.c" --test "$3" | sed '/^#/d' |
        diff -u "$SOURCE/tests/diagram/references/$1.sketch" - >differs || {
        echo "FAIL $1: not as in references/$1.sketch"
        cat differs
        failed=$((failed + 1))
    }
}

judged=0
for subject in "${subjects[@]}"; do
    keeps "$(basename "$subject")" "$SOURCE/subjects/$subject.c"
done
[ $judged -ge $((${#subjects[@]})) ] || {
    echo "FAIL only $judged tests of subjects were judged"
    failed=$((failed + 1))
}
judged=0
# Asks in helpers, what runs when an actor stops, senders from outside, timers and behaviours that become others.
for own in folders crossing shop; do
    keeps "$own" "$SOURCE/tests/diagram/$own.c"
done
[ $judged -eq 3 ] || {
    echo "FAIL only $judged tests of programs of this folder were judged"
    failed=$((failed + 1))
}
judged=0
make_generator || exit 1
for seed in "${seeds[@]}"; do
    ./generate "$seed" >"random-$seed.c"
    head -n 1 "random-$seed.c" | grep -q plain || continue
    keeps "random-$seed" "random-$seed.c" --cflags "-I$SOURCE/tests/random"
done
[ $judged -ge $((${#seeds[@]} / 4)) ] || {
    echo "FAIL only $judged random programs were judged"
    failed=$((failed + 1))
}
as_reference ping_pong savina/ping_pong small
as_reference philosophers savina/philosophers small
as_reference master_worker protocols/master_worker crew
[ $failed -eq 0 ]
