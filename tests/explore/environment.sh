#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# --environment and rh_may_come: environment.c in every environment, with every way of searching.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/reductions.shlib"

source=$SOURCE/tests/explore/environment.c
compile_once "$source"

# within ENVIRONMENT TEST STATUS KINDS: what is found in this environment.
within() {
    explore_json run --keep-going --environment "$1" --reduction none --test "$2" "$verdict_binary"
    expect "$2 in $1" run "$3" '*' '*' "$4"
    [ "$(json_strings run.json environment)" = "$1" ] || disagree "$2 in $1: the JSON object says otherwise"
}

for test in in_a_cycle three_in_a_cycle itself; do
    for environment in quiet closed open; do
        within $environment $test 1 deadlock,leftover
    done
done
within quiet no_answer 1 deadlock
within closed no_answer 1 deadlock
within open no_answer 0 -
within quiet refuses 1 deadlock,leftover
within closed refuses 1 deadlock,leftover
within open refuses 0 leftover
within quiet refuses_what_comes 0 -
within closed refuses_what_comes 1 deadlock
within open refuses_what_comes 0 -
within quiet idle 0 -
within closed idle 1 deadlock
within open idle 0 -
for environment in quiet closed open; do
    within $environment all_stop 0 -
done

# says TEXT: the last run's findings say it.
says() {
    json_strings run.json message | grep -Fqx -e "$1" || disagree "no finding says: $1" \
        "$(json_strings run.json message)"
}
within closed idle 1 deadlock
says 'keeper#1 is still alive and nothing will come to it'
# Each is named by what it refuses, and not once more.
within closed refuses 1 deadlock,leftover
[ "$(json_strings run.json kind | grep -c deadlock)" = 1 ] || disagree 'refuses in closed: not one deadlock'
within open three_in_a_cycle 1 deadlock,leftover
says 'asker#1 waits for a reply to question from asker#2, which waits for one from asker#3, which waits for one from asker#1'
within open itself 1 deadlock,leftover
says 'asker#1 waits for a reply to question from asker#1'

# Nothing comes unless the environment is open, and a note says so.
note='nothing came of what the test lists with rh_may_come: --environment open delivers it'
for environment in quiet closed; do
    explore_json run --environment $environment --reduction none --test twice "$verdict_binary"
    [ "$(json_number run.json executions)" = 1 ] || disagree "twice in $environment: something came"
    grep -Fq "$note" run.json || disagree "twice in $environment: no note"
done
explore_json run --environment open --reduction none --test twice "$verdict_binary"
! grep -Fq "$note" run.json || disagree 'twice in open: the note'

# come TEST STATUS KINDS EXECUTIONS CLASSES [CLASSES-STRICT]: plain enumeration runs so many, and the others lose
# nothing. Under a sanitizer there are no final states to compare.
come() {
    for rules in 'fifo causal' 'any causal' 'any strict'; do
        classes=$5
        [ "$rules" != 'any strict' ] || classes=${6:-$5}
        options="--environment open --delivery ${rules% *} --time ${rules#* } --test $1"
        for undo in on off verify; do
            explore_json run --keep-going --census --undo $undo --reduction none $options "$verdict_binary"
            expect "$options --undo $undo" run "$2" "$4" '*' "$3"
            [ "$(json_number run.json classes)" = "$classes" ] || disagree "$options: not $classes classes"
        done
        digest=$(json_strings run.json final_states_digest)
        [ -z "${SANITIZE:-}" ] || continue
        compare_reductions "$options" "$verdict_binary" $options
        explore_json run --keep-going --census --reduction none --states actors $options "$verdict_binary"
        expect "$options --states actors" run "$2" '*' '*' "$3"
        [ "$(json_strings run.json final_states_digest)" = "$digest" ] || disagree "$options --states actors: other final states"
    done
}
# It does not come, or in one of two places.
come once 0 - 3 3
# 1 + 2 + 3: those of one rh_may_come are alike and have one order.
come twice 0 - 6 6
# None, one, the other, or both in two orders.
come two_kinds 0 - 5 5
# 2! + 3! + 3! + 4! orders. At each keeper it does not come or comes in one of two places; under strict time every
# delivery depends on every other.
come two_keepers 0 - 38 9 38
come never 0 - 1 1
# What can't be delivered any more has not come.
come too_late 0 - 2 2
come refuses_what_comes 0 - 1 1
# The mark in one of three places, or none.
come beside_timer 0 - 4 4
# The third delivery fails. 1 + 2 orders of up to two, 3 with two marks to come, and 4 beginnings of those with three.
come needs_two 1 invariant 10 3
come at_the_end 1 final 3 3
come not_seen 0 - 3 3

