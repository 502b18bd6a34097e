// SPDX-License-Identifier: MIT
// The beginning and the end of a run.
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "entry/process.h"
#include "entry/program.h"
#include "memory/early.h"
#include "runtime/runtime.h"

enum { THREADS_MOST = 1024, STACK_LEAST = 64 << 10 };
#define STACK_SIZE ((size_t)8 << 20)
#define PAGE ((size_t)4096)

static int refuse(const struct rh_status *status)
{
    fprintf(stderr, "rehearse: %s\n", status->text);
    return status->code == RH_BAD_INPUT ? 2 : 3;
}

// Options.

// Reads a number from the environment, which takes the place of an option.
static struct rh_status read_variable(const char *name, uint64_t most, uint64_t *value)
{
    const char *text = getenv(name);
    if (!text)
        return rh_ok();
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number > most)
        return rh_bad_input("%s=%s: it is a number from 0 to %llu", name, text,
                            (unsigned long long)most);
    *value = number;
    return rh_ok();
}

static uint64_t count_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint64_t)CPU_COUNT(&set) : 1;
}

static struct rh_status read_options(rh_options *options)
{
    if (options->threads < 0 || options->threads > THREADS_MOST)
        return rh_bad_input("rh_options.threads is %d: it is 0 to %d", options->threads,
                            THREADS_MOST);
    if (options->mailbox_limit > INT32_MAX)
        return rh_bad_input("rh_options.mailbox_limit is %zu: it is at most %d",
                            options->mailbox_limit, INT32_MAX);
    uint64_t threads = (uint64_t)options->threads;
    struct rh_status status = read_variable("REHEARSE_THREADS", THREADS_MOST, &threads);
    if (rh_is_ok(&status))
        status = read_variable("REHEARSE_DELAY", 60000000, &options->delay_us);
    if (rh_is_ok(&status))
        status = read_variable("REHEARSE_TRANSIT", 60000000, &options->transit_us);
    if (rh_is_ok(&status))
        status = read_variable("REHEARSE_SEED", UINT64_MAX, &options->seed);
    options->threads = (int)(threads > 0 ? threads : count_processors());
    if (options->stack_size == 0)
        options->stack_size = STACK_SIZE;
    if (options->stack_size < STACK_LEAST)
        options->stack_size = STACK_LEAST;
    options->stack_size = (options->stack_size + PAGE - 1) / PAGE * PAGE;
    return status;
}

// Making and freeing.

static void init_carriers(struct rh_runtime *runtime)
{
    const rh_options *options = &runtime->options;
    runtime->carrier_count = (unsigned)options->threads;
    runtime->carriers = rh_alloc_lines(sizeof(struct rh_carrier) * runtime->carrier_count);
    for (unsigned i = 0; i < runtime->carrier_count; i++) {
        struct rh_carrier *carrier = &runtime->carriers[i];
        carrier->runtime = runtime;
        carrier->index = i;
        carrier->lane = runtime->recorder ? &runtime->recorder->lanes[i] : NULL;
        carrier->seen = rh_alloc(sizeof *carrier->seen * runtime->carrier_count);
        rh_rng_seed(&carrier->post.rng, options->seed + i + 1);
    }
    rh_rng_seed(&runtime->outside.rng, options->seed);
}

static struct rh_runtime *new_runtime(const rh_options *options, struct rh_recorder *recorder)
{
    struct rh_runtime *runtime = rh_alloc_lines(sizeof *runtime);
    runtime->options = *options;
    runtime->recorder = recorder;
    runtime->stays = options->stay;
    runtime->repeats_types = rh_program_repeats_types();
    runtime->has_guards = rh_world_has_guards();
    if (!rh_cells_init(&runtime->cells)) {
        free(runtime);
        return NULL;
    }
    rh_mail_office_init(&runtime->office);
    rh_wheel_init(&runtime->wheel);
    rh_transit_init(&runtime->transit);
    pthread_mutex_init(&runtime->queue.lock, NULL);
    pthread_mutex_init(&runtime->outside_lock, NULL);
    pthread_mutex_init(&runtime->room_lock, NULL);
    init_carriers(runtime);
    return runtime;
}

