// SPDX-License-Identifier: MIT
// `diagram --abstract`.
#include <stdlib.h>

#include "cli/analysis.h"
#include "cli/output.h"
#include "report/diagram.h"
#include "report/handler_graph.h"
#include "report/sequence.h"
#include "sketch/sketch.h"

static void add_name(const struct rh_options *options, const struct rh_sketch *sketch,
                     struct rh_text *text)
{
    for (size_t i = 0; i < options->operands.count; i++)
        rh_text_addf(text, "%s%s", i ? " " : "", rh_analysis_name(options, i));
    rh_text_addf(text, ": test %s: from the sources alone", sketch->diagram.name);
}

static void add_reasons(const struct rh_sketch *sketch, struct rh_text *text)
{
    for (size_t i = 0; i < sketch->reasons.count; i++) {
        const struct rh_unknown_place *reason = &sketch->reasons.items[i];
        rh_text_add(text, "#   ");
        if (reason->file)
            rh_text_addf(text, "%s:%d: ", reason->file, reason->line);
        rh_text_addf(text, "%s\n", reason->words);
    }
}

static void add_sketch(const struct rh_options *options, const struct rh_sketch *sketch,
                       struct rh_text *text)
{
    rh_text_add(text, "# ");
    add_name(options, sketch, text);
    rh_text_add(text, "\n");
    add_reasons(sketch, text);
    rh_diagram_print(&sketch->diagram, text);
}

static struct rh_status write_file(const struct rh_options *options, const struct rh_sketch *sketch,
                                   const struct rh_text *text, const char *extension)
{
    struct rh_text path = {0};
    rh_text_addf(&path, "%s/%s.%s", options->save, sketch->diagram.name, extension);
    struct rh_status status = rh_text_write_file(text, rh_text_get(&path));
    rh_text_fini(&path);
    return status;
}

// The picture of a sketch, or the graph that it is made of.
static void add_picture(const struct rh_options *options, const struct rh_sketch *sketch,
                        struct rh_text *text)
{
    struct rh_arena arena = {0};
    struct rh_sequence sequence;
    struct rh_text title = {0};
    add_name(options, sketch, &title);
    rh_sequence_init(&sequence, &arena, &sketch->diagram, options->svg ? RH_PICTURE_ROWS : 0);
    if (options->dot)
        rh_report_handlers_dot(text, &sketch->graph, rh_text_get(&title));
    else if (options->svg)
        rh_report_svg(text, &sequence, rh_text_get(&title));
    else if (options->mermaid)
        rh_report_mermaid(text, &sequence, rh_text_get(&title));
    else
        rh_report_plantuml(text, &sequence, rh_text_get(&title));
    rh_sequence_fini(&sequence);
    rh_arena_fini(&arena);
    rh_text_fini(&title);
}

// The ending of a picture's file; NULL: no picture is wanted.
static const char *picture_of(const struct rh_options *options)
{
    return options->dot        ? "dot"
           : options->svg      ? "svg"
           : options->mermaid  ? "mmd"
           : options->plantuml ? "puml"
                               : NULL;
}

static struct rh_status say(const struct rh_options *options, const struct rh_sketch *sketch)
{
    const char *extension = picture_of(options);
    struct rh_text text = {0}, picture = {0};
    struct rh_status status = rh_ok();
    add_sketch(options, sketch, &text);
    if (extension)
        add_picture(options, sketch, &picture);
    if (options->save)
        status = write_file(options, sketch, &text, "sketch");
    if (options->save && extension && rh_is_ok(&status))
        status = write_file(options, sketch, &picture, extension);
    if (!options->save && !options->json && !rh_print(extension ? &picture : &text))
        status = rh_failed("standard output");
    rh_text_fini(&text);
    rh_text_fini(&picture);
    return status;
}

struct rh_status rh_sketch_check_options(const struct rh_options *options)
{
    const char *refused = options->vary.count    ? "--vary"
                          : options->sets.count  ? "--set"
                          : options->actor       ? "--actor"
                          : options->old_diagram ? "--diff"
                          : options->why         ? "--why"
                          : options->where       ? "--where"
                          : options->from        ? "--from"
                          : options->patterns    ? "--patterns"
                                                 : NULL;
    if (refused)
        return rh_bad_input("--abstract runs nothing, and does not go with %s", refused);
    if (options->json + options->dot + options->svg + options->mermaid + options->plantuml > 1)
        return rh_bad_input("--json, --dot, --svg, --mermaid and --plantuml exclude each other");
    return rh_ok();
}

static struct rh_status print_report(struct rh_report_protocol *report)
{
    struct rh_text text = {0};
    rh_report_protocol_print(&text, report);
    struct rh_status status = rh_print(&text) ? rh_ok() : rh_failed("standard output");
    rh_text_fini(&text);
    return status;
}

struct rh_status rh_analysis_sketch(const struct rh_options *options,
                                    const struct rh_ir_module *module)
{
    struct rh_sketches sketches = {0};
    struct rh_report_protocol *report =
        options->json ? rh_report_protocol_new(rh_analysis_name(options, 0), "diagram") : NULL;
    struct rh_status status = rh_sketch_build(module, options->test, &sketches);
    for (size_t i = 0; i < sketches.items.count && rh_is_ok(&status); i++) {
        const struct rh_sketch *sketch = sketches.items.items[i];
        status = say(options, sketch);
        if (report)
            rh_report_sketch_add(report, &sketch->diagram, sketch->reasons.items,
                                 sketch->reasons.count, &sketch->graph);
    }
    if (report && rh_is_ok(&status))
        status = print_report(report);
    rh_report_protocol_free(report);
    rh_sketches_fini(&sketches);
    return status;
}
