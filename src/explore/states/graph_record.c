// SPDX-License-Identifier: MIT
#include "explore/states/graph_record.h"

static struct rh_graph_level *get_level(struct rh_graph_record *record, uint32_t number)
{
    while (record->levels.count <= number)
        rh_vector_push(&record->levels);
    return &record->levels.items[number];
}

void rh_graph_record_delivery(struct rh_graph_record *record, const struct rh_world *world,
                              uint32_t message)
{
    record->delivered = message;
    get_level(record, world->number)->valid = false;
}

// A behaviour is the one that the actor was created with: a handler may have changed its own.
static uint32_t kind_of(const struct rh_world *world, const struct rh_message *message)
{
    const char *behaviour = world->actors[message->receiver].spawned_name;
    return (uint32_t)rh_hash64_text(behaviour, message->type->name_hash);
}

static void fill_scratch(struct rh_graph_record *record, const struct rh_decision *choices,
                         uint32_t choice_count, const struct rh_ranks *before,
                         const struct rh_ranks *after)
{
    record->scratch.count = 0;
    for (uint32_t i = 0; i < choice_count; i++)
        *rh_vector_push(&record->scratch) = (uint16_t)choices[i].index;
    for (uint32_t i = 0; i < before->messages.count; i++) {
        uint32_t rank = rh_ranks_find(after, before->messages.items[i]);
        *rh_vector_push(&record->scratch) = rank == RH_NONE ? RH_GRAPH_GONE : (uint16_t)rank;
    }
    // An empty vector has no items to point at, so one is pushed that does not count.
    rh_vector_push(&record->scratch);
}

// Adds the edge that stands for the test's body.
static void add_start(struct rh_graph_record *record, struct rh_state_graph *graph,
                      const struct rh_decision *choices, uint32_t choice_count)
{
    static const struct rh_ranks none;
    fill_scratch(record, choices, choice_count, &none, &none);
    struct rh_graph_delivery delivery = {.from = RH_GRAPH_START,
                                         .to = record->levels.items[0].node,
                                         .rank = RH_GRAPH_GONE,
                                         .progress = true,
                                         .choices = record->scratch.items,
                                         .choice_count = choice_count};
    rh_graph_add_edge(graph, &delivery);
}

static void add_edge(struct rh_graph_record *record, struct rh_state_graph *graph,
                     const struct rh_world *world, const struct rh_decision *choices,
                     uint32_t choice_count)
{
    const struct rh_graph_level *to = &record->levels.items[world->number], *from = to - 1;
    const struct rh_message *message = &world->messages[record->delivered];
    uint32_t rank = rh_ranks_find(&from->ranks, record->delivered);
    rh_assert(rank != RH_NONE);
    fill_scratch(record, choices, choice_count, &from->ranks, &to->ranks);
    struct rh_graph_delivery delivery = {.from = from->node,
                                         .to = to->node,
                                         .kind = kind_of(world, message),
                                         .rank = (uint16_t)rank,
                                         .progress = world->progressed,
                                         .choices = record->scratch.items,
                                         .choice_count = choice_count,
                                         .ranks = record->scratch.items + choice_count};
    rh_graph_add_edge(graph, &delivery);
}

// Whether an outcome does not fit into the graph.
static bool has_wide_choice(const struct rh_decision *choices, uint32_t choice_count)
{
    for (uint32_t i = 0; i < choice_count; i++)
        if (choices[i].index > UINT16_MAX)
            return true;
    return false;
}

void rh_graph_record_state(struct rh_graph_record *record, struct rh_state_graph *graph,
                           const struct rh_states *states, struct rh_world *world, uint32_t count,
                           const struct rh_decision *choices, uint32_t choice_count)
{
    struct rh_graph_level *level = get_level(record, world->number);
    graph->full |= has_wide_choice(choices, choice_count);
    // What a handler has left outside of the program's memory is part of the state, but of no
    // fingerprint.
    if (level->valid || graph->full || world->cannot_undo)
        return;
    rh_hash128 fingerprint = rh_ranks_fill(&level->ranks, states, world, count);
    level->node = rh_graph_add_node(graph, fingerprint, count);
    level->valid = level->node != RH_NONE;
    if (level->valid && world->number == 0)
        add_start(record, graph, choices, choice_count);
    else if (level->valid && level[-1].valid)
        add_edge(record, graph, world, choices, choice_count);
}
