// SPDX-License-Identifier: MIT
#include "flow/taken.h"

#include <stdlib.h>
#include <string.h>

struct marking {
    struct rh_flow_graph *graph;
    RH_VECTOR(struct rh_flow_place) places; // of all labels; the index is the label's number here
    bool *is_free;                          // by label: taken, and not only as a reply to an ask
    uint64_t *before;                       // by label: bits of the labels that it has come before
    size_t words;                           // length of a row of `before`
};

// A file's name is what the compiler was told. Compiled from another directory, it has more or less
// of the path.
static bool is_same_file(const char *one, const char *other)
{
    size_t left = strlen(one), right = strlen(other);
    size_t common = 0;
    while (common < left && common < right && one[left - common - 1] == other[right - common - 1])
        common++;
    bool is_left_done = common == left, is_right_done = common == right;
    if (is_left_done && is_right_done)
        return true;
    return (is_left_done && common > 0 && other[right - common - 1] == '/') ||
           (is_right_done && common > 0 && one[left - common - 1] == '/');
}

// Whether the node is the behaviour of this number in the traffic, where 0 is the outside.
static bool is_node(const struct rh_flow_node *node, const struct rh_traffic *traffic,
                    uint32_t number)
{
    if (number == 0 || !node->function)
        return number == 0 && !node->function;
    const struct rh_traffic_behaviour *behaviour = &traffic->behaviours.items[number - 1];
    return strcmp(node->function, behaviour->function) == 0 &&
           (!*behaviour->file || !node->file || is_same_file(node->file, behaviour->file));
}

static bool is_edge(const struct rh_flow_graph *graph, const struct rh_flow_edge *edge,
                    const struct rh_traffic *traffic, const struct rh_passage *passage)
{
    return edge->kind == passage->kind &&
           is_node(&graph->nodes.items[edge->from], traffic, passage->from) &&
           is_node(&graph->nodes.items[edge->to], traffic, passage->to);
}

// The type counts only for sends: a label of a creation has the type of the state.
static bool is_label(const struct rh_flow_label *label, const struct rh_passage *passage)
{
    return (label->line == passage->line || label->last_line == passage->line) &&
           is_same_file(label->file, passage->file) &&
           (passage->kind != RH_FLOW_SENDS || strcmp(label->type, passage->type) == 0);
}

// The number of the label that a passage goes along; the count of labels if there is none.
static size_t find_label(const struct marking *marking, const struct rh_traffic *traffic,
                         const struct rh_passage *passage)
{
    const struct rh_flow_graph *graph = marking->graph;
    size_t number = 0;
    for (; number < marking->places.count; number++) {
        struct rh_flow_place place = marking->places.items[number];
        if (is_edge(graph, &graph->edges.items[place.edge], traffic, passage) &&
            is_label(rh_flow_label_at(graph, place), passage))
            break;
    }
    return number;
}

static const char *name_of(const struct rh_traffic *traffic, uint32_t number)
{
    return number == 0 ? "outside" : traffic->behaviours.items[number - 1].function;
}

static void add_strange(struct rh_flow_graph *graph, const struct rh_traffic *traffic,
                        const struct rh_passage *passage)
{
    const char *from = name_of(traffic, passage->from), *to = name_of(traffic, passage->to);
    struct rh_text text = {0};
    rh_text_addf(&text, "%s:%d: ", passage->file, passage->line);
    if (passage->kind == RH_FLOW_SENDS)
        rh_text_addf(&text, "%s, sent by %s to %s", passage->type, from, to);
    else
        rh_text_addf(&text, "%s %s %s", from,
                     passage->kind == RH_FLOW_CREATES ? "creates" : "becomes", to);
    bool is_known = false;
    for (size_t i = 0; i < graph->strange.count && !is_known; i++)
        is_known = strcmp(graph->strange.items[i], rh_text_get(&text)) == 0;
    if (!is_known)
        *rh_vector_push(&graph->strange) = rh_text_take(&text);
    rh_text_fini(&text);
}

static void mark_passage(struct marking *marking, const struct rh_traffic *traffic,
                         const struct rh_passage *passage, size_t label)
{
    struct rh_flow_graph *graph = marking->graph;
    if (label >= marking->places.count) {
        add_strange(graph, traffic, passage);
        return;
    }
    struct rh_flow_edge *edge = &graph->edges.items[marking->places.items[label].edge];
    edge->labels.items[marking->places.items[label].label].is_taken = true;
    if (passage->kind == RH_FLOW_SENDS) {
        graph->nodes.items[edge->to].has_run = true;
        marking->is_free[label] = marking->is_free[label] || !passage->is_reply;
    }
}

static void mark_traffic(struct marking *marking, const struct rh_traffic *traffic)
{
    size_t count = traffic->passages.count;
    size_t *labels = rh_alloc((count + 1) * sizeof *labels);
    for (size_t i = 0; i < count; i++) {
        const struct rh_passage *passage = &traffic->passages.items[i];
        labels[i] = find_label(marking, traffic, passage);
        mark_passage(marking, traffic, passage, labels[i]);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (labels[i] < marking->places.count && labels[k] < marking->places.count &&
                rh_traffic_has_before(traffic, (uint32_t)i, (uint32_t)k))
                marking->before[labels[i] * marking->words + labels[k] / 64] |= UINT64_C(1)
                                                                                << labels[k] % 64;
    free(labels);
}

static bool has_before(const struct marking *marking, size_t first, size_t second)
{
    return marking->before[first * marking->words + second / 64] >> second % 64 & 1;
}

static void add_pairs(const struct marking *marking)
{
    struct rh_flow_graph *graph = marking->graph;
    for (size_t i = 0; i < marking->places.count; i++)
        for (size_t k = i + 1; k < marking->places.count; k++) {
            struct rh_flow_place first = marking->places.items[i],
                                 second = marking->places.items[k];
            if (marking->is_free[i] && marking->is_free[k] &&
                graph->edges.items[first.edge].to == graph->edges.items[second.edge].to)
                *rh_vector_push(&graph->pairs) = (struct rh_flow_pair){
                    first, second, has_before(marking, i, k), has_before(marking, k, i)};
        }
}

void rh_flow_mark_taken(struct rh_flow_graph *graph, const struct rh_traffic *const *traffic,
                        size_t count)
{
    struct marking marking = {.graph = graph};
    for (size_t i = 0; i < graph->edges.count; i++)
        for (size_t k = 0; k < graph->edges.items[i].labels.count; k++)
            *rh_vector_push(&marking.places) = (struct rh_flow_place){i, k};
    size_t labels = marking.places.count;
    marking.words = labels / 64 + 1;
    marking.is_free = rh_alloc((labels + 1) * sizeof *marking.is_free);
    marking.before = rh_alloc((labels + 1) * marking.words * sizeof *marking.before);
    graph->has_coverage = true;
    for (size_t i = 0; i < count; i++)
        mark_traffic(&marking, traffic[i]);
    add_pairs(&marking);
    rh_vector_fini(&marking.places);
    free(marking.is_free);
    free(marking.before);
}
