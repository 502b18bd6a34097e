// SPDX-License-Identifier: MIT
#include "diagram/part.h"

#include <stdlib.h>
#include <string.h>

static bool has_definition(const struct rh_definitions *definitions,
                           const struct rh_definition *definition)
{
    for (size_t i = 0; i < definitions->count; i++)
        if (definitions->items[i] == definition)
            return true;
    return false;
}

void rh_definitions_add(struct rh_definitions *definitions, const struct rh_node *node)
{
    if (node->kind == RH_NODE_CALL && !has_definition(definitions, node->definition)) {
        *rh_vector_push(definitions) = node->definition;
        rh_definitions_add(definitions, node->definition->body);
    }
    for (size_t i = 0; i < node->count; i++)
        rh_definitions_add(definitions, node->parts[i]);
}

bool rh_definition_is_recursive(const struct rh_definition *definition)
{
    struct rh_definitions below = {0};
    rh_definitions_add(&below, definition->body);
    bool is_recursive = has_definition(&below, definition);
    rh_vector_fini(&below);
    return is_recursive;
}

// --- Substitution. ---

static bool has_variable(const struct rh_expression *expression, const char *variable)
{
    if (!expression)
        return false;
    if (expression->kind == RH_EXPRESSION_VARIABLE)
        return !strcmp(expression->variable, variable);
    return has_variable(expression->left, variable) || has_variable(expression->right, variable);
}

static const struct rh_expression *substitute(struct rh_arena *arena,
                                              const struct rh_expression *expression,
                                              const struct rh_substitution *substitution)
{
    if (!expression || expression->kind == RH_EXPRESSION_NUMBER)
        return expression;
    if (expression->kind != RH_EXPRESSION_VARIABLE)
        return rh_expression_make(arena, expression->kind,
                                  substitute(arena, expression->left, substitution),
                                  substitute(arena, expression->right, substitution));
    for (; substitution; substitution = substitution->outer)
        if (!strcmp(substitution->variable, expression->variable))
            return substitution->expression;
    return expression;
}

static bool is_mentioned(const struct rh_substitution *substitution, const char *variable)
{
    for (; substitution; substitution = substitution->outer)
        if (has_variable(substitution->expression, variable))
            return true;
    return false;
}

// A name for an index that none of the expressions has.
static const char *free_name(const struct rh_substitution *substitution, const char *name)
{
    static const char *const names[] = {"k", "l", "m", "n", "p", "q", "r", "s", "t", "u", "v"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && is_mentioned(substitution, name); i++)
        name = names[i];
    return name;
}

const struct rh_node *rh_node_substitute(struct rh_arena *arena, const struct rh_node *node,
                                         const struct rh_substitution *substitution)
{
    struct rh_node *copy = rh_arena_take(arena, sizeof *copy);
    *copy = *node;
    copy->from.index = substitute(arena, node->from.index, substitution);
    copy->to.index = substitute(arena, node->to.index, substitution);
    copy->first = substitute(arena, node->first, substitution);
    copy->last = substitute(arena, node->last, substitution);
    copy->arguments = rh_arena_take(arena, node->argument_count * sizeof *copy->arguments + 1);
    for (size_t i = 0; i < node->argument_count; i++)
        copy->arguments[i] = substitute(arena, node->arguments[i], substitution);
    struct rh_substitution own = {.outer = substitution};
    if (node->variable) {
        own.variable = node->variable;
        copy->variable = free_name(substitution, node->variable);
        own.expression = rh_expression_variable(arena, copy->variable);
        substitution = &own;
    }
    copy->parts = rh_arena_take(arena, node->count * sizeof *copy->parts + 1);
    for (size_t i = 0; i < node->count; i++)
        copy->parts[i] = rh_node_substitute(arena, node->parts[i], substitution);
    return copy;
}

// The body of a part with the arguments of a call.
static const struct rh_node *body_of(struct rh_arena *arena, const struct rh_node *call,
                                     const struct rh_node *body)
{
    struct rh_substitution *own = rh_arena_take(arena, call->argument_count * sizeof *own + 1);
    for (size_t i = 0; i < call->argument_count; i++)
        own[i] = (struct rh_substitution){call->definition->parameters[i], call->arguments[i],
                                          i ? &own[i - 1] : NULL};
    return rh_node_substitute(arena, body,
                              call->argument_count ? &own[call->argument_count - 1] : NULL);
}

// --- Writing out. ---

struct inliner {
    struct rh_arena *arena;
    struct rh_definitions all;
    bool *is_inlined; // owned; by definition
};

static size_t count_calls(const struct rh_node *node, const struct rh_definition *definition)
{
    size_t count = node->kind == RH_NODE_CALL && node->definition == definition;
    for (size_t i = 0; i < node->count; i++)
        count += count_calls(node->parts[i], definition);
    return count;
}

static bool is_inlined(const struct inliner *inliner, const struct rh_definition *definition)
{
    for (size_t i = 0; i < inliner->all.count; i++)
        if (inliner->all.items[i] == definition)
            return inliner->is_inlined[i];
    return false;
}

static const struct rh_node *write_out(struct inliner *inliner, const struct rh_node *node)
{
    if (node->kind == RH_NODE_CALL && is_inlined(inliner, node->definition))
        return body_of(inliner->arena, node, write_out(inliner, node->definition->body));
    if (node->count == 0)
        return node;
    struct rh_nodes parts = {0};
    for (size_t i = 0; i < node->count; i++)
        *rh_vector_push(&parts) = write_out(inliner, node->parts[i]);
    const struct rh_node *joined;
    if (node->kind >= RH_NODE_SEQUENCE && node->kind <= RH_NODE_CHOICE) {
        joined = rh_node_join(inliner->arena, node->kind, parts.items, parts.count);
    } else {
        struct rh_node *copy = rh_arena_take(inliner->arena, sizeof *copy);
        *copy = *node;
        copy->parts = rh_arena_take(inliner->arena, sizeof *copy->parts);
        copy->parts[0] = parts.items[0];
        joined = copy;
    }
    rh_vector_fini(&parts);
    return joined;
}

const struct rh_node *rh_inline(struct rh_arena *arena, const struct rh_node *node)
{
    struct inliner inliner = {.arena = arena};
    rh_definitions_add(&inliner.all, node);
    inliner.is_inlined = rh_alloc(inliner.all.count + 1);
    for (size_t i = 0; i < inliner.all.count; i++) {
        const struct rh_definition *one = inliner.all.items[i];
        size_t calls = count_calls(node, one);
        for (size_t k = 0; k < inliner.all.count; k++)
            calls += count_calls(inliner.all.items[k]->body, one);
        inliner.is_inlined[i] =
            (calls == 1 || one->body->kind == RH_NODE_ARROW) && !rh_definition_is_recursive(one);
    }
    node = write_out(&inliner, node);
    for (size_t i = 0; i < inliner.all.count; i++)
        if (!inliner.is_inlined[i])
            inliner.all.items[i]->body = write_out(&inliner, inliner.all.items[i]->body);
    rh_vector_fini(&inliner.all);
    free(inliner.is_inlined);
    return node;
}