static void free_mails(struct rh_runtime *runtime, struct rh_mail *mail)
{
    while (mail) {
        struct rh_mail *next = mail->next;
        rh_mail_free(&runtime->office, &runtime->outside.mails, mail);
        mail = next;
    }
}

// Frees what a waiting handler holds. Everything but the stack's own memory lies on that stack.
static void free_wait(struct rh_runtime *runtime, const struct rh_wait *wait)
{
    free_mails(runtime, wait->delivery->replies);
    wait->delivery->mail->next = wait->reply;
    if (wait->reply)
        wait->reply->next = NULL;
    free_mails(runtime, wait->delivery->mail);
    rh_stack_free(wait->stack);
}

static void free_cell(struct rh_runtime *runtime, struct rh_cell *cell)
{
    if (cell->status == RH_CELL_OUTSIDE)
        free((char *)cell->behaviour_name);
    if (cell->status != RH_CELL_ALIVE && cell->status != RH_CELL_RESERVED)
        return;
    free_mails(runtime, cell->refused);
    free_mails(runtime, cell->inbox);
    if (cell->wait)
        free_wait(runtime, cell->wait);
    if (cell->state != cell->small)
        free(cell->state);
}

static void free_runtime(struct rh_runtime *runtime)
{
    for (uint32_t i = 0; i < runtime->cells.used; i++)
        free_cell(runtime, &runtime->cells.cells[i]);
    free_mails(runtime, runtime->unfired);
    rh_wheel_fini(&runtime->wheel);
    rh_transit_fini(&runtime->transit);
    for (unsigned i = 0; i < runtime->carrier_count; i++) {
        rh_stacks_free(&runtime->carriers[i]);
        free(runtime->carriers[i].seen);
    }
    for (size_t i = 0; i < runtime->judges.count; i++)
        free(runtime->judges.items[i].context);
    rh_vector_fini(&runtime->judges);
    rh_vector_fini(&runtime->senders);
    rh_vector_fini(&runtime->created);
    rh_mail_office_fini(&runtime->office);
    rh_cells_fini(&runtime->cells);
    rh_shared_queue_fini(&runtime->queue);
    pthread_mutex_destroy(&runtime->outside_lock);
    pthread_mutex_destroy(&runtime->room_lock);
    free(runtime->carriers);
    free(runtime);
}

// Threads.

static void *run_carrier(void *argument)
{
    struct rh_carrier *carrier = argument;
    rh__local.carrier = carrier;
    rh_crash_prepare(carrier);
    rh_stack_run(carrier, &carrier->home);
    rh_crash_release(carrier);
    return NULL;
}

static void join(struct rh_runtime *runtime, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        pthread_join(runtime->carriers[i].thread, NULL);
    rh_wheel_stop(&runtime->wheel);
    runtime->unfired = rh_transit_stop(&runtime->transit);
    struct rh_mail **end = &runtime->unfired;
    while (*end)
        end = &(*end)->next;
    *end = rh_wheel_take_all(&runtime->wheel);
}

// Gives false if there are not enough threads; none runs then.
static bool start_carriers(struct rh_runtime *runtime)
{
    for (unsigned i = 0; i < runtime->carrier_count; i++)
        if (pthread_create(&runtime->carriers[i].thread, NULL, run_carrier,
                           &runtime->carriers[i])) {
            rh_finish(runtime);
            join(runtime, i);
            return false;
        }
    return true;
}

static void close_runtime(int status)
{
    struct rh_runtime *runtime = rh__process.runtime;
    rh_crash_watch(false);
    rh__process.runs_threads = false;
    rh__process.note_answer = NULL;
    rh__process.runtime = NULL;
    if (runtime->recorder)
        rh_recorder_close(runtime->recorder, status);
    free_runtime(runtime);
}

