// SPDX-License-Identifier: MIT
// Programs in which nothing is wrong, and that were once taken for wrong, chosen by the first argument; and neighbours that
// wait for ever: see fine.sh.
#define _GNU_SOURCE
#include "outcomes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char remote[] = "tcp://127.0.0.1:5599";
static pthread_mutex_t locks[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void say_goodbye(void)
{
    context = zmq_ctx_new();
    void *one = open_socket(ZMQ_PAIR, "inproc://end", 1),
         *other = open_socket(ZMQ_PAIR, "inproc://end", 0);
    zmq_send(other, "7", 1, 0);
    printf("goodbye %d\n", receive_digit(one));
    zmq_close(one);
    zmq_close(other);
    zmq_ctx_term(context);
}

static void *take_one(void *name)
{
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 0);
    printf("took %d\n", receive_digit(pull));
    zmq_close(pull);
    if (*(const char *)name)
        zmq_ctx_term(context);
    return NULL;
}

static void exit_main_before(const char *name)
{
    pthread_t thread;
    atexit(say_goodbye);
    void *push = open_socket(ZMQ_PUSH, "inproc://results", 1);
    start(&thread, take_one, name);
    pthread_detach(thread);
    zmq_send(push, "5", 1, 0);
    zmq_close(push);
    pthread_exit(NULL);
}

// Main ends before the other thread does: the process ends with the last of them, and what is registered runs then.
static void exit_main(void)
{
    exit_main_before("ends all");
}

// ZeroMQ has threads too, which end with their context, or never.
static void exit_main_only(void)
{
    exit_main_before("");
}

static struct timespec time_of(const char *path)
{
    struct stat status;
    struct statx extended;
    if (stat(path, &status) != 0 || statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &extended) != 0 ||
        extended.stx_mtime.tv_nsec != (unsigned)status.st_mtim.tv_nsec)
        abort();
    return status.st_mtim;
}

static int is_later(struct timespec one, struct timespec other)
{
    return one.tv_sec != other.tv_sec ? one.tv_sec > other.tv_sec : one.tv_nsec > other.tv_nsec;
}

static void put(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs("text", file) < 0 || fclose(file) != 0)
        abort();
}

// Times of files against the clock, and against each other.
static void file_times(void)
{
    struct timespec begin;
    clock_gettime(CLOCK_REALTIME, &begin);
    begin.tv_sec--;
    printf("older %d\n", is_later(begin, time_of("old.txt")));
    put("one.txt");
    struct timespec first = time_of("one.txt"), directory = time_of(".");
    printf("now %d, old as it was %d\n", is_later(first, begin),
           is_later(begin, time_of("old.txt")));
    usleep(30000);
    printf("kept %d %d\n", is_later(time_of("one.txt"), first), is_later(time_of("."), directory));
    put("one.txt");
    put("two.txt");
    usleep(30000);
    struct timespec second = time_of("one.txt"), now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("changed %d, before now %d\n", is_later(second, first), is_later(now, second));
    printf("directory %d\n", is_later(time_of("."), directory));
    struct timespec moved = time_of("two.txt");
    rename("two.txt", "three.txt");
    printf("moved %d\n", is_later(time_of("three.txt"), moved));
    unlink("one.txt");
    unlink("three.txt");
}

static void *push_two(void *name)
{
    void *push = open_socket(ZMQ_PUSH, "inproc://results", 0);
    zmq_send(push, "1", 1, 0);
    zmq_send(push, "2", 1, 0);
    zmq_close(push);
    return name;
}

static int number_of(void *socket, int option)
{
    int number;
    size_t size = sizeof number;
    return zmq_getsockopt(socket, option, &number, &size) == 0 ? number : -1;
}

// A loop over the descriptor of a PULL, which hears nothing of a peer within the process before a message comes.
static void poll_descriptor(void)
{
    pthread_t thread;
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1);
    zmq_pollitem_t item = {.fd = number_of(pull, ZMQ_FD), .events = ZMQ_POLLIN};
    start(&thread, push_two, "");
    for (int left = 2; left > 0;) {
        if (zmq_poll(&item, 1, -1) != 1)
            abort();
        while (number_of(pull, ZMQ_EVENTS) & ZMQ_POLLIN) {
            printf("%d\n", receive_digit(pull));
            left--;
        }
    }
    pthread_join(thread, NULL);
    zmq_close(pull);
    zmq_ctx_term(context);
}

