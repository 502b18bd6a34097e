// SPDX-License-Identifier: MIT
// What the operations of actor.h and test.h mean for points-to sets: figure 3.8 of the paper, and
// what our operations have beyond it. The library's own code is not analysed.
//
// Judges change nothing, so they are not analysed: they add no message and no creation. Guards are
// in guards.c.
#include <string.h>

#include "base/hash.h"
#include "flow/internal.h"

// An actor has at most so many parts; messages from further places are handled together.
enum { PARTS_MOST = 64 };

// --- Actors. ---

static uint32_t actor_of(struct rh__flow *flow, uint32_t function)
{
    if (flow->function_actors[function] != RH_NONE)
        return flow->function_actors[function];
    uint32_t number = (uint32_t)flow->actors.count;
    *rh_vector_push(&flow->actors) = (struct rh__flow_actor){.function = function, .whole = number};
    uint32_t first = rh__flow_nodes_new(flow, number, 3);
    flow->actors.items[number].self = first;
    flow->actors.items[number].state = first + 1;
    flow->actors.items[number].message = first + 2;
    flow->function_actors[function] = number;
    return number;
}

uint32_t rh__flow_actor_part(struct rh__flow *flow, uint32_t actor)
{
    uint32_t number = (uint32_t)flow->actors.count;
    *rh_vector_push(&flow->actors) =
        (struct rh__flow_actor){.function = flow->actors.items[actor].function, .whole = actor};
    uint32_t first = rh__flow_nodes_new(flow, number, 3);
    flow->actors.items[number].self = first;
    flow->actors.items[number].state = first + 1;
    flow->actors.items[number].message = first + 2;
    rh__flow_edge(flow, flow->actors.items[actor].self, first);
    rh__flow_edge(flow, flow->actors.items[actor].state, first + 1);
    return number;
}

// From now on the actor's handler may be called.
static void run(struct rh__flow *flow, uint32_t number)
{
    struct rh__flow_actor *actor = &flow->actors.items[number];
    uint32_t nodes[] = {actor->self, actor->state, actor->message};
    if (actor->is_running)
        return;
    actor->is_running = true;
    const struct rh_ir_function *function = &flow->module->functions.items[actor->function];
    uint32_t instance = RH_NONE;
    if (function->block_count)
        instance = rh__flow_instance_get(flow, actor->function, number);
    else
        flow->unknown_calls[actor->function] = true;
    for (uint32_t i = 0; i < 3; i++) {
        if (instance == RH_NONE)
            rh__flow_edge(flow, nodes[i], flow->escaped);
        else if (i < function->parameter_count)
            rh__flow_edge(flow, nodes[i], rh__flow_parameter(flow, instance, i));
    }
}

static uint32_t sending_actor(const struct rh__flow_operation *operation)
{
    bool is_outside = operation->kind == RH__FLOW_SEND_FROM || operation->kind == RH__FLOW_MAY_COME;
    return is_outside ? 0 : operation->actor;
}

// false if it is known already.
static bool note(struct rh__flow *flow, uint32_t from, uint32_t to, uint32_t operation,
                 uint32_t message)
{
    struct rh__flow_event event = {flow->actors.items[from].whole, flow->actors.items[to].whole,
                                   operation, message};
    uint64_t key = rh_hash64(&event, sizeof event, 0);
    if (rh_index_find(&flow->event_index, key) != RH_NONE)
        return false;
    rh_index_add(&flow->event_index, key, (uint32_t)flow->events.count);
    *rh_vector_push(&flow->events) = event;
    return true;
}

// The part of an actor that handles messages of one origin: it has the actor's address and state,
// but only this message. So what a message carries does not mix with what messages of other senders
// carry. The parts have the state in common, as the actor's deliveries do.
static uint32_t handling_actor(struct rh__flow *flow, uint32_t actor, uint32_t message)
{
    uint64_t key = (uint64_t)actor << 32 | message;
    uint32_t known = rh_index_find(&flow->part_index, key);
    if (known != RH_NONE)
        return known;
    if (flow->options->is_baseline || flow->options->ignores_origins ||
        flow->actors.items[actor].part_count == PARTS_MOST)
        return actor;
    flow->actors.items[actor].part_count++;
    uint32_t part = rh__flow_actor_part(flow, actor);
    rh_index_add(&flow->part_index, key, part);
    return part;
}

