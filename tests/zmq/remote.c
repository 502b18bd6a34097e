// SPDX-License-Identifier: MIT
// What transports between processes do by themselves: events of monitors, connecting again, lingering. Prints the same on
// the real library and in the place of it, for the transport that the first argument names.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

static void *context;
static char endpoint[256];

static const char *name_of(int event)
{
    switch (event) {
    case ZMQ_EVENT_CONNECTED:
        return "connected";
    case ZMQ_EVENT_CONNECT_DELAYED:
        return "delayed";
    case ZMQ_EVENT_CONNECT_RETRIED:
        return "retried";
    case ZMQ_EVENT_LISTENING:
        return "listening";
    case ZMQ_EVENT_BIND_FAILED:
        return "bind failed";
    case ZMQ_EVENT_ACCEPTED:
        return "accepted";
    case ZMQ_EVENT_CLOSED:
        return "closed";
    case ZMQ_EVENT_DISCONNECTED:
        return "disconnected";
    case ZMQ_EVENT_MONITOR_STOPPED:
        return "stopped";
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:
        return "handshake";
    default:
        return "?";
    }
}

static void *watch(void *socket, const char *name)
{
    int result = zmq_socket_monitor(socket, name, ZMQ_EVENT_ALL);
    void *monitor = zmq_socket(context, ZMQ_PAIR);
    printf("watch %d\n", result);
    zmq_connect(monitor, name);
    return monitor;
}

// The next event.
static int read_event(void *monitor, int *value, char *address, size_t size)
{
    unsigned char frame[16];
    uint16_t event;
    uint32_t number;
    if (zmq_recv(monitor, frame, sizeof frame, 0) != 6)
        abort();
    memcpy(&event, frame, sizeof event);
    memcpy(&number, frame + sizeof event, sizeof number);
    int length = zmq_recv(monitor, address, size - 1, 0);
    address[length] = '\0';
    *value = (int)number;
    return event;
}

// Prints events until this one has come. How often an attempt was made is chance where `attempts` is 0, and not printed.
static void await(const char *who, void *monitor, int wanted, int attempts)
{
    char address[256];
    int event, value;
    do {
        event = read_event(monitor, &value, address, sizeof address);
        if (!attempts && event != wanted &&
            (event & (ZMQ_EVENT_CONNECT_DELAYED | ZMQ_EVENT_CLOSED | ZMQ_EVENT_CONNECT_RETRIED |
                      ZMQ_EVENT_BIND_FAILED)))
            continue;
        const char *where = strcmp(address, endpoint) == 0       ? "there"
                            : strcmp(address, endpoint + 6) == 0 ? "there, without transport"
                            : *address == '\0'                   ? "nowhere"
                                                                 : address;
        int has_descriptor =
            event & (ZMQ_EVENT_CONNECTED | ZMQ_EVENT_LISTENING | ZMQ_EVENT_ACCEPTED |
                     ZMQ_EVENT_CLOSED | ZMQ_EVENT_DISCONNECTED);
        int is_interval = event == ZMQ_EVENT_CONNECT_RETRIED;
        printf("%s: %s %s", who, name_of(event), where);
        if (has_descriptor || is_interval)
            printf(" %s\n", value > 2 ? "fine" : "bad");
        else
            printf(" %d\n", value);
    } while (event != wanted);
}

static void set_linger(void *socket, int linger)
{
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
}

static void *open_socket(int type)
{
    void *socket = zmq_socket(context, type);
    set_linger(socket, 0);
    return socket;
}

// Whoever was bound there before may not have gone quite yet.
static void bind_again(void *socket)
{
    while (zmq_bind(socket, endpoint) != 0)
        usleep(1000);
}

