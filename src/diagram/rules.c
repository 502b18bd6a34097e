// SPDX-License-Identifier: MIT
#include "diagram/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/none.h"
#include "diagram/fold.h"
#include "diagram/part.h"
#include "diagram/rules_read.h"

// So many ways of a handler are listed.
enum { WAYS_READ = 4 };

struct writer {
    struct rh_arena *arena;
    struct rh_rules rules;
    const struct rh_points *points;
    bool is_loose; // numbers in which views differ are any number
};

static bool is_many(const struct writer *writer, const char *class)
{
    for (size_t i = 0; i < writer->rules.view_count; i++)
        if (rh_names_count(&writer->rules.views[i].automaton->names, class) > 1)
            return true;
    return false;
}

static const struct rh_rule *rule_at(const struct writer *writer, uint32_t number)
{
    return &writer->rules.items.items[number];
}

// --- Indexes. ---

// How the index of a receiver follows from those of the message that the handler was called with:
// `i` is its sender, and `j` its receiver; alone, either is `i`.
enum relation {
    SENDER,
    ROUND, // the next of a ring: behind the last comes the first
    ALONG, // the next of the receiver's own class, and the one before
    BACK,
    CONSTANT,
    RECEIVER,
    NEXT,
    PREVIOUS,
    AFTER_SENDER,
    BEFORE_SENDER,
    ANY
};

static int64_t count_actors(const struct writer *writer, uint32_t view, const char *class)
{
    return rh_names_count(&writer->rules.views[view].automaton->names, class);
}

static int64_t related(const struct writer *writer, enum relation relation,
                       const struct rh_deed *deed, int64_t constant)
{
    switch (relation) {
    case ROUND:
        return deed->to % count_actors(writer, deed->view, rule_at(writer, deed->rule)->to) + 1;
    case CONSTANT:
        return constant;
    case RECEIVER:
        return deed->to;
    case SENDER:
        return deed->from;
    case NEXT:
    case ALONG:
        return deed->to + 1;
    case PREVIOUS:
    case BACK:
        return deed->to - 1;
    case AFTER_SENDER:
        return deed->from + 1;
    default:
        return deed->from - 1;
    }
}

// The messages of a deed that belong to a rule, which stand side by side.
struct group {
    uint32_t rule;
    size_t first, count; // of the deed's messages
};

static bool next_group(const struct rh_deed *deed, struct group *group)
{
    group->first += group->count;
    group->count = 0;
    if (group->first == deed->sends.count)
        return false;
    group->rule = deed->sends.items[group->first].rule;
    while (group->first + group->count < deed->sends.count &&
           deed->sends.items[group->first + group->count].rule == group->rule)
        group->count++;
    return true;
}

// The group of the rule in the deed; false if there is none.
static bool find_group(const struct rh_deed *deed, uint32_t rule, struct group *group)
{
    *group = (struct group){0};
    while (next_group(deed, group))
        if (group->rule == rule)
            return true;
    return false;
}

// Whether all messages of the group go to one receiver.
static bool is_to_one(const struct rh_deed *deed, const struct group *group)
{
    const struct rh_deed_send *first = &deed->sends.items[group->first];
    return first->to == first[group->count - 1].to;
}

// Whether messages of a rule that handlers of another send to one receiver go where the relation
// says.
static bool holds(const struct writer *writer, uint32_t by, uint32_t rule, enum relation relation,
                  int64_t constant)
{
    for (size_t i = 0; i < writer->rules.deeds.count; i++) {
        const struct rh_deed *deed = &writer->rules.deeds.items[i];
        struct group group;
        if (deed->rule == by && find_group(deed, rule, &group) && is_to_one(deed, &group) &&
            deed->sends.items[group.first].to != related(writer, relation, deed, constant))
            return false;
    }
    return true;
}

