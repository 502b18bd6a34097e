// SPDX-License-Identifier: MIT
#include "diagram/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "diagram/part.h"

// So many ways of a handler are listed.
enum { WAYS_READ = 4 };

// A message that was received, with what its handler sent then; of the test's body only the latter.
struct deed {
    uint32_t rule; // RH_NONE: the body
    int64_t from, to;
    RH_VECTOR(struct rh_label) sends;
};

// Messages of one type from one class to another.
struct rule {
    struct rh_label label;     // one of them
    const char *from, *to;     // classes
    bool is_received, is_lost; // some are
    struct rh_definition *part;
};

struct writer {
    struct rh_arena *arena;
    struct rh_automaton *automaton;
    const struct rh_journal *journal;
    struct rh_numbers_of actors;
    RH_VECTOR(struct rule) rules;
    RH_VECTOR(struct deed) deeds; // no two are the same
    struct rh_table deed_table;
};

static const struct rh_named_actor *named(const struct writer *writer, uint32_t actor)
{
    return &writer->automaton->names.actors.items[actor];
}

static bool is_many(const struct writer *writer, const char *class)
{
    return rh_names_count(&writer->automaton->names, class) > 1;
}

// --- What executions do. ---

static struct rh_label label_of(struct writer *writer, uint32_t message)
{
    return rh_automaton_label(writer->automaton, writer->journal, &writer->actors,
                              &writer->journal->messages[message]);
}

static uint32_t rule_of(struct writer *writer, const struct rh_label *label)
{
    const char *from = named(writer, label->from)->class, *to = named(writer, label->to)->class;
    for (uint32_t i = 0; i < writer->rules.count; i++) {
        const struct rule *rule = &writer->rules.items[i];
        if (rule->label.type == label->type && rule->label.kind == label->kind &&
            !strcmp(rule->from, from) && !strcmp(rule->to, to))
            return i;
    }
    *rh_vector_push(&writer->rules) = (struct rule){.label = *label, .from = from, .to = to};
    return (uint32_t)writer->rules.count - 1;
}

static int compare_labels(const void *one, const void *other)
{
    const struct rh_label *left = one, *right = other;
    return left->type != right->type ? (left->type > right->type) - (left->type < right->type)
           : left->to != right->to   ? (left->to > right->to) - (left->to < right->to)
                                     : (int)left->kind - (int)right->kind;
}

static bool is_same_deed(const struct deed *one, const struct deed *other)
{
    bool is_same = one->rule == other->rule && one->from == other->from && one->to == other->to &&
                   one->sends.count == other->sends.count;
    for (size_t i = 0; i < one->sends.count && is_same; i++)
        is_same = rh_label_equals(&one->sends.items[i], &other->sends.items[i]) &&
                  one->sends.items[i].from == other->sends.items[i].from;
    return is_same;
}

// Takes the deed.
static void add_deed(struct writer *writer, struct deed *deed)
{
    uint64_t hash = rh_hash64_pair((uint64_t)deed->rule << 32 | (uint32_t)deed->from,
                                   (uint64_t)deed->to << 32 | deed->sends.count);
    for (size_t i = 0; i < deed->sends.count; i++)
        hash = rh_hash64_pair(hash,
                              (uint64_t)deed->sends.items[i].type << 32 | deed->sends.items[i].to);
    struct rh_probe probe = rh_table_probe(&writer->deed_table, hash);
    while (rh_probe_next(&probe))
        if (is_same_deed(&writer->deeds.items[probe.number], deed)) {
            rh_vector_fini(&deed->sends);
            return;
        }
    rh_table_add(&writer->deed_table, NULL, hash, (uint32_t)writer->deeds.count);
    *rh_vector_push(&writer->deeds) = *deed;
}

static void read_step(struct writer *writer, const struct rh_journal_step *step)
{
    struct deed deed = {.rule = RH_NONE};
    if (step->received != RH_NONE) {
        struct rh_label label = label_of(writer, step->received);
        deed.rule = rule_of(writer, &label);
        deed.from = named(writer, label.from)->index;
        deed.to = named(writer, label.to)->index;
        writer->rules.items[deed.rule].is_received = true;
    }
    for (uint32_t i = 0; i < step->sent_count; i++) {
        struct rh_label label = label_of(writer, step->first_sent + i);
        rule_of(writer, &label);
        *rh_vector_push(&deed.sends) = label;
    }
    if (deed.sends.count)
        qsort(deed.sends.items, deed.sends.count, sizeof *deed.sends.items, compare_labels);
    add_deed(writer, &deed);
}

