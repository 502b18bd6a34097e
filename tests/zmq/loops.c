// SPDX-License-Identifier: MIT
// Event loops on the descriptors of sockets, chosen by the first argument: see loops.sh.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>
#include <zmq.h>

static void *context;
static const char *how;

static int is(const char *word)
{
    return strcmp(how, word) == 0;
}

static int descriptor_of(void *socket)
{
    int descriptor;
    size_t size = sizeof descriptor;
    int result = zmq_getsockopt(socket, ZMQ_FD, &descriptor, &size);
    assert(result == 0);
    return descriptor;
}

static int can_receive(void *socket)
{
    int events;
    size_t size = sizeof events;
    int result = zmq_getsockopt(socket, ZMQ_EVENTS, &events, &size);
    return result == 0 && events & ZMQ_POLLIN;
}

// 0 if the time was over first.
static int wait_with_epoll(int descriptor, int timeout_ms)
{
    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
    int ready = epoll_wait(epoll, &event, 1, timeout_ms);
    close(epoll);
    return ready;
}

static int wait_with_select(int descriptor, int timeout_ms)
{
    fd_set readable;
    struct timeval timeout = {.tv_usec = timeout_ms * 1000};
    FD_ZERO(&readable);
    FD_SET(descriptor, &readable);
    return select(descriptor + 1, &readable, NULL, NULL, timeout_ms < 0 ? NULL : &timeout);
}

static int wait_for(int descriptor, int timeout_ms)
{
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    zmq_pollitem_t item = {.fd = descriptor, .events = ZMQ_POLLIN};
    if (is("epoll"))
        return wait_with_epoll(descriptor, timeout_ms);
    if (is("select"))
        return wait_with_select(descriptor, timeout_ms);
    if (is("zmq_poll"))
        return zmq_poll(&item, 1, timeout_ms);
    return poll(&entry, 1, timeout_ms);
}

// Receives all there is, or, as one must not, one message for each time that the descriptor is readable.
static int receive(void *socket)
{
    char text[16];
    int count = 0;
    while (can_receive(socket)) {
        int size = zmq_recv(socket, text, sizeof text, ZMQ_DONTWAIT);
        printf("%.*s\n", size, text);
        count++;
        if (is("careless"))
            break;
    }
    return count;
}

static void *run(void *argument)
{
    void *socket = zmq_socket(context, ZMQ_PAIR);
    (void)argument;
    zmq_connect(socket, "inproc://pair");
    zmq_send(socket, "one", 3, 0);
    zmq_send(socket, "two", 3, 0);
    zmq_send(socket, "three", 5, 0);
    zmq_close(socket);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    how = argc > 1 ? argv[1] : "poll";
    context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_PAIR);
    zmq_bind(socket, "inproc://pair");
    int descriptor = descriptor_of(socket), left = 3;
    while (can_receive(socket))
        continue;
    int ready = wait_for(descriptor, 10);
    printf("%d before\n", ready);
    pthread_create(&thread, NULL, run, NULL);
    while (left > 0) {
        left -= receive(socket);
        if (left > 0)
            wait_for(descriptor, -1);
    }
    pthread_join(thread, NULL);
    zmq_close(socket);
    zmq_ctx_term(context);
    return 0;
}
