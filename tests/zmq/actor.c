// SPDX-License-Identifier: MIT
// Functions of CZMQ, driven by a small main: what they print is the same on the real ZeroMQ and in the place of it.
#include <czmq.h>

static void echo(zsock_t *pipe, void *arguments)
{
    (void)arguments;
    zsock_signal(pipe, 0);
    for (bool goes_on = true; goes_on;) {
        zmsg_t *message = zmsg_recv(pipe);
        if (!message)
            return;
        char *command = zmsg_popstr(message);
        if (streq(command, "$TERM")) {
            goes_on = false;
        } else {
            char *text = zmsg_popstr(message);
            zstr_sendx(pipe, "ECHO", text, NULL);
            zstr_free(&text);
        }
        zstr_free(&command);
        zmsg_destroy(&message);
    }
}

static void test_actor(void)
{
    zactor_t *actor = zactor_new(echo, NULL);
    zstr_sendx(actor, "SAY", "hello", NULL);
    char *word, *text;
    zstr_recvx(actor, &word, &text, NULL);
    printf("actor: %s %s\n", word, text);
    zstr_free(&word);
    zstr_free(&text);
    zactor_destroy(&actor);
}

static void test_poller(void)
{
    zsock_t *sink = zsock_new_pull("inproc://sink");
    zsock_t *source = zsock_new_push("inproc://sink");
    zpoller_t *poller = zpoller_new(sink, NULL);
    void *none = zpoller_wait(poller, 10);
    printf("poller: %s, expired %d\n", none ? "something" : "nothing", zpoller_expired(poller));
    zstr_send(source, "x");
    printf("poller: %s\n", zpoller_wait(poller, 1000) == sink ? "the sink" : "nothing");
    char *text = zstr_recv(sink);
    printf("poller: %s\n", text);
    zstr_free(&text);
    zpoller_destroy(&poller);
    zsock_destroy(&source);
    zsock_destroy(&sink);
}

static int on_timer(zloop_t *loop, int timer, void *argument)
{
    (void)loop, (void)timer;
    zstr_send(argument, "tick");
    return 0;
}

static int on_tick(zloop_t *loop, zsock_t *reader, void *argument)
{
    int *left = argument;
    char *text = zstr_recv(reader);
    (void)loop;
    printf("loop: %s\n", text);
    zstr_free(&text);
    return --*left == 0 ? -1 : 0;
}

static void test_loop(void)
{
    int left = 3;
    zsock_t *in = zsock_new_pair("@inproc://loop");
    zsock_t *out = zsock_new_pair(">inproc://loop");
    zloop_t *loop = zloop_new();
    zloop_timer(loop, 10, 3, on_timer, out);
    zloop_reader(loop, in, on_tick, &left);
    zloop_start(loop);
    zloop_destroy(&loop);
    zsock_destroy(&out);
    zsock_destroy(&in);
}

static void test_proxy(void)
{
    zactor_t *proxy = zactor_new(zproxy, NULL);
    zstr_sendx(proxy, "FRONTEND", "PULL", "inproc://front", NULL);
    zsock_wait(proxy);
    zstr_sendx(proxy, "BACKEND", "PUSH", "inproc://back", NULL);
    zsock_wait(proxy);
    zsock_t *source = zsock_new_push(">inproc://front");
    zsock_t *sink = zsock_new_pull(">inproc://back");
    zstr_sendx(source, "Hello", "World", NULL);
    zmsg_t *message = zmsg_recv(sink);
    char *first = zmsg_popstr(message), *second = zmsg_popstr(message);
    printf("proxy: %s %s\n", first, second);
    zstr_free(&first);
    zstr_free(&second);
    zmsg_destroy(&message);
    zsock_destroy(&sink);
    zsock_destroy(&source);
    zactor_destroy(&proxy);
}

static void test_request(void)
{
    zsock_t *server = zsock_new_router("tcp://127.0.0.1:*[60000-]");
    zsock_t *client = zsock_new_req(zsock_endpoint(server));
    zstr_send(client, "ping");
    zmsg_t *message = zmsg_recv(server);
    printf("request: %zu frames\n", zmsg_size(message));
    zmsg_send(&message, server);
    char *text = zstr_recv(client);
    printf("request: %s\n", text);
    zstr_free(&text);
    zsock_destroy(&client);
    zsock_destroy(&server);
}

