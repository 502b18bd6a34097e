// SPDX-License-Identifier: MIT
#include "diagram/judge_search.h"

#include <stdlib.h>
#include <string.h>

// Following one execution, forms of earlier steps are forgotten when there are so many.
enum { PAIRS_MOST = 1000000, SET_MOST = 2000, FOLLOWED_MOST = 5000000, FORMS_KEPT = 200000 };

// How many forms more it may take to decide whether the diagram allows more than the program does;
// so many in any case, and so many for each pair.
enum { SURPLUS_FORMS = 100000, SURPLUS_FORMS_PAIR = 40 };

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

bool rh__form_list_equals(const struct rh_form_list *one, const struct rh_form_list *other)
{
    return one->count == other->count &&
           (one->count == 0 || !memcmp(one->items, other->items, one->count * sizeof *one->items));
}

// Takes the lists, which are sorted.
static uint32_t add_set(struct rh_judge *judge, struct rh_judge_set *set)
{
    uint64_t hash = rh_hash64(
        set->forms.items, set->forms.count * sizeof *set->forms.items,
        rh_hash64(set->waiting.items, set->waiting.count * sizeof *set->waiting.items, 0));
    struct rh_probe probe = rh_table_probe(&judge->set_table, hash);
    while (rh_probe_next(&probe)) {
        const struct rh_judge_set *known = &judge->sets.items[probe.number];
        if (rh__form_list_equals(&known->forms, &set->forms) &&
            rh__form_list_equals(&known->waiting, &set->waiting)) {
            rh_form_list_fini(&set->forms);
            rh_form_list_fini(&set->waiting);
            return probe.number;
        }
    }
    rh_table_add(&judge->set_table, NULL, hash, (uint32_t)judge->sets.count);
    *rh_vector_push(&judge->sets) = *set;
    return (uint32_t)judge->sets.count - 1;
}

static uint32_t add_pair(struct rh_judge *judge, const struct rh_judge_pair *pair)
{
    uint64_t hash = rh_table_hash((uint64_t)pair->state << 32 | pair->set);
    struct rh_probe probe = rh_table_probe(&judge->pair_table, hash);
    while (rh_probe_next(&probe))
        if (judge->pairs.items[probe.number].state == pair->state &&
            judge->pairs.items[probe.number].set == pair->set)
            return probe.number;
    rh_table_add(&judge->pair_table, NULL, hash, (uint32_t)judge->pairs.count);
    *rh_vector_push(&judge->pairs) = *pair;
    return (uint32_t)judge->pairs.count - 1;
}

// Of one execution each step leads on.
static uint32_t add_next(struct rh_judge *judge, const struct rh_judge_pair *pair)
{
    if (!judge->is_run)
        return add_pair(judge, pair);
    *rh_vector_push(&judge->pairs) = *pair;
    return (uint32_t)judge->pairs.count - 1;
}

// --- What is said. ---

void rh__judge_note_path(struct rh_judge *judge, uint32_t pair, uint32_t last_edge)
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
size_t rh__judge_deliveries(const struct rh_judge *judge)
{
    size_t count = judge->judgement->path.count;
    return count ? count - 1 : 0;
}

static void add_receivable(struct rh_judge *judge, const struct rh_form_list *forms,
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

void rh__judge_add_after(struct rh_judge *judge, size_t deliveries)
{
    struct rh_text *text = &judge->judgement->difference;
    if (deliveries == 0)
        rh_text_add(text, "at the start");
    else
        rh_text_addf(text, "after %zu deliver%s", deliveries, deliveries == 1 ? "y" : "ies");
}

// The diagram knows this order of receives not.
static void refuse_receive(struct rh_judge *judge, uint32_t pair, uint32_t edge)
{
    struct rh_text *text = &judge->judgement->difference;
    rh__judge_note_path(judge, pair, edge);
    rh__judge_add_after(judge, rh__judge_deliveries(judge) - 1);
    rh_text_add(text, " comes ");
    rh_names_print(&judge->automaton->names, text, &judge->automaton->edges.items[edge].received);
    rh_text_add(text, ", and the diagram expects ");
    add_receivable(judge, &judge->sets.items[judge->pairs.items[pair].set].forms, text);
}

static void add_ways(struct rh_judge *judge, const struct rh_form_list *marked, uint32_t actor,
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

static void refuse_sends(struct rh_judge *judge, uint32_t pair, uint32_t number,
                         const struct rh_form_list *marked)
{
    struct rh_text *text = &judge->judgement->difference;
    const struct rh_edge *edge = &judge->automaton->edges.items[number];
    bool is_body = edge->from == 0;
    rh__judge_note_path(judge, pair, number);
    if (is_body) {
        rh_text_add(text, "the test sends ");
    } else {
        rh_text_addf(text, "with delivery %zu, ", rh__judge_deliveries(judge));
        rh_names_print(&judge->automaton->names, text, &edge->received);
        rh_text_add(text, ", comes ");
    }
    rh_sends_print(&judge->automaton->names, text, &edge->sends);
    rh_text_add(text, ", and the diagram expects ");
    add_ways(judge, marked, is_body ? 0 : edge->received.to, is_body, text);
}

static void refuse_end(struct rh_judge *judge, uint32_t pair)
{
    struct rh_text *text = &judge->judgement->difference;
    rh__judge_note_path(judge, pair, RH_NONE);
    rh__judge_add_after(judge, rh__judge_deliveries(judge));
    rh_text_add(text, " the program ends, and the diagram expects ");
    add_receivable(judge, &judge->sets.items[judge->pairs.items[pair].set].forms, text);
}

// --- Whether the program does more. ---

bool rh__form_list_has(const struct rh_form_list *list, uint32_t item)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == item)
            return true;
    return false;
}

