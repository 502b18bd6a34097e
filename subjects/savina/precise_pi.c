// SPDX-License-Identifier: MIT
// Precise pi of Savina: workers compute terms of the formula of Bailey, Borwein and Plouffe to many
// digits, and a master adds them up until they are too small to matter.
//
// Nothing goes wrong under any order rule: how many terms are computed depends on the order, but a term
// that is too small is too small wherever it comes.
#include <string.h>

#include "savina.h"

enum { WORKERS = 20, DIGITS = 5000, LIMBS = DIGITS * 3322 / 32000 + 4 };

RH_SIGNAL(start);
RH_MESSAGE(work, { int term; });
RH_MESSAGE(term, {
    bool is_last; // too small to matter
    uint32_t limbs[];
});
RH_SIGNAL(stop);
RH_SIGNAL(stopped);

// Set by the test's body, and only read afterwards. A number is an array of so many limbs: the first is its
// whole part, the others its fraction in base 2^32.
static struct {
    int workers;
    int digits;
    int limbs;
    size_t size;           // of a number in bytes
    uint32_t least[LIMBS]; // 10 to the power of minus the number of digits
} precision;

static uint32_t *new_number(uint32_t whole)
{
    uint32_t *number = calloc(1, precision.size);

    number[0] = whole;
    return number;
}

static void add(uint32_t *sum, const uint32_t *number)
{
    uint64_t carry = 0;

    for (int i = precision.limbs - 1; i >= 0; i--) {
        carry += (uint64_t)sum[i] + number[i];
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void subtract(uint32_t *sum, const uint32_t *number)
{
    int64_t borrow = 0;

    for (int i = precision.limbs - 1; i >= 0; i--) {
        borrow += (int64_t)sum[i] - number[i];
        sum[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
}

static void divide(uint32_t *number, uint32_t divisor)
{
    uint64_t rest = 0;

    for (int i = 0; i < precision.limbs; i++) {
        rest = rest << 32 | number[i];
        number[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
}

// Divides by a power of 16.
static void shift(uint32_t *number, int power)
{
    int limbs = power * 4 / 32, bits = power * 4 % 32;

    for (int i = precision.limbs - 1; i >= 0; i--) {
        uint64_t low = i >= limbs ? number[i - limbs] : 0;
        uint64_t high = i > limbs ? number[i - limbs - 1] : 0;
        number[i] = (uint32_t)((high << 32 | low) >> bits);
    }
}

static bool is_zero(const uint32_t *number)
{
    for (int i = 0; i < precision.limbs; i++)
        if (number[i] != 0)
            return false;
    return true;
}

// Whether a number makes no difference any more.
static bool is_small(const uint32_t *number)
{
    int i = 0;

    while (i < precision.limbs - 1 && number[i] == precision.least[i])
        i++;
    return number[i] <= precision.least[i];
}

static void add_part(uint32_t *sum, uint32_t dividend, uint32_t divisor, bool is_added)
{
    uint32_t *part = new_number(dividend);

    divide(part, divisor);
    (is_added ? add : subtract)(sum, part);
    free(part);
}

static void compute_term(uint32_t *sum, int term)
{
    uint32_t base = 8 * (uint32_t)term;

    add_part(sum, 4, base + 1, true);
    add_part(sum, 2, base + 4, false);
    add_part(sum, 1, base + 5, false);
    add_part(sum, 1, base + 6, false);
    shift(sum, term);
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct work *work;
    (void)self, (void)state;

    if ((work = rh_as(message, work))) {
        size_t size = sizeof(struct term) + precision.size;
        struct term *term = calloc(1, size);
        compute_term(term->limbs, work->term);
        term->is_last = is_small(term->limbs);
        rh_send_sized(rh_sender(message), term, term, size);
        free(term);
    } else if (rh_as(message, stop)) {
        rh_reply(message, stopped);
        rh_stop();
    }
}

struct master {
    rh_actor *worker[WORKERS];
    uint32_t *sum;
    int requested;
    int received;
    int stopped;
    bool has_last;
};

// Adds a multiple of the arc tangent of 1/divisor.
static void add_arc_tangent(uint32_t *sum, uint32_t factor, uint32_t divisor, bool is_added)
{
    uint32_t *power = new_number(factor);

    divide(power, divisor);
    for (uint32_t odd = 1; !is_zero(power); odd += 2) {
        uint32_t *part = memcpy(new_number(0), power, precision.size);
        divide(part, odd);
        (is_added ? add : subtract)(sum, part);
        is_added = !is_added;
        divide(power, divisor * divisor);
        free(part);
    }
    free(power);
}

// Compares with Machin's formula, to as many digits as were asked for.
static bool is_pi(const uint32_t *sum)
{
    uint32_t *difference = new_number(0);

    add_arc_tangent(difference, 16, 5, true);
    add_arc_tangent(difference, 4, 239, false);
    subtract(difference, sum);
    bool is_above = difference[0] == 0;
    if (!is_above) {
        uint32_t *negative = new_number(0);
        subtract(negative, difference);
        memcpy(difference, negative, precision.size);
        free(negative);
    }
    bool is_near = is_small(difference);
    free(difference);
    return is_near;
}

static void request(struct master *master, rh_actor *worker)
{
    rh_send(worker, work, {.term = master->requested++});
}

static void begin(struct master *master)
{
    int first = 10 * precision.workers;

    master->sum = new_number(0);
    for (int i = 0; i < precision.workers; i++)
        master->worker[i] = rh_spawn(worker_behaviour);
    for (int i = 0; i < first && i < precision.digits; i++)
        request(master, master->worker[i % precision.workers]);
}

static void take_term(struct master *master, const struct term *term, rh_actor *worker)
{
    add(master->sum, term->limbs);
    master->received++;
    master->has_last |= term->is_last;
    if (!master->has_last)
        request(master, worker);
    if (master->received == master->requested)
        for (int i = 0; i < precision.workers; i++)
            rh_send(master->worker[i], stop);
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct term *term;
    (void)self;

    if (rh_as(message, start)) {
        begin(master);
    } else if ((term = rh_as(message, term))) {
        take_term(master, term, rh_sender(message));
    } else if (rh_as(message, stopped) && ++master->stopped == precision.workers) {
        rh_check(is_pi(master->sum));
        free(master->sum);
        rh_stop();
    }
}

static void compute_pi(int workers, int digits)
{
    precision.workers = workers;
    precision.digits = digits < DIGITS ? digits : DIGITS;
    precision.limbs = precision.digits * 3322 / 32000 + 4;
    precision.size = (size_t)precision.limbs * sizeof(uint32_t);
    precision.least[0] = 1;
    for (int i = 0; i < precision.digits; i++)
        divide(precision.least, 10);
    rh_send(rh_spawn(master_behaviour, struct master, {.requested = 0}), start);
}

static void set_up(void *context)
{
    const long *digits = context;

    compute_pi(WORKERS, (int)*digits);
}

RH_TEST(small)
{
    compute_pi(rh_parameter(int, workers, 2), rh_parameter(int, digits, 2));
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, DIGITS, set_up);
}
