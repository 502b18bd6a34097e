#!/bin/sh
# SPDX-License-Identifier: MIT
# Faults that are aimed at a type of message, at an actor, or at both.
. "$SOURCE/tests/programs/verdict.shlib"
compile_once "$SOURCE/tests/explore/aimed.c"
program=$verdict_binary

# classes COUNT OPTIONS...: so many classes of executions, one for each way of faults and each order of dependent
# deliveries.
classes() {
    count=$1
    shift
    explore_json run --reduction optimal --census "$@" "$program"
    expect "$*" run 0 "$count" '*' -
}
classes 1
# Nothing is lost, or one of two votes.
classes 3 --drop vote
classes 3 --drop 1:vote@member
classes 4 --drop 2:vote
classes 2 --drop 'vote@member#2'
classes 2 --drop note
# Any message to an actor, but for those of the test's body, unless they are named.
classes 3 --drop @member
classes 2 --drop @clerk
classes 1 --drop @boss
classes 2 --drop begin
classes 2 --drop begin@boss
# The note, and its duplicate before it or after it.
classes 3 --duplicate note
classes 3 --duplicate 1:@clerk
# No crash, one before the note and one after it.
classes 3 --crash clerk
classes 3 --crash '1:member#1'
classes 5 --crash member
classes 9 --drop vote --crash clerk

# sees TEXT OPTIONS...: what the output says.
sees() {
    text=$1
    shift
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" explore --no-times "$@" "$program" >out 2>&1 </dev/null
    grep -q -- "$text" out || disagree "$*: $text" "$(cat out)"
}
sees 'at most 1 drop of vote@member, 2 crashes of clerk' --drop vote@member --crash 2:clerk
sees 'note:    --drop vot: there was no such message, so no fault was tried' --drop vot
sees "note:    --drop @boss: there was no such message but from the test's body, so no fault was tried" --drop @boss
sees 'note:    --crash clark: there was no such actor, so no fault was tried' --crash clark
sees '--drop 1: names nothing' --drop 1:
sees '--drop vote@ names nothing behind the @' --drop vote@
sees '--crash vote@member names a message: what crashes is an actor' --crash vote@member
sees '--drop 65536 is too large' --drop 65536:vote
sees '--drop needs a number' --drop ''
sees 'untried: --delivery any, --drop 1, --duplicate 1; --thorough' --drop vote --crash 1
"$REHEARSE" explore --no-times --drop note@clerk "$program" >out 2>&1
! grep -q 'no such' out || disagree 'a note about an aim that was met' "$(cat out)"

# Samples have the same ways, and so has a replay.
verdict_count=$((verdict_count + 1))
"$REHEARSE" sample --runs 200 --crash clerk --json --no-times "$program" >sample.json 2>&1 </dev/null
grep -q '"crash": 1' sample.json || disagree 'sample' "$(cat sample.json)"
verdict_end
