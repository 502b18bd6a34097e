// SPDX-License-Identifier: MIT
// Shared by the files of the reductions: the present execution as a list of points, and what is
// left to try at each.
#ifndef REHEARSE_EXPLORE_REDUCE_REDUCTION_H
#define REHEARSE_EXPLORE_REDUCE_REDUCTION_H

#include "base/none.h"
#include "explore/dependence/commute.h"
#include "explore/dependence/footprint.h"
#include "explore/reduce/revisit.h"
#include "explore/strategy/strategy.h"
#include "reduce/ways.h"

// Reserved, not used up. Longer executions can't be reduced: the past of each delivery takes one
// bit for each delivery before it.
enum {
    RH_POINTS_MOST = 1 << 16,
    RH_IDENTITIES_MOST = 1 << 26,
};

// A point of the present execution and the delivery that is made there.
struct rh_point {
    struct rh_label label;
    uint64_t due;
    uint32_t sender, receiver; // slots
    uint32_t sent_by; // the point whose delivery sent the message; RH_NONE: the test's body
    uint32_t also_by; // an earlier point whose delivery was needed as well; RH_NONE: none
    enum rh_message_kind kind;
    uint32_t coming;   // see rh_message
    bool is_ordered;   // the order rule holds for the message
    bool is_after_all; // all deliveries up to `sent_by` have led to the message, see rh_message
    uint32_t request;  // of a reply: its request; of a crash: the victim's request; RH_NONE: none
    uint32_t previous; // the last earlier point that this one depends on; RH_NONE: none
    // The first of the points in a row at this receiver that commute with each other.
    uint32_t segment;
    uint32_t decision; // number of the point's decision in the path
    bool has_begun;    // a delivery has been made here, this one or another
    bool is_taken;     // a delivery is being made or has been
    bool enumerates;   // all outcomes of the delivery's choices are tried
    bool failed;       // the delivery has ended its execution
    bool has_failed;   // the delivery has ended an execution, with this or another outcome
    bool has_survived; // with some outcome of the delivery the search has gone on behind it
    // A delivery has failed here, or all its outcomes had been tried: deliveries that do not depend
    // on it are tried as well.
    bool goes_on;
    // A guard has refused the delivery that was to be made here: what it stood for is tried as
    // well.
    bool was_refused;
    bool is_settled; // nothing is to be done about the point's races, however the execution goes on
    // The message is left over at the end, and would be delivered if it were deliverable.
    bool is_left;
    uint32_t message;                // number of the message
    uint32_t awaited, awaited_count; // pending messages: where in visits.awaited
    uint64_t memory;     // what is remembered of the state: where in visits.words; 0: nothing
    bool has_ended;      // nothing was deliverable here: an execution has ended
    bool tries_crashes;  // no message is left to begin with: all crashes are tried
    uint32_t identities; // of what is deliverable: where in the reduction's `identities`
    uint32_t identity_count;
    uint32_t message_count; // how many of the identities, from the first on, are no crashes
    struct rh_ways ways;
    uint32_t tried;  // deliveries that are done with here, the last ones in the sleep set
    uint32_t rivals; // messages that the receiver could have got here
    // At the first point of a segment: how many messages commute with each other there.
    uint32_t block_count;
};

// The identities of messages that commute with each other at a point, see block_count. Few points
// have any, and points are copied often.
struct rh_block {
    uint64_t identities[RH_COMMUTING_MOST];
};

struct rh_reduction {
    struct rh_point *points;
    struct rh_block *blocks; // one for each point
    uint64_t *past;       // for each point a row of bits: the points that its delivery depends on
    uint64_t *behind;     // a row of bits: the points that several deliveries depend on
    uint64_t *identities; // a stack
    uint32_t length;
    uint32_t analysed; // races of points before this one are dealt with in this execution
    uint32_t settled;  // all points before this one are settled
    uint32_t rest;     // the tree for the point that follows the last one
    bool has_ended;    // the present execution has come to its end, and has only to be judged
    bool remembers;    // the search remembers states
    bool is_fifo;
    // Which messages are deliverable depends on more than rules that can be applied afterwards.
    bool must_look_up;
    struct rh_ways_memory memory;
    struct rh_visits visits;
};

// What there is to look back at when an execution has come to its end.
struct rh_hindsight {
    const struct rh_path *path;
    // For asking guards about earlier states. NULL: guards are not asked, and messages that they
    // might refuse are tried.
    struct rh_world *world;
    struct rh_commute *commute;
    _Atomic uint64_t *heartbeat;
};

// How many words of `past` stand in front of a point's row of bits.
size_t rh_row_start(uint32_t point);
// Whether the delivery at `index` depends on the one at `cause`, which is made before it.
bool rh_depends_on(const struct rh_reduction *reduction, uint32_t index, uint32_t cause);
// Whether the delivery at `cause` is the one at `point`, or depends on it. RH_NONE is neither.
bool rh_comes_of(const struct rh_reduction *reduction, uint32_t cause, uint32_t point);
// The last point before `end` whose delivery one with this label depends on. RH_NONE: none.
uint32_t rh_find_previous(const struct rh_reduction *reduction, uint32_t end,
                          const struct rh_label *label);
// rh_find_previous for a point `at` with a delivery that one with this label depends on: the next
// such point before it. RH_NONE: none.
uint32_t rh_point_before(const struct rh_reduction *reduction, uint32_t at,
                         const struct rh_label *label);
// Finds out what the delivery at `index` depends on: the delivery that sent its message, and
// earlier ones that depend on it by what they touch.
void rh_learn_past(struct rh_reduction *reduction, uint32_t index);

// The delivery as it was made, with what its choices gave.
struct rh_label rh_made_label(struct rh_reduction *reduction, const struct rh_path *path,
                              uint32_t index);

// Whether the message was deliverable at the point.
bool rh_was_deliverable(const struct rh_reduction *reduction, const struct rh_point *at,
                        uint64_t identity);
// The delivery of a pending message behind the first `end` deliveries.
struct rh_point rh_describe(const struct rh_reduction *reduction,
                            const struct rh_choice_point *choice, const struct rh_message *message,
                            uint32_t end);

// Sees to it that the search begins with the sequence at the point, or with an equivalent one,
// unless it has. The sequence is used up.
void rh_try_sequence(struct rh_reduction *reduction, uint32_t at, rh_sequence *sequence);

// Looks for the deliveries before which `late` could have come, and sees to it that it does in
// another execution. `late` is the delivery at `late_index`, or a message that is left over behind
// the last one. Gives whether nothing more is to be done about `late` as long as the deliveries up
// to it are the same.
bool rh_reverse_races(struct rh_reduction *reduction, const struct rh_hindsight *hindsight,
                      const struct rh_point *late, uint32_t late_index);
// rh_reverse_races for all deliveries that have not been looked at.
void rh_analyse_races(struct rh_reduction *reduction, const struct rh_hindsight *hindsight);

// Ends the worker: the search needs more room than there is.
_Noreturn void rh_reduction_no_room(const char *what);

#endif
