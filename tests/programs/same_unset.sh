#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# A program that reads what it has never set, with debug information and without: the same result byte for byte over
# many runs with address randomisation on, replays included, and the same states however the search goes back.
. "$SOURCE/tests/programs/verdict.shlib"

[ -z "${SANITIZE:-}" ] || {
    echo "under a sanitizer the stacks of handlers are not ours"
    exit 77
}

# result NAME PROGRAM: everything that a search and a replay of what it found give; leaves NAME.all.
result() {
    rm -rf run
    mkdir run
    (
        cd run || exit
        "$2" explore --delivery any --keep-going --no-shrink --json --no-times --max-executions 50 >out 2>err
        echo "status $?" >status
        "$2" replay --no-times --trace-states unset.schedule >replay 2>&1
        "$REHEARSE" replay --no-times --trace-states "$2" unset.schedule >by_command 2>&1
        cmp replay by_command >>status 2>&1
    ) </dev/null
    head -n 100000 run/* >"$1.all"
}

same_results() { # PROGRAM
    verdict_count=$((verdict_count + 1))
    result first "$1"
    grep -q '^status 1$' first.all && ! grep -q nondeterminism first.all || {
        disagree "$1" "$(cat first.all)"
        return
    }
    for run in 2 3 4 5 6; do
        result again "$1"
        cmp -s first.all again.all && continue
        disagree "$1: run $run differs" "$(diff first.all again.all | head -n 20)"
        return
    done
}

states() { # PROGRAM OPTIONS...
    binary=$1
    shift
    explore_json states --states exact --keep-going --max-executions 30 "$@" "$binary"
    json_number states.json states
}

for flags in "-O0 -g" "-O2 -g" "-O2 -g0"; do
    program=$PWD/program$(echo "$flags" | tr -d ' ')
    $CC $flags -w -I"$SOURCE/include" "$SOURCE/tests/programs/unset.c" -o "$program" "$BUILD/librehearse.a" \
        $(pkg-config --libs libdw libelf jansson) -lm ${LDLIBS:-} || disagree "$flags: not compiled"
    same_results "$program"
    "$program" explore --undo verify --no-shrink --keep-going --max-executions 30 >out 2>err
    [ $? -eq 1 ] || disagree "$flags: --undo verify" "$(cat out err)"
    on=$(states "$program") off=$(states "$program" --undo off)
    [ -n "$on" ] && [ "$on" = "$off" ] || disagree "$flags: $on states with undo, $off without"
done
verdict_end
