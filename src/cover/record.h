// SPDX-License-Identifier: MIT
// Writes the receives of an execution down while the execution happens. All of the record is in
// memory that outlives the workers, so that a worker that takes over from another goes on writing
// where the other has stopped.
#ifndef REHEARSE_COVER_RECORD_H
#define REHEARSE_COVER_RECORD_H

#include "cover/coverage.h"
#include "explore/dependence/footprint.h"
#include "world/world.h"

enum { RH_EVENTS_MOST = 1 << 24, RH_MESSAGES_MOST = 1 << 26 };

// What is written down with a receive, and needed only until the execution is over.
struct rh_record_mark {
    uint64_t channel; // identifies sender and receiver; 0 if the message keeps no order
    uint32_t message; // the message's number, in sending order
};

// A place that holds for one execution only. An array of these need not be cleared before each
// execution: an entry with the number of another execution counts as empty. Some arrays keep
// another number of the execution instead of a place.
struct rh_record_place {
    uint32_t execution;
    uint32_t place;
};

// What guards have said about a message in an execution.
struct rh_record_refusal {
    uint32_t execution;   // number of the execution; an entry of another execution says nothing
    uint32_t receives;    // how many receives the execution had when the message was last refused
    uint32_t disabled_at; // as in rh_receive
    bool was_accepted;    // a guard has accepted the message at some time
    bool is_refused;      // the newest answer of a guard refuses the message
    bool was_refused;     // a guard has refused the message at some time
};

struct rh_record {
    struct rh_receives execution;
    uint32_t number;                  // number of the execution, from 1
    bool has_overflowed;              // the execution has more receives than there is room for
    bool is_unsettled;                // what the newest receive has done is not written down yet
    bool has_guards;                  // some behaviour of the program has a guard
    uint32_t receiver;                // slot of the newest receive's actor
    rh_behaviour *behaviour;          // behaviour of the newest receive's actor before it
    struct rh_footprints *footprints; // what receives touch; NULL: nobody notes it
    // Why nothing more is learned about what receives touch; empty while something is.
    char learns_no_more[sizeof(((struct rh_footprints *)0)->reason)];
    uint32_t named;                     // how many deeds of the footprints have got names
    struct rh_record_mark *marks;       // by place
    struct rh_record_place *places;     // by event: the place of its receive in the execution
    struct rh_record_refusal *refusals; // by message
};

// false if there is no address space.
bool rh_record_open(struct rh_record *record);
void rh_record_close(struct rh_record *record);

void rh_record_start(struct rh_record *record);

// Writes down what the newest delivery has done, and which messages guards refuse since. To be
// called before the next delivery is chosen.
void rh_record_settle(struct rh_record *record, struct rh_coverage *coverage,
                      const struct rh_world *world);

// Writes down that this message is received next. false if there is no room for the receive.
bool rh_record_receive(struct rh_record *record, struct rh_coverage *coverage,
                       const struct rh_world *world, const struct rh_message *message);

// Nothing is deliverable any more: messages that are pending for stopped actors count as received
// too late.
void rh_record_end(struct rh_record *record, struct rh_coverage *coverage,
                   const struct rh_world *world);

// The execution is over, however it ended: relates its receives to each other, and notes in
// `coverage` what they touch as far as it is known now.
void rh_record_finish(struct rh_record *record, struct rh_coverage *coverage);

#endif
