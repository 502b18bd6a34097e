// SPDX-License-Identifier: MIT
// Programs that meet what can be different in ZeroMQ and is not tried, and neighbours that do not: see notes.sh.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

static void *context;
static const char endpoint[] = "inproc://peer", remote[] = "tcp://127.0.0.1:5555";
static int wanted = 1;

static void *open_socket(int type, const char *where, int binds)
{
    void *socket = zmq_socket(context, type);
    if ((binds ? zmq_bind(socket, where) : zmq_connect(socket, where)) != 0)
        abort();
    return socket;
}

static void leave(void *pull)
{
    char text[8];
    for (int i = 0; i < wanted; i++)
        zmq_recv(pull, text, sizeof text, 0);
    zmq_close(pull);
}

static void *pull_and_leave(void *argument)
{
    void *pull = open_socket(ZMQ_PULL, endpoint, 1);
    void *ready = open_socket(ZMQ_PUSH, "inproc://ready", 0);
    zmq_send(ready, "", 0, 0);
    zmq_close(ready);
    leave(pull);
    return argument;
}

// Two messages at once, to somebody who leaves after one, or after both.
static void push_two(void)
{
    pthread_t thread;
    char text[8];
    void *ready = open_socket(ZMQ_PULL, "inproc://ready", 1);
    pthread_create(&thread, NULL, pull_and_leave, NULL);
    zmq_recv(ready, text, sizeof text, 0);
    void *push = open_socket(ZMQ_PUSH, endpoint, 0);
    zmq_send(push, "1", 1, 0);
    zmq_send(push, "2", 1, 0);
    pthread_join(thread, NULL);
    zmq_close(push);
    zmq_close(ready);
}

static void push_two_to_patient(void)
{
    wanted = 2;
    push_two();
}

static void *answer_and_leave(void *argument)
{
    void *word = open_socket(ZMQ_PULL, "inproc://word", 0);
    void *pair = open_socket(ZMQ_PAIR, endpoint, 0);
    zmq_send(pair, "a", 1, 0);
    leave(word);
    zmq_close(pair);
    return argument;
}

static void *say_word(void *argument)
{
    void *word = open_socket(ZMQ_PUSH, "inproc://word", 1);
    zmq_send(word, "z", 1, 0);
    zmq_close(word);
    return argument;
}

// An answer to somebody who leaves when a third one says so: the answer is to a message from before that.
static void answer_pair(void)
{
    pthread_t threads[2];
    char text[8];
    void *pair = open_socket(ZMQ_PAIR, endpoint, 1);
    pthread_create(&threads[0], NULL, answer_and_leave, NULL);
    pthread_create(&threads[1], NULL, say_word, NULL);
    zmq_recv(pair, text, sizeof text, 0);
    zmq_send(pair, "b", 1, 0);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    zmq_close(pair);
}

static void *connect_late(void *argument)
{
    char text[8];
    void *early = open_socket(ZMQ_PULL, "inproc://late", 0);
    void *word = open_socket(ZMQ_PULL, "inproc://word", 0);
    zmq_recv(word, text, sizeof text, 0);
    zmq_close(early);
    zmq_close(open_socket(ZMQ_PULL, "inproc://late", 0));
    zmq_close(word);
    return argument;
}

// Who connects because of what is sent comes too late: with a peer that is no event of its own.
static void close_behind(void)
{
    pthread_t thread;
    void *word = open_socket(ZMQ_PUSH, "inproc://word", 1);
    void *late = open_socket(ZMQ_PUSH, "inproc://late", 1);
    pthread_create(&thread, NULL, connect_late, NULL);
    zmq_send(word, "w", 1, 0);
    zmq_close(late);
    pthread_join(thread, NULL);
    zmq_close(word);
}

// A SUB may have two subscriptions on their way, and makes so many.
static void subscribe_to(const char *where, int topics)
{
    int limit = 2;
    void *pub = open_socket(ZMQ_PUB, where, 1), *sub = zmq_socket(context, ZMQ_SUB);
    zmq_setsockopt(sub, ZMQ_SNDHWM, &limit, sizeof limit);
    zmq_connect(sub, where);
    for (int i = 0; i < topics; i++)
        zmq_setsockopt(sub, ZMQ_SUBSCRIBE, &"abc"[i], 1);
    zmq_close(sub);
    zmq_close(pub);
}

static void subscribe_to_three(void)
{
    subscribe_to(remote, 3);
}

static void subscribe_to_two(void)
{
    subscribe_to(remote, 2);
}

// Within the process there is as much room again at the other end, and what there is none for is dropped here too.
static void subscribe_inside(void)
{
    subscribe_to(endpoint, 3);
}