// An endpoint that is free.
static void choose_endpoint(const char *transport)
{
    size_t size = sizeof endpoint;
    void *other = zmq_ctx_new(), *socket = zmq_socket(other, ZMQ_PULL);
    zmq_bind(socket, strcmp(transport, "tcp") == 0 ? "tcp://127.0.0.1:*" : "ipc://./endpoint");
    zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, endpoint, &size);
    zmq_close(socket);
    zmq_ctx_term(other);
}

static void ask(void *request, void *reply)
{
    char text[8];
    zmq_send(request, "?", 1, 0);
    zmq_recv(reply, text, sizeof text, 0);
    zmq_send(reply, "!", 1, 0);
    zmq_recv(request, text, sizeof text, 0);
}

static void test_monitors(void)
{
    void *reply = open_socket(ZMQ_REP), *request = open_socket(ZMQ_REQ);
    void *server = watch(reply, "inproc://server"), *client = watch(request, "inproc://client");
    bind_again(reply);
    await("server", server, ZMQ_EVENT_LISTENING, 0);
    zmq_connect(request, endpoint);
    await("client", client, ZMQ_EVENT_HANDSHAKE_SUCCEEDED, 1);
    await("server", server, ZMQ_EVENT_HANDSHAKE_SUCCEEDED, 1);
    ask(request, reply);
    zmq_close(request);
    await("client", client, ZMQ_EVENT_MONITOR_STOPPED, 1);
    await("server", server, ZMQ_EVENT_DISCONNECTED, 1);
    zmq_unbind(reply, endpoint);
    await("server", server, ZMQ_EVENT_CLOSED, 1);
    printf("stop %d\n", zmq_socket_monitor(reply, NULL, 0));
    await("server", server, ZMQ_EVENT_MONITOR_STOPPED, 1);
    zmq_close(reply);
    zmq_close(server);
    zmq_close(client);
}

// Connects before somebody is bound, and again to the next one.
static void test_attempts(void)
{
    void *push = open_socket(ZMQ_PUSH), *pull = open_socket(ZMQ_PULL);
    void *client = watch(push, "inproc://pusher"), *server = watch(pull, "inproc://puller");
    char text[8] = "";
    zmq_connect(push, endpoint);
    await("client", client, ZMQ_EVENT_CONNECT_RETRIED, 1);
    zmq_send(push, "1", 1, 0);
    bind_again(pull);
    await("server", server, ZMQ_EVENT_HANDSHAKE_SUCCEEDED, 0);
    await("client", client, ZMQ_EVENT_HANDSHAKE_SUCCEEDED, 0);
    printf("received %d %s\n", zmq_recv(pull, text, sizeof text, 0), text);
    zmq_close(pull);
    await("server", server, ZMQ_EVENT_MONITOR_STOPPED, 1);
    await("client", client, ZMQ_EVENT_DISCONNECTED, 0);
    printf("sent %d\n", zmq_send(push, "2", 1, 0));
    pull = open_socket(ZMQ_PULL);
    bind_again(pull);
    await("client", client, ZMQ_EVENT_HANDSHAKE_SUCCEEDED, 0);
    printf("received %d %s\n", zmq_recv(pull, text, sizeof text, 0), text);
    zmq_close(push);
    zmq_close(pull);
    zmq_close(client);
    zmq_close(server);
}

// ZeroMQ sends subscriptions again when the subscriber looks at what has come.
static int receive_topic(void *publisher, void *subscriber, char *topic, size_t size)
{
    int events, length;
    size_t events_size = sizeof events;
    while ((length = zmq_recv(publisher, topic, size, ZMQ_DONTWAIT)) < 0) {
        usleep(1000);
        zmq_getsockopt(subscriber, ZMQ_EVENTS, &events, &events_size);
    }
    return length;
}

