// SPDX-License-Identifier: MIT
#include "diagram/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "base/none.h"

// "master#1/worker#3" is a worker: its class is what stands between the last slash and the mark.
const char *rh_class_name(struct rh_arena *arena, const char *name)
{
    const char *slash = strrchr(name, '/');
    const char *begin = slash ? slash + 1 : name;
    size_t length = strcspn(begin, "#.");
    char *class = rh_arena_text(arena, begin, length);
    for (char *at = class; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at))
            *at = '_';
    return class;
}

static size_t count_class(const char *const *classes, size_t count, const char *class)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += !strcmp(classes[i], class);
    return found;
}

static void name_actors(struct rh_automaton *automaton)
{
    const struct rh_journal *journal = automaton->journal;
    RH_VECTOR(const char *) classes = {0};
    for (uint32_t i = 0; i < journal->actor_count; i++)
        *rh_vector_push(&classes) = rh_class_name(&automaton->arena, journal->actors[i].name);
    for (uint32_t i = 0; i < journal->actor_count; i++) {
        const char *class = classes.items[i];
        int64_t index = rh_names_count(&automaton->names, class) + 1;
        if (automaton->is_by_class && count_class(classes.items, classes.count, class) > 1)
            index = 0;
        *rh_vector_push(&automaton->actors) = rh_names_actor(&automaton->names, class, index);
    }
    rh_vector_fini(&classes);
    for (uint32_t i = 0; i < journal->type_count; i++)
        rh_names_type(&automaton->names, journal->types[i]);
    rh_names_close(&automaton->names);
}

void rh_automaton_map(struct rh_automaton *automaton, const struct rh_journal *journal,
                      struct rh_numbers_of *actors)
{
    for (uint32_t i = 0; i < journal->actor_count; i++) {
        uint32_t same = rh_journal_find_actor(automaton->journal, journal->actors[i].identity);
        *rh_vector_push(actors) =
            same == RH_NONE ? rh_names_actor(&automaton->names, journal->actors[i].name, 1)
                            : automaton->actors.items[same];
    }
}

struct rh_label rh_automaton_label(struct rh_automaton *automaton, const struct rh_journal *journal,
                                   const struct rh_numbers_of *actors,
                                   const struct rh_journal_message *message)
{
    rh_assert(message->sender < actors->count && message->receiver < actors->count);
    uint32_t from = actors->items[message->sender], to = actors->items[message->receiver];
    return (struct rh_label){.from = from,
                             .to = to,
                             .type =
                                 rh_names_type(&automaton->names, journal->types[message->type]),
                             .kind = message->kind,
                             .is_loose = rh_names_is_class(&automaton->names, from) ||
                                         rh_names_is_class(&automaton->names, to)};
}

static struct rh_label label_of(struct rh_automaton *automaton, uint32_t number)
{
    return rh_automaton_label(automaton, automaton->journal, &automaton->actors,
                              &automaton->journal->messages[number]);
}

// States by their fingerprints.
struct numbering {
    struct rh_table table;
    RH_VECTOR(rh_hash128) fingerprints; // of the states from 1 on
    uint32_t *of_steps;                 // owned; states behind steps
};

static uint32_t number_of(struct numbering *numbering, rh_hash128 fingerprint)
{
    uint64_t hash = (uint64_t)fingerprint;
    struct rh_probe probe = rh_table_probe(&numbering->table, hash);
    while (rh_probe_next(&probe))
        if (numbering->fingerprints.items[probe.number] == fingerprint)
            return probe.number + 1;
    uint32_t number = (uint32_t)numbering->fingerprints.count;
    *rh_vector_push(&numbering->fingerprints) = fingerprint;
    rh_table_add(&numbering->table, NULL, hash, number);
    return number + 1;
}

static void number_states(struct rh_automaton *automaton, struct numbering *numbering)
{
    const struct rh_journal *journal = automaton->journal;
    numbering->of_steps = rh_alloc((journal->step_count + (size_t)1) * sizeof *numbering->of_steps);
    for (uint32_t i = 0; i < journal->step_count; i++)
        numbering->of_steps[i] = number_of(numbering, journal->steps[i].state);
    for (size_t i = 0; i <= numbering->fingerprints.count; i++)
        rh_vector_push(&automaton->states);
    for (uint32_t i = 0; i < journal->step_count; i++) {
        automaton->states.items[numbering->of_steps[i]].is_end |= journal->steps[i].is_end;
        automaton->states.items[numbering->of_steps[i]].is_cut |= journal->steps[i].is_cut;
    }
}

