#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 600
# Faults within a budget: counts by hand, every way to search against plain enumeration, replays, refusals.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/reductions.shlib"

source=$SOURCE/tests/explore/faults.c
compile_once "$source"
program=$verdict_binary

# count TEST EXECUTIONS CLASSES KINDS OPTIONS...: of plain enumeration.
count() {
    name=$1 executions=$2 classes=$3 kinds=$4
    shift 4
    explore_json run --keep-going --census --reduction none --test "$name" "$@" "$program"
    expect "$name $*" run $([ "$kinds" = - ] && echo 0 || echo 1) "$executions" '*' "$kinds"
    counted=$(json_number run.json classes)
    [ "$counted" = "$classes" ] || disagree "$name $*: $counted classes, not $classes"
}

# A message is lost or not.
count one_message 2 2 - --drop 1
count one_message 2 2 - --drop 3
# It comes once, or twice in either order, or three times in any.
count one_message 3 3 - --duplicate 1
count one_message 9 9 - --duplicate 2
count one_message 3 3 - --duplicate 1 --delivery any
# None, the first, the second; both.
count two_messages 3 3 - --drop 1
count two_messages 4 4 - --drop 2
# Two in two orders, or one of them.
count two_messages 4 4 - --drop 1 --delivery any
# The duplicate of either comes at one of three places among two in order; or 3! orders of three.
count two_messages 7 7 - --duplicate 1
count two_messages 14 14 - --duplicate 1 --delivery any
# Lost, or as without drops; one of them is lost, and the other comes once or twice.
count one_message 4 4 - --drop 1 --duplicate 1
# A victim with k deliveries crashes at k + 1 places.
count nobody_writes 2 2 - --crash 1
count one_message 3 3 - --crash 1
count two_messages 4 4 - --crash 1
count two_messages 4 4 - --crash 5
# With a new life: as many places, and two crashes are at 6 pairs of places.
count two_messages 4 4 - --crash 1 --restart
count two_messages 10 10 - --crash 2 --restart
# After it has stopped it does not crash.
count stops 2 2 - --crash 1
# Two actors that do not know of each other: none crashes in 2 orders; one crashes before its message (2 orders with
# the other's) or after it (3).
count two_keepers 12 5 - --crash 1
# None is lost: two orders at the keeper, and 4 executions of them. The question is lost, or one of the first messages;
# or the answer, after 2 orders.
count asks 11 7 deadlock --drop 1
# Only the first message travels: not the timer, and not what the clock tells itself. All three are deliveries.
count timer 2 2 - --drop 5
count timer 5 5 - --crash 1
# A block can't be given twice.
count gives 1 1 - --duplicate 1
count gives 2 2 - --drop 1
# A duplicate that comes too late is nobody's fault, and neither is a message to an actor that has crashed.
count stops 3 3 - --duplicate 1

# Every reduction against plain enumeration, with all tests.
for faults in '--drop 2' '--duplicate 1' '--crash 2' '--drop 1 --duplicate 1' '--drop 1 --crash 1' \
    '--drop 1 --crash 1 --restart' '--delivery any --drop 1' '--delivery any --duplicate 1 --crash 1' \
    '--delivery any --crash 1 --restart'; do
    # shellcheck disable=SC2086
    compare_reductions "$faults" "$program" $faults || disagree "$faults: plain enumeration is not complete"
done
for test in one_message two_messages asks gate; do
    compare_reductions "$test everything" "$program" --test $test --drop 1 --duplicate 1 --crash 1 --restart
    compare_reductions "$test strict" "$program" --test $test --time strict --drop 1 --duplicate 1 --crash 1
done

# A larger one: only after some ten thousand executions it shows whether a tree has a leaf that is searched in part. With
# --crash 1, where as many executions are a process each, tests/deep/reductions.sh has it.
compile_once "$SOURCE/subjects/basset/leader_capture.c"
compare_optimal "three_nodes --drop 1" 20000 "$verdict_binary" --test three_nodes --drop 1 ||
    disagree "three_nodes --drop 1: source is not complete"

# Plain enumeration has 12 classes of executions that come to their end, and errors that cut off others: of these optimal
# runs more than source, 19 executions in all against 17.
compile_once "$SOURCE/subjects/bita/fyrie_redis.c"
compare_optimal "issue_12 --drop 1" 500 "$verdict_binary" --test issue_12 --drop 1 ||
    disagree "issue_12 --drop 1: source is not complete"
compare_reductions "issue_12 --drop 1" "$verdict_binary" --test issue_12 --drop 1 ||
    disagree "issue_12 --drop 1: plain enumeration is not complete"

# Taking deliveries back, running again, and both; sampling too.
for faults in '--duplicate 1' '--drop 1 --crash 1 --restart'; do
    # shellcheck disable=SC2086
    compare_modes "$faults" "$program" --census --max-executions 20 $faults <<END
--reduction none --undo on
--reduction none --undo off : same
--reduction none --undo verify : same
END
    # shellcheck disable=SC2086
    compare_modes "$faults" "$program" --census --max-executions 20 $faults <<END
--reduction optimal --undo on
--reduction optimal --undo off : same
--reduction optimal --undo verify : same
END
done
"$REHEARSE" sample --runs 200 --seed 3 --test asks --drop 1 --duplicate 1 --crash 1 --restart --keep-going --json \
    --no-times --save . "$program" >sample.json
"$REHEARSE" sample --runs 200 --seed 3 --test asks --drop 1 --duplicate 1 --crash 1 --restart --keep-going --json \
    --no-times --save . --undo off "$program" >sample-off.json
