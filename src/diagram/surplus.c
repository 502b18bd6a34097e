// SPDX-License-Identifier: MIT
// Whether a diagram allows more than the program does.
#include "diagram/judge_search.h"

// How many ways of a step are told apart, how many forms one search for the end looks at, and how
// many ways all searches together: so many in any case, and so many for each pair.
enum { WAYS_MOST = 2000, ENDINGS_MOST = 3000, WORK_MOST = 200000, WORK_PAIR = 100 };

static bool is_work_done(const struct rh_judge *judge)
{
    return judge->work > WORK_MOST + WORK_PAIR * judge->pairs.count;
}

// Whether who waits lets the message be received (the fourth law).
static bool is_lawful(const struct rh_form_list *waiting, const struct rh_label *label)
{
    return label->kind == RH_JOURNAL_ANSWER || !rh__form_list_has(waiting, label->to);
}

enum answer { NO, YES, UNKNOWN };

// A search for the end of the diagram by itself.
struct ending {
    struct rh_judge *judge;
    RH_VECTOR(struct rh_judge_set) seen; // each with one form
    enum answer answer;
};

static bool is_ending(const struct rh_judge *judge, uint32_t form)
{
    struct rh_probe probe = rh_table_probe(&judge->ending_table, rh_table_hash(form));
    while (rh_probe_next(&probe))
        if (judge->ending.items[probe.number] == form)
            return true;
    return false;
}

static void note_ending(struct rh_judge *judge, uint32_t form)
{
    if (is_ending(judge, form))
        return;
    rh_table_add(&judge->ending_table, NULL, rh_table_hash(form), (uint32_t)judge->ending.count);
    *rh_vector_push(&judge->ending) = form;
}

// Takes `waiting`.
static void see(struct ending *ending, uint32_t form, struct rh_form_list waiting)
{
    struct rh_judge *judge = ending->judge;
    bool ends =
        rh_form_get(&judge->forms, form)->can_end || (waiting.count == 0 && is_ending(judge, form));
    if (ends)
        ending->answer = YES;
    for (size_t i = 0; i < ending->seen.count; i++)
        if (ending->seen.items[i].forms.items[0] == form &&
            rh__form_list_equals(&ending->seen.items[i].waiting, &waiting)) {
            rh_form_list_fini(&waiting);
            return;
        }
    struct rh_judge_set *set = rh_vector_push(&ending->seen);
    *rh_vector_push(&set->forms) = form;
    set->waiting = waiting;
}

static void go_on(struct ending *ending, size_t index, const struct rh_label *label)
{
    struct rh_judge *judge = ending->judge;
    struct rh_form_list marked = {0};
    struct rh_step_ways ways = {0};
    rh_residual_receive(&judge->residuals, ending->seen.items[index].forms.items[0], label,
                        &marked);
    for (size_t i = 0; i < marked.count; i++)
        if (!rh_step_ways(&judge->residuals, marked.items[i], label->to, false, WAYS_MOST, &ways))
            ending->answer = UNKNOWN;
    judge->work += ways.count;
    for (size_t i = 0; i < ways.count && ending->answer == NO; i++) {
        struct rh_form_list waiting = {0};
        rh__judge_wait_behind(&ending->seen.items[index].waiting, label, &ways.items[i].sends,
                              &waiting);
        see(ending, ways.items[i].form, waiting);
    }
    rh_step_ways_fini(&ways);
    rh_form_list_fini(&marked);
}

static void search_end(struct ending *ending)
{
    // The newest first: what has come furthest is nearest to the end.
    RH_VECTOR(size_t) open = {0};
    *rh_vector_push(&open) = 0;
    while (open.count > 0 && ending->answer == NO) {
        size_t index = open.items[--open.count], before = ending->seen.count;
        struct rh_labels labels = {0};
        rh_residual_receivable(&ending->judge->residuals, ending->seen.items[index].forms.items[0],
                               &labels);
        for (size_t i = 0; i < labels.count && ending->answer == NO; i++)
            if (is_lawful(&ending->seen.items[index].waiting, &labels.items[i]))
                go_on(ending, index, &labels.items[i]);
        rh_vector_fini(&labels);
        for (size_t i = before; i < ending->seen.count; i++)
            *rh_vector_push(&open) = i;
        bool is_much = ending->seen.count > ENDINGS_MOST || is_work_done(ending->judge);
        if (is_much && ending->answer == NO)
            ending->answer = UNKNOWN;
    }
    rh_vector_fini(&open);
}

// Whether the diagram can come to its end from here. What can't is nothing that it allows.
static enum answer reaches_end(struct rh_judge *judge, uint32_t form,
                               const struct rh_form_list *waiting)
{
    struct ending ending = {.judge = judge};
    struct rh_form_list copy = {0};
    for (size_t i = 0; i < waiting->count; i++)
        *rh_vector_push(&copy) = waiting->items[i];
    see(&ending, form, copy);
    if (ending.answer == NO)
        search_end(&ending);
    if (ending.answer == YES && waiting->count == 0)
        note_ending(judge, form);
    for (size_t i = 0; i < ending.seen.count; i++) {
        rh_form_list_fini(&ending.seen.items[i].forms);
        rh_form_list_fini(&ending.seen.items[i].waiting);
    }
    rh_vector_fini(&ending.seen);
    return ending.answer;
}

