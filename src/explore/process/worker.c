// SPDX-License-Identifier: MIT
// The process that runs executions. It follows what the path prescribes, asks the strategy beyond
// the path, and goes back by undo where it can; where it can't, it ends and the next worker runs
// the beginning again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore/dependence/footprint_verify.h"
#include "explore/process/budget.h"
#include "explore/process/questions.h"
#include "explore/process/worker.h"
#include "explore/strategy/holds.h"
#include "explore/strategy/replay.h"
#include "lines/record.h"
#include "memory/early.h"
#include "world/fault.h"

// The worker of this process, for callbacks that have no context. It has a page of its own.
static union {
    struct rh_worker *worker;
    char page[4096];
} own RH__OWN;

_Noreturn void rh_worker_end(enum rh_worker_exit code)
{
    if (own.worker->job.here) {
        rh_files_tidy(getpid());
        _exit(own.worker->shared->lead_count > 0);
    }
    own.worker->shared->last_word = code;
    _exit(code);
}

_Noreturn void rh_worker_bad_input(struct rh_status status)
{
    own.worker->shared->status = status;
    rh_worker_end(RH_EXIT_STATUS);
}

// What a worker ends with by itself would be the program's doing.
void rh__memory_is_out(struct rh_status status)
{
    if (own.worker)
        rh_worker_bad_input(status);
}

// Where malloc is not ours nothing is undone, and addresses differ from process to process.
static bool verifies(const struct rh_worker *worker)
{
    return worker->job.options->undo == RH_UNDO_VERIFY && rh__process.owns_malloc;
}

// Questions to the keeper.

static void ask_keeper(struct rh_worker *worker, char question)
{
    if (worker->job.ask_keeper >= 0)
        rh_question_ask(worker->shared, worker->job.ask_keeper, question);
}

// Executions.

static bool is_stopped(const struct rh_worker *worker)
{
    return worker->shared->stopped_by != RH_STOP_NOTHING;
}

enum { FEW_ACTORS = 1000 };

// Whether the memory of an actor that got no message has changed: a handler wrote there through a
// pointer. Checked where time matters less: under --undo verify, and in traces of not too many
// actors.
static bool report_intruder(struct rh_worker *worker)
{
    struct rh_world *world = worker->world;
    bool wanted = world->options.verify ||
                  (worker->job.trace_output >= 0 && world->actor_count <= FEW_ACTORS);
    if (!wanted || !world->options.fingerprints)
        return false;
    for (uint32_t slot = 1; slot < world->actor_count; slot++) {
        const struct rh_actor_record *record = &world->actors[slot];
        if (record->status == RH_ACTOR_OUTSIDE || record->hash == rh_actor_hash(world, slot))
            continue;
        struct rh_text name = {0};
        rh_world_add_name(world, &name, slot);
        rh_world_report(world, RH_FINDING_PRIVATE_POINTER, NULL, 0,
                        "delivery %u changed the memory of %s, which is not its receiver",
                        world->number, rh_text_get(&name));
        rh_text_fini(&name);
        return true;
    }
    return false;
}

static void check_digest(struct rh_worker *worker, struct rh_decision *decision)
{
    struct rh_world *world = worker->world;
    rh_hash128 full = rh_world_digest(world, false);
    uint64_t digest = (uint64_t)full ^ (uint64_t)(full >> 64);
    if (world->options.fingerprints && rh_world_digest(world, true) != world->fingerprint)
        rh_worker_bad_input(rh_failed("--undo verify: the incremental fingerprint is wrong after "
                                      "delivery %u",
                                      world->number));
    if (worker->job.mode == RH_WORKER_VERIFY && decision->digest != digest)
        rh_worker_bad_input(rh_failed("--undo verify: undo and re-execution differ after delivery "
                                      "%u of execution %llu",
                                      world->number,
                                      (unsigned long long)worker->shared->executions + 1));
    decision->digest = digest;
}

