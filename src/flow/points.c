// SPDX-License-Identifier: MIT
// Nodes and their sets, and solving: working until nothing changes any more.
//
// The order of the work is that of the iterative construction of a message flow graph. There is a
// queue of abstract actors; one actor at a time is analysed until it has nothing left to do. Its
// analysis may put messages into the nodes of other actors, and so the other actors into the queue.
// An actor that nothing new has come to is not looked at again.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "flow/internal.h"

enum { SMALL_SET = 12, NUMBERS_MOST = 8 };

uint32_t rh__flow_nodes_new(struct rh__flow *flow, uint32_t owner, uint32_t count)
{
    uint32_t first = (uint32_t)flow->nodes.count;
    for (uint32_t i = 0; i < count; i++)
        *rh_vector_push(&flow->nodes) =
            (struct rh__flow_node){.constraints = RH_NONE, .owner = owner & 0xffffff};
    return first;
}

uint32_t rh__flow_node_new(struct rh__flow *flow, uint32_t owner)
{
    return rh__flow_nodes_new(flow, owner, 1);
}

void rh__flow_queue_actor(struct rh__flow *flow, uint32_t actor)
{
    if (flow->actors.items[actor].is_queued)
        return;
    flow->actors.items[actor].is_queued = true;
    *rh_vector_push(&flow->queue) = actor;
}

static void queue_node(struct rh__flow *flow, uint32_t number)
{
    struct rh__flow_node *node = &flow->nodes.items[number];
    if (node->is_queued)
        return;
    node->is_queued = 1;
    *rh_vector_push(&flow->actors.items[node->owner].nodes) = number;
    rh__flow_queue_actor(flow, node->owner);
}

// --- Sets. ---

static bool contains(const struct rh__flow_node *node, uint32_t item)
{
    if (node->table) {
        struct rh_probe probe = rh_table_probe(node->table, rh_table_hash(item));
        while (rh_probe_next(&probe))
            if (probe.number == item)
                return true;
        return false;
    }
    for (uint32_t i = 0; i < node->count; i++)
        if (node->items[i] == item)
            return true;
    return false;
}

// A set gets a table when it has become too large to be gone through.
static void add_to_table(struct rh__flow_node *node)
{
    bool is_new = !node->table;
    if (is_new)
        node->table = rh_alloc(sizeof *node->table);
    for (uint32_t i = is_new ? 0 : node->count - 1; i < node->count; i++)
        rh_table_add(node->table, NULL, rh_table_hash(node->items[i]), node->items[i]);
}

static void append(uint32_t **items, uint32_t *count, uint32_t *capacity, uint32_t item)
{
    if (*count == *capacity) {
        *capacity = *capacity ? 2 * *capacity : 2;
        *items = rh_realloc(*items, *capacity * sizeof **items);
    }
    (*items)[(*count)++] = item;
}

static bool is_zero(const struct rh__flow *flow, uint32_t location)
{
    int64_t number;
    return rh__flow_is_known(flow, location, &number) && number == 0;
}

// A set of many numbers becomes any number; numbers that come later say nothing new then. Gives the
// location to add; RH_NONE if there is nothing to add.
static uint32_t widen(struct rh__flow *flow, uint32_t number, uint32_t location)
{
    struct rh__flow_node *node = &flow->nodes.items[number];
    if (node->has_any_number || contains(node, location))
        return RH_NONE;
    bool is_any = flow->locations.items[location].stride != 0 ||
                  (node->is_patched && !is_zero(flow, location));
    if (!is_any && node->number_count < NUMBERS_MOST) {
        node->number_count++;
        return location;
    }
    node->has_any_number = 1;
    return rh__flow_location_everywhere(flow, 0);
}

// Whether the set has the whole object that the location is in, so that the location says nothing
// new.
static bool has_whole(const struct rh__flow *flow, const struct rh__flow_node *node,
                      uint32_t location)
{
    uint32_t whole = rh__flow_object_at(flow, location)->whole;
    return whole != RH_NONE && contains(node, whole);
}

void rh__flow_node_add(struct rh__flow *flow, uint32_t number, uint32_t location)
{
    if (rh__flow_is_number(flow, location))
        location = widen(flow, number, location);
    struct rh__flow_node *node = &flow->nodes.items[number];
    if (location == RH_NONE || contains(node, location) || has_whole(flow, node, location))
        return;
    append(&node->items, &node->count, &node->capacity, location);
    if (node->count > SMALL_SET)
        add_to_table(node);
    queue_node(flow, number);
}

