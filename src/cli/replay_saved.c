// SPDX-License-Identifier: MIT
#include "cli/replay_saved.h"

#include <string.h>

#include "debug/debug.h"
#include "entry/program.h"
#include "explore/run.h"

bool rh_schedule_is_saved(const struct rh_schedule *schedule)
{
    const char *kind = schedule->finding_kind;
    return kind && !schedule->is_generated && strcmp(kind, "order") != 0 &&
           strcmp(kind, "reached") != 0;
}

// --- What is left of a schedule that can't be made any more. ---

static struct rh_status follow_rest(const struct rh_run_options *options,
                                    const struct rh_test *test, const struct rh_schedule *schedule,
                                    struct rh_result *result)
{
    struct rh_run_options own = *options;
    own.schedule = schedule;
    own.lenient = true;
    own.output = false;
    own.traffic = NULL;
    own.lines = NULL;
    return rh_run_test(&own, test, result);
}

static void forget_identity(struct rh_step *step)
{
    step->has_identity = false;
}

// A further message of the same kind gives those behind it other identities; their names stay.
static void copy_by_names(struct rh_schedule *to, const struct rh_schedule *from)
{
    rh_schedule_copy(to, from);
    to->finding_kind = rh_strdup(from->finding_kind);
    to->finding_file = from->finding_file ? rh_strdup(from->finding_file) : NULL;
    to->finding_line = from->finding_line;
    for (size_t i = 0; i < to->steps.count; i++)
        forget_identity(&to->steps.items[i]);
    for (size_t i = 0; i < to->holds.count; i++) {
        forget_identity(&to->holds.items[i].held);
        forget_identity(&to->holds.items[i].until);
    }
}

// Takes the place of the result if what is left shows the finding nevertheless.
static bool shows_still(const struct rh_run_options *options, const struct rh_test *test,
                        const struct rh_schedule *schedule, struct rh_result *result)
{
    struct rh_result rest = {0};
    struct rh_status status = follow_rest(options, test, schedule, &rest);
    if (!rh_is_ok(&status) || !rh_result_find(&rest, options->schedule)) {
        rh_result_fini(&rest);
        return false;
    }
    struct rh_text note = {0};
    rh_text_addf(&note, "the schedule can't be made any more, and what is left of it fails: %s",
                 result->refusal);
    *rh_vector_push(&rest.notes) = rh_text_take(&note);
    rh_result_fini(result);
    *result = rest;
    return true;
}

static bool rest_shows_still(const struct rh_run_options *options, const struct rh_test *test,
                             struct rh_result *result)
{
    struct rh_schedule names = {0};
    copy_by_names(&names, options->schedule);
    bool shows = shows_still(options, test, options->schedule, result) ||
                 shows_still(options, test, &names, result);
    rh_schedule_fini(&names);
    return shows;
}

// --- Names that the program does not know. ---

static bool is_function(struct rh_debug *debug, const char *name, size_t length, const char *tail)
{
    struct rh_text text = {0};
    rh_text_add_bytes(&text, name, length);
    rh_text_add(&text, tail);
    bool is_known = rh_debug_find_function(debug, rh_text_get(&text)) != 0;
    rh_text_fini(&text);
    return is_known;
}

// Whether no behaviour can have given the actor its name: "master#1/worker#3" is a worker.
static bool has_unknown_behaviour(struct rh_debug *debug, const char *actor)
{
    const char *slash = strrchr(actor, '/'), *name = slash ? slash + 1 : actor;
    const char *end = strchr(name, '#');
    return debug && end && !is_function(debug, name, (size_t)(end - name), "_behaviour") &&
           !is_function(debug, name, (size_t)(end - name), "");
}

static const char *unknown_name(struct rh_debug *debug, const struct rh_step *step)
{
    bool is_about_message = step->kind == RH_STEP_DELIVER || step->kind == RH_STEP_DROP ||
                            step->kind == RH_STEP_DUPLICATE;
    if (is_about_message && !rh_program_find_type(step->type))
        return step->type;
    bool has_actor = is_about_message || rh_step_is_crash(step->kind);
    return has_actor && has_unknown_behaviour(debug, step->receiver) ? step->receiver : NULL;
}

static const char *find_unknown_name(const struct rh_run_options *options)
{
    const struct rh_schedule *schedule = options->schedule;
    const char *name = NULL;
    for (size_t i = 0; i < schedule->steps.count && !name; i++)
        name = unknown_name(options->debug, &schedule->steps.items[i]);
    for (size_t i = 0; i < schedule->holds.count && !name; i++) {
        name = unknown_name(options->debug, &schedule->holds.items[i].held);
        name = name ? name : unknown_name(options->debug, &schedule->holds.items[i].until);
    }
    return options->adapter->keeps_state ? NULL : name;
}

struct rh_status rh_replay_saved(const struct rh_run_options *options, const struct rh_test *test,
                                 struct rh_result *result)
{
    struct rh_run_options own = *options;
    own.tells_refusal = true;
    struct rh_status status = rh_run_test(&own, test, result);
    if (!rh_is_ok(&status) || !result->refusal || rest_shows_still(options, test, result))
        return status;
    const char *name = find_unknown_name(options);
    if (name) {
        status = rh_bad_input("%.800s; the program knows no %.100s: if it has another name now, "
                              "the schedule needs it too, or search again",
                              result->refusal, name);
        rh_result_fini(result);
    }
    return status;
}