static void note_touched(struct rh_worker *worker, const struct rh_message *message)
{
    uint32_t number = worker->world->number;
    if (worker->touched.count <= number)
        rh_vector_push(&worker->touched);
    worker->touched.items[number] =
        rh_footprints_of(worker->shared->footprints, worker->world, message);
}

static void copy_name(char *to, size_t size, const char *from)
{
    size_t length = from ? strnlen(from, size - 1) : 0;
    memcpy(to, from ? from : "", length);
    to[length] = '\0';
}

static inline void note_name(char *to, size_t size, const char *from, const char **known)
{
    if (from == *known)
        return;
    *known = from;
    copy_name(to, size, from);
}

static void note_handling(struct rh_worker *worker, const struct rh_message *message)
{
    struct rh_handling *handling = &worker->shared->handling;
    const struct rh_actor_record *receiver = &worker->world->actors[message->receiver];
    handling->handler = (const void *)(uintptr_t)receiver->behaviour;
    note_name(handling->behaviour, sizeof handling->behaviour, receiver->behaviour_name,
              &handling->behaviour_at);
    note_name(handling->message_type, sizeof handling->message_type,
              message->type ? message->type->name : NULL, &handling->message_type_at);
    handling->actor[0] = '\0';
    if (!worker->job.tape)
        return;
    struct rh_text name = {0};
    rh_world_add_name(worker->world, &name, message->receiver);
    copy_name(handling->actor, sizeof handling->actor, rh_text_get(&name));
    rh_text_fini(&name);
}

// What the present state is known by in the journal.
static rh_hash128 present_state(const struct rh_worker *worker)
{
    return worker->world->options.fingerprints
               ? rh_states_fingerprint(&worker->shared->states, worker->world)
               : 0;
}

// The decisions from number `first` on.
static struct rh_journal_chosen chosen_since(const struct rh_worker *worker, uint32_t first)
{
    return (struct rh_journal_chosen){worker->path->decisions + first, worker->applied - first};
}

// A search that begins anew forgets what it has written down.
static void note_body(struct rh_worker *worker)
{
    if (worker->shared->executions == 0 && worker->shared->deliveries == 0)
        rh_journal_clear(worker->journal);
    rh_journal_note_body(worker->journal, worker->world, chosen_since(worker, 0),
                         present_state(worker));
}

static void begin_lines(const struct rh_worker *worker, const struct rh_message *message)
{
    bool goes_on = worker->world->actors[message->receiver].status == RH_ACTOR_WAITING;
    rh_lines_begin(worker->world->number + 1, message->receiver, goes_on);
}

// Where a waiting handler goes on: the return address lies behind the registers that it has saved.
static uintptr_t address_behind_ask(const struct rh_actor_record *record)
{
    const uintptr_t *saved =
        rh_stack_has(record->stack_pointer) ? record->saved_stack : record->stack_pointer;
    return saved[6];
}

static void end_lines(const struct rh_worker *worker, bool holds,
                      const struct rh_actor_record *receiver)
{
    bool has_returned = holds && !worker->failed;
    bool asks = receiver->status == RH_ACTOR_WAITING && !worker->job.options->adapter->keeps_state;
    if (has_returned && asks)
        rh_lines_wait(worker->world->number, address_behind_ask(receiver));
    else
        rh_lines_end(has_returned);
}

// Guards or judges have run, which do not wait.
static void end_judges(const struct rh_worker *worker)
{
    if (worker->notes_lines)
        rh_lines_end(!worker->failed);
}

// What there is to know of a receiver before a delivery, to say behind it whether it has changed.
struct before {
    bool is_idle;    // the undo stack tells
    rh_hash128 hash; // otherwise
};

static rh_hash128 hash_of(const struct rh_worker *worker, const struct rh_actor_record *record)
{
    struct rh_world *world = worker->world;
    return world->options.fingerprints ? record->hash
                                       : rh_actor_hash(world, (uint32_t)(record - world->actors));
}

