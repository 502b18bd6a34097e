#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ctrl-C stops at once; what was found until then is summarised.
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
    sleep 1
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

# So does a handler that seems to hang while it is given more time to be sure, alone: the second one that begins.
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
"$REHEARSE" explore stuck.c --hang-limit 3000 --json >"$capture/stdout" 2>"$capture/stderr" </dev/null &
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
