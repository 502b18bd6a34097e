// SPDX-License-Identifier: MIT
// The queue of the Apache Portable Runtime, from its library: locks and signals are seen, memory is
// not.
#include <apr_general.h>
#include <apr_queue.h>
#include <rehearse/component.h>

static apr_pool_t *pool;
static apr_queue_t *queue;
static int items[] = {1, 2};

static void setup(void)
{
    apr_initialize();
    apr_pool_create(&pool, NULL);
    apr_queue_create(&queue, 1, pool);
}

static int put(int number)
{
    return apr_queue_push(queue, &items[number]);
}

static int get(void)
{
    void *item;
    return apr_queue_pop(queue, &item) == APR_SUCCESS ? *(int *)item : 0;
}

static int try_put(int number)
{
    return apr_queue_trypush(queue, &items[number]);
}

static int try_get(void)
{
    void *item;
    return apr_queue_trypop(queue, &item) == APR_SUCCESS ? *(int *)item : 0;
}

RH_COMPONENT(queue){.setup = setup};

RH_THREADS(waits)
{
    rh_thread
    {
        RH_CALL(put(0));
        RH_CALL(put(1));
    }
    rh_thread
    {
        RH_CALL(get());
        RH_CALL(get());
    }
}

RH_THREADS(tries)
{
    rh_thread
    {
        RH_CALL(try_put(0));
        RH_CALL(try_put(1));
    }
    rh_thread
    {
        RH_CALL(try_get());
        RH_CALL(try_get());
    }
}