static struct before look_before(const struct rh_worker *worker,
                                 const struct rh_actor_record *receiver)
{
    const struct rh_world_options *options = &worker->world->options;
    struct before before = {.is_idle = options->keep_undo && !options->fingerprints &&
                                       receiver->status == RH_ACTOR_IDLE};
    if (worker->notes_footprints && worker->has_memory && !before.is_idle)
        before.hash = hash_of(worker, receiver);
    return before;
}

// Without fingerprints it is not known which data of the program are as they were at the start, and
// with that what a waiting handler may still look at.
static bool has_changed(const struct rh_worker *worker, const struct rh_actor_record *receiver,
                        const struct before *before)
{
    const struct rh_world *world = worker->world;
    if (!worker->has_memory || (!world->options.fingerprints && world->wrote_globals))
        return true;
    return before->is_idle ? rh_world_has_changed_idle(world)
                           : hash_of(worker, receiver) != before->hash;
}

static bool deliver(struct rh_worker *worker, uint32_t index)
{
    struct rh_world *world = worker->world;
    uint32_t at = worker->applied - 1;
    uint32_t number = world->number;
    if (worker->delivery_at.count <= number)
        rh_vector_push(&worker->delivery_at);
    worker->delivery_at.items[number] = at;
    if (worker->shared->census.on)
        note_touched(worker, &world->messages[world->deliverable[index]]);
    // This process is the only writer: a store is enough, and needs no locked instruction.
    uint64_t beat = atomic_load_explicit(&worker->shared->heartbeat, memory_order_relaxed);
    atomic_store_explicit(&worker->shared->heartbeat, beat + 1, memory_order_relaxed);
    uint32_t message = world->deliverable[index];
    note_handling(worker, &world->messages[message]);
    worker->shared->delivering = true;
    if (worker->traffic.record)
        rh_traffic_deliver(&worker->traffic, world, message, !rh_worker_is_counted(worker));
    const struct rh_actor_record *receiver = &world->actors[world->messages[message].receiver];
    const struct before before = look_before(worker, receiver);
    struct rh_journal_mark mark = rh_journal_mark_of(world);
    if (worker->notes_lines)
        begin_lines(worker, &world->messages[message]);
    bool holds = rh_world_deliver(world, message);
    if (worker->notes_lines)
        end_lines(worker, holds, receiver);
    worker->shared->delivering = false;
    if (worker->journal && rh_worker_is_counted(worker))
        rh_journal_note_delivery(worker->journal, world, message, mark,
                                 chosen_since(worker, at + 1), present_state(worker), !holds);
    if (worker->notes_footprints)
        rh_footprints_note(worker->shared->footprints, world, &world->messages[message],
                           has_changed(worker, receiver, &before), rh_worker_is_counted(worker));
    if (worker->shared->graph.on)
        rh_graph_record_delivery(&worker->rounds.record, world, message);
    if (report_intruder(worker))
        return false;
    if (verifies(worker) && worker->job.mode != RH_WORKER_FOLLOW)
        check_digest(worker, &worker->path->decisions[at]);
    return holds && !worker->failed;
}

static void reach_bound(struct rh_worker *worker)
{
    struct rh_world *world = worker->world;
    const struct rh_adapter_ops *adapter = worker->job.options->adapter;
    char *who = adapter->describe ? adapter->describe() : NULL;
    worker->is_new = true; // an end is reached once
    if (worker->journal)
        rh_journal_note_cut(worker->journal, world);
    rh_world_report(world, RH_FINDING_BOUND, NULL, 0,
                    "an execution was cut off after %u deliver%s (--max-length)%s%s", world->number,
                    world->number == 1 ? "y" : "ies", who ? ": " : "", who ? who : "");
    free(who);
    if (!rh_worker_follows(worker) && !worker->asked_about_bound) {
        worker->asked_about_bound = true;
        worker->shared->looked_for_round = worker->has_memory;
        ask_keeper(worker, RH_QUESTION_BOUND);
    }
    rh_worker_report_round(worker);
    if (!rh_worker_follows(worker) && worker->job.options->automatic &&
        rh_shared_can_compare(worker->shared) && !world->cannot_undo)
        worker->shared->stopped_by = RH_STOP_FOR_STATES;
}