void rh__judge_wait_behind(const struct rh_form_list *before, const struct rh_label *received,
                           const struct rh_sends *sends, struct rh_form_list *after)
{
    for (size_t i = 0; i < before->count; i++)
        if (received->kind != RH_JOURNAL_ANSWER || before->items[i] != received->to)
            *rh_vector_push(after) = before->items[i];
    for (size_t i = 0; i < sends->count; i++)
        if (sends->items[i].kind == RH_JOURNAL_ASK &&
            !rh__form_list_has(after, sends->items[i].from))
            *rh_vector_push(after) = sends->items[i].from;
    rh_form_list_sort(after);
}

void rh__judge_receive(struct rh_judge *judge, const struct rh_judge_set *set,
                       const struct rh_edge *edge, struct rh_form_list *marked)
{
    for (size_t i = 0; i < set->forms.count; i++)
        if (edge->from == 0)
            rh_form_list_add(marked, set->forms.items[i]);
        else
            rh_residual_receive(&judge->residuals, set->forms.items[i], &edge->received, marked);
    rh_form_list_sort(marked);
}

// Follows one edge of the program; false if the diagram does not allow it.
static bool follow_edge(struct rh_judge *judge, uint32_t pair, uint32_t number)
{
    const struct rh_edge *edge = &judge->automaton->edges.items[number];
    struct rh_judge_set before = judge->sets.items[judge->pairs.items[pair].set], after = {0};
    struct rh_form_list marked = {0};
    bool is_whole = true;
    rh__judge_receive(judge, &before, edge, &marked);
    judge->followed += before.forms.count;
    for (size_t i = 0; i < marked.count; i++)
        is_whole &= rh_step_follow(&judge->residuals, marked.items[i], &edge->sends,
                                   edge->from == 0, &after.forms);
    rh_form_list_sort(&after.forms);
    judge->is_undecided |= !is_whole;
    bool is_allowed = after.forms.count > 0;
    if (is_allowed) {
        rh__judge_wait_behind(&before.waiting, &edge->received, &edge->sends, &after.waiting);
        judge->is_full |= after.forms.count > SET_MOST;
        uint32_t set = add_set(judge, &after);
        *rh_vector_push(&judge->targets) = add_next(
            judge,
            &(struct rh_judge_pair){.state = edge->to, .set = set, .parent = pair, .edge = number});
    } else if (!is_whole || judge->residuals.gave_up) {
        judge->is_full = true;
    } else if (marked.count == 0) {
        refuse_receive(judge, pair, number);
    } else if (judge->automaton->states.items[edge->to].is_cut) {
        // The handler may have been ended before it had sent everything.
        judge->is_cut = true;
        is_allowed = true;
    } else {
        refuse_sends(judge, pair, number, &marked);
    }
    rh_form_list_fini(&marked);
    return is_allowed || judge->is_full;
}

static bool can_end(const struct rh_judge *judge, uint32_t set)
{
    const struct rh_form_list *forms = &judge->sets.items[set].forms;
    for (size_t i = 0; i < forms->count; i++)
        if (rh_form_get(&judge->forms, forms->items[i])->can_end ||
            (judge->may_lose && rh_form_get(&judge->forms, forms->items[i])->can_lose))
            return true;
    return false;
}

// Follows all that the program does at a pair; false if something is not allowed.
static bool follow_program(struct rh_judge *judge, uint32_t number)
{
    struct rh_judge_pair pair = judge->pairs.items[number];
    struct rh_automaton_state state = judge->automaton->states.items[pair.state];
    judge->is_cut |= state.is_cut;
    if (state.is_end && !can_end(judge, pair.set)) {
        refuse_end(judge, number);
        return false;
    }
    judge->pairs.items[number].first_target = (uint32_t)judge->targets.count;
    for (uint32_t i = 0; i < state.edge_count; i++)
        if (!follow_edge(judge, number, state.first_edge + i))
            return false;
    return true;
}

// --- The whole. ---

static void set_grade(struct rh_judge *judge, bool is_sound, bool is_whole)
{
    struct rh_judgement *judgement = judge->judgement;
    bool gave_up = judge->is_full;
    judgement->grade = RH_GRADE_UNKNOWN;
    // What seemed to differ may be allowed by a way that was not followed.
    if (gave_up)
        rh_text_clear(&judgement->difference);
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
    else if (rh__judge_takes_all(judge))
        judgement->grade = RH_GRADE_ORDER_EXACT;
}

