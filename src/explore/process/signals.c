// SPDX-License-Identifier: MIT
// What a worker does about the program's crashes.
#include <asm/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "entry/stack.h"
#include "explore/process/marks.h"
#include "explore/process/shared.h"
#include "lines/record.h"
#include "memory/globals.h"
#include "world/world.h"

// So much room that malloc maps it: no page of it is touched before it is used.
enum { ALTERNATE_STACK = 256 << 10, NAME_ROOM = 256 << 10 };

// Where signal handlers find the search. It has a page of its own, so that it stays writable.
static union {
    struct {
        struct rh_shared *shared;
        pid_t process;       // this process, whatever number handlers are told
        struct rh_text name; // has room from the start: the program may have crashed inside malloc
    };
    char page[4096];
} own RH__OWN;

static void copy_text(char *to, size_t size, const char *from)
{
    size_t length = from ? strnlen(from, size - 1) : 0;
    memcpy(to, from ? from : "", length);
    to[length] = '\0';
}

// Frames. They are noted one by one: if the program has destroyed its stack, unwinding may fault,
// and then the frames found until then count.

struct unwinding {
    uint64_t *frames;
    int *count;
    int most;
    uint64_t start; // where the signal came
    bool is_inside; // past the frames of the signal handler
};

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument)
{
    struct unwinding *unwinding = argument;
    int is_exact = 0;
    // A return address may be the first of the next line, or even of the next function: the call is
    // before it.
    uint64_t address = _Unwind_GetIPInfo(context, &is_exact);
    address -= !is_exact;
    if (!unwinding->is_inside)
        unwinding->is_inside = is_exact && address == unwinding->start;
    else
        unwinding->frames[(*unwinding->count)++] = address;
    return *unwinding->count < unwinding->most ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// After a call to where there is no code nothing tells how to unwind. The call has left its return
// address on the stack and changed nothing else: taking it back leaves the registers as if it had
// not been made.
static void take_back_call(greg_t *registers)
{
    const uint64_t *top = (const uint64_t *)registers[REG_RSP];
    registers[REG_RIP] = (greg_t)(*top - 1);
    registers[REG_RSP] += (greg_t)sizeof *top;
}

static void note_frames(struct rh_crash *crash, greg_t *registers)
{
    // Traps and calls of the kernel come after their instruction. Of other instructions the second
    // byte is noted: the first may be the first of a function, which would stand for the whole
    // function.
    bool is_after = crash->signal == SIGTRAP || crash->signal == SIGSYS;
    uint64_t address = (uint64_t)registers[REG_RIP];
    crash->frames[crash->frame_count++] = is_after ? address - 1 : address + 1;
    if (crash->signal == SIGSEGV && crash->address == address) {
        take_back_call(registers);
        address = (uint64_t)registers[REG_RIP];
        crash->frames[crash->frame_count++] = address;
    }
    struct unwinding unwinding = {crash->frames, &crash->frame_count, RH_FRAMES_MOST, address,
                                  false};
    _Unwind_Backtrace(note_frame, &unwinding);
}

// An unwinder that is linked into the executable has its books on pages that are watched, and must
// not fault here. A library has no __executable_start, and nothing is watched there.
static bool is_unwinder_apart(void)
{
    extern const char __executable_start[] __attribute__((weak)), _end[];
    const char *unwinder = (const char *)(uintptr_t)_Unwind_Backtrace;
    return !__executable_start || unwinder < __executable_start || unwinder >= _end;
}

// The program has written a watched variable, and goes on when this function returns.
static void note_write(void *address, const greg_t *registers)
{
    struct rh_write *write = rh_globals_note(address);
    if (!write)
        return;
    uint64_t start = (uint64_t)registers[REG_RIP];
    int was_inside = rh__process.in_handler;
    rh__process.in_handler = 0;
    write->frames[write->frame_count++] = start + 1; // as in note_frames
    struct unwinding unwinding = {write->frames, &write->frame_count, RH_WRITE_FRAMES_MOST, start,
                                  false};
    if (is_unwinder_apart())
        _Unwind_Backtrace(note_frame, &unwinding);
    rh__process.in_handler = was_inside;
}

// What identifies the crash comes first; the actor's name, which takes the most work, comes last.
static void describe(struct rh_crash *crash, struct rh_world *world, greg_t *registers)
{
    uint32_t slot = world->current;
    uint32_t message = world->delivering;
    if (world->stage == RH_STAGE_GUARD) {
        message = world->guarded;
        slot = world->messages[message].receiver;
        rh_footprints_add_guard(own.shared->footprints, world);
    }
    copy_text(crash->text, sizeof crash->text, world->crash_text);
    if (slot != 0) {
        copy_text(crash->behaviour, sizeof crash->behaviour, world->actors[slot].behaviour_name);
        crash->handler = (const void *)(uintptr_t)world->actors[slot].behaviour;
    }
    if (world->judging)
        crash->handler = (const void *)(uintptr_t)world->judging->judge;
    if (message != RH_NONE)
        copy_text(crash->message_type, sizeof crash->message_type,
                  world->messages[message].type->name);
    if (!crash->overflow)
        note_frames(crash, registers);
    rh_lines_crash(crash->frames, crash->frame_count);
    if (slot != 0) {
        rh_world_add_name(world, &own.name, slot);
        copy_text(crash->actor, sizeof crash->actor, rh_text_get(&own.name));
    }
}

static void die(int number, siginfo_t *info, void *context, bool given)
{
    struct rh_crash *crash = &own.shared->crash;
    struct rh_world *world = rh__process.world;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (rh__process.is_child) {
        signal(number, SIG_DFL); // the instruction that faults is run again
        return;
    }
    // Describing the crash has failed in its turn: the part that was described must do.
    if (crash->valid)
        _exit(RH_EXIT_CRASHED);
    rh__process.in_handler = 0;
    // The rest of this function must not fault, since the kernel ends a process that faults here.
    // The books of a sanitizer's run time may be on watched pages, and it writes to them whenever
    // it likes.
    rh_globals_release();
    crash->signal = number;
    crash->address = (uint64_t)info->si_addr;
    crash->given = given;
    crash->in_tool = !world || world->stage == RH_STAGE_TOOL;
    crash->is_damage = world && world->is_damaged;
    uint64_t depth = RH_STACK_BASE - crash->address;
    crash->overflow = number == SIGSEGV && depth - 1 < (64 << 10);
    crash->valid = true;
    if (world)
        describe(crash, world, registers);
    else
        note_frames(crash, registers);
    _exit(RH_EXIT_CRASHED);
}

static void note_step(void)
{
    uint64_t steps = atomic_load_explicit(&own.shared->steps, memory_order_relaxed);
    atomic_store_explicit(&own.shared->steps, steps + 1, memory_order_relaxed);
}

static long call_kernel(long number, long first, long second)
{
    long result = number;
    __asm__ volatile("syscall" : "+a"(result) : "D"(first), "S"(second) : "rcx", "r11", "memory");
    return result;
}

// A handler may have taken away the thread pointer, without which nothing of this works. Threads of
// the program have their own.
static void restore_thread_pointer(struct rh_world *world)
{
    const void *pointer = NULL;
    call_kernel(SYS_arch_prctl, ARCH_GET_FS, (long)&pointer);
    if (pointer == world->thread_pointer || call_kernel(SYS_gettid, 0, 0) != world->thread)
        return;
    call_kernel(SYS_arch_prctl, ARCH_SET_FS, (long)world->thread_pointer);
    world->is_damaged = true;
    rh_world_crash_text(world, "the handler has changed the thread pointer");
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    struct rh_world *world = rh__process.world;
    enum rh_access access = RH_ACCESS_OTHER;
    if (world) {
        rh_fence_pause(&world->fence);
        restore_thread_pointer(world);
    }
    if (world && number == SIGSYS) {
        rh_frames_open(&world->frames);
        world->fence.asks_too = false;
        access = rh_fence_call(&world->fence, info, context);
    }
    if (number == SIGSEGV && info->si_code == SEGV_ACCERR) {
        if (world && rh_frames_fault(&world->frames, (uint64_t)info->si_addr)) {
            world->fence.asks_too &= world->frames.is_closed;
            access = RH_ACCESS_NEIGHBOUR;
        } else if (rh_globals_fault(info->si_addr)) {
            note_write(info->si_addr, ((ucontext_t *)context)->uc_mcontext.gregs);
            access = RH_ACCESS_NEIGHBOUR;
        } else if (world)
            access = rh_fence_fault(&world->fence, (uint64_t)info->si_addr, context);
    }
    if (access != RH_ACCESS_NEIGHBOUR)
        die(number, info, context, access == RH_ACCESS_GIVEN);
    else if (world)
        rh_fence_resume(&world->fence);
}

// The program has come to a line that is looked for, or the one instruction that was let through
// has run.
static void on_trap(int number, siginfo_t *info, void *context)
{
    struct rh_world *world = rh__process.world;
    if (rh_marks_take(context))
        return;
    enum rh_access access = world ? rh_fence_step(&world->fence, context) : RH_ACCESS_OTHER;
    if (access != RH_ACCESS_NEIGHBOUR)
        die(number, info, context, access == RH_ACCESS_GIVEN);
    note_step();
}

// A signal that asks a process to end. The user and the command ask the keeper, who decides then. A
// signal that the program sends to itself is its crash; and its own children are to end like any
// process.
static void on_request(int number, siginfo_t *info, void *context)
{
    if (rh__process.is_child) {
        signal(number, SIG_DFL);
        raise(number); // comes when this function returns
    } else if (info->si_code <= 0 && info->si_pid == own.process) {
        on_fault(number, info, context);
    }
}

// Calls the functions that note_frame calls: the first call of a function writes its address into a
// table, on a watched page.
static _Unwind_Reason_Code end_unwinding(struct _Unwind_Context *context, void *argument)
{
    int is_exact;
    (void)argument;
    (void)_Unwind_GetIPInfo(context, &is_exact);
    return _URC_END_OF_STACK;
}

void rh_signals_load(void)
{
    _Unwind_Backtrace(end_unwinding, NULL);
}

// A sanitizer that has found something says so and ends the process, past our handlers: this makes
// it abort instead.
static void catch_sanitizer(void)
{
    extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(abort);
}

// UndefinedBehaviorSanitizer calls this function for each error that it has found. By itself it
// would print the error, note it in a variable of the program and go on; but what the program does
// after an error is nothing to rely on.
void __ubsan_on_report(void);
void __ubsan_on_report(void)
{
    extern void __ubsan_get_current_report_data(const char **kind, const char **message,
                                                const char **file, unsigned *line, unsigned *column,
                                                char **address) __attribute__((weak));
    if (!rh__process.world || !__ubsan_get_current_report_data)
        return;
    const char *kind, *message, *file;
    unsigned line, column;
    char *address;
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
    rh__process.in_handler = 0;
    dprintf(STDERR_FILENO, "%s:%u:%u: runtime error: %s\n", file, line, column, message);
    abort();
}

// LeakSanitizer asks this when the program exits. Memory that an execution leaves behind when it is
// cut off is no leak.
int __lsan_is_turned_off(void);
__attribute__((weak)) int __lsan_is_turned_off(void)
{
    return rh__process.world != NULL;
}

void rh_signals_catch(struct rh_shared *shared)
{
    own.shared = shared;
    own.process = (pid_t)syscall(SYS_getpid);
    own.name = (struct rh_text){.bytes = rh_alloc(NAME_ROOM), .capacity = NAME_ROOM};
    catch_sanitizer();
    stack_t alternate = {.ss_size = ALTERNATE_STACK};
    alternate.ss_sp =
        mmap(NULL, ALTERNATE_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&alternate, NULL);
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &action, NULL);
    action.sa_sigaction = on_trap;
    sigaction(SIGTRAP, &action, NULL);
    static const int requests[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    action.sa_sigaction = on_request;
    action.sa_flags |= SA_RESTART;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        sigaction(requests[i], &action, NULL);
}
