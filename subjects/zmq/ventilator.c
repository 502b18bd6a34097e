// SPDX-License-Identifier: MIT
// Push-pull: a ventilator hands out one shard each to two workers, when both have said that they are ready.
//
// A worker says so before it has connected to the shards. A PUSH socket takes turns between those who are connected: if
// one is not yet, the other gets both shards. That is one more than it has memory for.
// Fixed: the worker connects first.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <zmq.h>

enum { WORKERS = 2 };

static void *context;

static void *run_worker(void *argument)
{
    void *shards = zmq_socket(context, ZMQ_PULL);
    void *ready = zmq_socket(context, ZMQ_PUSH);
    char shard[16], word[16];
    int count = 0;
    (void)argument;
    zmq_connect(ready, "inproc://ready");
#ifdef FIXED
    zmq_connect(shards, "inproc://shards");
    zmq_send(ready, "ready", 5, 0);
#else
    zmq_send(ready, "ready", 5, 0);
    zmq_connect(shards, "inproc://shards");
#endif
    while (zmq_recv(shards, shard, sizeof shard, 0) >= 0) {
        count++;
        assert(count == 1);
        int size = snprintf(word, sizeof word, "done %c", shard[0]);
        zmq_send(ready, word, (size_t)size, 0);
    }
    zmq_close(ready);
    zmq_close(shards);
    return NULL;
}

static void expect_words(void *ready)
{
    char word[16];
    for (int i = 0; i < WORKERS; i++)
        zmq_recv(ready, word, sizeof word, 0);
}

int main(void)
{
    pthread_t workers[WORKERS];
    context = zmq_ctx_new();
    void *shards = zmq_socket(context, ZMQ_PUSH);
    void *ready = zmq_socket(context, ZMQ_PULL);
    zmq_bind(shards, "inproc://shards");
    zmq_bind(ready, "inproc://ready");
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, run_worker, NULL);
    expect_words(ready);
    zmq_send(shards, "a", 1, 0);
    zmq_send(shards, "b", 1, 0);
    expect_words(ready);
    zmq_close(shards);
    zmq_close(ready);
    zmq_ctx_shutdown(context);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    zmq_ctx_term(context);
    return 0;
}