void rh__flow_receive(struct rh__flow *flow, uint32_t actor, uint32_t message)
{
    uint32_t operation = flow->messages.items[message].sent_by.items[0];
    note(flow, sending_actor(&flow->operations.items[operation]), actor, operation, message);
    uint32_t handling = handling_actor(flow, actor, message);
    rh__flow_node_add(flow, flow->actors.items[handling].message,
                      rh__flow_location_of(flow, flow->messages.items[message].object));
    run(flow, handling);
}

// Actors with this address may handle messages as `actor` does.
static void add_handler(struct rh__flow *flow, uint32_t number, uint32_t actor)
{
    struct rh__flow_address *address = &flow->addresses.items[number];
    for (size_t i = 0; i < address->handlers.count; i++)
        if (address->handlers.items[i] == actor)
            return;
    *rh_vector_push(&address->handlers) = actor;
    rh__flow_node_add(flow, flow->actors.items[actor].self,
                      rh__flow_location_of(flow, address->object));
    rh__flow_node_add(flow, flow->actors.items[actor].state,
                      rh__flow_location_of(flow, flow->addresses.items[number].state));
    for (size_t i = 0; i < flow->addresses.items[number].inbox.count; i++)
        rh__flow_guard_ask(flow, actor, flow->addresses.items[number].inbox.items[i]);
    if (flow->options->is_baseline)
        run(flow, actor);
    for (uint32_t i = 0; i < flow->operations.count; i++)
        if (flow->operations.items[i].kind == RH__FLOW_AT_STOP)
            rh__flow_operation_queue(flow, i);
}

static uint32_t address_of(struct rh__flow *flow, uint32_t function)
{
    if (flow->function_addresses[function] != RH_NONE)
        return flow->function_addresses[function];
    uint32_t number = (uint32_t)flow->addresses.count;
    uint32_t actor = actor_of(flow, function);
    flow->function_addresses[function] = number;
    uint32_t object = rh__flow_object_new(flow, RH__FLOW_ADDRESS, number, actor, 1);
    uint32_t state = rh__flow_object_new(flow, RH__FLOW_MEMORY, 0, actor, RH__FLOW_EVERYWHERE);
    flow->objects.items[state].inherits = true;
    *rh_vector_push(&flow->addresses) =
        (struct rh__flow_address){.function = function, .object = object, .state = state};
    add_handler(flow, number, actor);
    return number;
}

// --- Sending. ---

static uint32_t message_new(struct rh__flow *flow, uint32_t number, uint32_t type)
{
    struct rh__flow_operation operation = flow->operations.items[number];
    uint32_t actor = flow->actors.items[operation.actor].whole;
    uint32_t message = (uint32_t)flow->messages.count;
    uint32_t payload = rh__flow_object_new(flow, RH__FLOW_MEMORY, 0, actor, operation.size);
    flow->objects.items[payload].inherits = true;
    flow->objects.items[payload].is_payload = true;
    *rh_vector_push(&flow->messages) = (struct rh__flow_message){
        .object = rh__flow_object_new(flow, RH__FLOW_MESSAGE, message, actor, 1),
        .type = type,
        .payload = payload,
        .sender = rh__flow_node_new(flow, actor),
        .replies = operation.kind == RH__FLOW_ASK ? rh__flow_node_new(flow, actor) : RH_NONE,
    };
    return message;
}

// The message of this type that the operation sends. It is made the first time, and the same for
// all parts of an actor.
static uint32_t message_find(struct rh__flow *flow, uint32_t number, uint32_t type)
{
    const struct rh__flow_operation *operation = &flow->operations.items[number];
    uint32_t words[5] = {flow->actors.items[operation->actor].whole,
                         (uint32_t)(operation->function - flow->module->functions.items),
                         (uint32_t)(operation->instruction - operation->function->instructions),
                         operation->kind, type};
    uint64_t key = rh_hash64(words, sizeof words, 0);
    uint32_t message = rh_index_find(&flow->message_index, key);
    if (message == RH_NONE) {
        message = message_new(flow, number, type);
        rh_index_add(&flow->message_index, key, message);
    }
    return message;
}

