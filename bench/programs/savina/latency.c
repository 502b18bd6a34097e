// SPDX-License-Identifier: MIT
// How long a message and its answer take. Prints the median and the 99.9th percentile of so many rounds, in nanoseconds.
//
//     latency ROUNDS
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>

RH_SIGNAL(start);
RH_SIGNAL(ping);
RH_SIGNAL(pong);

struct times {
    int rounds;
    int done;
    int64_t *taken; // nanoseconds
};

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void ponger_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, ping))
        rh_reply(message, pong);
}

struct pinger {
    rh_actor *ponger;
    struct times *times;
    int64_t sent_at;
};

static void pinger_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct pinger *pinger = state;
    (void)self;

    if (rh_as(message, pong))
        pinger->times->taken[pinger->times->done++] = now() - pinger->sent_at;
    else if (!rh_as(message, start))
        return;
    if (pinger->times->done < pinger->times->rounds) {
        pinger->sent_at = now();
        rh_send(pinger->ponger, ping);
    }
}

static void set_up(void *context)
{
    rh_actor *ponger = rh_spawn(ponger_behaviour);

    rh_send(rh_spawn(pinger_behaviour, struct pinger, {.ponger = ponger, .times = context}), start);
}

static int compare(const void *one, const void *other)
{
    int64_t left = *(const int64_t *)one, right = *(const int64_t *)other;

    return (left > right) - (left < right);
}

int main(int count, char **arguments)
{
    struct times times = {.rounds = count > 1 ? atoi(arguments[1]) : 0};

    if (times.rounds <= 0)
        return 2;
    times.taken = malloc((size_t)times.rounds * sizeof *times.taken);
    int status = rh_run(&(rh_options){.context = &times}, set_up);
    if (status == 0 && times.done == times.rounds) {
        qsort(times.taken, (size_t)times.rounds, sizeof *times.taken, compare);
        printf("%lld %lld\n", (long long)times.taken[times.rounds / 2],
               (long long)times.taken[times.rounds - 1 - times.rounds / 1000]);
    }
    free(times.taken);
    return status;
}
