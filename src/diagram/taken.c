// SPDX-License-Identifier: MIT
// Which arrows of a diagram some execution takes that comes to its end. A message may be one of
// several arrows, and the diagram behind one of them may lead nowhere: so each form
// of a set is a node of its own here.
#include <stdlib.h>

#include "diagram/judge_search.h"

struct transition {
    uint32_t from, to; // nodes
    uint32_t site;     // RH_NONE: nothing is sent
};

struct taking {
    struct rh_judge *judge;
    uint32_t *first; // by pair: its first node, of which there is one for each form of its set
    size_t nodes;
    bool *ends; // by node: the diagram and the program may come to their end from here
    RH_VECTOR(struct transition) transitions;
};

static const struct rh_form_list *forms_of(const struct taking *taking, uint32_t pair)
{
    return &taking->judge->sets.items[taking->judge->pairs.items[pair].set].forms;
}

static void number_nodes(struct taking *taking)
{
    struct rh_judge *judge = taking->judge;
    taking->first = rh_alloc((judge->pairs.count + 1) * sizeof *taking->first);
    for (uint32_t i = 0; i < judge->pairs.count; i++) {
        taking->first[i] = (uint32_t)taking->nodes;
        taking->nodes += forms_of(taking, i)->count;
    }
    taking->ends = rh_alloc(taking->nodes + 1);
    for (uint32_t i = 0; i < judge->pairs.count; i++) {
        const struct rh_form_list *forms = forms_of(taking, i);
        bool is_end = judge->automaton->states.items[judge->pairs.items[i].state].is_end;
        for (size_t k = 0; k < forms->count; k++)
            taking->ends[taking->first[i] + k] =
                is_end && rh_form_get(&judge->forms, forms->items[k])->can_end;
    }
}

static uint32_t node_of(const struct taking *taking, uint32_t pair, uint32_t form)
{
    const struct rh_form_list *forms = forms_of(taking, pair);
    size_t place = 0;
    while (place < forms->count && forms->items[place] != form)
        place++;
    rh_assert(place < forms->count);
    return taking->first[pair] + (uint32_t)place;
}

static void follow_form(struct taking *taking, uint32_t node, uint32_t form,
                        const struct rh_edge *edge, uint32_t target)
{
    struct rh_judge *judge = taking->judge;
    struct rh_judge_set one = {.forms = {&form, 1, 1}};
    struct rh_form_list marked = {0};
    struct rh_step_arrows arrows = {0};
    rh__judge_receive(judge, &one, edge, &marked);
    for (size_t i = 0; i < marked.count; i++)
        rh_step_follow_arrows(&judge->residuals, marked.items[i], &edge->sends, edge->from == 0,
                              &arrows);
    for (size_t i = 0; i < arrows.count; i++)
        *rh_vector_push(&taking->transitions) = (struct transition){
            node, node_of(taking, target, arrows.items[i].form), arrows.items[i].site};
    rh_vector_fini(&arrows);
    rh_form_list_fini(&marked);
}

static void follow_pair(struct taking *taking, uint32_t number)
{
    struct rh_judge *judge = taking->judge;
    struct rh_judge_pair pair = judge->pairs.items[number];
    struct rh_automaton_state state = judge->automaton->states.items[pair.state];
    for (size_t k = 0; k < forms_of(taking, number)->count; k++)
        for (uint32_t i = 0; i < state.edge_count; i++)
            follow_form(taking, taking->first[number] + (uint32_t)k,
                        forms_of(taking, number)->items[k],
                        &judge->automaton->edges.items[state.first_edge + i],
                        judge->targets.items[pair.first_target + i]);
}

// Goes back from the ends until nothing is added.
static void find_ends(struct taking *taking)
{
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = taking->transitions.count; i-- > 0;) {
            const struct transition *transition = &taking->transitions.items[i];
            if (!taking->ends[transition->to] || taking->ends[transition->from])
                continue;
            taking->ends[transition->from] = is_new = true;
        }
    }
}

static bool is_taken(const struct taking *taking, uint32_t site)
{
    for (size_t i = 0; i < taking->transitions.count; i++)
        if (taking->transitions.items[i].site == site &&
            taking->ends[taking->transitions.items[i].to])
            return true;
    return false;
}

bool rh__judge_takes_all(struct rh_judge *judge)
{
    struct taking taking = {.judge = judge};
    uint32_t sites = rh_form_sites(&judge->forms);
    bool all = true;
    number_nodes(&taking);
    for (uint32_t i = 0; i < judge->pairs.count; i++)
        follow_pair(&taking, i);
    find_ends(&taking);
    for (uint32_t i = 0; i < sites && all; i++)
        all = is_taken(&taking, i);
    free(taking.first);
    free(taking.ends);
    rh_vector_fini(&taking.transitions);
    return all;
}
