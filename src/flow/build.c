// SPDX-License-Identifier: MIT
// The graph of a program: each test is analysed by itself, and the results are put together. An
// execution runs one test, so what only two tests together could do does not belong to the graph.
#include <stdlib.h>
#include <string.h>

#include "flow/internal.h"
#include "flow/result.h"

// RH_TEST puts the address of each test into this section.
static const char test_section[] = "rh_tests";

struct test {
    const char *name;
    uint32_t body; // function
};

static bool read_test(const struct rh_ir_module *module, const struct rh_ir_global *entry,
                      struct test *test)
{
    const struct rh_ir_constant *pointer = &module->constants.items[entry->initial];
    if (pointer->kind != RH_IR_VARIABLE)
        return false;
    uint32_t initial = module->globals.items[pointer->number].initial;
    const struct rh_ir_constant *described =
        initial == RH_NONE ? NULL : &module->constants.items[initial];
    if (!described || described->kind != RH_IR_ELEMENTS || described->operand_count < 2)
        return false;
    const struct rh_ir_constant *body = &module->constants.items[described->operands[1]];
    test->name = rh_ir_text(module, (struct rh_ir_ref){described->operands[0] & INT32_MAX, 1});
    test->body = (uint32_t)body->number;
    return test->name && body->kind == RH_IR_FUNCTION &&
           module->functions.items[body->number].block_count;
}

static uint32_t *none_for_each(struct rh__flow *flow, size_t count)
{
    uint32_t *numbers = rh_arena_take(&flow->arena, count * sizeof *numbers);
    memset(numbers, 0xff, count * sizeof *numbers);
    return numbers;
}

static void flow_init(struct rh__flow *flow, const struct rh_ir_module *module,
                      const struct rh_flow_options *options)
{
    *flow = (struct rh__flow){.module = module, .options = options};
    size_t functions = module->functions.count;
    flow->constant_nodes = none_for_each(flow, module->constants.count);
    flow->global_objects = none_for_each(flow, module->globals.count);
    flow->global_types = none_for_each(flow, module->globals.count);
    flow->function_objects = none_for_each(flow, functions);
    flow->function_actors = none_for_each(flow, functions);
    flow->function_addresses = none_for_each(flow, functions);
    flow->dispatches = rh_arena_take(&flow->arena, functions * sizeof(void *));
    flow->receptionists = rh_arena_take(&flow->arena, functions * sizeof(bool));
    flow->unknown_calls = rh_arena_take(&flow->arena, functions * sizeof(bool));
    rh__flow_types_find(flow);
    rh__flow_guards_find(flow);
    *rh_vector_push(&flow->actors) = (struct rh__flow_actor){.function = RH_NONE};
    rh__flow_object_new(flow, RH__FLOW_NUMBER, 0, 0, RH__FLOW_EVERYWHERE);
    uint32_t anything = rh__flow_object_new(flow, RH__FLOW_ANYTHING, 0, 0, 1);
    uint32_t first = rh__flow_nodes_new(flow, 0, 8);
    flow->actors.items[0].self = first;
    flow->actors.items[0].state = first + 1;
    flow->actors.items[0].message = first + 2;
    flow->escaped = first + 3;
    flow->anything = first + 4;
    flow->zero = first + 5;
    flow->any_number = first + 6;
    flow->saved = first + 7;
    flow->outside = rh__flow_object_new(flow, RH__FLOW_OUTSIDE, 0, 0, 1);
    rh__flow_constrain(flow, flow->escaped, &(struct rh__flow_constraint){.kind = RH__FLOW_ESCAPE});
    rh__flow_node_add(flow, flow->anything, rh__flow_location_of(flow, anything));
    rh__flow_any_number(flow, flow->anything);
    rh__flow_any_number(flow, flow->any_number);
    rh__flow_node_add(flow, flow->zero, rh__flow_number(flow, 0));
    rh__flow_node_add(flow, flow->actors.items[0].self, rh__flow_number(flow, 0));
}

