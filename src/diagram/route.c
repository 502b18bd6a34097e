// SPDX-License-Identifier: MIT
#include "diagram/route.h"

#include <stdlib.h>
#include <string.h>

#include "base/none.h"

// --- Routes. ---

struct router {
    const struct rh_automaton *automaton;
    const struct rh_binding *bindings;
    const struct rh_node *const *arrows;
    size_t count;
    // A place is a state together with how many arrows have shown before it.
    RH_VECTOR(size_t) open;
    size_t *before; // owned; by place: the place before it
    uint32_t *edge; // owned; by place: the edge that leads here; RH_NONE: none was found yet
};

static bool shows(const struct router *router, const struct rh_node *arrow,
                  const struct rh_edge *edge)
{
    const struct rh_names *names = &router->automaton->names;
    for (size_t i = 0; i < edge->sends.count && arrow->is_lost; i++)
        if (rh_arrow_means(names, arrow, router->bindings, &edge->sends.items[i]))
            return true;
    return !arrow->is_lost && edge->from != 0 &&
           rh_arrow_means(names, arrow, router->bindings, &edge->received);
}

// Follows what goes on from a place; gives the place where all arrows have shown, or SIZE_MAX.
static size_t go_on(struct router *router, size_t place)
{
    size_t stages = router->count + 1, stage = place % stages;
    struct rh_automaton_state state = router->automaton->states.items[place / stages];
    for (uint32_t i = 0; i < state.edge_count; i++) {
        uint32_t number = state.first_edge + i;
        const struct rh_edge *edge = &router->automaton->edges.items[number];
        size_t next = edge->to * stages + stage + shows(router, router->arrows[stage], edge);
        if (router->edge[next] != RH_NONE)
            continue;
        router->edge[next] = number;
        router->before[next] = place;
        *rh_vector_push(&router->open) = next;
        if (next % stages == router->count)
            return next;
    }
    return SIZE_MAX;
}

static void note_route(const struct router *router, size_t place, struct rh_route *route)
{
    for (; place != 0; place = router->before[place])
        *rh_vector_push(route) = router->edge[place];
    for (size_t i = 0; i < route->count / 2; i++) {
        uint32_t swapped = route->items[i];
        route->items[i] = route->items[route->count - 1 - i];
        route->items[route->count - 1 - i] = swapped;
    }
}

bool rh_route_find(const struct rh_automaton *automaton, const struct rh_binding *bindings,
                   const struct rh_node *const *arrows, size_t count, struct rh_route *route)
{
    struct router router = {
        .automaton = automaton, .bindings = bindings, .arrows = arrows, .count = count};
    size_t places = automaton->states.count * (count + 1), found = SIZE_MAX;
    router.before = rh_alloc((places + 1) * sizeof *router.before);
    router.edge = rh_alloc((places + 1) * sizeof *router.edge);
    memset(router.edge, 0xff, places * sizeof *router.edge);
    *rh_vector_push(&router.open) = 0;
    for (size_t i = 0; i < router.open.count && found == SIZE_MAX; i++)
        found = go_on(&router, router.open.items[i]);
    if (found != SIZE_MAX)
        note_route(&router, found, route);
    rh_vector_fini(&router.open);
    free(router.before);
    free(router.edge);
    return found != SIZE_MAX;
}

// --- Executions. ---

// Messages of an execution that ends with this step, the last first.
struct reader {
    struct rh_automaton *automaton;
    const struct rh_journal *journal;
    const struct rh_binding *bindings;
    struct rh_numbers_of actors;
};

static bool is_meant(struct reader *reader, const struct rh_node *arrow, uint32_t number)
{
    struct rh_label label = rh_automaton_label(reader->automaton, reader->journal, &reader->actors,
                                               &reader->journal->messages[number]);
    return rh_arrow_means(&reader->automaton->names, arrow, reader->bindings, &label);
}

static size_t count_sent(struct reader *reader, const struct rh_node *arrow, uint32_t last)
{
    size_t count = 0;
    for (uint32_t at = last; at != RH_NONE; at = reader->journal->steps[at].parent) {
        const struct rh_journal_step *step = &reader->journal->steps[at];
        for (uint32_t i = 0; i < step->sent_count; i++)
            count += is_meant(reader, arrow, step->first_sent + i);
    }
    return count;
}

static void add_execution(struct reader *reader, const struct rh_node *const *arrows, size_t count,
                          uint32_t last, struct rh_shows *shows)
{
    size_t sent[2] = {0};
    for (size_t i = 0; i < count; i++)
        sent[i] = count_sent(reader, arrows[i], last);
    for (size_t i = 0; i < count; i++) {
        shows[i].all++;
        if (sent[i] == 0)
            continue;
        if (shows[i].some++ == 0 || sent[i] < shows[i].least)
            shows[i].least = sent[i];
        shows[i].most = sent[i] > shows[i].most ? sent[i] : shows[i].most;
        shows[i].with_other += count == 2 && sent[1 - i] > 0;
    }
}

void rh_shows_count(struct rh_automaton *automaton, const struct rh_binding *bindings,
                    const struct rh_node *const *arrows, size_t count,
                    const struct rh_journal *classes, struct rh_shows *shows)
{
    struct reader reader = {automaton, classes, bindings, {0}};
    rh_automaton_map(automaton, classes, &reader.actors);
    for (uint32_t i = 0; i < classes->step_count; i++)
        if (classes->steps[i].is_end)
            add_execution(&reader, arrows, count, i, shows);
    rh_vector_fini(&reader.actors);
}

static bool step_shows(struct reader *reader, const struct rh_node *arrow,
                       const struct rh_journal_step *step)
{
    for (uint32_t i = 0; i < step->sent_count && arrow->is_lost; i++)
        if (is_meant(reader, arrow, step->first_sent + i))
            return true;
    return !arrow->is_lost && step->received != RH_NONE && is_meant(reader, arrow, step->received);
}

bool rh_route_is_run(struct rh_automaton *automaton, const struct rh_binding *bindings,
                     const struct rh_node *const *arrows, size_t count,
                     const struct rh_journal *run)
{
    struct reader reader = {automaton, run, bindings, {0}};
    size_t shown = 0;
    rh_automaton_map(automaton, run, &reader.actors);
    // The steps of one execution stand in its order.
    for (uint32_t i = 0; i < run->step_count && shown < count; i++)
        shown += step_shows(&reader, arrows[shown], &run->steps[i]);
    rh_vector_fini(&reader.actors);
    return shown == count;
}
