// SPDX-License-Identifier: MIT
// What canonical forms are made with, and the first step: where blocks lie in a form.
//
// An actor is pinned if its blocks keep the places they have, books of the allocator included: if
// its memory holds something that no aligned word leads to, or if an address anywhere leads to
// where no live block is. What comes of such an address depends on what will be allocated next, and
// where.
#ifndef REHEARSE_WORLD_STATE_CANONICAL_LAYOUT_H
#define REHEARSE_WORLD_STATE_CANONICAL_LAYOUT_H

#include "world/state/held.h"

// Addresses that stand for the messages that a waiting handler has received.
#define RH_CANONICAL_PAYLOADS UINT64_C(0x170000000000)
#define RH_CANONICAL_MESSAGES UINT64_C(0x180000000000)
#define RH_CANONICAL_END UINT64_C(0x190000000000)

struct rh_canonical_block {
    uint32_t offset, capacity, size; // of the block in its slot
    uint32_t place;                  // offset in the form; 0: the block was not reached
    bool given;
};

struct rh_canonical_actor {
    uint32_t number; // place of the actor in the form; RH_NONE: none yet
    bool pinned;
    uint32_t first_block, block_count; // in `blocks` of rh_canonical
    uint32_t reached; // how many blocks were reached: those in order[first_block...]
    uint32_t first_received, first_sent; // units; RH_NONE: none
};

// A message without a channel, or all messages of a channel.
struct rh_canonical_unit {
    uint32_t message; // the first message
    uint32_t next_received, next_sent;
};

// A node of the graph. Nodes are actors by slot, then units.
struct rh_canonical_node {
    uint64_t colour, next;
    uint32_t first_edge;
    uint32_t weight; // of the node's last edge
};

struct rh_canonical_edge {
    uint32_t to; // slot of an actor
    uint32_t weight;
};

struct rh_canonical_key {
    uint64_t colour, then;
    uint32_t index;
};

// Memory that is used for one form after the other.
struct rh_canonical {
    const struct rh_world *world;
    bool exact;
    unsigned looks;
    uint64_t earliest;                 // earliest clock of an actor, if times are relative to it
    bool has_names;                    // there are actors or blocks that forms rename
    bool hides;                        // something was found that forms can't rename
    struct rh_held held;               // by the waiting actor that is being looked at
    bool holds;                        // the memory of that actor is being written down
    struct rh_canonical_actor *actors; // by slot
    uint32_t *by_number;
    struct rh_canonical_key *left;
    uint32_t actor_capacity, number_count, walked;
    struct rh_canonical_unit *units;
    struct rh_canonical_key *sorted;
    uint32_t unit_capacity, unit_count;
    struct rh_canonical_node *nodes;
    uint32_t node_capacity;
    struct rh_canonical_edge *edges;
    uint32_t edge_count, edge_capacity;
    struct rh_canonical_block *blocks; // of all actors, by address
    uint32_t *order;                   // blocks as they were reached
    uint32_t block_count, block_capacity;
    uint32_t *messages; // the pending messages, in the order of the form
    uint32_t message_count;
    uint64_t *words; // the form
    size_t word_count, word_capacity;
};

static inline size_t rh_canonical_state_words(const struct rh_actor_record *record)
{
    return (record->state_size + 7) / 8;
}

void rh_canonical_lay_out(struct rh_canonical *canonical);

// Takes an address of an actor, or in its memory, that was found somewhere: pins the actor if the
// address leads nowhere.
void rh_canonical_check_address(struct rh_canonical *canonical, uint64_t address);

// Where a place in an actor's slot is in the form.
uint32_t rh_canonical_offset(const struct rh_canonical *canonical, uint32_t slot, uint32_t offset);

#endif
