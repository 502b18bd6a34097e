// SPDX-License-Identifier: MIT
// Programs whose executions with faults are counted by hand in faults.sh.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(number, { int value; });
RH_MESSAGE(question, { int value; });
RH_MESSAGE(answer, { int value; });
RH_MESSAGE(parcel, { int *values; });
RH_SIGNAL(tick);
RH_SIGNAL(last);

struct keeper {
    int digits; // of the numbers it got, in their order
};

static void keeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct keeper *keeper = state;
    const struct number *number;
    const struct question *question;
    const struct parcel *parcel;
    (void)self;
    if ((number = rh_as(message, number))) {
        keeper->digits = keeper->digits * 10 + number->value;
    } else if ((question = rh_as(message, question))) {
        keeper->digits = keeper->digits * 10 + question->value;
        rh_reply(message, answer, {.value = question->value});
    } else if ((parcel = rh_as(message, parcel))) {
        keeper->digits += parcel->values[0];
        free(parcel->values);
    } else if (rh_as(message, last)) {
        rh_stop();
    }
}

static rh_actor *new_keeper(void)
{
    return rh_spawn(keeper_behaviour, struct keeper, {.digits = 0});
}

RH_TEST(nobody_writes)
{
    new_keeper();
}

RH_TEST(one_message)
{
    rh_send(new_keeper(), number, {.value = 1});
}

RH_TEST(two_messages)
{
    rh_actor *keeper = new_keeper();
    rh_send(keeper, number, {.value = 1});
    rh_send(keeper, number, {.value = 2});
}

RH_TEST(two_keepers)
{
    rh_send(new_keeper(), number, {.value = 1});
    rh_send(new_keeper(), number, {.value = 2});
}

// It stops at the first message.
RH_TEST(stops)
{
    rh_send(new_keeper(), last);
}

struct client {
    rh_actor *keeper;
    int answers;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct number *number = rh_as(message, number);
    (void)self;
    const rh_message *reply = rh_ask(client->keeper, question, {.value = number->value});
    const struct answer *answer = rh_as(reply, answer);
    // Never the answer to another question.
    rh_check(answer->value == number->value);
    client->answers++;
}

RH_TEST(asks)
{
    rh_actor *keeper = new_keeper();
    rh_send(rh_spawn(client_behaviour, struct client, {.keeper = keeper}), number, {.value = 1});
    rh_send(keeper, number, {.value = 2});
}

RH_TEST(asks_twice)
{
    rh_actor *keeper = new_keeper();
    rh_actor *client = rh_spawn(client_behaviour, struct client, {.keeper = keeper});
    rh_send(client, number, {.value = 1});
    rh_send(client, number, {.value = 2});
}

struct clock {
    bool started;
    int ticks;
};

// Its timers come to the life that has set them.
static void clock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct clock *clock = state;
    if (rh_as(message, number)) {
        clock->started = true;
        rh_after(10, self, tick);
    } else if (rh_as(message, tick)) {
        rh_check(clock->started);
        if (++clock->ticks == 1)
            rh_send(self, last);
    } else if (rh_as(message, last)) {
        clock->ticks += 10;
    }
}

RH_TEST(timer)
{
    rh_send(rh_spawn(clock_behaviour, struct clock, {.started = false}), number, {.value = 1});
}

struct giver {
    rh_actor *keeper;
};

static void giver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct giver *giver = state;
    (void)self;
    if (rh_as(message, tick)) {
        int *values = malloc(sizeof *values);
        values[0] = 5;
        rh_send(giver->keeper, parcel, {.values = rh_give(values)});
    }
}

RH_TEST(gives)
{
    rh_actor *giver = rh_spawn(giver_behaviour, struct giver, {.keeper = new_keeper()});
    rh_after(1, giver, tick);
}

// Tells a friend of the first number.
struct teller {
    rh_actor *friend;
    int heard;
};