// Which messages nobody receives before the execution ends.
static void note_lost(struct writer *writer, uint32_t last)
{
    struct rh_index received = {0};
    for (uint32_t at = last; at != RH_NONE; at = writer->journal->steps[at].parent) {
        const struct rh_journal_step *step = &writer->journal->steps[at];
        for (uint32_t i = 0; i < step->sent_count; i++) {
            uint32_t message = step->first_sent + i;
            struct rh_label label = label_of(writer, message);
            if (rh_index_find(&received, writer->journal->messages[message].identity) == RH_NONE)
                writer->rules.items[rule_of(writer, &label)].is_lost = true;
        }
        if (step->received != RH_NONE) {
            uint64_t identity = writer->journal->messages[step->received].identity;
            if (rh_index_find(&received, identity) == RH_NONE)
                rh_index_add(&received, identity, 1);
        }
    }
    rh_index_fini(&received);
}

// Whether any comes to its end.
static bool read_executions(struct writer *writer)
{
    const struct rh_journal *journal = writer->journal;
    bool is_end = false;
    for (uint32_t i = 0; i < journal->step_count; i++)
        read_step(writer, &journal->steps[i]);
    for (uint32_t i = 0; i < journal->step_count; i++) {
        is_end |= journal->steps[i].is_end;
        if (journal->steps[i].is_end)
            note_lost(writer, i);
    }
    return is_end;
}

// --- Indexes. ---

// How the index of a receiver follows from those of the message that the handler was called with:
// `i` is its sender, and `j` its receiver; alone, either is `i`.
enum relation { SENDER, CONSTANT, RECEIVER, NEXT, PREVIOUS, AFTER_SENDER, BEFORE_SENDER, ANY };

