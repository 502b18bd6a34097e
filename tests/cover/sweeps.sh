#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sweeps: the orders that they are to have, worked out by hand from sweep.h, and what they find.
. "$SOURCE/tests/cli/expect.bash"

number() { sed -n "s/^ *\"$1\": \([a-z0-9.]*\),*$/\1/p" "$capture/stdout" | head -n 1; }
source=$SOURCE/tests/cover/sweeps.c

# The first run is in sending order. Then: reversed, a schedule for two of the three b, which are alike; neighbours;
# holding, where no order is new, so the first kind is held back that was not last yet; and rarest, which is one a, two c
# and three b. With neighbours, all wait for the host: the first c was sent last of those that can be delivered, and
# comes first; the others have been overtaken and come in sending order.
expect 0 "$REHEARSE" cover "$source" --test guests --max-executions 6 --output
# The first execution is run again at the end, to see whether it depends on what nobody has set.
grep -xE '[abc]{6}' "$capture/stdout" "$capture/stderr" -h >orders
printf '%s\n' abbbcc ccbbba abbbcc cabbbc ccabbb bbbcca abbbcc >expected
diff expected orders || fail 'the orders of sweeps'
expect 0 "$REHEARSE" cover "$source" --test guests --max-executions 6 --json
[ "$(number sweeps)" = 4 ] && [ "$(number schedules)" = 1 ] || fail 'how many sweeps'
expect 0 "$REHEARSE" cover "$source" --test guests --max-executions 6
says '; 4 sweeps, 1 schedule$'

# None where nothing can come in another order; and none if they are not wanted.
expect 0 "$REHEARSE" cover "$source" --test alone --json
[ "$(number executions)" = 1 ] && [ "$(number sweeps)" = 0 ] || fail 'a sweep of nothing'
expect 0 "$REHEARSE" cover "$source" --test guests --no-sweeps --json
[ "$(number sweeps)" = 0 ] && [ "$(number schedules)" -gt 0 ] || fail 'a sweep with --no-sweeps'

# Without schedules there are only sweeps; without both, runs that only --seed decides, up to the budget.
expect 0 "$REHEARSE" cover "$source" --test guests --no-schedules --json
[ "$(number sweeps)" -gt 3 ] && [ "$(number schedules)" = 0 ] || fail 'a schedule with --no-schedules'
expect 0 "$REHEARSE" cover "$source" --test guests --no-schedules --no-sweeps --seed 1 --max-executions 40 --json --output
[ "$(number sweeps)" = 0 ] && [ "$(number schedules)" = 0 ] && [ "$(number executions)" = 40 ] || fail 'random runs'
[ "$(grep -xE '[abc]{6}' "$capture/stdout" "$capture/stderr" -h | sort -u | wc -l)" -gt 10 ] || fail 'random runs are alike'
expect 0 "$REHEARSE" cover "$source" --test guests --no-schedules --no-sweeps --json
[ "$(number executions)" = 1 ] || fail 'the same run again'

# The desk has got the note when it sends `closed`, so that `bye` seems to follow from it. A schedule brings `close_desk`
# before the note, and only the next one, from the run of that, brings `bye` before it. A sweep does at once.
expect 1 "$REHEARSE" cover "$source" --test late_note --no-sweeps --json
[ "$(number executions)" = 3 ] || fail "found after $(number executions) executions, not 3"
expect 1 "$REHEARSE" cover "$source" --test late_note --json
[ "$(number executions)" = 2 ] || fail "found after $(number executions) executions, not 2"

# `begin` of the second of two customers comes before the older `wait`, which follows at once, before `done`: where all
# that competes is turned round, `done` comes before it too.
expect 1 "$REHEARSE" cover "$SOURCE/subjects/bita/barber.c" --test buggy --no-shrink --json
[ "$(number executions)" -le 4 ] || fail "the barber: found after $(number executions) executions"

# A small test, of which all goals are covered before the bug shows: sweeps go on for as many runs again.
for seed in 1 2 3 4 5; do
    expect 1 "$REHEARSE" cover "$SOURCE/subjects/bita/process_registry.c" --test buggy --seed $seed --no-shrink
done

# A first run that an error ends before anything has competed is not all there is: the other error is found too.
expect 1 "$REHEARSE" cover "$source" --test too_early --keep-going
says 'check failed: door->is_open '
says 'check failed: !door->is_open '
expect 1 "$REHEARSE" cover "$source" --test too_early
says 'FAILED after 1 execution'

# With a seed orders differ, and the same seed gives the same bytes, also if every run starts from the beginning.
expect 0 "$REHEARSE" cover "$source" --test guests --seed 5 --no-times --json --save-coverage first.coverage
cp "$capture/stdout" first.json
expect 0 "$REHEARSE" cover "$source" --test guests --seed 5 --no-times --json --save-coverage second.coverage --undo off
cmp -s first.json "$capture/stdout" && cmp -s first.coverage second.coverage || fail 'it differs'
