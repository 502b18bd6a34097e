// SPDX-License-Identifier: MIT
// Router-dealer broker: a client sends two requests without waiting in between, zmq_proxy hands them to two workers, and
// the client takes the first reply for that of the first request.
//
// The workers are independent: the second may be done first.
// Fixed: each reply says which request it belongs to.
#include <pthread.h>
#include <stdio.h>
#include <zmq.h>

enum { WORKERS = 2, REQUESTS = 2 };

struct record {
    int number; // of the request
    int value;  // in a request what to square, in a reply the square
};

static void *context;

static void *run_worker(void *argument)
{
    void *socket = zmq_socket(context, ZMQ_REP);
    struct record record;
    (void)argument;
    zmq_connect(socket, "inproc://workers");
    while (zmq_recv(socket, &record, sizeof record, 0) >= 0) {
        record.value *= record.value;
        zmq_send(socket, &record, sizeof record, 0);
    }
    zmq_close(socket);
    return NULL;
}

static void *run_broker(void *argument)
{
    pthread_t workers[WORKERS];
    void *clients = zmq_socket(context, ZMQ_ROUTER);
    void *backend = zmq_socket(context, ZMQ_DEALER);
    (void)argument;
    zmq_bind(clients, "inproc://clients");
    zmq_bind(backend, "inproc://workers");
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, run_worker, NULL);
    zmq_proxy(clients, backend, NULL);
    zmq_close(backend);
    zmq_close(clients);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    return NULL;
}

// Requests and replies have an empty frame in front, as a REP socket wants it.
static void request(void *socket, int number, int value)
{
    const struct record record = {number, value};
    zmq_send(socket, "", 0, ZMQ_SNDMORE);
    zmq_send(socket, &record, sizeof record, 0);
}

static int reply_number(void *socket, int expected, int *value)
{
    char empty[1];
    struct record record;
    zmq_recv(socket, empty, sizeof empty, 0);
    zmq_recv(socket, &record, sizeof record, 0);
    *value = record.value;
#ifdef FIXED
    (void)expected;
    return record.number;
#else
    return expected;
#endif
}

int main(void)
{
    pthread_t broker;
    int squares[REQUESTS] = {0};
    context = zmq_ctx_new();
    void *client = zmq_socket(context, ZMQ_DEALER);
    zmq_connect(client, "inproc://clients");
    pthread_create(&broker, NULL, run_broker, NULL);
    for (int i = 0; i < REQUESTS; i++)
        request(client, i, 3 + i);
    for (int i = 0; i < REQUESTS; i++) {
        int value, number = reply_number(client, i, &value);
        squares[number] = value;
    }
    zmq_close(client);
    zmq_ctx_shutdown(context);
    pthread_join(broker, NULL);
    zmq_ctx_term(context);
    printf("%d %d\n", squares[0], squares[1]);
    return squares[0] == 9 && squares[1] == 16 ? 0 : 1;
}