static bool program_sends(const struct rh_judge *judge, uint32_t state,
                          const struct rh_label *label, const struct rh_sends *sends)
{
    struct rh_automaton_state from = judge->automaton->states.items[state];
    for (uint32_t i = 0; i < from.edge_count; i++) {
        const struct rh_edge *edge = &judge->automaton->edges.items[from.first_edge + i];
        if ((!label || rh_label_equals(&edge->received, label)) &&
            (!sends || rh_sends_equal(&edge->sends, sends)))
            return true;
    }
    return false;
}

static void say_more(struct rh_judge *judge, uint32_t pair, const struct rh_label *label,
                     const struct rh_sends *sends, bool is_order)
{
    struct rh_text *text = &judge->judgement->difference;
    rh_text_clear(text);
    rh__judge_note_path(judge, pair, RH_NONE);
    rh__judge_add_after(judge, rh__judge_deliveries(judge));
    rh_text_add(text, " the diagram also allows ");
    if (label)
        rh_names_print(&judge->automaton->names, text, label);
    if (!is_order) {
        rh_text_add(text, label ? ", upon which comes " : "that the test sends ");
        rh_sends_print(&judge->automaton->names, text, sends);
    }
}

// One thing that the diagram allows: it counts if the diagram can come to its end behind it.
static void compare_way(struct rh_judge *judge, uint32_t number, const struct rh_label *label,
                        const struct rh_step_way *way)
{
    struct rh_judge_pair pair = judge->pairs.items[number];
    bool is_order = label && !program_sends(judge, pair.state, label, NULL);
    bool is_known = is_order ? judge->allows_order : judge->allows_order || judge->allows_sends;
    // Another message that might be sent says nothing that is not known.
    if ((judge->allows_sends && !is_order) || program_sends(judge, pair.state, label, &way->sends))
        return;
    struct rh_form_list waiting = {0};
    static const struct rh_label nothing;
    rh__judge_wait_behind(&judge->sets.items[pair.set].waiting, label ? label : &nothing,
                          &way->sends, &waiting);
    enum answer answer = reaches_end(judge, way->form, &waiting);
    rh_form_list_fini(&waiting);
    judge->is_undecided |= answer == UNKNOWN;
    if (answer != YES)
        return;
    if (!is_known)
        say_more(judge, number, label, &way->sends, is_order);
    judge->allows_order |= is_order;
    judge->allows_sends |= !is_order;
}

static void compare_marked(struct rh_judge *judge, uint32_t pair, const struct rh_label *label,
                           uint32_t marked)
{
    struct rh_step_ways ways = {0};
    bool is_whole =
        rh_step_ways(&judge->residuals, marked, label ? label->to : 0, !label, WAYS_MOST, &ways);
    judge->work += ways.count;
    judge->is_undecided |= !is_whole;
    for (size_t i = 0; i < ways.count && !judge->allows_order; i++)
        compare_way(judge, pair, label, &ways.items[i]);
    rh_step_ways_fini(&ways);
}

static void compare_receives(struct rh_judge *judge, uint32_t pair, uint32_t form)
{
    struct rh_labels labels = {0};
    uint32_t set = judge->pairs.items[pair].set;
    rh_residual_receivable(&judge->residuals, form, &labels);
    for (size_t i = 0; i < labels.count && !judge->allows_order; i++) {
        if (!is_lawful(&judge->sets.items[set].waiting, &labels.items[i]))
            continue;
        struct rh_form_list marked = {0};
        rh_residual_receive(&judge->residuals, form, &labels.items[i], &marked);
        for (size_t k = 0; k < marked.count; k++)
            compare_marked(judge, pair, &labels.items[i], marked.items[k]);
        rh_form_list_fini(&marked);
    }
    rh_vector_fini(&labels);
}

// The body may send in several names, of which only the first is looked at.
static bool has_outsiders(const struct rh_judge *judge)
{
    struct rh_automaton_state body = judge->automaton->states.items[0];
    for (uint32_t i = 0; i < body.edge_count; i++) {
        const struct rh_edge *edge = &judge->automaton->edges.items[body.first_edge + i];
        for (size_t k = 0; k < edge->sends.count; k++)
            if (edge->sends.items[k].from != 0)
                return true;
    }
    return false;
}

void rh__judge_compare_diagram(struct rh_judge *judge, uint32_t number)
{
    struct rh_judge_pair pair = judge->pairs.items[number];
    size_t count = judge->sets.items[pair.set].forms.count;
    if (judge->automaton->states.items[pair.state].is_cut)
        return;
    if (is_work_done(judge)) {
        judge->is_undecided = true;
        return;
    }
    if (pair.state == 0 && has_outsiders(judge))
        judge->is_undecided = true;
    for (size_t i = 0; i < count && !judge->allows_order; i++) {
        uint32_t form = judge->sets.items[pair.set].forms.items[i];
        if (pair.state == 0)
            compare_marked(judge, number, NULL, form);
        else
            compare_receives(judge, number, form);
    }
}
