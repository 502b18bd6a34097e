// SPDX-License-Identifier: MIT
// `diagram --abstract`.
#include <stdlib.h>

#include "cli/analysis.h"
#include "cli/output.h"
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
        const struct rh_sketch_reason *reason = &sketch->reasons.items[i];
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

static struct rh_status say(const struct rh_options *options, const struct rh_sketch *sketch)
{
    struct rh_text text = {0};
    struct rh_status status = rh_ok();
    add_sketch(options, sketch, &text);
    if (options->save)
        status = write_file(options, sketch, &text, "sketch");
    else if (!rh_print(&text))
        status = rh_failed("standard output");
    rh_text_fini(&text);
    return status;
}

struct rh_status rh_sketch_check_options(const struct rh_options *options)
{
    const char *refused = options->vary.count    ? "--vary"
                          : options->sets.count  ? "--set"
                          : options->actor       ? "--actor"
                          : options->old_diagram ? "--diff"
                          : options->json        ? "--json"
                          : options->dot         ? "--dot"
                          : options->svg         ? "--svg"
                          : options->mermaid     ? "--mermaid"
                          : options->plantuml    ? "--plantuml"
                                                 : NULL;
    return refused ? rh_bad_input("--abstract runs nothing, and does not go with %s", refused)
                   : rh_ok();
}

struct rh_status rh_analysis_sketch(const struct rh_options *options,
                                    const struct rh_ir_module *module)
{
    struct rh_sketches sketches = {0};
    struct rh_status status = rh_sketch_build(module, options->test, &sketches);
    for (size_t i = 0; i < sketches.items.count && rh_is_ok(&status); i++)
        status = say(options, sketches.items.items[i]);
    rh_sketches_fini(&sketches);
    return status;
}
