#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Messages from outside in a schedule file: sent after the test's body, by every verb that gets the file.
. "$SOURCE/tests/cli/expect.bash"

# Writes NAME.schedule of a test, with the lines on standard input.
schedule() {
    { printf 'rehearse schedule 1\nprogram echo.c\ntest %s\n' "${2:-quiet}"; cat; echo end; } >"$1.schedule"
}

schedule calls <<'END'
send call {number = 7, tone = HIGH, words = "a # } b"} to echo#1   # from outside
send call {number = 8} to echo#1 from ann
send call to echo#1 from eve
send quit to echo#1 from eve
END
expect 0 "$REHEARSE" replay calls.schedule --no-times
says '^echo.c: test quiet: no error in this schedule, 4 deliveries, 1 warning$'
says '^      1  outside -> echo#1  call \{number = 7, tone = HIGH, words = "a # \} b", friend = NULL\} +calls.schedule:4$'
says '^      2  ann     -> echo#1  call \{number = 8, tone = LOW, words = "", friend = NULL\} +calls.schedule:5$'
says '^      3  eve     -> echo#1  call \{number = 0, '
says '^ \*    4  eve     -> echo#1  quit +calls.schedule:7$'
says '^warning: leftover: answer from echo#1 to outside: nobody takes it there  \(answer sent at echo.c:31\)$'
says '^next:    the outside takes no messages'

# eve's quit comes after her call and ends the execution; before it come none, one or both of the others.
expect 0 "$REHEARSE" explore echo.c --schedule calls.schedule --no-times
says '^echo.c: test quiet: passed, all 11 executions'
cp "$capture/stdout" on.txt
for undo in off verify; do
    expect 0 "$REHEARSE" explore echo.c --schedule calls.schedule --no-times --undo $undo
    cmp "$capture/stdout" on.txt || fail "--undo $undo differs"
done
expect 0 "$REHEARSE" sample echo.c --schedule calls.schedule --runs 5
says 'in 5 executions'

# A finding takes the messages along, and replays by itself.
schedule wrong <<'END'
send call {number = 3} to echo#1
send call {number = -1, words = "minus"} to echo#1 from eve
END
expect 1 "$REHEARSE" explore echo.c --schedule wrong.schedule --no-times
says '^ \*    1  eve -> echo#1  call \{number = -1, tone = LOW, words = "minus", friend = NULL\} +wrong.schedule:5$'
rm wrong.schedule
sed -n '/^send/p' quiet.schedule >sent
printf '%s\n' 'send call {number = 3} to echo#1' \
    'send call {number = -1, words = "minus"} to echo#1 from eve' | cmp - sent ||
    fail 'the saved schedule has other messages'
expect 1 "$REHEARSE" replay quiet.schedule
says 'FAILED again'
says '^ \*    1  eve -> echo#1  call \{number = -1, '
cp quiet.schedule again.schedule
expect 1 "$REHEARSE" explore echo.c --schedule again.schedule
sed 's/again.schedule:[0-9]*/INPUT/' quiet.schedule >one
sed 's/wrong.schedule:[0-9]*/INPUT/' again.schedule >two
cmp one two || fail 'another schedule from its own inputs'

# An actor or an outside sender as the value of a field, also in quotes; the finding's own schedule has it too.
schedule friends guarded <<'END'
send call {number = 1, friend = echo#2} to echo#1
send call {number = -1, friend = "echo#1"} to echo#1 from eve
send call {friend = eve} to echo#1
END
expect 1 "$REHEARSE" explore echo.c --schedule friends.schedule --reduction none --keep-going --no-times
says '^ \*    1  eve -> echo#1  call \{number = -1, tone = LOW, words = "", friend = echo#1\} +friends.schedule:5$'
cp "$capture/stdout" on.txt
for undo in off verify; do
    expect 1 "$REHEARSE" explore echo.c --schedule friends.schedule --reduction none --keep-going --no-times --undo $undo
    cmp "$capture/stdout" on.txt || fail "--undo $undo differs with actors as values"
done
sed -i '/-1/d' friends.schedule
refuses 2 'friends.schedule:5: send call: there is no actor eve' \
    "$REHEARSE" explore echo.c --schedule friends.schedule
sed -i '/eve/d' friends.schedule
expect 0 "$REHEARSE" replay friends.schedule --no-times
says '^      1  outside -> echo#1  call \{number = 1, tone = LOW, words = "", friend = echo#2\} +friends.schedule:4$'
says ' sends    quit to echo#2 '
says ' echo#1 +-> echo#2  quit '

# What does not fit the program: the file, the line, and why.
refuse_line() {
    printf '%s\n' "$2" | schedule bad "${3:-quiet}"
    refuses 2 "bad.schedule:4: $1" "$REHEARSE" explore echo.c --schedule bad.schedule
    refuses 2 "bad.schedule:4: $1" "$REHEARSE" replay bad.schedule
}
refuse_line 'send shout: the program has no RH_MESSAGE' 'send shout to echo#1'
refuse_line 'send call: the test creates no actor echo#2; .* echo#1' 'send call to echo#2'
refuse_line 'send call: the test creates no actor ann' 'send call to ann'
refuse_line 'send call: echo#1 is an actor' 'send call to echo#1 from echo#1'
refuse_line 'send call: no field numbr in struct call \(it has number' 'send call {numbr = 1} to echo#1'
refuse_line 'send call: .*does not fit int' 'send call {number = 5000000000} to echo#1'
refuse_line 'send call: LOUD is no value' 'send call {tone = LOUD} to echo#1'
refuse_line 'send call: there is no actor echo#7, at column 11 of' 'send call {friend = echo#7} to echo#1'
refuse_line 'send call: there is no actor outside' 'send call {friend = outside} to echo#1'
refuse_line 'send call: expected an actor' 'send call {friend = } to echo#1'
refuse_line 'send quit: it is a signal' 'send quit {x = 1} to echo#1'
refuse_line 'send quit: echo#2 is not declared with rh_receptionist' 'send quit to echo#2' guarded
refuse_line 'a brace is opened' 'send call {number = 1 to echo#1'

# Without debug information fields are not known, but a message without any can be sent.
${CC:-cc} ${CFLAGS:-} -g0 -I"$SOURCE/include" echo.c -o echo "${LIBRARY:-$BUILD/librehearse.a}" -ldw -lelf -ljansson -lm ${LDLIBS:-}
refuses 2 'calls.schedule:4: send call: nothing is known about its fields: compile the program with -g' \
    "$REHEARSE" replay ./echo calls.schedule
schedule plain <<<'send quit to echo#1'
expect 0 ./echo replay plain.schedule
