// SPDX-License-Identifier: MIT
// Both optimizations of the paper's section 3.3.3, and the same for numbers. A branch on rh_as
// tells what type a message has: code behind the branch that no message can reach is not analysed,
// and in code behind it a message stands only for messages of the type. Other branches are followed
// as the numbers allow that the condition may be.
//
// For each block and each message that the function asks rh_as about there is a set of the types
// that the message may have there. It has all types that come in at the start, narrowed along each
// edge of such a branch, united where edges meet. All sets only grow, as messages of further types
// come in.
#include <stdlib.h>
#include <string.h>

#include "flow/internal.h"

// --- What the code says, whoever runs it. ---

// More conversions and comparisons between an rh_as and the branch on it than anybody writes.
enum { CONDITION_STEPS = 16 };

static bool is_zero(const struct rh_ir_module *module, struct rh_ir_ref value)
{
    int64_t number;
    return value.is_constant && (module->constants.items[value.index].kind == RH_IR_ZERO ||
                                 (rh_ir_number(module, value, &number) && number == 0));
}

// Follows a condition back to the rh_as that it depends on; *is_negated if the condition holds when
// rh_as gives NULL.
static const struct rh_ir_instruction *find_as(const struct rh_ir_module *module,
                                               const struct rh_ir_function *function,
                                               struct rh_ir_ref condition, bool *is_negated)
{
    *is_negated = false;
    for (int i = 0; i < CONDITION_STEPS; i++) {
        const struct rh_ir_instruction *each = rh_ir_definition(function, condition);
        int64_t number;
        if (!each)
            return NULL;
        switch (each->opcode) {
        case RH_IR_CALL: {
            const struct rh_ir_function *callee = rh_ir_callee(module, each);
            return callee && rh__flow_operation_takes(each, callee->name) ? each : NULL;
        }
        case RH_IR_COMPARE:
            if (each->predicate > RH_IR_NOT_EQUAL || !is_zero(module, each->operands[1]))
                return NULL;
            *is_negated ^= each->predicate == RH_IR_EQUAL;
            break;
        case RH_IR_XOR:
            if (!rh_ir_number(module, each->operands[1], &number) || number == 0 ||
                rh_ir_type_of(module, each->type)->bits != 1)
                return NULL;
            *is_negated = !*is_negated;
            break;
        case RH_IR_EXTEND_ZERO:
        case RH_IR_FREEZE:
            break;
        case RH_IR_TRUNCATE: // to one bit, of a bool in memory
            if (rh_ir_type_of(module, each->type)->bits != 1)
                return NULL;
            break;
        default:
            return NULL;
        }
        condition = each->operands[0];
    }
    return NULL;
}

static uint32_t type_of_descriptor(const struct rh__flow *flow, struct rh_ir_ref value)
{
    const struct rh_ir_constant *constant =
        value.is_constant ? &flow->module->constants.items[value.index] : NULL;
    return constant && constant->kind == RH_IR_VARIABLE ? flow->global_types[constant->number]
                                                        : RH_NONE;
}

static uint32_t message_index(struct rh__flow_dispatch *dispatch, uint32_t value)
{
    for (uint32_t i = 0; i < dispatch->message_count; i++)
        if (dispatch->messages[i] == value)
            return i;
    dispatch->messages[dispatch->message_count] = value;
    return dispatch->message_count++;
}

static void read_branch(struct rh__flow *flow, const struct rh_ir_function *function,
                        const struct rh_ir_instruction *last, struct rh__flow_dispatch *dispatch,
                        struct rh__flow_branch *branch)
{
    branch->message = RH_NONE;
    if (flow->options->is_baseline || last->opcode != RH_IR_BRANCH || last->operand_count != 1)
        return;
    const struct rh_ir_instruction *as =
        find_as(flow->module, function, last->operands[0], &branch->is_negated);
    uint32_t type = as ? type_of_descriptor(flow, as->operands[1]) : RH_NONE;
    if (type == RH_NONE || as->operands[0].is_constant)
        return;
    branch->type = type;
    branch->message = message_index(dispatch, as->operands[0].index);
}

