// SPDX-License-Identifier: MIT
// How a delivery is recorded, and that an actor is created. In a header, so that a worker does it without a call: it is
// done for each message, and for each actor.
#ifndef REHEARSE_RUNTIME_RECORD_DELIVERY_H
#define REHEARSE_RUNTIME_RECORD_DELIVERY_H

#include "runtime/cell.h"
#include "runtime/recorder.h"

// The actor has come from another lane.
void rh__record_take_over(struct rh_lane *lane, struct rh_cell *cell);
// The log is full.
void rh__record_log(struct rh_lane *lane);

// Before the handler begins, or goes on with a reply.
static inline void rh_record_delivery(struct rh_lane *lane, struct rh_cell *cell,
                                      const struct rh_mail *mail, bool is_reply)
{
    if (__builtin_expect(cell->lane != lane->number, 0))
        rh__record_take_over(lane, cell);
    uint64_t *entry = lane->entry, number = rh_lane_next(lane);
    entry[RH_LOG_STAMP] = mail->due;
    entry[RH_LOG_TYPE] = (uintptr_t)mail->type;
    entry[RH_LOG_NAME] = (uintptr_t)cell->spawned_name | rh_made_whole(lane->stamp, lane->birth)
                                                             << RH_LOG_MADE;
    // Should the process be killed here, all of it is in the file, or its number is not.
    __atomic_store_n(&entry[RH_LOG_WHAT], number | (uint64_t)is_reply << RH_LOG_REPLY | mail->cell,
                     __ATOMIC_RELEASE);
    cell->last = number;
    lane->entry = ++entry;
    if (__builtin_expect((uintptr_t)entry % (sizeof *entry * RH_LOG_SIZE) == 0, 0))
        rh__record_log(lane);
}

// The lane's log gets to know this name of a behaviour.
void rh__record_tell_name(struct rh_lane *lane, const char *name);

// Of an actor, or of a sender outside.
static inline void rh_record_birth(struct rh_lane *lane, struct rh_cell *cell)
{
    __atomic_store_n(&cell->birth, (uint64_t)cell->life << RH_STAMP_BITS | lane->birth++,
                     __ATOMIC_RELEASE);
    // What an actor gets first comes after its creation in any case.
    cell->lane = lane->number & RH_CELL_LANE_MASK;
    cell->last = 0;
    if (cell->status == RH_CELL_ALIVE && __builtin_expect(cell->spawned_name != lane->told_last, 0))
        rh__record_tell_name(lane, cell->spawned_name);
}

#endif