static int64_t related(enum relation relation, const struct deed *deed, int64_t constant)
{
    switch (relation) {
    case CONSTANT:
        return constant;
    case RECEIVER:
        return deed->to;
    case SENDER:
        return deed->from;
    case NEXT:
        return deed->to + 1;
    case PREVIOUS:
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

static bool next_group(struct writer *writer, const struct deed *deed, struct group *group)
{
    group->first += group->count;
    group->count = 0;
    if (group->first == deed->sends.count)
        return false;
    group->rule = rule_of(writer, &deed->sends.items[group->first]);
    while (group->first + group->count < deed->sends.count &&
           rule_of(writer, &deed->sends.items[group->first + group->count]) == group->rule)
        group->count++;
    return true;
}

// Whether single messages of a rule that handlers of another send go where the relation says.
static bool holds(struct writer *writer, uint32_t by, uint32_t rule, enum relation relation,
                  int64_t constant)
{
    for (size_t i = 0; i < writer->deeds.count; i++) {
        const struct deed *deed = &writer->deeds.items[i];
        struct group group = {0};
        while (deed->rule == by && next_group(writer, deed, &group))
            if (group.rule == rule && group.count == 1 &&
                named(writer, deed->sends.items[group.first].to)->index !=
                    related(relation, deed, constant))
                return false;
    }
    return true;
}

static enum relation relation_of(struct writer *writer, uint32_t by, uint32_t rule,
                                 int64_t constant)
{
    bool is_body = by == RH_NONE;
    for (enum relation relation = SENDER; relation < ANY; relation++) {
        bool is_of_sender = relation == SENDER || relation >= AFTER_SENDER;
        const char *class = is_body        ? NULL
                            : is_of_sender ? writer->rules.items[by].from
                                           : writer->rules.items[by].to;
        if (relation != CONSTANT && (is_body || !is_many(writer, class)))
            continue;
        if (holds(writer, by, rule, relation, constant))
            return relation;
    }
    return ANY;
}

// --- Nodes. ---

static const struct rh_expression *variable(struct writer *writer, const char *name)
{
    return rh_expression_variable(writer->arena, name);
}

// Names of the two parameters of a rule's part; NULL: it does not have this one.
static const char *sender_name(const struct writer *writer, const struct rule *rule)
{
    return is_many(writer, rule->from) ? "i" : NULL;
}

static const char *receiver_name(const struct writer *writer, const struct rule *rule)
{
    return !is_many(writer, rule->to) ? NULL : sender_name(writer, rule) ? "j" : "i";
}

static const struct rh_expression *index_of(struct writer *writer, const struct rule *by,
                                            enum relation relation, int64_t constant)
{
    if (relation == CONSTANT)
        return rh_expression_number(writer->arena, constant);
    bool is_sender = relation == SENDER || relation == AFTER_SENDER || relation == BEFORE_SENDER;
    const struct rh_expression *name =
        variable(writer, is_sender ? sender_name(writer, by) : receiver_name(writer, by));
    if (relation == RECEIVER || relation == SENDER)
        return name;
    enum rh_expression_kind kind =
        relation == NEXT || relation == AFTER_SENDER ? RH_EXPRESSION_ADD : RH_EXPRESSION_SUBTRACT;
    return rh_expression_make(writer->arena, kind, name, rh_expression_number(writer->arena, 1));
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

static const struct rh_node *arrow_of(struct writer *writer, const struct rule *rule,
                                      const struct rh_expression *from,
                                      const struct rh_expression *to, bool is_lost)
{
    struct rh_node *node = new_node(writer, RH_NODE_ARROW);
    node->from = (struct rh_party){rule->from, from};
    node->to = (struct rh_party){rule->to, to};
    node->type = writer->automaton->names.types.items[rule->label.type];
    node->sending = rule->label.kind;
    node->is_lost = is_lost;
    return node;
}

static const struct rh_node *call_of(struct writer *writer, const struct rule *rule,
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
static const struct rh_node *message_of(struct writer *writer, const struct rule *rule,
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

// Whether the messages of a group go to all from the first receiver to the last, once each.
static bool is_row(const struct writer *writer, const struct deed *deed, const struct group *group)
{
    int64_t first = named(writer, deed->sends.items[group->first].to)->index;
    for (size_t i = 0; i < group->count; i++)
        if (named(writer, deed->sends.items[group->first + i].to)->index != first + (int64_t)i)
            return false;
    return true;
}

static const struct rh_node *family_of(struct writer *writer, const struct deed *deed,
                                       const struct group *group, const struct rh_expression *from)
{
    int64_t first = named(writer, deed->sends.items[group->first].to)->index;
    struct rh_node *node =
        new_box(writer, RH_NODE_ALL, "k",
                message_of(writer, &writer->rules.items[group->rule], from, variable(writer, "k")));
    node->first = rh_expression_number(writer->arena, first);
    node->last = rh_expression_number(writer->arena, first + (int64_t)group->count - 1);
    return node;
}

// One message of a deed.
static const struct rh_node *single_of(struct writer *writer, const struct deed *deed,
                                       const struct rh_label *label, uint32_t number,
                                       const struct rh_expression *from)
{
    const struct rule *rule = &writer->rules.items[number];
    if (!is_many(writer, rule->to))
        return message_of(writer, rule, from, NULL);
    int64_t index = named(writer, label->to)->index;
    enum relation relation = relation_of(writer, deed->rule, number, index);
    if (relation != ANY)
        return message_of(writer, rule, from,
                          index_of(writer,
                                   deed->rule == RH_NONE ? NULL : &writer->rules.items[deed->rule],
                                   relation, index));
    if (deed->rule == RH_NONE)
        return message_of(writer, rule, from, rh_expression_number(writer->arena, index));
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
        struct rh_node *family =
            count > 1 ? new_box(writer, RH_NODE_ALL, "n", nodes->items[i]) : NULL;
        if (family) {
            family->first = rh_expression_number(writer->arena, 1);
            family->last = rh_expression_number(writer->arena, (int64_t)count);
        }
        *rh_vector_push(&parts) = family ? family : nodes->items[i];
        i += count;
    }
    const struct rh_node *node =
        rh_node_join(writer->arena, RH_NODE_PARALLEL, parts.items, parts.count);
    rh_vector_fini(&parts);
    return node;
}

// All that a deed sends, in any order.
static const struct rh_node *deed_of(struct writer *writer, const struct deed *deed)
{
    struct rh_nodes nodes = {0};
    struct group group = {0};
    const struct rule *by = deed->rule == RH_NONE ? NULL : &writer->rules.items[deed->rule];
    const char *own = by ? receiver_name(writer, by) : NULL;
    while (next_group(writer, deed, &group)) {
        const struct rule *rule = &writer->rules.items[group.rule];
        const struct rh_label *first = &deed->sends.items[group.first];
        const struct rh_expression *from = NULL;
        if (is_many(writer, rule->from))
            from = own ? variable(writer, own)
                       : rh_expression_number(writer->arena, named(writer, first->from)->index);
        if (group.count > 1 && is_many(writer, rule->to) && is_row(writer, deed, &group)) {
            *rh_vector_push(&nodes) = family_of(writer, deed, &group, from);
            continue;
        }
        for (size_t i = 0; i < group.count; i++)
            *rh_vector_push(&nodes) = single_of(writer, deed, first + i, group.rule, from);
    }
    const struct rh_node *node = join_deeds(writer, &nodes);
    rh_vector_fini(&nodes);
    return node;
}

static bool has_node(const struct rh_nodes *nodes, const struct rh_node *node)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (rh_node_equals(nodes->items[i], node))
            return true;
    return false;
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

// What handlers of a rule may send, each once. The body's deeds are those of RH_NONE.
static const struct rh_node *deeds_of(struct writer *writer, uint32_t rule)
{
    struct rh_nodes ways = {0};
    for (size_t i = 0; i < writer->deeds.count; i++) {
        if (writer->deeds.items[i].rule != rule)
            continue;
        const struct rh_node *way = deed_of(writer, &writer->deeds.items[i]);
        if (!has_node(&ways, way))
            *rh_vector_push(&ways) = way;
    }
    const struct rh_node *node =
        ways.count == 0 ? NULL
        : ways.count > WAYS_READ
            ? loosen(writer, &ways)
            : rh_node_join(writer->arena, RH_NODE_CHOICE, ways.items, ways.count);
    rh_vector_fini(&ways);
    return node;
}

// --- Parts. ---

static bool is_name_taken(const struct writer *writer, const char *name)
{
    for (size_t i = 0; i < writer->rules.count; i++)
        if (writer->rules.items[i].part && !strcmp(writer->rules.items[i].part->name, name))
            return true;
    return false;
}

// A part is called as its message; if there are several of the type, with who sends it.
static const char *name_of(struct writer *writer, const struct rule *rule)
{
    struct rh_text text = {0};
    rh_text_add(&text, writer->automaton->names.types.items[rule->label.type]);
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
    for (size_t i = 0; i < writer->rules.count; i++) {
        struct rule *rule = &writer->rules.items[i];
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
    for (uint32_t i = 0; i < writer->rules.count; i++) {
        const struct rule *rule = &writer->rules.items[i];
        const char *from = sender_name(writer, rule), *to = receiver_name(writer, rule);
        const struct rh_node *rest = deeds_of(writer, i);
        const struct rh_node *const parts[] = {arrow_of(writer, rule,
                                                        from ? variable(writer, from) : NULL,
                                                        to ? variable(writer, to) : NULL, false),
                                               rest ? rest : rh_node_skip(writer->arena)};
        rule->part->body = rh_node_join(writer->arena, RH_NODE_SEQUENCE, parts, 2);
    }
}

const struct rh_node *rh_infer_rules(struct rh_arena *arena, const struct rh_journal *classes,
                                     struct rh_automaton *automaton)
{
    struct writer writer = {.arena = arena, .automaton = automaton, .journal = classes};
    rh_automaton_map(automaton, classes, &writer.actors);
    bool is_end = read_executions(&writer);
    name_parts(&writer);
    write_parts(&writer);
    const struct rh_node *node = deeds_of(&writer, RH_NONE); // of the body
    for (size_t i = 0; i < writer.deeds.count; i++)
        rh_vector_fini(&writer.deeds.items[i].sends);
    rh_vector_fini(&writer.deeds);
    rh_vector_fini(&writer.rules);
    rh_vector_fini(&writer.actors);
    rh_table_fini(&writer.deed_table);
    return node && is_end ? rh_inline(arena, node) : NULL;
}
