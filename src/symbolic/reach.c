// SPDX-License-Identifier: MIT
// From what is asked for to the search and its result.
#include "symbolic/reach.h"

#include <string.h>

#include "symbolic/forward.h"

enum { LOOP_FIRST = 3, LOOP_MOST = 48, NO_LIMIT = 100000 };

// --- What is asked for. ---

static struct rh_status check_target(const struct rh__sym_target *target,
                                     const struct rh_reach_options *options)
{
    if (!target->has_file)
        return rh_bad_input("no code of the program is in %s", options->file);
    if (target->count > 0)
        return rh_ok();
    struct rh_text near = {0};
    if (target->line_before)
        rh_text_addf(&near, "%u", (unsigned)target->line_before);
    if (target->line_after)
        rh_text_addf(&near, "%s%u", near.length ? " and " : "", (unsigned)target->line_after);
    struct rh_status status =
        rh_bad_input("%s:%u has no code; the nearest line%s that ha%s %s %s", options->file,
                     (unsigned)options->line, target->line_before && target->line_after ? "s" : "",
                     target->line_before && target->line_after ? "ve" : "s",
                     target->line_before && target->line_after ? "are" : "is", rh_text_get(&near));
    rh_text_fini(&near);
    return status;
}

static struct rh_status check_handlers(const struct rh__sym_target *target,
                                       const struct rh_reach_options *options)
{
    for (size_t i = 0; i < target->pairs.count; i++)
        if (target->pairs.items[i].distance == 0)
            return rh_ok();
    if (target->is_in_behaviour)
        return rh_ok();
    return rh_bad_input("%s:%u is in no handler, and in nothing that a handler calls",
                        options->file, (unsigned)options->line);
}

static struct rh_generate_options limits_of(const struct rh_reach_options *options)
{
    return (struct rh_generate_options){.test = options->test,
                                        .loop = LOOP_FIRST,
                                        .deliveries_each = NO_LIMIT,
                                        .actors_each = NO_LIMIT,
                                        .keeps_order = options->keeps_order,
                                        .queries_most = options->queries_most,
                                        .solver_limit = options->solver_limit,
                                        .is_closed = true};
}

struct rh_status rh_reach_check(const struct rh_ir_module *module,
                                const struct rh_reach_options *options)
{
    struct rh_generate_options limits = limits_of(options);
    struct rh_generate_result result;
    struct rh__sym sym;
    struct rh__sym_target target = {0};
    struct rh_status status = rh__sym_init(&sym, module, &limits, &result);
    if (rh_is_ok(&status)) {
        rh__sym_target_init(&sym, &target, options);
        status = check_target(&target, options);
    }
    if (rh_is_ok(&status))
        status = check_handlers(&target, options);
    rh__sym_target_fini(&target);
    rh__sym_fini(&sym);
    rh_generate_result_fini(&result);
    return status;
}

// Numbers that are too large wrap here, as the program that runs may do it: the claim is about all
// of them.
struct rh_status rh_reach_is_dead(const struct rh_ir_module *module,
                                  const struct rh_reach_options *options, bool *is_dead)
{
    struct rh_generate_options limits = limits_of(options);
    struct rh_generate_result result;
    struct rh__sym sym;
    struct rh__sym_target target = {0};
    limits.wraps = true;
    limits.test = NULL;
    struct rh_status status = rh__sym_init(&sym, module, &limits, &result);
    *is_dead = false;
    if (rh_is_ok(&status) && options->goal == RH_REACH_LINE) {
        rh__sym_target_init(&sym, &target, options);
        *is_dead = target.count > 0 && !rh__sym_may_come(&sym, &target) &&
                   rh_solver_counts(sym.solver).unknown == 0;
    }
    rh__sym_target_fini(&target);
    rh__sym_fini(&sym);
    rh_generate_result_fini(&result);
    return status;
}

void rh_reach_tests_find(const struct rh_ir_module *module, struct rh_reach_tests *tests)
{
    for (size_t i = 0; i < module->functions.count; i++) {
        const char *name = rh__sym_body_name(&module->functions.items[i]);
        if (name)
            *(const char **)rh_vector_push(tests) = name;
    }
}

static void add_check(struct rh_reach_checks *checks, const struct rh_ir_instruction *call)
{
    for (size_t i = 0; i < checks->count; i++)
        if (checks->items[i].line == call->place.line &&
            !strcmp(checks->items[i].file, call->place.file))
            return;
    *(struct rh_reach_check_place *)rh_vector_push(checks) =
        (struct rh_reach_check_place){call->place.file, call->place.line};
}

