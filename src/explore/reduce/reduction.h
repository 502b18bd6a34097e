// SPDX-License-Identifier: MIT
// What the files of the reductions share: the present execution as a list of points, and what is left to try at each.
#ifndef REHEARSE_EXPLORE_REDUCE_REDUCTION_H
#define REHEARSE_EXPLORE_REDUCE_REDUCTION_H

#include "explore/dependence/commute.h"
#include "explore/dependence/footprint.h"
#include "explore/dependence/lists.h"
#include "explore/reduce/revisit.h"
#include "explore/reduce/wakeup.h"
#include "explore/strategy/strategy.h"

#define RH_NO_POINT UINT32_MAX

// Reserved, not used up. Executions longer than this can't be reduced: the past of each delivery takes one bit for each
// one before it.
enum {
    RH_POINTS_MOST = 1 << 16,
    RH_LABELS_MOST = 1 << 26,
    RH_IDENTITIES_MOST = 1 << 26,
};

// A point of the present execution and the delivery that is made there.
struct rh_point {
    struct rh_label label;
    uint64_t due;
    uint32_t sender, receiver; // slots
    uint32_t sent_by;          // the point whose delivery sent it; RH_NO_POINT: the test's body
    enum rh_message_kind kind;
    uint32_t coming;   // see rh_message
    bool is_ordered;   // the order rule holds for it
    bool is_after_all; // all up to `sent_by` has led to it, see rh_message
    uint32_t request;  // a reply's; of a crash, what its victim waits for; RH_NONE: none
    uint32_t previous; // the last point before this one that it depends on; RH_NO_POINT: none
    // The first of the points in a row at this receiver that commute with each other.
    uint32_t segment;
    uint32_t decision; // number of its decision in the path
    bool has_begun;    // a delivery has been made here, this one or another
    bool is_taken;     // a delivery is being made or has been
    bool enumerates;   // all outcomes of its choices are tried
    bool failed;       // it has ended its execution
    bool has_failed;   // with this or another outcome
    bool has_survived; // with some outcome the search has gone on behind it
    bool goes_on;      // a delivery has failed here, or all its outcomes had been tried: what does
                       // not depend on it is tried as well
    bool
        was_refused; // a guard has refused what was to be made here: what that stood for is tried as well
    bool is_settled;  // nothing is to be done about its races, however the execution goes on
    bool is_left;     // what would be delivered at the end, if it were deliverable
    uint32_t message; // number of what is delivered
    uint32_t awaited, awaited_count; // what is pending: where in visits.awaited
    uint64_t memory;     // what is remembered of the state: where in visits.words; 0: nothing
    bool has_ended;      // nothing was deliverable here: an execution has ended
    bool tries_crashes;  // no message is left to begin with: all crashes are tried
    uint32_t identities; // of what is deliverable: where in `identities`, and how many
    uint32_t identity_count;
    uint32_t message_count;      // the first so many of them are no crashes
    uint32_t sleep, sleep_count; // in `labels`
    uint32_t wakeup;             // the tree of what is left to begin with; 0: nothing
    uint32_t tried;              // deliveries that are done with here, the last in the sleep set
    uint32_t rivals;             // messages that the receiver could have got here
    struct rh_faults left;       // that may still come
    uint32_t block_count; // at the first point of a segment: what commutes with each other there
    uint64_t block[RH_COMMUTING_MOST]; // identities
};

struct rh_reduction {
    struct rh_point *points;
    uint64_t *past;   // for each point a row of bits: the points that its delivery depends on
    uint64_t *behind; // such a row, of what several deliveries depend on
    struct rh_label *labels; // a stack
    uint64_t *identities;    // a stack
    uint32_t length;
    uint32_t analysed; // races of points before this one are dealt with in this execution
    uint32_t settled;  // all points before this one are settled
    uint32_t rest;     // the tree for the point that follows the last one
    bool has_ended;    // all of the present execution is behind it, but for how it is judged
    bool is_optimal;
    bool remembers; // states
    bool is_fifo;
    bool
        must_look_up; // what is deliverable depends on more than rules that can be applied afterwards
    struct rh_lists outcomes;
    struct rh_wakeup wakeup;
    struct rh_visits visits;
};

// What there is to look back at when an execution has come to its end.
struct rh_hindsight {
    const struct rh_path *path;
    // For asking guards about earlier states; NULL: they are not asked, and what they might refuse is tried.
    struct rh_world *world;
    struct rh_commute *commute;
    _Atomic uint64_t *heartbeat;
};

// For each point a row of bits in `past`: words in front of it.
size_t rh_row_start(uint32_t point);
// Whether the delivery at `index` depends on the one at `cause`, which is made before it.
bool rh_depends_on(const struct rh_reduction *reduction, uint32_t index, uint32_t cause);
// The last of the points before `end` whose delivery one with this label depends on. RH_NO_POINT: none.
uint32_t rh_find_previous(const struct rh_reduction *reduction, uint32_t end,
                          const struct rh_label *label);
// The last point before `at`, where a delivery was made that one with this label depends on, with such a
// delivery. RH_NO_POINT: none.
uint32_t rh_point_before(const struct rh_reduction *reduction, uint32_t at,
                         const struct rh_label *label);
// Finds out what the delivery at `index` depends on: what sent it, and what came before and touches the same.
void rh_learn_past(struct rh_reduction *reduction, uint32_t index);

// The delivery as it was made, with what its choices gave.
struct rh_label rh_made_label(struct rh_reduction *reduction, const struct rh_path *path,
                              uint32_t index);
// Whether the delivery is in the point's sleep set with each outcome that begins like this and that these faults allow.
// The list is given back as it was.
bool rh_are_asleep(const struct rh_reduction *reduction, const struct rh_point *point,
                   uint64_t identity, const struct rh_faults *left, rh_outcomes *outcomes);
// The same with every outcome.
bool rh_is_wholly_asleep(const struct rh_reduction *reduction, const struct rh_point *point,
                         uint64_t identity, const struct rh_faults *left);
// Whether the label is in the point's sleep set.
bool rh_is_asleep(const struct rh_reduction *reduction, const struct rh_point *point,
                  const struct rh_label *label);

// Whether the message was deliverable at the point.
bool rh_was_deliverable(const struct rh_reduction *reduction, const struct rh_point *at,
                        uint64_t identity);
// The delivery of a pending message behind the first `end` deliveries.
struct rh_point rh_describe(const struct rh_reduction *reduction,
                            const struct rh_choice_point *choice, const struct rh_message *message,
                            uint32_t end);

// Sees to it that the search begins with the sequence at the point, or with an equivalent one, unless it has. The
// sequence is used up.
void rh_try_sequence(struct rh_reduction *reduction, uint32_t at, rh_sequence *sequence);

// Looks for the deliveries before which this one could have come, and sees to it that it does in another execution.
// `late` is the delivery at `late_index`, or behind the last one, what is left over there. Gives whether nothing more is
// to be done about it as long as the deliveries up to it are the same.
bool rh_reverse_races(struct rh_reduction *reduction, const struct rh_hindsight *hindsight,
                      const struct rh_point *late, uint32_t late_index);
// The same for all deliveries that have not been looked at.
void rh_analyse_races(struct rh_reduction *reduction, const struct rh_hindsight *hindsight);

// Ends the worker: the search needs more room than there is.
_Noreturn void rh_reduction_no_room(const char *what);

#endif