// Whether the last actor of a class is seen to send to the first what others send to the next.
static bool is_ring(const struct writer *writer, const char *class)
{
    for (size_t i = 0; i < writer->rules.deeds.count; i++) {
        const struct rh_deed *deed = &writer->rules.deeds.items[i];
        struct group group = {0};
        if (deed->rule == RH_NONE || strcmp(rule_at(writer, deed->rule)->to, class) != 0 ||
            deed->to != count_actors(writer, deed->view, class) || deed->to < 3)
            continue;
        while (next_group(deed, &group))
            if (!strcmp(rule_at(writer, group.rule)->to, class) && is_to_one(deed, &group) &&
                deed->sends.items[group.first].to == 1 &&
                holds(writer, deed->rule, group.rule, ROUND, 0))
                return true;
    }
    return false;
}

// Whether the relation may be meant at all.
static bool is_possible(const struct writer *writer, uint32_t by, uint32_t rule,
                        enum relation relation)
{
    // In the next configuration it may be another one.
    if (relation == CONSTANT || by == RH_NONE)
        return relation == CONSTANT && (by == RH_NONE || !writer->is_loose);
    const struct rh_rule *handled = rule_at(writer, by);
    bool is_of_sender = relation == SENDER || relation >= AFTER_SENDER;
    bool is_own = !strcmp(handled->to, rule_at(writer, rule)->to);
    if (!is_many(writer, is_of_sender ? handled->from : handled->to))
        return false;
    // That some go to the next may be chance.
    if (writer->is_loose)
        return relation == SENDER || relation == RECEIVER;
    if (relation == ROUND)
        return is_own && is_ring(writer, handled->to);
    return (relation != ALONG && relation != BACK) || is_own;
}

static enum relation relation_of(const struct writer *writer, uint32_t by, uint32_t rule,
                                 int64_t constant)
{
    for (enum relation relation = SENDER; relation < ANY; relation++)
        if (is_possible(writer, by, rule, relation) && holds(writer, by, rule, relation, constant))
            return relation;
    return ANY;
}

// Whether the messages of a group go to all from the first receiver to the last, once each.
static bool is_row(const struct rh_deed *deed, const struct group *group)
{
    const struct rh_deed_send *first = &deed->sends.items[group->first];
    for (size_t i = 0; i < group->count; i++)
        if (first[i].to != first->to + (int64_t)i)
            return false;
    return true;
}

// Whether handlers of one rule send messages of another in a number that depends on nothing but the
// view: then one message is no other case than several. They go to one receiver, or to several in a
// row that begins with the same one. That one view alone has them says little.
enum counting { NOT_COUNTED, TO_ONE, IN_A_ROW };

static enum counting counting_of(const struct writer *writer, uint32_t by, uint32_t rule)
{
    bool is_several = false, are_to_one = true, are_rows = true;
    size_t views = 0;
    int64_t first = -1;
    size_t *counts = rh_alloc((writer->rules.view_count + 1) * sizeof *counts);
    bool is_same = writer->rules.view_count > 1;
    for (size_t i = 0; i < writer->rules.deeds.count && is_same; i++) {
        const struct rh_deed *deed = &writer->rules.deeds.items[i];
        struct group group;
        if (deed->rule != by || !find_group(deed, rule, &group))
            continue;
        int64_t to = deed->sends.items[group.first].to;
        is_same = counts[deed->view] == 0 || counts[deed->view] == group.count;
        are_to_one = are_to_one && is_to_one(deed, &group);
        are_rows = are_rows && is_row(deed, &group) && (first < 0 || first == to);
        views += counts[deed->view] == 0;
        counts[deed->view] = group.count;
        first = to;
        is_several = is_several || group.count > 1;
    }
    free(counts);
    return !is_same || !is_several || (writer->is_loose && views < 2) ? NOT_COUNTED
           : are_to_one                                               ? TO_ONE
           : are_rows                                                 ? IN_A_ROW
                                                                      : NOT_COUNTED;
}

// --- Nodes. ---

