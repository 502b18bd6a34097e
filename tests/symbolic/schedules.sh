#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Generated tests as schedules: actors that name each other, bit fields, actors that stop. They replay as predicted, one by
# one and as a directory, and fail when the program's result changes.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
sed 's/ + RAISED//' "$SOURCE/tests/symbolic/till.c" >till.c

expect 1 "$REHEARSE" generate till.c --behaviour till --message pay --save saved
says '^run: *([0-9]+) of \1 tests, as predicted'
says '^next: *rehearse replay saved$'
total=$(sed -n 's/^run: *\([0-9]*\) of .*/\1/p' "$capture/stdout")
broken=$(sed -n 's/.*tests, \([0-9]*\) BROKEN$/\1/p' "$capture/stdout")
count=$(find saved -name '*.schedule' | wc -l)
[ "$count" = "$total" ] || fail "$count schedules of $total tests"

# One of the display's states has the till's address, and the till has the display's.
cyclic=$(grep -l '^ends display#1 "@till#1"' saved/*.schedule | head -n 1)
[ -n "$cyclic" ] || fail 'no display that knows its till'
grep -q '^generated till_pay_' "$cyclic" || fail "$cyclic names a test"
expect 0 "$REHEARSE" replay "$cyclic"
says 'nothing found'

# As a directory, all in one process; a test by its name.
expect 1 "$REHEARSE" replay saved --no-times
says "^$((total - broken)) passed, $broken failed$"
expect 1 "$REHEARSE" replay till.c saved --no-times --json
says '"test": "till_pay_1'
name=$(basename "$cyclic" .schedule)
[ "$(find . -name '*.schedule' | grep -vc saved/)" = 0 ] || fail 'schedules outside of their directory'
expect 0 "$REHEARSE" replay saved --test "$name"
expect 1 "$REHEARSE" replay saved --outcomes outcomes.txt
silent
[ "$(grep -c ' passed$' outcomes.txt)" = $((total - broken)) ] || fail 'outcomes'

# A process for each says the same as one for all.
expect 1 "$REHEARSE" replay saved --undo off --outcomes alone.txt
cmp -s outcomes.txt alone.txt || fail 'outcomes of one process and of many differ'

# The same for machines, which says no less.
expect 1 "$REHEARSE" generate till.c --behaviour till --message pay --json
[ "$(grep -c '"run": "confirmed"' "$capture/stdout")" = "$total" ] || fail 'confirmed in JSON'
expect 1 "$REHEARSE" generate till.c --json
says '"behaviour": "display"'

# Another result: what showed the price left is refuted by the schedules that were saved before.
sed 's/ + RAISED/ + (till->price > till->taken)/' "$SOURCE/tests/symbolic/till.c" >till.c
expect 1 "$REHEARSE" replay "$cyclic"
says 'at the end display#1 has another state than the schedule says'
grep -q '^ends display#1 stopped' saved/*.schedule || fail 'no display that stops'

# A program that can't make the steps any more fails its tests; it does not end the run.
sed 's/rh_send(till->display, show.*/(void)left, (void)self;/' "$SOURCE/tests/symbolic/till.c" | sed 's/ + RAISED//' >till.c
expect 1 "$REHEARSE" replay saved --outcomes outcomes.txt
grep -q "^$name order " outcomes.txt || fail 'a step that can not be made'

# Bad input.
refuses 2 'saved is a directory: only replay takes one' "$REHEARSE" shrink till.c saved
mkdir empty
refuses 2 'empty has no files NAME.schedule' "$REHEARSE" replay till.c empty
refuses 2 "saved has no schedule of a test 'nobody'" "$REHEARSE" replay till.c saved --test nobody
sed '2a test one_payment' "$cyclic" >both.schedule
refuses 2 'both.schedule:4: .*remove one' "$REHEARSE" replay till.c both.schedule
sed 's/^ends display#1 .*/ends display#1 0g/' "$cyclic" >bytes.schedule
refuses 2 'neither bytes in hexadecimal' "$REHEARSE" replay till.c bytes.schedule
