// SPDX-License-Identifier: MIT
// The executable that looks at bitcode: it does what the command was asked for with the verbs
// `graph`, `generate` and `reach` and with `diagram --abstract`, with files of bitcode in place of
// sources.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bitcode/module.h"
#include "cli/analysis.h"
#include "cli/analysis_limit.h"
#include "cli/coverage.h"
#include "cli/options.h"
#include "cli/output.h"
#include "flow/flow.h"
#include "flow/taken.h"
#include "report/graph.h"

static struct rh_status draw(const struct rh_text *dot)
{
    FILE *graphviz = popen("dot -Tsvg", "w"); // NOLINT(cert-env33-c)
    if (!graphviz)
        return rh_failed("cannot run dot");
    fwrite(rh_text_get(dot), 1, dot->length, graphviz);
    int wait_status = pclose(graphviz);
    if (wait_status == -1 || !WIFEXITED(wait_status) || WEXITSTATUS(wait_status))
        return rh_failed("Graphviz cannot draw the graph (dot -Tsvg)");
    return rh_ok();
}

static struct rh_status show(const struct rh_options *options, const struct rh_flow_graph *graph)
{
    const char *program = rh_analysis_name(options, 0);
    struct rh_text text = {0};
    struct rh_status status = rh_ok();
    if (options->json)
        rh_report_graph_json(&text, graph, program);
    else if (options->dot || options->svg)
        rh_report_graph_dot(&text, graph, program);
    else
        rh_report_graph_text(&text, graph, program);
    if (options->svg)
        status = draw(&text);
    else if (!rh_print(&text))
        status = rh_failed("the graph could not be printed");
    rh_text_fini(&text);
    return status;
}

static bool has_test(const struct rh_flow_graph *graph, const char *test)
{
    for (size_t i = 0; i < graph->tests.count; i++)
        if (strcmp(graph->tests.items[i], test) == 0)
            return true;
    return false;
}

// Marks what the coverage files say about the tests of the graph.
static struct rh_status mark(const struct rh_options *options, struct rh_flow_graph *graph)
{
    struct rh_coverage_set set = {0};
    RH_VECTOR(const struct rh_traffic *) traffic = {0};
    struct rh_status status =
        rh_coverage_read_all(&set, options->coverage.items, options->coverage.count);
    for (size_t i = 0; rh_is_ok(&status) && i < set.entries.count; i++) {
        const struct rh_coverage_entry *entry = set.entries.items[i];
        if (!has_test(graph, entry->head.test))
            continue;
        *rh_vector_push(&traffic) = &entry->traffic;
        graph->executions += entry->executions;
    }
    if (rh_is_ok(&status) && traffic.count == 0)
        status = rh_bad_input("%s says nothing about %s%s", options->coverage.items[0],
                              options->test ? "test " : "the tests of this program",
                              options->test ? options->test : "");
    if (rh_is_ok(&status))
        rh_flow_mark_taken(graph, traffic.items, traffic.count);
    rh_vector_fini(&traffic);
    rh_coverage_set_fini(&set);
    return status;
}

static struct rh_status read_module(const struct rh_options *options,
                                    const struct rh_ir_preparation *preparation,
                                    struct rh_ir_module *module)
{
    struct rh_ir_file *files = rh_alloc(options->operands.count * sizeof *files);
    for (size_t i = 0; i < options->operands.count; i++)
        files[i] = (struct rh_ir_file){options->operands.items[i], rh_analysis_name(options, i)};
    rh_reading_begin(files, options->operands.count, options->read_limit);
    struct rh_status status =
        rh_ir_module_read(module, files, options->operands.count, preparation);
    rh_reading_end();
    free(files);
    return status;
}

static const struct rh_ir_preparation flow_preparation = {
    .promote = true, .inline_calls = true, .rotate_loops = true};

static struct rh_status run_sketch(const struct rh_options *options)
{
    struct rh_ir_module module = {0};
    struct rh_status status = rh_sketch_check_options(options);
    if (rh_is_ok(&status))
        status = read_module(options, &flow_preparation, &module);
    if (rh_is_ok(&status))
        status = rh_analysis_sketch(options, &module);
    rh_ir_module_fini(&module);
    return status;
}

static struct rh_status run_graph(const struct rh_options *options)
{
    struct rh_flow_options flow = {.test = options->test,
                                   .is_baseline = options->baseline,
                                   .ignores_numbers = options->any_number,
                                   .ignores_origins = options->any_origin};
    struct rh_ir_module module = {0};
    struct rh_flow_graph graph = {0};
    struct rh_status status = read_module(options, &flow_preparation, &module);
    if (rh_is_ok(&status))
        status = rh_flow_build(&module, &flow, &graph);
    if (rh_is_ok(&status) && options->coverage.count)
        status = mark(options, &graph);
    if (rh_is_ok(&status))
        status = show(options, &graph);
    rh_flow_graph_fini(&graph);
    rh_ir_module_fini(&module);
    return status;
}

static struct rh_status run_generate(const struct rh_options *options, int *exit_status)
{
    static const struct rh_ir_preparation preparation = {.promote = true, .split = true};
    struct rh_ir_module module = {0};
    struct rh_status status = read_module(options, &preparation, &module);
    if (rh_is_ok(&status))
        status = options->verb == RH_VERB_REACH
                     ? rh_analysis_reach(options, &module, exit_status)
                     : rh_analysis_generate(options, &module, exit_status);
    rh_ir_module_fini(&module);
    return status;
}

int main(int argc, char **argv)
{
    static const struct rh_tool tool = {
        .name = "rehearse", .takes_programs = true, .is_request = true};
    struct rh_options options = {0};
    int exit_status = RH_EXIT_NOTHING;
    struct rh_status status = rh_options_parse(&options, &tool, argc > 0 ? argc - 1 : 0, argv + 1);
    if (rh_is_ok(&status) && ((!rh_verb_looks_at_sources(options.verb) && !options.abstract) ||
                              options.operands.count == 0))
        status = rh_bad_input("this is a part of rehearse: see rehearse graph --help");
    if (rh_is_ok(&status))
        status = options.verb == RH_VERB_GRAPH ? run_graph(&options)
                 : options.abstract            ? run_sketch(&options)
                                               : run_generate(&options, &exit_status);
    rh_options_fini(&options);
    return rh_is_ok(&status) ? exit_status : rh_print_status(&status);
}
