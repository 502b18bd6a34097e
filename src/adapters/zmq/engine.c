// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapters/zmq/addresses.h"
#include "adapters/zmq/anew.h"
#include "adapters/zmq/beside.h"
#include "adapters/zmq/director.h"
#include "adapters/zmq/names.h"
#include "adapters/zmq/outside.h"
#include "entry/constructors.h"
#include "entry/program.h"

enum { MAIN_STACK = 8 << 20 };

struct rh_zmq_engine rh__zmq_engine;

static _Thread_local struct rh_zmq_thread *self;

struct rh_zmq_thread *rh__zmq_self(void)
{
    return self;
}

struct rh_zmq_thread *rh__zmq_caller(const char *call)
{
    if (!self)
        rh_panic("%s was called before the program's main, or by a thread that is not under "
                 "control",
                 call);
    return self;
}

struct rh_zmq_thread *rh__zmq_acting(void)
{
    return self ? self : rh__zmq_engine.receiver;
}

uint64_t rh__zmq_now(void)
{
    return rh__zmq_engine.now;
}

uint64_t rh__zmq_deadline(int64_t milliseconds)
{
    return milliseconds < 0 ? RH_ZMQ_NEVER : rh__zmq_engine.now + (uint64_t)milliseconds * 1000000;
}

uint64_t rh__zmq_random(void)
{
    return rh_rng_next(&rh__zmq_caller(__func__)->rng);
}

void *rh__zmq_real(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        rh_panic("libc has no %s", name);
    return function;
}

// The turn.

static void wait_for_turn(int *turn)
{
    while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) == 0)
        syscall(SYS_futex, turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    __atomic_store_n(turn, 0, __ATOMIC_RELAXED);
}

