// SPDX-License-Identifier: MIT
// Where a sketch may allow more than the program does, each place with its reason, and what it may
// miss since code was not there.
#include <stdlib.h>
#include <string.h>

#include "sketch/internal.h"

static void add(struct rh__sketch_builder *builder, const struct rh_ir_place *place,
                struct rh_text *words)
{
    struct rh_sketch *sketch = builder->sketch;
    struct rh_unknown_place reason = {
        .words = rh_arena_text(&sketch->arena, rh_text_get(words), words->length)};
    if (place && place->file) {
        reason.file = rh_arena_text(&sketch->arena, place->file, strlen(place->file));
        reason.line = (int)place->line;
    }
    rh_text_fini(words);
    *rh_vector_push(&sketch->reasons) = reason;
}

static void say(struct rh__sketch_builder *builder, const struct rh_ir_place *place,
                const char *words)
{
    struct rh_text text = {0};
    rh_text_add(&text, words);
    add(builder, place, &text);
}

// --- Control flow. ---

static bool sends(const struct rh__sketch_builder *builder, const struct rh__sketch_node *node)
{
    if (node->operation == RH_NONE)
        return false;
    enum rh__flow_operation_kind kind = builder->flow->operations.items[node->operation].kind;
    return kind != RH__FLOW_SPAWN && kind != RH__FLOW_RESERVE;
}

static void find_in_graph(struct rh__sketch_builder *builder, const struct rh__sketch_graph *graph)
{
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct rh__sketch_node *node = &graph->nodes.items[i];
        bool repeats = rh__sketch_graph_repeats(graph, i);
        if (sends(builder, node) && repeats)
            say(builder, &node->place, "in a loop: how often it goes round is not known");
        else if (node->operation == RH_NONE && node->next.count > 1 && !repeats)
            say(builder, &node->place, "a branch: which way it goes is not known");
    }
    if (graph->is_shared)
        say(builder, NULL,
            "a handler with all functions that it calls is too long: where a function returns to "
            "is not known");
    if (graph->has_strays)
        say(builder, NULL,
            "some functions are called by a library, a constructor or rh_at_stop: when is not "
            "known");
}

static void find_in_graphs(struct rh__sketch_builder *builder)
{
    bool *is_done = rh_alloc(builder->flow->actors.count);
    find_in_graph(builder, builder->graphs[0]);
    for (size_t i = 0; i < builder->entries.count; i++) {
        uint32_t actor = builder->entries.items[i].actor;
        if (!is_done[actor])
            find_in_graph(builder, builder->graphs[actor]);
        is_done[actor] = true;
    }
    free(is_done);
}

// --- Actors and messages. ---

static void find_in_classes(struct rh__sketch_builder *builder)
{
    for (size_t i = 1; i < builder->classes.count; i++) {
        const struct rh__sketch_class *class = &builder->classes.items[i];
        struct rh_text words = {0};
        if (class->created < 2)
            continue;
        rh_text_addf(&words, "there may be several actors %s: any of them is meant", class->name);
        add(builder, &class->place, &words);
    }
}

static uint32_t note_receiver(void *context, uint32_t leaf)
{
    rh__sketch_numbers_add(context, leaf);
    return RH__SKIP;
}

static void find_in_operation(struct rh__sketch_builder *builder, uint32_t number, uint32_t class)
{
    const struct rh_ir_place place = builder->flow->operations.items[number].instruction->place;
    struct rh__sketch_numbers leaves = {0}, classes = {0};
    struct rh_text words = {0};
    uint32_t term = rh__sketch_messages(builder, number, class);
    rh__term_map(&builder->terms, term, note_receiver, &leaves);
    for (size_t i = 0; i < leaves.count; i++)
        rh__sketch_numbers_add(&classes, builder->variables.items[leaves.items[i]].to);
    if (classes.count == 0) {
        say(builder, &place, "who gets this was not found: it is missing");
    } else if (classes.count > 1) {
        rh_text_add(&words, "who gets this is not known:");
        for (size_t i = 0; i < classes.count; i++)
            rh_text_addf(&words, "%s %s", i ? " or" : "",
                         builder->classes.items[classes.items[i]].name);
        add(builder, &place, &words);
    }
    rh_vector_fini(&leaves);
    rh_vector_fini(&classes);
}

static void find_in_operations(struct rh__sketch_builder *builder)
{
    size_t count = builder->entries.count;
    for (size_t i = 0; i <= count; i++) {
        uint32_t class = i < count ? builder->entries.items[i].class : 0;
        uint32_t actor = i < count ? builder->entries.items[i].actor : 0;
        const struct rh__sketch_graph *graph = builder->graphs[actor];
        for (size_t k = 0; k < graph->nodes.count; k++)
            if (sends(builder, &graph->nodes.items[k]))
                find_in_operation(builder, graph->nodes.items[k].operation, class);
    }
}

static void find_unknown(struct rh__sketch_builder *builder)
{
    for (size_t i = 0; i < builder->flow->module->functions.count; i++) {
        struct rh_text words = {0};
        if (!builder->flow->unknown_calls[i])
            continue;
        rh_text_addf(&words, "the code of %s was not there: if it sends anything, that is missing",
                     builder->flow->module->functions.items[i].name);
        add(builder, NULL, &words);
    }
    if (builder->flow->has_assembly)
        say(builder, NULL, "there is assembly: if it sends anything, that is missing");
}

// --- Order. ---

static int compare(const void *one, const void *other)
{
    const struct rh_unknown_place *left = one, *right = other;
    int order = strcmp(left->file ? left->file : "~", right->file ? right->file : "~");
    if (order == 0)
        order = (left->line > right->line) - (left->line < right->line);
    return order ? order : strcmp(left->words, right->words);
}

static void sort(struct rh_sketch *sketch)
{
    size_t kept = 0;
    if (sketch->reasons.count == 0)
        return;
    qsort(sketch->reasons.items, sketch->reasons.count, sizeof *sketch->reasons.items, compare);
    for (size_t i = 1; i < sketch->reasons.count; i++)
        if (compare(&sketch->reasons.items[i], &sketch->reasons.items[kept]) != 0)
            sketch->reasons.items[++kept] = sketch->reasons.items[i];
    sketch->reasons.count = kept + 1;
}

void rh__sketch_reasons_find(struct rh__sketch_builder *builder)
{
    find_in_graphs(builder);
    find_in_classes(builder);
    find_in_operations(builder);
    find_unknown(builder);
    if (builder->is_tangled)
        say(builder, NULL,
            "some jumps lead into loops: all that happens there may come in any "
            "order");
    sort(builder->sketch);
}
