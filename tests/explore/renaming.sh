#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What --states actors takes for the same state, and what it must not: for each test of renaming.c the findings and the
# states, plain, exact and up to renaming; the last two with --states-full too.
set -uo pipefail
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
cd "$TMPDIR" || exit 1
for program in renaming kept_reply; do
    $CC -g -w -I"$SOURCE/include" "$SOURCE/tests/explore/$program.c" -o $program "$LIBRARY" -ldw -lelf \
        -ljansson -lm || exit 1
done

# same TEST MODE STATES FINDINGS: how many different states there are, and which kinds at which lines.
same() {
    verdict_count=$((verdict_count + 1))
    program=renaming
    [ "$1" != first_reply_counts ] || program=kept_reply
    for full in '' --states-full; do
        [ "$2" != none ] || [ -z "$full" ] || continue
        "$REHEARSE" explore ./$program --test "$1" --reduction none --states "$2" $full --keep-going --json --no-times >out 2>err
        found=$(paste -d: <(json_strings out kind) <(grep -o '"line": [0-9a-z]*' out | cut -d' ' -f2) | sort -u | xargs)
        got="$(json_number out states) ${found:--}"
        [ "$got" = "$3 $4" ] || disagree "$1 $2 $full" "expected $3 $4, got $got" "$(head -n 3 err)"
        grep -q '"complete": true' out || disagree "$1 $2 $full: not complete"
    done
}

line() { # PROGRAM TEXT: the number of the line that has it
    grep -nF "$2" "$SOURCE/tests/explore/$1.c" | cut -d: -f1
}

while read -r test plain exact actors found; do
    program=renaming
    [ "$test" != first_reply_counts ] || program=kept_reply
    kind=-
    [ "$found" = - ] || kind=check:$(line $program "$found")
    [ "$found" != leak ] || kind=leak:null
    [ "$plain" = - ] || same "$test" none "$plain" "$kind"
    [ "$exact" = - ] || same "$test" exact "$exact" "$kind"
    # This one looks at the values of addresses, and is the reason why the documentation excludes such programs.
    [ "$test" != address_order ] || kind=-
    same "$test" actors "$actors" "$kind"
done <<END
workers 7366 82 16 -
blocks 5 5 4 -
address_order 7 6 5 rh_check(shelf->places[0] < shelf->places[1]);
unaligned 7 6 6 rh_check(*place == 0);
dangling 8 7 7 rh_check(*shelf->places[1] == 5);
lost 5 5 5 leak
partners 1642 100 100 rh_check(guest->name == name_is->name);
timers - - 2 -
watched_timers 7 6 6 rh_check(rh_now() < 50);
dice 16 5 5 rh_check(rand() % 3 != 0);
first_reply_counts 214 36 36 rh_check(((const struct value *)rh_as(first, value))->value != 2);
END

# Nothing but bits: never complete, and it says so.
"$REHEARSE" explore ./renaming --test workers --states bitstate --no-times >out || disagree "bitstate: status $?"
grep -q 'nothing found in 1 execution, 82 states, others may have been omitted' out &&
    grep -q '^note:.*states may have been omitted: the chance is about' out || disagree bitstate "$(cat out)"
"$REHEARSE" explore ./renaming --test workers --states bitstate --require-complete >out
[ $? = 4 ] || disagree "bitstate --require-complete"
"$REHEARSE" explore ./renaming --test workers --states bitstate --json --no-times >out
grep -q '"complete": false' out && grep -q '"stopped_by": ""' out && grep -q '"states": 82' out ||
    disagree "bitstate --json" "$(cat out)"
"$REHEARSE" explore ./renaming --test workers --states-full >out 2>err
[ $? = 2 ] && grep -q 'goes with --states exact or actors' err || disagree "--states-full alone" "$(cat err)"
verdict_end
