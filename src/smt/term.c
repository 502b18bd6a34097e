// SPDX-License-Identifier: MIT
#include "smt/term.h"

#include <string.h>

#include "smt/internal.h"

// Folds inside of folds beyond this depth are left out, so that deep terms need no deep stack.
enum { FOLDING_MOST = 400 };

void rh_terms_init(struct rh_terms *terms)
{
    *terms = (struct rh_terms){0};
    rh_vector_push(&terms->nodes); // no term has the number 0
}

void rh_terms_fini(struct rh_terms *terms)
{
    rh_vector_fini(&terms->nodes);
    rh_table_fini(&terms->known);
    rh_vector_fini(&terms->variables);
    rh_arena_fini(&terms->names);
    rh_vector_fini(&terms->folds);
    rh_table_fini(&terms->folded);
    rh_vector_fini(&terms->memo.notes);
    rh_vector_fini(&terms->memo.stack);
}

// --- Finding terms that are there. ---

static uint64_t hash_of(const struct rh_term_node *node)
{
    uint64_t first = (uint64_t)node->a << 32 | (uint64_t)node->width << 8 | node->operation;
    uint64_t second = (uint64_t)node->b << 32 | node->c;
    return rh_table_hash(first + rh_table_hash(second + rh_table_hash(node->number)));
}

static bool is_same(const struct rh_term_node *one, const struct rh_term_node *other)
{
    return one->operation == other->operation && one->width == other->width && one->a == other->a &&
           one->b == other->b && one->c == other->c && one->number == other->number;
}

static rh_term find_known(const struct rh_terms *terms, const struct rh_term_node *node,
                          uint64_t hash)
{
    struct rh_probe probe = rh_table_probe(&terms->known, hash);
    while (rh_probe_next(&probe))
        if (is_same(&terms->nodes.items[probe.number], node))
            return probe.number;
    return 0;
}

static rh_term find_folded(const struct rh_terms *terms, const struct rh_term_node *node,
                           uint64_t hash)
{
    struct rh_probe probe = rh_table_probe(&terms->folded, hash);
    while (rh_probe_next(&probe))
        if (is_same(&terms->folds.items[probe.number].request, node))
            return terms->folds.items[probe.number].result;
    return 0;
}

static bool is_real(enum rh_term_operation operation)
{
    return operation >= RH_TERM_ADD_REAL;
}

static rh_term add(struct rh_terms *terms, const struct rh_term_node *node, uint64_t hash)
{
    const struct rh_term_node *nodes = terms->nodes.items;
    bool has_reals = is_real(node->operation) || nodes[node->a].has_reals ||
                     nodes[node->b].has_reals || nodes[node->c].has_reals;
    struct rh_term_node *added = rh_vector_push(&terms->nodes);
    *added = *node;
    added->has_reals = has_reals;
    rh_term term = (rh_term)(added - terms->nodes.items);
    rh_table_add(&terms->known, NULL, hash, term);
    return term;
}

static void add_fold(struct rh_terms *terms, const struct rh_term_node *node, uint64_t hash,
                     rh_term result)
{
    struct rh_term_fold *fold = rh_vector_push(&terms->folds);
    *fold = (struct rh_term_fold){*node, result};
    rh_table_add(&terms->folded, NULL, hash, (uint32_t)(fold - terms->folds.items));
}

// --- Making terms. ---

static bool is_commutative(enum rh_term_operation operation)
{
    switch (operation) {
    case RH_TERM_AND:
    case RH_TERM_OR:
    case RH_TERM_XOR:
    case RH_TERM_ADD:
    case RH_TERM_MULTIPLY:
    case RH_TERM_EQUAL:
    case RH_TERM_OVERFLOWS_ADD_SIGNED:
    case RH_TERM_OVERFLOWS_ADD_UNSIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_SIGNED:
    case RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED:
    case RH_TERM_ADD_REAL:
    case RH_TERM_MULTIPLY_REAL:
    case RH_TERM_EQUAL_REAL:
        return true;
    default:
        return false;
    }
}

static bool is_constant(const struct rh_terms *terms, rh_term term)
{
    return terms->nodes.items[term].operation == RH_TERM_CONSTANT;
}

// Operands of what is commutative: a constant last, otherwise the older one first.
static void put_in_order(const struct rh_terms *terms, struct rh_term_node *node)
{
    bool a_is_constant = is_constant(terms, node->a);
    if (a_is_constant == is_constant(terms, node->b) ? node->a <= node->b : !a_is_constant)
        return;
    rh_term a = node->a;
    node->a = node->b;
    node->b = a;
}

// Number 0, which stands for an operand that is not there, is a constant in this sense.
static bool has_constant_operands(const struct rh_terms *terms, const struct rh_term_node *node)
{
    return is_constant(terms, node->a) && is_constant(terms, node->b) &&
           is_constant(terms, node->c);
}

