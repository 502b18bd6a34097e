#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Searches that keep no fingerprints against the same searches with them (--census compares final states): what a delivery
# has changed, what commutes and in which order judges see what waits must come out the same, and so executions,
# deliveries and findings are.
if [ -n "${SANITIZE:-}" ]; then
    echo 'a sanitizer replaces malloc, and then there are no fingerprints'
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

# counted FILE: test, executions, deliveries and findings of each result.
counted() {
    awk -F '"' '$2 == "test" || $2 == "executions" || $2 == "deliveries" || $2 == "kind" || $2 == "count" {
        print $2 $3 $4
    }' "$1"
}

search() { # FILE OPTIONS...
    output=$1
    shift
    "$REHEARSE" explore --keep-going --no-shrink --save . --json --max-executions 300 "$@" >"$output" 2>"$output.err" </dev/null
}

compared=0
for source in commuting views dependence named reductions timers; do
    compile_once "$SOURCE/tests/explore/$source.c"
    for mode in '--reduction optimal --commuting' '--reduction source --delivery any' \
        '--reduction none --delivery any'; do
        verdict_count=$((verdict_count + 1))
        # shellcheck disable=SC2086
        search without.json $mode --states none "$verdict_binary"
        # shellcheck disable=SC2086
        search with.json $mode --states none --census "$verdict_binary"
        counted without.json >without.txt
        counted with.json >with.txt
        compared=$((compared + $(grep -c '^executions' without.txt)))
        cmp -s without.txt with.txt ||
            disagree "$source $mode: not the same with fingerprints" "$(diff without.txt with.txt | head -n 10)"
    done
done
[ "$compared" -gt 100 ] || disagree "only $compared results were compared"
verdict_end
