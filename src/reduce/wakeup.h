// SPDX-License-Identifier: MIT
// Wakeup trees: the beginnings of executions that a reduced search still has to run, as Abdulla,
// Aronis, Jonsson and Sagonas describe them ("Source Sets: A Foundation for Optimal Dynamic Partial
// Order Reduction", JACM 2017).
//
// A tree belongs to a point of the present execution. Each path from its root is a sequence of
// deliveries to begin with there; no two such sequences begin executions of the same class.
//
// Trees lie in memory that outlives the processes that run executions: nodes are numbered, not
// pointed to.
#ifndef REHEARSE_REDUCE_WAKEUP_H
#define REHEARSE_REDUCE_WAKEUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"
#include "reduce/lists.h"
#include "reduce/touched.h"
#include "trace/fault.h"

// Whatever the outcomes of rh_choose are.
#define RH_ANY_OUTCOME UINT32_MAX

// An event as reductions see it, a delivery or what a thread does next.
struct rh_label {
    uint64_t identity; // of the message, or of the thread
    const struct rh_touched *touched;
    uint32_t outcome; // what the delivery's rh_choose gave, as a number of rh_lists; RH_ANY_OUTCOME
    // How many ways each choice had (rh_choice_pack), another list; unless outcome is
    // RH_ANY_OUTCOME.
    uint32_t ways;
    bool fails; // the delivery ends its execution: nothing that begins with it goes on
    bool is_crash;
    // The label is a crash, or its outcome has a fault: it need not come, and may leave too few
    // faults for what could follow without it.
    bool is_faulty;
};

// Whether the first label stands for the second too.
static inline bool rh_label_covers(const struct rh_label *label, const struct rh_label *other)
{
    return label->identity == other->identity &&
           (label->outcome == RH_ANY_OUTCOME || label->outcome == other->outcome);
}

// Whether the order of these events matters.
static inline bool rh_labels_depend(const struct rh_label *one, const struct rh_label *other)
{
    return rh_depends(one->touched, other->touched) || one->identity == other->identity;
}

typedef RH_VECTOR(struct rh_label) rh_sequence;

// Outcomes of the first choices of a delivery.
typedef RH_VECTOR(uint32_t) rh_outcomes;

// A choice of `count` ways. `fault` is a number of enum rh_fault if the choice is about a drop or a
// duplicate, 0 for an rh_choose. A fault has as many ways as faults may still come.
enum { RH_WAYS_SHIFT = 28 };
static inline uint32_t rh_choice_pack(uint32_t count, uint32_t fault)
{
    return count | fault << RH_WAYS_SHIFT;
}

// Takes away from the faults that are left those that the first `count` choices of the label use.
void rh_use_faults(const struct rh_lists *lists, const struct rh_label *label, uint32_t count,
                   struct rh_faults *left);

// Whether these labels of one delivery stand for each of its outcomes that begins like `outcomes`,
// where these faults are left. `outcomes` is given back as it was.
bool rh_labels_cover(const struct rh_lists *lists, const rh_sequence *labels,
                     const struct rh_faults *left, rh_outcomes *outcomes);

struct rh_wakeup_node {
    struct rh_label label;
    uint32_t first; // child; 0: none
    uint32_t next;  // sibling; 0: none
};

struct rh_wakeup {
    struct rh_wakeup_node *nodes; // node 0 is not used
    uint32_t count, most;
    uint32_t free; // list by `next`
};

// false if there is no memory.
bool rh_wakeup_init(struct rh_wakeup *wakeup);
void rh_wakeup_fini(struct rh_wakeup *wakeup);

// Whether the label depends on something in the sequence.
bool rh_touches(const struct rh_label *label, const rh_sequence *sequence);

// Whether the label is in the sequence, and depends on nothing in front of it there.
bool rh_is_initial(const struct rh_label *label, const rh_sequence *sequence);

// Whether the label is an initial of the sequence; or is not in the sequence, depends on nothing
// there, and is no fault and no single outcome of a choice: then it follows in any case. A single
// outcome need not follow: another may follow the sequence as well, and only an execution that
// begins with the sequence is sure to show it.
bool rh_is_weak_initial(const struct rh_label *label, const rh_sequence *sequence);

// Of a label that stands for a single outcome of a choice, and no fault: whether a label for any
// outcome would be a weak initial.
bool rh_is_any_outcome_initial(const struct rh_label *label, const rh_sequence *sequence);

// Adds a sequence to the tree whose first branch `*first` is, unless the tree has it. `asleep` are
// the single outcomes of choices that have been tried where the tree belongs, `left` the faults
// that may follow the sequence. Both lists are used up. false if there is no room.
bool rh_wakeup_insert(struct rh_wakeup *wakeup, const struct rh_lists *lists, uint32_t *first,
                      rh_sequence *asleep, const struct rh_faults *left, rh_sequence *sequence);

// Adds a branch of one delivery, unless there is one that begins with it. false if there is no
// room.
bool rh_wakeup_add(struct rh_wakeup *wakeup, uint32_t *first, const struct rh_label *label);

// Hangs a whole tree behind the branches of another.
void rh_wakeup_graft(struct rh_wakeup *wakeup, uint32_t *first, uint32_t other);

// Takes the first branch away and gives its label; the tree below that branch becomes `*rest`.
struct rh_label rh_wakeup_take(struct rh_wakeup *wakeup, uint32_t *first, uint32_t *rest);

// Gives a whole tree back.
void rh_wakeup_drop(struct rh_wakeup *wakeup, uint32_t first);

#endif
