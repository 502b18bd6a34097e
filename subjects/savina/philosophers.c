// SPDX-License-Identifier: MIT
// DiningPhilosophers of Savina: an arbitrator gives out forks. A philosopher who does not get both
// asks again.
//
// Whoever is denied asks at once, as often as it likes while the neighbour eats: there are
// executions without end, though none that goes on for ever if each message is delivered some time.
// In the fixed twin who can't have both forks waits, which also keeps a philosopher's next request
// behind the word that it is done, under `--delivery any`.
#include "savina.h"

enum { SEATS = 20 };

RH_SIGNAL(start);
RH_MESSAGE(hungry, { int seat; });
RH_SIGNAL(eat);
RH_SIGNAL(denied);
RH_MESSAGE(done, { int seat; });
RH_SIGNAL(leave);

// Set by the test's body, and only read afterwards.
static struct {
    int seats;
    long rounds;
} dinner;

struct philosopher {
    rh_actor *arbitrator;
    int seat;
    long rounds;
};

static void philosopher_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct philosopher *philosopher = state;

    if (rh_as(message, start) || rh_as(message, denied)) {
        rh_send(philosopher->arbitrator, hungry, {.seat = philosopher->seat});
    } else if (rh_as(message, eat)) {
        rh_send(philosopher->arbitrator, done, {.seat = philosopher->seat});
        if (++philosopher->rounds < dinner.rounds) {
            rh_send(self, start);
        } else {
            rh_send(philosopher->arbitrator, leave);
            rh_stop();
        }
    }
}

struct arbitrator {
    bool is_taken[SEATS];
    int left;
    long meals;
};

static bool has_both(const struct arbitrator *arbitrator, int seat)
{
    return !arbitrator->is_taken[seat] && !arbitrator->is_taken[(seat + 1) % dinner.seats];
}

static void set_both(struct arbitrator *arbitrator, int seat, bool is_taken)
{
    arbitrator->is_taken[seat] = is_taken;
    arbitrator->is_taken[(seat + 1) % dinner.seats] = is_taken;
}

// All have left, and under --delivery any all have said that they are done.
static void try_to_close(const struct arbitrator *arbitrator)
{
    if (arbitrator->left == dinner.seats && arbitrator->meals == dinner.seats * dinner.rounds)
        rh_stop();
}

static void arbitrator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct arbitrator *arbitrator = state;
    const struct hungry *hungry;
    const struct done *done;
    (void)self;

    if ((hungry = rh_as(message, hungry)) && has_both(arbitrator, hungry->seat)) {
        set_both(arbitrator, hungry->seat, true);
        rh_reply(message, eat);
    } else if (hungry) {
        rh_reply(message, denied);
    } else if ((done = rh_as(message, done))) {
        set_both(arbitrator, done->seat, false);
        arbitrator->meals++;
        try_to_close(arbitrator);
    } else if (rh_as(message, leave)) {
        arbitrator->left++;
        try_to_close(arbitrator);
    }
}

static void patient_arbitrator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    arbitrator_behaviour(self, state, message);
}

static bool patient_arbitrator_guard(const void *state, const rh_message *message)
{
    const struct hungry *hungry = rh_as(message, hungry);

    return !hungry || has_both(state, hungry->seat);
}
RH_GUARD(patient_arbitrator_behaviour, patient_arbitrator_guard);

static void dine(bool is_fixed, int seats, long rounds)
{
    dinner.seats = seats;
    dinner.rounds = rounds;
    rh_actor *arbitrator =
        is_fixed ? rh_spawn(patient_arbitrator_behaviour, struct arbitrator, {.left = 0})
                 : rh_spawn(arbitrator_behaviour, struct arbitrator, {.left = 0});
    for (int i = 0; i < seats; i++)
        rh_send(rh_spawn(philosopher_behaviour, struct philosopher,
                         {.arbitrator = arbitrator, .seat = i}),
                start);
}

static void set_up(void *context)
{
    const long *rounds = context;

    dine(false, SEATS, *rounds);
}

RH_TEST(small)
{
    dine(false, 2, 1);
}

RH_TEST(fixed)
{
    dine(true, rh_parameter(int, seats, 3), rh_parameter(int, rounds, 1));
}

RH_TEST(two_rounds_fixed)
{
    dine(true, 2, 2);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 10000, set_up);
}