// Who has subscribed has also with the next publisher.
static void test_subscriptions(void)
{
    void *sub = open_socket(ZMQ_SUB);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "a", 1);
    zmq_connect(sub, endpoint);
    for (int i = 0; i < 2; i++) {
        char topic[8] = "", text[8] = "";
        void *publisher = open_socket(ZMQ_XPUB);
        bind_again(publisher);
        int size = receive_topic(publisher, sub, topic, sizeof topic);
        printf("subscription %d %d %s\n", size, topic[0], topic + 1);
        zmq_send(publisher, "b", 1, 0);
        zmq_send(publisher, i == 0 ? "a0" : "a1", 2, 0);
        printf("published %d %s\n", zmq_recv(sub, text, sizeof text, 0), text);
        zmq_close(publisher);
    }
    zmq_close(sub);
}

static void test_second_bind(void)
{
    void *one = open_socket(ZMQ_REP), *other = open_socket(ZMQ_REP);
    bind_again(one);
    void *monitor = watch(other, "inproc://other");
    int result = zmq_bind(other, endpoint);
    printf("second bind %d\n", result);
    await("other", monitor, result == 0 ? ZMQ_EVENT_LISTENING : ZMQ_EVENT_BIND_FAILED, 1);
    zmq_close(other);
    zmq_close(one);
    zmq_close(monitor);
}

// A message to nobody: the context ends when the socket has lingered. Then another context's socket takes it.
static void test_linger(int linger, int is_taken, int disconnects)
{
    void *other = zmq_ctx_new(), *push = zmq_socket(other, ZMQ_PUSH), *pull = NULL;
    set_linger(push, linger);
    zmq_connect(push, endpoint);
    zmq_send(push, "late", 4, 0);
    if (disconnects)
        printf("disconnect %d\n", zmq_disconnect(push, endpoint));
    zmq_close(push);
    if (is_taken) {
        char text[8] = "";
        pull = open_socket(ZMQ_PULL);
        bind_again(pull);
        printf("taken %d", zmq_recv(pull, text, sizeof text, 0));
        printf(" %s\n", text);
    }
    printf("linger %d: term %d\n", linger, zmq_ctx_term(other));
    if (pull)
        zmq_close(pull);
}

// What messages say about who has sent them. Of a path it has the process's number.
static void test_properties(void)
{
    static const char *const names[] = {"Socket-Type", "Identity", "Peer-Address", "User-Id"};
    void *router = open_socket(ZMQ_ROUTER), *dealer = open_socket(ZMQ_DEALER);
    zmq_setsockopt(dealer, ZMQ_ROUTING_ID, "name", 4);
    bind_again(router);
    zmq_connect(dealer, endpoint);
    zmq_send(dealer, "text", 4, 0);
    for (int i = 0; i < 2; i++) {
        zmq_msg_t message;
        zmq_msg_init(&message);
        zmq_msg_recv(&message, router, 0);
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            const char *value = zmq_msg_gets(&message, names[k]);
            size_t length = value && strchr(value, ':') ? strcspn(value, ":") : 99;
            printf("%s %.*s\n", names[k], (int)length, value ? value : "none");
        }
        zmq_msg_close(&message);
    }
    zmq_close(dealer);
    zmq_close(router);
}

static void test_lost(void)
{
    test_linger(0, 0, 0);
    test_linger(30, 0, 0);
}

static void test_taken(void)
{
    test_linger(-1, 1, 0);
}

static void test_disconnected(void)
{
    test_linger(-1, 1, 1);
}

static void test_taken_in_time(void)
{
    test_linger(100000, 1, 0);
}

// The end of a context is the end of what is bound.
static void run(void (*test)(void))
{
    context = zmq_ctx_new();
    test();
    printf("term %d\n", zmq_ctx_term(context));
}

int main(int argc, char **argv)
{
    choose_endpoint(argc > 1 ? argv[1] : "tcp");
    run(test_monitors);
    run(test_attempts);
    run(test_subscriptions);
    run(test_second_bind);
    run(test_properties);
    run(test_lost);
    run(test_taken);
    run(test_disconnected);
    run(test_taken_in_time);
    return 0;
}