static void search(struct rh_judge *judge, uint32_t form, bool is_whole)
{
    struct rh_judge_set start = {0};
    rh_form_list_add(&start.forms, form);
    add_pair(judge, &(struct rh_judge_pair){.set = add_set(judge, &start), .edge = RH_NONE});
    bool is_sound = true;
    for (uint32_t i = 0; i < judge->pairs.count && is_sound && !judge->is_full; i++) {
        is_sound = follow_program(judge, i);
        judge->is_full |= judge->pairs.count > PAIRS_MOST || judge->forms.is_full ||
                          judge->followed > FOLLOWED_MOST;
    }
    size_t most =
        judge->forms.items.count + SURPLUS_FORMS + SURPLUS_FORMS_PAIR * judge->pairs.count;
    judge->forms.most = most < RH_FORMS_MOST ? most : RH_FORMS_MOST;
    for (uint32_t i = 0; i < judge->pairs.count && is_sound && !judge->is_full && !judge->may_lose;
         i++)
        rh__judge_compare_diagram(judge, i);
    // What the program does was followed by then; what the diagram allows beyond means nothing.
    if (!judge->is_full && judge->forms.is_full) {
        judge->is_undecided = true;
        judge->allows_order = false;
        rh_text_clear(&judge->judgement->difference);
    }
    judge->forms.most = RH_FORMS_MOST;
    judge->allows_order |= judge->may_lose; // nobody has looked
    set_grade(judge, is_sound, is_whole);
    judge->judgement->pairs = judge->pairs.count;
}

// One execution has as many pairs as steps, and what is behind it does not matter any more.
static void follow(struct rh_judge *judge, uint32_t form)
{
    struct rh_judge_set start = {0};
    rh_form_list_add(&start.forms, form);
    add_pair(judge, &(struct rh_judge_pair){.set = add_set(judge, &start), .edge = RH_NONE});
    bool is_sound = true;
    for (uint32_t i = 0; i < judge->pairs.count && is_sound && !judge->is_full; i++) {
        if (judge->forms.items.count > FORMS_KEPT)
            rh__judge_compact(judge, i);
        is_sound = follow_program(judge, i);
        judge->is_full |= judge->forms.is_full;
    }
    judge->allows_order = true; // nobody has looked
    set_grade(judge, is_sound, true);
}

static void judge_fini(struct rh_judge *judge)
{
    for (size_t i = 0; i < judge->sets.count; i++) {
        rh_form_list_fini(&judge->sets.items[i].forms);
        rh_form_list_fini(&judge->sets.items[i].waiting);
    }
    rh_vector_fini(&judge->sets);
    rh_vector_fini(&judge->pairs);
    rh_vector_fini(&judge->targets);
    rh_vector_fini(&judge->ending);
    rh_table_fini(&judge->set_table);
    rh_table_fini(&judge->pair_table);
    rh_table_fini(&judge->ending_table);
    rh_residuals_fini(&judge->residuals);
    rh_forms_fini(&judge->forms);
}

// Makes the form of the diagram, and searches or follows.
static struct rh_status judge_diagram(struct rh_automaton *automaton,
                                      const struct rh_diagram *diagram,
                                      const struct rh_binding *bindings, bool is_fifo,
                                      bool is_whole, bool is_run, struct rh_judgement *judgement)
{
    struct rh_judge judge = {.automaton = automaton,
                             .judgement = judgement,
                             .may_lose = diagram->is_sketch,
                             .is_run = is_run};
    rh_assert(automaton->is_by_class == diagram->is_sketch);
    uint32_t form;
    *judgement = (struct rh_judgement){0};
    rh_forms_init(&judge.forms);
    judge.residuals =
        (struct rh_residuals){.forms = &judge.forms, .is_fifo = is_fifo, .only_site = RH_NONE};
    struct rh_status status =
        rh_form_make(&judge.forms, &automaton->names, diagram, bindings, &form);
    if (rh_is_ok(&status) && is_run)
        follow(&judge, form);
    else if (rh_is_ok(&status))
        search(&judge, form, is_whole);
    judge_fini(&judge);
    rh_names_restore(&automaton->names);
    return status;
}

struct rh_status rh_diagram_judge(struct rh_automaton *automaton, const struct rh_diagram *diagram,
                                  const struct rh_binding *bindings, bool is_fifo, bool is_whole,
                                  struct rh_judgement *judgement)
{
    return judge_diagram(automaton, diagram, bindings, is_fifo, is_whole, false, judgement);
}

struct rh_status rh_diagram_follow(struct rh_automaton *automaton, const struct rh_diagram *diagram,
                                   const struct rh_binding *bindings, bool is_fifo,
                                   struct rh_judgement *judgement)
{
    return judge_diagram(automaton, diagram, bindings, is_fifo, true, true, judgement);
}
