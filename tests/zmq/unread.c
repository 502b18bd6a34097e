// SPDX-License-Identifier: MIT
// Messages that nobody receives, as the first argument says: see unread.sh.
#include <pthread.h>
#include <string.h>
#include <zmq.h>

static void *context;
static const char *what;

static int is(const char *word)
{
    return strcmp(what, word) == 0;
}

static void *run(void *argument)
{
    char text[8];
    void *socket = zmq_socket(context, ZMQ_PAIR);
    (void)argument;
    zmq_connect(socket, "inproc://pair");
    for (int i = 0; i < (is("all") ? 3 : 1); i++)
        zmq_recv(socket, text, sizeof text, 0);
    if (!is("open"))
        zmq_close(socket);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    what = argc > 1 ? argv[1] : "all";
    context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_PAIR), *push = zmq_socket(context, ZMQ_PUSH);
    zmq_bind(socket, "inproc://pair");
    pthread_create(&thread, NULL, run, NULL);
    zmq_send(socket, "one", 3, 0);
    for (int i = 0; i < 2; i++)
        if (!is("unbound"))
            zmq_send(socket, i == 0 ? "two" : "\1\2", i == 0 ? 3 : 2, 0);
    zmq_connect(push, "tcp://127.0.0.1:5555");
    if (is("unbound"))
        zmq_send(push, "lost", 4, 0);
    zmq_close(push);
    pthread_join(thread, NULL);
    return 0;
}
