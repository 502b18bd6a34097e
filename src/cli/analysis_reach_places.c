// SPDX-License-Identifier: MIT
// Which places `reach` goes to: those that are named, each check, or each line that coverage files
// lack.
#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "cli/analysis_reach.h"

enum { QUERIES_MOST = 10000 };

static enum rh_reach_goal goal_of(const struct rh_reach_flags *flags)
{
    return flags->check || flags->all_checks ? RH_REACH_CHECK
           : flags->dereference              ? RH_REACH_DEREFERENCE
                                             : RH_REACH_LINE;
}

static struct rh_reach_options asked_of(const struct rh_options *options)
{
    uint64_t queries = options->generate.queries_most;
    return (struct rh_reach_options){
        .goal = goal_of(&options->reach),
        .without_messages = options->reach.without_messages,
        .keeps_order = options->run.order_rule != RH_ORDER_ANY,
        .messages_most = (uint32_t)options->reach.messages_most,
        .messages_are_said = options->reach.messages_given,
        .queries_most = queries ? queries : QUERIES_MOST,
        .solver_limit = options->generate.solver_limit,
        .search = (enum rh_reach_search)options->reach.search,
        .no_weights = options->reach.no_weights,
        .no_feedback = options->reach.no_feedback,
    };
}

static void note_address(void *context, uintptr_t address)
{
    (void)address;
    *(bool *)context = true;
}

struct code {
    struct rh_debug *debug;
    const char *file;
};

static bool has_code(void *context, uint32_t line)
{
    const struct code *code = context;
    bool has_any = false;
    rh_debug_visit_line(code->debug, code->file, (int)line, note_address, &has_any);
    return has_any;
}

// That a check never fails is not said of a line that has none.
static struct rh_status refuse_check(const struct rh_reaching *reaching)
{
    struct rh_reach_checks checks = {0};
    struct rh_text lines = {0};
    rh_reach_checks_find(reaching->module, &checks);
    for (size_t i = 0; i < checks.count; i++)
        if (rh_is_named(checks.items[i].file, reaching->asked.file))
            rh_text_addf(&lines, "%s%u", lines.length ? ", " : "", (unsigned)checks.items[i].line);
    struct rh_status status = rh_bad_input(
        "%s:%u has no rh_check; %s%s", reaching->asked.file, (unsigned)reaching->asked.line,
        lines.length ? "lines of this file that have: " : "nor has the rest of the file",
        lines.length ? rh_text_get(&lines) : "");
    rh_vector_fini(&checks);
    rh_text_fini(&lines);
    return status;
}

static struct rh_status check_place(struct rh_reaching *reaching)
{
    struct rh_status status;
    struct code code = {rh_debug_open_file(reaching->options->generate.binary, &status),
                        reaching->asked.file};
    if (!code.debug)
        return status;
    reaching->asked.has_code = has_code;
    reaching->asked.context = &code;
    status = rh_reach_check(reaching->module, &reaching->asked);
    if (rh_is_ok(&status) && reaching->asked.goal == RH_REACH_CHECK && !reaching->has_check)
        status = refuse_check(reaching);
    reaching->asked.has_code = NULL;
    rh_debug_free(code.debug);
    return status;
}

// --- All places. ---

static void begin_place(struct rh_reaching *reaching, const struct rh_options *options,
                        const struct rh_ir_module *module, const char *file, uint32_t line)
{
    const char *binary = options->generate.binary;
    *reaching =
        (struct rh_reaching){.options = options, .module = module, .asked = asked_of(options)};
    reaching->asked.file = file;
    reaching->asked.line = line;
    reaching->reached = (struct rh_reached){.program = rh_analysis_name(options, 0),
                                            .file = file,
                                            .line = line,
                                            .goal = (enum rh_reached_goal)reaching->asked.goal};
    rh_text_add_bytes(&reaching->folder, binary, (size_t)(rh_base_name(binary) - binary));
    struct rh_reach_checks checks = {0};
    rh_reach_checks_find(module, &checks);
    for (size_t i = 0; i < checks.count; i++)
        reaching->has_check |=
            checks.items[i].line == line && rh_is_named(checks.items[i].file, file);
    rh_vector_fini(&checks);
}

void rh_reaching_fini(struct rh_reaching *reaching)
{
    rh_schedule_fini(&reaching->schedule);
    rh_reach_result_fini(&reaching->result);
    rh_text_fini(&reaching->folder);
    rh_text_fini(&reaching->saved);
    rh_text_fini(&reaching->replay);
    rh_text_fini(&reaching->told);
    rh_text_fini(&reaching->reason);
    rh_arena_fini(&reaching->kept);
}

