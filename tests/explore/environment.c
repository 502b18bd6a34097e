// SPDX-License-Identifier: MIT
// What is around the actors: --environment, and messages that may come. environment.sh says what each test is for.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(mark, { int letter; });
RH_MESSAGE(meet, { rh_actor *other; });
RH_SIGNAL(question);
RH_SIGNAL(answer);
RH_SIGNAL(quit);
RH_SIGNAL(start);
RH_SIGNAL(late);

// Remembers the order of what it gets.
struct keeper {
    int letters;
    int count;
};

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    const struct mark *mark = rh_as(message, mark);
    (void)self;
    if (mark) {
        keeper->letters = keeper->letters * 10 + mark->letter;
        keeper->count++;
    } else if (rh_as(message, quit)) {
        rh_stop();
    } else if (rh_as(message, start)) {
        rh_after(10, rh_self(), late);
    } else if (rh_as(message, late)) {
        keeper->letters = keeper->letters * 10 + 9;
    }
}

struct watched {
    rh_actor *keeper;
    int limit;
};

static void at_most(const void *context)
{
    const struct watched *watched = context;
    const struct keeper *keeper = rh_view_state(watched->keeper);
    rh_check(!keeper || keeper->count <= watched->limit);
}

static void never_pending(const void *context)
{
    const struct watched *watched = context;
    rh_check(rh_view_count(watched->keeper, mark) == 0);
    rh_check(!rh_view_pending(watched->keeper, mark, 0));
}

static rh_actor *spawn_keeper(void)
{
    return rh_spawn(keeper_behaviour, struct keeper, {.letters = 0});
}

RH_TEST(once)
{
    rh_actor *keeper = spawn_keeper();
    rh_send(keeper, mark, {.letter = 1});
    rh_may_come(keeper, mark, 1, {.letter = 2});
}

RH_TEST(twice)
{
    rh_actor *keeper = spawn_keeper();
    rh_send(keeper, mark, {.letter = 1});
    rh_may_come(keeper, mark, 2, {.letter = 2});
}

RH_TEST(two_kinds)
{
    rh_actor *keeper = spawn_keeper();
    rh_may_come(keeper, mark, 1, {.letter = 2});
    rh_may_come(keeper, mark, 1, {.letter = 3});
}

RH_TEST(two_keepers)
{
    rh_actor *first = spawn_keeper();
    rh_actor *second = spawn_keeper();
    rh_send(first, mark, {.letter = 1});
    rh_send(second, mark, {.letter = 1});
    rh_may_come(first, mark, 1, {.letter = 2});
    rh_may_come(second, mark, 1, {.letter = 3});
}

RH_TEST(never)
{
    rh_may_come(spawn_keeper(), mark, 0, {.letter = 2});
}

// What comes after the stop is as what did not come.
RH_TEST(too_late)
{
    rh_actor *keeper = spawn_keeper();
    rh_send(keeper, quit);
    rh_may_come(keeper, mark, 1, {.letter = 2});
}

// A timer does not wait for what may come, not even under strict time.
RH_TEST(beside_timer)
{
    rh_actor *keeper = spawn_keeper();
    rh_send(keeper, start);
    rh_may_come(keeper, mark, 1, {.letter = 2});
}

// Found only if two of them come.
RH_TEST(needs_two)
{
    rh_actor *keeper = spawn_keeper();
    rh_send(keeper, mark, {.letter = 1});
    rh_may_come(keeper, mark, 3, {.letter = 2});
    rh_invariant(at_most, struct watched, {.keeper = keeper, .limit = 2});
}

// Judged at each end.
RH_TEST(at_the_end)
{
    rh_actor *keeper = spawn_keeper();
    rh_may_come(keeper, mark, 2, {.letter = 2});
    rh_finally(at_most, struct watched, {.keeper = keeper, .limit = 1});
}

RH_TEST(not_seen)
{
    rh_actor *keeper = spawn_keeper();
    rh_may_come(keeper, mark, 2, {.letter = 2});
    rh_invariant(never_pending, struct watched, {.keeper = keeper});
}

// Asks whom it is told to. Answers unless it is told to quit first.
static void asker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct meet *meet = rh_as(message, meet);
    (void)self, (void)state;
    if (meet)
        rh_as(rh_ask(meet->other, question), answer);
    else if (rh_as(message, question))
        rh_reply(message, answer);
}

RH_TEST(in_a_cycle)
{
    rh_actor *first = rh_spawn(asker_behaviour);
    rh_actor *second = rh_spawn(asker_behaviour);
    rh_send(first, meet, {.other = second});
    rh_send(second, meet, {.other = first});
}

RH_TEST(three_in_a_cycle)
{
    rh_actor *first = rh_spawn(asker_behaviour);
    rh_actor *second = rh_spawn(asker_behaviour);
    rh_actor *third = rh_spawn(asker_behaviour);
    rh_send(first, meet, {.other = second});
    rh_send(second, meet, {.other = third});
    rh_send(third, meet, {.other = first});
}

RH_TEST(itself)
{
    rh_actor *asker = rh_spawn(asker_behaviour);
    rh_send(asker, meet, {.other = asker});
}

// Takes questions and does not answer.
static void silent_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

RH_TEST(no_answer)
{
    rh_actor *asker = rh_spawn(asker_behaviour);
    rh_actor *silent = rh_spawn(silent_behaviour);
    rh_send(asker, meet, {.other = silent});
}

static void closed_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static bool closed_guard(const void *state, const rh_message *message)
{
    (void)state;
    return !rh_as(message, question);
}
RH_GUARD(closed_behaviour, closed_guard);

RH_TEST(refuses)
{
    rh_send(rh_spawn(closed_behaviour), question);
}

RH_TEST(refuses_what_comes)
{
    rh_may_come(rh_spawn(closed_behaviour), question, 1);
}

RH_TEST(idle)
{
    spawn_keeper();
    rh_send(spawn_keeper(), mark, {.letter = 1});
}

RH_TEST(all_stop)
{
    rh_send(spawn_keeper(), quit);
    rh_send(spawn_keeper(), quit);
}

RH_MESSAGE(parcel, { char *bytes; });

RH_TEST(too_often)
{
    rh_may_come(spawn_keeper(), mark, -1, {.letter = 1});
}

RH_TEST(carries_a_block)
{
    rh_actor *keeper = spawn_keeper();
    rh_may_come(keeper, parcel, 1, {.bytes = (char *)rh_give(malloc(1))});
}

RH_TEST(to_nobody)
{
    rh_may_come(NULL, quit, 1);
}

RH_TEST(not_to_this_one)
{
    rh_receptionist(spawn_keeper());
    rh_may_come(spawn_keeper(), quit, 1);
}

static void late_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (rh_as(message, start))
        rh_may_come(self, quit, 1);
}

RH_TEST(in_a_handler)
{
    rh_send(rh_spawn(late_behaviour), start);
}
