// SPDX-License-Identifier: MIT
#include "sketch/write.h"

#include <string.h>

struct writer {
    struct rh__sketch_builder *builder;
    struct rh_arena *arena;
    const uint32_t *futures;   // by variable
    RH_VECTOR(uint32_t) named; // futures with definitions, in the order in which they are met
    RH_VECTOR(struct rh_definition *) definitions;
};

static bool is_taken(const struct writer *writer, const char *name)
{
    for (size_t i = 0; i < writer->definitions.count; i++)
        if (!strcmp(name, writer->definitions.items[i]->name))
            return true;
    return false;
}

// "after_start"; then with who has received it; then with a number. It is the first message that
// has this future.
static const char *name_of(struct writer *writer, uint32_t future)
{
    uint32_t number = 0;
    while (writer->futures[number] != future)
        number++;
    const struct rh__sketch_variable *variable = &writer->builder->variables.items[number];
    struct rh_text name = {0};
    rh_text_addf(&name, "after_%s", variable->type);
    if (is_taken(writer, rh_text_get(&name)))
        rh_text_addf(&name, "_at_%s", writer->builder->classes.items[variable->to].name);
    size_t length = name.length;
    for (int i = 2; is_taken(writer, rh_text_get(&name)); i++) {
        rh_text_cut(&name, length);
        rh_text_addf(&name, "_%d", i);
    }
    const char *kept = rh_arena_text(writer->arena, rh_text_get(&name), name.length);
    rh_text_fini(&name);
    return kept;
}

static struct rh_definition *definition_of(struct writer *writer, uint32_t future)
{
    for (size_t i = 0; i < writer->named.count; i++)
        if (writer->named.items[i] == future)
            return writer->definitions.items[i];
    struct rh_definition *definition = rh_arena_take(writer->arena, sizeof *definition);
    definition->name = name_of(writer, future);
    *rh_vector_push(&writer->named) = future;
    *rh_vector_push(&writer->definitions) = definition;
    return definition;
}

static const struct rh_node *write_arrow(struct writer *writer, uint32_t number)
{
    struct rh_node *node = rh_arena_take(writer->arena, sizeof *node);
    const struct rh__sketch_variable *variable = &writer->builder->variables.items[number];
    node->kind = RH_NODE_ARROW;
    node->from.class = writer->builder->classes.items[variable->from].name;
    node->to.class = writer->builder->classes.items[variable->to].name;
    node->type = rh_arena_text(writer->arena, variable->type, strlen(variable->type));
    node->sending = variable->kind;
    node->is_lost = variable->is_lost;
    return node;
}

static const struct rh_node *write_leaf(struct writer *writer, uint32_t leaf)
{
    if (leaf == RH__SKETCH_ARROW(leaf / 2))
        return write_arrow(writer, leaf / 2);
    struct rh_node *node = rh_arena_take(writer->arena, sizeof *node);
    node->kind = RH_NODE_CALL;
    node->definition = definition_of(writer, leaf / 2);
    return node;
}

static const struct rh_node *write_term(struct writer *writer, uint32_t number);

// How many other parts from `first` to before `end` are the same as this one.
static uint32_t count_equal(const struct writer *writer, uint32_t number, uint32_t index,
                            uint32_t first, uint32_t end)
{
    const struct rh__terms *terms = &writer->builder->terms;
    uint32_t count = 0;
    for (uint32_t i = first; i < end; i++)
        count +=
            i != index && rh__term_part(terms, number, i) == rh__term_part(terms, number, index);
    return count;
}

// Equal parts that are side by side are written once, with how many they are.
static const struct rh_node *write_part(struct writer *writer, uint32_t number, uint32_t index)
{
    struct rh__term term = rh__term_get(&writer->builder->terms, number);
    const struct rh_node *node =
        write_term(writer, rh__term_part(&writer->builder->terms, number, index));
    uint32_t more = count_equal(writer, number, index, index, term.count);
    if (term.kind != RH__TERM_PARALLEL || more == 0)
        return node;
    struct rh_node *loop = rh_arena_take(writer->arena, sizeof *loop);
    loop->kind = RH_NODE_LOOP;
    loop->parts = rh_arena_take(writer->arena, sizeof *loop->parts);
    loop->parts[0] = node;
    loop->count = 1;
    loop->is_parallel = true;
    loop->first = loop->last = rh_expression_number(writer->arena, more + 1);
    return loop;
}

static const struct rh_node *write_loop(struct writer *writer, uint32_t number)
{
    struct rh__term term = rh__term_get(&writer->builder->terms, number);
    struct rh_node *node = rh_arena_take(writer->arena, sizeof *node);
    node->kind = RH_NODE_LOOP;
    node->parts = rh_arena_take(writer->arena, sizeof *node->parts);
    node->parts[0] = write_term(writer, rh__term_part(&writer->builder->terms, number, 0));
    node->count = 1;
    node->is_parallel = term.is_parallel;
    node->first = rh_expression_number(writer->arena, term.least);
    return node;
}

static const struct rh_node *write_term(struct writer *writer, uint32_t number)
{
    static const enum rh_node_kind kinds[] = {[RH__TERM_SEQUENCE] = RH_NODE_SEQUENCE,
                                              [RH__TERM_WEAK] = RH_NODE_WEAK,
                                              [RH__TERM_PARALLEL] = RH_NODE_PARALLEL,
                                              [RH__TERM_CHOICE] = RH_NODE_CHOICE};
    struct rh__term term = rh__term_get(&writer->builder->terms, number);
    if (term.kind == RH__TERM_SKIP)
        return rh_node_skip(writer->arena);
    if (term.kind == RH__TERM_LEAF)
        return write_leaf(writer, term.leaf);
    if (term.kind == RH__TERM_LOOP)
        return write_loop(writer, number);
    struct rh_nodes nodes = {0};
    for (uint32_t i = 0; i < term.count; i++)
        if (term.kind != RH__TERM_PARALLEL || count_equal(writer, number, i, 0, i) == 0)
            *rh_vector_push(&nodes) = write_part(writer, number, i);
    const struct rh_node *node =
        rh_node_join(writer->arena, kinds[term.kind], nodes.items, nodes.count);
    rh_vector_fini(&nodes);
    return node;
}

void rh__sketch_write(struct rh__sketch_builder *builder, uint32_t body, const uint32_t *solutions,
                      const uint32_t *futures)
{
    struct rh_diagram *diagram = &builder->sketch->diagram;
    struct writer writer = {
        .builder = builder, .arena = &builder->sketch->arena, .futures = futures};
    diagram->is_sketch = true;
    diagram->body = write_term(&writer, body);
    for (size_t i = 0; i < writer.named.count; i++) {
        const struct rh_node *said = write_term(&writer, solutions[writer.named.items[i]]);
        writer.definitions.items[i]->body = said;
    }
    rh_vector_fini(&writer.named);
    rh_vector_fini(&writer.definitions);
}
