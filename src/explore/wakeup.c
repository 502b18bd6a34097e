// SPDX-License-Identifier: MIT
#include "explore/wakeup.h"

#include <string.h>

#include "base/reserve.h"

enum { NODES_MOST = 1 << 26 };

bool rh_wakeup_init(struct rh_wakeup *wakeup)
{
    *wakeup = (struct rh_wakeup){
        .nodes = rh_reserve(sizeof *wakeup->nodes * NODES_MOST), .count = 1, .most = NODES_MOST};
    return wakeup->nodes != NULL;
}

void rh_wakeup_fini(struct rh_wakeup *wakeup)
{
    rh_release(wakeup->nodes, sizeof *wakeup->nodes * NODES_MOST);
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
    wakeup->nodes[index].next = wakeup->free;
    wakeup->free = index;
}

// The first delivery of the sequence that touches the object; the length if there is none.
static size_t find_object(const rh_sequence *sequence, uint64_t object)
{
    size_t i = 0;
    while (i < sequence->count && sequence->items[i].object != object)
        i++;
    return i;
}

bool rh_is_initial(const struct rh_label *label, const rh_sequence *sequence)
{
    size_t i = find_object(sequence, label->object);
    return i < sequence->count && rh_label_covers(label, &sequence->items[i]);
}

bool rh_is_weak_initial(const struct rh_label *label, const rh_sequence *sequence)
{
    size_t i = find_object(sequence, label->object);
    bool follows = !label->is_faulty && label->outcome == RH_ANY_OUTCOME;
    return i == sequence->count ? follows : rh_label_covers(label, &sequence->items[i]);
}

static void remove_label(rh_sequence *sequence, const struct rh_label *label)
{
    size_t i = find_object(sequence, label->object);
    if (i == sequence->count)
        return;
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

bool rh_wakeup_insert(struct rh_wakeup *wakeup, uint32_t *first, rh_sequence *sequence)
{
    while (sequence->count > 0) {
        uint32_t *place = first;
        while (*place != 0 && !rh_is_weak_initial(&wakeup->nodes[*place].label, sequence))
            place = &wakeup->nodes[*place].next;
        if (*place == 0)
            return append(wakeup, place, sequence);
        struct rh_wakeup_node *node = &wakeup->nodes[*place];
        // A leaf: everything that begins like this will be run.
        if (node->first == 0)
            return true;
        remove_label(sequence, &node->label);
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
        struct rh_wakeup_node node = wakeup->nodes[first];
        rh_wakeup_drop(wakeup, node.first);
        give_node(wakeup, first);
        first = node.next;
    }
}