// Twenty messages through queues of two: the network holds what the queues do not, also if they were sent before there was a
// connection.
static void send_many(int type, int other_type, const char *endpoint, int binds_first)
{
    int two = 2, sum = 0;
    void *from = zmq_socket(context, type), *to = zmq_socket(context, other_type);
    zmq_setsockopt(from, ZMQ_SNDHWM, &two, sizeof two);
    zmq_setsockopt(to, ZMQ_RCVHWM, &two, sizeof two);
    if (binds_first)
        zmq_bind(to, endpoint);
    zmq_connect(from, endpoint);
    zmq_send(from, "1", 1, 0);
    if (!binds_first)
        zmq_bind(to, endpoint);
    for (int i = 1; i < 20; i++)
        zmq_send(from, "1", 1, 0);
    for (int i = 0; i < 20; i++)
        sum += receive_digit(to);
    printf("%d of 20\n", sum);
    zmq_close(from);
    zmq_close(to);
}

static void exceed_marks(void)
{
    send_many(ZMQ_PUSH, ZMQ_PULL, "tcp://127.0.0.1:5599", 1);
    send_many(ZMQ_PAIR, ZMQ_PAIR, "ipc://marks", 1);
    send_many(ZMQ_DEALER, ZMQ_DEALER, "ipc://others", 0);
    zmq_ctx_term(context);
}

// Of many messages in the queue of a socket whose context is shut down some are received: a receive looks for what has come
// now and then.
static void end_with_many(void)
{
    int count = 0;
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1),
         *push = open_socket(ZMQ_PUSH, "inproc://results", 0);
    for (int i = 0; i < 250; i++)
        zmq_send(push, "1", 1, 0);
    zmq_ctx_shutdown(context);
    while (receive_digit(pull) == 1)
        count++;
    printf("none of them %d\n", count);
    zmq_close(push);
    zmq_close(pull);
    zmq_ctx_term(context);
}

static void end_with_many_known(void)
{
    int count = 0;
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 1),
         *push = open_socket(ZMQ_PUSH, "inproc://results", 0);
    for (int i = 0; i < 250; i++)
        zmq_send(push, "1", 1, 0);
    for (int i = 0; i < 30; i++)
        receive_digit(pull);
    zmq_ctx_shutdown(context);
    while (receive_digit(pull) == 1)
        count++;
    printf("some of them %d\n", count);
    zmq_close(push);
    zmq_close(pull);
    zmq_ctx_term(context);
}

// What can be bound and connected, and what can't, with what is said then. The port that the system chooses is left out.
static const char *try(int result)
{
    return result == 0 ? "ok" : zmq_strerror(errno);
}

static void try_address(const char *address)
{
    int none = 0;
    char last[256] = "";
    size_t size = sizeof last;
    void *one = zmq_socket(context, ZMQ_DEALER), *other = zmq_socket(context, ZMQ_DEALER);
    zmq_setsockopt(other, ZMQ_LINGER, &none, sizeof none);
    printf("%.40s: bind %s", address, try(zmq_bind(one, address)));
    zmq_getsockopt(one, ZMQ_LAST_ENDPOINT, last, &size);
    if (!strchr("*0", address[strlen(address) - 1]))
        printf(" %s", last);
    printf(", connect %s", try(zmq_connect(other, address)));
    printf(", unbind %s", try(zmq_unbind(one, address)));
    printf(", disconnect %s\n", try(zmq_disconnect(other, address)));
    zmq_close(one);
    zmq_close(other);
}