static const struct rh_expression *variable(struct writer *writer, const char *name)
{
    return rh_expression_variable(writer->arena, name);
}

// Names of the two parameters of a rule's part; NULL: it does not have this one.
static const char *sender_name(const struct writer *writer, const struct rh_rule *rule)
{
    return is_many(writer, rule->from) ? "i" : NULL;
}

static const char *receiver_name(const struct writer *writer, const struct rh_rule *rule)
{
    return !is_many(writer, rule->to) ? NULL : sender_name(writer, rule) ? "j" : "i";
}

// How many actors a class has, in terms of the parameters; NULL if that is none.
static const struct rh_expression *size_of(struct writer *writer, const char *class)
{
    size_t count = writer->rules.view_count;
    int64_t *column = rh_alloc((count + 1) * sizeof *column);
    for (uint32_t i = 0; i < count; i++)
        column[i] = count_actors(writer, i, class);
    const struct rh_expression *size = rh_fit(writer->arena, writer->points, column);
    free(column);
    return size;
}

// The index that the relation says; NULL if it can't be written.
static const struct rh_expression *index_of(struct writer *writer, const struct rh_rule *by,
                                            enum relation relation, int64_t constant)
{
    if (relation == CONSTANT)
        return rh_expression_number(writer->arena, constant);
    bool is_sender = relation == SENDER || relation == AFTER_SENDER || relation == BEFORE_SENDER;
    const struct rh_expression *name =
        variable(writer, is_sender ? sender_name(writer, by) : receiver_name(writer, by));
    if (relation == RECEIVER || relation == SENDER)
        return name;
    const struct rh_expression *size = relation == ROUND ? size_of(writer, by->to) : NULL;
    if (relation == ROUND && size)
        name = rh_expression_make(writer->arena, RH_EXPRESSION_MODULO, name, size);
    else if (relation == ROUND)
        return NULL;
    bool adds =
        relation == ROUND || relation == NEXT || relation == ALONG || relation == AFTER_SENDER;
    return rh_expression_make(writer->arena, adds ? RH_EXPRESSION_ADD : RH_EXPRESSION_SUBTRACT,
                              name, rh_expression_number(writer->arena, 1));
}

static struct rh_node *new_node(struct writer *writer, enum rh_node_kind kind)
{
    struct rh_node *node = rh_arena_take(writer->arena, sizeof *node);
    node->kind = kind;
    return node;
}

static struct rh_node *new_box(struct writer *writer, enum rh_node_kind kind, const char *name,
                               const struct rh_node *body)
{
    struct rh_node *node = new_node(writer, kind);
    node->variable = name;
    node->parts = rh_arena_take(writer->arena, sizeof *node->parts);
    node->parts[0] = body;
    node->count = 1;
    return node;
}

static const struct rh_node *new_family(struct writer *writer, const char *name, int64_t first,
                                        size_t count, const struct rh_node *body)
{
    struct rh_node *node = new_box(writer, RH_NODE_ALL, name, body);
    node->first = rh_expression_number(writer->arena, first);
    node->last = rh_expression_number(writer->arena, first + (int64_t)count - 1);
    return node;
}

static const struct rh_node *arrow_of(struct writer *writer, const struct rh_rule *rule,
                                      const struct rh_expression *from,
                                      const struct rh_expression *to, bool is_lost)
{
    struct rh_node *node = new_node(writer, RH_NODE_ARROW);
    node->from = (struct rh_party){rule->from, from};
    node->to = (struct rh_party){rule->to, to};
    node->type = rule->type;
    node->sending = rule->kind;
    node->is_lost = is_lost;
    return node;
}

static const struct rh_node *call_of(struct writer *writer, const struct rh_rule *rule,
                                     const struct rh_expression *from,
                                     const struct rh_expression *to)
{
    struct rh_node *node = new_node(writer, RH_NODE_CALL);
    node->definition = rule->part;
    node->arguments = rh_arena_take(writer->arena, 2 * sizeof *node->arguments);
    if (from)
        node->arguments[node->argument_count++] = from;
    if (to)
        node->arguments[node->argument_count++] = to;
    return node;
}

