// SPDX-License-Identifier: MIT
// A worker begins: its output, its world, and what the world asks it.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "explore/process/marks.h"
#include "explore/process/worker.h"
#include "world/fault.h"

// A worker that lives on takes the execution back, unless code of the program is running.
void rh__worker_refuse(void *context, struct rh_status status)
{
    struct rh_worker *worker = context;
    worker->shared->is_refused = true;
    if (!worker->lives || worker->world->stage != RH_STAGE_TOOL)
        rh_worker_bad_input(status);
    worker->shared->status = status;
}

static bool on_answer(void *context, const char *function, uint64_t *value)
{
    struct rh_worker *worker = context;
    return worker->job.strategy->answer(worker->shared->strategy, function, value);
}

static void bad_input(void *context, struct rh_status status)
{
    (void)context;
    rh_worker_bad_input(status);
}

// The worker ends with the execution, which may hold all the memory that there is.
static void on_limit(void *context)
{
    struct rh_worker *worker = context;
    struct rh_shared *shared = worker->shared;
    if (rh_worker_follows(worker) || worker->lives)
        rh_worker_end(RH_EXIT_DONE);
    if (rh_worker_is_trying(worker)) {
        rh_commute_forbid(&shared->commute);
        rh_shared_retry(shared);
        rh_worker_end(RH_EXIT_RESTART);
    }
    rh_worker_check_footprints(worker);
    shared->path.cut = true;
    bool goes_on = rh_shared_advance(shared, worker->job.options, worker->job.strategy);
    rh_worker_end(goes_on ? RH_EXIT_RESTART : RH_EXIT_DONE);
}

// Where the program's output goes: into the trace's file, to our standard error, or nowhere.
static void redirect_output(const struct rh_job *job)
{
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    bool is_wanted = job->options->output && rh_descriptor_has_reader(STDERR_FILENO);
    int out = job->trace_output >= 0 ? job->trace_output : is_wanted ? STDERR_FILENO : nowhere;
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    if (job->trace_output >= 0)
        setvbuf(stdout, NULL, _IONBF, 0);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
}

static void before_delivery(struct rh_world *world, uint32_t index)
{
    const struct rh_message *message = &world->messages[index];
    const struct rh_actor_record *receiver = &world->actors[message->receiver];
    const void *entry = (const void *)(uintptr_t)receiver->behaviour;
    const struct rh_adapter_ops *adapter = world->options.adapter;
    if (adapter->resumes_at)
        entry = adapter->resumes_at(rh_world_address(message->receiver));
    if (message->kind == RH_REPLY)
        entry = receiver->resume_at;
    rh_debug_stop_here(world->number, entry);
}

// Whether guards are asked about earlier states, also where executions begin anew instead of going
// back.
static bool looks_back(const struct rh_job *job)
{
    return job->strategy->reset && rh_world_has_guards();
}

static struct rh_world_options world_options(struct rh_worker *worker)
{
    const struct rh_job *job = &worker->job;
    const struct rh_run_options *options = job->options;
    bool follows = rh_worker_follows(worker);
    // A program that keeps its state itself has nothing that the world could look at.
    bool is_whole = !options->adapter->keeps_state;
    return (struct rh_world_options){
        .order_rule = options->order_rule,
        .time = options->time,
        .environment = options->environment,
        .adapter = options->adapter,
        .random = options->random,
        .faults = options->faults,
        .driver = {worker, rh_worker_on_choose, rh_worker_on_comes, rh_worker_on_fault, bad_input,
                   on_limit, rh__worker_refuse, rh_worker_on_finding, rh_worker_on_touches,
                   rh_worker_on_view, rh_worker_on_look_for, rh_worker_on_look,
                   rh_worker_on_shared_tokens, rh_worker_on_thread, rh_worker_on_turn,
                   job->strategy->answer && !follows ? on_answer : NULL},
        .debug = options->debug,
        .inputs = options->schedule,
        .suppressions = options->suppressions,
        .tape = job->tape,
        .trace_output = job->trace_output,
        .trace_states = options->trace_states,
        .keep_undo =
            is_whole && !follows && !job->here && (options->undo != RH_UNDO_OFF || looks_back(job)),
        .verify = options->undo == RH_UNDO_VERIFY,
        .watch_globals = is_whole && !job->here,
        .note_writes = job->trace_output >= 0,
        .protect_globals = is_whole && !job->here,
        .guard_gifts = is_whole && !job->here && !job->unguarded,
        .private_libraries = options->private_libraries,
        .fill = job->fill,
        .pass_output = options->output,
        .shared_files = options->shared_files,
        .files_told = &worker->shared->files_told,
        .aims_met = &worker->shared->aims_met,
        .tokens_shared = worker->shared->tokens_shared,
        .endures = options->warn_on & ~options->fail_on,
        .before_delivery = job->here ? before_delivery : NULL,
    };
}