// Whether the schedule was followed to its end.
static bool finish_replay(struct rh_worker *worker)
{
    const struct rh_step *step = rh_replay_step(worker->shared->strategy);
    const struct rh_schedule *schedule = worker->job.options->schedule;
    const char *path = schedule->path ? schedule->path : "schedule";
    bool is_asked = step && (step->kind == RH_STEP_CHOOSE || step->kind == RH_STEP_ANSWER);
    if (step && !is_asked && !worker->job.options->lenient) {
        rh__worker_refuse(
            worker,
            rh_bad_input("%s:%d: %s%s%s cannot %s here: the execution has ended, "
                         "nothing is deliverable",
                         path, step->line, step->type ? step->type : "", step->type ? " to " : "",
                         step->receiver ? step->receiver : "the lap", rh_step_deed(step->kind)));
        return false;
    }
    // What a saved schedule says too much about outcomes does no harm; a test's order is exact.
    if (is_asked && worker->job.options->is_order) {
        rh__worker_refuse(worker,
                          rh_bad_input("%s:%d: the program does not ask for this outcome: the "
                                       "execution has ended",
                                       path, step->line));
        return false;
    }
    if (!schedule->stops)
        worker->shared->idle_hold = rh_holds_find_idle(schedule, worker->world);
    return true;
}

// The outcomes of the newest delivery's choices, and how many there are.
static const struct rh_decision *newest_choices(const struct rh_worker *worker, uint32_t *count)
{
    uint32_t number = worker->world->number;
    uint32_t first = number > 0 ? worker->delivery_at.items[number - 1] + 1 : 0;
    *count = worker->applied - first;
    return worker->path->decisions + first;
}

static void note_state(struct rh_worker *worker, uint32_t count)
{
    uint32_t choice_count;
    const struct rh_decision *choices = newest_choices(worker, &choice_count);
    rh_rounds_note(&worker->rounds, count, choices, choice_count);
}

static void note_known_state(struct rh_worker *worker)
{
    uint32_t choice_count;
    const struct rh_decision *choices = newest_choices(worker, &choice_count);
    rh_rounds_note_known(&worker->rounds, choices, choice_count);
}

static void note_trail(struct rh_worker *worker, rh_hash128 fingerprint, bool is_known)
{
    if (rh_rounds_note_trail(&worker->rounds, fingerprint, is_known))
        rh_worker_end(RH_EXIT_RESTART);
}

static bool visit_state(struct rh_worker *worker)
{
    struct rh_shared *shared = worker->shared;
    if (shared->actors_most < worker->world->actor_count)
        shared->actors_most = worker->world->actor_count;
    if (rh_states_belong_to_strategy(&shared->states)) {
        note_trail(worker, rh_states_fingerprint(&shared->states, worker->world), true);
        return false;
    }
    enum rh_states_answer answer =
        rh_states_visit(&shared->states, worker->world, &shared->heartbeat);
    note_trail(worker, shared->states.latest, answer == RH_STATES_KNOWN);
    switch (answer) {
    case RH_STATES_NEW:
        return false;
    case RH_STATES_KNOWN:
        note_known_state(worker);
        shared->pruned = true;
        return true;
    case RH_STATES_FULL:
        return rh_budget_stop(shared, RH_STOP_STATES);
    case RH_STATES_BEYOND:
        return rh_budget_stop(shared, RH_STOP_MEMORY);
    case RH_STATES_CLASH:
        rh_worker_bad_input(rh_failed("--states-full: two different states have the same "
                                      "fingerprint; --states none does not compare them"));
    }
    return false;
}

