// SPDX-License-Identifier: MIT
// LogisticMapSeries of Savina: workers have series of numbers, each term of which is computed from
// the last by another actor. A master asks each worker for so many terms, and for the last one.
//
// A worker that waits for a term puts what comes meanwhile aside, and when the term is there it sends
// one of these to itself. Under `fifo` the question for the last term overtakes that message: the
// worker has nothing aside, and answers with too few terms. If nobody looks at the sum (`hang`), the
// master stops all, and the worker waits for ever for a term from an actor that is gone. In the fixed
// twin the worker asks for each term, so that nothing else comes before it; and the question says
// how many terms there were, and waits for them, as it has to under `--delivery any`.
#include <math.h>

#include "savina.h"

enum { SERIES = 10, MOST_ASIDE = 8 };

RH_SIGNAL(start);
RH_SIGNAL(next_term);
RH_MESSAGE(compute, { double term; });
RH_MESSAGE(computed, { double term; });
RH_MESSAGE(get_term, { long terms; });
RH_MESSAGE(last_term, { double term; });
RH_SIGNAL(stop);

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    bool is_summed; // whether the master looks at the sum
    int series;
    long terms;
} map;

static double rate_of(int series)
{
    return 3.46 + series * 0.0025;
}

static double first_of(int series)
{
    return (series + 1) * 0.0025;
}

static double follow(double rate, double term)
{
    return rate * term * (1 - term);
}

struct computer {
    double rate;
};

static void computer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct computer *computer = state;
    const struct compute *compute;
    (void)self;

    if ((compute = rh_as(message, compute)))
        rh_reply(message, computed, {.term = follow(computer->rate, compute->term)});
    else if (rh_as(message, stop))
        rh_stop();
}

struct worker {
    rh_actor *master;
    rh_actor *computer;
    double term;
    long terms;
    bool is_waiting;
    enum { NEXT, GET, STOP } aside[MOST_ASIDE]; // the oldest first
    int aside_count;
};

static void put_aside(struct worker *worker, int what)
{
    rh_check(worker->aside_count < MOST_ASIDE);
    worker->aside[worker->aside_count++] = what;
}

// Sends the oldest message that was put aside to its receiver once more.
static void take_up(rh_actor *self, struct worker *worker)
{
    if (worker->aside_count == 0)
        return;
    if (worker->aside[0] == NEXT)
        rh_send(self, next_term);
    else if (worker->aside[0] == GET)
        rh_send(self, get_term, {.terms = map.terms});
    else
        rh_send(self, stop);
    worker->aside_count--;
    for (int i = 0; i < worker->aside_count; i++)
        worker->aside[i] = worker->aside[i + 1];
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct computed *computed;

    if (rh_as(message, next_term) && !worker->is_waiting) {
        rh_send(worker->computer, compute, {.term = worker->term});
        worker->is_waiting = true;
    } else if (rh_as(message, next_term)) {
        put_aside(worker, NEXT);
    } else if ((computed = rh_as(message, computed))) {
        worker->term = computed->term;
        worker->is_waiting = false;
        take_up(self, worker);
    } else if (rh_as(message, get_term) && (worker->is_waiting || worker->aside_count > 0)) {
        put_aside(worker, GET);
    } else if (rh_as(message, get_term)) {
        rh_send(worker->master, last_term, {.term = worker->term});
    } else if (rh_as(message, stop) && worker->is_waiting) {
        put_aside(worker, STOP);
    } else if (rh_as(message, stop)) {
        rh_stop();
    }
}

// Of the fixed twin.
static void asking_worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    (void)self;

    if (rh_as(message, next_term)) {
        const rh_message *reply = rh_ask(worker->computer, compute, {.term = worker->term});
        worker->term = rh_as(reply, computed)->term;
        worker->terms++;
    } else if (rh_as(message, get_term)) {
        rh_send(worker->master, last_term, {.term = worker->term});
    } else if (rh_as(message, stop)) {
        rh_stop();
    }
}

static bool asking_worker_guard(const void *state, const rh_message *message)
{
    const struct worker *worker = state;
    const struct get_term *get_term = rh_as(message, get_term);

    return !get_term || worker->terms == get_term->terms;
}
RH_GUARD(asking_worker_behaviour, asking_worker_guard);

struct master {
    rh_actor *worker[SERIES];
    rh_actor *computer[SERIES];
    int answers;
    double sum;
};

static double expected_sum(void)
{
    double sum = 0;

    for (int i = 0; i < map.series; i++) {
        double term = first_of(i);
        for (long done = 0; done < map.terms; done++)
            term = follow(rate_of(i), term);
        sum += term;
    }
    return sum;
}

static rh_actor *add_worker(const struct worker *worker)
{
    return map.is_fixed ? rh_spawn_sized(asking_worker_behaviour, worker, sizeof *worker)
                        : rh_spawn_sized(worker_behaviour, worker, sizeof *worker);
}

static void begin(rh_actor *self, struct master *master)
{
    for (int i = 0; i < map.series; i++) {
        master->computer[i] = rh_spawn(computer_behaviour, struct computer, {.rate = rate_of(i)});
        master->worker[i] = add_worker(
            &(struct worker){.master = self, .computer = master->computer[i], .term = first_of(i)});
    }
    for (long done = 0; done < map.terms; done++)
        for (int i = 0; i < map.series; i++)
            rh_send(master->worker[i], next_term);
    for (int i = 0; i < map.series; i++)
        rh_send(master->worker[i], get_term, {.terms = map.terms});
}

static void end(struct master *master)
{
    if (map.is_summed)
        rh_check(fabs(master->sum - expected_sum()) < 1e-9);
    for (int i = 0; i < map.series; i++) {
        rh_send(master->computer[i], stop);
        rh_send(master->worker[i], stop);
    }
    rh_stop();
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct last_term *last_term;

    if (rh_as(message, start)) {
        begin(self, master);
    } else if ((last_term = rh_as(message, last_term))) {
        master->sum += last_term->term;
        if (++master->answers == map.series)
            end(master);
    }
}

static void compute_series(bool is_fixed, bool is_summed, int series, long terms)
{
    map.is_fixed = is_fixed;
    map.is_summed = is_summed;
    map.series = series;
    map.terms = terms;
    rh_send(rh_spawn(master_behaviour, struct master, {.answers = 0}), start);
}

static void set_up(void *context)
{
    const long *terms = context;

    compute_series(true, true, SERIES, *terms);
}

RH_TEST(small)
{
    compute_series(false, true, 1, 2);
}

RH_TEST(hang)
{
    compute_series(false, false, 1, 2);
}

RH_TEST(fixed)
{
    compute_series(true, true, rh_parameter(int, series, 2), rh_parameter(int, terms, 2));
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 25000, set_up);
}
