// SPDX-License-Identifier: MIT
// Random programs of two or three threads with a socket each, of which one, or main, shuts the context down, or main ends it
// behind all others: see threads.sh.
// Prints in one line what each call gave.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

enum { THREADS_MOST = 3, CALLS_MOST = 4 };
enum call { SEND, RECEIVE, LOOK, END };

static const int pairs[][2] = {{ZMQ_PULL, ZMQ_PUSH},     {ZMQ_PUSH, ZMQ_PULL},
                               {ZMQ_ROUTER, ZMQ_DEALER}, {ZMQ_DEALER, ZMQ_DEALER},
                               {ZMQ_PAIR, ZMQ_PAIR},     {ZMQ_REP, ZMQ_REQ}};

struct script {
    int type, binds, call_count;
    enum call calls[CALLS_MOST];
    char said[256];
};

static unsigned long long state;
static void *context;
static struct script scripts[THREADS_MOST];
static int count, main_ends, thread_ends;

static unsigned below(unsigned most)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % most;
}

static void note(struct script *script, const char *call, int result)
{
    const char *error = errno == ETERM    ? "ended"
                        : errno == EAGAIN ? "nothing"
                        : errno == EFSM   ? "turn"
                                          : strerror(errno);
    size_t length = strlen(script->said);
    snprintf(script->said + length, sizeof script->said - length, " %s%s%s", call,
             result < 0 ? "-" : "", result < 0 ? error : "");
}

// A message with all its parts.
static void receive(struct script *script, void *socket, int flags)
{
    char text[16];
    int result = zmq_recv(socket, text, sizeof text, flags), more = 1;
    size_t size = sizeof more;
    note(script, flags ? "look" : "receive", result);
    while (result >= 0 && zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &size) == 0 && more)
        result = zmq_recv(socket, text, sizeof text, 0);
}

static void act(struct script *script, void *socket, enum call call)
{
    switch (call) {
    case SEND:
        note(script, "send", zmq_send(socket, "m", 1, ZMQ_DONTWAIT));
        break;
    case RECEIVE:
    case LOOK:
        receive(script, socket, call == LOOK ? ZMQ_DONTWAIT : 0);
        break;
    case END:
        note(script, "end", zmq_ctx_shutdown(context));
        break;
    }
}

static void *run(void *argument)
{
    struct script *script = argument;
    int zero = 0;
    void *socket = zmq_socket(context, script->type);
    note(script, "socket", socket ? 0 : -1);
    if (!socket)
        return NULL;
    zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero);
    if (script->binds)
        note(script, "bind", zmq_bind(socket, "inproc://meeting"));
    else
        note(script, "connect", zmq_connect(socket, "inproc://meeting"));
    for (int i = 0; i < script->call_count; i++)
        act(script, socket, script->calls[i]);
    note(script, "close", zmq_close(socket));
    return NULL;
}

static void make_scripts(void)
{
    const int *pair = pairs[below(sizeof pairs / sizeof pairs[0])];
    count = 2 + (int)below(2);
    unsigned who = below(6);
    main_ends = who == 0;
    thread_ends = who == 1;
    for (int i = 0; i < count; i++) {
        scripts[i].binds = i == 0;
        scripts[i].type = pair[i > 0];
        scripts[i].call_count = (int)below(CALLS_MOST);
        for (int k = 0; k < scripts[i].call_count; k++)
            scripts[i].calls[k] = (enum call)below(END);
    }
    struct script *ender = &scripts[below((unsigned)count)];
    if (thread_ends)
        ender->calls[ender->call_count++] = END;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS_MOST];
    state = (argc > 1 ? strtoull(argv[1], NULL, 10) : 0) * 2654435761ULL + 1;
    for (int i = 0; i < 8; i++)
        below(2);
    make_scripts();
    context = zmq_ctx_new();
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, run, &scripts[i]);
    if (main_ends)
        zmq_ctx_shutdown(context);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    zmq_ctx_term(context);
    for (int i = 0; i < count; i++)
        printf("%s%s", i > 0 ? " |" : "", scripts[i].said);
    printf("\n");
    fflush(stdout);
    return 0;
}
