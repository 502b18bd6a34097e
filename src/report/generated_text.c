// SPDX-License-Identifier: MIT
// Generated tests as a table for people.
#include "report/generated.h"

#include <inttypes.h>

static void add_actor(struct rh_text *text, const struct rh_generate_test *test, uint32_t actor)
{
    rh_text_add(text, actor == RH_NONE ? "outside" : test->actors[actor].name);
}

// States of more fields than this are told of by what has changed.
enum { FIELDS_FEW = 12 };

static bool is_same(const struct rh_generate_field *a, const struct rh_generate_field *b)
{
    return a->actor == b->actor && a->block == b->block && a->inside == b->inside &&
           a->number == b->number && !a->value == !b->value;
}

static void add_changes(struct rh_text *text, const struct rh_generate_test *test,
                        const struct rh_generate_fields *before,
                        const struct rh_generate_fields *after)
{
    bool has_any = false;
    rh_text_add(text, "{");
    for (uint32_t i = 0; i < after->word_count; i++) {
        if (is_same(&before->words[i], &after->words[i]))
            continue;
        rh_text_addf(text, "%s%s = ", has_any ? ", " : "", after->words[i].path);
        rh_generate_show_value(text, test, &after->words[i]);
        has_any = true;
    }
    rh_text_add(text, has_any ? ", the rest as it was}" : "as it was}");
}

// `before` has no fields of what is new.
static void add_final(struct rh_text *text, const struct rh_generate_test *test,
                      const struct rh_generate_fields *before,
                      const struct rh_generate_fields *after)
{
    if (after->word_count > FIELDS_FEW && before->word_count == after->word_count)
        add_changes(text, test, before, after);
    else
        rh_generate_show_fields(text, test, after);
}

static void add_order(struct rh_text *text, const struct rh_generate_test *test)
{
    rh_text_add(text, "      order   ");
    for (uint32_t i = 0; i < test->step_count; i++) {
        const struct rh_generate_step *step = &test->steps[i];
        if (!step->type) {
            rh_text_addf(text, " (chooses %u)", step->outcome);
            continue;
        }
        rh_text_addf(text, "%s%s to ", i ? ", " : "", step->type);
        add_actor(text, test, step->receiver);
    }
    rh_text_add(text, "\n");
}

static void add_blocks(struct rh_text *text, const struct rh_generate_test *test, bool is_end)
{
    for (uint32_t i = 0; i < test->block_count; i++) {
        const struct rh_generate_block *block = &test->blocks[i];
        if (is_end ? !block->is_met && !block->is_freed : !block->is_initial)
            continue;
        rh_text_addf(text, is_end ? "      ends    &%u " : "      with    &%u ", i + 1);
        if (is_end && block->is_freed)
            rh_text_add(text, "freed");
        else if (is_end)
            add_final(text, test, &block->initial, &block->final);
        else
            rh_generate_show_fields(text, test, &block->initial);
        rh_text_add(text, "\n");
    }
}

static void add_test(struct rh_text *text, const struct rh_generate_result *result, size_t index)
{
    const struct rh_generate_test *test = &result->tests.items[index];
    rh_text_addf(text, "%5zu if %s\n", test->number,
                 *test->condition ? test->condition : "anything");
    for (uint32_t i = 0; i < test->actor_count; i++) {
        if (!test->actors[i].is_initial)
            continue;
        rh_text_add(text, "      with    ");
        add_actor(text, test, i);
        rh_text_add(text, " ");
        rh_generate_show_fields(text, test, &test->actors[i].initial);
        rh_text_add(text, "\n");
    }
    add_blocks(text, test, false);
    if (!result->test) {
        rh_text_addf(text, "      gets    %s ", result->message);
        rh_generate_show_fields(text, test, &test->message);
        rh_text_add(text, "\n");
    }
    for (uint32_t i = 0; i < test->message_count; i++) {
        rh_text_addf(text, "      sends   %s ", test->messages[i].type);
        rh_generate_show_fields(text, test, &test->messages[i].fields);
        rh_text_add(text, " to ");
        add_actor(text, test, test->messages[i].receiver);
        if (test->messages[i].sender != RH_NONE) {
            rh_text_add(text, " from ");
            add_actor(text, test, test->messages[i].sender);
        }
        rh_text_add(text, "\n");
    }
    for (uint32_t i = 0; i < test->input_count; i++)
        rh_text_addf(text, "      input   %s = %s\n", test->inputs[i].name,
                     test->inputs[i].value ? test->inputs[i].value : "?");
    for (uint32_t i = 0; i < test->call_count; i++)
        rh_text_addf(text, "      called  %s\n", test->calls[i]);
    add_order(text, test);
    for (uint32_t i = 0; i < test->actor_count; i++) {
        if (test->actors[i].is_outside)
            continue;
        rh_text_add(text, "      ends    ");
        add_actor(text, test, i);
        rh_text_add(text, test->actors[i].is_stopped ? " stopped " : " ");
        add_final(text, test, &test->actors[i].initial, &test->actors[i].final);
        rh_text_add(text, "\n");
    }
    add_blocks(text, test, true);
    if (!test->broken)
        return;
    rh_text_addf(text, "      BROKEN  %s", test->broken);
    if (test->place.file)
        rh_text_addf(text, "  at %s:%u", test->place.file, test->place.line);
    rh_text_add(text, "\n");
}

static size_t count_broken(const struct rh_generate_result *result)
{
    size_t broken = 0;
    for (size_t i = 0; i < result->tests.count; i++)
        broken += result->tests.items[i].broken != NULL;
    return broken;
}

