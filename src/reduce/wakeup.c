// SPDX-License-Identifier: MIT
#include "reduce/wakeup.h"

#include <string.h>

#include "base/mapping.h"
#include "base/status.h"

enum { NODES_MOST = 1 << 26 };

bool rh_wakeup_init(struct rh_wakeup *wakeup)
{
    *wakeup = (struct rh_wakeup){
        .nodes = rh_map_shared(sizeof *wakeup->nodes * NODES_MOST), .count = 1, .most = NODES_MOST};
    return wakeup->nodes != NULL;
}

void rh_wakeup_fini(struct rh_wakeup *wakeup)
{
    rh_unmap_shared(wakeup->nodes, sizeof *wakeup->nodes * NODES_MOST);
    *wakeup = (struct rh_wakeup){0};
}

static uint32_t take_node(struct rh_wakeup *wakeup, const struct rh_label *label)
{
    uint32_t index = wakeup->free;
    if (index != 0)
        wakeup->free = wakeup->nodes[index].next;
    else if (wakeup->count < wakeup->most)
        index = wakeup->count++;
    else
        return 0;
    wakeup->nodes[index] = (struct rh_wakeup_node){.label = *label};
    return index;
}

static void give_node(struct rh_wakeup *wakeup, uint32_t index)
{
    rh_assert(index > 0 && index < wakeup->count);
    wakeup->nodes[index].next = wakeup->free;
    wakeup->free = index;
}

// Whether the choices of a label begin like `outcomes`.
static bool begins_with(const struct rh_lists *lists, const struct rh_label *label,
                        const rh_outcomes *outcomes, uint32_t *length)
{
    *length = label->outcome == RH_ANY_OUTCOME ? 0 : rh_lists_length(lists, label->outcome);
    for (uint32_t i = 0; i < *length && i < outcomes->count; i++)
        if (rh_lists_get(lists, label->outcome, i) != outcomes->items[i])
            return false;
    return true;
}

static uint16_t without(uint16_t left, uint32_t used)
{
    return (uint16_t)(left > used ? left - used : 0);
}

void rh_use_faults(const struct rh_lists *lists, const struct rh_label *label, uint32_t count,
                   struct rh_faults *left)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = rh_lists_get(lists, label->outcome, i);
        uint32_t fault = rh_lists_get(lists, label->ways, i) >> RH_WAYS_SHIFT;
        if (fault == RH_FAULT_DROP)
            left->drops = without(left->drops, index);
        else if (fault == RH_FAULT_DUPLICATE)
            left->duplicates = without(left->duplicates, index);
    }
}

// How many ways the choice number `depth` of the label has, with the faults that are left there.
static uint32_t count_ways(const struct rh_lists *lists, const struct rh_label *label,
                           uint32_t depth, const struct rh_faults *left)
{
    struct rh_faults rest = *left;
    rh_use_faults(lists, label, depth, &rest);
    uint32_t ways = rh_lists_get(lists, label->ways, depth);
    switch (ways >> RH_WAYS_SHIFT) {
    case RH_FAULT_DROP:
        return 1 + (rest.drops > 0);
    case RH_FAULT_DUPLICATE:
        return UINT32_C(1) + rest.duplicates;
    default:
        return ways;
    }
}

bool rh_labels_cover(const struct rh_lists *lists, const rh_sequence *labels,
                     const struct rh_faults *left, rh_outcomes *outcomes)
{
    uint32_t depth = (uint32_t)outcomes->count, ways = 0;
    for (size_t i = 0; i < labels->count; i++) {
        const struct rh_label *label = &labels->items[i];
        uint32_t length;
        if (!begins_with(lists, label, outcomes, &length))
            continue;
        if (length <= depth)
            return true;
        ways = count_ways(lists, label, depth, left);
    }
    bool all = ways > 0;
    for (uint32_t way = 0; all && way < ways; way++) {
        *rh_vector_push(outcomes) = way;
        all = rh_labels_cover(lists, labels, left, outcomes);
        outcomes->count--;
    }
    return all;
}

// The first delivery of the sequence that the label depends on, which may be its own; the length if
// there is none.
static size_t find_touched(const rh_sequence *sequence, const struct rh_label *label)
{
    size_t i = 0;
    while (i < sequence->count && !rh_labels_depend(&sequence->items[i], label))
        i++;
    return i;
}

bool rh_touches(const struct rh_label *label, const rh_sequence *sequence)
{
    return find_touched(sequence, label) < sequence->count;
}

bool rh_is_initial(const struct rh_label *label, const rh_sequence *sequence)
{
    size_t i = find_touched(sequence, label);
    return i < sequence->count && rh_label_covers(label, &sequence->items[i]);
}

bool rh_is_weak_initial(const struct rh_label *label, const rh_sequence *sequence)
{
    size_t i = find_touched(sequence, label);
    bool follows = !label->is_faulty && label->outcome == RH_ANY_OUTCOME;
    return i == sequence->count ? follows : rh_label_covers(label, &sequence->items[i]);
}

