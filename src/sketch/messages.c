// SPDX-License-Identifier: MIT
// Whom an operation sends what, and which handlers that leads to.
#include <stdlib.h>
#include <string.h>

#include "sketch/internal.h"

static int compare_numbers(const void *one, const void *other)
{
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

static bool is_same(const struct rh__sketch_variable *one, const struct rh__sketch_variable *other)
{
    return one->from == other->from && one->to == other->to && one->kind == other->kind &&
           one->is_lost == other->is_lost && !strcmp(one->type, other->type) &&
           one->entries.count == other->entries.count &&
           (one->entries.count == 0 || !memcmp(one->entries.items, other->entries.items,
                                               one->entries.count * sizeof *one->entries.items));
}

// Takes the variable's entries.
uint32_t rh__sketch_variable_get(struct rh__sketch_builder *builder,
                                 struct rh__sketch_variable *variable)
{
    if (variable->entries.count > 1)
        qsort(variable->entries.items, variable->entries.count, sizeof *variable->entries.items,
              compare_numbers);
    for (uint32_t i = 0; i < builder->variables.count; i++)
        if (is_same(&builder->variables.items[i], variable)) {
            rh_vector_fini(&variable->entries);
            return i;
        }
    variable->body = RH_NONE;
    *rh_vector_push(&builder->variables) = *variable;
    return (uint32_t)builder->variables.count - 1;
}

static uint32_t entry_of(struct rh__sketch_builder *builder, uint32_t actor, uint32_t operation,
                         uint32_t class)
{
    for (uint32_t i = 0; i < builder->entries.count; i++) {
        const struct rh__sketch_entry *entry = &builder->entries.items[i];
        if (entry->actor == actor && entry->operation == operation && entry->class == class)
            return i;
    }
    *rh_vector_push(&builder->entries) =
        (struct rh__sketch_entry){actor, operation, class, RH_NONE};
    return (uint32_t)builder->entries.count - 1;
}

// A message that is being followed.
struct sending {
    struct rh__sketch_builder *builder;
    struct rh__sketch_variable like; // without receiver and entries
    uint32_t message;                // of the flow's
    struct rh__term_list ways;
};

static void add_way(struct sending *sending, struct rh__sketch_variable *variable)
{
    uint32_t number = rh__sketch_variable_get(sending->builder, variable);
    rh__term_list_add(&sending->ways, rh__term_leaf(&sending->builder->terms, number));
}

// The handlers of an address that the message gets to.
static void add_entries(struct sending *sending, uint32_t address,
                        struct rh__sketch_variable *variable)
{
    struct rh__flow *flow = sending->builder->flow;
    const struct rh__flow_address *at = &flow->addresses.items[address];
    for (size_t i = 0; i < at->handlers.count; i++) {
        uint32_t actor = at->handlers.items[i];
        uint32_t part = rh_index_find(&flow->part_index, (uint64_t)actor << 32 | sending->message);
        if (part == RH_NONE)
            part = actor;
        if (sending->builder->graphs[part])
            rh__sketch_numbers_add(&variable->entries,
                                   entry_of(sending->builder, part, RH_NONE, variable->to));
    }
}

// One way for each class that the receivers of a node may have.
static void add_receivers(struct sending *sending, uint32_t node)
{
    struct rh__flow *flow = sending->builder->flow;
    for (uint32_t i = 0; i < flow->nodes.items[node].count; i++) {
        struct rh__sketch_numbers classes = {0};
        const struct rh__flow_object *object =
            rh__flow_object_at(flow, flow->nodes.items[node].items[i]);
        if (object->kind == RH__FLOW_ADDRESS)
            rh__sketch_classes_of_address(sending->builder, object->number, &classes);
        for (size_t k = 0; k < classes.count; k++) {
            struct rh__sketch_variable variable = sending->like;
            variable.to = classes.items[k];
            add_entries(sending, object->number, &variable);
            add_way(sending, &variable);
        }
        rh_vector_fini(&classes);
    }
}

// What is sent to the outside gets lost. NULL is the outside only as the sender of what is
// answered.
static void add_lost(struct sending *sending, uint32_t node, bool is_reply)
{
    struct rh__flow *flow = sending->builder->flow;
    for (uint32_t i = 0; i < flow->nodes.items[node].count; i++) {
        struct rh__sketch_numbers classes = {0};
        uint32_t location = flow->nodes.items[node].items[i];
        int64_t number = 1;
        if (is_reply && rh__flow_is_known(flow, location, &number) && number == 0)
            rh__sketch_numbers_add(&classes, 0);
        if (rh__flow_object_at(flow, location)->kind == RH__FLOW_OUTSIDE)
            rh__sketch_classes_of_outsiders(sending->builder, &classes);
        for (size_t k = 0; k < classes.count; k++) {
            struct rh__sketch_variable variable = sending->like;
            variable.to = classes.items[k];
            variable.is_lost = true;
            add_way(sending, &variable);
        }
        rh_vector_fini(&classes);
    }
}

// An answer to this request: whoever asked goes on behind the rh_ask.
static void add_answers(struct sending *sending, const struct rh__flow_message *request)
{
    struct rh__flow *flow = sending->builder->flow;
    sending->like.kind = RH_JOURNAL_ANSWER;
    for (size_t i = 0; i < request->sent_by.count; i++) {
        uint32_t operation = request->sent_by.items[i];
        uint32_t actor = flow->operations.items[operation].actor;
        struct rh__sketch_numbers classes = {0};
        rh__sketch_classes_of_actor(sending->builder, actor, &classes);
        for (size_t k = 0; k < classes.count; k++) {
            struct rh__sketch_variable variable = sending->like;
            variable.to = classes.items[k];
            rh__sketch_numbers_add(&variable.entries,
                                   entry_of(sending->builder, actor, operation, classes.items[k]));
            add_way(sending, &variable);
        }
        rh_vector_fini(&classes);
    }
    sending->like.kind = RH_JOURNAL_PLAIN;
}

static void add_replies(struct sending *sending, uint32_t node)
{
    struct rh__flow *flow = sending->builder->flow;
    for (uint32_t i = 0; i < flow->nodes.items[node].count; i++) {
        const struct rh__flow_object *object =
            rh__flow_object_at(flow, flow->nodes.items[node].items[i]);
        if (object->kind != RH__FLOW_MESSAGE)
            continue;
        const struct rh__flow_message *request = &flow->messages.items[object->number];
        if (request->replies != RH_NONE) {
            add_answers(sending, request);
        } else {
            add_receivers(sending, request->sender);
            add_lost(sending, request->sender, true);
        }
    }
}

static enum rh_journal_kind kind_of(const struct rh__flow_operation *operation)
{
    return operation->kind == RH__FLOW_ASK     ? RH_JOURNAL_ASK
           : operation->kind == RH__FLOW_AFTER ? RH_JOURNAL_TIMER
                                               : RH_JOURNAL_PLAIN;
}

// In whose name an operation sends.
static void find_senders(struct rh__sketch_builder *builder,
                         const struct rh__flow_operation *operation, uint32_t class,
                         struct rh__sketch_numbers *senders)
{
    if (operation->kind == RH__FLOW_SEND_FROM)
        rh__sketch_classes_of_outsiders(builder, senders);
    else
        rh__sketch_numbers_add(senders, operation->kind == RH__FLOW_MAY_COME ? 0 : class);
}

static void send(struct sending *sending, const struct rh__flow_operation *operation)
{
    const struct rh__flow *flow = sending->builder->flow;
    uint32_t type = flow->messages.items[sending->message].type;
    sending->like.type = flow->types.items[type].name;
    if (type == 0 && rh_is_ok(&sending->builder->status))
        sending->builder->status = rh_bad_input(
            "%s:%u: no sketch: which type this message has is not written in the "
            "source",
            operation->instruction->place.file ? operation->instruction->place.file : "?",
            operation->instruction->place.line);
    if (operation->kind == RH__FLOW_REPLY) {
        add_replies(sending, operation->to);
    } else {
        add_receivers(sending, operation->to);
        add_lost(sending, operation->to, false);
    }
}

uint32_t rh__sketch_messages(struct rh__sketch_builder *builder, uint32_t number, uint32_t class)
{
    const struct rh__flow *flow = builder->flow;
    struct rh__flow_operation operation = flow->operations.items[number];
    struct sending sending = {.builder = builder};
    struct rh__sketch_numbers senders = {0};
    find_senders(builder, &operation, class, &senders);
    for (size_t i = 0; i < operation.messages.count; i++)
        for (size_t k = 0; k < senders.count; k++) {
            sending.message = operation.messages.items[i];
            sending.like =
                (struct rh__sketch_variable){.from = senders.items[k], .kind = kind_of(&operation)};
            send(&sending, &operation);
        }
    rh_vector_fini(&senders);
    uint32_t term = rh__term_join(&builder->terms, RH__TERM_CHOICE, &sending.ways);
    return operation.kind == RH__FLOW_MAY_COME ? rh__term_loop(&builder->terms, term, 0, true)
                                               : term;
}
