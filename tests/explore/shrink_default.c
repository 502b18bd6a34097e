// SPDX-License-Identifier: MIT
// Errors for which shrinking by default has a special case; what comes of each is worked out in shrink_default.sh.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(begin);
RH_SIGNAL(quick);
RH_MESSAGE(tick, { int left; });

// The first of `begin` and `quick` decides whether there are ticks.
struct worker {
    bool is_decided;
};

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct tick *tick = rh_as(message, tick);
    bool is_long = tick ? tick->left > 0 : rh_as(message, begin) && !worker->is_decided;
    worker->is_decided |= rh_as(message, quick) || rh_as(message, begin);
    if (is_long)
        rh_send(self, tick, {.left = tick ? tick->left - 1 : 3});
}

static void never(const void *context)
{
    (void)context;
    rh_check(false);
}

// Every order shows it: sending order in six deliveries, the other one in two.
RH_TEST(longer_in_sending_order)
{
    rh_actor *worker = rh_spawn(worker_behaviour, struct worker, {.is_decided = false});
    rh_send_from(rh_outside("ann"), worker, begin);
    rh_send_from(rh_outside("ben"), worker, quick);
    rh_finally(never, int, {0});
}

enum { CHAIN = 300 };

struct counter {
    int seen;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    (void)rh_as(message, tick);
    counter->seen++;
    rh_check(counter->seen < CHAIN);
}

// Each of the deliveries is needed, and any order will do: to see that all are takes as many executions as there are.
RH_TEST(needs_all)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {.seen = 0});
    rh_actor *senders[] = {rh_outside("ben"), rh_outside("ann")};
    for (int i = 0; i < CHAIN; i++)
        rh_send_from(senders[i % 2], counter, tick, {.left = i});
}

// More errors than a search shrinks: each place is an error of its own, and needs all of many deliveries.
enum { NEEDED = 100 };

struct judge {
    int seen;
    int which;
};

static void judge_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct judge *judge = state;
    (void)self;
    (void)rh_as(message, tick);
    if (++judge->seen < NEEDED)
        return;
    switch (judge->which) {
#define PLACE(number)                                                                              \
    case number:                                                                                   \
        rh_check(judge->which != number);                                                          \
        break;
        // clang-format off
        PLACE(0)
        PLACE(1)
        PLACE(2)
        PLACE(3)
        PLACE(4)
        PLACE(5)
        PLACE(6)
        PLACE(7)
        PLACE(8)
        PLACE(9)
        PLACE(10)
        PLACE(11)
        // clang-format on
#undef PLACE
    }
}

RH_TEST(many)
{
    rh_actor *judge = rh_spawn(judge_behaviour, struct judge, {.which = rh_choose(12)});
    for (int i = 0; i < NEEDED; i++)
        rh_send(judge, tick, {.left = i});
}

// Slow, so that to shrink it takes long. Deliveries to others can be left out at once, and no other.
enum { SLOW = 60, OTHERS = 20 };

static void slow_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    (void)rh_as(message, tick);
    for (volatile int i = 0; i < 200000; i++)
        ;
    counter->seen++;
    rh_check(counter->seen < SLOW);
}

// Leaves a line in the file for each execution. The tenth stays here until it is interrupted.
static void note_execution(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, "\n", 1) != 1)
        abort();
    if (lseek(file, 0, SEEK_END) >= 10)
        open(getenv("GATE"), O_RDONLY); // a pipe to which nobody writes
    close(file);
}

RH_TEST(slow)
{
    const char *path = getenv("EXECUTIONS");
    if (path)
        note_execution(path);
    for (int i = 0; i < OTHERS; i++)
        rh_send(rh_spawn(slow_behaviour, struct counter, {.seen = 0}), tick, {.left = i});
    rh_actor *counter = rh_spawn(slow_behaviour, struct counter, {.seen = 0});
    for (int i = 0; i < SLOW; i++)
        rh_send(counter, tick, {.left = i});
}

// The first message takes long, the second for ever if the first has come before it, and long otherwise.
struct sleeper {
    bool has_begun;
};

// The processor time of this process, which is what --hang-limit is about: so whoever else uses the processor decides
// nothing. Without libc: whatever asks libc gets logical time.
static struct timespec computed(void)
{
    struct timespec time;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_clock_gettime), "D"(CLOCK_PROCESS_CPUTIME_ID), "S"(&time)
                     : "rcx", "r11", "memory");
    (void)result;
    return time;
}

static void compute_ms(long most)
{
    struct timespec begin = computed(), now;
    do
        now = computed();
    while (most < 0 ||
           (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < most);
}

static void sleeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sleeper *sleeper = state;
    (void)self;
    bool is_first = rh_as(message, tick)->left == 1;
    compute_ms(sleeper->has_begun && !is_first ? -1 : 80);
    sleeper->has_begun |= is_first;
}

RH_TEST(slow_then_hangs)
{
    rh_actor *sleeper = rh_spawn(sleeper_behaviour, struct sleeper, {.has_begun = false});
    rh_send(sleeper, tick, {.left = 1});
    rh_send(sleeper, tick, {.left = 0});
}

// Each beat leads to the next one, for as long as anybody looks. Three in a row without an answer are too many.
RH_SIGNAL(beat);
RH_SIGNAL(ping);
RH_SIGNAL(pong);

struct monitor {
    rh_actor *peer;
    int missed;
    bool is_waiting;
};

static void monitor_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct monitor *monitor = state;
    if (rh_as(message, pong)) {
        monitor->is_waiting = false;
        monitor->missed = 0;
    } else if (rh_as(message, beat)) {
        monitor->missed += monitor->is_waiting;
        rh_check(monitor->missed < 3);
        monitor->is_waiting = true;
        rh_send(monitor->peer, ping);
        rh_after(100, self, beat);
    }
}

static void peer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, ping))
        rh_reply(message, pong);
}

RH_TEST(heartbeat)
{
    rh_actor *peer = rh_spawn(peer_behaviour);
    rh_send(rh_spawn(monitor_behaviour, struct monitor, {.peer = peer}), beat);
}

// The only message there is.
RH_TEST(alone)
{
    rh_send(rh_spawn(counter_behaviour, struct counter, {.seen = CHAIN}), tick, {.left = 0});
}