static void flow_fini(struct rh__flow *flow)
{
    for (size_t i = 0; i < flow->nodes.count; i++) {
        free(flow->nodes.items[i].items);
        if (flow->nodes.items[i].table)
            rh_table_fini(flow->nodes.items[i].table);
        free(flow->nodes.items[i].table);
        free(flow->nodes.items[i].edges);
    }
    for (size_t i = 0; i < flow->objects.count; i++) {
        rh_vector_fini(&flow->objects.items[i].cells);
        rh_vector_fini(&flow->objects.items[i].links);
    }
    for (size_t i = 0; i < flow->addresses.count; i++) {
        rh_vector_fini(&flow->addresses.items[i].handlers);
        rh_vector_fini(&flow->addresses.items[i].inbox);
    }
    for (size_t i = 0; i < flow->actors.count; i++) {
        rh_vector_fini(&flow->actors.items[i].nodes);
        rh_vector_fini(&flow->actors.items[i].operations);
        rh_vector_fini(&flow->actors.items[i].instances);
    }
    for (size_t i = 0; i < flow->operations.count; i++)
        rh_vector_fini(&flow->operations.items[i].messages);
    for (size_t i = 0; i < flow->instances.count; i++)
        rh_vector_fini(&flow->instances.items[i].blocks);
    for (size_t i = 0; i < flow->guarded.count; i++)
        rh_vector_fini(&flow->guarded.items[i].waiting);
    for (size_t i = 0; i < flow->messages.count; i++)
        rh_vector_fini(&flow->messages.items[i].sent_by);
    rh_vector_fini(&flow->nodes);
    rh_vector_fini(&flow->constraints);
    rh_vector_fini(&flow->objects);
    rh_vector_fini(&flow->locations);
    rh_vector_fini(&flow->links);
    rh_vector_fini(&flow->transfers);
    rh_vector_fini(&flow->combinations);
    rh_vector_fini(&flow->types);
    rh_vector_fini(&flow->messages);
    rh_vector_fini(&flow->addresses);
    rh_vector_fini(&flow->actors);
    rh_vector_fini(&flow->instances);
    rh_vector_fini(&flow->views);
    rh_vector_fini(&flow->calls);
    rh_vector_fini(&flow->callbacks);
    rh_vector_fini(&flow->operations);
    rh_vector_fini(&flow->guards);
    rh_vector_fini(&flow->guarded);
    rh_vector_fini(&flow->events);
    rh_vector_fini(&flow->handled);
    rh_vector_fini(&flow->overwritten);
    rh_vector_fini(&flow->queue);
    rh_index_fini(&flow->location_index);
    rh_index_fini(&flow->link_index);
    rh_index_fini(&flow->edge_index);
    rh_index_fini(&flow->overlap_index);
    rh_index_fini(&flow->instance_index);
    rh_index_fini(&flow->guarded_index);
    rh_index_fini(&flow->event_index);
    rh_index_fini(&flow->message_index);
    rh_index_fini(&flow->part_index);
    rh_index_fini(&flow->handled_index);
    rh_arena_fini(&flow->arena);
}

bool rh__flow_runs_at_start(const struct rh_ir_global *global)
{
    static const char *const sections[] = {".preinit_array", ".init_array", ".ctors"};
    if (!strcmp(global->name, "llvm.global_ctors"))
        return true;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (global->section && !strncmp(global->section, sections[i], strlen(sections[i])))
            return true;
    return false;
}

