// SPDX-License-Identifier: MIT
#include "diagram/machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/none.h"

enum { MACHINE_STATES = 1000 };

// States of the program that an actor can't tell apart: in ascending order.
struct group {
    struct rh_form_list states;
};

struct maker {
    struct rh_machine *machine;
    const struct rh_automaton *automaton;
    uint32_t actor;
    uint32_t *labels; // owned; by edge: RH_NONE if the actor has no part in the edge
    RH_VECTOR(struct group) groups;
    struct rh_table table;
    bool *is_in; // owned; by state of the program
};

// --- Labels. ---

static void add_party(const struct maker *maker, struct rh_text *text, const char *word,
                      uint32_t actor)
{
    rh_text_addf(text, " %s ", word);
    rh_names_print_actor(&maker->automaton->names, text, actor);
}

static const char *type_of(const struct maker *maker, const struct rh_label *label)
{
    return maker->automaton->names.types.items[label->type];
}

// "request from outside / work to worker[1], work to worker[2]".
static void add_label(const struct maker *maker, struct rh_text *text, const struct rh_edge *edge)
{
    if (edge->from != 0) {
        rh_text_add(text, type_of(maker, &edge->received));
        add_party(maker, text, "from", edge->received.from);
    }
    for (size_t i = 0; i < edge->sends.count; i++) {
        const struct rh_label *sent = &edge->sends.items[i];
        rh_text_addf(text, "%s%s", i ? ", " : " / ", type_of(maker, sent));
        add_party(maker, text, "to", sent->to);
    }
}

static uint32_t number_of(struct maker *maker, const char *label)
{
    struct rh_machine *machine = maker->machine;
    for (uint32_t i = 0; i < machine->labels.count; i++)
        if (!strcmp(machine->labels.items[i], label))
            return i;
    *rh_vector_push(&machine->labels) = rh_arena_text(&machine->arena, label, strlen(label));
    return (uint32_t)machine->labels.count - 1;
}

static void label_edges(struct maker *maker)
{
    const struct rh_automaton *automaton = maker->automaton;
    maker->labels = rh_alloc((automaton->edges.count + 1) * sizeof *maker->labels);
    for (size_t i = 0; i < automaton->edges.count; i++) {
        const struct rh_edge *edge = &automaton->edges.items[i];
        struct rh_text text = {0};
        bool takes_part = edge->from == 0 ? maker->actor == 0 : edge->received.to == maker->actor;
        if (takes_part)
            add_label(maker, &text, edge);
        maker->labels[i] = text.length ? number_of(maker, rh_text_get(&text)) : RH_NONE;
        rh_text_fini(&text);
    }
}

// --- Groups. ---

// Adds all states to which others lead while the actor does nothing.
static void close_group(struct maker *maker, struct rh_form_list *states)
{
    const struct rh_automaton *automaton = maker->automaton;
    for (size_t i = 0; i < states->count; i++)
        maker->is_in[states->items[i]] = true;
    for (size_t i = 0; i < states->count; i++) {
        struct rh_automaton_state state = automaton->states.items[states->items[i]];
        for (uint32_t k = state.first_edge; k < state.first_edge + state.edge_count; k++) {
            uint32_t to = automaton->edges.items[k].to;
            if (maker->labels[k] != RH_NONE || maker->is_in[to])
                continue;
            maker->is_in[to] = true;
            *rh_vector_push(states) = to;
        }
    }
    for (size_t i = 0; i < states->count; i++)
        maker->is_in[states->items[i]] = false;
    rh_form_list_sort(states);
}

// Takes the states, which are closed.
static uint32_t add_group(struct maker *maker, struct rh_form_list *states)
{
    uint64_t hash = rh_hash64(states->items, states->count * sizeof *states->items, 0);
    struct rh_probe probe = rh_table_probe(&maker->table, hash);
    while (rh_probe_next(&probe)) {
        const struct rh_form_list *known = &maker->groups.items[probe.number].states;
        if (known->count == states->count &&
            !memcmp(known->items, states->items, states->count * sizeof *states->items)) {
            rh_form_list_fini(states);
            return probe.number;
        }
    }
    rh_table_add(&maker->table, NULL, hash, (uint32_t)maker->groups.count);
    *rh_vector_push(&maker->groups) = (struct group){*states};
    bool ends = false;
    for (size_t i = 0; i < states->count; i++)
        ends |= maker->automaton->states.items[states->items[i]].is_end;
    *rh_vector_push(&maker->machine->ends) = ends;
    return (uint32_t)maker->groups.count - 1;
}

// The group behind a label; none if the group does not have it.
static void follow_label(struct maker *maker, uint32_t number, uint32_t label)
{
    const struct rh_automaton *automaton = maker->automaton;
    struct rh_form_list from = maker->groups.items[number].states, to = {0};
    for (size_t i = 0; i < from.count; i++) {
        struct rh_automaton_state state = automaton->states.items[from.items[i]];
        for (uint32_t k = state.first_edge; k < state.first_edge + state.edge_count; k++)
            if (maker->labels[k] == label)
                *rh_vector_push(&to) = automaton->edges.items[k].to;
    }
    if (to.count == 0)
        return;
    rh_form_list_sort(&to);
    close_group(maker, &to);
    uint32_t group = add_group(maker, &to);
    *rh_vector_push(&maker->machine->edges) = (struct rh_machine_edge){number, group, label};
}

