#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Schedules that are damaged, of something else, or that the program can't follow.
. "$SOURCE/tests/cli/expect.bash"

expect 1 "$REHEARSE" explore till.c --test overdraw
cp overdraw.schedule good.schedule
expect 1 "$REHEARSE" replay good.schedule

: >empty.schedule
refuses 2 'empty.schedule' "$REHEARSE" replay empty.schedule
refuses 2 'empty.schedule' "$REHEARSE" replay till.c empty.schedule
refuses 2 'empty.schedule' "$REHEARSE" explore till.c --schedule empty.schedule

# Cut off after each byte: never a crash, and never taken for a whole one.
size=$(wc -c <good.schedule)
for ((length = 1; length < size - 4; length += 7)); do
    head -c $length good.schedule >cut.schedule
    refuses 2 'cut.schedule' "$REHEARSE" replay till.c cut.schedule
done
grep -v '^end$' good.schedule >unended.schedule
refuses 2 'unended.schedule' "$REHEARSE" replay unended.schedule

sed 's/^rehearse schedule 1/rehearse schedule 99/' good.schedule >other.schedule
refuses 2 'other.schedule.*99' "$REHEARSE" replay other.schedule

head -c 100000 "$REHEARSE" >binary.schedule
refuses 2 'binary.schedule' "$REHEARSE" replay binary.schedule
refuses 2 'binary.schedule' "$REHEARSE" replay till.c binary.schedule
refuses 2 'till.c is a program: which schedule\?' "$REHEARSE" replay till.c

head -c 100000000 /dev/zero >zeros.schedule
refuses 2 'zeros.schedule' timeout 60 "$REHEARSE" replay zeros.schedule
rm zeros.schedule
{ head -n 5 good.schedule; yes '# a comment that goes on and on and on and on and on' | head -c 100000000; } >long.schedule
refuses 2 'long.schedule' timeout 60 "$REHEARSE" replay long.schedule
rm long.schedule

# Of another program, of a program that is gone, of a test that is gone.
refuses 2 "own_main.c has no test 'overdraw'" "$REHEARSE" replay own_main.c good.schedule
sed 's/^program .*/program gone.c/' good.schedule >gone.schedule
refuses 2 'gone.schedule is a schedule of gone.c, which is neither here nor beside' \
    "$REHEARSE" replay gone.schedule
sed 's/^program .*/program expect.bash/' good.schedule >source.schedule
cp "$SOURCE/tests/cli/expect.bash" .
refuses 2 'expect.bash is not a program' "$REHEARSE" replay source.schedule
sed 's/^test .*/test removed/' good.schedule >removed.schedule
refuses 2 "till.c has no test 'removed'" "$REHEARSE" replay removed.schedule
refuses 2 'good.schedule is a schedule of test overdraw, not of calm' \
    "$REHEARSE" replay --test calm good.schedule

# Deliveries that can't happen: the line, and what was pending instead.
line=$(grep -n '^deliver' good.schedule | head -n 1 | cut -d: -f1)
grep -v '^finding ' good.schedule >unnamed.schedule
line=$((line - 1))
sed "${line}s/.*/deliver refund to till#1 from customer/" unnamed.schedule >impossible.schedule
refuses 2 "impossible.schedule:$line" "$REHEARSE" replay impossible.schedule
says_error 'deposit'
sed "${line}s/till#1/till#9/;${line}s/@[0-9a-f]*/@0000000000000001/" unnamed.schedule >nobody.schedule
refuses 2 "nobody.schedule:$line" "$REHEARSE" replay nobody.schedule
sed "${line}s/^deliver/deliverr/" unnamed.schedule >word.schedule
refuses 2 "word.schedule:$line" "$REHEARSE" replay word.schedule

# A schedule found by hand: partial, without identities, with comments.
cat >hand.schedule <<'END'
rehearse schedule 1
program till.c   # the till
test overdraw

# the customer comes first
deliver withdraw to till#1
end
END
expect 1 "$REHEARSE" replay hand.schedule
says 'FAILED in this schedule'
# With a finding it is there since it failed before.
sed 's/^deliver /finding check\n&/' hand.schedule >again.schedule
expect 1 "$REHEARSE" replay again.schedule
says 'FAILED again in this schedule'

# A state without a type is shown as bytes, and -g would not help.
cat >sized.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);

static void sized_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    (void)rh_as(message, go);
}

RH_TEST(sized)
{
    char state[3] = {1, 2, 3};
    rh_send(rh_spawn_sized(sized_behaviour, state, sizeof state), go);
}
END
printf 'rehearse schedule 1\nprogram sized.c\ntest sized\nend\n' >sized.schedule
expect 0 "$REHEARSE" replay sized.schedule
says 'spawns   sized#1 01 02 03 '
says 'the state of rh_spawn_sized has no type'
grep -q 'compile the program with -g' "$capture/stdout" && fail 'the program has been compiled with -g'
exit 0
