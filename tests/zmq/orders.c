// SPDX-License-Identifier: MIT
// Small programs, chosen by the first argument, each with outcomes that are known by hand: see orders.sh.
#include "outcomes.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int total;

static void start(pthread_t *thread, void *(*function)(void *), const char *argument)
{
    if (pthread_create(thread, NULL, function, (void *)argument) != 0)
        abort();
}

static void *push_one(void *name)
{
    void *push = open_socket(ZMQ_PUSH, "inproc://results", 0);
    zmq_send(push, name, 1, 0);
    zmq_close(push);
    return NULL;
}

// Two threads push to one: either comes first.
static void fan_in(void)
{
    pthread_t threads[2];
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&threads[0], push_one, "1");
    start(&threads[1], push_one, "2");
    int first = receive_digit(pull);
    int second = receive_digit(pull);
    outcome(first == 1 && second == 2 ? 1 : first == 2 && second == 1 ? 2 : 0);
}

// Three: six orders.
static void fan_in_3(void)
{
    static const int codes[4][4] = {
        [1][2] = 1, [1][3] = 2, [2][1] = 3, [2][3] = 4, [3][1] = 5, [3][2] = 6};
    pthread_t threads[3];
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&threads[0], push_one, "1");
    start(&threads[1], push_one, "2");
    start(&threads[2], push_one, "3");
    int first = receive_digit(pull);
    int second = receive_digit(pull);
    int third = receive_digit(pull);
    outcome(first + second + third == 6 ? codes[first][second] : 7);
}

// A poll sees one, the other, or both.
static void poll_two(void)
{
    pthread_t threads[2];
    void *one = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&threads[0], push_one, "1");
    zmq_pollitem_t items[] = {
        {.socket = one, .events = ZMQ_POLLIN},
        {.socket = open_socket(ZMQ_PAIR, "inproc://pair", 1), .events = ZMQ_POLLIN}};
    extern void *pair_one(void *);
    start(&threads[1], pair_one, "2");
    zmq_poll(items, 2, -1);
    outcome((items[0].revents ? 1 : 0) + (items[1].revents ? 2 : 0));
}

void *pair_one(void *name);
void *pair_one(void *name)
{
    void *pair = open_socket(ZMQ_PAIR, "inproc://pair", 0);
    zmq_send(pair, name, 1, 0);
    return NULL;
}

// A receive that does not wait finds something or not.
static void try_receive(void)
{
    pthread_t thread;
    char text[8];
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&thread, push_one, "1");
    outcome(zmq_recv(pull, text, sizeof text, ZMQ_DONTWAIT) >= 0 ? 1 : 2);
}

static void *subscribe(void *name)
{
    void *sub = open_socket(ZMQ_SUB, "inproc://news", 0);
    (void)name;
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    push_one("9");
    int timeout = 100;
    zmq_setsockopt(sub, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    int first = receive_digit(sub);
    int second = receive_digit(sub);
    outcome(first == 1 && second == 2 ? 1 : first == 2 && second == -1 ? 2 : first == -1 ? 3 : 0);
    return NULL;
}

// A subscriber gets both messages, the second, or none.
static void slow_joiner(void)
{
    pthread_t thread;
    void *pub = open_socket(ZMQ_PUB, "inproc://news", 1);
    start(&thread, subscribe, "");
    zmq_send(pub, "1", 1, 0);
    zmq_send(pub, "2", 1, 0);
    pthread_join(thread, NULL);
}

static void *add_one(void *name)
{
    (void)name;
    pthread_mutex_lock(&lock);
    int seen = total;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    total = seen + 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

// Two threads add one each: an update is lost or not.
static void lost_update(void)
{
    pthread_t threads[2];
    start(&threads[0], add_one, "");
    start(&threads[1], add_one, "");
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    outcome(total);
}

static void *signal_once(void *name)
{
    (void)name;
    pthread_mutex_lock(&lock);
    total = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&changed);
    return NULL;
}

// Waits without looking first: the signal comes before, and nobody is ever woken.
static void lost_signal(void)
{
    pthread_t thread;
    start(&thread, signal_once, "");
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    outcome(total);
}

static void *sleep_and_push(void *name)
{
    usleep(*(const char *)name == '1' ? 2000 : 1000);
    return push_one(name);
}

// Time decides: there is one order only.
static void sleepers(void)
{
    pthread_t threads[2];
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&threads[0], sleep_and_push, "1");
    start(&threads[1], sleep_and_push, "2");
    int first = receive_digit(pull);
    outcome(first);
}

