// SPDX-License-Identifier: MIT
// How a delivery is recorded. In a header, so that a worker does it without a call: it is done for each message.
#ifndef REHEARSE_RUNTIME_RECORD_DELIVERY_H
#define REHEARSE_RUNTIME_RECORD_DELIVERY_H

#include "runtime/cell.h"
#include "runtime/recorder.h"

// The first word comes last, so that whoever finds it finds all of the record, should the process be killed here. What
// has been written is in the file for good, and processors of this kind write in order.
static inline void rh__record_write_first(uint64_t *record, uint64_t first, uint64_t sum)
{
    __atomic_store_n(record, first | rh_record_checksum(first, sum), __ATOMIC_RELEASE);
}

// Bits of the first word.
enum { RH__FIRST_ITEM = 16, RH__FIRST_MADE = 32, RH__FIRST_GUESSED = 32 + RH_MADE_BITS };

// Items come before the first word, and count only when that does.
static inline void rh__record_add_item(struct rh_lane *lane, uint16_t item)
{
    __atomic_store_n(lane->item++, item, __ATOMIC_RELAXED);
    lane->sum = rh_item_sum(lane->sum, item);
    lane->first += UINT64_C(1) << RH__FIRST_ITEM;
}

// What was guessed since the last item becomes one.
static inline void rh__record_add_guessed(struct rh_lane *lane)
{
    unsigned guessed = RH_GUESSED_MOST - lane->guessed_room;
    rh__record_add_item(lane, (uint16_t)(guessed << 1 | 1));
    lane->first -= (uint64_t)guessed << RH__FIRST_GUESSED;
    lane->guessed_room = RH_GUESSED_MOST;
}

static inline void rh__record_extend_guessed(struct rh_lane *lane)
{
    lane->guessed_room--;
    lane->first += UINT64_C(1) << RH__FIRST_GUESSED;
}

// For people, and for the next lane that gets the actor.
static inline void rh__record_note(struct rh_lane *lane, struct rh_cell *cell,
                                   const struct rh_mail *mail, bool is_reply)
{
    uint64_t number = lane->delivered += UINT64_C(1) << RH_LOG_NUMBER;
    struct rh_log_entry *entry = &lane->log[(number >> RH_LOG_NUMBER) % RH_LOG_SIZE];
    entry->type = (uintptr_t)mail->type;
    entry->behaviour = (uintptr_t)cell->spawned_name;
    entry->what = number | (uint64_t)is_reply << RH_LOG_REPLY | mail->cell;
    cell->last = number;
}

// The newest record has it; writes that down, and for people.
static inline void rh__record_finish(struct rh_lane *lane, struct rh_cell *cell,
                                     const struct rh_mail *mail, bool is_reply)
{
    rh__record_write_first(
        lane->newest, lane->first | (uint64_t)rh_made(lane->stamp, lane->birth) << RH__FIRST_MADE,
        lane->sum);
    rh__record_note(lane, cell, mail, is_reply);
}

// Of any lane, and whatever the newest record is.
void rh__record_other(struct rh_lane *lane, struct rh_cell *cell, const struct rh_mail *mail,
                      bool is_reply);

// Before the handler begins, or goes on with a reply. Most deliveries go one of two ways: they are guessed, or one item
// says what they are.
static inline void rh_record_delivery(struct rh_lane *lane, struct rh_cell *cell,
                                      const struct rh_mail *mail, bool is_reply)
{
    struct rh_outlook *outlook = &lane->outlook;
    int64_t difference = (int64_t)(*rh_stamp_place(mail) - outlook->next);
    if (__builtin_expect(cell->lane != lane->number || lane->guessed_room == 0, 0)) {
        rh__record_other(lane, cell, mail, is_reply);
        return;
    }
    if (difference == rh_outlook_guess(outlook)) {
        rh__record_extend_guessed(lane);
    } else if (rh_difference_fits(difference, RH_ITEM_BITS) && lane->item <= lane->last_item) {
        if (lane->guessed_room < RH_GUESSED_MOST)
            rh__record_add_guessed(lane);
        rh__record_add_item(lane, (uint16_t)((uint64_t)difference << 1));
        outlook->guesses[outlook->context] = (int32_t)difference;
    } else {
        rh__record_other(lane, cell, mail, is_reply);
        return;
    }
    rh_outlook_pass(outlook, difference);
    rh__record_finish(lane, cell, mail, is_reply);
}

#endif