static uint32_t message_of(struct rh__flow *flow, uint32_t number, uint32_t type)
{
    struct rh__flow_operation operation = flow->operations.items[number];
    for (size_t i = 0; i < operation.messages.count; i++)
        if (flow->messages.items[operation.messages.items[i]].type == type)
            return operation.messages.items[i];
    uint32_t message = message_find(flow, number, type);
    *rh_vector_push(&flow->operations.items[number].messages) = message;
    *rh_vector_push(&flow->messages.items[message].sent_by) = number;
    uint32_t self = flow->actors.items[operation.actor].self;
    rh__flow_edge(flow, operation.from != RH_NONE ? operation.from : self,
                  flow->messages.items[message].sender);
    if (flow->messages.items[message].replies != RH_NONE)
        rh__flow_edge(flow, flow->messages.items[message].replies, operation.result);
    uint32_t target = rh__flow_node_new(flow, operation.actor);
    rh__flow_node_add(flow, target,
                      rh__flow_location_of(flow, flow->messages.items[message].payload));
    rh__flow_transfer_new(flow, &(struct rh__flow_transfer){target, operation.payload,
                                                            operation.size, .is_first = true});
    return message;
}

static void deliver(struct rh__flow *flow, uint32_t address, uint32_t message)
{
    for (size_t i = 0; i < flow->addresses.items[address].inbox.count; i++)
        if (flow->addresses.items[address].inbox.items[i] == message)
            return;
    *rh_vector_push(&flow->addresses.items[address].inbox) = message;
    for (size_t i = 0; i < flow->addresses.items[address].handlers.count; i++)
        rh__flow_guard_ask(flow, flow->addresses.items[address].handlers.items[i], message);
}

static void deliver_to_all(struct rh__flow *flow, uint32_t node, uint32_t message)
{
    for (uint32_t i = 0; i < flow->nodes.items[node].count; i++) {
        const struct rh__flow_object *object =
            rh__flow_object_at(flow, flow->nodes.items[node].items[i]);
        if (object->kind == RH__FLOW_ADDRESS)
            deliver(flow, object->number, message);
    }
}

static void answer(struct rh__flow *flow, uint32_t number, uint32_t asked, uint32_t message)
{
    struct rh__flow_message request = flow->messages.items[asked];
    if (request.replies == RH_NONE) {
        deliver_to_all(flow, request.sender, message);
        return;
    }
    uint32_t asking = flow->operations.items[request.sent_by.items[0]].actor;
    note(flow, flow->operations.items[number].actor, asking, number, message);
    rh__flow_node_add(flow, request.replies,
                      rh__flow_location_of(flow, flow->messages.items[message].object));
}

static void send_type(struct rh__flow *flow, uint32_t number, uint32_t type)
{
    uint32_t message = message_of(flow, number, type);
    uint32_t to = flow->operations.items[number].to;
    if (flow->operations.items[number].kind != RH__FLOW_REPLY) {
        deliver_to_all(flow, to, message);
        return;
    }
    for (uint32_t i = 0; i < flow->nodes.items[to].count; i++) {
        const struct rh__flow_object *object =
            rh__flow_object_at(flow, flow->nodes.items[to].items[i]);
        if (object->kind == RH__FLOW_MESSAGE)
            answer(flow, number, object->number, message);
    }
}

// Replying to an ordinary message sends to the message's senders. The set of these may grow, and
// then the reply is looked at again.
static void watch_senders(struct rh__flow *flow, uint32_t number)
{
    struct rh__flow_operation *operation = &flow->operations.items[number];
    while (operation->watched < flow->nodes.items[operation->to].count) {
        uint32_t location = flow->nodes.items[operation->to].items[operation->watched++];
        const struct rh__flow_object *object = rh__flow_object_at(flow, location);
        if (object->kind == RH__FLOW_MESSAGE)
            rh__flow_constrain(
                flow, flow->messages.items[object->number].sender,
                &(struct rh__flow_constraint){.kind = RH__FLOW_OPERATION, .target = number});
        operation = &flow->operations.items[number];
    }
}

static void send(struct rh__flow *flow, uint32_t number)
{
    if (flow->operations.items[number].kind == RH__FLOW_REPLY)
        watch_senders(flow, number);
    uint32_t types = flow->operations.items[number].type;
    for (uint32_t i = 0; i < flow->nodes.items[types].count; i++) {
        const struct rh__flow_object *object =
            rh__flow_object_at(flow, flow->nodes.items[types].items[i]);
        uint32_t type =
            object->kind == RH__FLOW_VARIABLE ? flow->global_types[object->number] : RH_NONE;
        send_type(flow, number, type == RH_NONE ? 0 : type);
    }
}

// --- The other operations. ---