static void *connect_late(void *name)
{
    void *pull = open_socket(ZMQ_PULL, "inproc://jobs", 0);
    int timeout = 100;
    zmq_setsockopt(pull, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    int count = 0;
    while (receive_digit(pull) >= 0)
        count++;
    void *push = open_socket(ZMQ_PUSH, "inproc://results", 0);
    char text[16];
    snprintf(text, sizeof text, "%c%d", *(const char *)name, count);
    zmq_send(push, text, 2, 0);
    zmq_close(pull);
    return NULL;
}

// Two jobs for two workers: one each, or both for the one that is there first. The workers count what they get.
static void startup(void)
{
    pthread_t threads[2];
    void *push = open_socket(ZMQ_PUSH, "inproc://jobs", 1);
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&threads[0], connect_late, "1");
    start(&threads[1], connect_late, "2");
    zmq_send(push, "1", 1, 0);
    zmq_send(push, "2", 1, 0);
    int counts[3] = {0};
    for (int i = 0; i < 2; i++) {
        int result = receive_digit(pull);
        counts[result / 10] = result % 10;
    }
    outcome(counts[1] * 2 + counts[2] == 3 ? 1 : counts[1] == 2 ? 2 : counts[2] == 2 ? 3 : 0);
}

// Bind and connect from two threads, in either order.
static void *bind_late(void *name)
{
    void *pull = open_socket(ZMQ_PULL, "inproc://late", 1);
    push_one(name);
    total = receive_digit(pull);
    return NULL;
}

static void bind_or_connect(void)
{
    pthread_t threads[2];
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    start(&threads[0], bind_late, "1");
    void *push = open_socket(ZMQ_PUSH, "inproc://late", 0);
    char text[8];
    int was_bound = zmq_recv(pull, text, sizeof text, ZMQ_DONTWAIT) >= 0;
    zmq_send(push, "5", 1, 0);
    pthread_join(threads[0], NULL);
    outcome(total == 5 ? was_bound : 7);
}

// Finds what was sent, or not.
static void look(void *pull)
{
    char text[8];
    outcome(zmq_recv(pull, text, sizeof text, ZMQ_DONTWAIT) >= 0 ? 1 : 2);
}

static void *bind_and_look(void *name)
{
    (void)name;
    look(open_socket(ZMQ_PULL, "inproc://late", 1));
    return NULL;
}

// The other thread may bind at any time: before the connection, before the message, or after it.
static void connect_to_late(void)
{
    pthread_t thread;
    start(&thread, bind_and_look, "");
    void *push = open_socket(ZMQ_PUSH, "inproc://late", 0);
    zmq_send(push, "1", 1, 0);
    pthread_join(thread, NULL);
}

static void send_to_late(void)
{
    pthread_t thread;
    void *push = open_socket(ZMQ_PUSH, "inproc://late", 0);
    start(&thread, bind_and_look, "");
    zmq_send(push, "1", 1, 0);
    pthread_join(thread, NULL);
}

static void *publish_late(void *name)
{
    void *pub = open_socket(ZMQ_PUB, "inproc://late", 1);
    zmq_send(pub, name, 1, 0);
    return NULL;
}

// The subscription is there when something is published, or not.
static void subscribe_to_late(void)
{
    pthread_t thread;
    int timeout = 100;
    void *sub = open_socket(ZMQ_SUB, "inproc://late", 0);
    start(&thread, publish_late, "1");
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "", 0);
    zmq_setsockopt(sub, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    outcome(receive_digit(sub) == 1 ? 1 : 2);
}

// What was sent before somebody was bound is there when the sender has gone.
static void *send_and_close(void *name)
{
    void *push = open_socket(ZMQ_PUSH, "inproc://late", 0);
    zmq_send(push, name, 1, 0);
    zmq_close(push);
    return NULL;
}