# States of `twice`: what was kept and what is left of 0, 1 and 2 to come: 2 + 5 + 9.
for states in exact actors; do
    [ -z "${SANITIZE:-}" ] || continue
    explore_json run --environment open --reduction none --states $states --test twice "$verdict_binary"
    [ "$(json_number run.json states)" = 16 ] || disagree "twice --states $states: not 16 states"
done

# replays NAME SCHEDULE STATUS KINDS: what a replay shows.
replays() {
    "$REHEARSE" replay --json --no-times "$verdict_binary" "$2" >replay.json 2>replay.err
    verdict_status=$?
    verdict_count=$((verdict_count + 1))
    [ $verdict_status = "$3" ] && [ "$(json_kinds replay.json)" = "$4" ] ||
        disagree "replay $1: status $verdict_status, kinds $(json_kinds replay.json)" "$(cat replay.err)"
}
explore_json run --environment open --reduction none --test needs_two "$verdict_binary"
saved=run.saved/needs_two.schedule
grep -q '^environment open$' "$saved" || disagree 'the schedule does not name its environment'
grep -q '^choose 2 of 4   # how many mark come to keeper#1$' "$saved" ||
    disagree 'the schedule does not say how many come'
replays saved "$saved" 1 invariant
# By hand: what it does not deliver does not come.
write() {
    {
        printf 'rehearse schedule 1\nprogram %s\ntest needs_two\nenvironment open\n' "$verdict_binary"
        for step in "$@"; do
            echo "$step"
        done
        echo end
    } >by_hand.schedule
}
come_step='deliver mark to keeper#1'
write
replays 'without steps' by_hand.schedule 0 -
[ "$(json_number replay.json deliveries)" = 1 ] || disagree 'replay without steps: something came'
write "$come_step" "$come_step"
replays 'one that comes' by_hand.schedule 0 -
[ "$(json_number replay.json deliveries)" = 2 ] || disagree 'replay with one that comes: not 2 deliveries'
write "$come_step" "$come_step" "$come_step"
replays 'two that come' by_hand.schedule 1 invariant
write 'choose 3 of 4'
replays 'three that come' by_hand.schedule 1 invariant
write "$come_step" "$come_step" "$come_step" "$come_step" "$come_step"
sed -i 's/needs_two/twice/' by_hand.schedule
replays 'more than may come' by_hand.schedule 2 -
sed -i 's/environment open/environment ajar/' by_hand.schedule
replays 'an unknown environment' by_hand.schedule 2 -
grep -Fq 'by_hand.schedule:4: there is no environment `ajar`' replay.err ||
    disagree 'an unknown environment is not named' "$(cat replay.err)"

# Misuse, in every environment.
for environment in quiet open; do
    within $environment too_often 1 check
    says 'rh_may_come of mark -1 times: it is 0 to 1000 times'
    within $environment carries_a_block 1 check
    within $environment to_nobody 1 check
    says 'rh_may_come to NULL'
    within $environment not_to_this_one 1 check
    says 'outside sent quit to keeper#2, which is not declared with rh_receptionist'
    within $environment in_a_handler 1 check
    says 'rh_may_come outside of a test'"'"'s body'
done

# A sample draws how many come.
"$REHEARSE" sample --json --no-times --environment open --runs 200 --test needs_two "$verdict_binary" >sample.json
[ "$(json_kinds sample.json)" = invariant ] || disagree 'sample does not find what comes twice'

"$REHEARSE" explore --environment ajar "$verdict_binary" >/dev/null 2>usage.err
[ $? = 2 ] && grep -Fq -e '--environment takes quiet|closed|open' usage.err || disagree '--environment ajar'
verdict_end
