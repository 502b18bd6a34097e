// SPDX-License-Identifier: MIT
// Spin locks of Concurrency Kit, with the compiler's own atomic operations.
// rehearse: --cflags -DCK_USE_CC_BUILTINS=1
#include <ck_spinlock.h>
#include <rehearse/component.h>

static ck_spinlock_fas_t fas = CK_SPINLOCK_FAS_INITIALIZER;
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
static ck_spinlock_anderson_t anderson;
static ck_spinlock_anderson_thread_t slots[2];
static int count;

static void setup(void)
{
    ck_spinlock_anderson_init(&anderson, slots, 2);
}

static int add_fas(void)
{
    ck_spinlock_fas_lock(&fas);
    int result = ++count;
    ck_spinlock_fas_unlock(&fas);
    return result;
}

static int add_ticket(void)
{
    ck_spinlock_ticket_lock(&ticket);
    int result = ++count;
    ck_spinlock_ticket_unlock(&ticket);
    return result;
}

static int add_anderson(void)
{
    ck_spinlock_anderson_thread_t *slot;
    ck_spinlock_anderson_lock(&anderson, &slot);
    int result = ++count;
    ck_spinlock_anderson_unlock(&anderson, slot);
    return result;
}

RH_COMPONENT(locks){.setup = setup};

#define ADDS(name)                                                                                 \
    RH_THREADS(name)                                                                               \
    {                                                                                              \
        rh_thread                                                                                  \
        {                                                                                          \
            RH_CALL(add_##name());                                                                 \
        }                                                                                          \
        rh_thread                                                                                  \
        {                                                                                          \
            RH_CALL(add_##name());                                                                 \
        }                                                                                          \
    }

ADDS(fas)
ADDS(ticket)
ADDS(anderson)
