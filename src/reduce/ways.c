// SPDX-License-Identifier: MIT
#include "reduce/ways.h"

#include "base/mapping.h"
#include "base/status.h"

// Reserved, not used up.
enum { LABELS_MOST = 1 << 26 };

bool rh_ways_init(struct rh_ways_memory *memory, bool is_optimal)
{
    *memory = (struct rh_ways_memory){.labels = rh_map_shared(sizeof *memory->labels * LABELS_MOST),
                                      .is_optimal = is_optimal};
    return memory->labels && rh_lists_init(&memory->outcomes) && rh_wakeup_init(&memory->wakeup);
}

void rh_ways_fini(struct rh_ways_memory *memory)
{
    rh_unmap_shared(memory->labels, sizeof *memory->labels * LABELS_MOST);
    rh_lists_fini(&memory->outcomes);
    rh_wakeup_fini(&memory->wakeup);
}

void rh_ways_reset(struct rh_ways_memory *memory)
{
    memory->wakeup.count = 1;
    memory->wakeup.free = 0;
}

// Sleep sets.

bool rh_ways_inherit(struct rh_ways_memory *memory, const struct rh_ways *before,
                     const struct rh_label *made, rh_commutes *commutes, const void *context,
                     struct rh_ways *ways)
{
    ways->sleep = before->sleep + before->sleep_count;
    for (uint32_t i = 0; i < before->sleep_count; i++) {
        const struct rh_label *label = &memory->labels[before->sleep + i];
        if (!rh_labels_depend(label, made) || (commutes && commutes(context, label)))
            memory->labels[ways->sleep + ways->sleep_count++] = *label;
    }
    return ways->sleep + ways->sleep_count <= LABELS_MOST / 2;
}

void rh_ways_put_to_sleep(struct rh_ways_memory *memory, struct rh_ways *ways,
                          const struct rh_label *label)
{
    memory->labels[ways->sleep + ways->sleep_count++] = *label;
}

bool rh_is_asleep(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                  const struct rh_label *label)
{
    for (uint32_t i = 0; i < ways->sleep_count; i++)
        if (rh_label_covers(&memory->labels[ways->sleep + i], label))
            return true;
    return false;
}

// Adds the labels of the identity in the sleep set.
static void add_sleepers(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                         uint64_t identity, rh_sequence *labels)
{
    for (uint32_t i = 0; i < ways->sleep_count; i++)
        if (memory->labels[ways->sleep + i].identity == identity)
            *rh_vector_push(labels) = memory->labels[ways->sleep + i];
}

bool rh_are_asleep(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                   uint64_t identity, const struct rh_faults *left, rh_outcomes *outcomes)
{
    rh_sequence labels = {0};
    add_sleepers(memory, ways, identity, &labels);
    bool all = rh_labels_cover(&memory->outcomes, &labels, left, outcomes);
    rh_vector_fini(&labels);
    return all;
}

bool rh_is_wholly_asleep(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                         uint64_t identity, const struct rh_faults *left)
{
    rh_outcomes none = {0};
    bool all = rh_are_asleep(memory, ways, identity, left, &none);
    rh_vector_fini(&none);
    return all;
}

// Sequences.

void rh_label_make_any(struct rh_label *label)
{
    label->outcome = RH_ANY_OUTCOME;
    label->is_faulty = label->is_crash;
}

// Of a single outcome of a choice: whether the event can come first or follows in any case, and the
// search has had all its other outcomes as well, as far as faults are left for them behind the
// sequence.
static bool is_outcome_covered(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                               const struct rh_label *label, const struct rh_faults *left,
                               const rh_sequence *sequence)
{
    return rh_is_any_outcome_initial(label, sequence) &&
           rh_is_wholly_asleep(memory, ways, label->identity, left);
}

// Whether the search has had everything that begins with the sequence. A sequence that is not to be
// cut short also holds what comes after the race, so that an event which is not in it does not
// depend on anything in it.
static bool is_covered(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                       const struct rh_faults *left, const rh_sequence *sequence)
{
    for (uint32_t i = 0; i < ways->sleep_count; i++) {
        const struct rh_label *label = &memory->labels[ways->sleep + i];
        bool is_weak = memory->is_optimal && !label->fails;
        if (is_weak ? rh_is_weak_initial(label, sequence) : rh_is_initial(label, sequence))
            return true;
        if (is_weak && is_outcome_covered(memory, ways, label, left, sequence))
            return true;
    }
    return false;
}

// Source sets: the first event of a sequence is enough, unless another one that can come first is
// tried already.
static void shorten(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                    rh_sequence *sequence)
{
    for (uint32_t at = ways->wakeup; at != 0; at = memory->wakeup.nodes[at].next)
        if (rh_is_initial(&memory->wakeup.nodes[at].label, sequence)) {
            sequence->count = 0;
            return;
        }
    sequence->count = 1;
    rh_label_make_any(&sequence->items[0]);
}

// The faults that may follow the sequence.
static struct rh_faults left_behind(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                                    const rh_sequence *sequence)
{
    struct rh_faults left = ways->left;
    for (size_t i = 0; i < sequence->count; i++) {
        const struct rh_label *label = &sequence->items[i];
        if (label->outcome != RH_ANY_OUTCOME)
            rh_use_faults(&memory->outcomes, label,
                          rh_lists_length(&memory->outcomes, label->outcome), &left);
    }
    return left;
}

bool rh_ways_try(struct rh_ways_memory *memory, struct rh_ways *ways, rh_sequence *sequence)
{
    const struct rh_faults left = left_behind(memory, ways, sequence);
    if (is_covered(memory, ways, &left, sequence))
        return true;
    if (!memory->is_optimal)
        shorten(memory, ways, sequence);
    rh_sequence asleep = {0};
    for (uint32_t i = 0; i < ways->sleep_count; i++)
        if (memory->labels[ways->sleep + i].outcome != RH_ANY_OUTCOME)
            *rh_vector_push(&asleep) = memory->labels[ways->sleep + i];
    bool has_room = rh_wakeup_insert(&memory->wakeup, &memory->outcomes, &ways->wakeup, &asleep,
                                     &left, sequence);
    rh_vector_fini(&asleep);
    return has_room;
}

bool rh_ways_try_one(struct rh_ways_memory *memory, struct rh_ways *ways,
                     const struct rh_label *label)
{
    return rh_is_asleep(memory, ways, label) ||
           rh_wakeup_add(&memory->wakeup, &ways->wakeup, label);
}

bool rh_ways_are_settled(const struct rh_ways_memory *memory, const struct rh_ways *ways,
                         const rh_sequence *beginning)
{
    for (uint32_t i = 0; i < ways->sleep_count; i++)
        if (rh_is_initial(&memory->labels[ways->sleep + i], beginning))
            return true;
    for (uint32_t at = ways->wakeup; at != 0; at = memory->wakeup.nodes[at].next) {
        const struct rh_wakeup_node *node = &memory->wakeup.nodes[at];
        if (rh_is_initial(&node->label, beginning))
            return node->first == 0;
        // An event that touches nothing in the beginning may be in the rest.
        if (!rh_touches(&node->label, beginning))
            return false;
    }
    return false;
}
