#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# cover finds the twelve bugs of Bita at the size of the originals, with any seed: ten of them within three schedules or
# sweeps after the first run. In the process registry a process has to die, and another client to notice, while news of
# its name are under way. old_reports shows in less than one of a thousand random executions, and needs that reports of
# some workers are late, from the second one on of each, and those of others are not.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer makes this too slow"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

awk '/^# Not among/ { exit } !/^#/ && NF { print $1, $2, $5 }' "$SOURCE/tests/subjects/bita.txt" >bugs
while read -r bug program test; do
    compile_once "$SOURCE/subjects/bita/$program.c"
    case $bug in
    process_registry) most=30 ;;
    signal_collect_old_reports) most=300 ;;
    *) most=4 ;;
    esac
    for seed in 1 2 3 4 5 6 7 8 9 10; do
        verdict_count=$((verdict_count + 1))
        "$REHEARSE" cover --test "$test" --seed $seed --max-executions $most --max-deliveries 0 --no-shrink --save . \
            "$verdict_binary" >said.txt 2>&1 </dev/null
        [ $? -eq 1 ] || disagree "$bug: seed $seed" "$(cat said.txt)"
    done
done <bugs

# On the fixed twins each schedule is followed to its end, and reaches a new goal: there are no guards.
awk '/^# Not among/ { exit } !/^#/ && NF && !seen[$2 $6]++ { print $2, $6 }' "$SOURCE/tests/subjects/bita.txt" >twins
while read -r program test; do
    compile_once "$SOURCE/subjects/bita/$program.c"
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" cover --test "$test" --max-executions 60 --max-deliveries 0 --json "$verdict_binary" >said.json 2>&1 </dev/null
    [ "$(json_number said.json schedules)" -gt 10 ] && [ "$(json_number said.json infeasible)" = 0 ] &&
        [ "$(json_number said.json useless)" = 0 ] || disagree "$program $test" "$(cat said.json)"
done <twins
verdict_end
