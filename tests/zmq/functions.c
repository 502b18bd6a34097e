// SPDX-License-Identifier: MIT
// Functions of ZeroMQ besides sockets: what they print is the same on the real library and in the place of it.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <zmq.h>

static void *context, *timers;
static int second, calls;

// The first call cancels the other timer that is due.
static void on_timer(int timer, void *argument)
{
    printf("timer %d %s\n", timer, (const char *)argument);
    if (calls++ == 0)
        printf("cancel %d\n", zmq_timers_cancel(timers, second));
}

// Nothing depends on how long it takes.
static void test_timers(void)
{
    timers = zmq_timers_new();
    printf("none: %ld\n", zmq_timers_timeout(timers));
    int first = zmq_timers_add(timers, 20, on_timer, "often");
    second = zmq_timers_add(timers, 20, on_timer, "never");
    int third = zmq_timers_add(timers, 100000, on_timer, "not yet");
    printf("%d %d %d\n", first, second, third);
    int is_soon = 1;
    while (calls < 3) {
        long next = zmq_timers_timeout(timers);
        is_soon &= next >= 0 && next <= 20;
        zmq_poll(NULL, 0, next);
        zmq_timers_execute(timers);
    }
    printf("%d\n", is_soon);
    printf("%d", zmq_timers_set_interval(timers, first, 200000));
    long timeout = zmq_timers_timeout(timers);
    printf(" %d\n", timeout > 20 && timeout <= 100000);
    printf("%d %d\n", zmq_timers_reset(timers, third), zmq_timers_reset(timers, 99));
    printf("%d", zmq_timers_cancel(timers, first));
    int again = zmq_timers_cancel(timers, first);
    printf(" %d %d\n", again, errno == EINVAL);
    int result = zmq_timers_add(timers, 1, NULL, NULL);
    printf("%d %d\n", result, errno == EFAULT);
    printf("%d %d\n", zmq_timers_destroy(&timers), timers == NULL);
}

static void test_parts(void)
{
    void *one = zmq_socket(context, ZMQ_PAIR), *other = zmq_socket(context, ZMQ_PAIR);
    zmq_bind(one, "inproc://parts");
    zmq_connect(other, "inproc://parts");
    struct iovec out[] = {{"first", 5}, {"", 0}, {"third", 5}}, in[4];
    printf("%d\n", zmq_sendiov(other, out, 3, ZMQ_SNDMORE));
    printf("%d\n", zmq_sendiov(other, out, 2, 0));
    size_t count;
    for (int k = 0; k < 3; k++) {
        count = 4;
        printf("%d", zmq_recviov(one, in, &count, 0));
        for (size_t i = 0; i < count; i++) {
            printf(" '%.*s'", (int)in[i].iov_len, (const char *)in[i].iov_base);
            free(in[i].iov_base);
        }
    }
    count = 0;
    int result = zmq_recviov(one, in, &count, 0);
    printf("\n%d %d\n", result, errno == EINVAL);
    zmq_close(one);
    zmq_close(other);
}

static void *run_proxy(void *argument)
{
    void *front = zmq_socket(context, ZMQ_PULL), *back = zmq_socket(context, ZMQ_PUSH);
    void *control = zmq_socket(context, ZMQ_PAIR);
    (void)argument;
    zmq_bind(front, "inproc://front");
    zmq_bind(back, "inproc://back");
    zmq_connect(control, "inproc://control");
    zmq_send(control, "ready", 5, 0);
    int result = zmq_proxy_steerable(front, back, NULL, control);
    zmq_close(front);
    zmq_close(back);
    zmq_close(control);
    return result == 0 ? "ended" : "failed";
}

static void show(void *socket)
{
    char text[16];
    int size = zmq_recv(socket, text, sizeof text, 0);
    printf("%.*s\n", size, text);
}