// Tests and judges are functions whose names begin so.
static bool is_of_test(const struct rh_ir_function *function)
{
    return !strncmp(function->source_name, "rh__", 4);
}

void rh_reach_checks_find(const struct rh_ir_module *module, struct rh_reach_checks *checks)
{
    for (size_t f = 0; f < module->functions.count; f++) {
        const struct rh_ir_function *function = &module->functions.items[f];
        for (uint32_t i = 0; i < function->instruction_count && !is_of_test(function); i++) {
            const struct rh_ir_instruction *each = &function->instructions[i];
            const struct rh_ir_function *callee =
                each->opcode == RH_IR_CALL ? rh_ir_callee(module, each) : NULL;
            if (callee && !strcmp(callee->name, "rh__check") && each->place.file)
                add_check(checks, each);
        }
    }
}

// --- The result. ---

// What the outside sends, first to last.
static void keep_messages(struct rh__sym *sym, const struct rh__sym_situation *situation,
                          struct rh_reach_result *result)
{
    uint32_t count = situation->arrivals ? situation->arrivals->count : 0;
    struct rh_reach_message *messages = rh_arena_take(&sym->arena, (count + 1) * sizeof *messages);
    for (const struct rh__sym_arrival *each = situation->arrivals; each; each = each->before)
        messages[each->count - 1] = (struct rh_reach_message){
            .type = sym->types.items[each->type].name,
            .receiver = each->receiver,
            .fields = rh__sym_fields_of(sym, situation, each->payload,
                                        sym->types.items[each->type].name)};
    result->messages = messages;
    result->message_count = count;
}

// Whether a run goes this way. So many times that is asked.
static bool accept(struct rh__sym_forward *search, struct rh__sym_situation *way)
{
    enum { REFUTED_MOST = 10 };
    struct rh__sym *sym = search->sym;
    struct rh_reach_result *result = search->result;
    if (result->refuted >= REFUTED_MOST)
        return false;
    rh__sym_test_add(sym, way, NULL);
    keep_messages(sym, way, result);
    if (search->options->confirm(search->options->context, result)) {
        result->verdict = RH_REACH_REACHED;
        return true;
    }
    result->refuted++;
    result->found.tests.count = 0;
    return false;
}

// --- The search. ---

// With more rounds of loops as long as loops were cut.
static void search(struct rh__sym *sym, const struct rh_reach_options *options,
                   struct rh_generate_options *limits, const struct rh__sym_target *target,
                   uint32_t body, struct rh_reach_result *result)
{
    for (limits->loop = LOOP_FIRST; limits->loop <= LOOP_MOST; limits->loop *= 4) {
        struct rh__sym_forward forward = {
            .sym = sym, .options = options, .target = target, .accept = accept, .result = result};
        sym->result->cuts[RH_CUT_LOOP] = 0;
        rh__sym_forward_run(&forward, body);
        result->situations += forward.looked_at;
        rh__sym_forward_fini(&forward);
        if (result->verdict == RH_REACH_REACHED || !sym->result->cuts[RH_CUT_LOOP] ||
            rh__sym_is_over(sym))
            return;
    }
}

struct rh_status rh_reach(const struct rh_ir_module *module, const struct rh_reach_options *options,
                          struct rh_reach_result *result)
{
    struct rh_generate_options limits = limits_of(options);
    struct rh__sym sym;
    struct rh__sym_target target = {0};
    uint32_t body;
    *result = (struct rh_reach_result){0};
    struct rh_status status = rh__sym_init(&sym, module, &limits, &result->found);
    if (rh_is_ok(&status))
        status = rh__sym_body_find(&sym, options->test, &body);
    if (rh_is_ok(&status)) {
        result->found.test = rh_arena_text(&sym.arena, options->test, strlen(options->test));
        rh__sym_target_init(&sym, &target, options);
        search(&sym, options, &limits, &target, body, result);
        struct rh_solver_counts counts = rh_solver_counts(sym.solver);
        result->found.queries = counts.queries;
        result->found.queries_unknown = counts.unknown;
    }
    rh__sym_target_fini(&target);
    rh__sym_fini(&sym);
    return status;
}

void rh_reach_result_fini(struct rh_reach_result *result)
{
    rh_generate_result_fini(&result->found);
}
