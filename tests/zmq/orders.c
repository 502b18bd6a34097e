// SPDX-License-Identifier: MIT
// Small programs within one process, chosen by the first argument, each with outcomes that are known by hand: see
// orders.sh.
#include "outcomes.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int total;

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
    void *pull = open_socket(ZMQ_PULL, "tcp://127.0.0.1:5555", 1);
    start(&thread, look_when_told, pull);
    void *push = open_socket(ZMQ_PUSH, "tcp://127.0.0.1:5555", 0);
    zmq_send(push, "1", 1, 0);
    signal_once(NULL);
    pthread_join(thread, NULL);
}

static sem_t told;

static void *push_both_and_post(void *name)
{
    void *push = open_socket(ZMQ_PUSH, "inproc://late", 0);
    push_one(name);
    zmq_send(push, "1", 1, 0);
    sem_post(&told);
    return NULL;
}

static void *look_when_posted(void *pull)
{
    sem_wait(&told);
    return look_at(pull);
}

// Within the process it is there, whoever had the socket when it was sent, and whatever else that one was sent before.
static void hand_over_when_told(void)
{
    pthread_t threads[2];
    sem_init(&told, 0, 0);
    void *results = open_socket(ZMQ_PULL, "inproc://results", 1);
    void *pull = open_socket(ZMQ_PULL, "inproc://late", 1);
    start(&threads[0], look_when_posted, pull);
    start(&threads[1], push_both_and_post, "1");
    receive_digit(results);
    pthread_join(threads[0], NULL);
}

static void *subscribe_and_leave(void *name)
{
    void *sub = open_socket(ZMQ_SUB, "inproc://late", 0);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, name, 1);
    zmq_close(sub);
    return NULL;
}

// An XPUB whose subscriber has gone.
static void *leave_publisher(void)
{
    pthread_t thread;
    char topic[8];
    void *pub = open_socket(ZMQ_XPUB, "inproc://late", 1);
    start(&thread, subscribe_and_leave, "a");
    zmq_recv(pub, topic, sizeof topic, 0);
    pthread_join(thread, NULL);
    return pub;
}

// It may learn of that when it looks for the first time, or later.
static void leave_and_look(void)
{
    look(leave_publisher());
}

static void leave_and_look_again(void)
{
    char topic[8];
    void *pub = leave_publisher();
    zmq_recv(pub, topic, sizeof topic, ZMQ_DONTWAIT);
    look(pub);
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

// A pair of sockets of one thread, with two messages in a queue, and their context shut down.
static void *shut_down_pair(void **other)
{
    void *pair = open_socket(ZMQ_PAIR, "inproc://pair", 1);
    *other = open_socket(ZMQ_PAIR, "inproc://pair", 0);
    for (int i = 0; i < 2; i++)
        zmq_send(*other, "1", 1, 0);
    receive_digit(pair);
    zmq_ctx_shutdown(context);
    return pair;
}

// What the socket knows is received first; then the end is seen.
static void receive_after_end(void)
{
    void *other, *pair = shut_down_pair(&other);
    int first = receive_digit(pair), second = receive_digit(pair);
    outcome(first == 1 && second == -1 && errno == ETERM ? 1 : 2);
}

// Who polls one socket has not looked at the other.
static void poll_after_end(void)
{
    void *other, *pair = shut_down_pair(&other);
    zmq_pollitem_t item = {.socket = other, .events = ZMQ_POLLIN};
    int result = zmq_poll(&item, 1, 0);
    outcome(result == -1 && errno == ETERM && receive_digit(pair) == 1 ? 1 : 2);
}

// A send looks only now and then.
static void send_after_end(void)
{
    void *other;
    shut_down_pair(&other);
    outcome(zmq_send(other, "1", 1, 0) == 1 ? 1 : 2);
}

static void *receive_when_told(void *pair)
{
    char text[8];
    sem_wait(&told);
    int result = zmq_recv(pair, text, sizeof text, ZMQ_DONTWAIT);
    outcome(result == -1 && errno == ETERM ? 1 : 2);
    return NULL;
}

// Who has been told that the context ends sees that, if there is nothing to receive.
static void shut_down_and_tell(void)
{
    pthread_t thread;
    sem_init(&told, 0, 0);
    start(&thread, receive_when_told, open_socket(ZMQ_PAIR, "inproc://pair", 1));
    zmq_ctx_shutdown(context);
    sem_post(&told);
    pthread_join(thread, NULL);
}

static const struct program programs[] = {
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
    {"hand_over_when_told", hand_over_when_told},
    {"leave_and_look", leave_and_look},
    {"leave_and_look_again", leave_and_look_again},
    {"hand_over_remote_pull", hand_over_remote_pull},
    {"last_moment", last_moment},
    {"receive_after_end", receive_after_end},
    {"poll_after_end", poll_after_end},
    {"send_after_end", send_after_end},
    {"shut_down_and_tell", shut_down_and_tell},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
    return run_named(programs, argc, argv);
}