// Whether the search has seen the state after a new delivery: then what follows is known.
static bool is_known(struct rh_worker *worker)
{
    if (rh_worker_follows(worker))
        return false;
    if (!rh_worker_is_counted(worker)) {
        rh_rounds_note_repeated(&worker->rounds);
        return false;
    }
    worker->shared->unvisited = false;
    // Where a call can't be undone, files and the like are part of the state, but of no
    // fingerprint.
    return worker->shared->states.entries && !worker->world->cannot_undo && visit_state(worker);
}

// Nothing is deliverable any more: whether the search has had this execution in another form.
static bool is_redundant(struct rh_worker *worker)
{
    if (rh_worker_follows(worker) || !worker->job.strategy->ended)
        return false;
    const struct rh_fork fork = {.is_delivery = true};
    worker->job.strategy->ended(worker->shared->strategy, rh_worker_choice_point(worker, &fork));
    return worker->shared->pruned;
}

// A message of rh_may_come has come and can't be delivered any more. The same execution without
// that message is one of its own.
static bool came_in_vain(struct rh_worker *worker)
{
    const struct rh_world *world = worker->world;
    if (world->comings.count == 0 || rh_worker_follows(worker) ||
        !worker->job.strategy->can_complete)
        return false;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        worker->shared->pruned |= world->messages[i].coming != 0;
    return worker->shared->pruned;
}

static void end_execution(struct rh_worker *worker)
{
    struct rh_shared *shared = worker->shared;
    if (shared->census.on && !rh_worker_follows(worker))
        rh_census_add(&shared->census, worker->world, worker->path, worker->touched.items,
                      &shared->heartbeat);
    if (worker->journal)
        rh_journal_note_end(worker->journal, worker->world);
    if (worker->job.options->adapter->judge)
        worker->job.options->adapter->judge();
    else
        rh_world_end(worker->world);
    if (worker->job.strategy->has_schedule)
        rh_world_check_ends(worker->world);
}

// Nothing is deliverable any more.
static void finish(struct rh_worker *worker)
{
    worker->is_new = true; // an end is reached once
    if (worker->job.strategy->has_schedule && !rh_worker_follows(worker)) {
        bool is_followed = finish_replay(worker);
        if (!is_followed || worker->job.options->schedule->stops)
            return;
    }
    if (!is_redundant(worker) && !came_in_vain(worker))
        end_execution(worker);
}

// A guard has failed: counts as a failure of the delivery that led here.
static void fail_guard(struct rh_worker *worker)
{
    worker->path->cut = worker->world->number > 0;
    if (worker->notes_footprints)
        rh_footprints_add_guard(worker->shared->footprints, worker->world);
    rh_worker_check_footprints(worker);
}

// Whether whatever the execution still leads to has as many deliveries as a known error. Reduced
// searches can't stop there: later deliveries may tell them of a shorter way.
static bool is_too_long(const struct rh_worker *worker)
{
    const struct rh_run_options *options = worker->job.options;
    return options->shortest && !options->keep_going && !rh_worker_follows(worker) &&
           worker->job.strategy->tries_all &&
           worker->world->number + UINT64_C(1) >= worker->shared->shortest;
}

// The messages that can be delivered now, also after the program has gone on by itself.
static uint32_t find_deliverable(struct rh_worker *worker)
{
    const struct rh_adapter_ops *adapter = worker->job.options->adapter;
    uint32_t count = rh_world_deliverable(worker->world);
    if (count > 0 || !adapter->go_on_idle || !adapter->go_on_idle())
        return count;
    return rh_world_deliverable(worker->world);
}

// In a build with VERIFY=1, what the last delivery has touched against what the search believes of
// it.
static void verify_footprints(const struct rh_worker *worker, uint32_t message)
{
    if (RH_VERIFIES && worker->relies_on_footprints && !worker->job.learns && !worker->path->cut)
        rh_footprints_verify(worker->shared->footprints, worker->world,
                             &worker->world->messages[message]);
}