cmp -s sample.json sample-off.json || disagree 'sample --undo off' "$(diff sample.json sample-off.json)"
json_strings sample.json kind | grep -qx deadlock || disagree 'sample does not lose an answer'

# The timer that is left belongs to the first life and that goes on, to the first which is over, or to the second; and
# nobody has crashed.
for states in none exact; do
    explore_json run --keep-going --census --reduction none --states $states --test left_timer --crash 1 --restart "$program"
    verdict_count=$((verdict_count + 1))
    [ "$(json_number run.json final_states)" = 4 ] ||
        disagree "left_timer --states $states: $(json_number run.json final_states) final states, not 4"
done

# Judges see no timer of a life that is over.
explore_json run --keep-going --reduction none --test one_alarm_each_life --crash 1 --restart "$program"
expect 'one_alarm_each_life' run 0 '*' '*' -

# What was left out because its state is known loses no finding.
for faults in '--drop 1 --duplicate 1' '--drop 1 --crash 1' '--crash 2 --restart'; do
    {
        echo '--states none'
        echo '--states exact --states-full : findings'
        case $faults in *--restart) ;; *) echo '--states actors --states-full : findings' ;; esac
    } >modes
    # shellcheck disable=SC2086
    compare_modes "$faults" "$program" --reduction none $faults <modes || disagree "$faults: plain enumeration is not complete"
done

# Each finding replays, and needs no options for that.
for test in asks tellers_watched gate; do
    for faults in '--drop 1' '--duplicate 2' '--crash 1' '--drop 1 --duplicate 1' '--drop 1 --crash 1 --restart'; do
        # shellcheck disable=SC2086
        explore_json run --keep-going --reduction none --test $test $faults "$program"
        replay_findings "$test $faults" run
    done
done

# steps FILE TEST LINE...: a schedule with these steps.
steps() {
    file=$1
    {
        printf 'rehearse schedule 1\nprogram faults\ntest %s\n' "$2"
        shift 2
        printf '%s\n' "$@" end
    } >"$file"
}

# replays TEST STATUS WORDS LINE...: the steps replay with this status, and the output has these words.
replays() {
    name=$1 wanted=$2 words=$3
    shift 3
    verdict_count=$((verdict_count + 1))
    steps hand.schedule "$name" "$@"
    "$REHEARSE" replay --no-times "$program" hand.schedule >replay.out 2>&1 </dev/null
    status=$?
    [ $status = "$wanted" ] && grep -Fq -e "$words" replay.out ||
        disagree "replay of $*: status $status" "$(head -n 5 replay.out)"
}

# By hand, without identities.
replays one_message 0 'dropped  number {value = 1} to keeper#1' 'drop number to keeper#1'
replays two_messages 0 '1  outside -> keeper#1  number {value = 2}' 'drop number to keeper#1 from outside'
replays one_message 0 'number {value = 1} (duplicate)' 'duplicate number to keeper#1'
replays one_message 0 '4 deliveries' 'duplicate number to keeper#1' 'duplicate number to keeper#1' \
    'duplicate number to keeper#1'
replays two_messages 0 '2  crash  keeper#1' 'deliver number to keeper#1' 'crash keeper#1'
replays two_messages 0 '2  crash  keeper#1, which begins anew' 'deliver number to keeper#1' 'restart keeper#1'
replays one_message 0 '2  crash  keeper#1' 'deliver number to keeper#1' 'crash keeper#1'
replays asks 1 'client#1 waits for a reply to question from keeper#1 that never comes: it has crashed' \
    'deliver number to client#1' 'crash keeper#1'
replays asks 1 'that never comes' 'deliver number to client#1' 'deliver number to keeper#1' 'deliver question to keeper#1' \
    'drop answer to client#1'

# What can't be.
replays one_message 2 'hand.schedule:4: tick to keeper#1 cannot be dropped here: it was not sent since the step above' \
    'drop tick to keeper#1' 'deliver number to keeper#1'
replays one_message 2 'hand.schedule:5: number to keeper#1 cannot be duplicated here' \
    'deliver number to keeper#1' 'duplicate number to keeper#1'
replays two_messages 2 'hand.schedule:5: keeper#1 cannot crash here' 'crash keeper#1' \
    'crash keeper#1'
replays two_messages 2 'hand.schedule:4: keeper#7 cannot crash here' 'crash keeper#7'
replays two_messages 2 'hand.schedule:5: number to keeper#1 cannot be delivered here' \
    'crash keeper#1' 'deliver number to keeper#1'
replays two_messages 2 'hand.schedule:5: `crash` and `restart` exclude each other' 'restart keeper#1' 'crash keeper#1'
replays two_messages 2 'hand.schedule:4: the line ends too early; write `crash ACTOR @IDENTITY`' 'crash'
replays two_messages 2 'hand.schedule:4: `now` is not expected here' 'restart keeper#1 now'
replays timer 2 'cannot be dropped here' 'deliver number to clock#1' 'drop tick to clock#1'

# refuses WORDS OPTIONS...
refuses() {
    words=$1
    shift
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" explore "$@" "$program" >refused.out 2>&1 </dev/null
    status=$?
    [ $status = 2 ] && grep -Fq -e "$words" refused.out || disagree "$*: status $status" "$(cat refused.out)"
}
refuses '--restart goes with --crash N' --restart
refuses '--restart and --states actors exclude each other' --crash 1 --restart --states actors
refuses 'with faults, --states and --reduction exclude each other' --drop 1 --states exact --reduction source
refuses '--drop 65536 is too large: the most is 65535' --drop 65536
refuses "--duplicate needs a number, not '-x'" --duplicate -x

verdict_end
