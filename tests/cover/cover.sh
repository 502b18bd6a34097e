#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The verbs cover and coverage as users meet them.
. "$SOURCE/tests/cli/expect.bash"

number() { sed -n "s/^ *\"$1\": \([a-z0-9.]*\),*$/\1/p" "$capture/stdout" | head -n 1; }
mini=$SOURCE/subjects/mini

# A finding is saved, and the schedule replays it.
expect 1 "$REHEARSE" cover "$mini/lost_record.c" --test broken --no-times
says 'FAILED after [0-9]+ executions'
says '^goals:   pr '
expect 1 "$REHEARSE" replay "$mini/lost_record.c" broken.schedule
says 'FAILED again'

# Three messages of three senders: six orders of pairs, all of them reached. The first run has three; a schedule in which
# the order is turned round has the others. With nothing between there are six as well, two in each run.
cat >three.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_SIGNAL(hello);
static void host_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_as(message, hello);
}
RH_TEST(guests)
{
    rh_actor *host = rh_spawn(host_behaviour);
    rh_send_from(rh_outside("ann"), host, hello);
    rh_send_from(rh_outside("ben"), host, hello);
    rh_send_from(rh_outside("eva"), host, hello);
}
END
expect 0 "$REHEARSE" cover three.c --criteria pr --json --no-times
[ "$(number covered)" = 6 ] && [ "$(number known)" = 6 ] && [ "$(number infeasible)" = 0 ] &&
    [ "$(number useless)" = 0 ] && [ "$(number complete)" = false ] || fail 'not all pr goals'
expect 0 "$REHEARSE" cover three.c --criteria pcr --json
[ "$(number covered)" = 6 ] && [ "$(number known)" = 6 ] || fail 'not all pcr goals'
[ "$(number executions)" -ge 3 ] || fail 'six neighbours in fewer than three runs of two'
expect 0 "$REHEARSE" cover three.c --max-executions 1 --json
[ "$(number covered)" = 3 ] && [ "$(number stopped_by)" = '' ] || fail 'the first run'

# On a terminal a line shows how it goes: six of six.
script -qec "'$REHEARSE' cover three.c --criteria pr --seed 1 --no-sweeps --no-schedules --max-executions 0 --max-deliveries 0 --max-seconds 2" \
    typescript >/dev/null </dev/null
grep -qE 'guests: [0-9]+ executions(, [0-9]+/s)?, 0 found, 6 of 6 goals covered' typescript || fail 'nothing shows how it goes'

# Outcomes of choices are goals too.
sed 's/    rh_as(message, hello);/    rh_check(!rh_as(message, hello) || rh_choose(2) == 0);/' three.c >choices.c
expect 1 "$REHEARSE" cover choices.c
says 'check failed'
expect 1 "$REHEARSE" cover choices.c --keep-going --json
[ "$(sed -n '/"outcomes": {/,/}/s/.*"covered": \([0-9]*\),/\1/p' "$capture/stdout")" = 6 ] || fail 'not all outcomes'
expect 0 "$REHEARSE" cover three.c
says '^goals: .* [0-9]+ sweeps, '
! grep -q 'outcomes' "$capture/stdout" || fail 'outcomes where there are no choices'

# So are faults: each message that can get lost, and each actor that can crash, behind each message that it has got.
expect 0 "$REHEARSE" cover three.c --drop 1:hello --crash host --json
[ "$(sed -n '/"faults": {/,/}/s/.*"covered": \([0-9]*\),/\1/p' "$capture/stdout")" = 7 ] || fail 'not all faults'
expect 1 "$REHEARSE" cover "$SOURCE/subjects/services/view_server.c" --test broken --time strict --crash server
says 'crash  '

# Where nothing is new it goes on with other seeds, until nothing happens but what has happened.
expect 0 "$REHEARSE" cover three.c --json
[ "$(number executions)" -gt 500 ] || fail 'it does not go on'

# The same options, the same bytes; with a seed too.
for seed in '' '--seed 3'; do
    # shellcheck disable=SC2086
    expect 0 "$REHEARSE" cover "$mini/lost_record.c" --test fixed_with_two_users $seed --json \
        --no-times --save-coverage first.coverage
    cp "$capture/stdout" first.json
    # shellcheck disable=SC2086
    expect 0 "$REHEARSE" cover "$mini/lost_record.c" --test fixed_with_two_users $seed --json \
        --no-times --save-coverage second.coverage --undo off
    cmp -s first.json "$capture/stdout" && cmp -s first.coverage second.coverage || fail 'it differs'
done

# Iterating covers more than the single pass here, and says both.
expect 1 "$REHEARSE" cover "$mini/lost_record.c" --test broken_with_two_users --keep-going --json
[ "$(number single_pass)" -lt "$(number covered)" ] || fail 'nothing after the single pass'

