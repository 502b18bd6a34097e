// SPDX-License-Identifier: MIT
#include "diagram/patterns.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

enum { PIPELINE_LEAST = 4, RING_LEAST = 3, STREAM_LEAST = 3, CHAIN_MOST = 64 };

static const char *const names[] = {"request/reply", "ping-pong", "broadcast", "gather",
                                    "pipeline",      "ring",      "stream",    "self"};
enum { REQUEST_REPLY, PING_PONG, BROADCAST, GATHER, PIPELINE, RING, STREAM, SELF };

// A message of an execution.
struct sent {
    struct rh_label label;
    uint32_t cause; // the message whose handler has sent it; RH_NONE: the test's body
};

struct finder {
    struct rh_patterns *patterns;
    struct rh_automaton *automaton;
    const struct rh_journal *journal;
    struct rh_numbers_of actors;
    // Of the present execution, in the order of sending.
    RH_VECTOR(struct sent) messages;
    RH_VECTOR(uint32_t) steps;
    size_t *seen; // owned; by pattern: number of the execution that had it last
};

// --- Executions. ---

static void read_execution(struct finder *finder, uint32_t last)
{
    const struct rh_journal *journal = finder->journal;
    struct rh_index by_identity = {0};
    finder->messages.count = finder->steps.count = 0;
    for (uint32_t at = last; at != RH_NONE; at = journal->steps[at].parent)
        *rh_vector_push(&finder->steps) = at;
    for (size_t i = finder->steps.count; i-- > 0;) {
        const struct rh_journal_step *step = &journal->steps[finder->steps.items[i]];
        uint32_t cause =
            step->received == RH_NONE
                ? RH_NONE
                : rh_index_find(&by_identity, journal->messages[step->received].identity);
        for (uint32_t k = 0; k < step->sent_count; k++) {
            const struct rh_journal_message *message = &journal->messages[step->first_sent + k];
            if (rh_index_find(&by_identity, message->identity) == RH_NONE)
                rh_index_add(&by_identity, message->identity, (uint32_t)finder->messages.count);
            *rh_vector_push(&finder->messages) = (struct sent){
                rh_automaton_label(finder->automaton, journal, &finder->actors, message), cause};
        }
    }
    rh_index_fini(&by_identity);
}

static const struct rh_named_actor *named(const struct finder *finder, uint32_t actor)
{
    return &finder->automaton->names.actors.items[actor];
}

static void add_message(const struct finder *finder, struct rh_text *text,
                        const struct rh_label *label)
{
    rh_text_addf(text, "%s%s %s %s: %s", text->length ? " ; " : "",
                 named(finder, label->from)->class, rh_sending_word(label->kind),
                 named(finder, label->to)->class,
                 finder->automaton->names.types.items[label->type]);
}

// Notes a pattern of the present execution, and frees the text.
static void note(struct finder *finder, int kind, struct rh_text *text)
{
    struct rh_patterns *patterns = finder->patterns;
    size_t i = 0;
    while (i < patterns->items.count &&
           (patterns->items.items[i].name != names[kind] ||
            strcmp(patterns->items.items[i].text, rh_text_get(text)) != 0))
        i++;
    if (i == patterns->items.count) {
        *rh_vector_push(&patterns->items) = (struct rh_pattern){
            .name = names[kind],
            .text = rh_arena_text(&patterns->arena, rh_text_get(text), text->length)};
        finder->seen = rh_realloc(finder->seen, (i + 1) * sizeof *finder->seen);
        finder->seen[i] = 0;
    }
    if (finder->seen[i] != patterns->executions)
        patterns->items.items[i].executions++;
    finder->seen[i] = patterns->executions;
    rh_text_fini(text);
}

static void note_messages(struct finder *finder, int kind, const struct rh_label *one,
                          const struct rh_label *other)
{
    struct rh_text text = {0};
    add_message(finder, &text, one);
    if (other)
        add_message(finder, &text, other);
    note(finder, kind, &text);
}

// --- Two actors. ---

