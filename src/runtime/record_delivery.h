// SPDX-License-Identifier: MIT
// How a delivery, and the creation of an actor, is recorded. In a header, so that a carrier records
// without a call: there is a record for each message and each actor.
#ifndef REHEARSE_RUNTIME_RECORD_DELIVERY_H
#define REHEARSE_RUNTIME_RECORD_DELIVERY_H

#include "runtime/cell.h"
#include "runtime/recorder.h"

// Called when the actor was in another lane before.
void rh__record_take_over(struct rh_lane *lane, struct rh_cell *cell);
// Called when the log is full.
void rh__record_log(struct rh_lane *lane);

// Called before the handler begins, or goes on with a reply.
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
    // The number is stored last: if the process is killed here, either the whole entry is in the
    // file, or its number is not.
    __atomic_store_n(&entry[RH_LOG_WHAT], number | (uint64_t)is_reply << RH_LOG_REPLY | mail->cell,
                     __ATOMIC_RELEASE);
    cell->last = number;
    lane->entry = ++entry;
    if (__builtin_expect((uintptr_t)entry % (sizeof *entry * RH_LOG_SIZE) == 0, 0))
        rh__record_log(lane);
}

// Lets the lane's log know this name of a behaviour.
void rh__record_tell_name(struct rh_lane *lane, const char *name);

// Records the birth of an actor, or of a sender outside.
static inline void rh_record_birth(struct rh_lane *lane, struct rh_cell *cell)
{
    __atomic_store_n(&cell->birth, (uint64_t)cell->life << RH_STAMP_BITS | lane->birth++,
                     __ATOMIC_RELEASE);
    // An actor's first delivery comes after its creation anyway, in another lane too, and so needs
    // no MOVE.
    cell->lane = lane->number & RH_CELL_LANE_MASK;
    cell->last = 0;
    if (cell->status != RH_CELL_OUTSIDE &&
        __builtin_expect(cell->spawned_name != lane->told_last, 0))
        rh__record_tell_name(lane, cell->spawned_name);
}

#endif