// Runs from where the world is to the end of the execution.
static void run_execution(struct rh_worker *worker)
{
    struct rh_world *world = worker->world;
    for (;;) {
        if (worker->job.strategy->prepare && !rh_worker_follows(worker))
            worker->job.strategy->prepare(worker->shared->strategy, world);
        worker->asks_guards = true;
        uint32_t count = find_deliverable(worker);
        worker->asks_guards = false;
        end_judges(worker);
        if (worker->is_silent && rh_replay_is_done(worker->shared->strategy))
            count = rh_world_without_comings(world, count);
        if (worker->failed) {
            fail_guard(worker);
            return;
        }
        if (worker->rounds.on)
            note_state(worker, count);
        if (count > 0 && world->number >= worker->job.options->max_length &&
            !rh_rounds_makes_lap(&worker->rounds)) {
            reach_bound(worker);
            return;
        }
        const struct rh_fork fork = {.count = rh_world_add_crashes(world, count),
                                     .is_delivery = true};
        if (fork.count == 0) {
            finish(worker);
            return;
        }
        worker->is_new = worker->applied >= worker->path->keep && !rh_worker_follows(worker);
        if (worker->is_new && count > 0 && is_too_long(worker)) {
            // Every other way from here is too long as well.
            worker->path->length = worker->applied;
            worker->shared->pruned = true;
            return;
        }
        if (worker->is_new && rh_budget_is_reached(worker->shared, worker->job.options))
            return;
        uint32_t index = rh_worker_decide(worker, &fork);
        if (index == RH_NONE) {
            if (!worker->failed)
                rh_rounds_finish_lap(&worker->rounds);
            return;
        }
        if (world->messages[world->deliverable[index]].kind == RH_END) {
            worker->has_ended = true;
            finish(worker);
            return;
        }
        if (worker->is_new)
            rh_worker_count_delivery(worker);
        uint32_t message = world->deliverable[index];
        worker->path->cut = !deliver(worker, index);
        rh_worker_check_footprints(worker);
        verify_footprints(worker, message);
        if (worker->path->cut || is_known(worker))
            return;
    }
}

static void note_cannot_undo(struct rh_worker *worker)
{
    if (worker->world->cannot_undo)
        snprintf(worker->shared->cannot_undo, sizeof worker->shared->cannot_undo, "%s",
                 worker->world->cannot_undo);
}

// Brings the world back to the state before decision `keep`, as far as undo can; the deliveries
// from there on are prescribed.
static void go_back(struct rh_worker *worker)
{
    struct rh_world *world = worker->world;
    note_cannot_undo(worker);
    if (worker->has_ended)
        worker->applied--;
    worker->has_ended = false;
    while (worker->applied > worker->path->keep) {
        if (!rh_worker_goes_back(worker) || !rh_world_can_undo(world))
            rh_worker_end(RH_EXIT_RESTART);
        rh_world_undo(world);
        worker->applied = worker->delivery_at.items[world->number];
    }
    rh_assert(!world->options.saves_once || world->number == 0);
    worker->failed = world->failed = false;
}

_Noreturn static void search(struct rh_worker *worker, bool holds)
{
    for (;;) {
        if (holds)
            run_execution(worker);
        end_judges(worker);
        if (rh_worker_follows(worker))
            rh_worker_end(RH_EXIT_DONE);
        if (verifies(worker) && !is_stopped(worker))
            ask_keeper(worker, RH_QUESTION_VERIFY);
        if (worker->shared->has_news)
            ask_keeper(worker, RH_QUESTION_FOUND);
        if (!rh_shared_advance(worker->shared, worker->job.options, worker->job.strategy))
            rh_worker_end(RH_EXIT_DONE);
        // The world that the test's body left behind when it failed is no start for another
        // execution.
        if (!holds)
            rh_worker_end(RH_EXIT_RESTART);
        go_back(worker);
    }
}