// Actors with this address are created with the state that the operation is given.
static void create(struct rh__flow *flow, uint32_t number, uint32_t address)
{
    struct rh__flow_operation operation = flow->operations.items[number];
    uint32_t created = flow->function_actors[flow->addresses.items[address].function];
    if (!note(flow, operation.actor, created, number, RH_NONE))
        return;
    uint32_t target = rh__flow_node_new(flow, operation.actor);
    rh__flow_node_add(flow, target,
                      rh__flow_location_of(flow, flow->addresses.items[address].state));
    rh__flow_transfer_new(flow, &(struct rh__flow_transfer){target, operation.payload,
                                                            operation.size, .is_first = true});
}

// The operation gives the address of an actor with this behaviour.
static uint32_t give_address(struct rh__flow *flow, uint32_t number, uint32_t function)
{
    uint32_t address = address_of(flow, function);
    rh__flow_node_add(flow, flow->operations.items[number].result,
                      rh__flow_location_of(flow, flow->addresses.items[address].object));
    return address;
}

// All actors that run this code take `function` as their behaviour, or call it when they stop.
static void for_selves(struct rh__flow *flow, uint32_t number, uint32_t function)
{
    struct rh__flow_operation operation = flow->operations.items[number];
    uint32_t self = flow->actors.items[operation.actor].self;
    for (uint32_t i = 0; i < flow->nodes.items[self].count; i++) {
        const struct rh__flow_object *object =
            rh__flow_object_at(flow, flow->nodes.items[self].items[i]);
        if (object->kind != RH__FLOW_ADDRESS)
            continue;
        uint32_t address = object->number;
        if (operation.kind == RH__FLOW_BECOME) {
            uint32_t actor = actor_of(flow, function);
            note(flow, operation.actor, actor, number, RH_NONE);
            add_handler(flow, address, actor);
            continue;
        }
        for (size_t k = 0; k < flow->addresses.items[address].handlers.count; k++) {
            uint32_t actor = flow->addresses.items[address].handlers.items[k];
            uint32_t instance = rh__flow_instance_get(flow, function, actor);
            rh__flow_edge(flow, flow->actors.items[actor].self,
                          rh__flow_parameter(flow, instance, 0));
            rh__flow_edge(flow, flow->actors.items[actor].state,
                          rh__flow_parameter(flow, instance, 1));
        }
    }
}

static void for_functions(struct rh__flow *flow, uint32_t number)
{
    uint32_t to = flow->operations.items[number].to;
    enum rh__flow_operation_kind kind = flow->operations.items[number].kind;
    for (uint32_t i = 0; i < flow->nodes.items[to].count; i++) {
        const struct rh__flow_object *object =
            rh__flow_object_at(flow, flow->nodes.items[to].items[i]);
        if (kind == RH__FLOW_RECEPTIONIST && object->kind == RH__FLOW_ADDRESS) {
            flow->has_receptionists = true;
            flow->receptionists[flow->addresses.items[object->number].function] = true;
        }
        if (kind == RH__FLOW_STATE_OF && object->kind == RH__FLOW_ADDRESS)
            rh__flow_node_add(
                flow, flow->operations.items[number].result,
                rh__flow_location_of(flow, flow->addresses.items[object->number].state));
        if (kind == RH__FLOW_SPAWN_AT && object->kind == RH__FLOW_ADDRESS) {
            create(flow, number, object->number);
            continue;
        }
        if (object->kind != RH__FLOW_FUNCTION)
            continue;
        uint32_t function = object->number;
        const struct rh_ir_function *code = &flow->module->functions.items[function];
        if (kind == RH__FLOW_SPAWN)
            create(flow, number, give_address(flow, number, function));
        else if (kind == RH__FLOW_RESERVE)
            give_address(flow, number, function);
        else if (kind == RH__FLOW_BECOME || (code->block_count && code->parameter_count == 2))
            for_selves(flow, number, function);
    }
}

void rh__flow_operation_run(struct rh__flow *flow, uint32_t number)
{
    switch (flow->operations.items[number].kind) {
    case RH__FLOW_SPAWN:
    case RH__FLOW_RESERVE:
    case RH__FLOW_SPAWN_AT:
    case RH__FLOW_BECOME:
    case RH__FLOW_AT_STOP:
    case RH__FLOW_RECEPTIONIST:
    case RH__FLOW_STATE_OF:
        for_functions(flow, number);
        break;
    default:
        send(flow, number);
    }
}

void rh__flow_operation_queue(struct rh__flow *flow, uint32_t number)
{
    struct rh__flow_operation *operation = &flow->operations.items[number];
    if (operation->is_queued)
        return;
    operation->is_queued = true;
    *rh_vector_push(&flow->actors.items[operation->actor].operations) = number;
    rh__flow_queue_actor(flow, operation->actor);
}

