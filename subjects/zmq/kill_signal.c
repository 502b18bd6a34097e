// SPDX-License-Identifier: MIT
// Two workers listen to two sockets each: tasks, and a controller that publishes the word to end. Main hands out two
// tasks, waits for the results, publishes the word, and waits for the workers' ends.
//
// A worker that is slow to start gets no task, since the other has done both, and its subscription comes when the word
// was published already: it waits for ever, and main for it.
// Fixed: workers say that they are ready when they have subscribed, and main waits for that.
#include <pthread.h>
#include <zmq.h>

enum { WORKERS = 2, TASKS = 2 };

static void *context;

static void *open_socket(int type, const char *endpoint)
{
    void *socket = zmq_socket(context, type);
    if (type == ZMQ_SUB)
        zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
    zmq_connect(socket, endpoint);
    return socket;
}

static void *run_worker(void *argument)
{
    void *results = open_socket(ZMQ_PUSH, "inproc://results");
    void *control = open_socket(ZMQ_SUB, "inproc://control");
    void *tasks = open_socket(ZMQ_PULL, "inproc://tasks");
    zmq_pollitem_t items[] = {{tasks, 0, ZMQ_POLLIN, 0}, {control, 0, ZMQ_POLLIN, 0}};
    char text[16];
    (void)argument;
#ifdef FIXED
    zmq_send(results, "ready", 5, 0);
#endif
    while (!(items[1].revents & ZMQ_POLLIN)) {
        zmq_poll(items, 2, -1);
        if (items[0].revents & ZMQ_POLLIN) {
            zmq_recv(tasks, text, sizeof text, 0);
            zmq_send(results, "done", 4, 0);
        }
    }
    zmq_close(tasks);
    zmq_close(control);
    zmq_close(results);
    return NULL;
}

static void await_words(void *results, int count)
{
    char text[16];
    for (int i = 0; i < count; i++)
        zmq_recv(results, text, sizeof text, 0);
}

static void run_batch(void *tasks, void *results)
{
#ifdef FIXED
    await_words(results, WORKERS);
#endif
    for (int i = 0; i < TASKS; i++)
        zmq_send(tasks, "task", 4, 0);
    await_words(results, TASKS);
}

int main(void)
{
    pthread_t workers[WORKERS];
    context = zmq_ctx_new();
    void *tasks = zmq_socket(context, ZMQ_PUSH);
    void *results = zmq_socket(context, ZMQ_PULL);
    void *control = zmq_socket(context, ZMQ_PUB);
    zmq_bind(tasks, "inproc://tasks");
    zmq_bind(results, "inproc://results");
    zmq_bind(control, "inproc://control");
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, run_worker, NULL);
    run_batch(tasks, results);
    zmq_send(control, "KILL", 4, 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    zmq_close(control);
    zmq_close(results);
    zmq_close(tasks);
    zmq_ctx_term(context);
    return 0;
}
