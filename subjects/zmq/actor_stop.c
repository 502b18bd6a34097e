// SPDX-License-Identifier: MIT
// Stop of actors: a sensor sends a value to a cache, which asks a store to keep it and waits for the answer. Main stops
// them one after the other.
//
// It stops the store before the cache. If the value comes to the cache late, nobody answers its question any more: the
// cache waits for ever, does not see that it is to stop, and main waits for it.
// Fixed: the cache is stopped before what it needs.
#include <czmq.h>

static void run_store(zsock_t *pipe, void *arguments)
{
    zsock_t *requests = zsock_new_rep("@inproc://store");
    zpoller_t *poller = zpoller_new(requests, pipe, NULL);
    (void)arguments;
    zsock_signal(pipe, 0);
    while (zpoller_wait(poller, -1) == requests) {
        char *value = zstr_recv(requests);
        zstr_send(requests, "kept");
        zstr_free(&value);
    }
    zpoller_destroy(&poller);
    zsock_destroy(&requests);
}

static void keep(zsock_t *values, zsock_t *store)
{
    char *value = zstr_recv(values);
    zstr_send(store, value);
    char *answer = zstr_recv(store);
    zstr_free(&answer);
    zstr_free(&value);
}

static void run_cache(zsock_t *pipe, void *arguments)
{
    zsock_t *values = zsock_new_pull("@inproc://values");
    zsock_t *store = zsock_new_req(">inproc://store");
    zpoller_t *poller = zpoller_new(values, pipe, NULL);
    (void)arguments;
    zsock_signal(pipe, 0);
    while (zpoller_wait(poller, -1) == values)
        keep(values, store);
    zpoller_destroy(&poller);
    zsock_destroy(&store);
    zsock_destroy(&values);
}

static void run_sensor(zsock_t *pipe, void *arguments)
{
    zsock_t *values = zsock_new_push(">inproc://values");
    (void)arguments;
    zsock_signal(pipe, 0);
    zstr_send(values, "21.5");
    zsock_destroy(&values);
}

int main(void)
{
    zactor_t *store = zactor_new(run_store, NULL);
    zactor_t *cache = zactor_new(run_cache, NULL);
    zactor_t *sensor = zactor_new(run_sensor, NULL);
    zactor_destroy(&sensor);
#ifdef FIXED
    zactor_destroy(&cache);
    zactor_destroy(&store);
#else
    zactor_destroy(&store);
    zactor_destroy(&cache);
#endif
    return 0;
}
