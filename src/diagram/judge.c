// SPDX-License-Identifier: MIT
#include "diagram/judge.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_MOST = 1000000, SET_MOST = 2000, WAYS_MOST = 2000, ENDINGS_MOST = 3000 };

// What is left of a diagram after the same steps: one of these forms; and who waits for an answer.
struct set {
    struct rh_form_list forms;
    struct rh_form_list waiting; // actors
};

struct pair {
    uint32_t state, set;
    uint32_t parent; // pair
    uint32_t edge;   // that leads here from the parent
};

struct judge {
    struct rh_automaton *automaton;
    struct rh_forms forms;
    struct rh_residuals residuals;
    RH_VECTOR(struct set) sets;
    struct rh_table set_table;
    RH_VECTOR(struct pair) pairs;
    struct rh_table pair_table;
    RH_VECTOR(bool) used;       // by site: the program has taken the arrow
    RH_VECTOR(uint32_t) ending; // forms from which the diagram can come to its end
    struct rh_table ending_table;
    bool allows_order, allows_sends; // beyond the program
    bool is_undecided;               // whether it allows more
    bool is_full;
    bool is_cut;
    struct rh_judgement *judgement;
};

const char *rh_grade_name(enum rh_grade grade)
{
    static const char *const names[] = {"unsound", "unknown", "sound", "order-exact", "exact"};
    return names[grade];
}

bool rh_grade_parse(const char *text, enum rh_grade *grade)
{
    for (int i = RH_GRADE_SOUND; i <= RH_GRADE_EXACT; i++) {
        *grade = (enum rh_grade)i;
        if (!strcmp(text, rh_grade_name(*grade)))
            return true;
    }
    return false;
}

void rh_judgement_fini(struct rh_judgement *judgement)
{
    rh_vector_fini(&judgement->path);
    rh_text_fini(&judgement->difference);
    rh_text_fini(&judgement->reason);
}

// --- Sets and pairs. ---

static bool same_list(const struct rh_form_list *one, const struct rh_form_list *other)
{
    return one->count == other->count &&
           (one->count == 0 || !memcmp(one->items, other->items, one->count * sizeof *one->items));
}

// Takes the lists, which are sorted.
static uint32_t add_set(struct judge *judge, struct set *set)
{
    uint64_t hash = rh_hash64(
        set->forms.items, set->forms.count * sizeof *set->forms.items,
        rh_hash64(set->waiting.items, set->waiting.count * sizeof *set->waiting.items, 0));
    struct rh_probe probe = rh_table_probe(&judge->set_table, hash);
    while (rh_probe_next(&probe)) {
        const struct set *known = &judge->sets.items[probe.number];
        if (same_list(&known->forms, &set->forms) && same_list(&known->waiting, &set->waiting)) {
            rh_form_list_fini(&set->forms);
            rh_form_list_fini(&set->waiting);
            return probe.number;
        }
    }
    rh_table_add(&judge->set_table, NULL, hash, (uint32_t)judge->sets.count);
    *rh_vector_push(&judge->sets) = *set;
    return (uint32_t)judge->sets.count - 1;
}

static void add_pair(struct judge *judge, const struct pair *pair)
{
    uint64_t hash = rh_table_hash((uint64_t)pair->state << 32 | pair->set);
    struct rh_probe probe = rh_table_probe(&judge->pair_table, hash);
    while (rh_probe_next(&probe))
        if (judge->pairs.items[probe.number].state == pair->state &&
            judge->pairs.items[probe.number].set == pair->set)
            return;
    rh_table_add(&judge->pair_table, NULL, hash, (uint32_t)judge->pairs.count);
    *rh_vector_push(&judge->pairs) = *pair;
}

// --- What is said. ---

static void note_path(struct judge *judge, uint32_t pair, uint32_t last_edge)
{
    struct rh_judgement *judgement = judge->judgement;
    judgement->path.count = 0;
    if (last_edge != RH_NONE)
        *rh_vector_push(&judgement->path) = last_edge;
    for (uint32_t at = pair; at != 0; at = judge->pairs.items[at].parent)
        *rh_vector_push(&judgement->path) = judge->pairs.items[at].edge;
    for (size_t i = 0; i < judgement->path.count / 2; i++) {
        uint32_t *one = &judgement->path.items[i];
        uint32_t *other = &judgement->path.items[judgement->path.count - 1 - i];
        uint32_t swapped = *one;
        *one = *other;
        *other = swapped;
    }
}

