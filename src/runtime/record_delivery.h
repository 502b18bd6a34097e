// SPDX-License-Identifier: MIT
// How a delivery is recorded, and that an actor is created. In a header, so that a worker does it without a call: it is
// done for each message, and for each actor.
#ifndef REHEARSE_RUNTIME_RECORD_DELIVERY_H
#define REHEARSE_RUNTIME_RECORD_DELIVERY_H

#include "runtime/cell.h"
#include "runtime/recorder.h"

// The actor has come from another lane, and the last delivery to it is one that the records do not know of.
void rh__record_move(struct rh_lane *lane, uint32_t from, uint64_t last);
// What is in the log only gets into a record.
void rh__record_newest(struct rh_lane *lane);

// Before the handler begins, or goes on with a reply.
static inline void rh_record_delivery(struct rh_lane *lane, struct rh_cell *cell,
                                      const struct rh_mail *mail, bool is_reply)
{
    // Who was in which lane is nothing that a processor could predict; that it matters is rare.
    uint32_t from = (uint32_t)(cell->last & ((1 << RH_LOG_NUMBER) - 1));
    if (__builtin_expect(cell->last >= lane->known[from < RH_MOVE_LANES ? from : RH_MOVE_LANES], 0))
        rh__record_move(lane, from, cell->last >> RH_LOG_NUMBER);
    uint64_t number = lane->delivered + (UINT64_C(1) << RH_LOG_NUMBER);
    size_t place = (number >> RH_LOG_NUMBER) % RH_LOG_SIZE;
    struct rh_log *log = lane->log;
    log->stamps[place] = mail->due;
    log->types[place] = (uintptr_t)mail->type;
    log->names[place] = (uintptr_t)cell->spawned_name | rh_made_whole(lane->stamp, lane->birth)
                                                            << RH_LOG_MADE;
    // Should the process be killed here, all of it is in the file, or its number is not.
    __atomic_store_n(&log->what[place], number | (uint64_t)is_reply << RH_LOG_REPLY | mail->cell,
                     __ATOMIC_RELEASE);
    lane->delivered = number;
    cell->last = number | lane->number;
    if (__builtin_expect(place == RH_LOG_SIZE - 1, 0))
        rh__record_newest(lane);
}

// The lane's log gets to know this name of a behaviour.
void rh__record_tell_name(struct rh_lane *lane, const char *name);

// Of an actor, or of a sender outside.
static inline void rh_record_birth(struct rh_lane *lane, struct rh_cell *cell)
{
    __atomic_store_n(&cell->birth, (uint64_t)cell->life << RH_STAMP_BITS | lane->birth++,
                     __ATOMIC_RELEASE);
    // What an actor gets first comes after its creation in any case.
    cell->last = lane->number;
    if (cell->status == RH_CELL_ALIVE && __builtin_expect(cell->spawned_name != lane->told_last, 0))
        rh__record_tell_name(lane, cell->spawned_name);
}

#endif
