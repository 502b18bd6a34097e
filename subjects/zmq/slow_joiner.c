// SPDX-License-Identifier: MIT
// Publish-subscribe: a feed publishes three prices as soon as it is told to go, and the subscriber expects all of them.
//
// The subscriber tells main that it is ready, and main tells the feed to go. But the subscription goes to the feed by
// another way than the word to go, and a publisher drops what nobody has asked for: the first prices are lost, and
// nobody ever sends them again.
// Fixed: the feed waits until it has seen the subscription itself, with an XPUB socket.
#include <pthread.h>
#include <zmq.h>

enum { PRICES = 3 };

static void *context;

static void *run_feed(void *argument)
{
    void *control = zmq_socket(context, ZMQ_PAIR);
    void *prices = zmq_socket(context, ZMQ_XPUB);
    char text[8];
    (void)argument;
    zmq_connect(control, "inproc://control");
    zmq_bind(prices, "inproc://prices");
    zmq_send(control, "bound", 5, 0);
    zmq_recv(control, text, sizeof text, 0);
#ifdef FIXED
    zmq_recv(prices, text, sizeof text, 0);
#endif
    for (int i = 1; i <= PRICES; i++) {
        text[0] = (char)('0' + i);
        zmq_send(prices, text, 1, 0);
    }
    zmq_send(prices, "end", 3, 0);
    zmq_close(prices);
    zmq_close(control);
    return NULL;
}

static void *run_subscriber(void *argument)
{
    int *count = argument;
    void *ready = zmq_socket(context, ZMQ_PUSH);
    void *prices = zmq_socket(context, ZMQ_SUB);
    char text[8];
    zmq_connect(ready, "inproc://ready");
    zmq_connect(prices, "inproc://prices");
    zmq_setsockopt(prices, ZMQ_SUBSCRIBE, "", 0);
    zmq_send(ready, "ready", 5, 0);
    while (zmq_recv(prices, text, sizeof text, 0) == 1)
        ++*count;
    zmq_close(prices);
    zmq_close(ready);
    return NULL;
}

int main(void)
{
    pthread_t feed, subscriber;
    int count = 0;
    char text[8];
    context = zmq_ctx_new();
    void *control = zmq_socket(context, ZMQ_PAIR);
    void *ready = zmq_socket(context, ZMQ_PULL);
    zmq_bind(control, "inproc://control");
    zmq_bind(ready, "inproc://ready");
    pthread_create(&feed, NULL, run_feed, NULL);
    zmq_recv(control, text, sizeof text, 0);
    pthread_create(&subscriber, NULL, run_subscriber, &count);
    zmq_recv(ready, text, sizeof text, 0);
    zmq_send(control, "go", 2, 0);
    pthread_join(feed, NULL);
    pthread_join(subscriber, NULL);
    zmq_close(ready);
    zmq_close(control);
    zmq_ctx_term(context);
    return count == PRICES ? 0 : 1;
}
