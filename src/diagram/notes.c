// SPDX-License-Identifier: MIT
#include "diagram/notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "base/none.h"
#include "diagram/moment.h"
#include "diagram/part.h"

// More steps than this are not looked at.
enum { MOMENTS_MOST = 200000 };

struct annotator {
    struct rh_arena *arena;
    struct rh_automaton *automaton;
    const struct rh_journal *classes;
    const struct rh_binding *bindings;
    const struct rh_node *arrow;
    struct rh_numbers_of actors; // of the classes
    uint32_t *numbers; // owned; by step: how many of the type its receiver has received by then
};

static struct rh_label label_of(struct annotator *annotator, uint32_t message)
{
    return rh_automaton_label(annotator->automaton, annotator->classes, &annotator->actors,
                              &annotator->classes->messages[message]);
}

static bool is_meant(struct annotator *annotator, uint32_t message)
{
    struct rh_label label = label_of(annotator, message);
    return rh_arrow_means(&annotator->automaton->names, annotator->arrow, annotator->bindings,
                          &label);
}

static bool does_send(struct annotator *annotator, const struct rh_journal_step *step)
{
    for (uint32_t i = 0; i < step->sent_count; i++)
        if (is_meant(annotator, step->first_sent + i))
            return true;
    return false;
}

// --- Where. ---

static int compare_places(const void *one, const void *other)
{
    const struct rh_journal_place *left = one, *right = other;
    int files = strcmp(left->file, right->file);
    return files ? files : left->line - right->line;
}

static void add_where(struct annotator *annotator, struct rh_text *text)
{
    const struct rh_journal *journal = annotator->classes;
    bool *is_it = rh_alloc(journal->place_count + 1);
    RH_VECTOR(struct rh_journal_place) places = {0};
    for (uint32_t i = 0; i < journal->step_count; i++)
        for (uint32_t k = 0; k < journal->steps[i].sent_count; k++) {
            uint32_t message = journal->steps[i].first_sent + k;
            uint32_t place = journal->messages[message].place;
            if (place != RH_NONE && !is_it[place])
                is_it[place] = is_meant(annotator, message);
        }
    for (uint32_t i = 0; i < journal->place_count; i++)
        if (is_it[i])
            *rh_vector_push(&places) = journal->places[i];
    if (places.count)
        qsort(places.items, places.count, sizeof *places.items, compare_places);
    for (size_t i = 0; i < places.count; i++)
        rh_text_addf(text, "%s%s:%d", i ? ", " : "", rh_base_name(places.items[i].file),
                     places.items[i].line);
    rh_vector_fini(&places);
    free(is_it);
}

// --- When. ---

static bool is_same_receipt(const struct rh_journal *journal, uint32_t one, uint32_t other)
{
    const struct rh_journal_message *left = &journal->messages[one];
    const struct rh_journal_message *right = &journal->messages[other];
    return left->receiver == right->receiver && left->type == right->type;
}

// Counts the receipts before each step, from the nearest one of the same kind on.
static void number_receipts(struct annotator *annotator)
{
    const struct rh_journal *journal = annotator->classes;
    annotator->numbers = rh_alloc((journal->step_count + (size_t)1) * sizeof *annotator->numbers);
    for (uint32_t i = 0; i < journal->step_count; i++) {
        uint32_t received = journal->steps[i].received, at = journal->steps[i].parent;
        if (received == RH_NONE)
            continue;
        annotator->numbers[i] = 1;
        for (; at != RH_NONE && journal->steps[at].received != RH_NONE;
             at = journal->steps[at].parent)
            if (is_same_receipt(journal, received, journal->steps[at].received)) {
                annotator->numbers[i] = annotator->numbers[at] + 1;
                break;
            }
    }
}

static void add_moment(struct annotator *annotator, uint32_t number, struct rh_moments *moments)
{
    const struct rh_journal *journal = annotator->classes;
    const struct rh_journal_step *step = &journal->steps[number];
    uint32_t value = journal->messages[step->received].value;
    *rh_vector_push(moments) = (struct rh_moment){
        .value = value == RH_NONE ? NULL : journal->values[value].text,
        .number = annotator->numbers[number],
        .outcome = step->choice_count ? journal->choices[step->first_choice].outcome : RH_NONE,
        .is_one = does_send(annotator, step)};
}