static void close_early(void)
{
    pthread_t thread;
    int timeout = 100;
    start(&thread, send_and_close, "1");
    usleep(1000);
    void *pull = open_socket(ZMQ_PULL, "inproc://late", 1);
    zmq_setsockopt(pull, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    outcome(receive_digit(pull) == 1 ? 1 : 2);
}

static void *look_at(void *pull)
{
    look(pull);
    return NULL;
}

// A socket that was bound here is handed to another thread, which looks before something is sent to it, or after.
static void hand_over(void)
{
    pthread_t thread;
    void *pull = open_socket(ZMQ_PULL, "inproc://late", 1);
    void *push = open_socket(ZMQ_PUSH, "inproc://late", 0);
    start(&thread, look_at, pull);
    zmq_send(push, "1", 1, 0);
    pthread_join(thread, NULL);
}

static void *push_and_tell(void *name)
{
    void *push = open_socket(ZMQ_PUSH, "inproc://late", 0);
    push_one(name);
    zmq_send(push, "", 0, 0);
    return NULL;
}

static void *push_when_told(void *pull)
{
    receive_digit(pull);
    return push_one("2");
}

// The same, and what is sent to it then is an answer to what comes to main, or comes before that.
static void hand_over_and_overtake(void)
{
    pthread_t threads[2];
    void *results = open_socket(ZMQ_PULL, "inproc://results", 1);
    void *pull = open_socket(ZMQ_PULL, "inproc://late", 1);
    start(&threads[0], push_and_tell, "1");
    start(&threads[1], push_when_told, pull);
    outcome(receive_digit(results));
}

static void *push_two(void *name)
{
    (void)name;
    void *push = open_socket(ZMQ_PUSH, "inproc://late", 0);
    zmq_send(push, "1", 1, 0);
    sched_yield();
    zmq_send(push, "2", 1, 0);
    return NULL;
}

static void *pull_two(void *pull)
{
    int first = receive_digit(pull);
    outcome(receive_digit(pull) == 2 && first == 1 ? 1 : 2);
    return NULL;
}

// Two messages, of which the first is sent to who had the socket then: they keep their order.
static void hand_over_between(void)
{
    pthread_t threads[2];
    void *pull = open_socket(ZMQ_PULL, "inproc://late", 1);
    start(&threads[0], push_two, "");
    start(&threads[1], pull_two, pull);
    pthread_join(threads[1], NULL);
}

static void *pull_to_the_end(void *pull)
{
    receive_digit(pull);
    zmq_close(pull);
    return NULL;
}

static void *end_context(void *name)
{
    (void)name;
    zmq_ctx_term(context);
    outcome(1);
    return NULL;
}

// The context ends while a socket is being handed over: whoever has it learns of that.
static void hand_over_at_the_end(void)
{
    pthread_t threads[2];
    void *pull = open_socket(ZMQ_PULL, "inproc://late", 1);
    start(&threads[0], pull_to_the_end, pull);
    start(&threads[1], end_context, "");
    pthread_join(threads[1], NULL);
}

static const char remote[] = "tcp://127.0.0.1:5555";

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

static void *look_when_told(void *pull)
{
    pthread_mutex_lock(&lock);
    while (total == 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return look_at(pull);
}

// Who is told that something was sent finds it, or not yet.
static void hand_over_remote_pull(void)
{
    pthread_t thread;
    void *pull = open_socket(ZMQ_PULL, remote, 1);
    start(&thread, look_when_told, pull);
    void *push = open_socket(ZMQ_PUSH, remote, 0);
    zmq_send(push, "1", 1, 0);
    signal_once(NULL);
    pthread_join(thread, NULL);
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
    int timeout = 100;
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

static void *sleep_as_long(void *name)
{
    void *push = open_socket(ZMQ_PUSH, "inproc://results", 0);
    usleep(100000);
    zmq_send(push, name, 1, 0);
    return NULL;
}

// At the time at which one stops to wait the other one sends.
static void last_moment(void)
{
    pthread_t thread;
    int timeout = 100;
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    zmq_setsockopt(pull, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    start(&thread, sleep_as_long, "1");
    int first = receive_digit(pull);
    pthread_join(thread, NULL);
    outcome(first == 1 ? 1 : 2);
}

static const struct {
    const char *name;
    void (*run)(void);
} programs[] = {
    {"fan_in", fan_in},
    {"fan_in_3", fan_in_3},
    {"poll_two", poll_two},
    {"try_receive", try_receive},
    {"slow_joiner", slow_joiner},
    {"lost_update", lost_update},
    {"lost_signal", lost_signal},
    {"sleepers", sleepers},
    {"startup", startup},
    {"bind_or_connect", bind_or_connect},
    {"connect_to_late", connect_to_late},
    {"send_to_late", send_to_late},
    {"subscribe_to_late", subscribe_to_late},
    {"close_early", close_early},
    {"hand_over", hand_over},
    {"hand_over_and_overtake", hand_over_and_overtake},
    {"hand_over_between", hand_over_between},
    {"hand_over_at_the_end", hand_over_at_the_end},
    {"own_pull", own_pull},
    {"own_remote_pull", own_remote_pull},
    {"own_subscriber", own_subscriber},
    {"own_dealer", own_dealer},
    {"hand_over_publisher", hand_over_publisher},
    {"hand_over_remote_publisher", hand_over_remote_publisher},
    {"hand_over_remote_pull", hand_over_remote_pull},
    {"close_in_haste", close_in_haste},
    {"close_and_linger", close_and_linger},
    {"bind_in_time", bind_in_time},
    {"bind_too_late", bind_too_late},
    {"end_when_taken", end_when_taken},
    {"end_never", end_never},
    {"connect_again", connect_again},
    {"bind_again", bind_again},
    {"bind_again_later", bind_again_later},
    {"bind_again_elsewhere", bind_again_elsewhere},
    {"last_moment", last_moment},
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
};

int main(int argc, char **argv)
{
    context = zmq_ctx_new();
    for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(programs[i].name, argv[1]) == 0)
            programs[i].run();
    return 2;
}
