// SPDX-License-Identifier: MIT
#include "threads/serial_tree.h"

#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "threads/commit.h"
#include "threads/follow.h"
#include "threads/journal.h"
#include "threads/kept.h"
#include "threads/look.h"

enum { NODES_MOST = 1 << 18, SLOTS = NODES_MOST * 2, STEPS_MOST = RH_OPERATIONS_MOST };

struct node {
    uint32_t parent;
    struct rh_order_step step;
    uint64_t call; // hash of the operation that the step has called
    struct rh_answer answer;
};

// All of it lies outside of what is put back between executions.
static struct memory {
    const struct rh_component *component;
    const struct rh_threads_test *test;
    uint32_t count; // of nodes; the first is that before all operations
    struct node nodes[NODES_MOST];
    uint32_t slots[SLOTS]; // numbers of nodes; 0: free
    struct rh_order_step path[STEPS_MOST];
    uint32_t at[STEPS_MOST + 1]; // nodes of the path
    size_t steps;
    struct rh_view view;
} * memory;

void rh__serial_tree_start(const struct rh_component *component)
{
    memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    rh_assert(memory != MAP_FAILED);
    memory->component = component;
}

void rh__serial_tree_use(const struct rh_threads_test *test)
{
    memory->test = test;
    memory->count = 0;
    memset(memory->slots, 0, sizeof memory->slots);
}

// --- Runs. ---

static void *look(void *argument)
{
    rh__view_take(memory->component->view, argument);
    rh__leave(RH_OUTCOME_COMPLETE);
    return NULL;
}

static struct rh_answer run_nothing(void)
{
    struct rh_answer answer = {.kind = RH_ANSWER_GIVEN};
    if (!memory->component || !memory->component->view)
        return answer;
    struct rh_kept *kept = rh__keep();
    rh__engine->mode = RH_MODE_ORDER;
    answer.has_view = rh__engine_run(look, &memory->view) == RH_OUTCOME_COMPLETE;
    answer.view = rh__view_hash(&memory->view);
    rh__put_back(kept);
    return answer;
}

static enum rh_answer_kind kind_of(enum rh_outcome outcome)
{
    const struct rh_engine *engine = rh__engine;
    bool has_returned = rh__history->open == 0 && engine->order.next == engine->order.count &&
                        rh__history->count == engine->order.count;
    if (outcome == RH_OUTCOME_FAILED)
        return RH_ANSWER_FAILED;
    if (outcome == RH_OUTCOME_BLOCKED && rh__history->open)
        return RH_ANSWER_BLOCKED;
    return outcome == RH_OUTCOME_COMPLETE && has_returned ? RH_ANSWER_GIVEN : RH_ANSWER_STRAYED;
}

// Makes the operations of the path up to there, and one more step.
static void run(size_t steps, const struct rh_order_step *last, struct node *node)
{
    struct rh_order_step order[STEPS_MOST + 1];
    struct rh_kept *kept = rh__keep();
    memcpy(order, memory->path, steps * sizeof *order);
    order[steps] = *last;
    rh__engine->mode = RH_MODE_ORDER;
    rh__engine->order.steps = order;
    rh__engine->order.count = (int)steps + 1;
    rh__engine->order.next = 0;
    rh__engine->order.skipped = NULL;
    rh__engine->cut = RH_EVENTS_MOST - 1;
    node->answer = (struct rh_answer){.kind = kind_of(rh__run_once(memory->test))};
    if (node->answer.kind == RH_ANSWER_GIVEN) {
        const struct rh_operation *made = &rh__history->operations[rh__history->count - 1];
        node->call = rh__operation_call_hash(made);
        node->answer.has_result = made->has_result;
        node->answer.result = made->result;
        node->answer.has_view = memory->component && memory->component->view;
        node->answer.view = rh__view_hash(&rh__history->last);
        memory->view = rh__history->last;
    }
    rh__put_back(kept);
}

void rh__order_begin(void)
{
    __typeof__(&rh__engine->order) order = &rh__engine->order;
    const struct rh_order_step *step = &order->steps[order->next++];
    if (step->fails) {
        order->skipped = step;
        rh__journal_begin();
    }
}

void rh__order_end(void)
{
    if (!rh__engine->order.skipped)
        return;
    rh__journal_undo();
    rh__engine->order.skipped = NULL;
}

// --- The tree. ---

static bool is_same(const struct node *node, uint32_t parent, const struct rh_order_step *step)
{
    return node->parent == parent && node->step.thread == step->thread &&
           node->step.fails == step->fails && node->step.value == step->value;
}

// The node behind one more step, which is run if nobody has.
static uint32_t find(size_t steps, const struct rh_order_step *step)
{
    uint32_t parent = memory->at[steps];
    uint64_t hash =
        rh__mix(rh__mix(parent, (uint64_t)step->thread * 2 + step->fails), (uint64_t)step->value);
    uint64_t slot = (hash >> 20) % SLOTS;
    for (; memory->slots[slot]; slot = (slot + 1) % SLOTS)
        if (is_same(&memory->nodes[memory->slots[slot]], parent, step))
            return memory->slots[slot];
    if (memory->count == NODES_MOST)
        return 0;
    uint32_t number = memory->count++;
    struct node *node = &memory->nodes[number];
    *node = (struct node){.parent = parent, .step = *step};
    run(steps, step, node);
    memory->slots[slot] = number;
    return number;
}

static struct rh_answer answer_of(uint32_t number, const struct rh_operation *operation)
{
    struct rh_answer answer = memory->nodes[number].answer;
    bool is_same_call = number && memory->nodes[number].call == rh__operation_call_hash(operation);
    if (answer.kind == RH_ANSWER_GIVEN && !is_same_call)
        answer.kind = RH_ANSWER_STRAYED;
    return answer;
}

static struct rh_answer begin(void)
{
    if (memory->count == 0) {
        memory->nodes[0] = (struct node){.answer = run_nothing()};
        memory->count = 1;
    }
    memory->steps = 0;
    memory->at[0] = 0;
    return memory->nodes[0].answer;
}

static void add(size_t place, const struct rh_order_step *step)
{
    for (size_t i = memory->steps; i > place; i--)
        memory->path[i] = memory->path[i - 1];
    memory->path[place] = *step;
    memory->steps++;
    for (size_t i = place; i < memory->steps; i++)
        memory->at[i + 1] = find(i, &memory->path[i]);
}

static struct rh_answer apply(const struct rh_operation *operation)
{
    add(memory->steps, &(struct rh_order_step){.thread = operation->thread});
    return answer_of(memory->at[memory->steps], operation);
}

static struct rh_answer observe(const struct rh_operation *operation)
{
    return answer_of(find(memory->steps, &(struct rh_order_step){.thread = operation->thread}),
                     operation);
}

static void place_observed(const struct rh_operation *operation, size_t steps)
{
    add(steps, &(struct rh_order_step){.thread = operation->thread});
}

static void fail(const struct rh_operation *operation)
{
    add(memory->steps, &(struct rh_order_step){
                           .thread = operation->thread, .fails = true, .value = operation->result});
}

static size_t count_steps(void)
{
    return memory->steps;
}

const struct rh_specification rh__serial_tree = {.begin = begin,
                                                 .apply = apply,
                                                 .observe = observe,
                                                 .place = place_observed,
                                                 .fail = fail,
                                                 .count = count_steps,
                                                 .makes_internal = true};

void rh__serial_tree_view(struct rh_view *view)
{
    struct node last;
    if (memory->steps)
        run(memory->steps - 1, &memory->path[memory->steps - 1], &last);
    else
        run_nothing();
    *view = memory->view;
}