static void test_gossip(void)
{
    zactor_t *base = zactor_new(zgossip, "base"), *leaf = zactor_new(zgossip, "leaf");
    char *command, *key, *value;
    zstr_sendx(base, "BIND", "inproc://gossip", NULL);
    zstr_sendx(leaf, "CONNECT", "inproc://gossip", NULL);
    zstr_sendx(leaf, "PUBLISH", "service", "tcp://here", NULL);
    zstr_recvx(base, &command, &key, &value, NULL);
    printf("gossip: %s %s %s\n", command, key, value);
    zstr_free(&command);
    zstr_free(&key);
    zstr_free(&value);
    zstr_sendx(base, "STATUS", NULL);
    zstr_recvx(base, &command, &value, NULL);
    printf("gossip: %s %s\n", command, value);
    zstr_free(&command);
    zstr_free(&value);
    zactor_destroy(&leaf);
    zactor_destroy(&base);
}

static void show_frames(const char *what, zmsg_t *message)
{
    printf("%s:", what);
    for (zframe_t *frame = zmsg_first(message); frame; frame = zmsg_next(message))
        printf(" %zu", zframe_size(frame));
    printf(", %zu bytes\n", zmsg_content_size(message));
}

// A message that goes through a REQ and a REP, a DEALER and a ROUTER, and through its own encoding.
static void test_message(void)
{
    zsock_t *router = zsock_new_router("@inproc://message");
    zsock_t *dealer = zsock_new_dealer(">inproc://message");
    zmsg_t *message = zmsg_new();
    zmsg_addstr(message, "first");
    zmsg_addmem(message, "\0\1\2", 3);
    zmsg_pushstrf(message, "%d", 4711);
    zmsg_t *copy = zmsg_dup(message);
    zmsg_send(&message, dealer);
    message = zmsg_recv(router);
    zframe_t *id = zmsg_unwrap(message);
    show_frames("message", message);
    zmsg_wrap(message, id);
    zmsg_send(&message, router);
    message = zmsg_recv(dealer);
    show_frames("message", message);
    zframe_t *encoded = zmsg_encode(copy);
    zmsg_t *decoded = zmsg_decode(encoded);
    printf("message: %zu encoded, equal %d\n", zframe_size(encoded), zmsg_eq(copy, decoded));
    zmsg_addmsg(decoded, &copy);
    zmsg_t *inner = zmsg_new();
    zmsg_addstr(inner, "inner");
    zmsg_addmsg(decoded, &inner);
    printf("message: %zu frames\n", zmsg_size(decoded));
    zframe_destroy(&encoded);
    zmsg_destroy(&decoded);
    zmsg_destroy(&message);
    zsock_destroy(&dealer);
    zsock_destroy(&router);
}

static void show_event(zactor_t *monitor)
{
    zmsg_t *message = zmsg_recv(monitor);
    char *event = zmsg_popstr(message);
    printf("monitor: %s\n", event);
    zstr_free(&event);
    zmsg_destroy(&message);
}

static zactor_t *start_monitor(zsock_t *socket, const char *one, const char *other)
{
    zactor_t *monitor = zactor_new(zmonitor, socket);
    zstr_sendx(monitor, "LISTEN", one, other, NULL);
    zstr_send(monitor, "START");
    zsock_wait(monitor);
    return monitor;
}

static void test_monitor(void)
{
    zsock_t *server = zsock_new(ZMQ_DEALER), *client = zsock_new(ZMQ_DEALER);
    zactor_t *of_server = start_monitor(server, "LISTENING", "ACCEPTED");
    zactor_t *of_client = start_monitor(client, "CONNECTED", "DISCONNECTED");
    int port = zsock_bind(server, "tcp://127.0.0.1:*");
    show_event(of_server);
    zsock_connect(client, "tcp://127.0.0.1:%d", port);
    show_event(of_client);
    show_event(of_server);
    zactor_destroy(&of_server);
    zsock_destroy(&server);
    show_event(of_client);
    zactor_destroy(&of_client);
    zsock_destroy(&client);
}

int main(void)
{
    test_actor();
    test_poller();
    test_loop();
    test_proxy();
    test_request();
    test_gossip();
    test_message();
    test_monitor();
    return 0;
}
