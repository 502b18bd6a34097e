// SPDX-License-Identifier: MIT
// Random programs that may go round for ever: a few machines with a few states each, which tell each other notes. What a
// machine does with a note depends on the seed, its number, its state and the note. rounds.c runs them as actors;
// rounds_oracle.c knows nothing of Rehearse and explores them in the plainest way.
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

enum { MACHINES = 3, STATES = 3, NOTES = 3, SENDS = 2 };

struct action {
    int state;      // afterwards
    int send_count; // notes that it sends
    int to[SENDS];  // to these machines
    int note[SENDS];
    bool progress;
};

static inline uint32_t draw(uint32_t *random, uint32_t below)
{
    *random ^= *random << 13;
    *random ^= *random >> 17;
    *random ^= *random << 5;
    return (*random >> 8) % below;
}

static inline uint32_t start_of(int seed, int machine, int state, int note, int outcome)
{
    uint32_t random = 2463534242u + (uint32_t)seed * 7919u;
    const int parts[] = {machine, state, note, outcome};
    for (int i = 0; i < 4; i++) {
        random += (uint32_t)(parts[i] + 1) * 2654435761u;
        for (int k = 0; k < 3; k++)
            draw(&random, 2);
    }
    return random ? random : 1;
}

// How many outcomes the machine chooses among; 1: it does not choose.
static inline int choices_of(int seed, int machine, int state, int note)
{
    uint32_t random = start_of(seed, machine, state, note, 100);
    return draw(&random, 6) == 0 ? 2 : 1;
}

static inline bool accepts(int seed, int machine, int state, int note)
{
    uint32_t random = start_of(seed, machine, state, note, 200);
    return seed % 3 == 0 || draw(&random, 5) > 0;
}

static inline struct action action_of(int seed, int machine, int state, int note, int outcome)
{
    uint32_t random = start_of(seed, machine, state, note, outcome);
    struct action action = {.state = draw(&random, 2) ? state : (int)draw(&random, STATES)};
    uint32_t many = draw(&random, 12);
    action.send_count = many < 3 ? 0 : many < 11 ? 1 : 2;
    for (int i = 0; i < action.send_count; i++) {
        action.to[i] = draw(&random, 2) ? machine : (int)draw(&random, MACHINES);
        action.note[i] = (int)draw(&random, NOTES);
    }
    action.progress = seed % 2 == 0 && draw(&random, 6) == 0;
    return action;
}

// What the invariant of a watched program says about the states of the first two machines. They are both in state 0 at
// first.
static inline bool may_both_be(int first, int second)
{
    return first == 0 || first != second;
}

// What is sent first: a note to each machine.
static inline int first_notes(int seed)
{
    return seed % 5 == 0 ? 2 : 3;
}

static inline int first_note(int seed, int index)
{
    uint32_t random = start_of(seed, index, 0, 0, 300);
    return (int)draw(&random, NOTES);
}

#endif
