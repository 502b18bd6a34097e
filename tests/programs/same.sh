#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 900
# The same program, options and seed: the same result byte for byte, schedules included, over many
# runs with address randomisation on.
set -u
failed=0

# result NAME ARGUMENTS...: runs in a directory of its own; leaves NAME.all. Where a handler is that seems to hang is told while
# it runs, and is no part of the result.
result() {
    name=$1
    shift
    rm -rf run
    mkdir run
    (cd run && "$REHEARSE" "$@" >out 2>err </dev/null; echo "status $?" >status)
    sed -i '/ has been handling .*; does it hang?/d' run/err
    for file in run/*; do
        echo "== ${file#run/}"
        cat "$file"
    done >"$name.all"
}

# same_results LABEL TIMES ARGUMENTS...
same_results() {
    label=$1
    times=$2
    shift 2
    result first "$@"
    grep -q '^status [01]$' first.all || {
        echo "FAIL $label"
        cat first.all
        failed=$((failed + 1))
        return
    }
    run=1
    while [ $run -lt "$times" ]; do
        run=$((run + 1))
        result again "$@"
        cmp -s first.all again.all && continue
        echo "FAIL $label: run $run differs"
        diff first.all again.all | head -n 20
        failed=$((failed + 1))
        return
    done
}

examples=$SOURCE/examples
kinds=$SOURCE/tests/kinds
thirdparty=$SOURCE/tests/thirdparty
same_results bank 8 explore --keep-going --json --no-times "$examples/bank.c"
same_results "bank as text" 3 explore --no-times "$examples/bank.c"
same_results "sampled bank" 8 sample --runs 50 --seed 7 --keep-going --json --no-times \
    "$examples/bank.c"
same_results shrunk 6 sample --runs 100 --seed 3 --keep-going --json --no-times \
    "$SOURCE/tests/explore/shrink.c"
same_results crash 3 explore --keep-going --json --no-times "$kinds/crash_null.c"
same_results hang 2 explore --keep-going --json --no-times --hang-limit 20 "$kinds/hang.c"
same_results shared-state 3 explore --keep-going --json --no-times "$kinds/shared_state.c"
same_results "clocks and random numbers" 5 explore --json --no-times --cflags -DFIXED "$kinds/nondeterminism.c"
same_results Jansson 3 explore --json --no-times "$thirdparty/jansson_tree.c"
[ $failed -eq 0 ]
