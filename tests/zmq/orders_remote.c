// SPDX-License-Identifier: MIT
// Small programs with peers that come late, leave, or are in another process, chosen by the first argument, each with
// outcomes that are known by hand: see orders_remote.sh.
#include "outcomes.h"

#include <errno.h>
#include <unistd.h>

static const char remote[] = "tcp://127.0.0.1:5555";
static int total;

// Both ends are one thread's: within the process all is there at once, otherwise it is on its way.
static void own_pull_at(const char *endpoint)
{
    void *pull = open_socket(ZMQ_PULL, endpoint, 1);
    void *push = open_socket(ZMQ_PUSH, endpoint, 0);
    zmq_send(push, "1", 1, 0);
    look(pull);
}

static void own_pull(void)
{
    own_pull_at("inproc://late");
}

static void own_remote_pull(void)
{
    own_pull_at(remote);
}

static void own_subscriber(void)
{
    int timeout = 100;
    void *pub = open_socket(ZMQ_PUB, remote, 1);
    void *sub = open_socket(ZMQ_SUB, remote, 0);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    zmq_setsockopt(sub, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_send(pub, "1", 1, 0);
    outcome(receive_digit(sub) == 1 ? 1 : 2);
}

static void own_dealer(void)
{
    int yes = 1;
    void *router = open_socket(ZMQ_ROUTER, remote, 1), *dealer = zmq_socket(context, ZMQ_DEALER);
    zmq_setsockopt(router, ZMQ_ROUTER_MANDATORY, &yes, sizeof yes);
    zmq_setsockopt(dealer, ZMQ_ROUTING_ID, "me", 2);
    zmq_connect(dealer, remote);
    outcome(zmq_send(router, "me", 2, ZMQ_SNDMORE) == 2 ? 1 : 2);
}

static void *publish_one(void *pub)
{
    zmq_send(pub, "1", 1, 0);
    return NULL;
}

// A publisher that was bound here and belongs to another thread now, or soon: it publishes before somebody connects, or
// after.
static void hand_over_publisher_at(const char *endpoint)
{
    pthread_t thread;
    int timeout = 100;
    void *pub = open_socket(ZMQ_PUB, endpoint, 1), *sub = zmq_socket(context, ZMQ_SUB);
    start(&thread, publish_one, pub);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    zmq_setsockopt(sub, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_connect(sub, endpoint);
    outcome(receive_digit(sub) == 1 ? 1 : 2);
}

static void hand_over_publisher(void)
{
    hand_over_publisher_at("inproc://late");
}

static void hand_over_remote_publisher(void)
{
    hand_over_publisher_at(remote);
}

static void *send_and_linger(void *milliseconds)
{
    void *push = open_socket(ZMQ_PUSH, remote, 0);
    int linger = atoi(milliseconds);
    zmq_setsockopt(push, ZMQ_LINGER, &linger, sizeof linger);
    zmq_send(push, "1", 1, 0);
    zmq_close(push);
    return NULL;
}

static void receive_remote(void)
{
    int timeout = 1000;
    void *pull = open_socket(ZMQ_PULL, remote, 1);
    zmq_setsockopt(pull, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    outcome(receive_digit(pull) == 1 ? 1 : 2);
}

// A socket that is closed at once, and does not linger: there was a connection before, or not.
static void close_in_haste(void)
{
    pthread_t thread;
    int timeout = 1000;
    void *pull = open_socket(ZMQ_PULL, remote, 1);
    start(&thread, send_and_linger, "0");
    zmq_setsockopt(pull, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    outcome(receive_digit(pull) == 1 ? 1 : 2);
}

// Between processes what was sent through a connection is still on its way when the socket is closed, or not.
static void (*give_up)(void *socket);

static void *send_and_give_up(void *argument)
{
    int none = 0;
    char text[8];
    void *pair = open_socket(ZMQ_PAIR, remote, 0), *end = open_socket(ZMQ_PULL, "inproc://end", 0);
    zmq_setsockopt(pair, ZMQ_LINGER, &none, sizeof none);
    zmq_recv(pair, text, sizeof text, 0);
    zmq_send(pair, "1", 1, 0);
    zmq_send(pair, "2", 1, ZMQ_SNDMORE);
    zmq_send(pair, "3", 1, 0);
    zmq_recv(end, text, sizeof text, 0);
    give_up(pair);
    return argument;
}

// Both messages arrive, the first of them, or none; the parts of the second only together.
static void lose_last_by(void (*by)(void *socket))
{
    pthread_t thread;
    int timeout = 1000, sum = 0, digit;
    void *pair = open_socket(ZMQ_PAIR, remote, 1), *end = open_socket(ZMQ_PUSH, "inproc://end", 1);
    give_up = by;
    start(&thread, send_and_give_up, "");
    zmq_setsockopt(pair, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_send(pair, "", 0, 0);
    zmq_send(end, "", 0, 0);
    while ((digit = receive_digit(pair)) > 0)
        sum += digit;
    outcome(sum);
}

static void close_socket(void *socket)
{
    zmq_close(socket);
}

static void lose_last(void)
{
    lose_last_by(close_socket);
}

static void disconnect(void *socket)
{
    zmq_disconnect(socket, remote);
}

static void lose_last_disconnected(void)
{
    lose_last_by(disconnect);
}

static void linger_and_close(void *socket)
{
    int ever = -1;
    zmq_setsockopt(socket, ZMQ_LINGER, &ever, sizeof ever);
    zmq_close(socket);
}

static void lose_nothing(void)
{
    lose_last_by(linger_and_close);
}

// What is answered has come.
static void close_answered(void *socket)
{
    char text[8];
    zmq_recv(socket, text, sizeof text, 0);
    zmq_close(socket);
}

static void lose_nothing_answered(void)
{
    pthread_t thread;
    char text[8];
    void *pair = open_socket(ZMQ_PAIR, remote, 1), *end = open_socket(ZMQ_PUSH, "inproc://end", 1);
    give_up = close_answered;
    start(&thread, send_and_give_up, "");
    zmq_send(pair, "", 0, 0);
    zmq_send(end, "", 0, 0);
    for (int i = 0; i < 3; i++)
        zmq_recv(pair, text, sizeof text, 0);
    zmq_send(pair, "", 0, 0);
    pthread_join(thread, NULL);
    outcome(1);
}

// Who is bound is closed, and its two peers each get what they were sent or not.
static void lose_both(void)
{
    int none = 0, timeout = 1000;
    void *pub = open_socket(ZMQ_PUB, remote, 1);
    void *subs[] = {zmq_socket(context, ZMQ_SUB), zmq_socket(context, ZMQ_SUB)};
    for (int i = 0; i < 2; i++) {
        zmq_setsockopt(subs[i], ZMQ_SUBSCRIBE, "", 0);
        zmq_setsockopt(subs[i], ZMQ_RCVTIMEO, &timeout, sizeof timeout);
        zmq_connect(subs[i], remote);
    }
    zmq_setsockopt(pub, ZMQ_LINGER, &none, sizeof none);
    usleep(1000);
    zmq_send(pub, "1", 1, 0);
    zmq_unbind(pub, remote);
    outcome(1 + (receive_digit(subs[0]) == 1) + 2 * (receive_digit(subs[1]) == 1));
}

static void close_and_linger(void)
{
    pthread_t thread;
    void *pull = open_socket(ZMQ_PULL, remote, 1);
    start(&thread, send_and_linger, "-1");
    outcome(receive_digit(pull));
}

// Somebody binds before it is too late, or after that.
static void bind_in_time(void)
{
    pthread_t thread;
    start(&thread, send_and_linger, "50");
    usleep(40000);
    receive_remote();
}

static void bind_too_late(void)
{
    pthread_t thread;
    start(&thread, send_and_linger, "50");
    usleep(60000);
    receive_remote();
}

static void *bind_and_take(void *name)
{
    (void)name;
    void *other = zmq_ctx_new(), *pull = zmq_socket(other, ZMQ_PULL);
    zmq_bind(pull, remote);
    total = receive_digit(pull);
    zmq_close(pull);
    return NULL;
}

// A context that waits until what was sent has been taken, before or after that.
static void end_when_taken(void)
{
    pthread_t thread;
    start(&thread, bind_and_take, "");
    send_and_linger("-1");
    zmq_ctx_term(context);
    pthread_join(thread, NULL);
    outcome(total);
}

// And one that waits for ever.
static void end_never(void)
{
    send_and_linger("-1");
    zmq_ctx_term(context);
}

static void *serve_twice(void *name)
{
    (void)name;
    for (int i = 0; i < 2; i++) {
        void *pull = zmq_socket(context, ZMQ_PULL);
        while (zmq_bind(pull, remote) != 0)
            usleep(1000);
        total = total * 3 + receive_digit(pull);
        zmq_close(pull);
    }
    return NULL;
}

// Of two messages the second comes to the next one who binds, or gets lost with the first.
static void connect_again(void)
{
    pthread_t thread;
    start(&thread, serve_twice, "");
    void *push = open_socket(ZMQ_PUSH, remote, 0);
    zmq_send(push, "1", 1, 0);
    zmq_send(push, "1", 1, 0);
    pthread_join(thread, NULL);
    outcome(total);
}

static void *bind_next(int type)
{
    int timeout = 1000;
    void *socket = zmq_socket(context, type);
    zmq_setsockopt(socket, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    while (zmq_bind(socket, remote) != 0)
        usleep(1000);
    return socket;
}

static void *send_remote(void *name)
{
    void *ready = open_socket(ZMQ_PUSH, "inproc://results", 0);
    zmq_send(open_socket(ZMQ_PUSH, remote, 0), name, 1, 0);
    zmq_send(ready, "", 0, 0);
    return NULL;
}

// Two threads want the same endpoint, or one wants what another gives up: both orders, also right behind the start of the
// other thread.
static void *bind_too(void *address)
{
    void *socket = zmq_socket(context, ZMQ_PULL);
    return zmq_bind(socket, address) == 0 ? socket : NULL;
}

static void bind_or_fail(const char *address)
{
    pthread_t thread;
    void *socket = zmq_socket(context, ZMQ_PULL);
    start(&thread, bind_too, address);
    outcome(zmq_bind(socket, address) == 0 ? 1 : 2);
}

static void bind_both(void)
{
    bind_or_fail("inproc://both");
}

static void bind_both_remote(void)
{
    bind_or_fail(remote);
}

static void bind_what_is_closed(void)
{
    pthread_t thread;
    void *other = NULL;
    void *socket = open_socket(ZMQ_PULL, "inproc://both", 1);
    start(&thread, bind_too, "inproc://both");
    zmq_close(socket);
    pthread_join(thread, &other);
    outcome(other ? 1 : 2);
}

// Who is woken need not be who has waited longest.
static pthread_mutex_t signal_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t signalled = PTHREAD_COND_INITIALIZER;

static void *wait_for_signal(void *digit)
{
    pthread_mutex_lock(&signal_lock);
    push_one("0");
    pthread_cond_wait(&signalled, &signal_lock);
    pthread_mutex_unlock(&signal_lock);
    return push_one(digit);
}

static void wake_any(void)
{
    pthread_t threads[2];
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    for (int i = 0; i < 2; i++) {
        start(&threads[i], wait_for_signal, i == 0 ? "1" : "2");
        receive_digit(pull);
    }
    pthread_mutex_lock(&signal_lock);
    pthread_cond_signal(&signalled);
    pthread_mutex_unlock(&signal_lock);
    outcome(receive_digit(pull));
}

// Who was bound is closed: with what was sent, or before there was a connection, and the next one gets it.
static void keep_for_next(void)
{
    pthread_t thread;
    void *ready = open_socket(ZMQ_PULL, "inproc://results", 1);
    void *first = open_socket(ZMQ_PULL, remote, 1);
    start(&thread, send_remote, "1");
    receive_digit(ready);
    zmq_close(first);
    outcome(receive_digit(bind_next(ZMQ_PULL)) == 1 ? 1 : 2);
}

// The same with one message from before that and one from after: all of them in their order, the second, or none.
static void keep_order(void)
{
    void *first = open_socket(ZMQ_PULL, remote, 1), *push = open_socket(ZMQ_PUSH, remote, 0);
    zmq_send(push, "1", 1, 0);
    zmq_close(first);
    zmq_send(push, "2", 1, 0);
    void *second = bind_next(ZMQ_PULL);
    int digit = receive_digit(second);
    outcome(digit < 0 ? 0 : digit == 2 ? 2 : receive_digit(second) == 2 ? 1 : 3);
}

// A context that waits until what was sent has been taken over, or for ever since there never was a connection.
static void keep_and_end(void)
{
    void *other = zmq_ctx_new(), *first = zmq_socket(other, ZMQ_PULL);
    zmq_bind(first, remote);
    send_and_linger("-1");
    zmq_close(first);
    zmq_ctx_term(context);
    outcome(1);
}

static void *end_context(void *argument)
{
    zmq_ctx_term(context);
    return argument;
}

// Somebody comes in time.
static void keep_and_end_later(void)
{
    pthread_t thread;
    void *other = zmq_ctx_new(), *first = zmq_socket(other, ZMQ_PULL);
    zmq_bind(first, remote);
    send_and_linger("-1");
    zmq_close(first);
    start(&thread, end_context, "");
    usleep(1000);
    void *old = context;
    context = other;
    int digit = receive_digit(bind_next(ZMQ_PULL));
    pthread_join(thread, NULL);
    context = old;
    outcome(digit == 1 ? 1 : 2);
}

// And one who does not linger.
static void keep_and_drop(void)
{
    int none = 0;
    void *first = open_socket(ZMQ_PULL, remote, 1), *push = open_socket(ZMQ_PUSH, remote, 0);
    zmq_setsockopt(push, ZMQ_LINGER, &none, sizeof none);
    zmq_send(push, "1", 1, 0);
    zmq_close(first);
    usleep(1000);
    zmq_close(push);
    outcome(receive_digit(bind_next(ZMQ_PULL)) == 1 ? 1 : 2);
}

// A subscriber is known to the next one in any case, sooner or later.
static void keep_subscription(void)
{
    int timeout = 1000;
    void *first = open_socket(ZMQ_PUB, remote, 1), *sub = open_socket(ZMQ_SUB, remote, 0);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    zmq_setsockopt(sub, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_close(first);
    void *second = bind_next(ZMQ_PUB);
    usleep(1000);
    zmq_send(second, "1", 1, 0);
    outcome(receive_digit(sub) == 1 ? 1 : 2);
}

// A port that was just given up is free, or not yet.
static void bind_again_after(void (*pause)(void))
{
    zmq_close(open_socket(ZMQ_PULL, remote, 1));
    pause();
    context = context ? context : zmq_ctx_new();
    outcome(zmq_bind(zmq_socket(context, ZMQ_PULL), remote) == 0 ? 1 : errno == EADDRINUSE ? 2 : 0);
}

static void do_nothing(void)
{
}

static void bind_again(void)
{
    bind_again_after(do_nothing);
}

static void sleep_a_little(void)
{
    usleep(1000);
}

static void bind_again_later(void)
{
    bind_again_after(sleep_a_little);
}

static void terminate(void)
{
    zmq_ctx_term(context);
    context = NULL;
}

static void bind_again_elsewhere(void)
{
    bind_again_after(terminate);
}

static const char *others[] = {"tcp://127.0.0.1:5556", "tcp://127.0.0.1:5557"};

static void *push_both(void *name)
{
    for (int i = 0; i < 2; i++)
        zmq_send(open_socket(ZMQ_PUSH, others[i], 0), name, 1, 0);
    return NULL;
}

static int is_there(void *socket)
{
    char text[8];
    return zmq_recv(socket, text, sizeof text, ZMQ_DONTWAIT) >= 0;
}

// What is sent through two connections has no order: when the second is there, the first is too, or not yet.
static void two_ways(void)
{
    pthread_t thread;
    void *pulls[] = {open_socket(ZMQ_PULL, others[0], 1), open_socket(ZMQ_PULL, others[1], 1)};
    start(&thread, push_both, "1");
    receive_digit(pulls[1]);
    outcome(is_there(pulls[0]) ? 1 : 2);
}

// Within a process it has.
static void two_ways_inside(void)
{
    others[0] = "inproc://one";
    others[1] = "inproc://two";
    two_ways();
}

// That a thread has ended says nothing about what it has sent to another process.
static void end_first(void)
{
    pthread_t thread;
    void *pulls[] = {open_socket(ZMQ_PULL, others[0], 1), open_socket(ZMQ_PULL, others[1], 1)};
    start(&thread, push_both, "1");
    pthread_join(thread, NULL);
    outcome(1 + is_there(pulls[0]) + 2 * is_there(pulls[1]));
}

// Who has connected before somebody was bound is there some time after that: both messages come, the second, or none.
static void subscribe_before(void)
{
    int timeout = 1000;
    void *sub = open_socket(ZMQ_SUB, remote, 0);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    zmq_setsockopt(sub, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    void *pub = open_socket(ZMQ_PUB, remote, 1);
    zmq_send(pub, "1", 1, 0);
    zmq_send(pub, "2", 1, 0);
    int first = receive_digit(sub);
    outcome(first < 0 ? 3 : first);
}

// The peer takes a message, says so, and leaves if the argument says that.
static int leaving_type = ZMQ_PULL;

static void *take_one(void *leaves)
{
    void *socket = open_socket(leaving_type, "inproc://late", 1);
    push_one("1");
    receive_digit(socket);
    push_one("2");
    if (leaves)
        zmq_close(socket);
    return NULL;
}

// What is sent then is accepted and lost, or there is nobody any more; where somebody stays it is accepted.
static void send_to_leaving(int type, int timeout, const char *leaves)
{
    pthread_t thread;
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&thread, take_one, leaves);
    receive_digit(pull);
    void *socket = open_socket(type, "inproc://late", 0);
    zmq_setsockopt(socket, ZMQ_SNDTIMEO, &timeout, sizeof timeout);
    zmq_send(socket, "1", 1, 0);
    receive_digit(pull);
    outcome(zmq_send(socket, "2", 1, 0) >= 0 ? 1 : 2);
}

static void push_to_leaving(void)
{
    send_to_leaving(ZMQ_PUSH, 100, "leaves");
}

static void push_to_leaving_and_wait(void)
{
    send_to_leaving(ZMQ_PUSH, -1, "leaves");
}

static void push_to_staying(void)
{
    send_to_leaving(ZMQ_PUSH, 100, NULL);
}

static void pair_with_leaving(void)
{
    leaving_type = ZMQ_PAIR;
    send_to_leaving(ZMQ_PAIR, 100, "leaves");
}

static void deal_with_leaving(void)
{
    leaving_type = ZMQ_DEALER;
    send_to_leaving(ZMQ_DEALER, 100, "leaves");
}

static const char *meeting = "inproc://meeting";

static void *publish_when_told(void *name)
{
    void *pub = open_socket(ZMQ_PUB, meeting, 0);
    void *pair = open_socket(ZMQ_PAIR, "inproc://pair", 0);
    zmq_send(pair, "", 0, 0);
    receive_digit(pair);
    zmq_send(pub, name, 1, 0);
    return NULL;
}

// Somebody who publishes has connected to a subscriber that is bound: that tells what it wants when it next looks at its
// socket, as it does before it says that it is there, or only after that.
static void subscribe_bound_and(int looks)
{
    pthread_t thread;
    int timeout = 100, events;
    size_t size = sizeof events;
    void *sub = open_socket(ZMQ_SUB, meeting, 1), *pair = open_socket(ZMQ_PAIR, "inproc://pair", 1);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    zmq_setsockopt(sub, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    start(&thread, publish_when_told, "1");
    receive_digit(pair);
    if (looks)
        zmq_getsockopt(sub, ZMQ_EVENTS, &events, &size);
    zmq_send(pair, "", 0, 0);
    outcome(receive_digit(sub) == 1 ? 1 : 2);
}

static void subscribe_bound(void)
{
    subscribe_bound_and(0);
}

static void subscribe_bound_in_time(void)
{
    subscribe_bound_and(1);
}

static void subscribe_bound_remote(void)
{
    meeting = remote;
    subscribe_bound_and(0);
}

// One that never looks gets nothing, one that waits for a message looks at once.
static void subscribe_bound_never(void)
{
    pthread_t thread;
    void *sub = open_socket(ZMQ_SUB, meeting, 1), *pair = open_socket(ZMQ_PAIR, "inproc://pair", 1);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    start(&thread, publish_when_told, "1");
    receive_digit(pair);
    zmq_send(pair, "", 0, 0);
    pthread_join(thread, NULL);
    look(sub);
}

static void *publish_later(void *name)
{
    void *pub = open_socket(ZMQ_PUB, meeting, 0);
    usleep(1000);
    zmq_send(pub, name, 1, 0);
    return NULL;
}

static void subscribe_bound_waiting(void)
{
    pthread_t thread;
    void *sub = open_socket(ZMQ_SUB, meeting, 1);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    start(&thread, publish_later, "1");
    outcome(receive_digit(sub));
}

static void *answer_by_name(void *name)
{
    void *router = zmq_socket(context, ZMQ_ROUTER);
    zmq_setsockopt(router, ZMQ_ROUTING_ID, "server", 6);
    zmq_bind(router, remote);
    push_one(name);
    char id[8], text[8];
    zmq_recv(router, id, sizeof id, 0);
    zmq_recv(router, text, sizeof text, 0);
    return NULL;
}

// A ROUTER that connects knows its peer's name when that has answered.
static void connect_router(void)
{
    pthread_t thread;
    int on = 1;
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&thread, answer_by_name, "1");
    receive_digit(pull);
    void *router = open_socket(ZMQ_ROUTER, remote, 0);
    zmq_setsockopt(router, ZMQ_ROUTER_MANDATORY, &on, sizeof on);
    outcome(zmq_send(router, "server", 6, ZMQ_SNDMORE) >= 0 ? 1 : errno == EHOSTUNREACH ? 2 : 0);
}

// With ZMQ_IMMEDIATE a message goes to whoever is there.
static void immediate(void)
{
    int on = 1;
    void *pulls[] = {open_socket(ZMQ_PULL, others[0], 1), open_socket(ZMQ_PULL, others[1], 1)};
    void *push = zmq_socket(context, ZMQ_PUSH);
    zmq_setsockopt(push, ZMQ_IMMEDIATE, &on, sizeof on);
    zmq_connect(push, others[0]);
    zmq_connect(push, others[1]);
    zmq_send(push, "1", 1, 0);
    usleep(1000);
    outcome(is_there(pulls[0]) + 2 * is_there(pulls[1]));
}

// A name is taken from whoever has it.
static void *claim(void *name)
{
    int never = -1;
    void *dealer = zmq_socket(context, ZMQ_DEALER);
    zmq_setsockopt(dealer, ZMQ_RECONNECT_IVL, &never, sizeof never);
    zmq_setsockopt(dealer, ZMQ_ROUTING_ID, "it", 2);
    zmq_connect(dealer, remote);
    zmq_send(dealer, name, 1, 0);
    return NULL;
}

static void handover(void)
{
    pthread_t threads[2];
    int on = 1;
    void *router = zmq_socket(context, ZMQ_ROUTER);
    zmq_setsockopt(router, ZMQ_ROUTER_HANDOVER, &on, sizeof on);
    zmq_bind(router, remote);
    start(&threads[0], claim, "1");
    start(&threads[1], claim, "2");
    receive_digit(router);
    int first = receive_digit(router);
    outcome(first);
}

static const struct program programs[] = {
    {"own_pull", own_pull},
    {"own_remote_pull", own_remote_pull},
    {"own_subscriber", own_subscriber},
    {"own_dealer", own_dealer},
    {"hand_over_publisher", hand_over_publisher},
    {"hand_over_remote_publisher", hand_over_remote_publisher},
    {"close_in_haste", close_in_haste},
    {"lose_last", lose_last},
    {"lose_last_disconnected", lose_last_disconnected},
    {"lose_nothing", lose_nothing},
    {"lose_nothing_answered", lose_nothing_answered},
    {"lose_both", lose_both},
    {"close_and_linger", close_and_linger},
    {"bind_in_time", bind_in_time},
    {"bind_too_late", bind_too_late},
    {"end_when_taken", end_when_taken},
    {"end_never", end_never},
    {"connect_again", connect_again},
    {"bind_both", bind_both},
    {"bind_both_remote", bind_both_remote},
    {"bind_what_is_closed", bind_what_is_closed},
    {"wake_any", wake_any},
    {"keep_for_next", keep_for_next},
    {"keep_order", keep_order},
    {"keep_and_end", keep_and_end},
    {"keep_and_end_later", keep_and_end_later},
    {"keep_and_drop", keep_and_drop},
    {"keep_subscription", keep_subscription},
    {"bind_again", bind_again},
    {"bind_again_later", bind_again_later},
    {"bind_again_elsewhere", bind_again_elsewhere},
    {"two_ways", two_ways},
    {"two_ways_inside", two_ways_inside},
    {"end_first", end_first},
    {"subscribe_before", subscribe_before},
    {"push_to_leaving", push_to_leaving},
    {"push_to_leaving_and_wait", push_to_leaving_and_wait},
    {"push_to_staying", push_to_staying},
    {"pair_with_leaving", pair_with_leaving},
    {"deal_with_leaving", deal_with_leaving},
    {"subscribe_bound", subscribe_bound},
    {"subscribe_bound_in_time", subscribe_bound_in_time},
    {"subscribe_bound_remote", subscribe_bound_remote},
    {"subscribe_bound_never", subscribe_bound_never},
    {"subscribe_bound_waiting", subscribe_bound_waiting},
    {"connect_router", connect_router},
    {"immediate", immediate},
    {"handover", handover},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
    return run_named(programs, argc, argv);
}