// A message that is received, one that is not, or either. Indexes are NULL where there is only one
// of the class.
static const struct rh_node *message_of(struct writer *writer, const struct rh_rule *rule,
                                        const struct rh_expression *from,
                                        const struct rh_expression *to)
{
    const struct rh_node *ways[2];
    size_t count = 0;
    if (rule->is_received)
        ways[count++] = call_of(writer, rule, from, to);
    if (rule->is_lost || !rule->is_received)
        ways[count++] = arrow_of(writer, rule, from, to, true);
    return rh_node_join(writer->arena, RH_NODE_CHOICE, ways, count);
}

// Whether all handlers of a rule that send such a group send it to the same receivers.
static bool are_fixed(const struct writer *writer, const struct rh_deed *deed,
                      const struct group *group)
{
    const struct rh_deed_send *sends = &deed->sends.items[group->first];
    for (size_t i = 0; i < writer->rules.deeds.count; i++) {
        const struct rh_deed *other = &writer->rules.deeds.items[i];
        struct group its;
        if (other->rule != deed->rule || !find_group(other, group->rule, &its))
            continue;
        if (its.count != group->count)
            return false;
        for (size_t k = 0; k < its.count; k++)
            if (other->sends.items[its.first + k].to != sends[k].to)
                return false;
    }
    return !writer->is_loose;
}

// One message of a deed. Of those that go to several nobody knows which goes where, unless it is
// the same each time.
static const struct rh_node *single_of(struct writer *writer, const struct rh_deed *deed,
                                       const struct group *group, const struct rh_deed_send *send,
                                       const struct rh_expression *from)
{
    const struct rh_rule *rule = rule_at(writer, send->rule);
    if (!is_many(writer, rule->to))
        return message_of(writer, rule, from, NULL);
    const struct rh_rule *by = deed->rule == RH_NONE ? NULL : rule_at(writer, deed->rule);
    enum relation relation = group->count > 1 && are_fixed(writer, deed, group) ? CONSTANT
                             : is_to_one(deed, group)
                                 ? relation_of(writer, deed->rule, send->rule, send->to)
                                 : ANY;
    const struct rh_expression *to =
        relation == ANY ? NULL : index_of(writer, by, relation, send->to);
    if (!to && !by)
        to = rh_expression_number(writer->arena, send->to);
    if (to)
        return message_of(writer, rule, from, to);
    struct rh_node *node =
        new_box(writer, RH_NODE_SOME, "k", message_of(writer, rule, from, variable(writer, "k")));
    node->class = rule->to;
    return node;
}

// Equal ones become a family whose index nobody uses.
static const struct rh_node *join_deeds(struct writer *writer, const struct rh_nodes *nodes)
{
    struct rh_nodes parts = {0};
    for (size_t i = 0; i < nodes->count;) {
        size_t count = 1;
        while (i + count < nodes->count && rh_node_equals(nodes->items[i], nodes->items[i + count]))
            count++;
        *rh_vector_push(&parts) =
            count > 1 ? new_family(writer, "n", 1, count, nodes->items[i]) : nodes->items[i];
        i += count;
    }
    const struct rh_node *node =
        rh_node_join(writer->arena, RH_NODE_PARALLEL, parts.items, parts.count);
    rh_vector_fini(&parts);
    return node;
}

