// SPDX-License-Identifier: MIT
// Leader election on a one-way ring, after Dolev, Klawe and Rodeh.
//
// Active processes learn the values of their two nearest active neighbours on the left, from a
// `first` and a `second`; the one whose near neighbour has the largest of the three values goes on
// with that value, the others become passive and only forward. In the end one process is active.
//
// Correct under `--delivery fifo`, provided that a process starts before it takes part. Hazard under
// `--delivery any`, or if it takes messages before it has started: a second that overtakes its first
// is compared with a stale value, and in the end no process is active; so is a second that the first
// of the next round overtakes. In the fixed twin messages carry their round, and a guard keeps an
// active process from taking them out of turn.
//
// bug:     --test ascending --delivery any : final
// cause:   second from process reached process before first from process
// or:      first from process reached process before second from process
// bug:     --test mixed --delivery any : final
// cause:   second from process reached process before first from process
// or:      first from process reached process before second from process
// bug:     --test careless : final
// cause:   first from process reached process before start from outside
#include <rehearse/actor.h>
#include <rehearse/test.h>

#ifndef PROCESSES
#define PROCESSES 3 // more for the test `whole_ring` only
#endif

RH_SIGNAL(start);
RH_MESSAGE(first, {
    int value;
    int round;
});
RH_MESSAGE(second, {
    int value;
    int round;
});

// Set by the test's body, and only read afterwards: each process writes to the one behind it.
static struct ring {
    rh_actor *process[PROCESSES];
} ring;

// What a process refuses for now.
enum care {
    CARELESS,     // nothing
    AFTER_START,  // everything until it has started
    TURN_BY_TURN, // also whatever is not the next message of its round
};

struct process {
    int index;
    enum care care;
    int id;
    int value; // the largest that it stands for
    int left;  // of its near neighbour in this round
    int round;
    bool active;
    bool elected;
    bool has_first; // of this round
    bool started;
};

static rh_actor *right_of(const struct process *process)
{
    return ring.process[(process->index + 1) % PROCESSES];
}

static void take_first(struct process *process, const struct first *first)
{
    rh_actor *right = right_of(process);

    if (!process->active) {
        rh_send(right, first, {.value = first->value, .round = first->round});
    } else if (first->value != process->value) {
        rh_send(right, second, {.value = first->value, .round = process->round});
        process->left = first->value;
        process->has_first = true;
    } else {
        process->elected = true;
    }
}

static void take_second(struct process *process, const struct second *second)
{
    rh_actor *right = right_of(process);

    if (!process->active) {
        rh_send(right, second, {.value = second->value, .round = second->round});
    } else if (process->left > second->value && process->left > process->value) {
        process->value = process->left;
        process->has_first = false;
        process->round++;
        rh_send(right, first, {.value = process->value, .round = process->round});
    } else {
        process->active = false;
    }
}

static void process_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct process *process = state;
    const struct first *first;
    const struct second *second;
    (void)self;

    if (rh_as(message, start)) {
        process->started = true;
        rh_send(right_of(process), first, {.value = process->id});
    } else if ((first = rh_as(message, first))) {
        take_first(process, first);
    } else if ((second = rh_as(message, second))) {
        take_second(process, second);
    }
}

static bool process_guard(const void *state, const rh_message *message)
{
    const struct process *process = state;
    const struct first *first = rh_as(message, first);
    const struct second *second = rh_as(message, second);

    if (process->care == CARELESS || rh_as(message, start))
        return true;
    if (process->care == AFTER_START || !process->active)
        return process->started;
    if (first)
        return process->started && !process->has_first && first->round == process->round;
    return process->has_first && second && second->round == process->round;
}
RH_GUARD(process_behaviour, process_guard);

struct watched {
    struct ring ring;
};

static void one_is_active(const void *context)
{
    const struct watched *watched = context;
    int active = 0;

    for (int i = 0; i < PROCESSES; i++) {
        const struct process *process = rh_view_state(watched->ring.process[i]);
        active += process->active;
    }
    rh_check(active == 1);
}

static void make_ring(enum care care, const int ids[PROCESSES])
{
    for (int i = 0; i < PROCESSES; i++) {
        ring.process[i] =
            rh_spawn(process_behaviour, struct process,
                     {.index = i, .care = care, .id = ids[i], .value = ids[i], .active = true});
    }
    rh_finally(one_is_active, struct watched, {.ring = ring});
}

// The messages that start the election are on their way already. They come from outside, so that no
// order rule ties them to what the processes send.
static void elect_at_once(const int ids[PROCESSES])
{
    make_ring(CARELESS, ids);
    for (int i = 0; i < PROCESSES; i++)
        rh_send(ring.process[(i + 1) % PROCESSES], first, {.value = ids[i]});
}

static void elect(enum care care, const int ids[PROCESSES])
{
    make_ring(care, ids);
    for (int i = 0; i < PROCESSES; i++)
        rh_send(ring.process[i], start);
}

RH_TEST(ascending_at_once)
{
    elect_at_once((const int[PROCESSES]){1, 2, 3});
}

RH_TEST(mixed_at_once)
{
    elect_at_once((const int[PROCESSES]){1, 3, 2});
}

RH_TEST(careless)
{
    elect(CARELESS, (const int[PROCESSES]){1, 2, 3});
}

RH_TEST(ascending)
{
    elect(AFTER_START, (const int[PROCESSES]){1, 2, 3});
}

RH_TEST(mixed)
{
    elect(AFTER_START, (const int[PROCESSES]){1, 3, 2});
}

RH_TEST(ascending_fixed)
{
    elect(TURN_BY_TURN, (const int[PROCESSES]){1, 2, 3});
}

RH_TEST(mixed_fixed)
{
    elect(TURN_BY_TURN, (const int[PROCESSES]){1, 3, 2});
}

RH_TEST(whole_ring)
{
    int ids[PROCESSES];

    for (int i = 0; i < PROCESSES; i++)
        ids[i] = i + 1;
    elect(AFTER_START, ids);
}
