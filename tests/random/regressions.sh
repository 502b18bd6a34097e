#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Faults that random programs have shown; each is described in regressions.c.
if [ -n "${SANITIZE:-}" ]; then
    echo 'undo and leaks need the library'"'"'s own malloc, which a sanitizer replaces'
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/random/regressions.c"
program=$verdict_binary
for undo in on off verify; do
    # go before halt, and two numbers: 4!/2! executions. halt is delivered in 11 nodes of the tree: after
    # go and a sequence of none, one or both numbers with go anywhere in it: 1 + 2 * 2 + 2 * 3.
    explore_json run --keep-going --undo $undo --test leak_then_fork "$program"
    expect "leak_then_fork --undo $undo" run 0 12 '*' leak
    count=$(json_number run.json count)
    [ "$count" = 11 ] || disagree "leak_then_fork --undo $undo: the leak counts $count times, not 11"

    # 3! orders of the numbers, times the Catalan number of ways to merge the parcels: 6 * 5.
    explore_json run --keep-going --undo $undo --test parcels_of_all_sizes "$program"
    expect "parcels_of_all_sizes --undo $undo" run 0 30 '*' -
    explore_json run --keep-going --undo $undo --test waiting_after_first_calls "$program"
    expect "waiting_after_first_calls --undo $undo" run 0 '*' '*' -

    # The second riddle is the fourth delivery; it has not changed the memory of who waits for its answer.
    explore_json run --keep-going --undo $undo --test write_beside_a_wait "$program"
    expect "write_beside_a_wait --undo $undo" run 1 1 4 shared-state

    "$REHEARSE" sample --no-shrink --json --no-times --keep-going --runs 10 --save . --undo $undo \
        --test broken_from_the_start "$program" >run.json 2>run.err
    verdict_status=$?
    expect "broken_from_the_start --undo $undo" run 1 10 0 invariant
done

# Each of the 200,000 accesses takes a step of its own; tests/deep/random.sh has the other ways to go back.
for undo in ${WORK_BESIDE:-on}; do
    explore_json run --keep-going --undo $undo --test work_beside_given "$program"
    expect "work_beside_given --undo $undo" run 0 1 2 -
done

# Two orders at one actor, two at the other and two outcomes there: 8 classes, each with a final state of its own.
for reduction in source optimal dcute; do
    explore_json run --census --test choice_beside_a_race --reduction $reduction "$program"
    expect "choice_beside_a_race --reduction $reduction" run 0 8 '*' -
    [ "$(json_number run.json final_states) $(json_number run.json classes)" = '8 8' ] ||
        disagree "choice_beside_a_race --reduction $reduction: not 8 final states and classes"
done

# Two orders at the second, of which the first chooses; at the other one the number, with a choice, and the riddle in two
# orders: 2 * 2 * 2 * 2 classes, each with a final state of its own.
for reduction in source optimal dcute; do
    explore_json run --census --test choices_before_a_race --reduction $reduction "$program"
    expect "choices_before_a_race --reduction $reduction" run 0 16 '*' -
    [ "$(json_number run.json final_states) $(json_number run.json classes)" = '16 16' ] ||
        disagree "choices_before_a_race --reduction $reduction: not 16 final states and classes"
done

# Three messages at the relay, two at the chooser, where one chooses, and one at the bystander; and nothing, or a crash,
# among them at the relay, the chooser or the bystander: 3! * 2! * 2 + 4! * 2! * 2 + 3! * 3! * 2 + 3! * 2! * 2 * 2! classes.
for reduction in source optimal dcute none; do
    explore_json run --census --crash 1 --restart --test choice_behind_a_crash --reduction $reduction "$program"
    expect "choice_behind_a_crash --reduction $reduction" run 0 '*' '*' -
    [ "$(json_number run.json classes) $(json_number run.json final_states)" = '240 184' ] ||
        disagree "choice_behind_a_crash --reduction $reduction: not 240 classes and 184 final states"
    [ $reduction != optimal ] || [ "$(json_number run.json executions)" = 240 ] ||
        disagree 'choice_behind_a_crash: optimal runs a class more than once'
done

# Plain enumeration counts these classes and final states, of 24,272 and of 640 executions.
for reduction in source optimal dcute none; do
    explore_json run --census --drop 1 --crash 1 --restart --test drops_and_a_restart --reduction $reduction "$program"
    expect "drops_and_a_restart --reduction $reduction" run 0 '*' '*' -
    [ "$(json_number run.json classes) $(json_number run.json final_states)" = '578 466' ] ||
        disagree "drops_and_a_restart --reduction $reduction: not 578 classes and 466 final states"
    explore_json run --census --keep-going --drop 1 --crash 1 --test error_before_a_crash --reduction $reduction "$program"
    expect "error_before_a_crash --reduction $reduction" run 1 '*' '*' undelivered,unhandled
    [ "$(json_number run.json classes) $(json_number run.json final_states)" = '45 45' ] ||
        disagree "error_before_a_crash --reduction $reduction: not 45 classes and final states"
done
# By dcute and source; optimal with wakeup trees of single outcomes has 3,992 and 16,478 or 16,554.
for reduction in optimal dcute; do
    for faults in '--duplicate 1:4020' '--drop 1 --duplicate 1:16598'; do
        # shellcheck disable=SC2086
        explore_json run --census ${faults%:*} --crash 1 --restart --test drops_and_a_restart --reduction $reduction \
            "$program"
        [ "$(json_number run.json classes)" = ${faults#*:} ] ||
            disagree "drops_and_a_restart $faults --reduction $reduction: $(json_number run.json classes) classes"
    done
done

# One of the two messages to the second, after which the first takes what comes before anything else: 2 * 2 classes. What
# stands behind another left-over message of its channel is not tried in vain.
for reduction in source optimal; do
    explore_json run --census --keep-going --test two_left_over --reduction $reduction "$program"
    expect "two_left_over --reduction $reduction" run 1 4 '*' deadlock,leftover
    [ "$(json_number run.json classes) $(json_number run.json given_up)" = '4 0' ] ||
        disagree "two_left_over --reduction $reduction: not 4 classes and nothing given up"
done

"$REHEARSE" explore --output --test judge_prints "$program" 2>&1 >/dev/null | grep -Fqx 'sum 5' ||
    disagree 'what a judge prints at the end of the last execution is lost'
verdict_end
