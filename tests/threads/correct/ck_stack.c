// SPDX-License-Identifier: MIT
// Concurrency Kit's stack, with the compiler's own atomic operations, without which it has a counter
// beside its head: entries do not come back here. Its pointers are data races to C, as in ck_fifo.c.
// rehearse: --cflags -DCK_USE_CC_BUILTINS=1
#include <ck_stack.h>
#include <rehearse/component.h>

static ck_stack_t stack;
static ck_stack_entry_t entries[3];

static void setup(void)
{
    ck_stack_init(&stack);
    ck_stack_push_upmc(&stack, &entries[0]);
    ck_stack_push_upmc(&stack, &entries[1]);
}

static int number_of(const ck_stack_entry_t *entry)
{
    return entry ? (int)(entry - entries) + 1 : 0;
}

static void push(int number)
{
    ck_stack_push_upmc(&stack, &entries[number - 1]);
}

static int pop(void)
{
    return number_of(ck_stack_pop_upmc(&stack));
}

static void view(rh_view *view)
{
    int place = 0;
    for (const ck_stack_entry_t *entry = stack.head; entry; entry = entry->next)
        rh_view_put(view, place++, number_of(entry));
}

RH_COMPONENT(stack){.setup = setup, .view = view};

RH_THREADS(pops)
{
    rh_thread
    {
        RH_CALL(pop());
    }
    rh_thread
    {
        RH_CALL(pop());
        RH_CALL(push(3));
    }
}

RH_THREADS(pushes)
{
    rh_thread
    {
        RH_CALL(push(3));
    }
    rh_thread
    {
        RH_CALL(pop());
    }
}
