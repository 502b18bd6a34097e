// SPDX-License-Identifier: MIT
// Classes of actors: executions call an actor by the name in the source that its creation gives for
// the behaviour, and diagrams by that without number.
#include <string.h>

#include "base/identity.h"
#include "diagram/automaton.h"
#include "sketch/internal.h"

void rh__sketch_numbers_add(struct rh__sketch_numbers *numbers, uint32_t number)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->items[i] == number)
            return;
    *rh_vector_push(numbers) = number;
}

static uint32_t class_of(struct rh__sketch_builder *builder, const char *spawned)
{
    struct rh_text name = {0};
    rh_identity_add_behaviour(&name, spawned);
    const char *class = rh_class_name(&builder->sketch->arena, rh_text_get(&name));
    rh_text_fini(&name);
    for (uint32_t i = 0; i < builder->classes.count; i++)
        if (!strcmp(builder->classes.items[i].name, class))
            return i;
    *rh_vector_push(&builder->classes) = (struct rh__sketch_class){.name = class};
    return (uint32_t)builder->classes.count - 1;
}

// The class of what an operation creates. RH_NONE: its name is not written in the source.
static uint32_t created_class(struct rh__sketch_builder *builder,
                              const struct rh__flow_operation *operation)
{
    const char *name = rh_ir_text(builder->flow->module, operation->instruction->operands[1]);
    return name ? class_of(builder, name) : RH_NONE;
}

static bool creates(const struct rh__flow_operation *operation)
{
    return operation->kind == RH__FLOW_SPAWN || operation->kind == RH__FLOW_RESERVE;
}

static void count_created(struct rh__sketch_builder *builder, const struct rh__sketch_graph *graph)
{
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        uint32_t number = graph->nodes.items[i].operation;
        if (number == RH_NONE || !creates(&builder->flow->operations.items[number]))
            continue;
        uint32_t class = created_class(builder, &builder->flow->operations.items[number]);
        if (class == RH_NONE)
            continue;
        bool is_once = graph->actor == 0 && !rh__sketch_graph_repeats(graph, i);
        builder->classes.items[class].created += is_once ? 1 : 2;
        builder->classes.items[class].place = graph->nodes.items[i].place;
    }
}

void rh__sketch_classes_find(struct rh__sketch_builder *builder)
{
    *rh_vector_push(&builder->classes) = (struct rh__sketch_class){.name = "outside", .created = 1};
    for (uint32_t i = 0; i < builder->flow->actors.count; i++)
        if (builder->graphs[i])
            count_created(builder, builder->graphs[i]);
}

void rh__sketch_classes_of_address(struct rh__sketch_builder *builder, uint32_t address,
                                   struct rh__sketch_numbers *classes)
{
    struct rh__flow *flow = builder->flow;
    uint32_t function = flow->addresses.items[address].function;
    for (uint32_t i = 0; i < flow->operations.count; i++) {
        const struct rh__flow_operation *operation = &flow->operations.items[i];
        if (!creates(operation))
            continue;
        const struct rh__flow_node *to = &flow->nodes.items[operation->to];
        for (uint32_t k = 0; k < to->count; k++) {
            const struct rh__flow_object *object = rh__flow_object_at(flow, to->items[k]);
            if (object->kind != RH__FLOW_FUNCTION || object->number != function)
                continue;
            uint32_t class = created_class(builder, operation);
            if (class != RH_NONE)
                rh__sketch_numbers_add(classes, class);
        }
    }
}

void rh__sketch_classes_of_actor(struct rh__sketch_builder *builder, uint32_t actor,
                                 struct rh__sketch_numbers *classes)
{
    struct rh__flow *flow = builder->flow;
    const struct rh__flow_node *self = &flow->nodes.items[flow->actors.items[actor].self];
    if (actor == 0)
        rh__sketch_numbers_add(classes, 0);
    for (uint32_t i = 0; i < self->count; i++) {
        const struct rh__flow_object *object = rh__flow_object_at(flow, self->items[i]);
        if (object->kind == RH__FLOW_ADDRESS)
            rh__sketch_classes_of_address(builder, object->number, classes);
    }
}

// Any of the names that the program gives senders from outside.
void rh__sketch_classes_of_outsiders(struct rh__sketch_builder *builder,
                                     struct rh__sketch_numbers *classes)
{
    const struct rh_ir_module *module = builder->flow->module;
    for (size_t i = 0; i < module->functions.count; i++) {
        const struct rh_ir_function *function = &module->functions.items[i];
        for (uint32_t k = 0; k < function->instruction_count; k++) {
            const struct rh_ir_instruction *each = &function->instructions[k];
            const struct rh_ir_function *callee =
                each->opcode == RH_IR_CALL ? rh_ir_callee(module, each) : NULL;
            if (!callee || strcmp(callee->name, "rh_outside") != 0)
                continue;
            const char *name = rh_ir_text(module, each->operands[0]);
            if (name)
                rh__sketch_numbers_add(classes, class_of(builder, name));
            else if (rh_is_ok(&builder->status))
                builder->status = rh_bad_input(
                    "%s:%u: no sketch: the name of this sender is not written in the source",
                    each->place.file ? each->place.file : "?", each->place.line);
        }
    }
}

bool rh__sketch_class_is_single(const struct rh__sketch_builder *builder, uint32_t class)
{
    return builder->classes.items[class].created == 1;
}
