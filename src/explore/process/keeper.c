// SPDX-License-Identifier: MIT
#include "explore/process/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/valgrind.h"
#include "entry/process.h"
#include "explore/process/offspring.h"
#include "explore/process/patience.h"
#include "explore/process/questions.h"
#include "explore/process/suspicion.h"
#include "world/files.h"

enum { MS_NS = 1000000, SOON_NS = 20000 };
enum { TICK_MS = 50, LAST_WORD_MS = 1000, VALGRIND_FACTOR = 50, STEP_FACTOR = 100 };

// A worker that is not wanted any more and comes no further for so long is asked what it does.
static const double long_handler = 0.2;

static void describe_sudden_death(struct rh_shared *shared)
{
    const struct rh_handling *handling = &shared->handling;
    struct rh_crash *crash = &shared->crash;
    *crash = (struct rh_crash){.is_sudden = true};
    if (!shared->delivering)
        return;
    crash->handler = handling->handler;
    memcpy(crash->actor, handling->actor, sizeof crash->actor);
    memcpy(crash->behaviour, handling->behaviour, sizeof crash->behaviour);
    memcpy(crash->message_type, handling->message_type, sizeof crash->message_type);
}

static enum rh_end end_of(int wait_status, struct rh_shared *shared)
{
    if (shared->crash.valid)
        return RH_END_CRASH;
    // The program may have seen to it that a process is killed when it wants to end: what the
    // worker has said last counts.
    if (WIFSIGNALED(wait_status) && shared->last_word < 0) {
        describe_sudden_death(shared);
        shared->crash.valid = true;
        shared->crash.signal = WTERMSIG(wait_status);
        return RH_END_CRASH;
    }
    // The program can end the process behind our back, with any status.
    bool is_meant = WIFSIGNALED(wait_status) || WEXITSTATUS(wait_status) == shared->last_word;
    switch (is_meant ? shared->last_word : -1) {
    case RH_EXIT_DONE:
        return RH_END_DONE;
    case RH_EXIT_RESTART:
        return RH_END_RESTART;
    case RH_EXIT_STATUS:
        return RH_END_STATUS;
    default:
        describe_sudden_death(shared);
        return RH_END_EXIT;
    }
}

// Asks a worker where it is, which it tells like a crash, then ends it.
static void ask_and_end(pid_t pid, int descriptor)
{
    pid_t thread = rh_patience_find_running(pid);
    syscall(SYS_tgkill, pid, thread ? thread : pid, SIGABRT);
    struct pollfd ended = {.fd = descriptor, .events = POLLIN};
    poll(&ended, 1, LAST_WORD_MS);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

// A worker that hangs while it tells about a crash has crashed.
static enum rh_end end_hang(pid_t pid, int descriptor, const struct rh_shared *shared)
{
    bool has_crashed = shared->crash.valid;
    ask_and_end(pid, descriptor);
    return has_crashed ? RH_END_CRASH : RH_END_HANG;
}

// How long a worker has stood still. Beside a block that was given away a handler goes on step by
// step, some hundred times as slow as by itself. A search asks a follower that takes no steps
// whether such a handler ends. For other followers, which must see what the search has seen, time
// with steps counts so much less.
struct standstill {
    uint64_t beat, steps;     // as last seen
    struct rh_patience spent; // by the worker
    double seconds;           // since the heartbeat changed
};

static void begin_standstill(struct standstill *still, uint64_t beat)
{
    still->beat = beat;
    still->seconds = 0;
    rh_patience_begin(&still->spent, still->spent.process, 2 * TICK_MS / 1000.0);
}

static double standstill_seconds(struct standstill *still, const struct rh_job *job)
{
    uint64_t beat = atomic_load(&job->shared->heartbeat);
    uint64_t steps = atomic_load(&job->shared->steps);
    bool is_stepping = steps != still->steps && job->mode != RH_WORKER_SEARCH;
    if (beat == still->beat)
        still->seconds += rh_patience_look(&still->spent) / (is_stepping ? STEP_FACTOR : 1);
    else
        begin_standstill(still, beat);
    still->steps = steps;
    return still->seconds;
}

// Nobody wants the worker any more. It has a moment to come further: if it does not, whoever has
// lost patience hears why nothing happened.
static enum rh_end stop(pid_t pid, int descriptor, const struct rh_job *job,
                        struct standstill *still)
{
    struct rh_shared *shared = job->shared;
    uint64_t beat = atomic_load(&shared->heartbeat);
    struct pollfd ended = {.fd = descriptor, .events = POLLIN};
    while (!shared->crash.valid && atomic_load(&shared->heartbeat) == beat &&
           standstill_seconds(still, job) < long_handler && !(ended.revents & POLLHUP))
        poll(&ended, 1, 1); // further signals come too
    if (shared->crash.valid || still->seconds < long_handler) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        return RH_END_STOPPED;
    }
    ask_and_end(pid, descriptor);
    rh_suspicion_tell(job->options, shared, still->seconds, 0);
    shared->crash = (struct rh_crash){0};
    return RH_END_STOPPED;
}