// --- Calls of operations. ---

// The words of operations.def. An argument that is not there is NOTHING.
enum word {
    NOTHING,
#define WORD(word, size, type) word,
#include "entry/operations.def"
};

enum { ARGUMENTS_MOST = 8 };

struct shape {
    const char *name;
    enum rh__flow_operation_kind kind;
    enum word arguments[ARGUMENTS_MOST];
};

static const struct shape shapes[] = {
#define OPERATION(name, result, meaning, ...) {#name, RH__FLOW_##meaning, {__VA_ARGS__}},
#include "entry/operations.def"
    // Tests are analysed each by itself, wherever they are run.
    {"rh_test_main", RH__FLOW_SILENT, {NUMBER, BLOCK}},
};

// The index of an argument of the operation; RH_NONE if it has none of this kind.
static uint32_t find_argument(const struct shape *shape, enum word word)
{
    for (uint32_t i = 0; i < ARGUMENTS_MOST; i++)
        if (shape->arguments[i] == word)
            return i;
    return RH_NONE;
}

static uint32_t count_arguments(const struct shape *shape)
{
    uint32_t count = 0;
    while (count < ARGUMENTS_MOST && shape->arguments[count] != NOTHING)
        count++;
    return count;
}

static const struct shape *find_shape(const struct rh_ir_instruction *call, const char *name)
{
    for (size_t i = 0; !strncmp(name, "rh_", 3) && i < sizeof shapes / sizeof shapes[0]; i++)
        if (!strcmp(shapes[i].name, name))
            // An operation that the program declares with other parameters is an unknown function.
            return count_arguments(&shapes[i]) + 1 == call->operand_count ? &shapes[i] : NULL;
    return NULL;
}

bool rh__flow_operation_takes(const struct rh_ir_instruction *call, const char *name)
{
    const struct shape *shape = find_shape(call, name);
    return shape && shape->kind == RH__FLOW_TAKE;
}

// A call that is being looked at.
struct call {
    struct rh__flow *flow;
    uint32_t instance, block;
    const struct rh_ir_instruction *instruction;
    const struct shape *shape;
};

static uint32_t argument(const struct call *call, uint32_t index)
{
    if (index == RH_NONE)
        return RH_NONE;
    return rh__flow_operand(call->flow, call->instance, call->block,
                            call->instruction->operands[index]);
}

// An optimizer may have merged calls of several lines: then the argument tells which line it is.
static uint32_t line_of(const struct call *call)
{
    uint32_t index = find_argument(call->shape, LINE);
    bool is_constant = index == RH_NONE || call->instruction->operands[index].is_constant;
    return is_constant ? RH_NONE : argument(call, index);
}

// The size of the payload in bytes.
static uint64_t size_of(const struct call *call)
{
    uint32_t index = find_argument(call->shape, SIZE);
    int64_t size;
    bool is_known = index != RH_NONE &&
                    rh_ir_number(call->flow->module, call->instruction->operands[index], &size);
    return is_known ? (uint64_t)size : RH__FLOW_EVERYWHERE;
}

// Whom or what the operation is about.
static uint32_t object_of(const struct call *call)
{
    static const enum word words[] = {RECEIVER, MESSAGE, BEHAVIOUR, STOP_FUNCTION};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (find_argument(call->shape, words[i]) != RH_NONE)
            return argument(call, find_argument(call->shape, words[i]));
    return RH_NONE;
}

static void watch(struct rh__flow *flow, uint32_t node, uint32_t operation)
{
    if (node != RH_NONE)
        rh__flow_constrain(
            flow, node,
            &(struct rh__flow_constraint){.kind = RH__FLOW_OPERATION, .target = operation});
}

static void add_operation(const struct call *call)
{
    struct rh__flow *flow = call->flow;
    uint32_t number = (uint32_t)flow->operations.count;
    uint32_t actor = flow->instances.items[call->instance].actor;
    struct rh__flow_operation operation = {
        .kind = call->shape->kind,
        .instance = call->instance,
        .actor = actor,
        .instruction = call->instruction,
        .function = &flow->module->functions.items[flow->instances.items[call->instance].function],
        .to = object_of(call),
        .type = argument(call, find_argument(call->shape, TYPE)),
        .payload = argument(call, find_argument(call->shape, PAYLOAD)),
        .from = argument(call, find_argument(call->shape, SENDER)),
        .state_type = find_argument(call->shape, STATE_TYPE),
        .size = size_of(call),
        .line = line_of(call),
        .result = rh__flow_value_node(flow, call->instance, call->instruction),
    };
    *rh_vector_push(&flow->operations) = operation;
    watch(flow, operation.to, number);
    watch(flow, operation.type, number);
    if (operation.kind == RH__FLOW_BECOME || operation.kind == RH__FLOW_AT_STOP)
        watch(flow, flow->actors.items[actor].self, number);
}