# Files: what is missing, merging, and a schedule for each missing order, which may be followed.
expect 0 "$REHEARSE" cover three.c --max-executions 1 --save-coverage one.coverage
expect 0 "$REHEARSE" coverage one.coverage --save .
says '3 pairs in one order only'
says 'never hello from eva before hello from ann'
says '50.0% of the pr goals'
for file in guests-missing-*.schedule; do
    expect 0 "$REHEARSE" cover three.c --schedule "$file" --max-executions 1 \
        --save-coverage "$file.coverage"
    expect 0 "$REHEARSE" replay "$file"
done
expect 0 "$REHEARSE" coverage one.coverage guests-missing-*.coverage --fail-under 100
says '3 pairs in both orders'
says '4 executions'
says '100.0% of the pr goals are covered, at least the 100%'
expect 1 "$REHEARSE" coverage one.coverage --fail-under 51
says 'less than the 51%'
expect 0 "$REHEARSE" coverage one.coverage --fail-under 50 --json
[ "$(number percent)" = 50.0 ] && [ "$(number pairs_in_one_order)" = 3 ] || fail 'the JSON'
expect 0 "$REHEARSE" coverage one.coverage --pairs 1
says 'and 2 more'
# What was merged is the same in either order, and files in one file are as good as two.
{ cat one.coverage; sed 1d guests-missing-1.schedule.coverage; } >both.coverage
expect 0 "$REHEARSE" coverage both.coverage
cp "$capture/stdout" both.text
expect 0 "$REHEARSE" coverage one.coverage guests-missing-1.schedule.coverage
cmp -s both.text "$capture/stdout" || fail 'one file and two differ'

# It is the same program in another directory, and when it was compiled before.
mkdir -p elsewhere
cp three.c elsewhere/three.c
expect 0 "$REHEARSE" cover "$PWD/elsewhere/three.c" --seed 3 --max-executions 1 --save-coverage elsewhere.coverage
expect 0 "$REHEARSE" coverage one.coverage elsewhere.coverage
says '^three.c: test guests: 2 executions'
sed 's/^program .*/program .\/three/' one.coverage >executable.coverage
expect 0 "$REHEARSE" coverage one.coverage executable.coverage
says '^three.c: test guests: 2 executions'
sed 's/^program .*/program four.c/' one.coverage >four.coverage
expect 0 "$REHEARSE" coverage one.coverage four.coverage
says '^three.c: test guests: 1 execution,'
says '^four.c: test guests: 1 execution,'

# A partial schedule: the others come when they may, those that it names in its order.
sed '/^deliver hello to host#1 from ben/d' guests-missing-2.schedule >partial.schedule
expect 0 "$REHEARSE" cover three.c --schedule partial.schedule --max-executions 1 \
    --save-coverage partial.coverage
expect 0 "$REHEARSE" coverage partial.coverage
says 'never hello from ann before hello from eva'
# One that can't be followed is refused, with its line.
sed 's/from ann @.*/from nobody/' guests-missing-2.schedule >wrong.schedule
refuses 2 'wrong.schedule:[0-9]+: hello to host#1 cannot be delivered' \
    "$REHEARSE" cover three.c --schedule wrong.schedule

# Holds: ann comes after eva, and the rest in sending order. So ben, eva, ann: of the six orders ben before eva, ben
# before ann and eva before ann, as in a replay.
head='rehearse schedule 1\nprogram three.c\ntest guests\norder fifo\ntime causal\n'
hold='hold hello to host#1 from ann until hello to host#1 from eva\n'
printf "$head${hold}end\n" >held.schedule
expect 0 "$REHEARSE" replay held.schedule --no-times
says '1  ben '
says '2  eva '
says '3  ann '
expect 0 "$REHEARSE" cover three.c --schedule held.schedule --max-executions 1 --save-coverage held.coverage
expect 0 "$REHEARSE" coverage held.coverage
says 'never hello from ann before hello from ben'
says 'never hello from eva before hello from ben'
says 'never hello from ann before hello from eva'
sed 's/from ann until/from nobody until/' held.schedule >vain.schedule
refuses 2 'vain.schedule:6: hello to host#1 from nobody cannot be held, since it is never sent' \
    "$REHEARSE" cover three.c --schedule vain.schedule
# Whatever the seed, ann comes after eva; ben comes anywhere, in some run first and in some not.
for seed in 1 2 3 4 5 6 7 8 9; do
    expect 0 "$REHEARSE" cover three.c --schedule held.schedule --max-executions 1 --seed $seed --save-coverage held-$seed.coverage
    expect 0 "$REHEARSE" coverage held-$seed.coverage
    says 'never hello from ann before hello from eva'
done
expect 0 "$REHEARSE" coverage held-?.coverage
says 'never hello from ann before hello from eva'
says '2 pairs in both orders'
# A step is made whatever is held.
printf "$head${hold}deliver hello to host#1 from ann\nend\n" >step.schedule
expect 0 "$REHEARSE" cover three.c --schedule step.schedule --max-executions 1 --save-coverage step.coverage
expect 0 "$REHEARSE" coverage step.coverage
says 'never hello from eva before hello from ann'
# One that waits for what never comes is refused with its line, as by replay.
printf "${head}hold hello to host#1 until hello to host#1 from dan\nend\n" >never.schedule
for verb in replay 'cover three.c --schedule'; do
    # shellcheck disable=SC2086
    refuses 2 'never.schedule:6: hello to host#1 is held until hello to host#1 from dan, which does not come' \
        "$REHEARSE" $verb never.schedule
