// SPDX-License-Identifier: MIT
// What deliveries touch, as far as a search has seen it: the basis of every reduction.
//
// A delivery writes its receiver. What else deliveries do to each other is learned by watching
// them, for all deliveries of one type of message to one actor, or for all deliveries to that
// actor:
//
// - An invariant that looks at several actors can tell the order of two deliveries that change what
//   it looks at: each of the two writes that invariant. A delivery changes what an invariant looks
//   at if the invariant looks at its receiver and the delivery has changed the receiver, or if it
//   sends or takes messages of a type that the invariant looks at while they are pending, or if it
//   creates an actor whose name the invariant looks for. A delivery that does nothing of this does
//   not touch the invariant.
// - An earlier timer holds back the later timers of its receiver. A delivery that sets a timer for
//   another actor reads that actor's timers, and every delivery to that actor writes them: two
//   actors that set timers for a third do not depend on each other.
// - Messages that are sent in the name of one outside sender keep their order: whoever sends one
//   writes that name.
// - A guard that fails ends the execution in the delivery that sent the message it was asked about:
//   that delivery reads the guard's actor.
// - Threads that use something in common write it: those deliveries do whose message declares it
//   (`touches` of the adapter), or all deliveries of a thread that has used it in another one.
//
// Where a delivery has been seen to touch what any other might read (data of a library, a file),
// every delivery is taken to write everything.
//
// Footprints are in memory that outlives the processes that run executions. When more is known than
// before, a search that has relied on less starts again.
#ifndef REHEARSE_EXPLORE_DEPENDENCE_FOOTPRINT_H
#define REHEARSE_EXPLORE_DEPENDENCE_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "reduce/touched.h"
#include "world/world.h"

enum {
    RH_VIEWS_MOST = 1024,
    RH_PENDING_VIEWS_MOST = 64,
    RH_NAMED_VIEWS_MOST = 64,
    RH_DEEDS_MOST = 4096,
    RH_FOOTPRINTS_KEPT = 1024, // a power of two
    RH_JUDGED_MOST = 64,
};

// As the type of a deed: deliveries of every type. As the type of a delivery: a delivery of any
// type.
#define RH_ANY_TYPE UINT64_C(0)

struct rh_footprints {
    bool everything;
    bool has_grown;   // more has become known since the search began
    char reason[128]; // why every delivery is taken to touch everything
    struct rh_touched_sets sets;
    const struct rh_touched *whole; // set of a delivery that touches everything
    uint32_t view_count;
    struct rh_view {
        uint64_t actor; // identity
        uint32_t judge;
        bool is_shared; // the judge looks at other actors too
    } views[RH_VIEWS_MOST];
    uint32_t pending_view_count;
    struct rh_pending_view {
        uint64_t receiver; // identity
        uint64_t type;     // hash of the type's name
        uint32_t judge;
    } pending_views[RH_PENDING_VIEWS_MOST];
    uint32_t named_view_count;
    struct rh_named_view {
        uint64_t name; // hash
        uint32_t judge;
    } named_views[RH_NAMED_VIEWS_MOST];
    // What deliveries have been seen to touch besides their receiver.
    uint32_t deed_count;
    struct rh_deed {
        uint64_t actor; // identity of the receiver
        uint64_t type;  // hash of the message's type; RH_ANY_TYPE
        struct rh_touch touch;
    } deeds[RH_DEEDS_MOST];
    // How many deliveries the search has made, and, for the first invariants that look at several
    // actors, how many of these deliveries have changed what the invariant looks at.
    uint64_t delivered;
    bool is_counted; // the delivery that is noted now
    struct rh_judged {
        uint64_t changes;
        uint64_t latest; // number of the last delivery that changed what the invariant looks at
        char name[64];
    } judged[RH_JUDGED_MOST];
    // Sets that were asked for lately, by actor, type and what the message declares.
    struct rh_known_set {
        uint64_t actor, type;
        uint64_t declared;                // hash; 0: nothing
        const struct rh_touched *touched; // NULL: none
    } known[RH_FOOTPRINTS_KEPT];
};

struct rh_footprints *rh_footprints_new(void); // NULL if there is no memory
void rh_footprints_free(struct rh_footprints *footprints);

// The search starts again with what is known.
void rh_footprints_restart(struct rh_footprints *footprints);

// Adds why deliveries depend on each other: all of them, or nine in ten because of one invariant.
// Adds nothing if there is no such reason.
void rh_footprints_explain(const struct rh_footprints *footprints, struct rh_text *text);

// What the delivery of the message touches, as far as it is known.
const struct rh_touched *rh_footprints_of(struct rh_footprints *footprints,
                                          const struct rh_world *world,
                                          const struct rh_message *message);

// The same for deliveries of this type to the actor of this identity, without what their messages
// declare.
const struct rh_touched *rh_footprints_of_type(struct rh_footprints *footprints, uint64_t actor,
                                               uint64_t type);

// Adds what the object with this number is, in words such as "the invariant one_leader". Gives
// whether a delivery that writes the object may change what later ones lead to that touch it: by
// what threads share, and by a name, since messages in one name keep their order. An invariant only
// looks, and whoever sets a timer for another actor sets it in any case.
bool rh_footprint_describe(const struct rh_world *world, uint64_t number, struct rh_text *text);

// What deliveries to this actor touch, whatever is delivered.
const struct rh_touched *rh_footprints_of_actor(struct rh_footprints *footprints,
                                                const struct rh_world *world, uint32_t slot);

// Takes what the message declares for something that all deliveries to its receiver touch.
void rh_footprints_add_declared(struct rh_footprints *footprints, const struct rh_world *world,
                                const struct rh_message *message);

// Whether deliveries to this actor touch nothing else, and no invariant looks at the actor.
bool rh_footprint_is_unseen(const struct rh_footprints *footprints, const struct rh_world *world,
                            uint32_t slot);

// An invariant has looked at an actor.
void rh_footprints_add_view(struct rh_footprints *footprints, uint32_t judge, uint64_t actor);

// An invariant has looked at the messages of this type that are pending for an actor.
void rh_footprints_add_pending(struct rh_footprints *footprints, uint32_t judge, uint64_t receiver,
                               uint64_t type);

// An invariant has looked for the actor of this name, which is hashed.
void rh_footprints_add_named(struct rh_footprints *footprints, uint32_t judge, uint64_t name);

// The delivery of the message is over. `has_changed`: the delivery has changed its receiver.
// `is_new`: the search has not made this delivery before, so that notes count it.
void rh_footprints_note(struct rh_footprints *footprints, const struct rh_world *world,
                        const struct rh_message *message, bool has_changed, bool is_new);

// Notes that deliveries to this actor, all or those of a type, touch this object too.
void rh_footprints_add_deed(struct rh_footprints *footprints, uint64_t actor, uint64_t type,
                            struct rh_touch touch);

// The type of a message as deeds name it.
uint64_t rh_footprint_type(const struct rh_message *message);

// A guard has failed, and with it the execution. If the last delivery sent the message to somebody
// else, the message has met a state of its receiver that another order could have spared it.
void rh_footprints_add_guard(struct rh_footprints *footprints, const struct rh_world *world);

// From now on everything depends on everything.
void rh_footprints_add_everything(struct rh_footprints *footprints, const char *reason);

#endif
