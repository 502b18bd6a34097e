// SPDX-License-Identifier: MIT
#include "explore/process/marks.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "entry/stack.h"
#include "world/world.h"

enum { MARKS_MOST = 4096 / 16 - 2, PAGE = 4096, BREAKPOINT = 0xcc, TRAP_FLAG = 0x100 };

// Where the signal handler finds them. It has a page of its own, so that it stays writable.
static union {
    struct {
        const struct rh_run_options *options;
        size_t count;
        struct mark {
            uint8_t *address;
            uint8_t instruction; // the byte that the breakpoint has taken the place of
        } marks[MARKS_MOST];
    };
    char page[PAGE];
} own RH__OWN;

_Static_assert(sizeof own == PAGE, "nothing else lies on its page");

// Text that is written to becomes this process's own.
static bool write_code(uint8_t *address, uint8_t byte)
{
    void *page = (void *)((uintptr_t)address & ~(uintptr_t)(PAGE - 1));
    if (mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    *address = byte;
    return mprotect(page, PAGE, PROT_READ | PROT_EXEC) == 0;
}

static void set(void *context, uintptr_t address)
{
    uint8_t *code = (uint8_t *)address;
    (void)context;
    if (own.count == MARKS_MOST || *code == BREAKPOINT)
        return;
    struct mark mark = {code, *code};
    if (write_code(code, BREAKPOINT))
        own.marks[own.count++] = mark;
}

void rh_marks_set(const struct rh_run_options *options)
{
    own.options = options;
    if (options->until_file && options->debug)
        rh_debug_visit_line(options->debug, options->until_file, (int)options->until_line, set,
                            NULL);
}

// Runs on the world's stack, in place of the program's code.
_Noreturn static void report(void)
{
    struct rh_world *world = rh__process.world;
    rh_world_fail(world, RH_FINDING_REACHED, own.options->until_file, (int)own.options->until_line,
                  "%s:%u is reached", own.options->until_file, (unsigned)own.options->until_line);
    rh_stack_leave(&rh__process.world_stack);
}

static struct mark *find(const uint8_t *address)
{
    for (size_t i = 0; i < own.count; i++)
        if (own.marks[i].address == address)
            return &own.marks[i];
    return NULL;
}

// Whether the code belongs to the execution: no thread and no process that it has started does.
static bool is_of_execution(const struct rh_world *world)
{
    int was_inside = rh__process.in_handler;
    rh__process.in_handler = 0;
    long thread = syscall(SYS_gettid);
    rh__process.in_handler = was_inside;
    return world && world->inside && !rh__process.is_child && thread == world->thread;
}

bool rh_marks_take(void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct mark *mark = find((const uint8_t *)registers[REG_RIP] - 1);
    if (!mark)
        return false;
    struct rh_world *world = rh__process.world;
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    if (!is_of_execution(world)) {
        write_code(mark->address, mark->instruction);
        registers[REG_RIP]--;
        return true;
    }
    rh_fence_pause(&world->fence);
    rh__process.in_handler = 0;
    // As for a function that was called on a stack that is aligned by 16.
    registers[REG_RSP] = (((greg_t)rh__process.world_stack - 128) & ~(greg_t)15) - 8;
    registers[REG_RIP] = (greg_t)(uintptr_t)report;
    return true;
}
