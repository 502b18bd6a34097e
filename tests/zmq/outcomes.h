// SPDX-License-Identifier: MIT
// For programs whose outcome depends on the order in which things happen: each outcome is a failed assertion on a line of
// its own, so that the tool tells them apart.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

static inline void outcome(int number)
{
    switch (number) {
    case 0:
        assert(!"outcome 0");
        break;
    case 1:
        assert(!"outcome 1");
        break;
    case 2:
        assert(!"outcome 2");
        break;
    case 3:
        assert(!"outcome 3");
        break;
    case 4:
        assert(!"outcome 4");
        break;
    case 5:
        assert(!"outcome 5");
        break;
    case 6:
        assert(!"outcome 6");
        break;
    case 7:
        assert(!"outcome 7");
        break;
    default:
        abort();
    }
}

static void *context;

static inline void *open_socket(int type, const char *endpoint, int binds)
{
    void *socket = zmq_socket(context, type);
    int result = binds ? zmq_bind(socket, endpoint) : zmq_connect(socket, endpoint);
    if (result != 0)
        abort();
    return socket;
}

static inline void start(pthread_t *thread, void *(*function)(void *), const char *argument)
{
    if (pthread_create(thread, NULL, function, (void *)argument) != 0)
        abort();
}

static inline void *push_one(void *name)
{
    void *push = open_socket(ZMQ_PUSH, "inproc://results", 0);
    zmq_send(push, name, 1, 0);
    zmq_close(push);
    return NULL;
}

static inline int receive_digit(void *socket)
{
    char text[8] = "";
    return zmq_recv(socket, text, sizeof text - 1, 0) < 0 ? -1 : atoi(text);
}

// Finds what was sent, or not.
static inline void look(void *pull)
{
    char text[8];
    outcome(zmq_recv(pull, text, sizeof text, ZMQ_DONTWAIT) >= 0 ? 1 : 2);
}

// A program with its name; a table of them ends with one that has none.
struct program {
    const char *name;
    void (*run)(void);
};

// Runs the program that is the first argument. It ends with its outcome.
static inline int run_named(const struct program *programs, int argc, char **argv)
{
    context = zmq_ctx_new();
    for (; argc > 1 && programs->name; programs++)
        if (strcmp(programs->name, argv[1]) == 0)
            programs->run();
    return 2;
}
