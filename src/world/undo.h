// SPDX-License-Identifier: MIT
// What a delivery is about to change, as it lies on the undo stack: an rh_undo_record, behind it
// the receiver's memory, the payload of the message and, if a reply is delivered, the payload of
// the message that the handler was called with; the other actors, if they share memory; then what
// globals.c adds.
#ifndef REHEARSE_WORLD_UNDO_H
#define REHEARSE_WORLD_UNDO_H

#include "world/world.h"

struct rh_undo_record {
    size_t previous; // offset of the record of the delivery before
    bool has_memory; // the receiver's memory was saved
    uint32_t message;
    uint32_t receiver;
    struct rh_actor_record record;
    uint32_t actor_count;
    uint32_t message_count;
    uint32_t number;
    uint32_t busy_count;
    size_t payload_top;
    void *payload;
    rh_hash128 fingerprint;
    struct rh_faults faults;
    size_t tape_top;
    size_t globals; // offset of the saved pages of globals; 0: none
    size_t others;  // offset of the other actors (commons.h); 0: no memory was shared yet
};

static inline size_t rh_undo_round_up(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

static inline size_t rh_undo_memory_size(const struct rh_undo_record *undo)
{
    return undo->has_memory ? undo->record.heap.used - RH_STATE_OFFSET : 0;
}

// Puts back an actor's memory, and what changes of its record. `memory` is NULL if an earlier
// delivery has saved the memory, and will be taken back too.
void rh_undo_restore_actor(struct rh_world *world, uint32_t slot,
                           const struct rh_actor_record *record, const void *memory);

static inline const char *rh_undo_payload(const struct rh_undo_record *undo)
{
    return (const char *)undo + rh_undo_round_up(sizeof *undo + rh_undo_memory_size(undo));
}

#endif
