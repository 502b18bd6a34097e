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

refuses 2 "there is no test 'nobody'; there are: two_groups, judged" "$REHEARSE" generate limit.c --test nobody
refuses 2 'leave out --behaviour' "$REHEARSE" generate limit.c --test judged --behaviour gate
refuses 2 'write needs' "$REHEARSE" generate limit.c --test judged --write tests.c