// --- The smallest machine. ---

// What a state is worth: its class, and the classes that its edges lead to.
static uint64_t signature(const struct rh_machine *machine, const uint32_t *classes, uint32_t state)
{
    uint64_t hash = classes[state] + UINT64_C(1);
    for (size_t i = 0; i < machine->edges.count; i++) {
        const struct rh_machine_edge *edge = &machine->edges.items[i];
        if (edge->from == state)
            hash = rh_hash64_pair(hash, (uint64_t)edge->label << 32 | classes[edge->to]);
    }
    return hash;
}

// Splits classes by signatures; gives how many there are. Numbers go by first states.
static uint32_t split(const struct rh_machine *machine, uint32_t *classes, uint64_t *signatures)
{
    uint32_t count = 0, states = (uint32_t)machine->ends.count;
    uint32_t *next = rh_alloc((states + 1) * sizeof *next);
    for (uint32_t i = 0; i < states; i++)
        signatures[i] = signature(machine, classes, i);
    for (uint32_t i = 0; i < states; i++) {
        uint32_t k = 0;
        while (signatures[k] != signatures[i])
            k++;
        next[i] = k < i ? next[k] : count++;
    }
    memcpy(classes, next, states * sizeof *classes);
    free(next);
    return count;
}

// Keeps one state of each class.
static void merge(struct rh_machine *machine, const uint32_t *classes, uint32_t count)
{
    size_t kept = 0;
    uint32_t *first = rh_alloc((count + 1) * sizeof *first);
    memset(first, 0xff, (count + 1) * sizeof *first);
    for (uint32_t i = 0; i < machine->ends.count; i++)
        if (first[classes[i]] == RH_NONE)
            first[classes[i]] = i;
    for (size_t i = 0; i < machine->edges.count; i++) {
        struct rh_machine_edge edge = machine->edges.items[i];
        if (first[classes[edge.from]] == edge.from)
            machine->edges.items[kept++] =
                (struct rh_machine_edge){classes[edge.from], classes[edge.to], edge.label};
    }
    machine->edges.count = kept;
    for (uint32_t i = 0; i < count; i++)
        machine->ends.items[i] = machine->ends.items[first[i]];
    machine->ends.count = count;
    free(first);
}

static void minimize(struct rh_machine *machine)
{
    uint32_t states = (uint32_t)machine->ends.count, count = 0, before = 1;
    uint32_t *classes = rh_alloc((states + 1) * sizeof *classes);
    uint64_t *signatures = rh_alloc((states + 1) * sizeof *signatures);
    for (uint32_t i = 0; i < states; i++)
        classes[i] = machine->ends.items[i];
    for (count = split(machine, classes, signatures); count != before;) {
        before = count;
        count = split(machine, classes, signatures);
    }
    merge(machine, classes, count);
    free(classes);
    free(signatures);
}

bool rh_machine_init(struct rh_machine *machine, const struct rh_automaton *automaton,
                     uint32_t actor)
{
    *machine = (struct rh_machine){0};
    struct maker maker = {.machine = machine, .automaton = automaton, .actor = actor};
    struct rh_form_list start = {0};
    maker.is_in = rh_alloc(automaton->states.count + 1);
    label_edges(&maker);
    *rh_vector_push(&start) = 0;
    close_group(&maker, &start);
    add_group(&maker, &start);
    for (uint32_t i = 0; i < maker.groups.count && i < MACHINE_STATES; i++)
        for (uint32_t label = 0; label < machine->labels.count; label++)
            follow_label(&maker, i, label);
    bool is_whole = maker.groups.count <= MACHINE_STATES;
    if (is_whole)
        minimize(machine);
    for (size_t i = 0; i < maker.groups.count; i++)
        rh_form_list_fini(&maker.groups.items[i].states);
    rh_vector_fini(&maker.groups);
    rh_table_fini(&maker.table);
    free(maker.labels);
    free(maker.is_in);
    return is_whole;
}

void rh_machine_fini(struct rh_machine *machine)
{
    rh_vector_fini(&machine->labels);
    rh_vector_fini(&machine->edges);
    rh_vector_fini(&machine->ends);
    rh_arena_fini(&machine->arena);
}

uint32_t rh_machine_find_actor(const struct rh_automaton *automaton, const char *name)
{
    uint32_t found = RH_NONE;
    for (uint32_t i = 0; i < automaton->names.actors.count; i++) {
        struct rh_text text = {0};
        rh_names_print_actor(&automaton->names, &text, i);
        bool is_it = !strcmp(rh_text_get(&text), name);
        rh_text_fini(&text);
        if (is_it)
            found = i;
    }
    return found;
}
