// SPDX-License-Identifier: MIT
// What the fields of a message or of a state may hold, in words.
#include <inttypes.h>
#include <string.h>

#include "flow/result.h"

const char *rh__flow_state_type(const struct rh__flow *flow, uint32_t number)
{
    const struct rh__flow_operation *operation = &flow->operations.items[number];
    const struct rh_ir_instruction *call = operation->instruction;
    const struct rh_ir_instruction *described =
        operation->state_type == RH_NONE
            ? NULL
            : rh_ir_definition(operation->function, call->operands[operation->state_type]);
    if (!described)
        return NULL;
    // The descriptor is a local variable; the type's name is stored in its first field.
    for (uint32_t i = 0; i < operation->function->instruction_count; i++) {
        const struct rh_ir_instruction *store = &operation->function->instructions[i];
        if (store->opcode != RH_IR_STORE)
            continue;
        const struct rh_ir_instruction *address =
            rh_ir_definition(operation->function, store->operands[1]);
        bool is_first = address == described ||
                        (address && address->opcode == RH_IR_ADDRESS && !address->offset &&
                         !address->step_count &&
                         rh_ir_definition(operation->function, address->operands[0]) == described);
        const char *name = is_first ? rh_ir_text(flow->module, store->operands[0]) : NULL;
        if (name)
            return !strncmp(name, "struct ", 7) ? name + 7 : name;
    }
    return NULL;
}

static const struct rh_ir_record *find_record(const struct rh__flow *flow,
                                              const struct rh__flow_question *question)
{
    const struct rh__flow_operation *operation = &flow->operations.items[question->operation];
    if (operation->payload == RH_NONE)
        return NULL;
    if (question->message != RH_NONE) {
        uint32_t number = flow->messages.items[question->message].type;
        const struct rh__flow_message_type *type = &flow->types.items[number];
        return type->size ? rh_ir_record_find(flow->module, type->name, type->size) : NULL;
    }
    const char *name = rh__flow_state_type(flow, question->operation);
    return name ? rh_ir_record_find(flow->module, name, operation->size) : NULL;
}

// Lets the nodes of the fields have what lies at the address that the operation is given.
static void ask_operation(struct rh__flow *flow, const struct rh__flow_question *question,
                          uint32_t number)
{
    uint32_t payload = flow->operations.items[number].payload;
    for (uint32_t i = 0; i < question->record->field_count; i++) {
        const struct rh_ir_field *field = &question->record->fields[i];
        for (uint32_t k = 0; k < flow->nodes.items[payload].count; k++) {
            uint32_t location = flow->nodes.items[payload].items[k];
            if (rh__flow_object_at(flow, location)->kind == RH__FLOW_ANYTHING)
                rh__flow_edge(flow, flow->anything, question->first_node + i);
            else
                rh__flow_load(flow, rh__flow_location_add(flow, location, (int64_t)field->offset),
                              field->size, question->first_node + i);
        }
    }
}

void rh__flow_question_ask(struct rh__flow *flow, struct rh__flow_question *question)
{
    question->record = find_record(flow, question);
    if (!question->record)
        return;
    uint32_t actor = flow->operations.items[question->operation].actor;
    question->first_node = rh__flow_nodes_new(flow, actor, question->record->field_count);
    if (question->message == RH_NONE) {
        ask_operation(flow, question, question->operation);
        return;
    }
    for (size_t i = 0; i < flow->messages.items[question->message].sent_by.count; i++)
        ask_operation(flow, question, flow->messages.items[question->message].sent_by.items[i]);
}

// Of an array nothing is said element by element.
static bool is_pointer(const struct rh_ir_field *field)
{
    return field->is_pointer && field->count == 1;
}

static bool is_integer(const struct rh_ir_field *field)
{
    return field->is_integer && field->count == 1;
}

static void add_number(struct rh_text *text, const struct rh_ir_field *field, int64_t number)
{
    if (field->is_signed || field->size >= 8 || field->size == 0)
        rh_text_addf(text, "%" PRId64, number);
    else
        rh_text_addf(text, "%" PRIu64, (uint64_t)number & ((UINT64_C(1) << (8 * field->size)) - 1));
}

static void add_pointer(const struct rh__flow *flow, struct rh_text *text,
                        const struct rh__flow_object *object)
{
    switch (object->kind) {
    case RH__FLOW_ADDRESS:
        rh__flow_behaviour_name(flow->module, flow->addresses.items[object->number].function, text);
        break;
    case RH__FLOW_OUTSIDE:
        rh_text_add(text, "outside");
        break;
    case RH__FLOW_FUNCTION:
        rh_text_add(text, flow->module->functions.items[object->number].source_name);
        break;
    default:
        rh_text_add(text, "pointer");
    }
}

// What a field holds that nothing is put into: an initializer that does not name it makes it zero.
static const char *nothing(const struct rh_ir_field *field)
{
    return is_pointer(field) ? "NULL" : is_integer(field) && !field->is_bit_field ? "0" : "any";
}

static void add_value(const struct rh__flow *flow, const struct rh_ir_field *field,
                      uint32_t location, struct rh_flow_label *label)
{
    struct rh_text text = {0};
    if (!rh__flow_is_number(flow, location))
        add_pointer(flow, &text, rh__flow_object_at(flow, location));
    else
        add_number(&text, field, rh__flow_location_get(flow, location)->offset);
    rh_flow_add_value(label, field->name, rh_text_get(&text));
    rh_text_fini(&text);
}

static void answer_field(const struct rh__flow *flow, const struct rh_ir_field *field,
                         uint32_t number, struct rh_flow_label *label)
{
    const struct rh__flow_node *node = &flow->nodes.items[number];
    bool is_any = node->has_any_number || (field->is_bit_field && node->count);
    bool has_value = false;
    // For an integer that may be any number, examples say nothing more.
    if (is_any && !is_pointer(field))
        rh_flow_add_value(label, field->name, "any");
    for (uint32_t i = 0; i < node->count; i++) {
        int64_t value;
        bool is_null =
            is_pointer(field) && rh__flow_is_known(flow, node->items[i], &value) && value == 0;
        if (is_null || (is_any && rh__flow_is_number(flow, node->items[i])))
            continue;
        add_value(flow, field, node->items[i], label);
        has_value = true;
    }
    if (!has_value && !(is_any && !is_pointer(field)))
        rh_flow_add_value(label, field->name, is_any ? "any" : nothing(field));
}

void rh__flow_question_answer(const struct rh__flow *flow, const struct rh__flow_question *question,
                              struct rh_flow_label *label)
{
    // A signal has a field that holds nothing, since C has no empty structs.
    for (uint32_t i = 0; question->record && i < question->record->field_count; i++)
        if (*question->record->fields[i].name)
            answer_field(flow, &question->record->fields[i], question->first_node + i, label);
}