static void add_group(struct writer *writer, const struct rh_deed *deed, const struct group *group,
                      struct rh_nodes *nodes)
{
    const struct rh_rule *rule = rule_at(writer, group->rule);
    const struct rh_rule *by = deed->rule == RH_NONE ? NULL : rule_at(writer, deed->rule);
    const char *own = by ? receiver_name(writer, by) : NULL;
    const struct rh_deed_send *first = &deed->sends.items[group->first];
    const struct rh_expression *from = NULL;
    enum counting counting = counting_of(writer, deed->rule, group->rule);
    if (is_many(writer, rule->from))
        from = own ? variable(writer, own) : rh_expression_number(writer->arena, first->from);
    if (counting == TO_ONE) {
        *rh_vector_push(nodes) =
            new_family(writer, "n", 1, group->count, single_of(writer, deed, group, first, from));
    } else if (is_many(writer, rule->to) &&
               (counting == IN_A_ROW || (group->count > 1 && is_row(deed, group)))) {
        *rh_vector_push(nodes) = new_family(writer, "k", first->to, group->count,
                                            message_of(writer, rule, from, variable(writer, "k")));
    } else {
        for (size_t i = 0; i < group->count; i++)
            *rh_vector_push(nodes) = single_of(writer, deed, group, first + i, from);
    }
}

static bool has_node(const struct rh_nodes *nodes, const struct rh_node *node)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (rh_node_equals(nodes->items[i], node))
            return true;
    return false;
}

// Any number of them.
static const struct rh_node *any_of(struct writer *writer, const struct rh_node *body)
{
    struct rh_node *loop = new_box(writer, RH_NODE_LOOP, NULL, body);
    loop->first = rh_expression_number(writer->arena, 0);
    loop->is_parallel = true;
    return loop;
}

// Messages of which nobody knows how many there are elsewhere.
static void add_any(struct writer *writer, const struct rh_deed *deed, const struct group *group,
                    struct rh_nodes *nodes)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct rh_deed_send *send = &deed->sends.items[group->first + i];
        const struct rh_rule *by = rule_at(writer, deed->rule);
        const struct rh_expression *from = is_many(writer, rule_at(writer, group->rule)->from)
                                               ? variable(writer, receiver_name(writer, by))
                                               : NULL;
        const struct rh_node *loop = any_of(writer, single_of(writer, deed, group, send, from));
        if (!has_node(nodes, loop))
            *rh_vector_push(nodes) = loop;
    }
}

// All that a deed sends, in any order.
static const struct rh_node *deed_of(struct writer *writer, const struct rh_deed *deed)
{
    struct rh_nodes nodes = {0};
    struct group group = {0};
    while (next_group(deed, &group)) {
        bool is_any = writer->is_loose && deed->rule != RH_NONE && group.count > 1 &&
                      counting_of(writer, deed->rule, group.rule) == NOT_COUNTED;
        if (is_any)
            add_any(writer, deed, &group, &nodes);
        else
            add_group(writer, deed, &group, &nodes);
    }
    const struct rh_node *node = join_deeds(writer, &nodes);
    rh_vector_fini(&nodes);
    return node;
}

// The parts of a parallel; of anything else, that itself.
static void add_parts(struct rh_nodes *parts, const struct rh_node *node)
{
    if (node->kind != RH_NODE_PARALLEL && node->kind != RH_NODE_SKIP && !has_node(parts, node))
        *rh_vector_push(parts) = node;
    for (size_t i = 0; i < node->count && node->kind == RH_NODE_PARALLEL; i++)
        add_parts(parts, node->parts[i]);
}

static bool is_part(const struct rh_node *way, const struct rh_node *part)
{
    struct rh_nodes parts = {0};
    add_parts(&parts, way);
    bool is_it = has_node(&parts, part);
    rh_vector_fini(&parts);
    return is_it;
}

