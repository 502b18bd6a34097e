// SPDX-License-Identifier: MIT
// From what is asked for to the search and its result.
#include "symbolic/reach.h"

#include <string.h>

#include "symbolic/backward.h"
#include "symbolic/nearest.h"

enum { CALL_VALUES = 16, LOOP_FIRST = 3, LOOP_MOST = 48, NO_LIMIT = 100000 };

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
    if (target->is_in_behaviour)
        return rh_ok();
    if (target->is_in_judge && !target->is_judged)
        return rh_bad_input("%s:%u is in a judge, and in no handler: --check makes a judge's "
                            "rh_check fail",
                            options->file, (unsigned)options->line);
    if (target->is_judged_at_end && options->without_messages)
        return rh_bad_input("%s:%u is in a judge that looks at the end, when the test's messages "
                            "have been delivered: leave out --without-messages",
                            options->file, (unsigned)options->line);
    for (size_t i = 0; i < target->pairs.count; i++)
        if (target->pairs.items[i].distance == 0)
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
                                        .caller = options->caller,
                                        .call_values = CALL_VALUES,
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
struct rh_status rh_reach_alone(const struct rh_ir_module *module,
                                const struct rh_reach_options *options,
                                struct rh_reach_result *result)
{
    // It comes before the searches, which are to find what is easy to find.
    enum { ALONE = 4, SOLVER_LIMIT = 250000 };
    struct rh_generate_options limits = limits_of(options);
    struct rh__sym sym;
    struct rh__sym_target target = {0};
    struct rh__sym_nearest nearest = {0};
    limits.wraps = true;
    limits.test = NULL;
    limits.caller = NULL;
    limits.queries_most /= ALONE;
    limits.solver_limit = SOLVER_LIMIT;
    *result = (struct rh_reach_result){0};
    struct rh_status status = rh__sym_init(&sym, module, &limits, &result->found);
    if (rh_is_ok(&status) && options->goal == RH_REACH_LINE) {
        sym.ends_with_unknown = true;
        rh__sym_target_init(&sym, &target, options);
        rh__sym_nearest_init(&sym, &nearest, &target, options->goal == RH_REACH_CHECK);
        nearest.has_begun = true;
        bool is_dead = target.count > 0 && !rh__sym_may_come(&sym, &target) &&
                       rh_solver_counts(sym.solver).unknown == 0;
        result->verdict = is_dead ? RH_REACH_UNREACHABLE : RH_REACH_NOT_FOUND;
        result->proof = RH_REACH_NO_STATE;
        result->nearest = rh__sym_nearest_keep(&sym, &nearest);
    }
    rh__sym_nearest_fini(&nearest);
    rh__sym_target_fini(&target);
    rh__sym_fini(&sym);
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

void rh_reach_checks_find(const struct rh_ir_module *module, struct rh_reach_checks *checks)
{
    for (size_t f = 0; f < module->functions.count; f++) {
        const struct rh_ir_function *function = &module->functions.items[f];
        for (uint32_t i = 0; i < function->instruction_count && !rh__sym_body_name(function); i++) {
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
    if (result->refuted >= REFUTED_MOST) {
        search->is_cut = true;
        return false;
    }
    rh__sym_test_add(sym, way, NULL);
    keep_messages(sym, way, result);
    result->is_to_end = search->target->is_judged_at_end;
    if (search->options->confirm(search->options->context, result)) {
        result->verdict = RH_REACH_REACHED;
        return true;
    }
    result->refuted++;
    result->found.tests.count = 0;
    return false;
}

// --- The search. ---

// What says, by having changed, that a search has left something out.
struct left_out {
    uint64_t notes, unknown, refuted;
};

static struct left_out left_out_so_far(const struct rh__sym *sym,
                                       const struct rh_reach_result *result)
{
    struct left_out sum = {.unknown = rh_solver_counts(sym->solver).unknown,
                           .refuted = result->refuted};
    for (size_t i = 0; i < sym->result->notes.count; i++)
        sum.notes += sym->result->notes.items[i].count;
    return sum;
}

// Whether the search has followed everything to its end, but for more messages from outside.
static bool is_whole(const struct rh__sym *sym, const struct rh__sym_forward *forward,
                     const struct rh_reach_result *result, struct left_out before)
{
    struct left_out now = left_out_so_far(sym, result);
    // What a function without code gives here, it need not give everywhere.
    bool is_cut = forward->is_cut || sym->leaves_out_addresses || sym->leaves_out_senders ||
                  sym->known_calls.count > 0;
    for (int i = 0; i < RH_CUT_COUNT; i++)
        is_cut = is_cut || sym->result->cuts[i];
    return !is_cut && now.notes == before.notes && now.unknown == before.unknown &&
           now.refuted == before.refuted;
}

static void keep_proof(struct rh__sym *sym, const struct rh__sym_forward *forward,
                       struct rh_reach_result *result)
{
    const struct rh_text *why = &forward->why_not;
    result->verdict = RH_REACH_UNREACHABLE;
    result->proof = forward->has_way ? RH_REACH_ALL_TRIED : RH_REACH_NO_WAY;
    result->is_bounded = forward->has_way ? forward->is_bounded : forward->needs_outside;
    result->why = rh_arena_text(&sym->arena, rh_text_get(why), why->length);
}

struct search {
    struct rh__sym *sym;
    const struct rh_reach_options *options;
    struct rh_generate_options *limits;
    const struct rh__sym_target *target;
    uint32_t body;
    struct rh_reach_result *result;
};

// Of what is left to be spent, the part that a search may have before loops are followed further.
static uint64_t share_end(const struct search *it)
{
    enum { PART = 3 };
    uint64_t spent = rh__sym_spent(it->sym), most = it->limits->queries_most;
    bool is_last = it->limits->loop == LOOP_MOST || most <= spent;
    return is_last ? 0 : spent + (most - spent) / PART + 1;
}

// With more rounds of loops as long as loops were cut. Gives whether only numbers that overflow
// were left out.
static bool search_loops(const struct search *it)
{
    struct rh__sym *sym = it->sym;
    for (it->limits->loop = LOOP_FIRST; it->limits->loop <= LOOP_MOST; it->limits->loop *= 4) {
        struct rh__sym_forward forward = {.sym = sym,
                                          .options = it->options,
                                          .target = it->target,
                                          .accept = accept,
                                          .share_end = share_end(it),
                                          .result = it->result};
        struct left_out before = left_out_so_far(sym, it->result);
        memset(sym->result->cuts, 0, sizeof sym->result->cuts);
        sym->leaves_out_overflow = sym->leaves_out_addresses = sym->leaves_out_senders = false;
        rh__sym_forward_run(&forward, it->body);
        it->result->situations += forward.looked_at;
        bool is_reached = it->result->verdict == RH_REACH_REACHED;
        if (is_reached)
            it->result->found_by = RH_REACH_FORWARD;
        bool whole = !is_reached && is_whole(sym, &forward, it->result, before);
        if (whole && !sym->leaves_out_overflow)
            keep_proof(sym, &forward, it->result);
        bool is_cut = forward.is_cut;
        rh__sym_forward_fini(&forward);
        if (is_reached || whole || !sym->result->cuts[RH_CUT_LOOP] || rh__sym_is_over(sym))
            return !is_reached && !is_cut && sym->leaves_out_overflow && !rh__sym_is_over(sym);
    }
    return false;
}

// That nothing leads there is said of numbers that overflow, too: they wrap then.
static void search_forward(const struct search *it)
{
    it->limits->wraps = false;
    if (!search_loops(it))
        return;
    it->limits->wraps = true;
    search_loops(it);
}

// That so many messages from outside do not lead there is an answer if the user has said how many.
static bool is_decided(const struct search *it)
{
    return it->result->verdict != RH_REACH_NOT_FOUND &&
           (!it->result->is_bounded || it->options->messages_are_said);
}

// Whether nothing was left out on the way back.
static bool is_past_whole(const struct search *it, const struct rh__sym_backward *back,
                          struct left_out before)
{
    struct left_out now = left_out_so_far(it->sym, it->result);
    return !back->is_cut && it->sym->known_calls.count == 0 && now.notes == before.notes &&
           now.unknown == before.unknown && !it->sym->leaves_out_overflow &&
           it->target->is_in_handlers && !it->sym->uses_at_stop && !back->guide->has_unknown;
}

static void search_backward(const struct search *it)
{
    struct rh__sym *sym = it->sym;
    struct rh__sym_situations begun = {0};
    struct rh__sym_forward guide = {.sym = sym,
                                    .options = it->options,
                                    .target = it->target,
                                    .accept = accept,
                                    .result = it->result,
                                    .collected = &begun};
    struct rh__sym_backward back = {
        .sym = sym,
        .options = it->options,
        .messages_most = it->options->messages_are_said ? it->options->messages_most : UINT32_MAX,
        .target = it->target,
        .begun = &begun,
        .guide = &guide};
    struct left_out before = left_out_so_far(sym, it->result);
    it->limits->loop = LOOP_MOST;
    it->limits->wraps = false;
    sym->leaves_out_overflow = false;
    rh__sym_forward_begin(&guide, it->body);
    guide.collected = NULL;
    bool has_overflow = sym->leaves_out_overflow;
    rh__sym_summaries_init(&back.summaries, sym, it->limits, it->target, it->options);
    rh__sym_backward_run(&back);
    sym->leaves_out_overflow = has_overflow;
    it->result->situations += back.looked_at;
    if (it->result->verdict == RH_REACH_REACHED) {
        it->result->found_by = RH_REACH_BACKWARD;
    } else if (is_past_whole(it, &back, before)) {
        it->result->verdict = RH_REACH_UNREACHABLE;
        it->result->proof = RH_REACH_NO_PAST;
        it->result->is_bounded = back.is_bounded;
    }
    rh__sym_backward_fini(&back);
    rh__sym_forward_fini(&guide);
    for (size_t i = 0; i < begun.count; i++)
        rh__sym_situation_free(begun.items[i]);
    rh_vector_fini(&begun);
}

// Runs with values that are drawn, for what the solver can't do.
static void search_random(const struct search *it)
{
    struct rh__sym_forward forward = {.sym = it->sym,
                                      .options = it->options,
                                      .target = it->target,
                                      .accept = accept,
                                      .result = it->result};
    enum { SHARE = 16 }; // next to none are asked but for inputs and choices
    const uint64_t most = it->limits->queries_most;
    it->limits->loop = LOOP_MOST;
    it->limits->wraps = false;
    it->limits->queries_most = rh__sym_spent(it->sym) + it->options->queries_most / SHARE;
    it->sym->nearest->is_closed = true;
    rh__sym_random_run(&forward, it->body);
    it->sym->nearest->is_closed = false;
    it->limits->queries_most = most;
    if (it->result->verdict == RH_REACH_REACHED)
        it->result->found_by = RH_REACH_RANDOM;
    rh__sym_forward_fini(&forward);
}

// Forward as long as that is cheap, then backward, then with messages that are drawn, then forward
// again.
static void search_ways(const struct search *it)
{
    enum { FIRST = 8, SECOND = 2 };
    const uint64_t most = it->limits->queries_most;
    it->sym->may_go_on = true;
    it->limits->queries_most = most / FIRST;
    search_forward(it);
    if (is_decided(it))
        return;
    bool is_over = rh__sym_is_over(it->sym);
    it->limits->queries_most = most / SECOND;
    if (!it->target->is_judged)
        search_backward(it);
    if (it->result->verdict == RH_REACH_NOT_FOUND)
        search_random(it);
    it->sym->may_go_on = false;
    it->limits->queries_most = most;
    if (!is_decided(it) && is_over)
        search_forward(it);
}

static void search(const struct search *it)
{
    if (it->options->search == RH_REACH_EVERY)
        search_ways(it);
    else if (it->options->search == RH_REACH_FORWARD)
        search_forward(it);
    else if (it->options->search == RH_REACH_RANDOM)
        search_random(it);
    else if (!it->target->is_judged)
        search_backward(it);
}

struct rh_status rh_reach(const struct rh_ir_module *module, const struct rh_reach_options *options,
                          struct rh_reach_result *result)
{
    struct rh_generate_options limits = limits_of(options);
    struct rh__sym sym;
    struct rh__sym_target target = {0};
    struct rh__sym_nearest nearest = {0};
    uint32_t body;
    *result = (struct rh_reach_result){0};
    struct rh_status status = rh__sym_init(&sym, module, &limits, &result->found);
    if (rh_is_ok(&status))
        status = rh__sym_body_find(&sym, options->test, &body);
    if (rh_is_ok(&status)) {
        result->found.test = rh_arena_text(&sym.arena, options->test, strlen(options->test));
        rh__sym_target_init(&sym, &target, options);
        rh__sym_nearest_init(&sym, &nearest, &target, options->goal == RH_REACH_CHECK);
        const struct search it = {&sym, options, &limits, &target, body, result};
        search(&it);
        struct rh_solver_counts counts = rh_solver_counts(sym.solver);
        result->found.queries = counts.queries;
        result->found.queries_unknown = counts.unknown;
        result->nearest = rh__sym_nearest_keep(&sym, &nearest);
    }
    rh__sym_nearest_fini(&nearest);
    rh__sym_target_fini(&target);
    rh__sym_fini(&sym);
    return status;
}

void rh_reach_result_fini(struct rh_reach_result *result)
{
    rh_generate_result_fini(&result->found);
}