// Whether the step receives a message of the type upon which the arrow's message might be sent.
static bool is_asked(struct annotator *annotator, const struct rh_journal_step *step, uint32_t type,
                     bool only_replies)
{
    const struct rh_names *names = &annotator->automaton->names;
    if (step->received == RH_NONE || annotator->classes->messages[step->received].type != type)
        return false;
    struct rh_label label = label_of(annotator, step->received);
    return rh_arrow_is_from(names, annotator->arrow, annotator->bindings, label.to) &&
           (!only_replies ||
            rh_arrow_is_to(names, annotator->arrow, annotator->bindings, label.from));
}

static size_t gather(struct annotator *annotator, uint32_t type, bool only_replies,
                     struct rh_moments *moments)
{
    size_t ones = 0;
    for (uint32_t i = 0; i < annotator->classes->step_count && moments->count < MOMENTS_MOST; i++) {
        if (!is_asked(annotator, &annotator->classes->steps[i], type, only_replies))
            continue;
        add_moment(annotator, i, moments);
        ones += moments->items[moments->count - 1].is_one;
    }
    return ones;
}

// Adds what is to be said of the messages of one type that senders of the arrow receive. Where each
// such message of the arrow goes back, what comes from others is out of the question.
static bool add_type(struct annotator *annotator, uint32_t type, bool is_first,
                     struct rh_text *text)
{
    struct rh_moments moments = {0}, replies = {0};
    size_t ones = gather(annotator, type, false, &moments);
    bool are_replies = gather(annotator, type, true, &replies) == ones;
    if (ones > 0) {
        rh_text_add(text, is_first ? "upon " : " or ");
        rh_moments_add(are_replies ? &replies : &moments, annotator->classes->types[type], text);
    }
    rh_vector_fini(&moments);
    rh_vector_fini(&replies);
    return ones > 0;
}

static void add_when(struct annotator *annotator, struct rh_text *text)
{
    const struct rh_journal *journal = annotator->classes;
    bool is_first = true;
    for (uint32_t i = 0; i < journal->step_count && is_first; i++)
        if (journal->steps[i].received == RH_NONE && does_send(annotator, &journal->steps[i])) {
            rh_text_add(text, "at the start");
            is_first = false;
        }
    bool is_body = !is_first;
    is_first = true;
    for (uint32_t type = 0; type < journal->type_count; type++) {
        struct rh_text own = {0};
        if (add_type(annotator, type, is_first, &own)) {
            rh_text_addf(text, "%s%s", is_body && is_first ? ", and " : "", rh_text_get(&own));
            is_first = false;
        }
        rh_text_fini(&own);
    }
}

// --- All arrows. ---

static void add_note(struct rh_notes *notes, struct annotator *annotator)
{
    struct rh_text where = {0}, when = {0};
    for (size_t i = 0; i < notes->count; i++)
        if (rh_node_equals(notes->items[i].arrow, annotator->arrow))
            return;
    add_where(annotator, &where);
    add_when(annotator, &when);
    *rh_vector_push(notes) = (struct rh_note){
        annotator->arrow, rh_arena_text(annotator->arena, rh_text_get(&where), where.length),
        rh_arena_text(annotator->arena, rh_text_get(&when), when.length)};
    rh_text_fini(&where);
    rh_text_fini(&when);
}

static void add_node(struct rh_notes *notes, struct annotator *annotator,
                     const struct rh_node *node)
{
    annotator->arrow = node;
    if (node->kind == RH_NODE_ARROW)
        add_note(notes, annotator);
    for (size_t i = 0; i < node->count; i++)
        add_node(notes, annotator, node->parts[i]);
}

void rh_notes_add(struct rh_notes *notes, struct rh_arena *arena, struct rh_automaton *automaton,
                  const struct rh_journal *classes, const struct rh_binding *bindings,
                  const struct rh_node *node)
{
    struct annotator annotator = {
        .arena = arena, .automaton = automaton, .classes = classes, .bindings = bindings};
    rh_automaton_map(automaton, classes, &annotator.actors);
    number_receipts(&annotator);
    struct rh_definitions definitions = {0};
    rh_definitions_add(&definitions, node);
    add_node(notes, &annotator, node);
    for (size_t i = 0; i < definitions.count; i++)
        add_node(notes, &annotator, definitions.items[i]->body);
    rh_vector_fini(&definitions);
    rh_vector_fini(&annotator.actors);
    free(annotator.numbers);
}
