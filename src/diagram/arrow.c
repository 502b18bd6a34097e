// SPDX-License-Identifier: MIT
#include "diagram/arrow.h"

#include <string.h>

// An index of the arrow that has been found. There are at most two.
struct found {
    const struct rh_binding *bindings;
    struct rh_binding own[2];
    size_t count;
};

static bool fits_index(struct found *found, const struct rh_expression *index, int64_t value)
{
    int64_t wanted;
    const char *unknown;
    if (!index || (!rh_expression_evaluate(index, found->bindings, &wanted, &unknown) &&
                   index->kind != RH_EXPRESSION_VARIABLE))
        return true;
    if (rh_expression_evaluate(index, found->bindings, &wanted, &unknown))
        return wanted == value;
    found->own[found->count] =
        (struct rh_binding){.variable = index->variable, .value = value, .outer = found->bindings};
    found->bindings = &found->own[found->count++];
    return true;
}

static bool fits(struct found *found, const struct rh_names *names, const struct rh_party *party,
                 uint32_t actor)
{
    const struct rh_named_actor *named = &names->actors.items[actor];
    return !strcmp(party->class, named->class) && fits_index(found, party->index, named->index);
}

bool rh_arrow_means(const struct rh_names *names, const struct rh_node *arrow,
                    const struct rh_binding *bindings, const struct rh_label *label)
{
    struct found found = {.bindings = bindings};
    return arrow->sending == label->kind && !strcmp(arrow->type, names->types.items[label->type]) &&
           fits(&found, names, &arrow->from, label->from) &&
           fits(&found, names, &arrow->to, label->to);
}

bool rh_arrow_is_from(const struct rh_names *names, const struct rh_node *arrow,
                      const struct rh_binding *bindings, uint32_t actor)
{
    struct found found = {.bindings = bindings};
    return fits(&found, names, &arrow->from, actor);
}

bool rh_arrow_is_to(const struct rh_names *names, const struct rh_node *arrow,
                    const struct rh_binding *bindings, uint32_t actor)
{
    struct found found = {.bindings = bindings};
    return fits(&found, names, &arrow->to, actor);
}