// One of the ways. What all have is written once.
static const struct rh_node *choose(struct writer *writer, const struct rh_nodes *ways)
{
    struct rh_nodes first = {0}, common = {0}, rests = {0};
    add_parts(&first, ways->items[0]);
    for (size_t i = 0; i < first.count && ways->count > 1; i++) {
        bool is_common = true;
        for (size_t k = 1; k < ways->count; k++)
            is_common = is_common && is_part(ways->items[k], first.items[i]);
        if (is_common)
            *rh_vector_push(&common) = first.items[i];
    }
    for (size_t i = 0; i < ways->count; i++) {
        struct rh_nodes parts = {0}, own = {0};
        add_parts(&parts, ways->items[i]);
        for (size_t k = 0; k < parts.count; k++)
            if (!has_node(&common, parts.items[k]))
                *rh_vector_push(&own) = parts.items[k];
        *rh_vector_push(&rests) =
            rh_node_join(writer->arena, RH_NODE_PARALLEL, own.items, own.count);
        rh_vector_fini(&parts);
        rh_vector_fini(&own);
    }
    *rh_vector_push(&common) =
        rh_node_join(writer->arena, RH_NODE_CHOICE, rests.items, rests.count);
    const struct rh_node *node =
        rh_node_join(writer->arena, RH_NODE_PARALLEL, common.items, common.count);
    rh_vector_fini(&first);
    rh_vector_fini(&common);
    rh_vector_fini(&rests);
    return node;
}

// Instead of many ways, each message that is in some of them or not.
static const struct rh_node *loosen(struct writer *writer, const struct rh_nodes *ways)
{
    struct rh_nodes parts = {0};
    for (size_t i = 0; i < ways->count; i++)
        add_parts(&parts, ways->items[i]);
    for (size_t i = 0; i < parts.count; i++) {
        const struct rh_node *const either[] = {rh_node_skip(writer->arena), parts.items[i]};
        bool is_always = true;
        for (size_t k = 0; k < ways->count; k++)
            is_always = is_always && is_part(ways->items[k], parts.items[i]);
        if (!is_always)
            parts.items[i] = rh_node_join(writer->arena, RH_NODE_CHOICE, either, 2);
    }
    const struct rh_node *node =
        rh_node_join(writer->arena, RH_NODE_PARALLEL, parts.items, parts.count);
    rh_vector_fini(&parts);
    return node;
}

// --- Ways of several views. ---

// A way that handlers have gone in some view.
struct way {
    const struct rh_node *node;
    uint32_t view;
};
struct ways {
    struct way *items;
    size_t count, capacity;
};

static void add_way(struct ways *ways, const struct rh_node *node, uint32_t view)
{
    for (size_t i = 0; i < ways->count; i++)
        if (ways->items[i].view == view && rh_node_equals(ways->items[i].node, node))
            return;
    *rh_vector_push(ways) = (struct way){node, view};
}

// The way with expressions for its numbers, which depend on nothing but the view; NULL: they do
// not.
static const struct rh_node *fit_way(struct writer *writer, const struct way *const *alike,
                                     size_t count)
{
    const struct rh_points *all = writer->points;
    struct rh_numbers first = {0};
    rh_node_numbers(alike[0]->node, &first);
    const struct rh_expression **found = rh_alloc((first.count + 1) * sizeof *found);
    struct rh_points points = {.variables = all->variables, .variable_count = all->variable_count};
    points.values = rh_alloc((count * all->variable_count + 1) * sizeof *points.values);
    points.count = count;
    int64_t *column = rh_alloc((count + 1) * sizeof *column);
    for (size_t i = 0; i < count; i++)
        memcpy(points.values + i * all->variable_count,
               all->values + alike[i]->view * all->variable_count,
               all->variable_count * sizeof *points.values);
    bool is_known = true;
    for (size_t k = 0; k < first.count && is_known; k++) {
        for (size_t i = 0; i < count; i++) {
            struct rh_numbers own = {0};
            rh_node_numbers(alike[i]->node, &own);
            column[i] = own.items[k];
            rh_vector_fini(&own);
        }
        found[k] = rh_fit(writer->arena, &points, column);
        is_known = found[k] != NULL;
    }
    const struct rh_node *node =
        is_known ? rh_node_with(writer->arena, alike[0]->node, found) : NULL;
    rh_vector_fini(&first);
    free(points.values);
    free(column);
    free(found);
    return node;
}

