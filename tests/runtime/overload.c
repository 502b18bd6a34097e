// SPDX-License-Identifier: MIT
// A producer that is faster than its consumer.
//
//     overload block|drop|fail MESSAGES [outside|timers]
//     overload block|drop SECONDSs
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>
#include <rehearse/test.h>

RH_MESSAGE(parcel, {
    int number;
    char ballast[900];
});
RH_MESSAGE(start, { int count; });

enum { LIMIT = 100, PRODUCERS = 3 };

static time_t deadline; // 0: there is none

static bool is_over(int count)
{
    return deadline != 0 && count % 1024 == 0 && time(NULL) >= deadline;
}

struct consumer {
    int got;
    int order; // numbers that were not the next one
    int last[PRODUCERS];
};

static void consumer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct consumer *consumer = state;
    const struct parcel *parcel = rh_as(message, parcel);
    (void)self;
    if (consumer->got++ % 16 == 0) {
        struct timespec pause = {.tv_nsec = 20000};
        nanosleep(&pause, NULL);
    }
    int *last = &consumer->last[parcel->number % PRODUCERS];
    consumer->order += parcel->number <= *last && *last > 0;
    *last = parcel->number;
}

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *consumer = *(rh_actor **)state;
    const struct start *start = rh_as(message, start);
    static _Thread_local int index;
    (void)self;
    // Locals and thread-local variables are the same after each wait.
    int *kept = &index;
    for (int i = 0; i < start->count && !is_over(i); i++) {
        rh_send(consumer, parcel, {.number = i * PRODUCERS + (int)rh_size(message) % PRODUCERS});
        rh_check(&index == kept);
    }
}

struct plan {
    int count;
    bool outside;
    bool timers; // more of them than the limit are pending for a while
    rh_actor *consumer;
    struct consumer end;
};

static void remember(const void *context)
{
    struct plan *plan = *(struct plan *const *)context;
    plan->end = *(const struct consumer *)rh_view_state(plan->consumer);
}

static void setup(void *context)
{
    struct plan *plan = context;
    plan->consumer = rh_spawn(consumer_behaviour, struct consumer, {.got = 0});
    rh_finally(remember, struct plan *, {plan});
    if (plan->outside)
        return;
    for (int i = 0; plan->timers && i < 2 * LIMIT; i++)
        rh_after(200, plan->consumer, parcel, {.number = (1 << 20) * PRODUCERS + i * PRODUCERS});
    for (int i = 0; i < PRODUCERS; i++) {
        rh_actor *producer = rh_spawn(producer_behaviour, rh_actor *, {plan->consumer});
        // The size tells the producers apart.
        struct {
            struct start start;
            char more[PRODUCERS];
        } bytes = {.start = {.count = plan->count}};
        rh_send_sized(producer, start, &bytes, sizeof(struct start) + (size_t)i);
    }
}

static void *send_from_outside(void *argument)
{
    struct plan *plan = argument;
    for (int i = 0; i < plan->count; i++)
        rh_send(plan->consumer, parcel, {.number = i * PRODUCERS});
    return NULL;
}

int main(int count, char **arguments)
{
    if (count < 3)
        return 2;
    struct plan plan = {.count = atoi(arguments[2]),
                        .outside = count > 3 && strcmp(arguments[3], "outside") == 0,
                        .timers = count > 3 && strcmp(arguments[3], "timers") == 0};
    if (strchr(arguments[2], 's')) {
        deadline = time(NULL) + plan.count;
        plan.count = INT_MAX / PRODUCERS - 1;
    }
    struct rh_summary summary = {0};
    rh_options options = {.mailbox_limit = LIMIT,
                          .overload = strcmp(arguments[1], "drop") == 0   ? RH_DROP_NEWEST
                                      : strcmp(arguments[1], "fail") == 0 ? RH_FAIL
                                                                          : RH_BLOCK,
                          .stay = plan.outside,
                          .context = &plan,
                          .summary = &summary};
    if (rh_start(&options, setup) != 0)
        return 3;
    pthread_t thread;
    if (plan.outside) {
        pthread_create(&thread, NULL, send_from_outside, &plan);
        pthread_join(thread, NULL);
        rh_drain();
    }
    int status = rh_wait();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%d got, %lu dropped, %d out of order, %ld kB\n", plan.end.got, summary.dropped,
           plan.end.order, usage.ru_maxrss);
    return status;
}