static void test_proxy(void)
{
    void *in = zmq_socket(context, ZMQ_PUSH), *out = zmq_socket(context, ZMQ_PULL), *end;
    void *control = zmq_socket(context, ZMQ_PAIR);
    pthread_t thread;
    zmq_bind(control, "inproc://control");
    pthread_create(&thread, NULL, run_proxy, NULL);
    show(control);
    zmq_connect(in, "inproc://front");
    zmq_connect(out, "inproc://back");
    zmq_send(in, "through", 7, 0);
    show(out);
    zmq_send(control, "PAUSE", 5, 0);
    zmq_send(control, "RESUME", 6, 0);
    zmq_send(in, "again", 5, 0);
    show(out);
    zmq_send(control, "TERMINATE", 9, 0);
    pthread_join(thread, &end);
    printf("%s\n", (const char *)end);
    zmq_close(in);
    zmq_close(out);
    zmq_close(control);
}

static int is_ready(void *socket)
{
    zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
    return zmq_poll(&item, 1, 0);
}

// What is no request, or no reply, is one until it is received.
static void test_strays(void)
{
    char text[8], id[8];
    void *rep = zmq_socket(context, ZMQ_REP), *dealer = zmq_socket(context, ZMQ_DEALER);
    zmq_bind(rep, "inproc://rep");
    zmq_connect(dealer, "inproc://rep");
    zmq_send(dealer, "stray", 5, 0);
    printf("stray request %d", is_ready(rep));
    printf(" %d", zmq_recv(rep, text, sizeof text, ZMQ_DONTWAIT));
    printf(" %d\n", is_ready(rep));
    void *router = zmq_socket(context, ZMQ_ROUTER), *req = zmq_socket(context, ZMQ_REQ);
    zmq_bind(router, "inproc://router");
    zmq_connect(req, "inproc://router");
    zmq_send(req, "request", 7, 0);
    int size = zmq_recv(router, id, sizeof id, 0);
    for (int i = 0; i < 2; i++)
        zmq_recv(router, text, sizeof text, 0);
    zmq_send(router, id, (size_t)size, ZMQ_SNDMORE);
    zmq_send(router, "stray", 5, 0);
    printf("stray reply %d", is_ready(req));
    printf(" %d", zmq_recv(req, text, sizeof text, ZMQ_DONTWAIT));
    printf(" %d\n", is_ready(req));
    zmq_close(rep);
    zmq_close(dealer);
    zmq_close(router);
    zmq_close(req);
}

// An XPUB receives what nobody wants any more since its subscriber has gone.
static void test_leaving(void)
{
    static const char *const topics[] = {"b", "ab", "a"};
    char topic[8];
    void *pub = zmq_socket(context, ZMQ_XPUB);
    void *subs[] = {zmq_socket(context, ZMQ_SUB), zmq_socket(context, ZMQ_SUB)};
    zmq_bind(pub, "inproc://xpub");
    for (int i = 0; i < 2; i++)
        zmq_connect(subs[i], "inproc://xpub");
    zmq_setsockopt(subs[0], ZMQ_SUBSCRIBE, "b", 1);
    for (int i = 0; i < 3; i++)
        zmq_setsockopt(subs[1], ZMQ_SUBSCRIBE, topics[i], strlen(topics[i]));
    for (int i = 0; i < 5; i++) {
        if (i == 3)
            zmq_close(subs[1]);
        int size = zmq_recv(pub, topic, sizeof topic, 0);
        printf("topic %d %.*s\n", topic[0], size - 1, topic + 1);
    }
    zmq_close(subs[0]);
    zmq_close(pub);
}

static void *terminate(void *argument)
{
    zmq_ctx_term(argument);
    return NULL;
}

// Terminated by another thread than the one that has made it, while a socket is open.
static void test_end(void)
{
    void *other = zmq_ctx_new(), *socket = zmq_socket(other, ZMQ_PULL);
    pthread_t thread;
    char text[8];
    zmq_bind(socket, "inproc://end");
    pthread_create(&thread, NULL, terminate, other);
    int result = zmq_recv(socket, text, sizeof text, 0);
    printf("%d %d\n", result, errno == ETERM);
    zmq_close(socket);
    pthread_join(thread, NULL);
}

int main(void)
{
    context = zmq_ctx_new();
    test_timers();
    test_parts();
    test_proxy();
    test_strays();
    test_leaving();
    test_end();
    zmq_ctx_term(context);
    return 0;
}