static bool is_reply(const struct finder *finder, const struct sent *sent)
{
    const struct rh_label *cause =
        sent->cause == RH_NONE ? NULL : &finder->messages.items[sent->cause].label;
    return cause && cause->from == sent->label.to && cause->to == sent->label.from &&
           cause->from != cause->to && cause->from != 0;
}

static void find_replies(struct finder *finder)
{
    for (size_t i = 0; i < finder->messages.count; i++) {
        const struct sent *reply = &finder->messages.items[i];
        if (!is_reply(finder, reply))
            continue;
        const struct sent *request = &finder->messages.items[reply->cause];
        note_messages(finder, REQUEST_REPLY, &request->label, &reply->label);
        if (!is_reply(finder, request))
            continue;
        const struct sent *before = &finder->messages.items[request->cause];
        if (before->label.type == reply->label.type && is_reply(finder, before) &&
            finder->messages.items[before->cause].label.type == request->label.type)
            note_messages(finder, PING_PONG, &request->label, &reply->label);
    }
}

static void find_streams(struct finder *finder)
{
    for (size_t i = 0; i < finder->messages.count; i++) {
        const struct sent *first = &finder->messages.items[i];
        size_t count = 0;
        for (size_t k = 0; k < finder->messages.count; k++)
            count += rh_label_equals(&first->label, &finder->messages.items[k].label) &&
                     !is_reply(finder, &finder->messages.items[k]);
        if (first->label.from == first->label.to)
            note_messages(finder, SELF, &first->label, NULL);
        else if (count >= STREAM_LEAST && first->label.from != 0)
            note_messages(finder, STREAM, &first->label, NULL);
    }
}

// --- One and many. ---

static bool is_alike(const struct finder *finder, const struct rh_label *one,
                     const struct rh_label *other, bool same_from, bool same_to)
{
    return one->type == other->type && one->kind == other->kind &&
           (same_from
                ? one->from == other->from
                : !strcmp(named(finder, one->from)->class, named(finder, other->from)->class)) &&
           (same_to ? one->to == other->to
                    : !strcmp(named(finder, one->to)->class, named(finder, other->to)->class));
}

// Whether each actor of the class is at the other end of a message like this one; for a broadcast,
// of one that the same handler has sent.
static bool is_with_all(const struct finder *finder, const struct sent *like, bool is_broadcast)
{
    uint32_t end = is_broadcast ? like->label.to : like->label.from;
    const char *class = named(finder, end)->class;
    size_t members = 0, found = 0;
    for (uint32_t actor = 0; actor < finder->automaton->names.program_actors; actor++) {
        if (strcmp(named(finder, actor)->class, class) != 0)
            continue;
        members++;
        bool is_met = false;
        for (size_t i = 0; i < finder->messages.count && !is_met; i++) {
            const struct sent *sent = &finder->messages.items[i];
            is_met = is_alike(finder, &like->label, &sent->label, is_broadcast, !is_broadcast) &&
                     (is_broadcast ? sent->label.to : sent->label.from) == actor &&
                     (!is_broadcast || sent->cause == like->cause);
        }
        found += is_met;
    }
    return members > 1 && found == members;
}

static void find_crowds(struct finder *finder)
{
    for (size_t i = 0; i < finder->messages.count; i++) {
        const struct sent *sent = &finder->messages.items[i];
        if (sent->label.from == sent->label.to)
            continue;
        if (is_with_all(finder, sent, true))
            note_messages(finder, BROADCAST, &sent->label, NULL);
        if (sent->label.from != 0 && is_with_all(finder, sent, false))
            note_messages(finder, GATHER, &sent->label, NULL);
    }
}

// --- Chains. ---

// The messages that lead to this one, the last first, as long as no actor comes twice. The chain
// may close: its first message is sent by whom the last one goes to.
struct chain {
    uint32_t items[CHAIN_MOST];
    size_t count;
    bool closes;
};

