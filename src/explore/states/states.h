// SPDX-License-Identifier: MIT
// The set of states that a search has seen, as 128-bit fingerprints: 16 bytes a state in a table
// that is between two thirds and three quarters full, in ascending order but for free entries. The
// table lies in shared memory that is reserved at its largest and grows in place, so that it
// survives the workers that fill it.
#ifndef REHEARSE_EXPLORE_STATES_STATES_H
#define REHEARSE_EXPLORE_STATES_STATES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "explore/run.h"

struct rh_world;

struct rh_states {
    enum rh_states_mode mode;
    unsigned looks;  // what the program was seen to look at: enum rh_look
    bool has_looked; // the program has looked at something since states were compared without it
    rh_hash128 *entries; // 0: free. bitstate: the table of bits. NULL: states are not compared
    uint64_t capacity;   // entries, or bits
    uint64_t count;
    rh_hash128 latest;   // fingerprint of the newest visit
    uint64_t bits_set;   // of bitstate
    uint64_t bytes_most; // the tables do not grow beyond this size; not for bitstate
    char *whole;         // with --states-full: the states themselves, one behind the other; or NULL
    // Of each entry: place of its state in `whole`, or the number that a strategy remembers; or
    // NULL.
    uint64_t *places;
    uint64_t whole_top;
};

// A plain set. false if there is no memory.
bool rh_states_init(struct rh_states *states);
// What is kept of each state beside its fingerprint.
enum rh_states_kept { RH_KEEP_NOTHING, RH_KEEP_WHOLE, RH_KEEP_NUMBER };
// The states of a search.
bool rh_states_open(struct rh_states *states, enum rh_states_mode mode, enum rh_states_kept kept);
void rh_states_fini(struct rh_states *states);
void rh_states_clear(struct rh_states *states);

// What the world's present state is compared by.
rh_hash128 rh_states_fingerprint(const struct rh_states *states, struct rh_world *world);

// FULL: there is no room for more. BEYOND: there would be room, but the tables would grow beyond
// bytes_most. CLASH: another state has the same fingerprint.
enum rh_states_answer {
    RH_STATES_NEW,
    RH_STATES_KNOWN,
    RH_STATES_FULL,
    RH_STATES_BEYOND,
    RH_STATES_CLASH
};
// `beat` is increased now and then while the set grows, to show that growing is no hang.
enum rh_states_answer rh_states_add(struct rh_states *states, rh_hash128 fingerprint,
                                    _Atomic uint64_t *beat);
// Adds a fingerprint with the state that it stands for.
enum rh_states_answer rh_states_add_whole(struct rh_states *states, rh_hash128 fingerprint,
                                          const void *bytes, size_t size, _Atomic uint64_t *beat);
// Whether the strategy looks states up, and remembers something of each.
static inline bool rh_states_belong_to_strategy(const struct rh_states *states)
{
    return states->places && !states->whole;
}

// For searches that remember a number for each state: where the number is, 0 for a new state. Good
// until the next call. NULL if there is no room.
uint64_t *rh_states_remember(struct rh_states *states, rh_hash128 fingerprint,
                             _Atomic uint64_t *beat);
// Adds the world's present state, in whichever form states are kept.
enum rh_states_answer rh_states_visit(struct rh_states *states, struct rh_world *world,
                                      _Atomic uint64_t *beat);

// Bytes of the tables; 0 for a table of bits, whose pages come with use.
uint64_t rh_states_bytes(const struct rh_states *states);

// A bound on the chance that two different states were taken for one: two fingerprints of 128 bits
// that agree, or two of `actors` identities of 64 bits.
double rh_states_collision_chance(const struct rh_states *states, uint64_t actors);
// bitstate: the approximate chance that a new state was taken for a known one, for want of free
// bits.
double rh_states_omission_chance(const struct rh_states *states);

#endif