static void addresses(void)
{
    static const char *const all[] = {"tcp://127.0.0.1:5701",
                                      "tcp://localhost:5702",
                                      "tcp://*:5703",
                                      "tcp://0.0.0.0:5704",
                                      "tcp://198.51.100.7:5705",
                                      "tcp://lo:5707",
                                      "tcp://nosuch0:5708",
                                      "tcp://nosuch.invalid:5709",
                                      "tcp://[::1]:5711",
                                      "tcp://::1:5711",
                                      "tcp://127.0.0.1",
                                      "tcp://127.0.0.1:",
                                      "tcp://127.0.0.1:x",
                                      "tcp://127.0.0.1:0",
                                      "tcp://127.0.0.1:*",
                                      "tcp://127.0.0.1:!",
                                      "tcp://127.0.0.1:65536",
                                      "tcp://:5712",
                                      "tcp://*:*",
                                      "tcp://",
                                      "tcp:/x",
                                      "127.0.0.1:5555",
                                      "foo://bar",
                                      "inproc://",
                                      "inproc://x",
                                      "ipc://",
                                      "ipc://nowhere/x",
                                      "ipc:///nowhere/x",
                                      "ipc://here.ipc",
                                      "ipc://@abstract",
                                      "tcp://127.0.0.1:5713;127.0.0.1:5714",
                                      "tcp://256.1.1.1:5716",
                                      "tcp://127.1:5717",
                                      "tcp://host name:5718",
                                      "tcp://127.0.0.1:57 19",
                                      "tcp://127.0.0.5:5721",
                                      "ipc://"
                                      "a-path-that-is-longer-than-the-system-allows-for-a-socket-"
                                      "of-this-kind-which-is-one-hundred-and-seven-"
                                      "characters-at-most"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        try_address(all[i]);
    zmq_ctx_term(context);
}

// Who waits for peers in other processes, which are not there.

static void serve(void)
{
    void *rep = open_socket(ZMQ_REP, remote, 1);
    while (receive_digit(rep) >= 0)
        zmq_send(rep, "1", 1, 0);
}

static void ask(void)
{
    void *req = open_socket(ZMQ_REQ, remote, 0);
    zmq_send(req, "1", 1, 0);
    receive_digit(req);
}

static void push_full(void)
{
    int one = 1;
    void *push = zmq_socket(context, ZMQ_PUSH);
    zmq_setsockopt(push, ZMQ_SNDHWM, &one, sizeof one);
    zmq_connect(push, "ipc://nowhere");
    for (;;)
        zmq_send(push, "1", 1, 0);
}

static void *work(void *name)
{
    void *pull = open_socket(ZMQ_PULL, "inproc://results", 0);
    receive_digit(pull);
    return name;
}

// Of three threads one waits for clients.
static void serve_and_work(void)
{
    pthread_t thread;
    void *front = open_socket(ZMQ_ROUTER, remote, 1),
         *back = open_socket(ZMQ_PUSH, "inproc://results", 1);
    start(&thread, work, "");
    zmq_pollitem_t items[] = {{.socket = front, .events = ZMQ_POLLIN}};
    zmq_poll(items, 1, -1);
    zmq_send(back, "1", 1, 0);
    pthread_join(thread, NULL);
}

static void *serve_beside(void *name)
{
    serve();
    return name;
}

static void *lock_both(void *name)
{
    int first = atoi(name);
    pthread_mutex_lock(&locks[first]);
    usleep(1000);
    pthread_mutex_lock(&locks[1 - first]);
    return NULL;
}

// No client helps threads that wait for each other's locks.
static void serve_and_lock(void)
{
    pthread_t threads[3];
    start(&threads[0], serve_beside, "");
    start(&threads[1], lock_both, "0");
    start(&threads[2], lock_both, "1");
    pthread_join(threads[0], NULL);
}

// A server whose client is a thread here, and goes without a word.
static void *connect_only(void *name)
{
    zmq_close(open_socket(ZMQ_REQ, remote, 0));
    return name;
}

static void serve_nobody(void)
{
    pthread_t thread;
    start(&thread, connect_only, "");
    serve();
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {{"exit_main", exit_main},
                                              {"exit_main_only", exit_main_only},
                                              {"file_times", file_times},
                                              {"poll_descriptor", poll_descriptor},
                                              {"exceed_marks", exceed_marks},
                                              {"addresses", addresses},
                                              {"end_with_many", end_with_many},
                                              {"end_with_many_known", end_with_many_known},
                                              {"serve", serve},
                                              {"ask", ask},
                                              {"push_full", push_full},
                                              {"serve_and_work", serve_and_work},
                                              {"serve_and_lock", serve_and_lock},
                                              {"serve_nobody", serve_nobody},
                                              {0}};
    run_named(programs, argc, argv);
    return 0;
}
