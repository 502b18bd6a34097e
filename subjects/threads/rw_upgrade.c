// SPDX-License-Identifier: MIT
// kind: refinement
// withdraw looks under a read lock and acts under a write lock, without looking again.
#include <pthread.h>
#include <rehearse/component.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int balance = 100;

static bool withdraw(int amount)
{
    pthread_rwlock_rdlock(&lock);
    bool is_enough = balance >= amount;
    pthread_rwlock_unlock(&lock);
    if (!is_enough)
        return false;
    pthread_rwlock_wrlock(&lock);
#ifdef FIXED
    is_enough = balance >= amount;
#endif
    if (is_enough)
        balance -= amount;
    pthread_rwlock_unlock(&lock);
    return is_enough;
}

RH_THREADS(overdraw)
{
    rh_thread
    {
        RH_CALL(withdraw(70));
    }
    rh_thread
    {
        RH_CALL(withdraw(70));
    }
}