// The body is no delivery.
static size_t deliveries_of(const struct judge *judge)
{
    size_t count = judge->judgement->path.count;
    return count ? count - 1 : 0;
}

static void add_receivable(struct judge *judge, const struct rh_form_list *forms,
                           struct rh_text *text)
{
    struct rh_labels labels = {0};
    for (size_t i = 0; i < forms->count; i++)
        rh_residual_receivable(&judge->residuals, forms->items[i], &labels);
    for (size_t i = 0; i < labels.count; i++) {
        rh_text_add(text, i ? " or " : "");
        rh_names_print(&judge->automaton->names, text, &labels.items[i]);
    }
    rh_text_add(text, labels.count ? "" : "the end");
    rh_vector_fini(&labels);
}

static void add_after(struct judge *judge, size_t deliveries)
{
    struct rh_text *text = &judge->judgement->difference;
    if (deliveries == 0)
        rh_text_add(text, "at the start");
    else
        rh_text_addf(text, "after %zu deliver%s", deliveries, deliveries == 1 ? "y" : "ies");
}

// The diagram knows this order of receives not.
static void refuse_receive(struct judge *judge, uint32_t pair, uint32_t edge)
{
    struct rh_text *text = &judge->judgement->difference;
    note_path(judge, pair, edge);
    add_after(judge, deliveries_of(judge) - 1);
    rh_text_add(text, " comes ");
    rh_names_print(&judge->automaton->names, text, &judge->automaton->edges.items[edge].received);
    rh_text_add(text, ", and the diagram expects ");
    add_receivable(judge, &judge->sets.items[judge->pairs.items[pair].set].forms, text);
}

static void add_ways(struct judge *judge, const struct rh_form_list *marked, uint32_t actor,
                     bool is_body, struct rh_text *text)
{
    struct rh_step_ways ways = {0};
    for (size_t i = 0; i < marked->count; i++)
        rh_step_ways(&judge->residuals, marked->items[i], actor, is_body, 50, &ways);
    for (size_t i = 0; i < ways.count && i < 4; i++) {
        rh_text_add(text, i ? " or " : "");
        rh_sends_print(&judge->automaton->names, text, &ways.items[i].sends);
    }
    rh_text_add(text, ways.count > 4 ? " or others" : ways.count ? "" : "that this can't be");
    rh_step_ways_fini(&ways);
}

static void refuse_sends(struct judge *judge, uint32_t pair, uint32_t number,
                         const struct rh_form_list *marked)
{
    struct rh_text *text = &judge->judgement->difference;
    const struct rh_edge *edge = &judge->automaton->edges.items[number];
    bool is_body = edge->from == 0;
    note_path(judge, pair, number);
    if (is_body) {
        rh_text_add(text, "the test sends ");
    } else {
        rh_text_addf(text, "with delivery %zu, ", deliveries_of(judge));
        rh_names_print(&judge->automaton->names, text, &edge->received);
        rh_text_add(text, ", comes ");
    }
    rh_sends_print(&judge->automaton->names, text, &edge->sends);
    rh_text_add(text, ", and the diagram expects ");
    add_ways(judge, marked, is_body ? 0 : edge->received.to, is_body, text);
}

static void refuse_end(struct judge *judge, uint32_t pair)
{
    struct rh_text *text = &judge->judgement->difference;
    note_path(judge, pair, RH_NONE);
    add_after(judge, deliveries_of(judge));
    rh_text_add(text, " the program ends, and the diagram expects ");
    add_receivable(judge, &judge->sets.items[judge->pairs.items[pair].set].forms, text);
}

// --- Whether the program does more. ---

static bool is_in(const struct rh_form_list *list, uint32_t item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return true;
    return false;
}