// All places are looked at before the first is gone to.
static struct rh_status check_places(struct rh_reaching_places *places)
{
    struct rh_status status = rh_ok();
    size_t kept = 0;
    for (size_t i = 0; i < places->items.count; i++) {
        struct rh_status here = check_place(&places->items.items[i]);
        if (!rh_is_ok(&here) && !places->are_found && rh_is_ok(&status))
            status = here;
        if (rh_is_ok(&here)) {
            places->items.items[kept++] = places->items.items[i];
        } else {
            places->left_out++;
            rh_reaching_fini(&places->items.items[i]);
        }
    }
    places->items.count = kept;
    return status;
}

bool rh_reaching_is_covered(const struct rh_line_coverage *reached, const char *file, uint32_t line)
{
    for (size_t s = 0; s < reached->sources.count; s++) {
        const struct rh_covered_source *source = &reached->sources.items[s];
        for (size_t k = 0; k < source->lines.count && rh_is_named(source->file, file); k++)
            if (source->lines.items[k].number == line && source->lines.items[k].is_reached)
                return true;
    }
    return false;
}

static bool is_reached_anywhere(const struct rh_coverage_set *set, const char *file, uint32_t line)
{
    for (size_t i = 0; i < set->entries.count; i++)
        if (rh_reaching_is_covered(&set->entries.items[i]->reached, file, line))
            return true;
    return false;
}

static bool is_noted(const struct rh_reaching_places *places, const char *file, uint32_t line)
{
    for (size_t i = 0; i < places->items.count; i++)
        if (places->items.items[i].asked.line == line &&
            !strcmp(places->items.items[i].asked.file, file))
            return true;
    return false;
}

static void add_source(struct rh_reaching_places *places, const struct rh_options *options,
                       const struct rh_ir_module *module, const struct rh_covered_source *source)
{
    for (size_t i = 0; i < source->lines.count; i++) {
        uint32_t line = source->lines.items[i].number;
        if (!is_reached_anywhere(&places->coverage, source->file, line) &&
            !is_noted(places, source->file, line))
            begin_place(rh_vector_push(&places->items), options, module, source->file, line);
    }
}

// The lines that none of the coverage files has, if these are asked for.
static struct rh_status find_uncovered(struct rh_reaching_places *places,
                                       const struct rh_options *options,
                                       const struct rh_ir_module *module)
{
    const struct rh_coverage_set *set = &places->coverage;
    size_t sources = 0;
    for (size_t i = 0; i < set->entries.count; i++) {
        const struct rh_line_coverage *reached = &set->entries.items[i]->reached;
        sources += reached->sources.count;
        for (size_t s = 0; s < reached->sources.count && options->reach.uncovered; s++)
            add_source(places, options, module, &reached->sources.items[s]);
    }
    return sources ? rh_ok()
                   : rh_bad_input("%s has no lines: --save-coverage writes them with --lines",
                                  options->coverage.items[0]);
}

struct rh_status rh_reaching_places_find(struct rh_reaching_places *places,
                                         const struct rh_options *options,
                                         const struct rh_ir_module *module)
{
    struct rh_reach_checks checks = {0};
    const struct rh_reach_flags *flags = &options->reach;
    struct rh_status status = rh_ok();
    places->are_found = flags->all_checks || options->reach.uncovered;
    if (flags->all_checks)
        rh_reach_checks_find(module, &checks);
    if (options->coverage.count > 0)
        status = rh_coverage_read_all(&places->coverage, options->coverage.items,
                                      options->coverage.count);
    if (rh_is_ok(&status) && options->coverage.count > 0)
        status = find_uncovered(places, options, module);
    for (size_t i = 0; i < checks.count; i++)
        begin_place(rh_vector_push(&places->items), options, module, checks.items[i].file,
                    checks.items[i].line);
    for (size_t i = 0; i < flags->places.count; i++)
        begin_place(rh_vector_push(&places->items), options, module, flags->places.items[i].file,
                    flags->places.items[i].line);
    rh_vector_fini(&checks);
    if (rh_is_ok(&status))
        status = check_places(places);
    if (rh_is_ok(&status) && flags->all_checks && places->items.count == 0)
        status = rh_bad_input("no handler of %s has an rh_check", rh_analysis_name(options, 0));
    return status;
}
