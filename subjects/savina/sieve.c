// SPDX-License-Identifier: MIT
// Sieve of Savina: odd numbers flow through a chain of filters, each of which keeps so many primes and
// drops their multiples. When a filter is full, a new one is made for the next prime.
//
// It rests on the order of messages: under `any` the end overtakes numbers, so that primes are lost,
// and a number overtakes its factor and counts as a prime. In the fixed twin numbers say which they
// are in the row, and wait for those before them.
#include "savina.h"

enum { LIMIT = 100000, PRIMES = 1000 };

RH_SIGNAL(start);
RH_MESSAGE(candidate, {
    int place; // in the row of those from the same sender
    int number;
});
RH_MESSAGE(end, { int place; });

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    int limit;  // numbers are below
    int primes; // that a filter keeps
} sieve;

struct filter {
    rh_actor *next;
    int number; // of this filter, from 0
    int first;  // the prime that it was made for
    int taken;
    int sent;
    int count;
    int *primes; // made with the first message
};

static int count_primes(void)
{
    int count = 0;

    for (int number = 2; number < sieve.limit; number++) {
        int factor = 2;
        while (factor * factor <= number && number % factor != 0)
            factor++;
        count += factor * factor > number;
    }
    return count;
}

static bool is_multiple(const struct filter *filter, int number)
{
    for (int i = 0; i < filter->count; i++)
        if (number % filter->primes[i] == 0)
            return true;
    return false;
}

static rh_behaviour filter_behaviour;
static rh_behaviour patient_filter_behaviour;

static rh_actor *add_filter(int number, int first)
{
    struct filter filter = {.number = number, .first = first};

    return sieve.is_fixed ? rh_spawn_sized(patient_filter_behaviour, &filter, sizeof filter)
                          : rh_spawn_sized(filter_behaviour, &filter, sizeof filter);
}

static void pass_on(struct filter *filter, int number)
{
    rh_send(filter->next, candidate, {.place = filter->sent++, .number = number});
}

static void take(struct filter *filter, int number)
{
    if (is_multiple(filter, number))
        return;
    if (filter->next)
        pass_on(filter, number);
    else if (filter->count < sieve.primes)
        filter->primes[filter->count++] = number;
    else
        filter->next = add_filter(filter->number + 1, number);
}

static void finish(struct filter *filter)
{
    if (filter->next)
        rh_send(filter->next, end, {.place = filter->sent});
    else
        rh_check(filter->number * sieve.primes + filter->count == count_primes());
    free(filter->primes);
    rh_stop();
}

static void filter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct filter *filter = state;
    const struct candidate *candidate;
    (void)self;

    if (filter->taken++ == 0) {
        filter->primes = malloc((size_t)sieve.primes * sizeof *filter->primes);
        filter->primes[filter->count++] = filter->first;
    }
    if ((candidate = rh_as(message, candidate)))
        take(filter, candidate->number);
    else if (rh_as(message, end))
        finish(filter);
}

static void patient_filter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    filter_behaviour(self, state, message);
}

static bool patient_filter_guard(const void *state, const rh_message *message)
{
    const struct filter *filter = state;
    const struct candidate *candidate = rh_as(message, candidate);
    const struct end *end = rh_as(message, end);

    return filter->taken == (candidate ? candidate->place : end->place);
}
RH_GUARD(patient_filter_behaviour, patient_filter_guard);

struct producer {
    rh_actor *filter;
};

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct producer *producer = state;
    int sent = 0;
    (void)self;

    if (!rh_as(message, start))
        return;
    for (int number = 3; number < sieve.limit; number += 2)
        rh_send(producer->filter, candidate, {.place = sent++, .number = number});
    rh_send(producer->filter, end, {.place = sent});
    rh_stop();
}

static void find_primes(bool is_fixed, int limit, int primes)
{
    sieve.is_fixed = is_fixed;
    sieve.limit = limit;
    sieve.primes = primes;
    rh_send(rh_spawn(producer_behaviour, struct producer, {.filter = add_filter(0, 2)}), start);
}

static void set_up(void *context)
{
    const long *limit = context;

    find_primes(false, (int)*limit, PRIMES);
}

RH_TEST(small)
{
    find_primes(false, rh_parameter(int, limit, 14), 2);
}

RH_TEST(smaller)
{
    find_primes(false, 10, 2);
}

RH_TEST(fixed)
{
    find_primes(true, 14, 2);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, LIMIT, set_up);
}
