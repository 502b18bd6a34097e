#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a handler opens gets the lowest free number, whoever runs the program, and --undo verify has nothing to say to that.
. "$SOURCE/tests/programs/verdict.shlib"
compile_once "$SOURCE/tests/engine/descriptors.c"

# What this shell has inherited would count too.
for path in /proc/$$/fd/*; do
    file=${path##*/}
    [ "$file" -le 2 ] || eval "exec $file>&-"
done

for options in '--undo on' '--undo off' '--undo verify' '--reduction optimal'; do
    # shellcheck disable=SC2086
    explore_json run --keep-going --test holds $options "$verdict_binary"
    expect "holds $options" run 0 6 15 -
    # shellcheck disable=SC2086
    explore_json run --keep-going --test found $options "$verdict_binary"
    expect "found $options" run 1 6 14 check
    replay_findings "found $options" run
done

"$verdict_binary" --test holds >direct.txt 2>&1 || disagree 'run directly' "$(cat direct.txt)"

# Where states are not compared, nothing is said about how many there are.
if [ -z "${SANITIZE:-}" ]; then
    "$REHEARSE" explore --test holds --states exact "$verdict_binary" >states.txt
    grep -q 'passed, all 6 executions' states.txt || disagree 'number of states' "$(cat states.txt)"
    grep -q 'states behind it were not compared' states.txt || disagree 'no note' "$(cat states.txt)"
fi
verdict_end
