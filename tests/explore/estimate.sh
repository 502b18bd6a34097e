#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# When a tenth of a search is done, the number of all its executions is known within a factor of ten; the same in every
# mode of undo. Where states are compared nothing is said.
. "$SOURCE/tests/programs/verdict.shlib"

# within FACTOR ESTIMATE NUMBER
within() {
    awk -v factor="$1" -v estimate="${2:-0}" -v number="$3" \
        'BEGIN { exit !(estimate * factor >= number && estimate <= number * factor) }'
}

guess() { # label, arguments...: stops at a tenth
    guess_label=$1
    shift
    explore_json whole --keep-going --max-executions 0 --states none "$@"
    all=$(json_number whole.json executions)
    ! grep -q expected_executions whole.json || disagree "$guess_label: complete, and still a guess"
    for undo in on off; do
        explore_json $undo --keep-going --max-executions $((all / 10)) --states none --undo $undo "$@"
    done
    verdict_count=$((verdict_count + 1))
    expected=$(json_number on.json expected_executions)
    again=$(json_number off.json expected_executions)
    [ "$expected" = "$again" ] || disagree "$guess_label: expected $expected, with --undo off $again"
    within 10 "$expected" "$all" || disagree "$guess_label: expected $expected, there are $all"
}

subjects=$SOURCE/subjects/basset
for order in fifo any; do
    guess "shortpath none $order" --reduction none --delivery $order --test triangle "$subjects/shortpath.c"
done
guess 'shortpath optimal' --reduction optimal --delivery fifo --test wheel "$subjects/shortpath.c"
guess 'shortpath source' --reduction source --delivery fifo --test wheel "$subjects/shortpath.c"
guess 'leader none' --reduction none --delivery fifo --test careless "$subjects/leader.c"
guess 'leader dcute' --reduction dcute --delivery any --test mixed --cflags -DPROCESSES=3 "$subjects/leader.c"

# All branches are alike, so the first execution tells.
for reduction in none source optimal dcute; do
    explore_json first --reduction $reduction --states none --max-executions 1 "$SOURCE/bench/programs/senders.c"
    expected=$(json_number first.json expected_executions)
    [ "$expected" = 40320 ] || disagree "senders $reduction: expected $expected"
done
"$REHEARSE" explore --no-times --reduction none --states none --max-executions 4032 "$SOURCE/bench/programs/senders.c" >text
grep -q 'nothing found in 4032 executions, stopped by executions, about 10% done, ' text ||
    disagree 'what is printed' "$(cat text)"
"$REHEARSE" sample --no-times --runs 10 "$SOURCE/bench/programs/senders.c" >text
grep -q 'nothing found in 10 executions of about 40320, ' text || disagree 'what sample prints' "$(cat text)"

if [ -z "${SANITIZE:-}" ]; then
    explore_json states --reduction none --states exact --max-deliveries 1000 "$SOURCE/bench/programs/senders.c"
    ! grep -q expected_executions states.json || disagree 'a guess with --states exact'
fi
verdict_end