void rh__flow_node_patch(struct rh__flow *flow, uint32_t number)
{
    struct rh__flow_node *node = &flow->nodes.items[number];
    bool has_other = false;
    node->is_patched = 1;
    for (uint32_t i = 0; i < node->count; i++)
        has_other = has_other ||
                    (rh__flow_is_number(flow, node->items[i]) && !is_zero(flow, node->items[i]));
    if (has_other)
        rh__flow_any_number(flow, number);
}

// --- Edges and constraints. ---

// Notes the pair of nodes. Gives whether it is new, and of two different nodes.
static bool is_new_pair(struct rh_index *pairs, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    if (from == to || rh_index_find(pairs, key) != RH_NONE)
        return false;
    rh_index_add(pairs, key, 0);
    return true;
}

void rh__flow_edge(struct rh__flow *flow, uint32_t from, uint32_t to)
{
    if (!is_new_pair(&flow->edge_index, from, to))
        return;
    struct rh__flow_node *node = &flow->nodes.items[from];
    append(&node->edges, &node->edge_count, &node->edge_capacity, to);
    // Locations that are not done yet go along all edges when the node's turn comes.
    for (uint32_t i = 0; i < flow->nodes.items[from].done; i++)
        rh__flow_node_add(flow, to, flow->nodes.items[from].items[i]);
}

static void filter(struct rh__flow *flow, uint32_t number, uint32_t location)
{
    const struct rh__flow_view *view = &flow->views.items[number];
    if (rh__flow_view_takes(flow, view, location))
        rh__flow_node_add(flow, view->node, location);
}

static void take_payload(struct rh__flow *flow, const struct rh__flow_constraint *constraint,
                         uint32_t location)
{
    const struct rh__flow_object *object = rh__flow_object_at(flow, location);
    if (object->kind != RH__FLOW_MESSAGE)
        return;
    const struct rh__flow_message *message = &flow->messages.items[object->number];
    bool is_open = constraint->size == RH_NONE || message->type == 0;
    if (is_open || message->type == constraint->size)
        rh__flow_node_add(flow, constraint->target, rh__flow_location_of(flow, message->payload));
    if (is_open || message->type != constraint->size)
        rh__flow_node_add(flow, constraint->target, rh__flow_number(flow, 0));
}

static void take_sender(struct rh__flow *flow, uint32_t target, uint32_t location)
{
    const struct rh__flow_object *object = rh__flow_object_at(flow, location);
    if (object->kind == RH__FLOW_MESSAGE)
        rh__flow_edge(flow, flow->messages.items[object->number].sender, target);
}

// A transfer links each location that it reads with each that it writes, when the later of the two
// is passed on.
static void transfer(struct rh__flow *flow, const struct rh__flow_constraint *constraint,
                     uint32_t location)
{
    struct rh__flow_transfer copy = flow->transfers.items[constraint->target];
    bool is_target = constraint->kind == RH__FLOW_COPY_TO;
    uint32_t other = is_target ? copy.from : copy.to;
    for (uint32_t i = 0; i < flow->nodes.items[other].done; i++) {
        uint32_t item = flow->nodes.items[other].items[i];
        struct rh__flow_link link = {.from = is_target ? item : location,
                                     .to = is_target ? location : item,
                                     .size = copy.size,
                                     .is_first = copy.is_first};
        rh__flow_link_locations(flow, &link);
    }
}

static void overlap(struct rh__flow *flow, uint32_t target, uint32_t location)
{
    bool is_other = rh__flow_is_number(flow, location) && !is_zero(flow, location);
    rh__flow_node_add(flow, target, is_other ? rh__flow_location_everywhere(flow, 0) : location);
}

void rh__flow_queue_block(struct rh__flow *flow, uint32_t number, uint32_t block)
{
    struct rh__flow_instance *instance = &flow->instances.items[number];
    *rh_vector_push(&instance->blocks) = block;
    if (instance->is_queued)
        return;
    instance->is_queued = true;
    *rh_vector_push(&flow->actors.items[instance->actor].instances) = number;
    rh__flow_queue_actor(flow, instance->actor);
}