const struct rh__flow_dispatch *rh__flow_dispatch_of(struct rh__flow *flow, uint32_t number)
{
    if (flow->dispatches[number])
        return flow->dispatches[number];
    const struct rh_ir_function *function = &flow->module->functions.items[number];
    struct rh__flow_dispatch *dispatch = rh_arena_take(&flow->arena, sizeof *dispatch);
    dispatch->messages =
        rh_arena_take(&flow->arena, function->block_count * sizeof *dispatch->messages);
    dispatch->branches =
        rh_arena_take(&flow->arena, function->block_count * sizeof *dispatch->branches);
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct rh_ir_block *block = &function->blocks[i];
        read_branch(flow, function, &function->instructions[block->first + block->count - 1],
                    dispatch, &dispatch->branches[i]);
    }
    flow->dispatches[number] = dispatch;
    return dispatch;
}

// --- What may reach which block. ---

static uint64_t *types_at(const struct rh__flow *flow, const struct rh__flow_instance *instance,
                          uint32_t block, uint32_t message)
{
    size_t place = (size_t)block * instance->dispatch->message_count + message;
    return &instance->types[place * flow->type_words];
}

static bool has_type(const uint64_t *types, uint32_t type)
{
    return types[type / 64] >> type % 64 & 1;
}

static void add_type(uint64_t *types, uint32_t type)
{
    types[type / 64] |= UINT64_C(1) << type % 64;
}

bool rh__flow_view_takes(const struct rh__flow *flow, const struct rh__flow_view *view,
                         uint32_t location)
{
    const struct rh__flow_object *object = rh__flow_object_at(flow, location);
    if (object->kind != RH__FLOW_MESSAGE)
        return true;
    uint32_t type = flow->messages.items[object->number].type;
    return has_type(
        types_at(flow, &flow->instances.items[view->instance], view->block, view->message), type);
}

// Finds the types of a message where its value is defined. A value that is no message at all may
// have any type.
static void find_all_types(const struct rh__flow *flow, const struct rh__flow_instance *instance,
                           uint32_t message, uint64_t *types)
{
    memset(types, 0, flow->type_words * sizeof *types);
    const struct rh__flow_node *node =
        &flow->nodes.items[instance->first_node + instance->dispatch->messages[message]];
    for (uint32_t i = 0; i < node->count; i++) {
        const struct rh__flow_object *object = rh__flow_object_at(flow, node->items[i]);
        if (object->kind == RH__FLOW_MESSAGE)
            add_type(types, flow->messages.items[object->number].type);
        else if (object->kind != RH__FLOW_NUMBER)
            add_type(types, 0);
    }
}

// Narrows the types along the `successor`-th edge out of a block. false if no message takes it.
static bool narrow(const struct rh__flow *flow, const struct rh__flow_branch *branch,
                   uint32_t successor, uint64_t *types)
{
    bool is_unknown = has_type(types, 0);
    bool is_match = (successor == 0) != branch->is_negated;
    bool is_empty = true;
    for (uint32_t i = 0; i < flow->type_words; i++)
        is_empty = is_empty && !types[i];
    if (is_match) {
        bool has = has_type(types, branch->type);
        memset(types, 0, flow->type_words * sizeof *types);
        if (has)
            add_type(types, branch->type);
        if (is_unknown)
            add_type(types, 0);
        return has || is_unknown;
    }
    types[branch->type / 64] &= ~(UINT64_C(1) << branch->type % 64);
    for (uint32_t i = 0; i < flow->type_words; i++)
        if (types[i])
            return true;
    // Without any message, rh_as gives NULL.
    return is_empty;
}

// One round of following what is new through an instance.
struct round {
    struct rh__flow *flow;
    uint32_t instance;
    uint64_t *scratch;
    RH_VECTOR(uint32_t) queue;   // blocks to be followed
    RH_VECTOR(uint32_t) entered; // blocks that were not reached before
    RH_VECTOR(struct passage) passages;
    RH_VECTOR(size_t) widened; // indexes by block and message of sets that have further types
};

// An edge between blocks that is taken.
struct passage {
    uint32_t from, to;
};

static void enter(struct round *round, uint32_t block)
{
    bool *reached = round->flow->instances.items[round->instance].reached;
    if (reached[block])
        return;
    reached[block] = true;
    *rh_vector_push(&round->entered) = block;
}

