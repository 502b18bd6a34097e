// SPDX-License-Identifier: MIT
// Thread-specific data, as libraries keep it: keys from before the test and keys that a handler
// creates, values that one actor sets and another changes, and a judge that looks at them. With
// MANY more keys are created than are reserved for handlers.
#define _GNU_SOURCE // for PTHREAD_KEYS_MAX
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

struct kept {
    int sum;
    pthread_key_t counter; // created by the first handler
    tss_t name;
};

static pthread_key_t early_key, kept_key;
static int before = 5;

__attribute__((constructor)) static void create_keys(void)
{
    pthread_key_create(&early_key, NULL);
    pthread_key_create(&kept_key, NULL);
    pthread_setspecific(early_key, &before);
}

static void look(const void *context);
#define BODY rh_invariant(look, int, {0})
#include "library.h"

static void look(const void *context)
{
    (void)context;
    const struct kept *kept = pthread_getspecific(kept_key);
    const int *early = pthread_getspecific(early_key);
    rh_check(*early == (kept ? kept->sum : before));
    rh_check(!kept || *(int *)pthread_getspecific(kept->counter) == kept->sum);
}

static struct kept *make_kept(void)
{
    struct kept *kept = calloc(1, sizeof *kept);
    rh_check(pthread_key_create(&kept->counter, free) == 0);
    rh_check(pthread_getspecific(kept->counter) == NULL);
    rh_check(pthread_setspecific(kept->counter, calloc(1, sizeof(int))) == 0);
    rh_check(tss_create(&kept->name, NULL) == thrd_success);
    rh_check(kept->name != kept->counter && tss_get(kept->name) == NULL);
    rh_check(pthread_setspecific(kept_key, kept) == 0);
    return kept;
}

static void recycle_key(void)
{
    pthread_key_t key;
    rh_check(pthread_key_create(&key, NULL) == 0);
    rh_check(pthread_setspecific(key, &before) == 0);
    rh_check(pthread_key_delete(key) == 0);
    rh_check(pthread_setspecific(key, &before) == EINVAL);
    rh_check(pthread_setspecific(PTHREAD_KEYS_MAX, &before) == EINVAL);
}

static void create_many(void)
{
    for (int i = 0; i < 100; i++) {
        pthread_key_t key;
        rh_check(pthread_key_create(&key, NULL) == 0);
        rh_check(pthread_getspecific(key) == NULL);
        rh_check(pthread_setspecific(key, &before) == 0);
        rh_check(pthread_getspecific(key) == &before);
    }
}

static void use(struct user *user, int number)
{
    struct kept *kept = pthread_getspecific(kept_key);
    if (!kept)
        kept = make_kept();
    user->kept = kept;
    kept->sum += number;
    *(int *)pthread_getspecific(kept->counter) += number;
    pthread_setspecific(early_key, &kept->sum);
    tss_set(kept->name, &kept->sum);
    rh_check(*(int *)tss_get(kept->name) >= number);
    recycle_key();
#ifdef MANY
    if (number == 1)
        create_many();
#else
    (void)create_many;
#endif
}