// Takes all deliveries back.
static void return_to_start(struct rh_worker *worker)
{
    while (worker->world->number > 0)
        rh_world_undo(worker->world);
    worker->failed = worker->world->failed = worker->has_ended = false;
}

// The test's body has run, and the first schedule has come to its first delivery. An execution is
// taken back only when the next schedule is there: until then its events can be read.
_Noreturn static void live(struct rh_worker *worker)
{
    struct rh_shared *shared = worker->shared;
    uint32_t decisions = worker->applied;
    size_t steps = rh_replay_position(shared->strategy);
    worker->lives = worker->asked_about_bound = true;
    for (;;) {
        run_execution(worker);
        end_judges(worker);
        note_cannot_undo(worker);
        if (worker->world->cannot_undo)
            rh_worker_end(rh_is_ok(&shared->status) ? RH_EXIT_DONE : RH_EXIT_STATUS);
        ask_keeper(worker, RH_QUESTION_NEXT);
        return_to_start(worker);
        worker->applied = worker->path->length = worker->path->keep = decisions;
        worker->path->cut = false;
        rh_replay_skip(shared->strategy, steps);
        if (worker->job.options->schedule->is_generated)
            rh_world_begin_again(worker->world);
    }
}

// Functions put a number that each process draws into their frames to guard them, and leave it on
// the stack: here it becomes a constant. No function that has begun before ever returns.
static inline __attribute__((always_inline)) void fix_stack_guard(void)
{
    __asm__ volatile("movq %0, %%fs:0x28" : : "r"(UINT64_C(0x5265686561727300)) : "memory");
}

// There are several starts: one for each outcome of the body's choices and of what comes.
static void visit_start(struct rh_worker *worker)
{
    struct rh_shared *shared = worker->shared;
    if (!rh_states_belong_to_strategy(&shared->states))
        rh_states_visit(&shared->states, worker->world, &shared->heartbeat);
    rh_hash128 fingerprint = rh_states_fingerprint(&shared->states, worker->world);
    if (shared->trail.count == 0 || shared->trail.states[0] != fingerprint)
        note_trail(worker, fingerprint, false);
}

_Noreturn static void run(const struct rh_job *job)
{
    if (!job->options->adapter->keeps_state)
        fix_stack_guard();
    struct rh_worker *worker = rh_alloc(sizeof *worker);
    own.worker = worker;
    worker->job = *job;
    worker->shared = job->shared;
    worker->shared->delivering = false;
    worker->shared->handling = (struct rh_handling){0};
    worker->path = rh_worker_follows(worker) ? &worker->job.follow : &job->shared->path;
    worker->traffic.record = rh_worker_follows(worker) ? NULL : job->options->traffic;
    worker->journal = rh_worker_follows(worker) ? NULL : job->options->journal;
    rh__worker_start(worker);
    worker->notes_lines = job->options->lines && !rh_worker_follows(worker);
    rh_lines_start(worker->notes_lines ? job->options->lines : NULL);
    bool holds = rh_world_setup(worker->world, job->test);
    rh_lines_end(holds);
    job->shared->is_early_full |= rh_early_is_full();
    job->shared->ignores_comings =
        worker->world->comings.count > 0 && job->options->environment != RH_ENVIRONMENT_OPEN;
    job->shared->has_stream |= worker->world->has_stream;
    if (rh_shared_compares(job->shared) && job->mode == RH_WORKER_SEARCH)
        visit_start(worker);
    rh_worker_check_footprints(worker);
    if (worker->journal && holds)
        note_body(worker);
    // What the body has found would not show in later executions.
    if (job->lives && rh_worker_goes_back(worker) && holds && !worker->failed &&
        job->shared->lead_count == 0)
        live(worker);
    search(worker, holds && !worker->failed);
}

static void run_job(const void *job)
{
    run(job);
}

_Noreturn void rh_worker_launch(const struct rh_job *job)
{
    const struct rh_adapter_ops *adapter = job->options->adapter;
    if (adapter->launch)
        adapter->launch(run_job, job);
    run(job);
}