// Applies a constraint to the location that stands for all that unknown code has. A constraint that
// must know what unknown code has is put on `escaped`; to the others it is a location like any.
static void apply_to_anything(struct rh__flow *flow, uint32_t number,
                              const struct rh__flow_constraint *constraint, uint32_t location)
{
    uint32_t target = constraint->target;
    switch (constraint->kind) {
    case RH__FLOW_LOAD:
        rh__flow_any_number(flow, target);
        rh__flow_node_add(flow, target, location);
        break;
    case RH__FLOW_OFFSET:
    case RH__FLOW_SPREAD:
    case RH__FLOW_STEP:
    case RH__FLOW_OVERLAP:
    case RH__FLOW_CONVERT:
        rh__flow_node_add(flow, target, location);
        break;
    case RH__FLOW_STORE:
        rh__flow_edge(flow, target, flow->escaped);
        break;
    case RH__FLOW_COPY_TO:
        rh__flow_edge(flow, flow->transfers.items[target].from, flow->escaped);
        break;
    case RH__FLOW_COPY_FROM: {
        struct rh__flow_constraint put = {
            .kind = RH__FLOW_STORE, .target = flow->anything, .size = RH__FLOW_EVERYWHERE};
        rh__flow_constrain(flow, flow->transfers.items[target].to, &put);
        break;
    }
    case RH__FLOW_FILTER:
        rh__flow_node_add(flow, flow->views.items[target].node, location);
        break;
    case RH__FLOW_COMBINE:
        rh__flow_any_number(flow, flow->combinations.items[target].result);
        break;
    case RH__FLOW_AS:
    case RH__FLOW_SENDER:
        rh__flow_node_add(flow, target, rh__flow_number(flow, 0));
        rh__flow_constrain(flow, flow->escaped, constraint);
        break;
    case RH__FLOW_CALL:
        rh__flow_constrain(flow, flow->escaped, constraint);
        rh__flow_call_unknown(flow, target);
        break;
    case RH__FLOW_CALL_BACK:
        rh__flow_constrain(flow, flow->escaped, constraint);
        rh__flow_edge(flow, flow->callbacks.items[target].values, flow->escaped);
        break;
    case RH__FLOW_OPERATION:
        rh__flow_edge(flow, flow->escaped, number);
        rh__flow_operation_queue(flow, target);
        break;
    case RH__FLOW_DISPATCH:
        rh__flow_queue_block(flow, target, (uint32_t)constraint->size);
        break;
    case RH__FLOW_GUARD:
        rh__flow_guard_answer(flow, target, location);
        break;
    case RH__FLOW_SHUFFLE:
    case RH__FLOW_ESCAPE:
        break;
    }
}

static void apply(struct rh__flow *flow, uint32_t number,
                  const struct rh__flow_constraint *constraint, uint32_t location)
{
    uint32_t target = constraint->target;
    if (rh__flow_object_at(flow, location)->kind == RH__FLOW_ANYTHING) {
        // In the set of `escaped` itself the location stands for nothing more.
        if (number != flow->escaped)
            apply_to_anything(flow, number, constraint, location);
        return;
    }
    switch (constraint->kind) {
    case RH__FLOW_LOAD:
        rh__flow_load(flow, location, constraint->size, target);
        break;
    case RH__FLOW_STORE:
        rh__flow_store(flow, location, constraint->size, target);
        break;
    case RH__FLOW_OFFSET:
        rh__flow_node_add(flow, target,
                          rh__flow_location_moved(flow, location, constraint->instruction));
        break;
    case RH__FLOW_SPREAD:
        if (!rh__flow_is_number(flow, location))
            rh__flow_node_add(
                flow, target,
                rh__flow_location_everywhere(flow, rh__flow_location_get(flow, location)->object));
        break;
    case RH__FLOW_STEP:
        rh__flow_node_add(flow, target, rh__flow_location_step(flow, location, constraint->size));
        break;
    case RH__FLOW_SHUFFLE:
        rh__flow_link_locations(
            flow, &(struct rh__flow_link){location, location, constraint->size, false});
        break;
    case RH__FLOW_OVERLAP:
        overlap(flow, target, location);
        break;
    case RH__FLOW_CONVERT:
        rh__flow_convert(flow, constraint, location);
        break;
    case RH__FLOW_COMBINE:
        rh__flow_combine(flow, target, (uint32_t)constraint->size, location);
        break;
    case RH__FLOW_COPY_TO:
    case RH__FLOW_COPY_FROM:
        transfer(flow, constraint, location);
        break;
    case RH__FLOW_FILTER:
        filter(flow, target, location);
        break;
    case RH__FLOW_AS:
        take_payload(flow, constraint, location);
        break;
    case RH__FLOW_SENDER:
        take_sender(flow, target, location);
        break;
    case RH__FLOW_CALL:
        rh__flow_call_resolved(flow, target, location);
        break;
    case RH__FLOW_CALL_BACK:
        rh__flow_call_back(flow, flow->callbacks.items[target].actor, location,
                           flow->callbacks.items[target].values,
                           flow->callbacks.items[target].values);
        break;
    case RH__FLOW_OPERATION:
        rh__flow_operation_queue(flow, target);
        break;
    case RH__FLOW_DISPATCH:
        rh__flow_queue_block(flow, target, (uint32_t)constraint->size);
        break;
    case RH__FLOW_GUARD:
        rh__flow_guard_answer(flow, target, location);
        break;
    case RH__FLOW_ESCAPE:
        rh__flow_escape(flow, location);
        break;
    }
}