// Who receives the messages of a family.
static const char *receivers_of(const struct writer *writer, const struct rh_node *family)
{
    const struct rh_node *message = family->parts[0];
    if (message->kind == RH_NODE_CHOICE)
        message = message->parts[0];
    for (size_t i = 0; i < writer->rules.items.count; i++)
        if (message->definition == writer->rules.items.items[i].part)
            return writer->rules.items.items[i].to;
    return message->to.class;
}

// Any number of what a family has.
static const struct rh_node *unbind_family(struct writer *writer, const struct rh_node *family)
{
    const struct rh_node *body = family->parts[0];
    if (!strcmp(family->variable, "k")) {
        struct rh_node *some = new_box(writer, RH_NODE_SOME, "k", body);
        some->class = receivers_of(writer, family);
        body = some;
    }
    return any_of(writer, body);
}

static const struct rh_node *unbind(struct writer *writer, const struct rh_node *node)
{
    if (node->kind == RH_NODE_ALL)
        return unbind_family(writer, node);
    if (node->kind != RH_NODE_PARALLEL)
        return node;
    struct rh_nodes parts = {0};
    for (size_t i = 0; i < node->count; i++)
        *rh_vector_push(&parts) = unbind(writer, node->parts[i]);
    node = rh_node_join(writer->arena, RH_NODE_PARALLEL, parts.items, parts.count);
    rh_vector_fini(&parts);
    return node;
}

// Adds what ways say that differ in nothing but numbers.
static void add_alike(struct writer *writer, const struct way *const *alike, size_t count,
                      struct rh_nodes *nodes)
{
    bool is_same = true, is_by_view = true;
    for (size_t i = 1; i < count; i++) {
        is_same = is_same && rh_node_equals(alike[0]->node, alike[i]->node);
        is_by_view = is_by_view && alike[i]->view > alike[i - 1]->view;
    }
    const struct rh_node *node = is_same ? alike[0]->node : NULL;
    if (!node && is_by_view && !writer->is_loose)
        node = fit_way(writer, alike, count);
    for (size_t i = 0; i < count && !node; i++) {
        const struct rh_node *own = unbind(writer, alike[i]->node);
        if (!has_node(nodes, own))
            *rh_vector_push(nodes) = own;
    }
    if (node && !has_node(nodes, node))
        *rh_vector_push(nodes) = node;
}

static void join_ways(struct writer *writer, const struct ways *ways, struct rh_nodes *nodes)
{
    bool *is_taken = rh_alloc(ways->count + 1);
    const struct way **alike = rh_alloc((ways->count + 1) * sizeof *alike);
    for (size_t i = 0; i < ways->count; i++) {
        size_t count = 0;
        for (size_t k = i; k < ways->count && !is_taken[i]; k++)
            if (!is_taken[k] && rh_node_is_alike(ways->items[i].node, ways->items[k].node))
                alike[count++] = &ways->items[k];
        for (size_t k = 0; k < count; k++)
            is_taken[alike[k] - ways->items] = true;
        if (count > 0)
            add_alike(writer, alike, count, nodes);
    }
    free(alike);
    free(is_taken);
}

// Whether the way is none, or one, of any number of what the loop has.
static bool is_in_loop(const struct rh_node *loop, const struct rh_node *way)
{
    bool is_any = loop->kind == RH_NODE_LOOP && loop->is_parallel && !loop->last;
    return is_any && (way->kind == RH_NODE_SKIP || rh_node_equals(way, loop->parts[0]));
}

static void leave_out_ways(struct rh_nodes *nodes)
{
    size_t kept = 0;
    for (size_t i = 0; i < nodes->count; i++) {
        bool is_needed = true;
        for (size_t k = 0; k < nodes->count; k++)
            is_needed = is_needed && (k == i || !is_in_loop(nodes->items[k], nodes->items[i]));
        if (is_needed)
            nodes->items[kept++] = nodes->items[i];
    }
    nodes->count = kept;
}