// Who waits behind a step: an answer ends waiting, and asking begins it.
static void wait_behind(const struct rh_form_list *before, const struct rh_label *received,
                        const struct rh_sends *sends, struct rh_form_list *after)
{
    for (size_t i = 0; i < before->count; i++)
        if (received->kind != RH_JOURNAL_ANSWER || before->items[i] != received->to)
            *rh_vector_push(after) = before->items[i];
    for (size_t i = 0; i < sends->count; i++)
        if (sends->items[i].kind == RH_JOURNAL_ASK && !is_in(after, sends->items[i].from))
            *rh_vector_push(after) = sends->items[i].from;
    rh_form_list_sort(after);
}

static void mark_used(struct judge *judge)
{
    for (size_t i = 0; i < judge->residuals.sites.count; i++) {
        while (judge->used.count <= judge->residuals.sites.items[i])
            rh_vector_push(&judge->used);
        judge->used.items[judge->residuals.sites.items[i]] = true;
    }
}

// The marked forms when the edge's message is received; for the test's body the forms themselves.
static void receive(struct judge *judge, const struct set *set, const struct rh_edge *edge,
                    struct rh_form_list *marked)
{
    for (size_t i = 0; i < set->forms.count; i++)
        if (edge->from == 0)
            rh_form_list_add(marked, set->forms.items[i]);
        else
            rh_residual_receive(&judge->residuals, set->forms.items[i], &edge->received, marked);
    rh_form_list_sort(marked);
}

// Follows one edge of the program; false if the diagram does not allow it.
static bool follow_edge(struct judge *judge, uint32_t pair, uint32_t number)
{
    const struct rh_edge *edge = &judge->automaton->edges.items[number];
    struct set before = judge->sets.items[judge->pairs.items[pair].set], after = {0};
    struct rh_form_list marked = {0};
    bool is_whole = true;
    receive(judge, &before, edge, &marked);
    judge->residuals.notes_sites = true;
    judge->residuals.sites.count = 0;
    for (size_t i = 0; i < marked.count; i++)
        is_whole &= rh_step_follow(&judge->residuals, marked.items[i], &edge->sends,
                                   edge->from == 0, &after.forms);
    judge->residuals.notes_sites = false;
    rh_form_list_sort(&after.forms);
    judge->is_undecided |= !is_whole;
    bool is_allowed = after.forms.count > 0;
    if (is_allowed) {
        mark_used(judge);
        wait_behind(&before.waiting, &edge->received, &edge->sends, &after.waiting);
        judge->is_full |= after.forms.count > SET_MOST;
        uint32_t set = add_set(judge, &after);
        add_pair(judge, &(struct pair){edge->to, set, pair, number});
    } else if (!is_whole || judge->residuals.gave_up) {
        judge->is_full = true;
    } else if (marked.count == 0) {
        refuse_receive(judge, pair, number);
    } else {
        refuse_sends(judge, pair, number, &marked);
    }
    rh_form_list_fini(&marked);
    return is_allowed || judge->is_full;
}

static bool can_end(const struct judge *judge, uint32_t set)
{
    const struct rh_form_list *forms = &judge->sets.items[set].forms;
    for (size_t i = 0; i < forms->count; i++)
        if (rh_form_get(&judge->forms, forms->items[i])->can_end)
            return true;
    return false;
}

// Follows all that the program does at a pair; false if something is not allowed.
static bool follow_program(struct judge *judge, uint32_t number)
{
    struct pair pair = judge->pairs.items[number];
    struct rh_automaton_state state = judge->automaton->states.items[pair.state];
    judge->is_cut |= state.is_cut;
    if (state.is_end && !can_end(judge, pair.set)) {
        refuse_end(judge, number);
        return false;
    }
    for (uint32_t i = 0; i < state.edge_count; i++)
        if (!follow_edge(judge, number, state.first_edge + i))
            return false;
    return true;
}

// --- Whether the diagram allows more. ---

// Whether who waits lets the message be received (the fourth law).
static bool is_lawful(const struct rh_form_list *waiting, const struct rh_label *label)
{
    return label->kind == RH_JOURNAL_ANSWER || !is_in(waiting, label->to);
}

enum answer { NO, YES, UNKNOWN };

// A search for the end of the diagram by itself.
struct ending {
    struct judge *judge;
    RH_VECTOR(struct set) seen; // each with one form
    enum answer answer;
};