static void set_up(struct rh_runtime *runtime, rh_setup *setup)
{
    rh__process.runtime = runtime;
    rh__process.runs_threads = true;
    rh__process.note_answer = runtime->recorder ? rh__record_answer : NULL;
    rh_crash_watch(true);
    rh__process.has_recorded |= runtime->recorder != NULL;
    runtime->setup_thread = pthread_self();
    // Time begins when setup has returned.
    runtime->setup_timing = (struct rh_timing){.has_now = true};
    runtime->in_setup = true;
    setup(runtime->options.context);
    rh_check_reserved(runtime, runtime->reserved);
    runtime->in_setup = false;
    runtime->start_ns = rh_clock_ns();
    if (runtime->recorder) {
        rh_record_set_up(rh_recorder_enter(runtime->recorder));
        rh_recorder_leave(runtime->recorder);
    }
    rh_timing_end(runtime, &runtime->setup_timing);
    if (runtime->options.transit_us > 0)
        rh_transit_start(runtime);
}

// Under control setup is what a test's body is, and the program does nothing besides its actors.
_Noreturn static void set_up_controlled(const rh_options *options, rh_setup *setup)
{
    rh_world_begin_run();
    setup(options->context);
    rh_world_end_body();
}

int rh_start(const rh_options *given, rh_setup *setup)
{
    rh_early_end();
    rh_options options = given ? *given : (rh_options){0};
    if (rh_world_is_in_body())
        set_up_controlled(&options, setup);
    struct rh_status status = rh_program_check_types();
    if (rh_is_ok(&status))
        status = read_options(&options);
    if (rh_is_ok(&status) && (rh__process.runtime || rh__process.world))
        status = rh_bad_input("rh_run while actors run already: there is one run at a time");
    struct rh_recorder *recorder = NULL;
    if (rh_is_ok(&status) && !rh__process.has_recorded)
        status = rh_recorder_open(&recorder, (unsigned)options.threads);
    if (!rh_is_ok(&status))
        return refuse(&status);
    struct rh_runtime *runtime = new_runtime(&options, recorder);
    if (!runtime) {
        if (recorder)
            rh_recorder_close(recorder, 3);
        status = rh_failed("there is not enough address space for actors: see ulimit -v");
        return refuse(&status);
    }
    set_up(runtime, setup);
    if (!start_carriers(runtime)) {
        close_runtime(3);
        status = rh_failed("%d threads are not to be had", options.threads);
        return refuse(&status);
    }
    return 0;
}

// The end.

// Moves messages that arrived after their receiver ran last into its inbox.
static void empty_mailboxes(struct rh_runtime *runtime)
{
    for (uint32_t i = 0; i < runtime->cells.used; i++) {
        struct rh_cell *cell = &runtime->cells.cells[i];
        struct rh_mail **end = &cell->inbox;
        if (cell->status != RH_CELL_ALIVE && cell->status != RH_CELL_RESERVED)
            continue;
        while (*end)
            end = &(*end)->next;
        *end = rh_mailbox_close(&cell->mailbox);
    }
}

static void judge(struct rh_runtime *runtime)
{
    for (size_t i = 0; i < runtime->judges.count; i++) {
        runtime->judging = &runtime->judges.items[i];
        runtime->judging->judge(runtime->judging->context);
    }
    runtime->judging = NULL;
}

int rh_wait(void)
{
    struct rh_runtime *runtime = rh__process.runtime;
    if (!runtime || rh__local.carrier)
        rh_panic("rh_wait without rh_start, or in a behaviour");
    join(runtime, runtime->carrier_count);
    empty_mailboxes(runtime);
    if (!runtime->shut_down)
        judge(runtime);
    int status = rh_runtime_conclude(runtime);
    close_runtime(status);
    return status;
}

int rh_run(const rh_options *options, rh_setup *setup)
{
    int status = rh_start(options, setup);
    return status == 0 ? rh_wait() : status;
}

void rh_drain(void)
{
    struct rh_runtime *runtime = rh__process.runtime;
    if (!runtime)
        return;
    __atomic_store_n(&runtime->stays, false, __ATOMIC_SEQ_CST);
    // A carrier that goes to sleep from now on sees `stays`; if all sleep already, one must look.
    rh_wake_one(runtime);
}

void rh_shutdown(void)
{
    struct rh_runtime *runtime = rh__process.runtime;
    if (!runtime)
        return;
    __atomic_store_n(&runtime->shut_down, true, __ATOMIC_RELAXED);
    rh_finish(runtime);
}