void rh__flow_constrain(struct rh__flow *flow, uint32_t number,
                        const struct rh__flow_constraint *constraint)
{
    struct rh__flow_constraint added = *constraint;
    added.next = flow->nodes.items[number].constraints;
    flow->nodes.items[number].constraints = (uint32_t)flow->constraints.count;
    *rh_vector_push(&flow->constraints) = added;
    for (uint32_t i = 0; i < flow->nodes.items[number].done; i++)
        apply(flow, number, &added, flow->nodes.items[number].items[i]);
}

void rh__flow_overlap(struct rh__flow *flow, uint32_t from, uint32_t to)
{
    if (is_new_pair(&flow->overlap_index, from, to))
        rh__flow_constrain(flow, from,
                           &(struct rh__flow_constraint){.kind = RH__FLOW_OVERLAP, .target = to});
}

// --- Solving. ---

static void pass_on(struct rh__flow *flow, uint32_t number, uint32_t location)
{
    for (uint32_t i = 0; i < flow->nodes.items[number].edge_count; i++)
        rh__flow_node_add(flow, flow->nodes.items[number].edges[i], location);
    for (uint32_t at = flow->nodes.items[number].constraints; at != RH_NONE;
         at = flow->constraints.items[at].next) {
        // A copy, since applying the constraint may add others and move the array.
        struct rh__flow_constraint constraint = flow->constraints.items[at];
        apply(flow, number, &constraint, location);
    }
}

// A location counts as done before it is passed on: an edge or a constraint that is added meanwhile
// takes the location from the set itself.
static void solve_node(struct rh__flow *flow, uint32_t number)
{
    flow->nodes.items[number].is_queued = 0;
    while (flow->nodes.items[number].done < flow->nodes.items[number].count) {
        uint32_t location = flow->nodes.items[number].items[flow->nodes.items[number].done++];
        pass_on(flow, number, location);
    }
}

static bool solve_nodes(struct rh__flow *flow, uint32_t actor)
{
    bool has_worked = false;
    while (flow->actors.items[actor].nodes_done < flow->actors.items[actor].nodes.count) {
        struct rh__flow_actor *each = &flow->actors.items[actor];
        uint32_t node = each->nodes.items[each->nodes_done++];
        has_worked = true;
        solve_node(flow, node);
    }
    flow->actors.items[actor].nodes.count = flow->actors.items[actor].nodes_done = 0;
    return has_worked;
}

static bool run_one(struct rh__flow *flow, uint32_t number)
{
    struct rh__flow_actor *actor = &flow->actors.items[number];
    if (actor->instances.count) {
        uint32_t instance = actor->instances.items[--actor->instances.count];
        flow->instances.items[instance].is_queued = false;
        rh__flow_dispatch_run(flow, instance);
        return true;
    }
    if (actor->operations.count) {
        uint32_t operation = actor->operations.items[--actor->operations.count];
        flow->operations.items[operation].is_queued = false;
        rh__flow_operation_run(flow, operation);
        return true;
    }
    return false;
}

static void solve_all(struct rh__flow *flow)
{
    while (flow->queue_done < flow->queue.count) {
        uint32_t actor = flow->queue.items[flow->queue_done++];
        flow->actors.items[actor].is_queued = false;
        while (solve_nodes(flow, actor) || run_one(flow, actor)) {
        }
        if (flow->queue_done == flow->queue.count)
            flow->queue_done = flow->queue.count = 0;
    }
}

// Whether adding the location to the node would change nothing.
static bool has(const struct rh__flow *flow, uint32_t number, uint32_t location)
{
    const struct rh__flow_node *node = &flow->nodes.items[number];
    if (contains(node, location))
        return true;
    return rh__flow_is_number(flow, location) ? node->has_any_number
                                              : has_whole(flow, node, location);
}

// Nothing is queued: everything was passed on, and every edge holds.
static void check_solution(const struct rh__flow *flow)
{
    for (uint32_t i = 0; i < flow->nodes.count; i++) {
        const struct rh__flow_node *node = &flow->nodes.items[i];
        rh_assert(!node->is_queued && node->done == node->count);
        for (uint32_t edge = 0; edge < node->edge_count; edge++)
            for (uint32_t item = 0; item < node->count; item++)
                rh_assert(has(flow, node->edges[edge], node->items[item]));
    }
}

void rh__flow_solve(struct rh__flow *flow)
{
    do
        solve_all(flow);
    while (rh__flow_unknown_found(flow));
    if (RH_VERIFIES)
        check_solution(flow);
}
