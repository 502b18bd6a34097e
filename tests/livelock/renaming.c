// SPDX-License-Identifier: MIT
// Ways round on which a state comes back with other actors in the parts, or later. renaming.txt says what is found.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(start);
RH_SIGNAL(next);
RH_SIGNAL(done);
RH_SIGNAL(tick);
RH_SIGNAL(finish);
RH_SIGNAL(leave);
RH_MESSAGE(token, { rh_actor *last; });

// Each lap has a worker of its own, which answers and stops.

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, next)) {
        rh_reply(message, done);
        rh_stop();
    }
}

static void boss_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, start) || rh_as(message, done))
        rh_send(rh_spawn(worker_behaviour), next);
}

static void busy_boss_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    if (rh_as(message, done))
        rh_progress();
    boss_behaviour(self, state, message);
}

RH_TEST(respawn)
{
    rh_send(rh_spawn(boss_behaviour), start);
}

RH_TEST(respawn_progress)
{
    rh_send(rh_spawn(busy_boss_behaviour), start);
}

// A timer that is set again and again.

static void clock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (rh_as(message, start) || rh_as(message, tick))
        rh_after(100, self, tick);
}

static void heart_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    if (rh_as(message, tick))
        rh_progress();
    clock_behaviour(self, state, message);
}

RH_TEST(polling)
{
    rh_send(rh_spawn(clock_behaviour), start);
}

RH_TEST(heartbeat)
{
    rh_send(rh_spawn(heart_behaviour), start);
}

// The clock of an actor that is idle stands still meanwhile. As long as something waits for it that was sent long ago, it
// could still begin in the past, so that there is no end to the states; a way round is found behind that.

static void idle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_ignore(message);
}

RH_TEST(beside_idle)
{
    rh_send(rh_spawn(clock_behaviour), start);
    rh_spawn(idle_behaviour);
}

RH_TEST(beside_greeted)
{
    rh_send(rh_spawn(clock_behaviour), start);
    rh_send(rh_spawn(idle_behaviour), start);
}

// A token goes round among actors that are alike, each of which has a message waiting. TICKING: that comes again when it
// is delivered, so that a fair way round delivers it to each. FINISHING: it ends the round, and could be delivered all
// the time. GUARDED: who has the token does not take it, so that it could not.

enum kind { TICKING, FINISHING, GUARDED };

struct member {
    enum kind kind;
    rh_actor *next;
    bool has_token;
    bool is_over;
};

static bool member_guard(const void *state, const rh_message *message)
{
    const struct member *member = state;
    return member->kind != GUARDED || !member->has_token || !rh_as(message, finish);
}

// The token is taken with one message and passed on with the next. With the first one comes who is last in the circle.
static void member_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct member *member = state;
    const struct token *token = rh_as(message, token);
    if (token) {
        if (!member->next)
            member->next = token->last;
        member->has_token = true;
        rh_send(self, leave);
    } else if (rh_as(message, leave)) {
        member->has_token = false;
        if (!member->is_over)
            rh_send(member->next, token, {.last = NULL});
    } else if (rh_as(message, tick)) {
        rh_send(self, tick);
    } else if (rh_as(message, finish)) {
        member->is_over = true;
    }
}
RH_GUARD(member_behaviour, member_guard);

struct circle {
    enum kind kind;
    int count;
};

static void circle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct circle *circle = state;
    rh_actor *first = NULL, *last = NULL;
    (void)self;
    if (!rh_as(message, start))
        return;
    for (int i = 0; i < circle->count; i++) {
        last = rh_spawn(member_behaviour, struct member, {.kind = circle->kind, .next = last});
        if (!first)
            first = last;
        else if (circle->kind == TICKING)
            rh_send(last, tick);
        else
            rh_send(last, finish);
    }
    rh_send(first, token, {.last = last});
    if (circle->kind == TICKING)
        rh_send(first, tick);
    else
        rh_send(first, finish);
    rh_stop();
}

static void go_round(enum kind kind, int count)
{
    rh_send(rh_spawn(circle_behaviour, struct circle, {.kind = kind, .count = count}), start);
}

RH_TEST(ticking)
{
    go_round(TICKING, 3);
}

RH_TEST(finishing)
{
    go_round(FINISHING, 3);
}

RH_TEST(guarded)
{
    go_round(GUARDED, 2);
}
