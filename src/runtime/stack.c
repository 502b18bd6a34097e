// SPDX-License-Identifier: MIT
// Stacks of handlers. A carrier's loop and its handlers share one stack. A handler that waits keeps
// the stack, and the loop goes on with another. So only handlers that wait take stacks, and all
// others switch none.
//
// Sanitizers are told about every switch.
#include "entry/stack.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/status.h"
#include "base/text.h"
#include "runtime/runtime.h"

enum { GUARD = 4096 };

extern void __sanitizer_finish_switch_fiber(void *saved, const void **bottom, size_t *size)
    __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *memory, size_t size)
    __attribute__((weak));
extern void *__tsan_get_current_fiber(void) __attribute__((weak));
extern void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
extern void __tsan_destroy_fiber(void *fiber) __attribute__((weak));
extern void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));

static struct rh_handler_stack *map_stack(size_t size)
{
    char *memory = mmap(NULL, size, rh_stack_protection(),
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, GUARD, PROT_NONE) != 0)
        rh_panic("no stack for one more handler that waits: a process may have about 32,000, see "
                 "vm.max_map_count");
    struct rh_handler_stack *stack = rh_alloc(sizeof *stack);
    stack->memory = memory;
    stack->size = size;
    return stack;
}

static struct rh_handler_stack *take(struct rh_carrier *carrier)
{
    struct rh_handler_stack *stack = carrier->spare_stacks;
    if (stack)
        carrier->spare_stacks = stack->next;
    else
        stack = map_stack(carrier->runtime->options.stack_size);
    if (__tsan_create_fiber)
        stack->fiber = __tsan_create_fiber(0);
    return stack;
}

static void free_stack(struct rh_handler_stack *stack)
{
    munmap(stack->memory, stack->size);
    free(stack);
}

// Makes a stack spare; what is left on it is not needed any more.
static void retire(struct rh_carrier *carrier, struct rh_handler_stack *stack)
{
    if (__tsan_destroy_fiber)
        __tsan_destroy_fiber(stack->fiber);
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(stack->memory + GUARD, stack->size - GUARD);
    stack->next = carrier->spare_stacks;
    carrier->spare_stacks = stack;
}

// Tells sanitizers that the carrier is about to leave the present stack for `to`; NULL is the
// thread's own stack.
static void announce(struct rh_carrier *carrier, struct rh_handler_stack *to, bool retires)
{
    struct rh_handler_stack *from = carrier->stack;
    carrier->stack = to;
    carrier->retired_stack = retires ? from : NULL;
    if (__sanitizer_start_switch_fiber) {
        void **fake = retires ? NULL : from ? &from->fake : &carrier->home_fake;
        __sanitizer_start_switch_fiber(fake, to ? to->memory : carrier->home_bottom,
                                       to ? to->size : carrier->home_size);
    }
    if (__tsan_switch_to_fiber)
        __tsan_switch_to_fiber(to ? to->fiber : carrier->home_fiber, 0);
}

static void arrive(struct rh_carrier *carrier)
{
    if (__sanitizer_finish_switch_fiber) {
        struct rh_handler_stack *stack = carrier->stack;
        const void *bottom;
        size_t size;
        __sanitizer_finish_switch_fiber(stack ? stack->fake : carrier->home_fake, &bottom, &size);
        if (stack)
            stack->fake = NULL;
        if (!carrier->home_bottom) {
            carrier->home_bottom = bottom;
            carrier->home_size = size;
        }
    }
    if (carrier->retired_stack)
        retire(carrier, carrier->retired_stack);
    carrier->retired_stack = NULL;
}

static void begin(void *argument)
{
    arrive(argument);
    rh_carrier_loop(argument);
}

void rh_stack_run(struct rh_carrier *carrier, void **stack_pointer)
{
    if (!carrier->home_fiber && __tsan_get_current_fiber)
        carrier->home_fiber = __tsan_get_current_fiber();
    struct rh_handler_stack *stack = take(carrier);
    announce(carrier, stack, false);
    const struct rh_call call = {(void (*)(void))begin, {carrier}};
    rh_stack_start(stack_pointer, stack->memory + stack->size, &call);
    arrive(carrier);
}

_Noreturn void rh_stack_back(struct rh_carrier *carrier, struct rh_handler_stack *stack,
                             void **stack_pointer)
{
    announce(carrier, stack, true);
    rh_stack_leave(stack_pointer);
}

void rh_stacks_free(struct rh_carrier *carrier)
{
    while (carrier->spare_stacks) {
        struct rh_handler_stack *stack = carrier->spare_stacks;
        carrier->spare_stacks = stack->next;
        free_stack(stack);
    }
}

void rh_stack_free(struct rh_handler_stack *stack)
{
    if (__tsan_destroy_fiber)
        __tsan_destroy_fiber(stack->fiber);
    if (__asan_unpoison_memory_region)
        __asan_unpoison_memory_region(stack->memory + GUARD, stack->size - GUARD);
    free_stack(stack);
}
