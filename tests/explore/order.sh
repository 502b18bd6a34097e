#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests that give their order: every verb makes that one execution, and says so.
. "$SOURCE/tests/programs/verdict.shlib"

compile_once "$SOURCE/tests/explore/order.c" || exit 1
passing=$verdict_binary
compile_once "$SOURCE/tests/explore/order.c" -DFAILING || exit 1
failing=$verdict_binary

# Test, deliveries, and how it ends: all but the last pass, whatever the options say.
cat >wanted <<END
all_steps 2
no_steps 2
with_message 3
held_back 2
dropped 1
any_order 2
END
for verb in 'explore --delivery any --drop 1' 'explore --undo off' 'explore --undo verify' 'explore --states exact' \
    'explore --keep-going --census --reduction none' 'sample --runs 3' cover; do
    case "${SANITIZE:-}$verb" in [!es]*--states*) continue ;; esac
    # shellcheck disable=SC2086
    "$REHEARSE" $verb "$passing" --json --no-times >out.json 2>err
    awk -F '"' '$2 == "test" { test = $4 } $2 == "strategy" { strategy = $4 } $2 == "complete" { complete = $3 }
        $2 == "executions" { executions = $3 + 0; sub(/[^0-9]*/, "", $3); executions = $3 + 0 }
        $2 == "deliveries" { sub(/[^0-9]*/, "", $3)
            if (strategy == "order") print test, $3 + 0 (complete ~ /false/ && executions == 1 ? "" : " wrong") }
        $2 == "kind" { if (test != "searched") print test, $4 }' out.json >found
    cmp wanted found || disagree "$verb" "$(diff wanted found)" "$(cat err)"
done

# What is said, and that nothing is complete by it.
says() {
    verdict_count=$((verdict_count + 1))
    grep -qF "$1" out || disagree "no: $1" "$(cat out)"
}
"$REHEARSE" explore "$passing" --no-times >out 2>&1
[ $? -eq 0 ] || disagree 'status of what passes'
says 'test all_steps: passed, in the order that the test gives, 2 deliveries'
says '7 passed, 0 failed'
"$REHEARSE" explore "$passing" --test all_steps --require-complete >out 2>&1
[ $? -eq 4 ] || disagree 'one order is not all of them' "$(cat out)"
"$REHEARSE" explore "$passing" --test searched --require-complete >out 2>&1 || disagree 'searched' "$(cat out)"

# fails TEST KIND TEXT: explore finds it, and the schedule that it saves shows it again.
mkdir saved
fails() {
    "$REHEARSE" explore "$failing" --test "$1" --no-times --save saved >out 2>&1
    [ $? -eq 1 ] || disagree "$1: status $?" "$(cat out)"
    says "test $1: FAILED in the order that the test gives"
    says "$3"
    "$REHEARSE" replay "$failing" "saved/$1.schedule" --no-times >out 2>&1
    [ $? -eq 1 ] || disagree "$1: replay ends with $?" "$(cat out)"
    says 'FAILED again in this schedule'
    says "${3#order of "$1":*:}"
    "$REHEARSE" explore "$failing" --test "$1" --json --no-times --save saved >out.json 2>&1
    [ "$(json_kinds out.json)" = "$2" ] || disagree "$1: not $2" "$(cat out.json)"
}
fails not_deliverable order 'order of not_deliverable:1: later to sum#1 cannot be delivered here; deliverable instead: add to sum#1 from outside'
fails no_actor order 'order of no_actor:3: add to sum#2 cannot be delivered here; deliverable instead: add to sum#1 from ben'
fails behind_end order 'order of behind_end:4: later to sum#1 cannot be delivered here: the execution has ended, nothing is deliverable'
fails outcome_of_three order 'order of outcome_of_three:2: the program does not choose 2 of 3 here'
fails no_outcome order 'order of no_outcome:2: later to sum#1 cannot be delivered here; deliverable instead: an rh_choose among 2'
fails nothing_held order 'add to sum#9 cannot be held, since it is never sent'
fails no_number order 'input first:'
fails unexpected final 'final is_expected does not hold'
fails crashes crash 'access through a NULL pointer'
fails outcome_at_end order 'order of outcome_at_end:4: the program does not ask for this outcome: the execution has ended'
"$REHEARSE" explore "$failing" --test endless --max-length 20 >out 2>&1
says 'test endless: nothing found in the order that the test gives, not to its end'

# All of them in one program: a failure ends nothing but its own test.
"$REHEARSE" explore "$failing" --no-times --max-length 20 --save saved >out 2>&1
[ $? -eq 1 ] || disagree 'status of all' "$(cat out)"
says '7 passed, 10 failed, 1 undecided'

# replay needs no file, and refuses a test without an order.
"$REHEARSE" replay "$passing" --test all_steps >out 2>&1 || disagree 'replay of an order' "$(cat out)"
says '2  ann -> sum#1  add {number = 5}'
"$REHEARSE" replay "$passing" --test searched >out 2>&1
[ $? -eq 2 ] || disagree 'replay without an order' "$(cat out)"
says 'test searched gives no order with RH_TEST_ORDER: which schedule?'
"$REHEARSE" replay "$failing" --test no_actor --save saved >out 2>&1
[ $? -eq 1 ] || disagree 'replay of what cannot be followed' "$(cat out)"
says 'order of no_actor:3: add to sum#2 cannot be delivered here'

# An order that can't be read, and a second one, are refused before anything is run.
refused() {
    { printf '#include <rehearse/test.h>\nRH_TEST(one) {}\nRH_TEST(two) {}\n'; printf '%s\n' "$1"; } >refused.c
    "$REHEARSE" explore refused.c >out 2>&1
    [ $? -eq 2 ] || disagree "not refused: $1" "$(cat out)"
    says "$2"
}
refused 'RH_TEST_ORDER(two, "\ndeliver");' 'refused.c:4: order of two:2: the line ends too early; write `deliver TYPE to RECEIVER'
refused 'RH_TEST_ORDER(two, "go first");' 'refused.c:4: order of two:1: `go` is not known here'
for word in 'program x' 'test one' 'finding check x.c:1' lap stop end; do
    refused "RH_TEST_ORDER(two, \"$word\");" "\`${word%% *}\` is for schedule files; the order of a test has no such line"
done
refused 'static const struct rh_test_order more = {&rh__test_of_two, "", "refused.c", 9}, *const again
    __attribute__((section("rh_orders"), used)) = &more;
RH_TEST_ORDER(two, "");' 'test two has two orders, at refused.c:'
verdict_end