// Adds `types` to the set of a message in a block; gives whether any of them is new there.
static bool let_in(struct round *round, uint32_t block, uint32_t message, const uint64_t *types)
{
    const struct rh__flow_instance *instance = &round->flow->instances.items[round->instance];
    uint64_t *there = types_at(round->flow, instance, block, message);
    bool is_new = false;
    for (uint32_t i = 0; i < round->flow->type_words; i++) {
        is_new = is_new || (types[i] & ~there[i]);
        there[i] |= types[i];
    }
    if (is_new)
        *rh_vector_push(&round->widened) =
            (size_t)block * instance->dispatch->message_count + message;
    return is_new;
}

static bool is_defined_in(const struct rh_ir_function *function, uint32_t value, uint32_t block)
{
    if (value < function->parameter_count)
        return block == 0;
    uint32_t at = value - function->parameter_count;
    return at >= function->blocks[block].first &&
           at < function->blocks[block].first + function->blocks[block].count;
}

// The node of the condition of a branch or a switch.
static uint32_t condition_of(struct rh__flow *flow, uint32_t instance,
                             const struct rh_ir_instruction *last)
{
    return last->operands[0].is_constant
               ? rh__flow_constant_node(flow, last->operands[0].index)
               : flow->instances.items[instance].first_node + last->operands[0].index;
}

static bool is_case(const struct rh__flow *flow, const struct rh_ir_instruction *last,
                    uint32_t successor, int64_t number)
{
    int64_t each;
    // A case of more than 64 bits is not a number that is known here: any number may be it.
    if (successor > 0)
        return !rh_ir_number(flow->module, last->operands[successor], &each) || each == number;
    for (uint32_t i = 1; i < last->operand_count; i++)
        if (rh_ir_number(flow->module, last->operands[i], &each) && each == number)
            return false;
    return true;
}

// Whether a value that the condition may have leads to this successor. A value that is no known
// number may lead anywhere.
static bool leads_to(struct rh__flow *flow, uint32_t instance, const struct rh_ir_instruction *last,
                     uint32_t successor)
{
    bool is_branch = last->opcode == RH_IR_BRANCH;
    bool is_condition = (is_branch || last->opcode == RH_IR_SWITCH) && last->operand_count > 0;
    if (!is_condition || flow->options->ignores_numbers)
        return true;
    const struct rh__flow_node *node = &flow->nodes.items[condition_of(flow, instance, last)];
    for (uint32_t i = 0; i < node->count; i++) {
        int64_t number;
        if (!rh__flow_is_known(flow, node->items[i], &number) ||
            (is_branch ? (number == 0) == (successor == 1)
                       : is_case(flow, last, successor, number)))
            return true;
    }
    return false;
}

bool rh__flow_edge_is_taken(struct rh__flow *flow, uint32_t number, uint32_t block,
                            uint32_t successor)
{
    const struct rh__flow_instance *instance = &flow->instances.items[number];
    const struct rh_ir_function *function = &flow->module->functions.items[instance->function];
    const struct rh_ir_block *at = &function->blocks[block];
    const struct rh_ir_instruction *last = &function->instructions[at->first + at->count - 1];
    const struct rh__flow_branch *branch = &instance->dispatch->branches[block];
    if (!instance->reached[block] || !instance->reached[last->blocks[successor]])
        return false;
    if (branch->message == RH_NONE)
        return leads_to(flow, number, last, successor);
    uint64_t *types = rh_alloc(flow->type_words * sizeof *types);
    memcpy(types, types_at(flow, instance, block, branch->message),
           flow->type_words * sizeof *types);
    bool is_taken = narrow(flow, branch, successor, types);
    free(types);
    return is_taken;
}

static void follow_edge(struct round *round, uint32_t block, uint32_t successor, uint32_t target)
{
    struct rh__flow *flow = round->flow;
    struct rh__flow_instance *instance = &flow->instances.items[round->instance];
    const struct rh__flow_branch *branch = &instance->dispatch->branches[block];
    size_t bytes = flow->type_words * sizeof *round->scratch;
    if (branch->message != RH_NONE) {
        memcpy(round->scratch, types_at(flow, instance, block, branch->message), bytes);
        if (!narrow(flow, branch, successor, round->scratch))
            return;
    }
    bool is_new = !instance->reached[target];
    enter(round, target);
    *rh_vector_push(&round->passages) = (struct passage){block, target};
    for (uint32_t i = 0; i < instance->dispatch->message_count; i++) {
        memcpy(round->scratch, types_at(flow, instance, block, i), bytes);
        if (i == branch->message)
            narrow(flow, branch, successor, round->scratch);
        is_new = let_in(round, target, i, round->scratch) || is_new;
    }
    if (is_new)
        *rh_vector_push(&round->queue) = target;
}

