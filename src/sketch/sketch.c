// SPDX-License-Identifier: MIT
#include "sketch/sketch.h"

#include <stdlib.h>
#include <string.h>

#include "sketch/internal.h"

struct building {
    struct rh_sketches *sketches;
    struct rh_status status;
};

static void find_graphs(struct rh__sketch_builder *builder)
{
    struct rh__flow *flow = builder->flow;
    builder->graphs = rh_alloc((flow->actors.count + 1) * sizeof(void *));
    for (uint32_t i = 0; i < flow->actors.count; i++) {
        const struct rh__flow_actor *actor = &flow->actors.items[i];
        if (i != 0 && (!actor->is_running || actor->is_guard))
            continue;
        builder->graphs[i] = rh_alloc(sizeof **builder->graphs);
        rh__sketch_graph_init(builder->graphs[i], &builder->calls, i,
                              i == 0 ? flow->body : actor->function);
    }
}

static void builder_fini(struct rh__sketch_builder *builder)
{
    for (uint32_t i = 0; i < builder->flow->actors.count; i++) {
        if (builder->graphs[i])
            rh__sketch_graph_fini(builder->graphs[i]);
        free(builder->graphs[i]);
    }
    for (size_t i = 0; i < builder->variables.count; i++)
        rh_vector_fini(&builder->variables.items[i].entries);
    free(builder->graphs);
    rh_vector_fini(&builder->variables);
    rh_vector_fini(&builder->entries);
    rh_vector_fini(&builder->classes);
    rh__terms_fini(&builder->terms);
    rh__sketch_calls_fini(&builder->calls);
}

static void take(void *context, const char *test, struct rh__flow *flow)
{
    struct building *building = context;
    if (!rh_is_ok(&building->status))
        return;
    struct rh_sketch *sketch = rh_alloc(sizeof *sketch);
    struct rh__sketch_builder builder = {.flow = flow, .sketch = sketch, .status = rh_ok()};
    *rh_vector_push(&building->sketches->items) = sketch;
    sketch->diagram.name = rh_arena_text(&sketch->arena, test, strlen(test));
    rh__terms_init(&builder.terms);
    rh__sketch_calls_init(&builder.calls, flow);
    find_graphs(&builder);
    rh__sketch_classes_find(&builder);
    rh__sketch_construct(&builder);
    rh__sketch_minimise(&builder);
    rh__sketch_solve(&builder);
    rh__sketch_reasons_find(&builder);
    rh__sketch_describe(&builder);
    building->status = builder.status;
    builder_fini(&builder);
}

static bool has_tests(const struct rh_ir_module *module)
{
    for (size_t i = 0; i < module->globals.count; i++)
        if (module->globals.items[i].section &&
            !strcmp(module->globals.items[i].section, "rh_tests"))
            return true;
    return false;
}

static bool uses_zmq(const struct rh_ir_module *module)
{
    for (size_t i = 0; i < module->functions.count; i++)
        if (!strncmp(module->functions.items[i].name, "zmq_", 4))
            return true;
    return false;
}

struct rh_status rh_sketch_build(const struct rh_ir_module *module, const char *test,
                                 struct rh_sketches *sketches)
{
    struct rh_flow_options options = {.test = test};
    struct building building = {.sketches = sketches, .status = rh_ok()};
    if (!has_tests(module) && uses_zmq(module))
        return rh_bad_input("a program that uses ZeroMQ has no tests (RH_TEST) to make a sketch "
                            "of: explore, sample and cover take it with --adapter zmq");
    struct rh_status status = rh__flow_each_test(module, &options, take, &building);
    return rh_is_ok(&status) ? building.status : status;
}

void rh_sketches_fini(struct rh_sketches *sketches)
{
    for (size_t i = 0; i < sketches->items.count; i++) {
        struct rh_sketch *sketch = sketches->items.items[i];
        rh_vector_fini(&sketch->reasons);
        rh_handler_graph_fini(&sketch->graph);
        rh_arena_fini(&sketch->arena);
        free(sketch);
    }
    rh_vector_fini(&sketches->items);
}