bool rh_is_any_outcome_initial(const struct rh_label *label, const rh_sequence *sequence)
{
    if (label->outcome == RH_ANY_OUTCOME || label->is_faulty)
        return false;
    size_t i = find_touched(sequence, label);
    return i == sequence->count || (sequence->items[i].identity == label->identity &&
                                    sequence->items[i].outcome == RH_ANY_OUTCOME);
}

static void remove_label(rh_sequence *sequence, const struct rh_label *label)
{
    size_t i = find_touched(sequence, label);
    if (i == sequence->count)
        return;
    rh_assert(sequence->items);
    memmove(&sequence->items[i], &sequence->items[i + 1],
            sizeof *sequence->items * (sequence->count - i - 1));
    sequence->count--;
}

// Hangs the sequence in at `*place`, the end of a list of siblings.
static bool append(struct rh_wakeup *wakeup, uint32_t *place, const rh_sequence *sequence)
{
    for (size_t i = 0; i < sequence->count; i++) {
        uint32_t index = take_node(wakeup, &sequence->items[i]);
        if (index == 0)
            return false;
        *place = index;
        place = &wakeup->nodes[index].first;
    }
    return true;
}

// Whether one delivery can come first in the sequence, or follows in any case, and the labels have
// all its outcomes: then all that begins with the sequence is run behind one of them.
static bool has_all_outcomes(const struct rh_lists *lists, const rh_sequence *labels,
                             const struct rh_faults *left, const rh_sequence *sequence)
{
    bool all = false;
    for (size_t i = 0; i < labels->count && !all; i++) {
        if (!rh_is_any_outcome_initial(&labels->items[i], sequence))
            continue;
        rh_sequence same = {0};
        rh_outcomes outcomes = {0};
        for (size_t j = 0; j < labels->count; j++)
            if (labels->items[j].identity == labels->items[i].identity)
                *rh_vector_push(&same) = labels->items[j];
        all = rh_labels_cover(lists, &same, left, &outcomes);
        rh_vector_fini(&same);
        rh_vector_fini(&outcomes);
    }
    return all;
}

// Keeps what is still asleep behind the delivery.
static void wake(rh_sequence *asleep, const struct rh_label *label)
{
    size_t count = 0;
    for (size_t i = 0; i < asleep->count; i++)
        if (!rh_labels_depend(&asleep->items[i], label))
            asleep->items[count++] = asleep->items[i];
    asleep->count = count;
}

bool rh_wakeup_insert(struct rh_wakeup *wakeup, const struct rh_lists *lists, uint32_t *first,
                      rh_sequence *asleep, const struct rh_faults *left, rh_sequence *sequence)
{
    while (sequence->count > 0) {
        // Branches are run in their order, and in each of them the earlier ones are asleep. A
        // sequence that is run behind an earlier branch must not become a leaf of a later one: with
        // all outcomes of a delivery asleep the leaf is searched only in part, and yet stands for
        // all that begins with it.
        uint32_t *place = first;
        while (*place != 0 && !rh_is_weak_initial(&wakeup->nodes[*place].label, sequence)) {
            const struct rh_wakeup_node *node = &wakeup->nodes[*place];
            if (node->label.outcome != RH_ANY_OUTCOME) {
                *rh_vector_push(asleep) = node->label;
                if (has_all_outcomes(lists, asleep, left, sequence))
                    return true;
            }
            place = &wakeup->nodes[*place].next;
        }
        if (*place == 0)
            return append(wakeup, place, sequence);
        struct rh_wakeup_node *node = &wakeup->nodes[*place];
        // A leaf: everything that begins like it will be run.
        if (node->first == 0)
            return true;
        remove_label(sequence, &node->label);
        wake(asleep, &node->label);
        first = &node->first;
    }
    return true;
}

bool rh_wakeup_add(struct rh_wakeup *wakeup, uint32_t *first, const struct rh_label *label)
{
    for (; *first != 0; first = &wakeup->nodes[*first].next)
        if (rh_label_covers(&wakeup->nodes[*first].label, label))
            return true;
    *first = take_node(wakeup, label);
    return *first != 0;
}

void rh_wakeup_graft(struct rh_wakeup *wakeup, uint32_t *first, uint32_t other)
{
    while (*first != 0)
        first = &wakeup->nodes[*first].next;
    *first = other;
}

struct rh_label rh_wakeup_take(struct rh_wakeup *wakeup, uint32_t *first, uint32_t *rest)
{
    uint32_t index = *first;
    struct rh_wakeup_node node = wakeup->nodes[index];
    *first = node.next;
    *rest = node.first;
    give_node(wakeup, index);
    return node.label;
}

void rh_wakeup_drop(struct rh_wakeup *wakeup, uint32_t first)
{
    while (first != 0) {
        const struct rh_wakeup_node node = wakeup->nodes[first];
        uint32_t left = node.first;
        rh_wakeup_graft(wakeup, &left, node.next);
        give_node(wakeup, first);
        first = left;
    }
}
