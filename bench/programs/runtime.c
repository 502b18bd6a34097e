// SPDX-License-Identifier: MIT
// What a message costs on threads. Prints messages per second and processor seconds for one program.
//
//     runtime PROGRAM COUNT
//     runtime latency COUNT      prints nanoseconds from a message to its answer: the median and the 99.9th percentile
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>

RH_MESSAGE(ball, { long left; });
RH_SIGNAL(go);
RH_SIGNAL(increment);
RH_MESSAGE(retrieve, { long expected; });
RH_SIGNAL(work);

enum { RING = 503, FANS = 8 };

// Ping-pong: two actors and one ball.

static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *other = *(rh_actor **)state;
    const struct ball *ball = rh_as(message, ball);
    (void)self;
    if (ball->left > 0)
        rh_send(other ? other : rh_sender(message), ball, {.left = ball->left - 1});
}

static void set_up_pingpong(void *context)
{
    rh_actor *pong = rh_spawn(player_behaviour, rh_actor *, {NULL});
    rh_actor *ping = rh_spawn(player_behaviour, rh_actor *, {pong});
    rh_send(ping, ball, {.left = *(long *)context});
}

// Ring: one ball goes round.

static void link_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor **next = state;
    const struct ball *ball = rh_as(message, ball);
    (void)self;
    if (!*next)
        *next = rh_sender(message);
    else if (ball->left > 0)
        rh_send(*next, ball, {.left = ball->left - 1});
}

// The first learns its successor from a message in the name of the last.
static void closer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor **next = state;
    const struct ball *ball;
    (void)self;
    if (rh_as(message, go))
        rh_send(*next, ball, {.left = 0});
    else if ((ball = rh_as(message, ball)) && ball->left > 0)
        rh_send(*next, ball, {.left = ball->left - 1});
}

static void set_up_ring(void *context)
{
    rh_actor *first = rh_spawn(link_behaviour, rh_actor *, {NULL});
    rh_actor *next = first;
    for (int i = 0; i < RING - 2; i++)
        next = rh_spawn(link_behaviour, rh_actor *, {next});
    rh_actor *last = rh_spawn(closer_behaviour, rh_actor *, {first});
    rh_send(last, go);
    rh_actor *start = rh_spawn(closer_behaviour, rh_actor *, {next});
    rh_send(start, ball, {.left = *(long *)context});
}

// Fan-in: eight send as fast as they can to one; each waits after a thousand, so that memory is bounded.

struct fan {
    rh_actor *sink;
    long left;
};

static void fan_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct fan *fan = state;
    (void)self;
    if (!rh_as(message, go))
        return;
    for (int i = 0; i < 1000 && fan->left > 0; i++, fan->left--)
        rh_send(fan->sink, ball, {.left = i == 999});
}

static void sink_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, ball)->left)
        rh_send(rh_sender(message), go);
}

static void set_up_fanin(void *context)
{
    rh_actor *sink = rh_spawn(sink_behaviour);
    for (int i = 0; i < FANS; i++) {
        rh_actor *fan = rh_spawn(fan_behaviour, struct fan, {sink, *(long *)context / FANS});
        rh_send(fan, go);
    }
}

// Counting: one sends all, the other counts.

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    long *count = state;
    const struct retrieve *retrieve;
    (void)self;
    if (rh_as(message, increment))
        ++*count;
    else if ((retrieve = rh_as(message, retrieve)))
        rh_check(*count == retrieve->expected);
}

struct producer {
    rh_actor *counter;
    long count;
};

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct producer *producer = state;
    (void)self;
    if (!rh_as(message, go))
        return;
    for (long i = 0; i < producer->count; i++)
        rh_send(producer->counter, increment);
    rh_send(producer->counter, retrieve, {.expected = producer->count});
}

static void set_up_counting(void *context)
{
    rh_actor *counter = rh_spawn(counter_behaviour, long, {0});
    rh_send(rh_spawn(producer_behaviour, struct producer, {counter, *(long *)context}), go);
}

// Fork and join: an actor for each message.

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, work))
        rh_stop();
}

static void forker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    long *left = state;
    if (!rh_as(message, go))
        return;
    for (int i = 0; i < 100 && *left > 0; i++, --*left)
        rh_send(rh_spawn(worker_behaviour), work);
    if (*left > 0)
        rh_send(self, go);
}

static void set_up_spawn(void *context)
{
    rh_send(rh_spawn(forker_behaviour, long, {*(long *)context}), go);
}

// Ask: a request and its reply.

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_reply(message, ball, {.left = rh_as(message, ball)->left - 1});
}