done
# What shrink leaves of a finding at the end shows it to cover in its first run.
mkdir held
expect 1 "$REHEARSE" explore --reduction none --states none "$mini/memory_inconsistency.c" --test broken --save held --no-times
grep -q '^hold' held/broken.schedule || fail 'no hold is left'
expect 1 "$REHEARSE" cover "$mini/memory_inconsistency.c" --schedule held/broken.schedule --max-executions 1 --no-shrink
says 'FAILED after 1 execution'

# Where nothing is delivered there are no goals, and the file is as good as any.
cat >none.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_SIGNAL(go);
static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_as(message, go);
}
static bool door_guard(const void *state, const rh_message *message)
{
    (void)state, (void)message;
    return false;
}
RH_GUARD(door_behaviour, door_guard);
RH_TEST(nothing)
{
    rh_spawn(door_behaviour);
}
RH_TEST(refused)
{
    rh_send(rh_spawn(door_behaviour), go);
}
END
expect 0 "$REHEARSE" cover none.c --test nothing --save-coverage idle.coverage
expect 1 "$REHEARSE" cover none.c --save-coverage none.coverage
expect 0 "$REHEARSE" coverage idle.coverage --fail-under 100
says '^none.c: test nothing: 1 execution, goals: pr 0 of 0, pbr 0 of 0, pcr 0 of 0'
expect 0 "$REHEARSE" coverage none.coverage idle.coverage --json
[ "$(number percent)" = 100.0 ] && [ "$(number known)" = 0 ] || fail 'the JSON of no goals'
expect 0 "$REHEARSE" coverage none.coverage idle.coverage
says '^none.c: test nothing: 2 executions'
says '^none.c: test refused: 1 execution'

# Impossible pairs have a reason.
expect 0 "$REHEARSE" cover "$mini/lost_record.c" --test fixed --save-coverage fixed.coverage
expect 0 "$REHEARSE" coverage fixed.coverage
says 'messages from user#1 to writer#1 keep their order'
says 'terminator#1 sends flush when it gets end_user'

# Usage.
refuses 2 'which file' "$REHEARSE" coverage
refuses 2 'nothing.coverage.* No such file' "$REHEARSE" coverage nothing.coverage
refuses 2 '--criteria takes pr, pbr and pcr' "$REHEARSE" cover three.c --criteria all
refuses 2 'names pr twice' "$REHEARSE" cover three.c --criteria pr,pcr,pr
refuses 2 'a percentage from 0 to 100' "$REHEARSE" coverage one.coverage --fail-under 101
# A file that can't be written is a failure, and nothing is lost of what is printed.
expect 3 "$REHEARSE" cover three.c --save-coverage nowhere/file.coverage
says '^goals:'

# Bad files, each with its line.
bad() { # line, pattern, text
    printf '%b' "$3" >bad.coverage
    refuses 2 "^rehearse: bad.coverage:$1: .*$2" "$REHEARSE" coverage bad.coverage
}
head='rehearse coverage 1\nprogram a.c\ntest t\n'
actor='actor a#1 @0000000000000001\n'
events="${actor}event m from b#1 @0000000000000002 at a.c:3\nevent m from c#1 @0000000000000003\n"
bad 1 'empty' ''
bad 1 'no coverage file' 'hello\n'
bad 1 'version 3' 'rehearse coverage 3\n'
bad 3 'is missing' "$head"
bad 2 'begins with .program' 'rehearse coverage 1\nactor a#1 @0000000000000001\n'
bad 4 'not an identity' "${head}actor a#1 @12\n"
bad 4 'after its .actor' "${head}event m from b#1 @0000000000000002\n"
bad 5 'ends too early' "${head}${actor}event m from\n"
bad 7 'no event 2 above' "${head}${events}pr 0: 2\n"
bad 7 'no pair' "${head}${events}pr 0: 0\n"
bad 7 'no number or range' "${head}${events}pr 0: 1-0\n"
bad 7 'no event and a colon' "${head}${events}pr 5: 1\n"
bad 7 'after .run' "${head}${events}receive 0\n"
bad 8 'no event 9 above' "${head}${events}run\nreceive 9\n"
bad 8 'no receive 0 before' "${head}${events}run\nreceive 0 sent 0\n"
bad 9 'twice' "${head}${events}run\nreceive 0\nreceive 0\n"
bad 4 'no line of a coverage file' "${head}surprise\n"
bad 3 'twice' 'rehearse coverage 1\nprogram a.c\nprogram b.c\n'
bad 1 'NUL byte' 'rehearse\0coverage\n'
printf "${head}${events}end\n" >good.coverage
expect 0 "$REHEARSE" coverage good.coverage