// What handlers of a rule may send, each once. The body's deeds are those of RH_NONE.
static const struct rh_node *deeds_of(struct writer *writer, uint32_t rule)
{
    struct ways ways = {0};
    struct rh_nodes nodes = {0};
    for (size_t i = 0; i < writer->rules.deeds.count; i++) {
        const struct rh_deed *deed = &writer->rules.deeds.items[i];
        if (deed->rule == rule)
            add_way(&ways, deed_of(writer, deed), deed->view);
    }
    join_ways(writer, &ways, &nodes);
    leave_out_ways(&nodes);
    const struct rh_node *node = nodes.count == 0          ? NULL
                                 : nodes.count > WAYS_READ ? loosen(writer, &nodes)
                                                           : choose(writer, &nodes);
    rh_vector_fini(&ways);
    rh_vector_fini(&nodes);
    return node;
}

// --- Parts. ---

static bool is_name_taken(const struct writer *writer, const char *name)
{
    for (size_t i = 0; i < writer->rules.items.count; i++) {
        const struct rh_definition *part = writer->rules.items.items[i].part;
        if (part && !strcmp(part->name, name))
            return true;
    }
    return false;
}

// A part is called as its message; if there are several of the type, with who sends it.
static const char *name_of(struct writer *writer, const struct rh_rule *rule)
{
    struct rh_text text = {0};
    rh_text_add(&text, rule->type);
    if (is_name_taken(writer, rh_text_get(&text)))
        rh_text_addf(&text, "_of_%s", rule->from);
    if (is_name_taken(writer, rh_text_get(&text)))
        rh_text_addf(&text, "_to_%s", rule->to);
    while (is_name_taken(writer, rh_text_get(&text)))
        rh_text_add(&text, "_");
    const char *name = rh_arena_text(writer->arena, rh_text_get(&text), text.length);
    rh_text_fini(&text);
    return name;
}

static void name_parts(struct writer *writer)
{
    for (size_t i = 0; i < writer->rules.items.count; i++) {
        struct rh_rule *rule = &writer->rules.items.items[i];
        struct rh_definition *part = rh_arena_take(writer->arena, sizeof *part);
        part->name = name_of(writer, rule);
        part->parameters = rh_arena_take(writer->arena, 2 * sizeof *part->parameters);
        if (sender_name(writer, rule))
            part->parameters[part->count++] = sender_name(writer, rule);
        if (receiver_name(writer, rule))
            part->parameters[part->count++] = receiver_name(writer, rule);
        rule->part = part;
    }
}

static void write_parts(struct writer *writer)
{
    for (uint32_t i = 0; i < writer->rules.items.count; i++) {
        const struct rh_rule *rule = rule_at(writer, i);
        const char *from = sender_name(writer, rule), *to = receiver_name(writer, rule);
        const struct rh_node *rest = deeds_of(writer, i);
        const struct rh_node *const parts[] = {arrow_of(writer, rule,
                                                        from ? variable(writer, from) : NULL,
                                                        to ? variable(writer, to) : NULL, false),
                                               rest ? rest : rh_node_skip(writer->arena)};
        rule->part->body = rh_node_join(writer->arena, RH_NODE_SEQUENCE, parts, 2);
    }
}

const struct rh_node *rh_infer_rules(struct rh_arena *arena, const struct rh_rules_view *views,
                                     const struct rh_points *points, bool is_loose)
{
    struct writer writer = {.arena = arena, .points = points, .is_loose = is_loose};
    bool is_end = rh__rules_read(&writer.rules, views, points->count);
    name_parts(&writer);
    write_parts(&writer);
    const struct rh_node *node = deeds_of(&writer, RH_NONE); // of the body
    rh__rules_fini(&writer.rules);
    return node && is_end ? rh_inline(arena, node) : NULL;
}