struct client {
    rh_actor *server;
    long count;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    (void)self;
    rh_ignore(message);
    for (long left = client->count / 2; left > 0;)
        left = rh_as(rh_ask(client->server, ball, {.left = left}), ball)->left;
}

static void set_up_ask(void *context)
{
    rh_actor *server = rh_spawn(server_behaviour);
    rh_send(rh_spawn(client_behaviour, struct client, {server, *(long *)context}), go);
}

// To compare with: a queue with a lock between two threads, and calls through a pointer in a loop.

struct locked_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long ball[1];
    bool is_full;
};

static void put(struct locked_queue *queue, long ball)
{
    pthread_mutex_lock(&queue->lock);
    queue->ball[0] = ball;
    queue->is_full = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static long take(struct locked_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (!queue->is_full)
        pthread_cond_wait(&queue->changed, &queue->lock);
    long ball = queue->ball[0];
    queue->is_full = false;
    pthread_mutex_unlock(&queue->lock);
    return ball;
}

// The number of messages is even.
static void *play(void *argument)
{
    struct locked_queue *queues = argument;
    long ball;
    do {
        ball = take(&queues[0]);
        put(&queues[1], ball - 1);
    } while (ball > 2);
    return NULL;
}

static void run_condvar(long count)
{
    struct locked_queue queues[2];
    memset(queues, 0, sizeof queues);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&queues[i].lock, NULL);
        pthread_cond_init(&queues[i].changed, NULL);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, play, queues);
    long ball = count;
    do {
        put(&queues[0], ball);
        ball = take(&queues[1]) - 1;
    } while (ball > 0);
    pthread_join(thread, NULL);
}

// Latency: from ping to pong.

struct samples {
    long count, taken;
    uint32_t *nanoseconds;
};

struct timed {
    rh_actor *other;
    struct samples *samples;
    uint64_t sent;
};

static uint64_t nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void timed_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct timed *timed = state;
    struct samples *samples = timed->samples;
    uint64_t now = nanoseconds_now();
    (void)self;
    if (rh_as(message, ball))
        samples->nanoseconds[samples->taken++] = (uint32_t)(now - timed->sent);
    else if (!rh_as(message, go))
        return;
    timed->sent = now;
    if (samples->taken < samples->count)
        rh_send(timed->other, ball, {.left = 1});
}

static void answering_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, ball))
        rh_send(rh_sender(message), ball, {.left = 0});
}

static void set_up_latency(void *context)
{
    rh_actor *other = rh_spawn(answering_behaviour);
    rh_actor *timed = rh_spawn(timed_behaviour, struct timed, {.other = other, .samples = context});
    rh_send(timed, go);
}

static int compare(const void *left, const void *right)
{
    uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
    return one < other ? -1 : one > other;
}

static int run_latency(long count)
{
    struct samples samples = {.count = count,
                              .nanoseconds = calloc((size_t)count, sizeof(uint32_t))};
    int status = rh_run(&(rh_options){.context = &samples}, set_up_latency);
    qsort(samples.nanoseconds, (size_t)count, sizeof(uint32_t), compare);
    printf("%u %u\n", samples.nanoseconds[count / 2],
           samples.nanoseconds[count - 1 - count / 1000]);
    free(samples.nanoseconds);
    return status;
}

typedef long step_function(long left);

static long step(long left)
{
    return left - 1;
}

static void run_calls(long count)
{
    step_function *volatile function = step;
    while (count > 0)
        count = function(count);
}

static double seconds_of(const struct timespec *time)
{
    return (double)time->tv_sec + (double)time->tv_nsec / 1e9;
}

static int run(const char *name, long count)
{
    static const struct {
        const char *name;
        rh_setup *setup;
    } programs[] = {
        {"pingpong", set_up_pingpong}, {"ring", set_up_ring},   {"fanin", set_up_fanin},
        {"counting", set_up_counting}, {"spawn", set_up_spawn}, {"ask", set_up_ask},
    };
    if (strcmp(name, "condvar") == 0)
        run_condvar(count);
    if (strcmp(name, "calls") == 0)
        run_calls(count);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(name, programs[i].name) == 0)
            return rh_run(&(rh_options){.context = &count}, programs[i].setup);
    return 0;
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    long messages = atol(arguments[2]);
    if (strcmp(arguments[1], "latency") == 0 && messages > 0)
        return run_latency(messages);
    struct timespec start, end;
    struct rusage usage;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int status = run(arguments[1], messages);
    clock_gettime(CLOCK_MONOTONIC, &end);
    getrusage(RUSAGE_SELF, &usage);
    double elapsed = seconds_of(&end) - seconds_of(&start);
    double processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("%.0f %.0f %ld\n", (double)messages / elapsed, (double)messages / processor,
           usage.ru_maxrss);
    return status;
}
