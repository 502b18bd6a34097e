// SPDX-License-Identifier: MIT
// What deliveries touch, as far as a search has seen it: the basis of every reduction.
//
// A delivery touches its receiver. One whose receiver is seen by an invariant that sees other actors too also touches
// what that invariant sees: the order of two such deliveries decides which combinations it gets to see. An invariant
// that looks at pending messages sees their receiver, and everybody who sends such. The same goes for actors that set timers for each other (an earlier timer holds back the later ones of its receiver) and for those
// that send in the name of one outside sender (what is sent in one name keeps its order). Where a delivery has been
// seen to touch what any other might read (data of a library, a file), every delivery is taken to touch everything.
//
// In memory that outlives the processes that run executions. When what is known has grown, a search that has relied
// on less starts again.
#ifndef REHEARSE_EXPLORE_DEPENDENCE_FOOTPRINT_H
#define REHEARSE_EXPLORE_DEPENDENCE_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/dependence/touched.h"
#include "world/world.h"

enum { RH_VIEWS_MOST = 1024, RH_PENDING_VIEWS_MOST = 64 };

struct rh_footprints {
    bool everything;
    bool has_grown;   // since the search began
    char reason[128]; // why everything
    uint32_t view_count;
    struct rh_view {
        uint64_t actor; // identity
        uint32_t judge;
        bool is_shared; // the judge sees other actors too
    } views[RH_VIEWS_MOST];
    uint32_t pending_view_count;
    struct rh_pending_view {
        uint64_t receiver; // identity
        uint64_t type;     // hash of its name
        uint32_t judge;
    } pending_views[RH_PENDING_VIEWS_MOST];
};

// What the delivery of the message touches, as far as it is known.
rh_touched rh_footprints_of(const struct rh_footprints *footprints, const struct rh_world *world,
                            const struct rh_message *message);

// Whether deliveries to this actor touch nothing else, and no invariant looks at it.
bool rh_footprint_is_unseen(const struct rh_footprints *footprints, const struct rh_world *world,
                            uint32_t slot);

// An invariant has looked at an actor.
void rh_footprints_add_view(struct rh_footprints *footprints, uint32_t judge, uint64_t actor);

// An invariant has looked at the messages of this type that are pending for an actor.
void rh_footprints_add_pending(struct rh_footprints *footprints, uint32_t judge, uint64_t receiver,
                               uint64_t type);

// A delivery to this actor is over: it has changed what is pending where invariants look.
void rh_footprints_note_sent(struct rh_footprints *footprints, const struct rh_world *world,
                             uint32_t slot);

// Deliveries to these two actors may depend on each other.
void rh_footprints_add_pair(struct rh_footprints *footprints, uint64_t first, uint64_t second);

// A guard has failed, and with it the execution. A message that the last delivery sent to somebody else has then met a
// state of its receiver that another order could have spared it.
void rh_footprints_add_guard(struct rh_footprints *footprints, const struct rh_world *world);

// From now on everything depends on everything.
void rh_footprints_add_everything(struct rh_footprints *footprints, const char *reason);

#endif
