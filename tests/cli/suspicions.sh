#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A handler that is suspected to hang is named while it hangs, with the line it is in; and on Ctrl-C, what was running.
. "$SOURCE/tests/cli/expect.bash"
set -m

cat >endless.c <<'END'
#include <fcntl.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(call);

static void spin(void)
{
    for (volatile int i = 0;; i = 1) continue; // spins
}

static void begin(void)
{
    close(open("begun", O_WRONLY | O_CREAT, 0666));
    spin();
}

static void stuck(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, go))
        spin();
    if (rh_as(message, call))
        pause(); // waits
}

static void calm(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    (void)rh_as(message, go);
}

static void begins(rh_actor *self, void *state, const rh_message *message)
{
    calm(self, state, message);
    begin();
}

static void guarded(rh_actor *self, void *state, const rh_message *message)
{
    calm(self, state, message);
}

static bool guard(const void *state, const rh_message *message)
{
    (void)state, (void)message;
    spin();
    return true;
}
RH_GUARD(guarded, guard);

static void judge(const void *context)
{
    (void)context;
    spin();
}

RH_TEST(handler) { rh_send(rh_spawn(stuck), go); }
RH_TEST(waiting) { rh_send(rh_spawn(stuck), call); }
RH_TEST(guards) { rh_send(rh_spawn(guarded), go); }
RH_TEST(watched) { rh_invariant(judge, int, {0}); }
RH_TEST(body) { spin(); }
RH_TEST(begun) { rh_send(rh_spawn(begins), go); }
END
spins=$(sed -n '/\/\/ spins/=' endless.c)
waits=$(sed -n '/\/\/ waits/=' endless.c)

# suspects TEST TEXT: what is said of the test's hang, which is a finding in the end.
suspects() {
    expect 1 "$REHEARSE" explore endless.c --test "$1" --hang-limit 20 --no-shrink
    says '^hang: '
    says_error "^rehearse: test $1: $2; does it hang\? It is run again, alone, for up to 0\.2 s$"
    [ "$(grep -c 'does it hang' "$capture/stderr")" -eq 1 ] || fail 'said more than once'
}
suspects handler "stuck#1 has been handling go for [0-9.]+ s, now at endless\.c:$spins in spin"
suspects waiting "stuck#1 has been handling call for [0-9.]+ s, now at endless\.c:$waits in stuck"
suspects guards "guarded#1 has been handling go for [0-9.]+ s, now at endless\.c:$spins in spin"
suspects watched "code outside of any handler has been running for [0-9.]+ s, now at endless\.c:$spins in spin"
suspects body "code outside of any handler has been running for [0-9.]+ s, now at endless\.c:$spins in spin"

expect 1 "$REHEARSE" explore endless.c --test handler --hang-limit 20 --no-shrink --quiet
[ ! -s "$capture/stderr" ] || fail 'something on standard error with --quiet'

# interrupt COMMAND...: the signal comes when the handler is in its loop, long before that is suspected to hang.
interrupt() {
    rm -f begun
    "$@" >"$capture/stdout" 2>"$capture/stderr" </dev/null &
    local group=$!
    for _ in {1..600}; do
        [ -e begun ] && break
        sleep 0.1
    done
    kill -INT -- -$group
    wait $group
}
for verb in explore sample cover; do
    interrupt "$REHEARSE" $verb --shared-files endless.c --test begun --hang-limit 1000000
    status=$?
    [ $status -eq 4 ] || fail "exit status $status after an interrupt in a handler"
    says_error "^rehearse: test begun: stopped while begins#1 was handling go, for [0-9.]+ s, at endless\.c:$spins in spin$"
    says 'stopped by interrupt'
    [ $verb != explore ] || says '^next: .* a handler that does not end is a finding after ten times --hang-limit'
done

# Handlers that end are not blamed.
expect 0 "$REHEARSE" explore slow.c --test slow --max-executions 1000 --hang-limit 5000
[ ! -s "$capture/stderr" ] || fail 'something on standard error about handlers that end'