// Three messages to who takes one at a time, and that only after so many milliseconds; their sender lingers for ten.
static void take_after(int milliseconds)
{
    int limit = 1, linger = 10;
    char text[8];
    void *pull = zmq_socket(context, ZMQ_PULL), *push = zmq_socket(context, ZMQ_PUSH);
    zmq_setsockopt(pull, ZMQ_RCVHWM, &limit, sizeof limit);
    zmq_setsockopt(push, ZMQ_LINGER, &linger, sizeof linger);
    zmq_bind(pull, remote);
    zmq_connect(push, remote);
    usleep(1000);
    for (int i = 0; i < 3; i++)
        zmq_send(push, "m", 1, 0);
    zmq_close(push);
    usleep(milliseconds * 1000);
    for (int i = 0; i < 3; i++)
        zmq_recv(pull, text, sizeof text, 0);
    zmq_close(pull);
}

static void take_late(void)
{
    take_after(20);
}

static void take_in_time(void)
{
    take_after(5);
}

// Some messages of this size to who has room for one; their sender, with this high-water mark, closes its socket before
// they are read, or after that.
static void send_of_size(size_t size, int count, int mark, int closes_first)
{
    int limit = 1;
    char *bytes = calloc(size, 1);
    void *pull = zmq_socket(context, ZMQ_PULL), *push = zmq_socket(context, ZMQ_PUSH);
    zmq_setsockopt(pull, ZMQ_RCVHWM, &limit, sizeof limit);
    zmq_setsockopt(push, ZMQ_SNDHWM, &mark, sizeof mark);
    zmq_bind(pull, remote);
    zmq_connect(push, remote);
    usleep(1000);
    for (int i = 0; i < count; i++)
        zmq_send(push, bytes, size, 0);
    if (closes_first)
        zmq_close(push);
    for (int i = 0; i < count; i++)
        zmq_recv(pull, bytes, size, 0);
    if (!closes_first)
        zmq_close(push);
    zmq_close(pull);
    free(bytes);
}

static void leave_behind(size_t size)
{
    send_of_size(size, 3, 1000, 1);
}

static void leave_much_behind(void)
{
    leave_behind(100000);
}

static void leave_little_behind(void)
{
    leave_behind(1000);
}