static enum rh_end watch_over(pid_t pid, int descriptor, const struct rh_job *job,
                              const struct rh_watch *watch)
{
    struct rh_shared *shared = job->shared;
    struct standstill still = {.spent = {.process = pid}};
    struct timespec tick = {.tv_nsec = TICK_MS * MS_NS};
    begin_standstill(&still, atomic_load(&shared->heartbeat));
    double limit = watch->limit_ms / 1000.0 * (rh_valgrind_is_running() ? VALGRIND_FACTOR : 1);
    for (;;) {
        struct pollfd events[2] = {{.fd = descriptor}, {.fd = watch->questions, .events = POLLIN}};
        ppoll(events, 2, &tick, NULL);
        int wait_status;
        if (waitpid(pid, &wait_status, WNOHANG) == pid)
            return end_of(wait_status, shared);
        // The worker is about to end, which takes microseconds, or the program has closed the
        // worker's end of the pipe: look again soon, and then less and less often.
        if (events[0].revents & POLLHUP) {
            descriptor = -1;
            tick.tv_nsec = SOON_NS;
        } else if (descriptor < 0 && tick.tv_nsec < MS_NS) {
            tick.tv_nsec *= 2;
        }
        if (events[1].revents & POLLIN)
            rh_question_hear(watch->questions);
        if (watch->questions >= 0 && rh_question_get(shared)) {
            if (!watch->answer(watch->context, rh_question_get(shared)))
                return RH_END_PAUSED;
            begin_standstill(&still, still.beat);
        }
        if (watch->tick && !watch->tick(watch->context))
            return stop(pid, descriptor, job, &still);
        if (standstill_seconds(&still, job) > limit)
            return end_hang(pid, descriptor, shared);
    }
}

bool rh_keeper_start(const struct rh_job *job, struct rh_worker_process *process)
{
    // The worker holds the other end of this pipe: the pipe ends when the worker does.
    int life[2];
    job->shared->crash = (struct rh_crash){0};
    job->shared->last_word = -1;
    // Of a worker that runs beside it another one may wait for an answer.
    if (job->ask_keeper >= 0)
        atomic_store(&job->shared->question, 0);
    fflush(NULL);
    rh_signals_load();
    rh__process.tool_processes[0] = getpid();
    rh__process.tool_processes[1] = getppid();
    pid_t pid = rh_descriptor_pipe(life) ? rh_offspring_fork() : -1;
    if (pid == 0)
        rh_worker_launch(job);
    if (pid < 0) {
        job->shared->status = rh_failed("cannot start a worker process: %s", strerror(errno));
        return false;
    }
    close(life[1]);
    *process = (struct rh_worker_process){pid, life[0]};
    return true;
}

static void bury(const struct rh_job *job, struct rh_worker_process *process)
{
    close(process->life);
    rh_offspring_end(process->id);
    rh_files_tidy(process->id);
    job->shared->last_word = -1; // another worker may be waiting for this one
    process->id = 0;
}

enum rh_end rh_keeper_watch(const struct rh_job *job, const struct rh_watch *watch,
                            struct rh_worker_process *process)
{
    enum rh_end end = watch_over(process->id, process->life, job, watch);
    if (end != RH_END_PAUSED)
        bury(job, process);
    return end;
}

void rh_keeper_stop(const struct rh_job *job, struct rh_worker_process *process)
{
    kill(process->id, SIGKILL);
    waitpid(process->id, NULL, 0);
    bury(job, process);
}

enum rh_end rh_keeper_run(const struct rh_job *job, const struct rh_watch *watch)
{
    struct rh_worker_process process;
    return rh_keeper_start(job, &process) ? rh_keeper_watch(job, watch, &process) : RH_END_STATUS;
}
