// SPDX-License-Identifier: MIT
#include "threads/engine.h"

#include <asm/prctl.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "threads/hooks.h"
#include "threads/kernel.h"
#include "threads/real.h"
#include "trace/finding_kind.h"

void rh__switch(void **save, void *to) __attribute__((visibility("hidden")));

// --- Thread-locals. ---

static uintptr_t get_base(void)
{
    uintptr_t base;
    __asm__("mov %%fs:0, %0" : "=r"(base));
    return base;
}

static inline void set_base(uintptr_t base)
{
    if (__builtin_expect(rh__engine->has_fsgsbase, true))
        __asm__ volatile("wrfsbase %0" ::"r"(base) : "memory");
    else
        syscall(SYS_arch_prctl, ARCH_SET_FS, base);
}

static int parked; // how many have told their base

static void hand_over(int thread)
{
    __atomic_store_n(&rh__engine->tickets[thread], 1, __ATOMIC_SEQ_CST);
    rh__kernel(SYS_futex, (long)&rh__engine->tickets[thread], FUTEX_WAKE, 1, 0, 0, 0);
}

static void wait_turn(int thread)
{
    uint32_t *ticket = &rh__engine->tickets[thread];
    while (!__atomic_exchange_n(ticket, 0, __ATOMIC_SEQ_CST))
        rh__kernel(SYS_futex, (long)ticket, FUTEX_WAIT, 0, 0, 0, 0);
}

// A thread that lends its thread-locals. It runs only where threads are carried.
static void *lend(void *argument)
{
    int thread = (int)((uintptr_t *)argument - rh__engine->bases);
    *(uintptr_t *)argument = get_base();
    __atomic_store_n(&parked, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        wait_turn(thread);
        rh__switch(&rh__engine->carriers[thread], rh__engine->threads[thread].stack_pointer);
    }
    return NULL;
}

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static bool borrow_locals(int thread)
{
    create_function *create = RH_REAL(
        int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *));
    __atomic_store_n(&parked, 0, __ATOMIC_SEQ_CST);
    if (create(&rh__engine->handles[thread], NULL, lend, &rh__engine->bases[thread]) != 0)
        return false;
    while (!__atomic_load_n(&parked, __ATOMIC_SEQ_CST))
        usleep(10);
    return true;
}

