// SPDX-License-Identifier: MIT
// Handlers, a guard and an invariant that write variables of the program, each at a line that written.sh looks for.
#include <stdio.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int which; });

static int counter; // declared
static char text[100];
static _Thread_local int local; // declared_local
static struct {
    int first, second;
} pair;
// On another page.
static _Alignas(4096) int known; // declared_known

static void add(int number)
{
    counter += number; // direct
}

static void actor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)self;
    (void)state;

    if (!go)
        return;
    known++; // known
    if (go->which == 0)
        add(1);
    if (go->which == 1)
        snprintf(text, sizeof text, "%d", go->which); // libc
    if (go->which == 2)
        pair.second = 7; // field
    if (go->which == 3)
        local = 3;
    if (go->which == 4) {
        text[0] = 'a';
        counter = 4;
    }
}

static bool actor_guard(const void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)state;

    if (go && go->which == 5)
        counter = 5; // guard
    return true;
}

RH_GUARD(actor_behaviour, actor_guard);

struct watched {
    rh_actor *actor;
};

static void look(const void *context)
{
    const struct watched *watched = context;

    if (rh_view_count(watched->actor, go) == 0)
        counter++; // invariant
}

// The second message writes: pages that the first one wrote were writable then.
static rh_actor *send_twice(int first, int second)
{
    rh_actor *actor = rh_spawn(actor_behaviour);

    rh_send(actor, go, {.which = first});
    rh_send(actor, go, {.which = second});
    return actor;
}

RH_TEST(direct)
{
    send_twice(9, 0);
}

RH_TEST(libc)
{
    send_twice(9, 1);
}

RH_TEST(field)
{
    send_twice(9, 2);
}

RH_TEST(local_variable)
{
    send_twice(9, 3);
}

RH_TEST(beside)
{
    send_twice(9, 4);
}

RH_TEST(guard)
{
    send_twice(9, 5);
}

RH_TEST(invariant)
{
    rh_invariant(look, struct watched, {.actor = send_twice(9, 9)});
}
