// SPDX-License-Identifier: MIT
// Walks over terms: values, terms in the place of variables, variables. A walk keeps its own stack,
// since terms may be deep, and looks at each term once.
#include <string.h>

#include "smt/internal.h"

void rh__walk_begin(struct rh_terms *terms)
{
    struct rh_term_memo *memo = &terms->memo;
    while (memo->notes.count < terms->nodes.count)
        rh_vector_push(&memo->notes);
    if (++memo->stamp == 0) {
        memset(memo->notes.items, 0, memo->notes.count * sizeof *memo->notes.items);
        memo->stamp = 1;
    }
}

static bool is_done(const struct rh_terms *terms, rh_term term)
{
    return terms->memo.notes.items[term].stamp == terms->memo.stamp;
}

static void set_done(struct rh_terms *terms, rh_term term, uint64_t value)
{
    terms->memo.notes.items[term] = (struct rh_term_note){value, terms->memo.stamp};
}

static uint64_t value_of(const struct rh_terms *terms, rh_term term)
{
    return terms->memo.notes.items[term].value;
}

// Whether an operand has been looked at; if not, it comes before what it is an operand of.
static bool is_ready(struct rh_terms *terms, rh_term operand)
{
    if (operand == 0 || is_done(terms, operand))
        return true;
    *rh_vector_push(&terms->memo.stack) = operand;
    return false;
}

static bool are_ready(struct rh_terms *terms, const struct rh_term_node *node)
{
    return (int)is_ready(terms, node->a) & (int)is_ready(terms, node->b) &
           (int)is_ready(terms, node->c);
}

// --- Values. ---

static uint64_t variable_value(struct rh_assignment assignment, const struct rh_term_node *node)
{
    return node->number < assignment.count ? assignment.values[node->number] & rh__mask(node->width)
                                           : 0;
}

// The value of a term, if the operands that it takes have theirs. Of a choice that is the branch
// that is taken.
static bool evaluate(struct rh_terms *terms, const struct rh_term_node *node,
                     struct rh_assignment assignment, uint64_t *value)
{
    if (node->operation == RH_TERM_CONSTANT || node->operation == RH_TERM_VARIABLE) {
        bool is_constant = node->operation == RH_TERM_CONSTANT;
        *value = is_constant ? node->number : variable_value(assignment, node);
        return true;
    }
    if (node->operation == RH_TERM_CHOICE) {
        if (!is_ready(terms, node->a))
            return false;
        rh_term branch = value_of(terms, node->a) ? node->b : node->c;
        bool is_there = is_ready(terms, branch);
        *value = value_of(terms, branch);
        return is_there;
    }
    if (!are_ready(terms, node))
        return false;
    *value = rh__compute(node, rh_term_width(terms, node->a), value_of(terms, node->a),
                         value_of(terms, node->b), 0);
    return true;
}

uint64_t rh__walk_value(struct rh_terms *terms, rh_term term, struct rh_assignment assignment)
{
    rh_assert(term != 0 && term < terms->memo.notes.count);
    bool has_begun = is_done(terms, term);
    if (!has_begun)
        *rh_vector_push(&terms->memo.stack) = term;
    while (terms->memo.stack.count > 0) {
        rh_term last = terms->memo.stack.items[terms->memo.stack.count - 1];
        uint64_t value = 0;
        if (!is_done(terms, last)) {
            if (!evaluate(terms, &terms->nodes.items[last], assignment, &value))
                continue;
            set_done(terms, last, value);
        }
        terms->memo.stack.count--;
    }
    return value_of(terms, term);
}

uint64_t rh_term_value(struct rh_terms *terms, rh_term term, struct rh_assignment assignment)
{
    rh__walk_begin(terms);
    return rh__walk_value(terms, term, assignment);
}

// --- Operands before what they are operands of. ---

// The next term of a walk whose operands are done and which is not; 0 if there is none.
static rh_term next_ready(struct rh_terms *terms)
{
    while (terms->memo.stack.count > 0) {
        rh_term last = terms->memo.stack.items[terms->memo.stack.count - 1];
        if (!is_done(terms, last)) {
            if (!are_ready(terms, &terms->nodes.items[last]))
                continue;
            terms->memo.stack.count--;
            return last;
        }
        terms->memo.stack.count--;
    }
    return 0;
}

void rh__walk_order(struct rh_terms *terms, rh_term term, struct rh__order *order)
{
    *rh_vector_push(&terms->memo.stack) = term;
    for (rh_term next; (next = next_ready(terms)) != 0;) {
        set_done(terms, next, 0);
        *rh_vector_push(order) = next;
    }
}

rh_term rh_term_substitute(struct rh_terms *terms, rh_term term, rh_term variable, rh_term by)
{
    rh_assert(rh_term_width(terms, variable) == rh_term_width(terms, by));
    rh__walk_begin(terms);
    set_done(terms, variable, by);
    *rh_vector_push(&terms->memo.stack) = term;
    for (rh_term next; (next = next_ready(terms)) != 0;) {
        struct rh_term_node node = terms->nodes.items[next];
        bool is_leaf = node.a == 0;
        node.a = node.a ? (rh_term)value_of(terms, node.a) : 0;
        node.b = node.b ? (rh_term)value_of(terms, node.b) : 0;
        node.c = node.c ? (rh_term)value_of(terms, node.c) : 0;
        set_done(terms, next, is_leaf ? next : rh__term_make(terms, node));
    }
    return (rh_term)value_of(terms, term);
}

// --- Variables. ---

static void insert(struct rh_variable_set *set, uint32_t index)
{
    size_t at = set->indexes.count;
    while (at > 0 && set->indexes.items[at - 1] > index)
        at--;
    if (at > 0 && set->indexes.items[at - 1] == index)
        return;
    rh_vector_push(&set->indexes);
    memmove(&set->indexes.items[at + 1], &set->indexes.items[at],
            (set->indexes.count - 1 - at) * sizeof *set->indexes.items);
    set->indexes.items[at] = index;
}

void rh_term_variables(struct rh_terms *terms, rh_term term, struct rh_variable_set *set)
{
    struct rh__order order = {0};
    rh__walk_begin(terms);
    rh__walk_order(terms, term, &order);
    for (size_t i = 0; i < order.count; i++) {
        const struct rh_term_node *node = rh_term_get(terms, order.items[i]);
        if (node->operation == RH_TERM_VARIABLE)
            insert(set, (uint32_t)node->number);
    }
    rh_vector_fini(&order);
}
