// SPDX-License-Identifier: MIT
// Trapezoidal approximation of Savina: workers integrate a function over parts of an interval, and a
// master adds up.
//
// Nothing goes wrong under any order rule: order changes the rounding of the sum, and nothing else.
#include <math.h>

#include "savina.h"

enum { WORKERS = 100, PIECES = 10000000 };

static const double from = 1, to = 5;

RH_SIGNAL(start);
RH_MESSAGE(work, {
    double left;
    double width; // of a piece
    long pieces;
});
RH_MESSAGE(result, { double area; });

static double function(double x)
{
    return sin(x * x * x - 1) / (x + 1) * sqrt(1 + exp(sqrt(2 * x)));
}

static double integrate(double left, double width, long pieces)
{
    double sum = (function(left) + function(left + (double)pieces * width)) / 2;

    for (long i = 1; i < pieces; i++)
        sum += function(left + (double)i * width);
    return sum * width;
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct work *work = rh_as(message, work);
    (void)self, (void)state;

    rh_reply(message, result, {.area = integrate(work->left, work->width, work->pieces)});
    rh_stop();
}

struct master {
    int workers;
    long pieces; // of each worker
    int results;
    double area;
};

static void begin(const struct master *master)
{
    double width = (to - from) / (double)(master->workers * master->pieces);

    for (int i = 0; i < master->workers; i++)
        rh_send(rh_spawn(worker_behaviour), work,
                {.left = from + (double)(i * master->pieces) * width,
                 .width = width,
                 .pieces = master->pieces});
}

// The same sum in one go.
static double expected_area(const struct master *master)
{
    long pieces = master->workers * master->pieces;

    return integrate(from, (to - from) / (double)pieces, pieces);
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct result *result;
    (void)self;

    if (rh_as(message, start)) {
        begin(master);
    } else if ((result = rh_as(message, result))) {
        master->area += result->area;
        if (++master->results < master->workers)
            return;
        // The original's many pieces would take as long again: fewer are nearly as good.
        struct master fewer = {.workers = 1, .pieces = 100000};
        bool is_fine = master->pieces > 1000;
        rh_check(fabs(master->area - expected_area(is_fine ? &fewer : master)) <
                 (is_fine ? 1e-5 : 1e-9));
        rh_stop();
    }
}

static void approximate(int workers, long pieces)
{
    rh_actor *master =
        rh_spawn(master_behaviour, struct master, {.workers = workers, .pieces = pieces});

    rh_send(master, start);
}

static void set_up(void *context)
{
    const long *pieces = context;

    approximate(WORKERS, *pieces > WORKERS ? *pieces / WORKERS : 1);
}

RH_TEST(small)
{
    approximate(rh_parameter(int, workers, 3), 10);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, PIECES, set_up);
}