static bool map_at(uintptr_t address, size_t size)
{
    void *start = mmap((void *)address, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return start == (void *)address;
}

bool rh__engine_map(void)
{
    munmap((void *)RH_ENGINE_ADDRESS, sizeof *rh__engine);
    void *start = mmap((void *)RH_ENGINE_ADDRESS, sizeof *rh__engine, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return start == (void *)RH_ENGINE_ADDRESS;
}

const char *rh__engine_start(void)
{
    enum { HWCAP2_FSGSBASE = 1 << 1, GUARD_SIZE = 1 << 16 };
    if (!map_at(RH_STACKS_ADDRESS, RH_THREADS_MOST * RH_STACK_SIZE) || !rh__dependence_start() ||
        !rh_ways_init(&rh__engine->ways, false))
        return "there is no address space for threads";
    rh__engine->has_fsgsbase = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
    rh__engine->bases[0] = rh__engine->director_base = get_base();
    rh__engine->handles[0] = pthread_self();
    for (int i = 1; i < RH_THREADS_MOST; i++)
        if (!borrow_locals(i))
            return "threads can't be created";
    // Pages below each stack that can't be touched.
    for (uintptr_t i = 0; i < RH_THREADS_MOST; i++)
        mprotect((void *)(RH_STACKS_ADDRESS + i * RH_STACK_SIZE), GUARD_SIZE, PROT_NONE);
    rh__heap_start();
    rh__shared_start();
    rh__crashes_start();
    rh__has_engine = true;
    rh__engine->cut = RH_EVENTS_MOST - 1;
    return NULL;
}

// --- Threads. ---

static void thread_main(void)
{
    struct rh_fiber *thread = rh__current();
    void *result = thread->function(thread->argument);
    rh__keys_end();
    rh__thread_end(result);
}

int rh__thread_create(void *(*function)(void *), void *argument)
{
    int number = rh__engine->thread_count;
    if (number == RH_THREADS_MOST)
        return -1;
    rh__engine->thread_count++;
    struct rh_fiber *thread = &rh__engine->threads[number];
    uint16_t created = number ? rh__current()->last : UINT16_MAX;
    // A creator without an event of its own hands on what it has from its own creator.
    if (number && created == UINT16_MAX)
        created = rh__current()->created;
    *thread = (struct rh_fiber){.function = function,
                                .argument = argument,
                                .state = RH_THREAD_ALIVE,
                                .pending = {.kind = RH_ACT_START, .thread = (uint8_t)number},
                                .handle = rh__engine->handles[number],
                                .base = rh__engine->bases[number],
                                .last = UINT16_MAX,
                                .woken_by = UINT16_MAX,
                                .created = created,
                                .random = (uint64_t)number,
                                .operation = -1};
    void **top = (void **)(RH_STACKS_ADDRESS + (uintptr_t)(number + 1) * RH_STACK_SIZE - 64);
    void (*entry)(void) = thread_main;
    *--top = NULL;
    memcpy(--top, &entry, sizeof entry);
    for (int i = 0; i < 6; i++)
        *--top = NULL;
    thread->stack_pointer = top;
    rh__locals_begin(number);
    return number;
}

static _Noreturn void return_to_director(void)
{
    void *nowhere;
    rh__engine->is_leaving = false;
    set_base(rh__engine->director_base);
    rh__switch(&nowhere, rh__engine->director);
    __builtin_unreachable();
}

static void go_to(struct rh_fiber *from, int number)
{
    struct rh_fiber *to = &rh__engine->threads[number];
    rh__engine->current = number;
    if (__builtin_expect(rh__engine->is_carried, false)) {
        int own = (int)(from - rh__engine->threads);
        hand_over(number);
        wait_turn(own);
        if (rh__engine->is_leaving)
            return_to_director();
        return;
    }
    set_base(to->base);
    rh__switch(&from->stack_pointer, to->stack_pointer);
}

static void schedule(void)
{
    struct rh_fiber *thread = rh__current();
    int next = rh__choose_thread();
    if (next < 0)
        rh__leave(rh__engine->outcome);
    if (next != rh__engine->current)
        go_to(thread, next);
}

void rh__wait(const struct rh_act *event)
{
    struct rh_fiber *thread = rh__current();
    rh__engine->steps++;
    rh__engine->points++;
    rh__engine->silent = 0;
    thread->calls += event->kind != RH_ACT_NONE;
    thread->pending = *event;
    thread->pending.thread = (uint8_t)rh__engine->current;
    thread->pending.call = thread->calls;
    if (rh__engine->is_marked)
        rh__commit_mark(&thread->pending);
    schedule();
    if (__builtin_expect(rh__engine->is_carried, false) &&
        rh__engine->current == rh__engine->stop_thread && thread->calls == rh__engine->stop_call)
        rh__stop_here();
}

void rh__stop_here(void)
{
    __asm__ volatile("" ::: "memory");
}

void rh__point(enum rh_act_kind kind, uintptr_t address, size_t size, bool is_atomic,
               uintptr_t code)
{
    rh__wait(&(struct rh_act){.address = address,
                              .code = code,
                              .size = (uint32_t)size,
                              .kind = (uint8_t)kind,
                              .is_atomic = is_atomic});
}

int rh__choice(int count)
{
    if (count < 2)
        return 0;
    return rh__choose_way(count);
}

void rh__thread_end(void *result)
{
    struct rh_fiber *thread = rh__current();
    thread->result = result;
    thread->state = RH_THREAD_ENDED;
    thread->pending = (struct rh_act){0};
    schedule();
    __builtin_unreachable();
}

// --- Executions. ---

void rh__leave(enum rh_outcome outcome)
{
    void *nowhere;
    rh__log_settle();
    rh__engine->outcome = outcome;
    rh__engine->is_active = rh__engine->is_serving = false;
    int thread = (int)(((uintptr_t)&nowhere - RH_STACKS_ADDRESS) / RH_STACK_SIZE);
    if (rh__engine->is_carried && thread < RH_THREADS_MOST && thread > 0) {
        // The first thread's carrier is the director's, and waits for a turn.
        rh__engine->is_leaving = true;
        hand_over(0);
        rh__switch(&nowhere, rh__engine->carriers[thread]);
    }
    return_to_director();
}

static void note_finding(int kind, const char *format, va_list arguments)
{
    struct rh_threads_finding *finding = &rh__engine->finding;
    rh__engine->is_active = rh__engine->is_serving = false;
    *finding = (struct rh_threads_finding){
        .kind = kind, .thread = rh__engine->current, .other_thread = -1};
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    rh__engine->has_finding = true;
    if (rh__engine->is_carried)
        rh__stop_here();
}

void rh__fail(int kind, uintptr_t code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note_finding(kind, format, arguments);
    va_end(arguments);
    rh__engine->finding.code = code;
    rh__leave(RH_OUTCOME_FAILED);
}

void rh__fail_at(int kind, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    note_finding(kind, format, arguments);
    va_end(arguments);
    rh__engine->finding.file = file;
    rh__engine->finding.line = line;
    rh__leave(RH_OUTCOME_FAILED);
}

enum rh_outcome rh__engine_run(void *(*body)(void *), void *argument)
{
    struct rh_engine *engine = rh__engine;
    engine->thread_count = engine->current = engine->object_count = engine->quiet = 0;
    engine->key_count = engine->spins = engine->open_blocks = 0;
    engine->is_viewing = engine->is_journaling = false;
    engine->growths_before = engine->growths;
    engine->choice = 0;
    engine->sleeping_ns = 0;
    engine->steps++;
    engine->silent = engine->points = 0;
    engine->count = engine->log_count = 0;
    engine->turn = 0;
    engine->has_open_write = false;
    engine->has_finding = engine->has_race = false;
    rh__image_restore();
    rh__thread_create(body, argument);
    engine->threads[0].pending.kind = RH_ACT_NONE;
    engine->is_active = engine->is_serving = true;
    rh__switch(&engine->director, engine->threads[0].stack_pointer);
    return engine->outcome;
}

bool rh__is_enabled(const struct rh_fiber *thread)
{
    const struct rh_act *event = &thread->pending;
    if (thread->state != RH_THREAD_ALIVE || thread->spin.is_spinning)
        return false;
    if (thread->waits && !thread->is_woken && event->kind == RH_ACT_LOCK)
        return false;
    if (event->need == RH_NEED_NOTHING)
        return true;
    if (event->need == RH_NEED_ENDED)
        return rh__engine->threads[event->address].state == RH_THREAD_ENDED;
    const struct rh_waitable *object = rh__object_at(event->address);
    switch (event->need) {
    case RH_NEED_FREE:
        return object->owner < 0 && object->readers == 0;
    case RH_NEED_UNLOCKED:
        return object->owner < 0;
    case RH_NEED_POSITIVE:
        return object->value > 0;
    default:
        return object->passed != thread->passed;
    }
}

static _Noreturn void refuse(uintptr_t code)
{
    rh__engine->finding.code = code;
    rh__leave(RH_OUTCOME_REFUSED);
}

_Noreturn void rh__refuse(const char *function, uintptr_t code)
{
    struct rh_engine *engine = rh__engine;
    engine->is_active = engine->is_serving = false;
    snprintf(engine->refusal, sizeof engine->refusal,
             "the program calls %s, which can't be put under control: leave it out of the test",
             function);
    refuse(code);
}

_Noreturn void rh__refuse_wait(const char *function, uintptr_t code)
{
    struct rh_engine *engine = rh__engine;
    engine->is_active = engine->is_serving = false;
    snprintf(engine->refusal, sizeof engine->refusal,
             "the program would wait in %s for something outside of its threads, which is not "
             "under control: let the test do without, or give it what it waits for before",
             function);
    refuse(code);
}

_Noreturn void rh__refuse_because(const char *format, ...)
{
    struct rh_engine *engine = rh__engine;
    va_list arguments;
    engine->is_active = engine->is_serving = false;
    va_start(arguments, format);
    vsnprintf(engine->refusal, sizeof engine->refusal, format, arguments);
    va_end(arguments);
    refuse(0);
}

_Noreturn void rh__exceed(const char *deed)
{
    struct rh_engine *engine = rh__engine;
    engine->is_active = engine->is_serving = false;
    snprintf(engine->refusal, sizeof engine->refusal, "an execution %s: make the test smaller",
             deed);
    refuse(0);
}