static bool is_ending(const struct judge *judge, uint32_t form)
{
    struct rh_probe probe = rh_table_probe(&judge->ending_table, rh_table_hash(form));
    while (rh_probe_next(&probe))
        if (judge->ending.items[probe.number] == form)
            return true;
    return false;
}

static void note_ending(struct judge *judge, uint32_t form)
{
    if (is_ending(judge, form))
        return;
    rh_table_add(&judge->ending_table, NULL, rh_table_hash(form), (uint32_t)judge->ending.count);
    *rh_vector_push(&judge->ending) = form;
}

// Takes `waiting`.
static void see(struct ending *ending, uint32_t form, struct rh_form_list waiting)
{
    struct judge *judge = ending->judge;
    bool ends =
        rh_form_get(&judge->forms, form)->can_end || (waiting.count == 0 && is_ending(judge, form));
    if (ends)
        ending->answer = YES;
    for (size_t i = 0; i < ending->seen.count; i++)
        if (ending->seen.items[i].forms.items[0] == form &&
            same_list(&ending->seen.items[i].waiting, &waiting)) {
            rh_form_list_fini(&waiting);
            return;
        }
    struct set *set = rh_vector_push(&ending->seen);
    *rh_vector_push(&set->forms) = form;
    set->waiting = waiting;
}

static void go_on(struct ending *ending, size_t index, const struct rh_label *label)
{
    struct judge *judge = ending->judge;
    struct rh_form_list marked = {0};
    struct rh_step_ways ways = {0};
    rh_residual_receive(&judge->residuals, ending->seen.items[index].forms.items[0], label,
                        &marked);
    for (size_t i = 0; i < marked.count; i++)
        if (!rh_step_ways(&judge->residuals, marked.items[i], label->to, false, WAYS_MOST, &ways))
            ending->answer = UNKNOWN;
    for (size_t i = 0; i < ways.count && ending->answer == NO; i++) {
        struct rh_form_list waiting = {0};
        wait_behind(&ending->seen.items[index].waiting, label, &ways.items[i].sends, &waiting);
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
        if (ending->seen.count > ENDINGS_MOST && ending->answer == NO)
            ending->answer = UNKNOWN;
    }
    rh_vector_fini(&open);
}

