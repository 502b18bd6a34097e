// SPDX-License-Identifier: MIT
// Many actors, many timers, nothing to do: limits.sh looks at what it costs.
//
//     limits idle SECONDS | live COUNT | churn COUNT | timers COUNT | turns PLAYERS | stuck MILLISECONDS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

RH_SIGNAL(hello);
RH_MESSAGE(back, { int number; });
RH_MESSAGE(alarm_clock, { uint64_t due; });

// Live: every one gets a message, and says so to one that counts.

struct one {
    rh_actor *counter;
    int number;
};

static void one_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct one *one = state;
    (void)self;
    if (rh_as(message, hello))
        rh_send(one->counter, back, {.number = one->number});
}

struct counter {
    long count, sum;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    counter->count++;
    counter->sum += rh_as(message, back)->number;
}

struct expected {
    rh_actor *counter;
    long count;
};

static void all_were_there(const void *context)
{
    const struct expected *expected = context;
    const struct counter *counter = rh_view_state(expected->counter);
    rh_check(counter->count == expected->count);
    rh_check(counter->sum == expected->count * (expected->count - 1) / 2);
}

static void set_up_live(void *context)
{
    long count = *(long *)context;
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {0});
    for (int i = 0; i < count; i++)
        rh_send(rh_spawn(one_behaviour, struct one, {counter, i}), hello);
    rh_finally(all_were_there, struct expected, {counter, count});
}

// Churn: one after the other, and some at the same time.

struct mother {
    long left;
};

static void daughter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const char *large = state;
    (void)self;
    rh_check(large[99] == 'x');
    if (rh_as(message, hello)) {
        rh_reply(message, hello);
        rh_stop();
    }
}

static void mother_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct mother *mother = state;
    // Larger than what fits into a cell.
    struct large {
        char bytes[100];
    } large = {{0}};
    (void)self;
    large.bytes[99] = 'x';
    if (rh_as(message, hello) && mother->left-- > 0)
        rh_send(rh_spawn_sized(daughter_behaviour, &large, sizeof large), hello);
}

static void set_up_churn(void *context)
{
    for (int i = 0; i < 100; i++) {
        rh_actor *mother =
            rh_spawn(mother_behaviour, struct mother, {.left = *(long *)context / 100});
        for (int k = 0; k < 10; k++)
            rh_send(mother, hello);
    }
}

// Timers: all are set at once.

struct clock_state {
    long fired, early, order;
    uint64_t last;
    long late[4]; // by up to 2, 3, 10 milliseconds, and more
};

static void clock_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct clock_state *times = state;
    uint64_t due = rh_as(message, alarm_clock)->due, now = rh_now();
    (void)self;
    times->fired++;
    times->early += now <= due;
    times->order += due < times->last;
    times->last = due;
    times->late[now <= due + 2 ? 0 : now <= due + 3 ? 1 : now <= due + 10 ? 2 : 3]++;
}

struct watched {
    rh_actor *clock;
    long count;
};

static void all_fired(const void *context)
{
    const struct watched *watched = context;
    const struct clock_state *times = rh_view_state(watched->clock);
    rh_check(times->fired == watched->count && times->early == 0 && times->order == 0);
    printf("late by at most 2 ms: %ld, 3 ms: %ld, 10 ms: %ld, more: %ld\n", times->late[0],
           times->late[1], times->late[2], times->late[3]);
}

static void setter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct watched *watched = state;
    unsigned seed = 1;
    (void)self;
    // Due long enough from now for all to be pending at the same time, even on a slow machine.
    uint64_t first = rh_now() + 1500;
    for (long i = 0; rh_as(message, hello) && i < watched->count; i++) {
        uint64_t due = first + (uint64_t)rand_r(&seed) % 2000;
        rh_after(due - rh_now(), watched->clock, alarm_clock, {.due = due});
    }
}

static void set_up_timers(void *context)
{
    rh_actor *clock = rh_spawn(clock_behaviour, struct clock_state, {0});
    rh_actor *setter = rh_spawn(setter_behaviour, struct watched, {clock, *(long *)context});
    rh_send(setter, hello);
    rh_finally(all_fired, struct watched, {clock, *(long *)context});
}

// Turns: players that keep each other busy, until one that is not of them has had its turn.

static bool had_its_turn; // atomic

static void latecomer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
    __atomic_store_n(&had_its_turn, true, __ATOMIC_SEQ_CST);
}

// A player alone plays with itself.
static void player_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *other = *(rh_actor **)state;
    rh_ignore(message);
    if (!__atomic_load_n(&had_its_turn, __ATOMIC_SEQ_CST))
        rh_send(other ? other : rh_sender(message) ? rh_sender(message) : self, hello);
}

static void set_up_turns(void *context)
{
    rh_actor *player = rh_spawn(player_behaviour, rh_actor *, {NULL});
    if (*(long *)context > 1)
        player = rh_spawn(player_behaviour, rh_actor *, {player});
    rh_send(player, hello);
    rh_send(rh_spawn(latecomer_behaviour), hello);
}

// Stuck: an actor sends and goes on until the message has been handled, which another thread must do.

static void stubborn_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *latecomer = *(rh_actor **)state;
    (void)self;
    rh_ignore(message);
    rh_send(latecomer, hello);
    while (!__atomic_load_n(&had_its_turn, __ATOMIC_SEQ_CST))
        ;
}

static void set_up_stuck(void *context)
{
    rh_actor *latecomer = rh_spawn(latecomer_behaviour);
    *(rh_actor **)context = rh_spawn(stubborn_behaviour, rh_actor *, {latecomer});
}

// All threads have slept for that long when it begins.
static int run_stuck(long milliseconds)
{
    rh_actor *stubborn;
    if (rh_start(&(rh_options){.stay = true, .context = &stubborn}, set_up_stuck) != 0)
        return 3;
    usleep((useconds_t)milliseconds * 1000);
    rh_send(stubborn, hello);
    rh_drain();
    return rh_wait();
}

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// A timer is pending, and all threads have had something to do.
static void set_up_idle(void *context)
{
    long count = 1000;
    set_up_live(&count);
    rh_after(3600 * 1000, rh_spawn(mother_behaviour, struct mother, {0}), hello);
    (void)context;
}

static int run_idle(long seconds)
{
    if (rh_start(&(rh_options){.stay = true, .quiet = true}, set_up_idle) != 0)
        return 3;
    usleep(500000);
    double before = processor_seconds();
    sleep((unsigned)seconds);
    printf("%.6f\n", processor_seconds() - before);
    rh_shutdown();
    return rh_wait();
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    long number = atol(arguments[2]);
    if (strcmp(arguments[1], "idle") == 0)
        return run_idle(number);
    if (strcmp(arguments[1], "stuck") == 0)
        return run_stuck(number);
    rh_setup *setup = strcmp(arguments[1], "live") == 0    ? set_up_live
                      : strcmp(arguments[1], "churn") == 0 ? set_up_churn
                      : strcmp(arguments[1], "turns") == 0 ? set_up_turns
                                                           : set_up_timers;
    struct rh_summary summary;
    int status = rh_run(&(rh_options){.context = &number, .summary = &summary}, setup);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%lu spawned, %lu alive, %lu delivered, %ld kB\n", summary.spawned, summary.alive,
           summary.delivered, usage.ru_maxrss);
    return status;
}
