#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sanitizers that can't work under control are refused with the reason; the others find what they find.
. "$SOURCE/tests/cli/expect.bash"
if [ -n "${SANITIZE:-}" ]; then
    echo 'the library has a sanitizer already'
    exit 77
fi
cat >till.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_MESSAGE(sale, { int cents; });
static void till_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    *(int *)state += rh_as(message, sale)->cents;
}
RH_TEST(two_sales)
{
    rh_actor *till = rh_spawn(till_behaviour, int, {0});
    rh_send_from(rh_outside("ann"), till, sale, {.cents = 1});
    rh_send_from(rh_outside("ben"), till, sale, {.cents = 2});
}
END

# explore_with COMPILER SANITIZER: runs the command.
explore_with() {
    CC=$1 "$REHEARSE" explore --cflags "-fsanitize=$2" --libs "-fsanitize=$2" till.c
}
# has COMPILER SANITIZER: whether the machine can build programs with it.
has() {
    echo 'int main(void) { return 0; }' >"$TMPDIR/probe.c"
    "$1" "-fsanitize=$2" "$TMPDIR/probe.c" -o "$TMPDIR/probe" 2>"$TMPDIR/probe.err" && return
    echo "SKIPPED $1 -fsanitize=$2: it is not installed"
    return 1
}

! has gcc thread || refuses 2 'ThreadSanitizer.*-fsanitize=address.*rh_run' explore_with gcc thread
! has clang thread || refuses 2 'ThreadSanitizer.*-fsanitize=address.*rh_run' explore_with clang thread
! has clang memory || refuses 2 'MemorySanitizer.*every library' explore_with clang memory
for sanitizer in address undefined leak; do
    has gcc $sanitizer || continue
    expect 0 explore_with gcc $sanitizer
    says 'passed, all 2 executions, 4 deliveries'
done

# What AddressSanitizer keeps for the threads that handlers start is not taken for what handlers keep.
cat >helper.c <<'END'
#include <pthread.h>
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_SIGNAL(go);
static void *help(void *done)
{
    *(int *)done = 1;
    return done;
}
static void starter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    pthread_t thread;
    static int done;
    (void)self, (void)state;
    rh_check(rh_as(message, go) && pthread_create(&thread, NULL, help, &done) == 0);
    pthread_join(thread, NULL);
}
RH_TEST(helped)
{
    rh_send(rh_spawn(starter_behaviour), go);
}
END
if has gcc address; then
    run "$REHEARSE" explore --cflags -fsanitize=address --libs -fsanitize=address helper.c --test helped
    says '^note: .*pthread_create'
    ! grep -q crash "$capture/stdout" || fail "a thread of a handler ends the program"
fi