static void give_turn(int *turn)
{
    // One thread at a time has the turn.
    rh_assert(__atomic_load_n(turn, __ATOMIC_RELAXED) == 0);
    __atomic_store_n(turn, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// In a thread of the program: lets the director go on until it is this thread's turn again.
static void yield(void)
{
    int kept_errno = errno;
    give_turn(&rh__zmq_engine.turn);
    wait_for_turn(&self->turn);
    errno = kept_errno;
}

void rh__zmq_run(struct rh_zmq_thread *thread)
{
    thread->ran = thread->clock.at[thread->number];
    give_turn(&thread->turn);
    wait_for_turn(&rh__zmq_engine.turn);
    // What a thread does after its function has returned is over before anything else happens.
    if (thread->has_ended)
        pthread_join(thread->handle, NULL);
}

// Waiting.

bool rh__zmq_can_go_on(const struct rh_zmq_thread *thread)
{
    const struct rh_zmq_wait *wait = thread->wait;
    return thread->is_woken || thread->was_late || (wait->is_over && wait->is_over(wait->context));
}

// Whether the wait ends before something that ZeroMQ would take until then for.
static bool is_overtaken(const struct rh_zmq_wait *wait, uint64_t until)
{
    return wait->deadline > rh__zmq_engine.now && wait->deadline < until;
}

void rh__zmq_hasten(uint64_t until, const char *what)
{
    if (until > rh__zmq_engine.hastened_until)
        rh__zmq_engine.hastened_until = until;
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (rh__zmq_engine.threads[i].wait && is_overtaken(rh__zmq_engine.threads[i].wait, until))
            rh__zmq_outside_differs(RH_ZMQ_DIFFERS_SOON, what);
}

static void note_woken(struct rh_zmq_thread *thread)
{
    thread->woken.delivery = thread->clock.at[thread->number];
    thread->woken.by = thread->caused_by;
    thread->woken.sent = thread->past.at[thread->caused_by];
}

// Whether the call is one for a socket, and began with rh__zmq_call_begin.
static bool is_for_socket(const char *call)
{
    return strncmp(call, "zmq_", 4) == 0 && strncmp(call, "zmq_ctx", 7) != 0 &&
           strcmp(call, "zmq_sleep") != 0;
}

bool rh__zmq_wait(const struct rh_zmq_wait *wait)
{
    struct rh_zmq_thread *thread = rh__zmq_caller(wait->call);
    if (is_overtaken(wait, rh__zmq_engine.hastened_until))
        rh__zmq_outside_differs(RH_ZMQ_DIFFERS_SOON, wait->call);
    if (rh__process.world->options.before_delivery)
        thread->resumes_at = rh__zmq_find_return();
    thread->wait = wait;
    thread->wait_number++;
    thread->is_woken = thread->was_late = false;
    if (wait->shared)
        rh__zmq_expect(wait->shared);
    bool is_over = wait->is_over && wait->is_over(wait->context);
    // If the deadline is now nothing can come first, but it takes an event to see what has come.
    if (wait->observes && (is_over || wait->deadline <= rh__zmq_engine.now))
        rh__zmq_post_step(thread, wait->call, wait->object);
    if (wait->observes || !is_over) {
        if (is_for_socket(wait->call))
            rh__zmq_call_forget(thread);
        yield();
    }
    if (wait->lacks_peer && !is_over && !thread->was_late)
        note_woken(thread);
    if (wait->shared)
        rh__zmq_expect_no_more(wait->shared);
    thread->wait = NULL;
    return !thread->was_late || (wait->is_over && wait->is_over(wait->context));
}

void rh__zmq_step(const char *call, const char *object)
{
    const struct rh_zmq_wait wait = {
        .call = call, .object = object, .deadline = rh__zmq_engine.now, .observes = true};
    rh__zmq_wait(&wait);
}

void rh__zmq_step_for(const char *call, const char *object, const struct rh_zmq_shared *shared)
{
    const struct rh_zmq_wait wait = {.call = call,
                                     .object = object,
                                     .shared = shared,
                                     .deadline = rh__zmq_engine.now,
                                     .observes = true};
    rh__zmq_wait(&wait);
}

bool rh__zmq_has_sent(const struct rh_zmq_thread *thread)
{
    return thread->past.at[thread->number] > thread->sent_before;
}

struct rh_zmq_haste rh__zmq_haste(void)
{
    const struct rh_zmq_thread *here = rh__zmq_acting();
    return (struct rh_zmq_haste){.thread = here->number,
                                 .delivery = here->clock.at[here->number],
                                 .sent = rh__zmq_has_sent(here) ? here->past.at[here->number] : 0};
}

bool rh__zmq_was_hasty(const struct rh_zmq_haste *haste)
{
    const struct rh_zmq_thread *here = rh__zmq_acting();
    return haste->sent > 0 && haste->thread != here->number &&
           here->clock.at[haste->thread] >= haste->delivery &&
           here->past.at[haste->thread] <= haste->sent;
}

void rh__zmq_call_begin(struct rh_zmq_thread *thread, const void *context)
{
    uint32_t now = thread->clock.at[thread->number];
    thread->did_before = thread->did;
    thread->did = rh__zmq_haste();
    thread->between_before = thread->between;
    // Other deliveries than a thread's first begin in a call that goes on.
    if (thread->ran > 1 || thread->called == now) {
        bool is_other = thread->between.delivery > 0 && thread->between.context != context;
        thread->between = (struct rh_zmq_between){now, is_other ? NULL : context};
    }
    thread->called = now;
}

void rh__zmq_call_forget(struct rh_zmq_thread *thread)
{
    thread->did = thread->did_before;
    thread->between = thread->between_before;
}

const struct rh_zmq_thread *rh__zmq_find_hasty(void)
{
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (rh__zmq_was_hasty(&rh__zmq_engine.threads[i].did))
            return &rh__zmq_engine.threads[i];
    return NULL;
}

void rh__zmq_give_way(const char *call, const char *object)
{
    if (rh__zmq_has_sent(rh__zmq_caller(call)) && !rh__zmq_is_alone())
        rh__zmq_step(call, object);
}

int rh__zmq_choose(int count, const char *about, const char *of)
{
    struct rh_world *world = rh__process.world;
    int outcome = world->options.driver.choose(world->options.driver.context, count);
    rh_assert(outcome >= 0 && outcome < count);
    char ways[32], text[2 * RH_ZMQ_NAME_MOST];
    snprintf(ways, sizeof ways, "%d", count);
    snprintf(text, sizeof text, "%s%s", about, of);
    if (world->options.tape)
        rh_trace_choice(world, ways, outcome, text, NULL, 0);
    return outcome;
}

void rh__zmq_wake(struct rh_zmq_thread *thread)
{
    thread->is_woken = true;
}

// Ends of executions.

static void report(int kind, const char *file, int line, const char *format, va_list arguments)
{
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    rh_world_report(rh__process.world, (enum rh_finding_kind)kind, file, line, "%s", text);
    rh__process.world->failed = true;
}

void rh__zmq_fail(int kind, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    report(kind, file, line, format, arguments);
    va_end(arguments);
    for (;;)
        yield();
}

void rh__zmq_give_up(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rh_world_give_up(rh__process.world, "%s", text);
}

void rh__zmq_leave(int status)
{
    fflush(NULL);
    self->is_leaving = true;
    self->status = status;
    self->wait = NULL;
    if (!rh__zmq_engine.leaving) {
        rh__zmq_engine.leaving = self;
        rh__zmq_engine.left = self->clock;
    }
    for (;;)
        yield();
}

// What threads have done without an order with the end of the process may be cut off anywhere. Of a
// thread that has only begun, and waits, no other has seen anything: it does not count.
static void check_others(void)
{
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++) {
        const struct rh_zmq_thread *other = &rh__zmq_engine.threads[i];
        bool only_waits = other->wait && other->ran == 1;
        if (other != rh__zmq_engine.leaving && !only_waits &&
            other->ran > rh__zmq_engine.left.at[i])
            rh__zmq_outside_differs(RH_ZMQ_DIFFERS_RUNNING, other->name);
    }
}

void rh__zmq_end_process(const struct rh_zmq_thread *thread)
{
    rh__zmq_engine.has_left = true;
    check_others();
    if (thread->status == 0)
        return;
    rh_world_report(rh__process.world, RH_FINDING_EXIT, NULL, 0,
                    "the program ended with exit status %d", thread->status);
    rh__process.world->failed = true;
}

// Called by libc when all functions that the program has registered for its exit have run, and its
// destructors: they are registered behind this one.
static void on_process_exit(int status, void *context)
{
    (void)context;
    if (self)
        rh__zmq_leave(status);
}

__attribute__((constructor(101))) static void watch_exit(void)
{
    on_exit(on_process_exit, NULL);
}

// Threads.

static void end_thread(void *argument)
{
    rh__zmq_end_thread(argument);
    give_turn(&rh__zmq_engine.turn);
}

static void *run_thread(void *argument)
{
    struct rh_zmq_thread *thread = argument;
    self = thread;
    wait_for_turn(&thread->turn);
    pthread_cleanup_push(end_thread, thread);
    thread->result = thread->start(thread->argument);
    pthread_cleanup_pop(1);
    return NULL;
}

static void *run_main(void *argument)
{
    const struct rh_program_start *start = argument;
    rh_constructors_run();
    exit(start->main(start->argc, start->argv, start->environment));
}

// The first thread of a program that is started anew exists already.
static int create(struct rh_zmq_thread *thread, const pthread_attr_t *attributes)
{
    if (thread->number == 0 && rh__zmq_is_anew()) {
        thread->handle = rh__zmq_first_thread();
        return 0;
    }
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NULL;
    *(void **)&real = rh__zmq_real("pthread_create");
    return real(&thread->handle, attributes, run_thread, thread);
}

struct rh_zmq_thread *rh__zmq_spawn(void *(*start)(void *), void *argument,
                                    const pthread_attr_t *attributes, int *error)
{
    if (rh__zmq_engine.thread_count == RH_ZMQ_THREADS_MOST)
        rh__zmq_give_up("the program has more than %d threads", RH_ZMQ_THREADS_MOST);
    rh__zmq_beside_check();
    struct rh_zmq_thread *thread = &rh__zmq_engine.threads[rh__zmq_engine.thread_count];
    *thread = (struct rh_zmq_thread){
        .number = rh__zmq_engine.thread_count, .start = start, .argument = argument};
    // The first thread has the seed that libc has by default.
    rh_rng_seed(&thread->rng, self ? rh_rng_next(&self->rng) : rh__process.world->options.random);
    thread->seed = self ? self->seed + (unsigned)rh_rng_next(&self->rng) : 1;
    *error = create(thread, attributes);
    if (*error != 0)
        return NULL;
    rh__zmq_engine.thread_count++;
    rh_behaviour *behaviour = NULL;
    thread->name = rh__zmq_thread_name(start, argument, &behaviour);
    struct rh_spawning spawning = {.behaviour = behaviour, .behaviour_name = thread->name};
    thread->slot = rh_world_spawn(rh__process.world, &spawning);
    *(rh_behaviour **)&thread->resumes_at = behaviour;
    return thread;
}

bool rh__zmq_is_alone(void)
{
    const struct rh_zmq_thread *caller = rh__zmq_caller(__func__);
    for (uint32_t i = 0; i < rh__zmq_engine.thread_count; i++)
        if (i != caller->number && !caller->knows_end[i])
            return false;
    return true;
}

struct rh_zmq_thread *rh__zmq_find(pthread_t handle)
{
    for (uint32_t i = rh__zmq_engine.thread_count; i > 0; i--)
        if (pthread_equal(rh__zmq_engine.threads[i - 1].handle, handle))
            return &rh__zmq_engine.threads[i - 1];
    return NULL;
}

void rh__zmq_begin(void)
{
    int error;
    pthread_attr_t attributes;
    rh__zmq_numbers_begin();
    rh__zmq_file_times_begin();
    rh__zmq_addresses_fix();
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, MAIN_STACK);
    struct rh_zmq_thread *thread = rh__zmq_spawn(run_main, &rh__program_start, &attributes, &error);
    pthread_attr_destroy(&attributes);
    if (!thread)
        rh_panic("cannot start a thread: %s", strerror(error));
    struct rh_sending sending = {.receiver = thread->slot, .type = rh__zmq_type_of(RH_ZMQ_START)};
    uint32_t number = rh_world_send(rh__process.world, &sending);
    rh_assert(number == 0);
    *rh_vector_push(&rh__zmq_engine.parcels) = (struct rh_zmq_sent){.event = RH_ZMQ_START};
}

// The thread goes back to the dynamic linker, and only the destructor of this key tells when it
// ends.
void rh__zmq_enter(void)
{
    pthread_key_t key;
    self = &rh__zmq_engine.threads[0];
    wait_for_turn(&self->turn);
    if (pthread_key_create(&key, end_thread) == 0)
        pthread_setspecific(key, self);
}
