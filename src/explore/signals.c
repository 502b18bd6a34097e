// SPDX-License-Identifier: MIT
// What a worker does about the program's crashes.
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "explore/shared.h"
#include "world/globals.h"
#include "world/stack.h"
#include "world/world.h"

enum { ALTERNATE_STACK = 256 << 10 };
enum { TRAP_FLAG = 0x100 };

// Where signal handlers find the search. One page, so that it stays writable.
static union {
    struct rh_shared *shared;
    char page[4096];
} own RH__OWN;

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static void describe(struct rh_crash *crash, struct rh_world *world)
{
    uint32_t slot = world->current;
    uint32_t message = world->delivering;
    if (world->stage == RH_STAGE_GUARD) {
        message = world->guarded;
        slot = world->messages[message].receiver;
    }
    if (slot != 0) {
        struct rh_text name = {0};
        rh_world_add_name(world, &name, slot);
        copy_text(crash->actor, sizeof crash->actor, rh_text_get(&name));
        copy_text(crash->behaviour, sizeof crash->behaviour, world->actors[slot].behaviour_name);
        crash->handler = (const void *)(uintptr_t)world->actors[slot].behaviour;
    }
    if (world->judging)
        crash->handler = (const void *)(uintptr_t)world->judging->judge;
    if (message != RH_NONE)
        copy_text(crash->type, sizeof crash->type, world->messages[message].type->name);
    copy_text(crash->text, sizeof crash->text, world->crash_text);
}

static void die(int number, siginfo_t *info, bool given)
{
    struct rh_crash *crash = &own.shared->crash;
    struct rh_world *world = rh__process.world;
    if (rh__process.is_child) {
        signal(number, SIG_DFL); // the instruction that faults is run again
        return;
    }
    rh__process.in_handler = 0;
    crash->signal = number;
    crash->address = (uint64_t)info->si_addr;
    crash->given = given;
    crash->in_tool = !world || world->stage == RH_STAGE_TOOL;
    uint64_t depth = RH_STACK_BASE - crash->address;
    crash->overflow = number == SIGSEGV && depth - 1 < (64 << 10);
    crash->valid = true;
    if (world)
        describe(crash, world);
    if (!crash->overflow)
        crash->frame_count = backtrace(crash->frames, RH_FRAMES_MOST);
    _exit(RH_EXIT_CRASHED);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    if (number == SIGSEGV && info->si_code == SEGV_ACCERR) {
        if (rh_globals_fault(info->si_addr))
            return;
        struct rh_world *world = rh__process.world;
        enum rh_access access =
            world ? rh_gift_fault(world, (uint64_t)info->si_addr) : RH_ACCESS_OTHER;
        if (access == RH_ACCESS_NEIGHBOUR) {
            ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
            return;
        }
        if (access == RH_ACCESS_GIVEN)
            die(number, info, true);
    }
    die(number, info, false);
}

// The one instruction that was let through has run.
static void on_trap(int number, siginfo_t *info, void *context)
{
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
    if (!rh__process.world || !(*flags & TRAP_FLAG))
        die(number, info, false);
    *flags &= ~(greg_t)TRAP_FLAG;
    rh_gift_step(rh__process.world);
}

void rh_signals_load(void)
{
    void *frame;
    backtrace(&frame, 1);
}

// A sanitizer that has found something says so and ends the process, past our handlers: it is to abort instead.
static void catch_sanitizer(void)
{
    extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(abort);
}

// LeakSanitizer asks this when the program exits. What an execution that was cut off leaves behind is no leak.
int __lsan_is_turned_off(void);
__attribute__((weak)) int __lsan_is_turned_off(void)
{
    return rh__process.world != NULL;
}

void rh_signals_catch(struct rh_shared *shared)
{
    own.shared = shared;
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
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
}