static void teller_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct teller *teller = state;
    const struct number *number = rh_as(message, number);
    (void)self;
    if (teller->heard == 0 && teller->friend)
        rh_send(teller->friend, number, {.value = number->value});
    teller->heard = teller->heard * 10 + number->value;
}

struct watched {
    rh_actor *one, *other;
};

static void not_both(const void *context)
{
    const struct watched *watched = context;
    const struct teller *one = rh_view_state(watched->one);
    const struct teller *other = rh_view_state(watched->other);
    rh_check(!one || !other || other->heard == 0 || one->heard != 0 || other->heard > 9);
}

static void tell(bool is_watched)
{
    rh_actor *last_one = rh_spawn(teller_behaviour, struct teller, {.friend = NULL});
    rh_actor *first = rh_spawn(teller_behaviour, struct teller, {.friend = last_one});
    rh_send_from(rh_outside("ann"), first, number, {.value = 1});
    rh_send_from(rh_outside("ben"), first, number, {.value = 2});
    rh_send_from(rh_outside("eva"), last_one, number, {.value = 3});
    if (is_watched)
        rh_invariant(not_both, struct watched, {.one = last_one, .other = first});
}

RH_TEST(tellers)
{
    tell(false);
}

RH_TEST(tellers_watched)
{
    tell(true);
}

// A gate refuses numbers until it was ticked; it then tells of them.
static bool gate_is_open(const void *state, const rh_message *message)
{
    const struct teller *gate = state;
    return gate->heard > 0 || !rh_as(message, question);
}

static void gate_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct teller *gate = state;
    const struct number *number = rh_as(message, number);
    const struct question *question = rh_as(message, question);
    (void)self;
    if (number)
        gate->heard += number->value;
    if (question && gate->friend)
        rh_send(gate->friend, number, {.value = question->value});
}
RH_GUARD(gate_behaviour, gate_is_open);

RH_TEST(gate)
{
    rh_actor *keeper = new_keeper();
    rh_actor *gate = rh_spawn(gate_behaviour, struct teller, {.friend = keeper});
    rh_send_from(rh_outside("ann"), gate, question, {.value = 1});
    rh_send_from(rh_outside("ben"), gate, number, {.value = 2});
    rh_send(keeper, number, {.value = 3});
}

// A sleeper sets a timer and then takes nothing any more. At the end the timer is left, and belongs to the life that has
// set it; that is another one if the sleeper has crashed before, and not if its neighbour has. Until the timer is set
// nothing else tells these two from each other.
RH_SIGNAL(wake);
RH_SIGNAL(alarm_rings);

static bool sleeper_is_awake(const void *state, const rh_message *message)
{
    (void)state;
    return !rh_as(message, alarm_rings);
}

static void sleeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    if (rh_as(message, wake))
        rh_after(5, self, alarm_rings);
}
RH_GUARD(sleeper_behaviour, sleeper_is_awake);

RH_TEST(left_timer)
{
    rh_actor *sleeper = rh_spawn(sleeper_behaviour, struct teller, {0});
    rh_spawn(sleeper_behaviour, struct teller, {0});
    rh_send(sleeper, wake);
}

// Each life of a napper has one alarm at a time: that of an earlier life does not wait for it.
struct napper {
    bool has_alarm;
};

static void napper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct napper *napper = state;
    if (rh_as(message, wake) && !napper->has_alarm) {
        rh_after(5, self, alarm_rings);
        napper->has_alarm = true;
    } else if (rh_as(message, alarm_rings)) {
        napper->has_alarm = false;
    }
}

static void one_alarm(const void *context)
{
    rh_actor *const *napper = context;
    rh_check(rh_view_count(*napper, alarm_rings) <= 1);
    rh_check(!rh_view_pending(*napper, alarm_rings, 1));
}

RH_TEST(one_alarm_each_life)
{
    rh_actor *napper = rh_spawn(napper_behaviour, struct napper, {.has_alarm = false});
    rh_invariant(one_alarm, rh_actor *, {napper});
    rh_send(napper, wake);
    rh_send(napper, wake);
}
