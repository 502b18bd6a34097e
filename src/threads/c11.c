// SPDX-License-Identifier: MIT
// Threads of C11, by those of pthreads: libc's own do not call functions that could be replaced.
#include <errno.h>
#include <threads.h>

#include <pthread.h>

static int result_of(int error)
{
    return error == 0           ? thrd_success
           : error == EBUSY     ? thrd_busy
           : error == ETIMEDOUT ? thrd_timedout
           : error == ENOMEM    ? thrd_nomem
                                : thrd_error;
}

// What a thread of C11 gives is an int, and its function's type says so.
int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    union {
        thrd_start_t given;
        void *(*wanted)(void *);
    } start = {.given = function};
    return result_of(pthread_create((pthread_t *)thread, NULL, start.wanted, argument));
}

int thrd_join(thrd_t thread, int *result)
{
    void *value = NULL;
    int error = pthread_join((pthread_t)thread, &value);
    if (result)
        *result = (int)(long)value;
    return result_of(error);
}

int thrd_detach(thrd_t thread)
{
    return result_of(pthread_detach((pthread_t)thread));
}

void thrd_exit(int result)
{
    pthread_exit((void *)(long)result);
}

int mtx_init(mtx_t *mutex, int type)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE
                                                                : PTHREAD_MUTEX_NORMAL);
    return result_of(pthread_mutex_init((pthread_mutex_t *)mutex, &attributes));
}

void mtx_destroy(mtx_t *mutex)
{
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

int mtx_lock(mtx_t *mutex)
{
    return result_of(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

int mtx_trylock(mtx_t *mutex)
{
    return result_of(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    return result_of(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

int mtx_unlock(mtx_t *mutex)
{
    return result_of(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return result_of(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                  const struct timespec *restrict until)
{
    return result_of(
        pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until));
}

int cnd_signal(cnd_t *condition)
{
    return result_of(pthread_cond_signal((pthread_cond_t *)condition));
}

int cnd_broadcast(cnd_t *condition)
{
    return result_of(pthread_cond_broadcast((pthread_cond_t *)condition));
}

void call_once(once_flag *flag, void (*function)(void))
{
    pthread_once((pthread_once_t *)flag, function);
}

int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return result_of(pthread_key_create(key, destructor));
}

int tss_set(tss_t key, void *value)
{
    return result_of(pthread_setspecific(key, value));
}

void *tss_get(tss_t key)
{
    return pthread_getspecific(key);
}

void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}
