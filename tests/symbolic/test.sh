#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# generate --test: what a test's inputs could be, in every order. By hand: 3 and 7 come in two orders, and the limit is 3, 7
# or another. First 3: limit 3 or another gives 3, then 7 gives 10; limit 7 gives 3, then 7 alone: broken. First 7: it is
# broken at once, whatever the limit is, and limit 7 is told apart from the others: 3 and 10, and 7 as two breaks and one.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/limit.c" .

expect 1 "$REHEARSE" generate limit.c --test two_groups --save saved
says '^limit.c: test two_groups with any input: 5 tests, 3 BROKEN$'
says '^run: *5 of 5 tests, as predicted'
says 'input   limit = 7'
grep -q '^test two_groups$' saved/two_groups_1*.schedule || fail 'the test is not named'
for file in saved/*_breaks.schedule; do
    expect 1 "$REHEARSE" replay "$file"
    says 'check failed: gate->inside != 7'
done
expect 1 "$REHEARSE" replay saved --outcomes outcomes.txt
[ "$(grep -c ' passed$' outcomes.txt)" = 2 ] || fail 'outcomes'
expect 1 "$REHEARSE" generate limit.c --test two_groups --json
says '"of_test": "two_groups"'

# With unknown messages, for each of two orders: the first is the limit or not, and is 7, which breaks, or not. If it was the
# limit and not 7, the second is the limit, or not and the sum is 7 or not; if it was not, the second is the limit and is 7 or
# not, or is not and the sum is 7 or not. 4 + 5 classes, of which 2 + 3 break.
expect 1 "$REHEARSE" generate limit.c --test two_groups --any-messages --save any
says '^limit.c: test two_groups with any input and any messages: 18 tests, 10 BROKEN$'
says '^      sends   enter \{persons = -?[0-9]+\} to gate#1 from ben$'
says '^run: *18 of 18 tests, as predicted'
grep -q '^instead enter {persons = ' any/two_groups_1.schedule || fail 'no message in the schedule'
expect 1 "$REHEARSE" replay any --outcomes outcomes.txt
[ "$(grep -c ' passed$' outcomes.txt)" = 8 ] || fail 'outcomes with any messages'
expect 1 "$REHEARSE" generate limit.c --test two_groups --any-messages --json
says '"from": "ann"'
refuses 2 'any-messages is about what a test sends' "$REHEARSE" generate limit.c --any-messages --behaviour gate --message enter

# By hand: the identity may be left out, and a message that does not come is refused.
cat >by_hand.schedule <<'END'
rehearse schedule 1
program limit.c
test two_groups
input limit = 100
instead enter {persons = 4} to gate#1 from ben
end
END
expect 1 "$REHEARSE" replay by_hand.schedule
says 'ben +-> gate#1 +enter \{persons = 4\}'
sed -i 's/from ben/from eva/' by_hand.schedule
refuses 2 "by_hand.schedule:5: instead enter: the test's body sends no such message" "$REHEARSE" replay by_hand.schedule

# Judges are followed: 0 is the limit, 7 breaks the handler's check, and 100 and more the judge's; what is below is left.
expect 1 "$REHEARSE" generate limit.c --test judged
says '^limit.c: test judged with any input: 4 tests, 2 BROKEN$'
says 'the check gate->inside < 100 fails'
says '^run: *4 of 4 tests, as predicted'

# judged.c says what comes of each.
cp "$SOURCE/tests/symbolic/judged.c" .
for row in two_lamps:2 transfer:2 nobody:1 meddling:1; do
    expect 1 "$REHEARSE" generate judged.c --test "${row%:*}"
    says "^judged.c: test ${row%:*} with any input: ${row#*:} tests, 1 BROKEN\$"
    says "^run: *${row#*:} of ${row#*:} tests, as predicted"
done
expect 0 "$REHEARSE" generate judged.c --test made
says '^      ends    maker#1/lamp#1 \{on = 1\}$'
says '^run: *1 of 1 tests, as predicted'
expect 1 "$REHEARSE" generate judged.c --test transfer --save paid
for file in paid/*_breaks.schedule; do
    expect 1 "$REHEARSE" replay "$file"
    says 'invariant nothing_is_lost does not hold'
done

# A body may set the program's variables.
cp "$SOURCE/tests/symbolic/configured.c" .
expect 0 "$REHEARSE" generate configured.c --test configured
says '^configured.c: test configured with any input: 2 tests$'
says 'order   add to counter#1, full to log#1$'
says '^run: *2 of 2 tests, as predicted'

refuses 2 "there is no test 'nobody'; there are: two_groups, judged" "$REHEARSE" generate limit.c --test nobody
refuses 2 'leave out --behaviour' "$REHEARSE" generate limit.c --test judged --behaviour gate
refuses 2 'write needs' "$REHEARSE" generate limit.c --test judged --write tests.c