// Whether this search compares states, in any of the ways in which one does.
static bool compares_states(const struct rh_worker *worker)
{
    const struct rh_job *job = &worker->job;
    const struct rh_shared *shared = job->shared;
    return shared->states.entries || shared->graph.on || shared->census.on ||
           job->options->undo == RH_UNDO_VERIFY || worker->journal;
}

// Whether somebody asks if two states are the same, or what a delivery has changed where no undo
// stack tells.
static bool needs_fingerprints(const struct rh_worker *worker)
{
    const struct rh_job *job = &worker->job;
    bool asks_changes = worker->notes_footprints && !worker->world->options.keep_undo;
    bool looks_closely = job->trace_output >= 0 || job->lap != RH_NONE || job->lasso;
    return RH_VERIFIES || asks_changes || looks_closely || compares_states(worker) ||
           job->strategy->has_schedule;
}

void rh__worker_start(struct rh_worker *worker)
{
    const struct rh_job *job = &worker->job;
    const int own_descriptors[] = {job->trace_output, job->ask_keeper};
    memcpy(rh__process.own_descriptors, own_descriptors, sizeof own_descriptors);
    if (!job->here) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        // The keeper may have died before that.
        if (syscall(SYS_getppid) != rh__process.tool_processes[0])
            _exit(RH_EXIT_STATUS);
        redirect_output(job);
        rh_signals_catch(job->shared);
        rh_marks_set(job->options);
    }
    struct rh_world_options options = world_options(worker);
    struct rh_status status;
    worker->world = rh_world_new(&options, &status);
    if (!rh_is_ok(&status))
        rh_worker_bad_input(status);
    job->shared->owns_malloc = rh__process.owns_malloc;
    if (!rh__process.owns_malloc)
        worker->world->options.keep_undo = false;
    worker->has_memory = rh__process.owns_malloc && !job->options->adapter->keeps_state;
    if (job->shared->states.entries && !worker->has_memory)
        rh_worker_bad_input(
            rh_bad_input("--states needs the actors' memory, which is not "
                         "ours under a sanitizer or Valgrind: see rehearse doctor"));
    job->shared->commute.on &= rh_worker_goes_back(worker) || rh_worker_follows(worker);
    bool is_search = !rh_worker_follows(worker);
    worker->relies_on_footprints =
        is_search && (job->learns || rh_shared_relies_on_footprints(job->shared, job->strategy));
    worker->notes_footprints =
        worker->relies_on_footprints || (is_search && job->strategy->asks_footprints);
    worker->world->options.fingerprints = worker->has_memory && needs_fingerprints(worker);
    if (!worker->notes_footprints)
        worker->world->options.driver.viewed = NULL;
    worker->world->options.saves_once = is_search && job->strategy->begins_anew &&
                                        worker->world->options.keep_undo && !RH_VERIFIES &&
                                        job->options->undo != RH_UNDO_VERIFY;
    worker->point = (struct rh_choice_point){.world = worker->world,
                                             .path = worker->path,
                                             .footprints = job->shared->footprints,
                                             .commute = &job->shared->commute,
                                             .states = &job->shared->states,
                                             .heartbeat = &job->shared->heartbeat,
                                             .pruned = &job->shared->pruned};
    rh_rounds_init(&worker->rounds, job, worker->world);
}