static const struct rh_ir_instruction *last_of(const struct rh_ir_function *function,
                                               uint32_t block)
{
    const struct rh_ir_block *at = &function->blocks[block];
    return &function->instructions[at->first + at->count - 1];
}

static void follow_block(struct round *round, uint32_t block)
{
    struct rh__flow *flow = round->flow;
    const struct rh__flow_instance *instance = &flow->instances.items[round->instance];
    const struct rh_ir_function *function = &flow->module->functions.items[instance->function];
    for (uint32_t i = 0; i < instance->dispatch->message_count; i++) {
        if (!is_defined_in(function, instance->dispatch->messages[i], block))
            continue;
        find_all_types(flow, instance, i, round->scratch);
        let_in(round, block, i, round->scratch);
    }
    const struct rh_ir_instruction *last = last_of(function, block);
    bool is_by_type = instance->dispatch->branches[block].message != RH_NONE;
    for (uint32_t i = 0; i < last->block_count; i++)
        if (is_by_type || leads_to(flow, round->instance, last, i))
            follow_edge(round, block, i, last->blocks[i]);
}

// Begins with the queued blocks, to which something new has come.
static void follow_all(struct round *round)
{
    struct rh__flow_instance *instance = &round->flow->instances.items[round->instance];
    enter(round, 0);
    for (size_t i = instance->blocks.count; i-- > 0;)
        if (instance->reached[instance->blocks.items[i]])
            *rh_vector_push(&round->queue) = instance->blocks.items[i];
    instance->blocks.count = 0;
    while (round->queue.count)
        follow_block(round, round->queue.items[--round->queue.count]);
}

// Adds to a view the messages that the types of its block let through now.
static void refresh_view(struct rh__flow *flow, uint32_t number, size_t place)
{
    const struct rh__flow_instance *instance = &flow->instances.items[number];
    if (instance->views[place] == RH_NONE)
        return;
    struct rh__flow_view view = flow->views.items[instance->views[place]];
    uint32_t node = instance->first_node + instance->dispatch->messages[view.message];
    for (uint32_t k = 0; k < flow->nodes.items[node].done; k++) {
        uint32_t location = flow->nodes.items[node].items[k];
        if (rh__flow_view_takes(flow, &view, location))
            rh__flow_node_add(flow, view.node, location);
    }
}

void rh__flow_dispatch_run(struct rh__flow *flow, uint32_t number)
{
    struct round round = {.flow = flow, .instance = number};
    round.scratch = rh_alloc(flow->type_words * sizeof *round.scratch);
    follow_all(&round);
    for (size_t i = 0; i < round.entered.count; i++)
        rh__flow_generate_block(flow, number, round.entered.items[i]);
    for (size_t i = 0; i < round.passages.count; i++)
        rh__flow_generate_edge(flow, number, round.passages.items[i].from,
                               round.passages.items[i].to);
    for (size_t i = 0; i < round.widened.count; i++)
        refresh_view(flow, number, round.widened.items[i]);
    free(round.scratch);
    rh_vector_fini(&round.queue);
    rh_vector_fini(&round.entered);
    rh_vector_fini(&round.passages);
    rh_vector_fini(&round.widened);
}

uint32_t rh__flow_view_node(struct rh__flow *flow, uint32_t number, uint32_t block, uint32_t value)
{
    struct rh__flow_instance *instance = &flow->instances.items[number];
    uint32_t node = instance->first_node + value;
    uint32_t message = 0;
    while (message < instance->dispatch->message_count &&
           instance->dispatch->messages[message] != value)
        message++;
    if (message == instance->dispatch->message_count)
        return node;
    size_t place = (size_t)block * instance->dispatch->message_count + message;
    if (instance->views[place] == RH_NONE) {
        uint32_t view = (uint32_t)flow->views.count;
        instance->views[place] = view;
        uint32_t view_node = rh__flow_node_new(flow, instance->actor);
        *rh_vector_push(&flow->views) = (struct rh__flow_view){view_node, number, block, message};
        rh__flow_constrain(flow, node,
                           &(struct rh__flow_constraint){.kind = RH__FLOW_FILTER, .target = view});
    }
    return flow->views.items[flow->instances.items[number].views[place]].node;
}
