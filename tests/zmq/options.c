// SPDX-License-Identifier: MIT
// What options of sockets do. On ZeroMQ and in its place it prints the same: see options.sh.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

static void *context;
static const char *address;

static void *open_with(int type, int option, int value)
{
    void *socket = zmq_socket(context, type);
    int timeout = 200, linger = 0;
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_setsockopt(socket, ZMQ_SNDTIMEO, &timeout, sizeof timeout);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    if (option > 0)
        assert(zmq_setsockopt(socket, option, &value, sizeof value) == 0);
    return socket;
}

static void *binds(void *socket)
{
    assert(zmq_bind(socket, address) == 0);
    return socket;
}

static void *connects(void *socket)
{
    assert(zmq_connect(socket, address) == 0);
    usleep(150000);
    return socket;
}

static void say_error(const char *what)
{
    printf("%s: %s\n", what, zmq_strerror(errno));
}

static void send_text(void *socket, const char *text, int flags)
{
    if (zmq_send(socket, text, strlen(text), flags) < 0)
        say_error("send");
    usleep(50000);
}

static void receive(const char *what, void *socket)
{
    int more = 1;
    char text[64];
    size_t size = sizeof more;
    printf("%s:", what);
    while (more) {
        int length = zmq_recv(socket, text, sizeof text - 1, 0);
        if (length < 0) {
            say_error(" ");
            return;
        }
        text[length] = '\0';
        printf(" [%s]%d", length == 5 && !*text ? "id" : text, length);
        zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &size);
    }
    printf("\n");
}

static int events(void *socket)
{
    int value;
    size_t size = sizeof value;
    zmq_getsockopt(socket, ZMQ_EVENTS, &value, &size);
    return value;
}

static void relaxed(int correlates)
{
    void *router = binds(open_with(ZMQ_ROUTER, 0, 0));
    void *req = open_with(ZMQ_REQ, ZMQ_REQ_RELAXED, 1);
    zmq_setsockopt(req, ZMQ_REQ_CORRELATE, &correlates, sizeof correlates);
    connects(req);
    send_text(req, "one", 0);
    printf("events %d\n", events(req));
    send_text(req, "two", 0);
    for (int i = 0; i < 2; i++) {
        char id[8], number[8];
        int id_size = zmq_recv(router, id, sizeof id, 0), number_size = 0;
        if (correlates)
            number_size = zmq_recv(router, number, sizeof number, 0);
        printf("%d %d", id_size, number_size);
        receive("request", router);
        zmq_send(router, id, (size_t)id_size, ZMQ_SNDMORE);
        if (correlates)
            zmq_send(router, number, (size_t)number_size, ZMQ_SNDMORE);
        send_text(router, "", ZMQ_SNDMORE);
        send_text(router, i == 0 ? "to one" : "to two", 0);
    }
    receive("reply", req);
    receive("reply", req);
    send_text(req, "three", 0);
    zmq_close(req);
    zmq_close(router);
}

static void probe(int type)
{
    void *router = binds(open_with(ZMQ_ROUTER, 0, 0));
    void *other = open_with(type, ZMQ_PROBE_ROUTER, 1);
    zmq_setsockopt(other, ZMQ_ROUTING_ID, "me", 2);
    connects(other);
    receive("probe", router);
    send_text(router, "me", ZMQ_SNDMORE);
    send_text(router, "hello", 0);
    receive("answer", other);
    zmq_close(other);
    zmq_close(router);
}

static void handover(int on)
{
    void *router = binds(open_with(ZMQ_ROUTER, ZMQ_ROUTER_HANDOVER, on));
    void *one = open_with(ZMQ_DEALER, 0, 0), *two = open_with(ZMQ_DEALER, 0, 0);
    int never = -1;
    zmq_setsockopt(one, ZMQ_RECONNECT_IVL, &never, sizeof never);
    zmq_setsockopt(one, ZMQ_ROUTING_ID, "me", 2);
    zmq_setsockopt(two, ZMQ_ROUTING_ID, "me", 2);
    connects(one);
    send_text(one, "from one", 0);
    receive("router", router);
    connects(two);
    send_text(two, "from two", 0);
    receive("router", router);
    send_text(router, "me", ZMQ_SNDMORE);
    send_text(router, "hello", 0);
    receive("one", one);
    receive("two", two);
    zmq_close(one);
    zmq_close(two);
    zmq_close(router);
}