static void add_edge(struct rh_automaton *automaton, const struct numbering *numbering,
                     uint32_t number)
{
    const struct rh_journal_step *step = &automaton->journal->steps[number];
    bool is_body = step->parent == RH_NONE;
    struct rh_edge edge = {.from = is_body ? 0 : numbering->of_steps[step->parent],
                           .to = numbering->of_steps[number],
                           .step = number};
    if (!is_body)
        edge.received = label_of(automaton, step->received);
    for (uint32_t i = 0; i < step->sent_count; i++)
        *rh_vector_push(&edge.sends) = label_of(automaton, step->first_sent + i);
    rh_sends_sort(&edge.sends);
    *rh_vector_push(&automaton->edges) = edge;
}

static int compare_edges(const void *one, const void *other)
{
    const struct rh_edge *left = one, *right = other;
    if (left->from != right->from)
        return left->from < right->from ? -1 : 1;
    return left->step < right->step ? -1 : left->step > right->step;
}

static bool is_same_edge(const struct rh_edge *one, const struct rh_edge *other)
{
    return one->from == other->from && one->to == other->to &&
           rh_label_equals(&one->received, &other->received) &&
           rh_sends_equal(&one->sends, &other->sends);
}

// Whether an edge from the same state is the same; those before `count` are kept.
static bool is_known(const struct rh_automaton *automaton, size_t count, const struct rh_edge *edge)
{
    for (size_t i = count; i-- > 0 && automaton->edges.items[i].from == edge->from;)
        if (is_same_edge(&automaton->edges.items[i], edge))
            return true;
    return false;
}

static void order_edges(struct rh_automaton *automaton)
{
    if (automaton->edges.count == 0)
        return;
    qsort(automaton->edges.items, automaton->edges.count, sizeof *automaton->edges.items,
          compare_edges);
    size_t kept = 0;
    for (size_t i = 0; i < automaton->edges.count; i++) {
        struct rh_edge edge = automaton->edges.items[i];
        if (is_known(automaton, kept, &edge)) {
            rh_sends_fini(&edge.sends);
            continue;
        }
        struct rh_automaton_state *state = &automaton->states.items[edge.from];
        if (state->edge_count++ == 0)
            state->first_edge = (uint32_t)kept;
        automaton->edges.items[kept++] = edge;
    }
    automaton->edges.count = kept;
}

static void init(struct rh_automaton *automaton, const struct rh_journal *journal, bool is_by_class)
{
    *automaton = (struct rh_automaton){.journal = journal, .is_by_class = is_by_class};
    struct numbering numbering = {0};
    name_actors(automaton);
    number_states(automaton, &numbering);
    for (uint32_t i = 0; i < journal->step_count; i++)
        add_edge(automaton, &numbering, i);
    order_edges(automaton);
    rh_table_fini(&numbering.table);
    rh_vector_fini(&numbering.fingerprints);
    free(numbering.of_steps);
}

void rh_automaton_init(struct rh_automaton *automaton, const struct rh_journal *journal)
{
    init(automaton, journal, false);
}

void rh_automaton_init_classes(struct rh_automaton *automaton, const struct rh_journal *journal)
{
    init(automaton, journal, true);
}

void rh_automaton_init_run(struct rh_automaton *automaton, const struct rh_journal *journal,
                           bool is_by_class)
{
    *automaton = (struct rh_automaton){.journal = journal, .is_by_class = is_by_class};
    RH_VECTOR(uint32_t) steps = {0};
    struct numbering numbering = {0};
    name_actors(automaton);
    for (uint32_t at = journal->step_count ? journal->step_count - 1 : RH_NONE; at != RH_NONE;
         at = journal->steps[at].parent)
        *rh_vector_push(&steps) = at;
    numbering.of_steps = rh_alloc((journal->step_count + (size_t)1) * sizeof *numbering.of_steps);
    for (size_t i = 0; i < steps.count; i++)
        numbering.of_steps[steps.items[steps.count - 1 - i]] = (uint32_t)i + 1;
    for (size_t i = 0; i < steps.count; i++) {
        uint32_t number = steps.items[steps.count - 1 - i];
        *rh_vector_push(&automaton->states) =
            (struct rh_automaton_state){.first_edge = (uint32_t)i, .edge_count = 1};
        add_edge(automaton, &numbering, number);
    }
    rh_vector_push(&automaton->states)->is_end =
        steps.count > 0 && journal->steps[steps.items[0]].is_end;
    free(numbering.of_steps);
    rh_vector_fini(&steps);
}

void rh_automaton_fini(struct rh_automaton *automaton)
{
    for (size_t i = 0; i < automaton->edges.count; i++)
        rh_sends_fini(&automaton->edges.items[i].sends);
    rh_vector_fini(&automaton->edges);
    rh_vector_fini(&automaton->states);
    rh_vector_fini(&automaton->actors);
    rh_names_fini(&automaton->names);
    rh_arena_fini(&automaton->arena);
}
