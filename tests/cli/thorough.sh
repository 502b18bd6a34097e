#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a test that passes was not tried under, --thorough, and what is said of a test that is undecided.
. "$SOURCE/tests/cli/expect.bash"

cat >purse.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(pay, { int amount; });
RH_SIGNAL(begin);

struct purse {
    int payments;
};

static void purse_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct purse *purse = state;
    (void)self;
    purse->payments += rh_as(message, pay)->amount;
    rh_check(purse->payments <= 3);
}

struct payer {
    rh_actor *purse;
};

static void payer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct payer *payer = state;
    (void)self;
    (void)rh_as(message, begin);
    rh_send(payer->purse, pay, {.amount = 1});
    rh_send(payer->purse, pay, {.amount = 2});
}

RH_TEST(pays_once)
{
    rh_actor *purse = rh_spawn(purse_behaviour, struct purse, {.payments = 0});
    rh_send(rh_spawn(payer_behaviour, struct payer, {.purse = purse}), begin);
}
END

# A test that passes says what it was not tried under, and no more than that.
expect 0 "$REHEARSE" explore purse.c --no-times
says '^untried: --delivery any, --drop 1, --duplicate 1, --crash 1; --thorough tries each of them$'
expect 0 "$REHEARSE" explore purse.c --no-times --delivery any --drop 1 --crash 2 --time strict
says '^untried: --time causal, --duplicate 1; --thorough tries each of them$'
expect 0 "$REHEARSE" explore purse.c --no-times --quiet
! grep -q untried "$capture/stdout" || fail 'untried with --quiet'
expect 1 "$REHEARSE" explore purse.c --no-times --duplicate 1
! grep -q untried "$capture/stdout" || fail 'untried after a failure'

# Each condition is tried, one at a time, and what is found has a file of its own, which replays.
rm -f ./*.schedule
expect 1 "$REHEARSE" explore purse.c --no-times --thorough
says '^purse.c: test pays_once: passed, '
says '^purse.c: test pays_once with --delivery any: passed, all 2 executions'
says '^purse.c: test pays_once with --drop 1: passed, '
says '^purse.c: test pays_once with --duplicate 1: FAILED after '
says '^purse.c: test pays_once with --crash 1: passed, '
says '^4 passed, 1 failed$'
! grep -q untried "$capture/stdout" || fail 'untried with --thorough'
[ "$(ls ./*.schedule)" = ./pays_once-duplicate.schedule ] || fail "files: $(ls ./*.schedule)"
expect 1 "$REHEARSE" replay pays_once-duplicate.schedule
expect 1 "$REHEARSE" explore purse.c --no-times --thorough --json --test pays_once
[ "$(grep -c '"test": "pays_once"' "$capture/stdout")" = 5 ] || fail 'JSON has not five results'
refuses 2 'faults, --states and --reduction exclude' "$REHEARSE" explore purse.c --thorough --states exact --reduction source

# Nothing found is not nothing there.
expect 0 "$REHEARSE" explore purse.c --no-times --delivery any --reduction none --max-executions 1
says 'test pays_once: UNDECIDED: nothing found in 1 execution, stopped by executions'
says '^next:    --max-executions 0 tries all of about 2 executions$'
expect 4 "$REHEARSE" explore purse.c --no-times --delivery any --reduction none --max-executions 1 --require-complete
expect 0 "$REHEARSE" sample purse.c --no-times --runs 2
says 'test pays_once: UNDECIDED: nothing found in 2 executions'
says '^next:    explore tries every order'
