// SPDX-License-Identifier: MIT
// Writes the receives of a run down while it happens. All of it is in memory that outlives the workers, so that a worker
// that takes over from another goes on writing where that one stopped.
#ifndef REHEARSE_COVER_RECORD_H
#define REHEARSE_COVER_RECORD_H

#include "cover/coverage.h"
#include "world/world.h"

enum { RH_EVENTS_MOST = 1 << 24, RH_MESSAGES_MOST = 1 << 26 };

// A receive as it is written, besides what it becomes.
struct rh_record_mark {
    uint64_t channel; // of sender and receiver; 0 if no order is kept
    uint32_t message; // its number, in sending order
};

// A place in a run; of any other run it says nothing.
struct rh_record_place {
    uint32_t run;
    uint32_t place;
};

// What guards have said about a message in a run.
struct rh_record_refusal {
    uint32_t run;
    uint32_t receives;    // how many there were when it was last refused
    uint32_t disabled_at; // see rh_receive
    bool was_accepted;    // before it was refused
    bool is_refused;      // when it was last looked at
    bool was_refused;     // at some time
};

struct rh_record {
    struct rh_receives run;
    uint32_t number;         // of the run, from 1
    bool has_overflowed;     // there are more receives than fit
    bool is_unsettled;       // what the newest receive has done is not written down yet
    bool has_guards;         // some behaviour has one
    uint32_t receiver;       // of the newest receive: its slot, and
    rh_behaviour *behaviour; // what it was before
    struct rh_record_mark *marks;
    struct rh_record_place *places;     // by event: where it is
    struct rh_record_refusal *refusals; // by message
};

// false if there is no address space.
bool rh_record_open(struct rh_record *record);
void rh_record_close(struct rh_record *record);

void rh_record_start(struct rh_record *record);

// What the newest delivery has done, and what is refused since. To be called before the next is chosen.
void rh_record_settle(struct rh_record *record, const struct rh_world *world);

// This message is received next. false if there is no room for it.
bool rh_record_receive(struct rh_record *record, struct rh_coverage *coverage,
                       const struct rh_world *world, const struct rh_message *message);

// Nothing is deliverable any more: what stopped actors did not take counts as received too late.
void rh_record_end(struct rh_record *record, struct rh_coverage *coverage,
                   const struct rh_world *world);

// The run is over, however it ended: relates its receives to each other.
void rh_record_finish(struct rh_record *record, const struct rh_coverage *coverage);

#endif