static void named(void)
{
    void *server = binds(open_with(ZMQ_ROUTER, 0, 0)), *client = open_with(ZMQ_ROUTER, 0, 0);
    zmq_setsockopt(server, ZMQ_ROUTING_ID, "server", 6);
    zmq_setsockopt(client, ZMQ_ROUTING_ID, "client", 6);
    zmq_setsockopt(client, ZMQ_CONNECT_ROUTING_ID, "friend", 6);
    connects(client);
    send_text(client, "friend", ZMQ_SNDMORE);
    send_text(client, "hello", 0);
    receive("server", server);
    send_text(server, "client", ZMQ_SNDMORE);
    send_text(server, "answer", 0);
    receive("client", client);
    zmq_close(client);
    zmq_close(server);
}

static void conflate(int sender, int receiver)
{
    int on = 1;
    void *push = binds(open_with(sender, 0, 0)), *pull = open_with(receiver, ZMQ_CONFLATE, on);
    if (receiver == ZMQ_SUB)
        zmq_setsockopt(pull, ZMQ_SUBSCRIBE, "", 0);
    connects(pull);
    for (int i = 0; i < 3; i++)
        send_text(push, i == 0 ? "a" : i == 1 ? "b" : "c", 0);
    receive("newest", pull);
    receive("newest", pull);
    send_text(push, "d", 0);
    receive("newest", pull);
    zmq_close(push);
    zmq_close(pull);
}

static void immediate(int on)
{
    void *push = open_with(ZMQ_PUSH, ZMQ_IMMEDIATE, on), *pull = open_with(ZMQ_PULL, 0, 0);
    connects(push);
    printf("events %d\n", events(push));
    send_text(push, "early", ZMQ_DONTWAIT);
    binds(pull);
    usleep(300000);
    printf("events %d\n", events(push));
    send_text(push, "late", ZMQ_DONTWAIT);
    receive("pull", pull);
    receive("pull", pull);
    zmq_close(push);
    zmq_close(pull);
}

static void late_router(void)
{
    void *router = connects(open_with(ZMQ_ROUTER, ZMQ_ROUTER_MANDATORY, 1));
    void *dealer = open_with(ZMQ_DEALER, 0, 0);
    zmq_setsockopt(dealer, ZMQ_ROUTING_ID, "it", 2);
    send_text(router, "it", ZMQ_SNDMORE);
    binds(dealer);
    usleep(300000);
    send_text(router, "it", ZMQ_SNDMORE);
    send_text(router, "hello", 0);
    receive("dealer", dealer);
    send_text(dealer, "answer", 0);
    receive("router", router);
    zmq_close(router);
    zmq_close(dealer);
}

// What is not supported.
static void send_newest(void)
{
    void *push = binds(open_with(ZMQ_PUSH, ZMQ_CONFLATE, 1));
    connects(open_with(ZMQ_PULL, 0, 0));
    send_text(push, "a", 0);
}

static void send_large(void)
{
    const int64_t most = 3;
    void *push = binds(open_with(ZMQ_PUSH, 0, 0)), *pull = open_with(ZMQ_PULL, 0, 0);
    zmq_setsockopt(pull, ZMQ_MAXMSGSIZE, &most, sizeof most);
    connects(pull);
    send_text(push, "fits", 0);
}

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    address = arguments[1];
    context = zmq_ctx_new();
    if (count > 2) {
        (arguments[2][0] == 'c' ? send_newest : send_large)();
        return 0;
    }
#define DO(call) printf("-- %s\n", #call), call, usleep(100000)
    DO(relaxed(0));
    DO(relaxed(1));
    DO(probe(ZMQ_DEALER));
    DO(probe(ZMQ_ROUTER));
    DO(handover(0));
    DO(handover(1));
    DO(named());
    DO(conflate(ZMQ_PUSH, ZMQ_PULL));
    DO(conflate(ZMQ_PUB, ZMQ_SUB));
    DO(immediate(0));
    DO(immediate(1));
    DO(late_router());
    zmq_ctx_term(context);
    return 0;
}