// Whether the diagram can come to its end from here. What can't is nothing that it allows.
static enum answer reaches_end(struct judge *judge, uint32_t form,
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

static bool program_sends(const struct judge *judge, uint32_t state, const struct rh_label *label,
                          const struct rh_sends *sends)
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

static void say_more(struct judge *judge, uint32_t pair, const struct rh_label *label,
                     const struct rh_sends *sends, bool is_order)
{
    struct rh_text *text = &judge->judgement->difference;
    rh_text_clear(text);
    note_path(judge, pair, RH_NONE);
    add_after(judge, deliveries_of(judge));
    rh_text_add(text, " the diagram also allows ");
    if (label)
        rh_names_print(&judge->automaton->names, text, label);
    if (!is_order) {
        rh_text_add(text, label ? ", upon which comes " : "that the test sends ");
        rh_sends_print(&judge->automaton->names, text, sends);
    }
}

// One thing that the diagram allows: it counts if the diagram can come to its end behind it.
static void compare_way(struct judge *judge, uint32_t number, const struct rh_label *label,
                        const struct rh_step_way *way)
{
    struct pair pair = judge->pairs.items[number];
    bool is_order = label && !program_sends(judge, pair.state, label, NULL);
    bool is_known = is_order ? judge->allows_order : judge->allows_order || judge->allows_sends;
    if (program_sends(judge, pair.state, label, &way->sends))
        return;
    struct rh_form_list waiting = {0};
    static const struct rh_label nothing;
    wait_behind(&judge->sets.items[pair.set].waiting, label ? label : &nothing, &way->sends,
                &waiting);
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

static void compare_marked(struct judge *judge, uint32_t pair, const struct rh_label *label,
                           uint32_t marked)
{
    struct rh_step_ways ways = {0};
    bool is_whole =
        rh_step_ways(&judge->residuals, marked, label ? label->to : 0, !label, WAYS_MOST, &ways);
    judge->is_undecided |= !is_whole;
    for (size_t i = 0; i < ways.count && !judge->allows_order; i++)
        compare_way(judge, pair, label, &ways.items[i]);
    rh_step_ways_fini(&ways);
}

static void compare_receives(struct judge *judge, uint32_t pair, uint32_t form)
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
static bool has_outsiders(const struct judge *judge)
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

static void compare_diagram(struct judge *judge, uint32_t number)
{
    struct pair pair = judge->pairs.items[number];
    size_t count = judge->sets.items[pair.set].forms.count;
    if (judge->automaton->states.items[pair.state].is_cut)
        return;
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

// --- The whole. ---

static bool takes_all_arrows(const struct judge *judge)
{
    uint32_t count = rh_form_sites(&judge->forms);
    for (uint32_t i = 0; i < count; i++)
        if (i >= judge->used.count || !judge->used.items[i])
            return false;
    return true;
}

static void set_grade(struct judge *judge, bool is_sound, bool is_whole)
{
    struct rh_judgement *judgement = judge->judgement;
    bool gave_up = judge->is_full || judge->forms.is_full;
    judgement->grade = RH_GRADE_UNKNOWN;
    if (gave_up)
        rh_text_add(&judgement->reason, "the diagram can be followed in too many ways");
    else if (!is_sound)
        judgement->grade = RH_GRADE_UNSOUND;
    else if (judge->is_cut)
        rh_text_add(&judgement->reason, "executions end early, by an error or a bound");
    else if (!is_whole)
        rh_text_add(&judgement->reason, "not all orders were tried");
    else
        judgement->grade = RH_GRADE_SOUND;
    if (judgement->grade != RH_GRADE_SOUND || judge->allows_order)
        return;
    if (judge->is_undecided || judge->residuals.gave_up)
        rh_text_add(&judgement->reason, "whether the diagram allows more was not decided");
    else if (!judge->allows_sends)
        judgement->grade = RH_GRADE_EXACT;
    else if (takes_all_arrows(judge))
        judgement->grade = RH_GRADE_ORDER_EXACT;
}

static void search(struct judge *judge, uint32_t form, bool is_whole)
{
    struct set start = {0};
    rh_form_list_add(&start.forms, form);
    add_pair(judge, &(struct pair){.set = add_set(judge, &start), .edge = RH_NONE});
    bool is_sound = true;
    for (uint32_t i = 0; i < judge->pairs.count && is_sound && !judge->is_full; i++) {
        is_sound = follow_program(judge, i);
        judge->is_full |= judge->pairs.count > PAIRS_MOST || judge->forms.is_full;
    }
    for (uint32_t i = 0; i < judge->pairs.count && is_sound && !judge->is_full; i++)
        compare_diagram(judge, i);
    set_grade(judge, is_sound, is_whole);
    judge->judgement->pairs = judge->pairs.count;
}

static void judge_fini(struct judge *judge)
{
    for (size_t i = 0; i < judge->sets.count; i++) {
        rh_form_list_fini(&judge->sets.items[i].forms);
        rh_form_list_fini(&judge->sets.items[i].waiting);
    }
    rh_vector_fini(&judge->sets);
    rh_vector_fini(&judge->pairs);
    rh_vector_fini(&judge->used);
    rh_vector_fini(&judge->ending);
    rh_table_fini(&judge->set_table);
    rh_table_fini(&judge->pair_table);
    rh_table_fini(&judge->ending_table);
    rh_residuals_fini(&judge->residuals);
    rh_forms_fini(&judge->forms);
}

struct rh_status rh_diagram_judge(struct rh_automaton *automaton, const struct rh_diagram *diagram,
                                  const struct rh_binding *bindings, bool is_fifo, bool is_whole,
                                  struct rh_judgement *judgement)
{
    struct judge judge = {.automaton = automaton, .judgement = judgement};
    uint32_t form;
    *judgement = (struct rh_judgement){0};
    rh_forms_init(&judge.forms);
    judge.residuals = (struct rh_residuals){.forms = &judge.forms, .is_fifo = is_fifo};
    struct rh_status status =
        rh_form_make(&judge.forms, &automaton->names, diagram, bindings, &form);
    if (rh_is_ok(&status))
        search(&judge, form, is_whole);
    judge_fini(&judge);
    rh_names_restore(&automaton->names);
    return status;
}