static void take(const struct call *call)
{
    struct rh__flow *flow = call->flow;
    struct rh_ir_ref type = call->instruction->operands[1];
    const struct rh_ir_constant *constant =
        type.is_constant ? &flow->module->constants.items[type.index] : NULL;
    uint32_t number = constant && constant->kind == RH_IR_VARIABLE
                          ? flow->global_types[constant->number]
                          : RH_NONE;
    struct rh__flow_constraint constraint = {
        .kind = RH__FLOW_AS,
        .target = rh__flow_value_node(flow, call->instance, call->instruction),
        .size = flow->options->is_baseline ? RH_NONE : number,
    };
    rh__flow_constrain(flow, argument(call, 0), &constraint);
    uint32_t actor = flow->instances.items[call->instance].actor;
    // A guard that asks for the type does not handle the message.
    if (flow->actors.items[actor].is_guard)
        return;
    uint32_t whole = flow->actors.items[actor].whole;
    uint64_t key = (uint64_t)whole << 32 | number;
    if (rh_index_find(&flow->handled_index, key) != RH_NONE)
        return;
    rh_index_add(&flow->handled_index, key, (uint32_t)flow->handled.count);
    *rh_vector_push(&flow->handled) = (struct rh__flow_handled){whole, number, RH_NONE};
}

// Memory with any number in it: an input's value comes from the schedule file, and what a block is
// filled with is added to it.
static uint32_t any_input(const struct call *call)
{
    struct rh__flow *flow = call->flow;
    uint32_t actor = flow->instances.items[call->instance].actor;
    uint32_t object = rh__flow_object_new(flow, RH__FLOW_MEMORY, 0, actor, RH__FLOW_EVERYWHERE);
    rh__flow_store(flow, rh__flow_location_everywhere(flow, object), 1, flow->any_number);
    return rh__flow_location_of(flow, object);
}

bool rh__flow_operation_call(struct rh__flow *flow, uint32_t instance, uint32_t block,
                             const struct rh_ir_instruction *instruction, const char *name)
{
    struct call call = {flow, instance, block, instruction, find_shape(instruction, name)};
    if (!call.shape)
        return false;
    uint32_t result = rh__flow_value_node(flow, instance, instruction);
    uint32_t actor = flow->instances.items[instance].actor;
    switch (call.shape->kind) {
    case RH__FLOW_SPAWN:
    case RH__FLOW_RESERVE:
    case RH__FLOW_SPAWN_AT:
    case RH__FLOW_SEND:
    case RH__FLOW_SEND_FROM:
    case RH__FLOW_AFTER:
    case RH__FLOW_ASK:
    case RH__FLOW_REPLY:
    case RH__FLOW_MAY_COME:
    case RH__FLOW_BECOME:
    case RH__FLOW_AT_STOP:
    case RH__FLOW_RECEPTIONIST:
    case RH__FLOW_STATE_OF:
        add_operation(&call);
        break;
    case RH__FLOW_TAKE:
        take(&call);
        break;
    case RH__FLOW_IGNORE:
        *rh_vector_push(&flow->handled) =
            (struct rh__flow_handled){actor, RH_NONE, argument(&call, 0)};
        break;
    case RH__FLOW_SELF:
        rh__flow_edge(flow, flow->actors.items[actor].self, result);
        break;
    case RH__FLOW_ORIGIN:
        rh__flow_constrain(
            flow, argument(&call, 0),
            &(struct rh__flow_constraint){.kind = RH__FLOW_SENDER, .target = result});
        break;
    case RH__FLOW_GIVE:
        rh__flow_edge(flow, argument(&call, 0), result);
        break;
    case RH__FLOW_INPUT:
    case RH__FLOW_BLOCK_OF:
        rh__flow_node_add(flow, result, any_input(&call));
        break;
    case RH__FLOW_OUTSIDER:
        rh__flow_node_add(flow, result, rh__flow_location_of(flow, flow->outside));
        break;
    case RH__FLOW_SILENT:
        if (rh_ir_type_of(flow->module, instruction->type)->kind == RH_IR_INTEGER)
            rh__flow_any_number(flow, result);
        break;
    }
    return true;
}