static rh_term computed(struct rh_terms *terms, const struct rh_term_node *node)
{
    const struct rh_term_node *nodes = terms->nodes.items;
    uint64_t number = rh__compute(node, nodes[node->a].width, nodes[node->a].number,
                                  nodes[node->b].number, nodes[node->c].number);
    return rh_term_constant(terms, node->width, number);
}

rh_term rh__term_make(struct rh_terms *terms, struct rh_term_node node)
{
    rh_assert(node.a && node.width >= 1 && node.width <= RH_TERM_WIDEST);
    if (has_constant_operands(terms, &node))
        return computed(terms, &node);
    if (is_commutative(node.operation))
        put_in_order(terms, &node);
    uint64_t hash = hash_of(&node);
    rh_term term = find_known(terms, &node, hash);
    if (!term)
        term = find_folded(terms, &node, hash);
    if (term)
        return term;
    terms->folding++;
    if (terms->folding <= FOLDING_MOST)
        term = rh__term_fold(terms, &node);
    terms->folding--;
    if (!term)
        return add(terms, &node, hash);
    add_fold(terms, &node, hash, term);
    return term;
}

rh_term rh_term_constant(struct rh_terms *terms, unsigned width, uint64_t number)
{
    rh_assert(width >= 1 && width <= RH_TERM_WIDEST);
    struct rh_term_node node = {.operation = RH_TERM_CONSTANT, .width = (uint8_t)width};
    node.number = number & rh__mask(width);
    uint64_t hash = hash_of(&node);
    rh_term term = find_known(terms, &node, hash);
    return term ? term : add(terms, &node, hash);
}

rh_term rh_term_variable(struct rh_terms *terms, unsigned width, const char *name)
{
    rh_assert(width >= 1 && width <= RH_TERM_WIDEST);
    struct rh_term_node node = {.operation = RH_TERM_VARIABLE, .width = (uint8_t)width};
    node.number = terms->variables.count;
    struct rh_variable *variable = rh_vector_push(&terms->variables);
    variable->name = rh_arena_text(&terms->names, name, strlen(name));
    variable->term = add(terms, &node, hash_of(&node));
    return variable->term;
}

// Whether the result is a truth value, whatever width the operands have.
static bool gives_truth(enum rh_term_operation operation)
{
    return (operation >= RH_TERM_EQUAL && operation <= RH_TERM_LESS) ||
           (operation >= RH_TERM_OVERFLOWS_ADD_SIGNED &&
            operation <= RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED) ||
           (operation >= RH_TERM_EQUAL_REAL && operation <= RH_TERM_IS_NAN);
}

rh_term rh_term_make1(struct rh_terms *terms, enum rh_term_operation operation, rh_term a)
{
    rh_assert(operation == RH_TERM_NOT || operation == RH_TERM_IS_NAN);
    unsigned width = gives_truth(operation) ? 1 : rh_term_width(terms, a);
    return rh__term_make(terms, (struct rh_term_node){operation, (uint8_t)width, .a = a});
}

rh_term rh_term_make2(struct rh_terms *terms, enum rh_term_operation operation, rh_term a,
                      rh_term b)
{
    unsigned width = rh_term_width(terms, a);
    if (operation == RH_TERM_JOIN)
        width += rh_term_width(terms, b);
    else
        rh_assert(width == rh_term_width(terms, b));
    if (gives_truth(operation))
        width = 1;
    return rh__term_make(terms, (struct rh_term_node){operation, (uint8_t)width, .a = a, .b = b});
}

rh_term rh_term_choice(struct rh_terms *terms, rh_term condition, rh_term yes, rh_term no)
{
    unsigned width = rh_term_width(terms, yes);
    rh_assert(rh_term_width(terms, condition) == 1 && rh_term_width(terms, no) == width);
    struct rh_term_node node = {RH_TERM_CHOICE, (uint8_t)width, .a = condition, .b = yes, .c = no};
    return rh__term_make(terms, node);
}

rh_term rh_term_part(struct rh_terms *terms, rh_term a, unsigned from, unsigned width)
{
    rh_assert(from + width <= rh_term_width(terms, a));
    struct rh_term_node node = {RH_TERM_PART, (uint8_t)width, .a = a, .number = from};
    return from == 0 && width == rh_term_width(terms, a) ? a : rh__term_make(terms, node);
}

rh_term rh_term_resize(struct rh_terms *terms, enum rh_term_operation operation, rh_term a,
                       unsigned width)
{
    unsigned had = rh_term_width(terms, a);
    bool extends = operation == RH_TERM_EXTEND_ZERO || operation == RH_TERM_EXTEND_SIGN;
    rh_assert(!extends || width >= had);
    if (width == had && (extends || operation == RH_TERM_RESIZE_REAL))
        return a;
    return rh__term_make(terms, (struct rh_term_node){operation, (uint8_t)width, .a = a});
}