static bool is_on(const struct finder *finder, const struct chain *chain, uint32_t actor)
{
    for (size_t i = 0; i < chain->count; i++)
        if (finder->messages.items[chain->items[i]].label.to == actor)
            return true;
    return false;
}

static struct chain chain_of(const struct finder *finder, uint32_t last)
{
    struct chain chain = {0};
    for (uint32_t at = last; at != RH_NONE && chain.count < CHAIN_MOST;
         at = finder->messages.items[at].cause) {
        const struct rh_label *label = &finder->messages.items[at].label;
        bool closes = label->from == finder->messages.items[last].label.to;
        if (label->from == 0 || is_on(finder, &chain, label->to) ||
            (is_on(finder, &chain, label->from) && !closes))
            return chain;
        chain.items[chain.count++] = at;
        chain.closes = closes;
        if (closes)
            return chain;
    }
    return chain;
}

static bool is_one_class(const struct finder *finder, const struct chain *chain)
{
    const char *class = named(finder, finder->messages.items[chain->items[0]].label.to)->class;
    for (size_t i = 0; i < chain->count; i++)
        if (strcmp(named(finder, finder->messages.items[chain->items[i]].label.to)->class, class) !=
            0)
            return false;
    return true;
}

static bool is_cause(const struct finder *finder, uint32_t message)
{
    for (size_t i = message + 1; i < finder->messages.count; i++)
        if (finder->messages.items[i].cause == message)
            return true;
    return false;
}

static void note_pipeline(struct finder *finder, const struct chain *chain)
{
    struct rh_text text = {0};
    const char *before = "";
    for (size_t i = chain->count; i-- > 0;) {
        const struct rh_label *label = &finder->messages.items[chain->items[i]].label;
        struct rh_text own = {0};
        add_message(finder, &own, label);
        // Several of one class in a row are said once.
        if (!text.length || strcmp(before, rh_text_get(&own)) != 0)
            add_message(finder, &text, label);
        before = rh_arena_text(&finder->patterns->arena, rh_text_get(&own), own.length);
        rh_text_fini(&own);
    }
    note(finder, PIPELINE, &text);
}

static void find_chains(struct finder *finder)
{
    for (uint32_t i = 0; i < finder->messages.count; i++) {
        struct chain chain = chain_of(finder, i);
        bool is_ring = chain.closes && chain.count >= RING_LEAST && is_one_class(finder, &chain);
        if (is_ring)
            note_messages(finder, RING, &finder->messages.items[i].label, NULL);
        // A pipeline ends where nothing goes on.
        else if (!chain.closes && chain.count + 1 >= PIPELINE_LEAST && !is_cause(finder, i))
            note_pipeline(finder, &chain);
    }
}

// --- All. ---

static int compare_patterns(const void *one, const void *other)
{
    const struct rh_pattern *left = one, *right = other;
    int by_name = strcmp(left->name, right->name);
    return by_name ? by_name : strcmp(left->text, right->text);
}

void rh_patterns_init(struct rh_patterns *patterns, struct rh_automaton *automaton,
                      const struct rh_journal *classes)
{
    *patterns = (struct rh_patterns){0};
    struct finder finder = {.patterns = patterns, .automaton = automaton, .journal = classes};
    rh_automaton_map(automaton, classes, &finder.actors);
    for (uint32_t i = 0; i < classes->step_count; i++) {
        if (!classes->steps[i].is_end)
            continue;
        patterns->executions++;
        read_execution(&finder, i);
        find_replies(&finder);
        find_streams(&finder);
        find_crowds(&finder);
        find_chains(&finder);
    }
    if (patterns->items.count)
        qsort(patterns->items.items, patterns->items.count, sizeof *patterns->items.items,
              compare_patterns);
    rh_vector_fini(&finder.messages);
    rh_vector_fini(&finder.steps);
    rh_vector_fini(&finder.actors);
    free(finder.seen);
}

void rh_patterns_fini(struct rh_patterns *patterns)
{
    rh_vector_fini(&patterns->items);
    rh_arena_fini(&patterns->arena);
}
