// SPDX-License-Identifier: MIT
// What was sent within the process is there for a thread that knows that it was sent: outcome 1. Where nothing says so,
// or other transports are in between, it may also not be: outcome 2. See arrived.sh.
#include "outcomes.h"

#include <semaphore.h>
#include <stdbool.h>
#include <unistd.h>

static sem_t sent;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int count;

static const char *endpoint = "inproc://data";

static void *send_data(void)
{
    void *socket = open_socket(ZMQ_PUSH, endpoint, 0);
    zmq_send(socket, "1", 1, 0);
    return socket;
}

static int try_receive(void *socket)
{
    char text[8];
    return zmq_recv(socket, text, sizeof text, ZMQ_DONTWAIT) == 1 ? 1 : 2;
}

// Ways to say that it was sent.

static void *post(void *argument)
{
    void *socket = send_data();
    sem_post(&sent);
    zmq_close(socket);
    return argument;
}

static void *add(void *argument)
{
    void *socket = send_data();
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    zmq_close(socket);
    return argument;
}

static void *signal_it(void *argument)
{
    void *socket = send_data();
    pthread_mutex_lock(&mutex);
    count++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    zmq_close(socket);
    return argument;
}

static void *tell_relay(void *argument)
{
    void *socket = send_data(), *relay = open_socket(ZMQ_PUSH, "inproc://relay", 0);
    zmq_send(relay, "1", 1, 0);
    zmq_close(relay);
    zmq_close(socket);
    return argument;
}

static void *relay_it(void *argument)
{
    void *in = open_socket(ZMQ_PULL, "inproc://relay", 1);
    void *out = open_socket(ZMQ_PUSH, "inproc://word", 0);
    receive_digit(in);
    zmq_send(out, "1", 1, 0);
    zmq_close(in);
    zmq_close(out);
    return argument;
}

static void *connect_and_meet(void *argument)
{
    void *socket = open_socket(ZMQ_PULL, endpoint, 0);
    int timeout = 100;
    char text[8];
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    pthread_barrier_wait(&barrier);
    zmq_recv(socket, text, sizeof text, 0);
    // As many as there are readers, if each has got one.
    bool is_second = zmq_recv(socket, text, sizeof text, ZMQ_DONTWAIT) == 1;
    zmq_close(socket);
    (void)argument;
    return is_second ? &barrier : NULL;
}

static void *store(void *argument)
{
    void *socket = send_data();
    __atomic_store_n(&count, 1, __ATOMIC_SEQ_CST);
    zmq_close(socket);
    return argument;
}

static void *subscribe(void *argument)
{
    void *socket = open_socket(ZMQ_SUB, endpoint, 0);
    int timeout = 100;
    char text[8];
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
    sem_post(&sent);
    count = zmq_recv(socket, text, sizeof text, 0) == 1 ? 1 : 2;
    zmq_close(socket);
    return argument;
}

// Programs.

static int run_semaphore(void)
{
    void *socket = open_socket(ZMQ_PULL, endpoint, 1);
    pthread_t thread;
    start(&thread, post, NULL);
    sem_wait(&sent);
    int result = try_receive(socket);
    pthread_join(thread, NULL);
    zmq_close(socket);
    return result;
}

static int run_remote(void)
{
    endpoint = "tcp://127.0.0.1:5611";
    return run_semaphore();
}

static int run_unknown(void)
{
    void *socket = open_socket(ZMQ_PULL, endpoint, 1);
    pthread_t thread;
    start(&thread, post, NULL);
    int result = try_receive(socket);
    pthread_join(thread, NULL);
    zmq_close(socket);
    return result;
}

static int run_mutex(void)
{
    void *socket = open_socket(ZMQ_PULL, endpoint, 1);
    pthread_t thread;
    start(&thread, add, NULL);
    int seen = 0;
    while (seen == 0) {
        pthread_mutex_lock(&mutex);
        seen = count;
        pthread_mutex_unlock(&mutex);
        if (seen == 0)
            usleep(1000);
    }
    int result = try_receive(socket);
    pthread_join(thread, NULL);
    zmq_close(socket);
    return result;
}

// Tries a few times, as a latch of libstdc++ does.
static int run_variable(void)
{
    void *socket = open_socket(ZMQ_PULL, endpoint, 1);
    pthread_t thread;
    start(&thread, store, NULL);
    int seen = 0;
    for (int i = 0; i < 3 && seen == 0; i++) {
        sched_yield();
        seen = __atomic_load_n(&count, __ATOMIC_SEQ_CST);
    }
    int result = seen ? try_receive(socket) : 1;
    pthread_join(thread, NULL);
    zmq_close(socket);
    return result;
}

static int run_condition(void)
{
    void *socket = open_socket(ZMQ_PULL, endpoint, 1);
    pthread_t thread;
    start(&thread, signal_it, NULL);
    pthread_mutex_lock(&mutex);
    while (count == 0)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    int result = zmq_poll(&item, 1, 0) == 1 ? 1 : 2;
    pthread_join(thread, NULL);
    zmq_close(socket);
    return result;
}

static int run_relay(void)
{
    void *socket = open_socket(ZMQ_PULL, endpoint, 1);
    void *word = open_socket(ZMQ_PULL, "inproc://word", 1);
    pthread_t threads[2];
    start(&threads[0], relay_it, NULL);
    start(&threads[1], tell_relay, NULL);
    receive_digit(word);
    int events;
    size_t size = sizeof events;
    zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size);
    int result = events & ZMQ_POLLIN ? 1 : 2;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    zmq_close(word);
    zmq_close(socket);
    return result;
}

// The jobs go to all who have connected.
static int run_barrier(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    void *socket = open_socket(ZMQ_PUSH, endpoint, 1), *got = NULL;
    void *own = open_socket(ZMQ_PULL, endpoint, 0);
    pthread_t thread;
    start(&thread, connect_and_meet, NULL);
    pthread_barrier_wait(&barrier);
    zmq_send(socket, "1", 1, 0);
    zmq_send(socket, "2", 1, 0);
    pthread_join(thread, &got);
    zmq_close(own);
    zmq_close(socket);
    return got ? 2 : 1;
}

// A PUB may have looked for subscriptions a moment ago, and does not look again.
static int run_publish(void)
{
    void *socket = open_socket(ZMQ_PUB, endpoint, 1);
    pthread_t thread;
    start(&thread, subscribe, NULL);
    sem_wait(&sent);
    zmq_send(socket, "1", 1, 0);
    pthread_join(thread, NULL);
    zmq_close(socket);
    return count;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } programs[] = {
        {"semaphore", run_semaphore}, {"remote", run_remote},       {"unknown", run_unknown},
        {"mutex", run_mutex},         {"condition", run_condition}, {"relay", run_relay},
        {"variable", run_variable},   {"barrier", run_barrier},     {"publish", run_publish}};
    context = zmq_ctx_new();
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (argc > 1 && strcmp(argv[1], programs[i].name) == 0) {
            int result = programs[i].run();
            if (argc > 2)
                return result;
            outcome(result);
        }
    return 9;
}
