/* SPDX-License-Identifier: MIT */
/* What the programs of libraries.txt have in common: two actors use a library in handlers, the first
 * with two messages of two senders, the second with one, in every order.
 *
 * Three messages in any order: 3! = 6 executions, and 3 + 6 + 6 = 15 deliveries. */
#ifndef REHEARSE_TESTS_THIRDPARTY_LIBRARY_H
#define REHEARSE_TESTS_THIRDPARTY_LIBRARY_H

#include <stdint.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(work, { int number; });

/* What an actor keeps: something of the library's, and the sum of the numbers it has received. */
struct user {
    void *kept;
    int sum;
    int count;
};

/* Uses the library. The number is in user->sum already. */
static void use(struct user *user, int number);

static void user_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct user *user = (struct user *)state;
    (void)self;
    int number = rh_as(message, work)->number;
    user->sum += number;
    user->count++;
    use(user, number);
}

/* Prepares the library in the test's body, if BODY is defined as a call. */
#ifndef BODY
#define BODY
#endif

RH_TEST(every_order)
{
    rh_actor *first, *second;
    BODY;
    first = rh_spawn(user_behaviour, struct user, {0});
    second = rh_spawn(user_behaviour, struct user, {0});
    rh_send_from(rh_outside("ann"), first, work, {.number = 1});
    rh_send_from(rh_outside("ben"), first, work, {.number = 2});
    rh_send_from(rh_outside("eva"), second, work, {.number = 4});
}

#endif