static uint64_t count_notes(const struct rh_generate_result *result)
{
    uint64_t count = 0;
    for (size_t i = 0; i < result->notes.count; i++)
        count += result->notes.items[i].count;
    return count;
}

void rh_report_generated_head(struct rh_text *text, const char *program)
{
    rh_text_addf(text, "%s\n%-20s %-20s %7s %7s %7s %7s %12s\n", program, "behaviour", "message",
                 "tests", "broken", "states", "cut", "not followed");
}

void rh_report_generated_row(struct rh_text *text, const struct rh_generate_result *result)
{
    uint64_t cuts = 0;
    for (int i = 0; i < RH_CUT_COUNT; i++)
        cuts += result->cuts[i];
    rh_text_addf(text, "%-20s %-20s %7zu %7zu %7" PRIu64 " %7" PRIu64 " %12" PRIu64,
                 result->behaviour, result->message, result->tests.count, count_broken(result),
                 result->states, cuts, count_notes(result));
    if (result->notes.count) {
        const struct rh_generate_note *note = &result->notes.items[0];
        rh_text_addf(text, "  %s", note->text);
        if (note->place.file)
            rh_text_addf(text, " at %s:%u", note->place.file, note->place.line);
    }
    size_t refuted = 0;
    for (size_t i = 0; i < result->tests.count; i++)
        refuted += result->tests.items[i].run == RH_GENERATE_REFUTED;
    if (refuted)
        rh_text_addf(text, "  REFUTED: %zu tests end otherwise", refuted);
    rh_text_add(text, "\n");
}

// How many tests were run, and the first that ended otherwise.
static void add_runs(struct rh_text *text, const struct rh_generate_result *result)
{
    size_t counts[RH_GENERATE_REFUTED + 1] = {0}, undefined = 0;
    const struct rh_generate_test *refuted = NULL;
    for (size_t i = 0; i < result->tests.count; i++) {
        const struct rh_generate_test *test = &result->tests.items[i];
        counts[test->run]++;
        undefined += test->is_undefined;
        if (test->run == RH_GENERATE_REFUTED && !refuted)
            refuted = test;
    }
    if (result->tests.count == 0)
        return;
    rh_text_addf(text, "run:    %zu of %zu tests, as predicted\n", counts[RH_GENERATE_CONFIRMED],
                 result->tests.count);
    if (undefined)
        rh_text_addf(text, "not run: %zu tests, since what breaks has no meaning in C\n",
                     undefined);
    if (counts[RH_GENERATE_NOT_RUN] > undefined)
        rh_text_addf(text, "not run: %zu tests, which no schedule can express\n",
                     counts[RH_GENERATE_NOT_RUN] - undefined);
    if (refuted)
        rh_text_addf(text, "REFUTED: %zu tests end otherwise, %s first\n",
                     counts[RH_GENERATE_REFUTED], refuted->name);
}

static void add_fewest(struct rh_text *text, const struct rh_generate_result *result)
{
    const struct rh_generate_fewest *fewest = &result->fewest;
    if (fewest->is_on)
        rh_text_addf(text,
                     "fewest: %zu of %zu tests reach the %u lines and %u ways of branches that all "
                     "of them reach; %s\n",
                     result->tests.count, fewest->of, fewest->lines, fewest->ways,
                     fewest->is_proved ? "no fewer do" : "it is not proved that no fewer do");
}

static void add_cuts(struct rh_text *text, const struct rh_generate_result *result)
{
    static const char *const names[RH_CUT_COUNT] = {"--loop", "--deliveries-each", "--actors-each"};
    rh_text_add(text, "cut:    ");
    for (int i = 0; i < RH_CUT_COUNT; i++)
        rh_text_addf(text, "%s%" PRIu64 " by %s %" PRIu64, i ? ", " : "", result->cuts[i], names[i],
                     result->limits[i]);
    rh_text_add(text, "\n");
}

void rh_report_generated_text(struct rh_text *text, const struct rh_generate_result *result,
                              const char *program)
{
    if (result->test)
        rh_text_addf(text, "%s: test %s with any input%s", program, result->test,
                     result->any_messages ? " and any messages" : "");
    else
        rh_text_addf(text, "%s: %s gets %s", program, result->behaviour, result->message);
    rh_text_addf(text, ": %zu tests", result->tests.count);
    if (result->fewest.is_on)
        rh_text_addf(text, " of %zu", result->fewest.of);
    size_t broken = count_broken(result);
    if (broken)
        rh_text_addf(text, ", %zu BROKEN", broken);
    rh_text_add(text, "\n\n");
    for (size_t i = 0; i < result->tests.count; i++)
        add_test(text, result, i);
    rh_text_add(text, result->tests.count ? "\n" : "");
    add_cuts(text, result);
    rh_text_addf(text, "states: %" PRIu64 ", of which %" PRIu64 " have a stable actor\n",
                 result->states, result->stable);
    if (result->queries_unknown)
        rh_text_addf(text, "solver: gave up on %" PRIu64 " of %" PRIu64 " questions\n",
                     result->queries_unknown, result->queries);
    for (size_t i = 0; i < result->notes.count; i++) {
        const struct rh_generate_note *note = &result->notes.items[i];
        rh_text_addf(text, "not followed, %" PRIu64 " times: %s", note->count, note->text);
        if (note->place.file)
            rh_text_addf(text, "  at %s:%u", note->place.file, note->place.line);
        rh_text_add(text, "\n");
    }
    add_runs(text, result);
    add_fewest(text, result);
}
