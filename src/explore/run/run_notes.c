// SPDX-License-Identifier: MIT
#include <string.h>

#include "explore/run/run_state.h"
#include "memory/early.h"

static void add_note(struct rh_result *result, char *note)
{
    *rh_vector_push(&result->notes) = note;
}

// How states were compared, and how sure the comparison is.
static char *describe_states(const struct rh_shared *shared)
{
    const struct rh_states *states = &shared->states;
    struct rh_text text = {0};
    if (states->mode == RH_STATES_BITSTATE) {
        rh_text_addf(&text,
                     "states may have been omitted: the chance is about %.0e, with %.0e of the "
                     "table's bits set",
                     rh_states_omission_chance(states),
                     (double)states->bits_set / (double)states->capacity);
        return rh_text_take(&text);
    }
    rh_text_addf(&text, "states were compared by their fingerprints%s: ",
                 states->mode == RH_STATES_ACTORS
                     ? ", up to the names of actors and the addresses of memory"
                     : "");
    if (states->whole)
        rh_text_add(&text, "no two different ones had the same");
    else
        rh_text_addf(&text, "the chance that two different ones were taken for one is below %.0e",
                     rh_states_collision_chance(states, shared->actors_most));
    return rh_text_take(&text);
}

static void add_notes(const struct rh_shared *shared, const struct rh_debug *debug,
                      bool types_unknown, bool is_reduced, struct rh_result *result)
{
    struct rh_text text = {0};
    if (shared->cannot_undo[0] != '\0') {
        if (shared->has_stream)
            rh_text_add(&text, "a stream was open when the test's body ended, and what handlers do "
                               "with it");
        else
            rh_text_addf(&text, "a handler called %s, whose effect", shared->cannot_undo);
        rh_text_add(&text, " cannot be undone: executions were run again from their start");
        if (rh_shared_compares(shared))
            rh_text_add(&text, ", and states behind it were not compared");
        add_note(result, rh_text_take(&text));
    }
    if (shared->starts_thread[0] != '\0') {
        rh_text_addf(&text,
                     "the program called %s: its threads run beside the deliveries, and in which "
                     "order they do what they do was left to chance, so the search is not complete",
                     shared->starts_thread);
        add_note(result, rh_text_take(&text));
    }
    if (!rh_is_ok(&shared->files_told.refusal)) {
        rh_text_addf(&text, "executions share files: %s", shared->files_told.refusal.text);
        add_note(result, rh_text_take(&text));
    }
    if (shared->files_told.outside[0] != '\0') {
        rh_text_addf(&text,
                     "executions share files that are not in the working directory, so that one "
                     "may see what another has left there: %s",
                     shared->files_told.outside);
        add_note(result, rh_text_take(&text));
    }
    if (types_unknown) {
        bool has_some = rh_debug_has_types(debug);
        rh_text_addf(&text,
                     "the program has no debug information%s, so pointers in %s were not checked "
                     "and padding counts%s: compile it with -g",
                     has_some ? " about some of its messages" : "", has_some ? "these" : "messages",
                     rh_run_has_fixed_addresses() ? "" : ", with bytes that differ in every run");
        add_note(result, rh_text_take(&text));
    }
    if (rh_early_is_full() || shared->is_early_full)
        add_note(result, rh_strdup("the program allocated more before its tests than can be "
                                   "watched: what handlers write to the rest of it is not seen"));
    if (shared->ignores_comings)
        add_note(result,
                 rh_strdup("nothing came of what the test lists with rh_may_come: --environment "
                           "open delivers it"));
    if (rh_shared_compares(shared))
        add_note(result, describe_states(shared));
    if (shared->graph.full)
        add_note(result, rh_strdup("there are too many states and deliveries to keep them all: "
                                   "livelocks were looked for among the first"));
    if (shared->trail.closed && shared->states.mode == RH_STATES_BITSTATE)
        add_note(result, rh_strdup("the program can come back to a state that it has been in: "
                                   "--states exact or actors finds out whether it is a livelock"));
    if (shared->trail.closed && shared->states.mode != RH_STATES_BITSTATE && !shared->graph.on)
        add_note(result, rh_strdup("the program can come back to a state that it has been in: with "
                                   "faults it is not found out whether that is a livelock"));
    if (is_reduced || (shared->census.on && shared->footprints->everything))
        rh_footprints_explain(shared->footprints, &text);
    if (text.length > 0)
        add_note(result, rh_text_take(&text));
    if (shared->leads_lost > 0) {
        rh_text_addf(&text, "%llu further findings were left out: there is room for %d kinds",
                     (unsigned long long)shared->leads_lost, RH_LEADS_MOST);
        add_note(result, rh_text_take(&text));
    }
}

// Whether there may be a livelock where nobody has looked: in further executions that were cut off,
// or in executions that a reduction has left out.
static bool misses_rounds(const struct rh_run *run)
{
    const struct rh_shared *shared = run->shared;
    bool misses = false;
    for (uint32_t i = 0; i < shared->lead_count; i++) {
        if (shared->leads[i].finding.kind == RH_FINDING_LIVELOCK)
            return false;
        misses |= shared->leads[i].finding.kind == RH_FINDING_BOUND &&
                  (shared->leads[i].finding.count > 1 || rh_run_is_reduced(run));
    }
    return misses && shared->looked_for_round && !shared->states.entries;
}

