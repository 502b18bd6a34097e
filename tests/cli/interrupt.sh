#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ctrl-C and the end of a pipe stop at once; what was found until then is summarised.
. "$SOURCE/tests/cli/expect.bash"
set -m

# The signal comes when the compiler is done and the program runs, long before the search is done.
interrupt() {
    local signal=$1 target=$2
    shift 2
    "$@" >"$capture/stdout" 2>"$capture/stderr" </dev/null &
    local group=$!
    for _ in {1..600}; do
        pgrep -f "^$TMPDIR/rehearse-[^/]*/slow" >/dev/null && break
        sleep 0.1
    done
    sleep 0.5
    if [ "$target" = group ]; then kill -"$signal" -- -$group; else kill -"$signal" $group; fi
    wait $group
}

for target in group command; do
    for signal in INT TERM; do
        interrupt $signal $target "$REHEARSE" explore slow.c --test slow --max-executions 0 --json
        status=$?
        [ $status -eq 4 ] || fail "exit status $status after $signal to the $target"
        says '"stopped_by": "interrupt"'
        says '"complete": false'
        [ -z "$(pgrep -f "$TMPDIR/rehearse-")" ] || fail 'left a process behind'
        [ -z "$(find "$TMPDIR" -maxdepth 1 -name 'rehearse-*')" ] || fail 'left a directory behind'
    done
done

# Ctrl-Z stops all of it, and what goes on goes on whole. all_are STATES: waits until all processes of the search are in
# one of these states. Meanwhile the shell has no job control: with it, it ends a loop when one of its jobs stops.
all_are() {
    for _ in {1..600}; do
        ps -o stat= -p "$(pgrep -d, -f "^$TMPDIR/rehearse-[^/]*/slow")" >states 2>/dev/null
        [ "$(wc -l <states)" -eq 2 ] && ! grep -qv "^[$1]" states && return
        sleep 0.1
    done
    fail "the search has processes in other states than $1: $(tr '\n' ' ' <states)"
}
"$REHEARSE" explore slow.c --test slow --max-executions 0 --json >"$capture/stdout" 2>"$capture/stderr" </dev/null &
group=$!
set +m
all_are RS
kill -TSTP -- -$group
all_are T
kill -CONT -- -$group
all_are RS
kill -INT -- -$group
wait $group
status=$?
[ $status -eq 4 ] || fail "exit status $status after Ctrl-Z, fg and Ctrl-C"
says '"stopped_by": "interrupt"'
set -m

# Tests that were not begun are counted, and named for machines.
interrupt INT group "$REHEARSE" explore slow.c --max-executions 0
status=$?
[ $status -eq 4 ] || fail "exit status $status with a test that was not run"
says '^0 passed, 0 failed, 1 undecided \(.*\), 1 not run$'
interrupt INT group "$REHEARSE" explore slow.c --max-executions 0 --json
grep -A 1 '^  "not_run": \[$' "$capture/stdout" | grep -qx '    "slow_and_wrong"' || fail 'not_run'

# What was seen by then is neither made a diagram nor judged.
printf 'diagram slow = skip\n' >slow.diagram
for verb in 'diagram slow.c' 'diagram slow.c --actor client' 'conform slow.c slow.diagram'; do
    interrupt INT group "$REHEARSE" $verb --test slow --max-deliveries 1000000000
    status=$?
    [ $status -eq 4 ] || fail "exit status $status of an interrupted $verb"
    [ ! -s "$capture/stdout" ] || fail "an interrupted $verb says: $(cat "$capture/stdout")"
    grep -q 'interrupted: nothing is said of test slow$' "$capture/stderr" || fail "an interrupted $verb does not say so"
done

# A handler that seems to hang stops at once too while it is given more time to be sure, alone: the second one that begins.
cat >stuck.c <<'END'
#include <fcntl.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);

static void stuck_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    (void)rh_as(message, go);
    int file = open("begun", O_WRONLY | O_CREAT | O_APPEND, 0666);
    rh_check(write(file, "x", 1) == 1);
    close(file);
    for (volatile int i = 0;; i = 1)
        continue;
}

RH_TEST(stuck)
{
    rh_send(rh_spawn(stuck_behaviour), go);
}
END
"$REHEARSE" explore --shared-files stuck.c --hang-limit 500 --json >"$capture/stdout" 2>"$capture/stderr" </dev/null &
group=$!
for _ in {1..600}; do
    [ "$(cat begun 2>/dev/null)" = xx ] && break
    sleep 0.1
done
kill -INT -- -$group
wait $group
status=$?
[ $status -eq 4 ] || fail "exit status $status while a hang was being confirmed"
says '"stopped_by": "interrupt"'
says '"findings": \[\]'

# What was found is saved, and decides the exit status.
interrupt INT group "$REHEARSE" explore slow.c --test slow_and_wrong --keep-going --max-executions 0
status=$?
[ $status -eq 1 ] || fail "exit status $status after a finding"
says 'FAILED after'
says '^saved:   slow_and_wrong.schedule$'
expect 1 "$REHEARSE" replay slow_and_wrong.schedule

# A reader who has seen enough ends it too, and what was found by then decides; what is left is not run.
mkfifo pipe
unread() {
    exec 3<>pipe 4>pipe 3<&-
    "$@" >&4 2>"$capture/stderr" </dev/null
    local status=$?
    exec 4>&-
    return $status
}
cat >calm_first.c <<'END2'
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);

static void calm_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    (void)rh_as(message, go);
}

static void wrong_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    calm_behaviour(self, state, message);
    rh_check(false);
}

RH_TEST(calm)
{
    rh_send(rh_spawn(calm_behaviour), go);
}

RH_TEST(wrong)
{
    rh_send(rh_spawn(wrong_behaviour), go);
}
END2
sed '/^RH_TEST(calm)/,/^}/d' calm_first.c >wrong_first.c
sed -n '/^RH_TEST(calm)/,/^}/p' calm_first.c >>wrong_first.c
for case in 'wrong_first.c 1' 'calm_first.c 4' 'wrong_first.c 1 --test wrong' 'wrong_first.c 0 --test calm' 'calm_first.c 1 --json'; do
    read -r program wanted options <<<"$case"
    # shellcheck disable=SC2086
    unread "$REHEARSE" explore $program --no-shrink $options
    status=$?
    [ $status -eq "$wanted" ] || fail "exit status $status for a reader who has gone: $case"
    [ ! -s "$capture/stderr" ] || fail "something on standard error for a reader who has gone: $case"
done