// Calls the functions that the loader calls before a test runs, with any arguments.
static void run_constructors(struct rh__flow *flow)
{
    for (uint32_t i = 0; i < flow->module->globals.count; i++) {
        if (!rh__flow_runs_at_start(&flow->module->globals.items[i]))
            continue;
        uint32_t object = rh__flow_global_object(flow, i);
        uint32_t called = rh__flow_node_new(flow, 0);
        rh__flow_load(flow, rh__flow_location_everywhere(flow, object), 1, called);
        uint32_t values = rh__flow_node_new(flow, 0);
        rh__flow_edge(flow, flow->anything, values);
        uint32_t number = (uint32_t)flow->callbacks.count;
        *rh_vector_push(&flow->callbacks) = (struct rh__flow_callback){0, values};
        rh__flow_constrain(
            flow, called,
            &(struct rh__flow_constraint){.kind = RH__FLOW_CALL_BACK, .target = number});
    }
}

uint32_t rh__flow_main_find(const struct rh_ir_module *module)
{
    bool runs_tests = false;
    uint32_t main_function = RH_NONE;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const struct rh_ir_function *function = &module->functions.items[i];
        runs_tests = runs_tests || !strcmp(function->name, "rh_test_main");
        if (!strcmp(function->name, "main") && function->block_count)
            main_function = i;
    }
    return runs_tests ? main_function : RH_NONE;
}

// A main that calls rh_test_main runs before the tests, with any arguments. Any other main does not
// run.
static void run_main(struct rh__flow *flow)
{
    uint32_t main_function = rh__flow_main_find(flow->module);
    if (main_function == RH_NONE)
        return;
    uint32_t instance = rh__flow_instance_get(flow, main_function, 0);
    for (uint32_t i = 0; i < flow->module->functions.items[main_function].parameter_count; i++)
        rh__flow_edge(flow, flow->anything, rh__flow_parameter(flow, instance, i));
}

static void analyse(const struct rh_ir_module *module, const struct rh_flow_options *options,
                    const struct test *test, rh__flow_take *take, void *context)
{
    struct rh__flow flow;
    bool ignores_copied_types = false, is_done = false;
    while (!is_done) {
        flow_init(&flow, module, options);
        flow.ignores_copied_types = ignores_copied_types;
        flow.body = test->body;
        rh__flow_beginning_read(&flow, test->body);
        run_constructors(&flow);
        run_main(&flow);
        rh__flow_instance_get(&flow, test->body, 0);
        rh__flow_solve(&flow);
        is_done = !flow.has_type_conflict;
        if (is_done)
            take(context, test->name, &flow);
        flow_fini(&flow);
        ignores_copied_types = true;
    }
}

struct rh_status rh__flow_each_test(const struct rh_ir_module *module,
                                    const struct rh_flow_options *options, rh__flow_take *take,
                                    void *context)
{
    bool has_tests = false, is_found = false;
    for (size_t i = 0; i < module->globals.count; i++) {
        const struct rh_ir_global *global = &module->globals.items[i];
        struct test test;
        if (!global->section || strcmp(global->section, test_section) != 0 ||
            global->initial == RH_NONE || !read_test(module, global, &test))
            continue;
        has_tests = true;
        if (options->test && strcmp(options->test, test.name) != 0)
            continue;
        is_found = true;
        analyse(module, options, &test, take, context);
    }
    if (!has_tests)
        return rh_bad_input("there is no test: nothing (RH_TEST) creates actors");
    return is_found ? rh_ok() : rh_bad_input("there is no test of the name %s", options->test);
}

static void take_graph(void *context, const char *test, struct rh__flow *flow)
{
    struct rh__flow_result *result = context;
    *rh_vector_push(&result->graph->tests) = rh_strdup(test);
    rh__flow_result_add(result, flow);
}

struct rh_status rh_flow_build(const struct rh_ir_module *module,
                               const struct rh_flow_options *options, struct rh_flow_graph *graph)
{
    *graph = (struct rh_flow_graph){0};
    struct rh__flow_result result = {.module = module, .graph = graph};
    rh_flow_node(graph, "outside");
    struct rh_status status = rh__flow_each_test(module, options, take_graph, &result);
    rh__flow_result_finish(&result);
    return status;
}
