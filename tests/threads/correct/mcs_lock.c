// SPDX-License-Identifier: MIT
// A lock whose waiters queue up, each looking at its own node (Mellor-Crummey and Scott, 1991). The
// nodes lie on the threads' stacks.
#include <rehearse/component.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    _Atomic bool waits;
    struct node *_Atomic next;
};

static struct node *_Atomic last;
static int count;

static void lock(struct node *node)
{
    atomic_store(&node->waits, true);
    atomic_store(&node->next, NULL);
    struct node *before = atomic_exchange(&last, node);
    if (!before)
        return;
    atomic_store(&before->next, node);
    while (atomic_load(&node->waits))
        continue;
}

static void unlock(struct node *node)
{
    struct node *own = node;
    if (!atomic_load(&node->next) && atomic_compare_exchange_strong(&last, &own, NULL))
        return;
    while (!atomic_load(&node->next))
        continue;
    atomic_store(&atomic_load(&node->next)->waits, false);
}

static int add(void)
{
    struct node node;
    lock(&node);
    int result = ++count;
    unlock(&node);
    return result;
}

RH_THREADS(adds)
{
    rh_thread
    {
        RH_CALL(add());
    }
    rh_thread
    {
        RH_CALL(add());
    }
}