// An answer, with or without the empty frame, by somebody who writes all of it.
static void answer(const char *where, int is_right)
{
    int timeout = 10, frames = is_right ? 2 : 1;
    char text[8], id[8];
    void *router = open_socket(ZMQ_ROUTER, where, 1), *req = open_socket(ZMQ_REQ, where, 0);
    zmq_setsockopt(req, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_send(req, "q", 1, 0);
    int size = zmq_recv(router, id, sizeof id, 0);
    for (int i = 0; i < 2; i++)
        zmq_recv(router, text, sizeof text, 0);
    zmq_send(router, id, (size_t)size, ZMQ_SNDMORE);
    for (int i = 1; i < frames; i++)
        zmq_send(router, "", 0, ZMQ_SNDMORE);
    zmq_send(router, "a", 1, 0);
    zmq_recv(req, text, sizeof text, 0);
    zmq_close(req);
    zmq_close(router);
}

static void answer_without_frame(void)
{
    answer(remote, 0);
}

static void answer_with_frame(void)
{
    answer(remote, 1);
}

static void answer_inside(void)
{
    answer(endpoint, 0);
}

static void *take_and_count(void *argument)
{
    void *pull = open_socket(ZMQ_PULL, endpoint, 1);
    for (int i = 0; i < 2; i++)
        zmq_recv(pull, (char[8]){0}, 8, 0);
    *(int *)argument = 2;
    zmq_close(pull);
    return NULL;
}

// Main returns when it has sent two messages, which somebody takes, or when they are taken.
static void return_early(int joins)
{
    pthread_t thread;
    static int taken;
    pthread_create(&thread, NULL, take_and_count, &taken);
    void *push = open_socket(ZMQ_PUSH, endpoint, 0);
    for (int i = 0; i < 2; i++)
        zmq_send(push, "m", 1, 0);
    if (joins)
        pthread_join(thread, NULL);
    zmq_close(push);
}

static void return_at_once(void)
{
    return_early(0);
}

static void return_in_time(void)
{
    return_early(1);
}

static void *wait_for_nothing(void *argument)
{
    void *pull = open_socket(ZMQ_PULL, endpoint, 1),
         *ready = open_socket(ZMQ_PUSH, "inproc://ready", 0);
    zmq_send(ready, "", 0, 0);
    zmq_recv(pull, (char[8]){0}, 8, 0);
    return argument;
}

// A thread that waits when main returns does nothing any more.
static void return_beside_waiting(void)
{
    pthread_t thread;
    void *ready = open_socket(ZMQ_PULL, "inproc://ready", 1);
    pthread_create(&thread, NULL, wait_for_nothing, NULL);
    zmq_recv(ready, (char[8]){0}, 8, 0);
}

static void *take_until_end(void *argument)
{
    char text[8];
    void *pull = open_socket(ZMQ_PULL, endpoint, 0),
         *push = open_socket(ZMQ_PUSH, "inproc://heard", 0);
    zmq_recv(pull, text, sizeof text, 0);
    zmq_send(push, "", 0, 0);
    zmq_close(pull);
    zmq_close(push);
    return argument;
}

// Somebody waits for a message when the context is shut down right after that was sent, or when it was heard of.
static void end_after(int hears)
{
    pthread_t thread;
    void *push = open_socket(ZMQ_PUSH, endpoint, 1),
         *heard = open_socket(ZMQ_PULL, "inproc://heard", 1);
    pthread_create(&thread, NULL, take_until_end, NULL);
    zmq_send(push, "1", 1, 0);
    if (hears)
        zmq_recv(heard, (char[8]){0}, 8, 0);
    zmq_ctx_shutdown(context);
    pthread_join(thread, NULL);
    zmq_close(push);
    zmq_close(heard);
}

static void end_unheard(void)
{
    end_after(0);
}

static void end_heard(void)
{
    end_after(1);
}

static void *bind_and_close(void *binds)
{
    void *dealer = zmq_socket(context, ZMQ_DEALER);
    if (dealer && binds)
        zmq_bind(dealer, endpoint);
    if (dealer)
        zmq_close(dealer);
    return NULL;
}

// The end comes before a socket is made, between that and a call that fails then, or behind both.
static void end_beside(void *binds)
{
    pthread_t thread;
    pthread_create(&thread, NULL, bind_and_close, binds);
    zmq_ctx_shutdown(context);
    pthread_join(thread, NULL);
}

static void end_between(void)
{
    end_beside(context);
}

static void end_around(void)
{
    end_beside(NULL);
}

// So many messages at once over tcp, with marks of two, to who reads them later.
static void send_at_once(int type, int other_type, int count, int flags)
{
    int two = 2, timeout = 10;
    char text[8];
    void *to = zmq_socket(context, other_type), *from = zmq_socket(context, type);
    zmq_setsockopt(from, ZMQ_SNDHWM, &two, sizeof two);
    zmq_setsockopt(to, ZMQ_RCVTIMEO, &timeout, sizeof timeout);
    zmq_bind(from, remote);
    if (other_type == ZMQ_SUB)
        zmq_setsockopt(to, ZMQ_SUBSCRIBE, "", 0);
    zmq_connect(to, remote);
    usleep(1000);
    for (int i = 0; i < count; i++)
        zmq_send(from, "m", 1, flags);
    for (int i = 0; i < count; i++)
        zmq_recv(to, text, sizeof text, 0);
    zmq_close(from);
    zmq_close(to);
}

static void publish_three(void)
{
    send_at_once(ZMQ_PUB, ZMQ_SUB, 3, 0);
}

static void publish_two(void)
{
    send_at_once(ZMQ_PUB, ZMQ_SUB, 2, 0);
}

static void push_three_without_waiting(void)
{
    send_at_once(ZMQ_PUSH, ZMQ_PULL, 3, ZMQ_DONTWAIT);
}

static void push_three_and_wait(void)
{
    send_at_once(ZMQ_PUSH, ZMQ_PULL, 3, 0);
}

// With several peers a message goes to one that has room.
static void push_to_both(void)
{
    int one = 1;
    void *push = zmq_socket(context, ZMQ_PUSH);
    zmq_setsockopt(push, ZMQ_SNDHWM, &one, sizeof one);
    zmq_bind(push, remote);
    void *pulls[] = {open_socket(ZMQ_PULL, remote, 0), open_socket(ZMQ_PULL, remote, 0)};
    usleep(1000);
    for (int i = 0; i < 4; i++)
        zmq_send(push, "m", 1, 0);
    for (int i = 0; i < 4; i++)
        zmq_recv(pulls[i % 2], (char[8]){0}, 8, 0);
    for (int i = 0; i < 2; i++)
        zmq_close(pulls[i]);
    zmq_close(push);
}

// More than a network is sure to hold, to who reads it later.
static void push_much(void)
{
    send_of_size(100000, 4, 1, 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } programs[] = {{"push_two", push_two},
                    {"push_two_to_patient", push_two_to_patient},
                    {"answer_pair", answer_pair},
                    {"close_behind", close_behind},
                    {"subscribe_to_three", subscribe_to_three},
                    {"subscribe_to_two", subscribe_to_two},
                    {"subscribe_inside", subscribe_inside},
                    {"take_late", take_late},
                    {"take_in_time", take_in_time},
                    {"leave_much_behind", leave_much_behind},
                    {"leave_little_behind", leave_little_behind},
                    {"answer_without_frame", answer_without_frame},
                    {"answer_with_frame", answer_with_frame},
                    {"answer_inside", answer_inside},
                    {"return_at_once", return_at_once},
                    {"return_in_time", return_in_time},
                    {"return_beside_waiting", return_beside_waiting},
                    {"end_unheard", end_unheard},
                    {"end_heard", end_heard},
                    {"end_between", end_between},
                    {"end_around", end_around},
                    {"publish_three", publish_three},
                    {"publish_two", publish_two},
                    {"push_three_without_waiting", push_three_without_waiting},
                    {"push_three_and_wait", push_three_and_wait},
                    {"push_to_both", push_to_both},
                    {"push_much", push_much}};
    context = zmq_ctx_new();
    for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(programs[i].name, argv[1]) == 0)
            programs[i].run();
    return 0;
}