static void add_strategy_note(const struct rh_run *run, struct rh_result *result)
{
    const struct rh_shared *shared = run->shared;
    struct rh_text text = {0};
    run->job.strategy->note(shared->strategy, shared->executions, &text);
    if (text.length > 0)
        add_note(result, rh_text_take(&text));
    rh_text_fini(&text);
}

// A search that starts again has usually come no further than a few deliveries. One in so many of
// those that are counted is worth a word.
enum { MUCH = 10, FEW = 1000 };

static void note_spent(const struct rh_spent *spent, struct rh_result *result)
{
    struct rh_text text = {0};
    if (spent->deliveries <= FEW)
        return;
    rh_text_addf(&text,
                 "the search was begun again when it had learned what deliveries touch: %llu "
                 "executions and %llu deliveries before that are not counted above",
                 (unsigned long long)spent->executions, (unsigned long long)spent->deliveries);
    add_note(result, rh_text_take(&text));
}

static void note_suppressed(const struct rh_shared *shared, struct rh_result *result)
{
    struct rh_text text = {0};
    rh_text_addf(&text,
                 "handlers share the suppressed variable %s: orders in which nothing else differs "
                 "were left out, so not all is proved; --reduction none tries them",
                 shared->suppressed);
    add_note(result, rh_text_take(&text));
}

static void note_no_room(const struct rh_run *run, struct rh_result *result)
{
    struct rh_text text = {0};
    rh_text_addf(&text, "%s: the search went on without --reduction, and left nothing out",
                 run->no_room.text);
    add_note(result, rh_text_take(&text));
}

// A name that nothing has may be mistyped.
static void note_aims(const struct rh_run *run, struct rh_result *result)
{
    static const char *const options[] = {NULL, "drop", "duplicate", "crash"};
    for (int fault = RH_FAULT_DROP; fault <= RH_FAULT_CRASH; fault++) {
        const char *aim = run->options->faults.aims[fault];
        struct rh_text text = {0};
        if (!aim || run->shared->aims_met >> fault & 1)
            continue;
        rh_text_addf(&text, "--%s %s: there was no such %s%s, so no fault was tried",
                     options[fault], aim, fault == RH_FAULT_CRASH ? "actor" : "message",
                     fault != RH_FAULT_CRASH && aim[0] == '@' ? " but from the test's body" : "");
        add_note(result, rh_text_take(&text));
    }
}

void rh_run_add_notes(const struct rh_run *run, struct rh_result *result)
{
    const struct rh_run_options *options = run->options;
    const struct rh_shared *shared = run->shared;
    if (options == &run->automatic_options) {
        struct rh_text text = {0};
        rh_text_addf(&text,
                     "there was no end to it without comparing states: after %llu executions and "
                     "%llu deliveries, which are not counted above, the search was begun again "
                     "with --states exact --reduction %s",
                     (unsigned long long)shared->spent.executions,
                     (unsigned long long)shared->spent.deliveries, options->reduction);
        add_note(result, rh_text_take(&text));
    } else if (rh_is_ok(&run->no_room) && shared->spent.deliveries > shared->deliveries / MUCH) {
        note_spent(&shared->spent, result);
    }
    add_notes(shared, options->debug, run->types_unknown, rh_run_is_reduced(run), result);
    if (misses_rounds(run))
        add_note(result, rh_strdup("livelocks were looked for in the first execution that was cut "
                                   "off only: --states exact or actors looks everywhere"));
    if (shared->suppressed[0] != '\0' && rh_strategy_reduces(run->job.strategy))
        note_suppressed(shared, result);
    if (!rh_is_ok(&run->no_room))
        note_no_room(run, result);
    else if (run->reduction)
        add_note(result,
                 rh_strdup("the program can come back to a state that it has been in: every "
                           "order was tried, to find livelocks, and none left out"));
    note_aims(run, result);
    if (run->job.strategy->note)
        add_strategy_note(run, result);
    char *said = NULL;
    for (unsigned i = 0; options->adapter->say && (said = options->adapter->say(i)); i++)
        add_note(result, said);
}

void rh_run_note_shortest(const struct rh_run *run, struct rh_result *result,
                          const struct rh_lead *leads)
{
    // An automatic search may have gone on with states: the first way to a state need not be the
    // shortest.
    bool is_proved = run->shared->done && !run->shared->states.entries;
    bool has_error = false;
    for (size_t i = 0; i < result->findings.count; i++) {
        const struct rh_shown *shown = &result->findings.items[i];
        const struct rh_finding *finding = &shown->finding;
        bool is_error = finding->severity == RH_SEVERITY_ERROR;
        has_error |= is_error;
        is_proved &= finding->kind != RH_FINDING_BOUND &&
                     finding->kind != RH_FINDING_NONDETERMINISM &&
                     (!is_error || shown->execution.deliveries == leads[i].deliveries) &&
                     (!leads[i].is_whole || run->job.strategy->tries_all);
    }
    if (!run->options->shortest || !has_error)
        return;
    const char *what = is_proved ? "no execution with fewer deliveries shows %s"
                                 : "there may be an execution with fewer deliveries that shows %s: "
                                   "not all were tried";
    struct rh_text text = {0};
    rh_text_addf(&text, what, run->options->keep_going ? "one of these errors" : "an error");
    add_note(result, rh_text_take(&text));
}
