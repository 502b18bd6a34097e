// SPDX-License-Identifier: MIT
// FilterBank of Savina: values flow through banks of filters, one for each channel, are put together again
// by an integrator, and summed up.
//
// It rests on the order of messages: under `any` the end overtakes values, or values each other. In the fixed twin
// messages say which they are in the row of those from one actor to another, and wait for those before them.
#include <math.h>

#include "savina.h"

enum { COLUMNS = 16384, CHANNELS = 8, SIMULATIONS = 34816, VALUES = 1000, MOST_CHECKED = 64 };

RH_SIGNAL(start);
RH_SIGNAL(next);
RH_SIGNAL(boot);
RH_MESSAGE(value, {
    int place; // in the row of those from the same sender to the same receiver
    int channel;
    double value;
});
RH_MESSAGE(leave, {
    int place;
    int channel;
});

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    int columns;
    int channels;
    int simulations;
} bank;

static double coefficient(bool is_first, int channel, int tap)
{
    return is_first ? (double)(channel + tap + 1) / bank.columns
                    : (double)(channel * tap + 1) / bank.columns;
}

// What all but the first two and the integrator have in common. It is the first in their states.
struct stage {
    rh_actor *next; // NULL for the last
    int channel;
    int taken;
    int sent;
};

static void pass_on(struct stage *stage, double value)
{
    rh_send(stage->next, value,
            {.place = stage->sent++, .channel = stage->channel, .value = value});
}

static void pass_end(struct stage *stage)
{
    rh_send(stage->next, leave, {.place = stage->sent, .channel = stage->channel});
    rh_stop();
}

static bool stage_guard(const void *state, const rh_message *message)
{
    const struct stage *stage = state;
    const struct value *value = rh_as(message, value);
    const struct leave *leave = rh_as(message, leave);

    return !bank.is_fixed || stage->taken == (value ? value->place : leave->place);
}

// The producer and the source take turns.

struct producer {
    rh_actor *source;
    int left;
};

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct producer *producer = state;
    (void)self;

    if (!rh_as(message, start) && !rh_as(message, next))
        return;
    if (producer->left-- > 0) {
        rh_send(producer->source, boot);
    } else {
        rh_send(producer->source, leave, {.place = 0});
        rh_stop();
    }
}

static double source_value(int number)
{
    return number % VALUES;
}

static void source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct stage *source = state;
    (void)self;

    if (rh_as(message, boot)) {
        pass_on(source, source_value(source->sent));
        rh_reply(message, next);
    } else if (rh_as(message, leave)) {
        pass_end(source);
    }
}

// Sends everything to all banks.
struct branches {
    struct stage stage;
    rh_actor *first[CHANNELS];
};

static void branches_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct branches *branches = state;
    const struct value *value;
    const struct leave *leave;
    (void)self;

    branches->stage.taken++;
    if ((value = rh_as(message, value))) {
        for (int i = 0; i < bank.channels; i++)
            rh_send(branches->first[i], value, {.place = value->place, .value = value->value});
    } else if ((leave = rh_as(message, leave))) {
        for (int i = 0; i < bank.channels; i++)
            rh_send(branches->first[i], leave, {.place = leave->place});
        rh_stop();
    }
}
RH_GUARD(branches_behaviour, stage_guard);

// Delays by all columns but one.
struct delay {
    struct stage stage;
    int position;
    double *ring;
};

static void delay_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct delay *delay = state;
    const struct value *value;
    (void)self;

    if (delay->stage.taken++ == 0)
        delay->ring = calloc((size_t)bank.columns, sizeof *delay->ring);
    if ((value = rh_as(message, value))) {
        pass_on(&delay->stage, delay->ring[delay->position]);
        delay->ring[delay->position] = value->value;
        delay->position = (delay->position + 1) % (bank.columns - 1);
    } else if (rh_as(message, leave)) {
        free(delay->ring);
        pass_end(&delay->stage);
    }
}
RH_GUARD(delay_behaviour, stage_guard);

// A filter with a finite impulse response; gives nothing before it has seen as many values as there are columns.
struct filter {
    struct stage stage;
    bool is_first; // of the two in a bank
    bool is_full;
    int position;
    double *seen;
    double *coefficients; // twice, so that they can be read from any place on
};

static void make_filter(struct filter *filter)
{
    size_t size = (size_t)bank.columns * sizeof(double);

    filter->seen = malloc(size);
    filter->coefficients = malloc(2 * size);
    for (int i = 0; i < 2 * bank.columns; i++)
        filter->coefficients[i] =
            coefficient(filter->is_first, filter->stage.channel, i % bank.columns);
}

static void filter_value(struct filter *filter, double value)
{
    double sum = 0;

    filter->seen[filter->position] = value;
    filter->position = (filter->position + 1) % bank.columns;
    filter->is_full |= filter->position == 0;
    if (!filter->is_full)
        return;
    const double *coefficients = filter->coefficients + bank.columns - filter->position;
    for (int i = 0; i < bank.columns; i++)
        sum += filter->seen[i] * coefficients[i];
    pass_on(&filter->stage, sum);
}

static void filter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct filter *filter = state;
    const struct value *value;
    (void)self;

    if (filter->stage.taken++ == 0)
        make_filter(filter);
    if ((value = rh_as(message, value))) {
        filter_value(filter, value->value);
    } else if (rh_as(message, leave)) {
        free(filter->seen);
        free(filter->coefficients);
        pass_end(&filter->stage);
    }
}
RH_GUARD(filter_behaviour, stage_guard);

// Lets one of as many as there are columns pass; the others become zero.
static void sampler_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct stage *sampler = state;
    const struct value *value;
    (void)self;

    if ((value = rh_as(message, value)))
        pass_on(sampler, sampler->taken % bank.columns == 0 ? value->value : 0);
    else if (rh_as(message, leave))
        pass_end(sampler);
    sampler->taken++;
}
RH_GUARD(sampler_behaviour, stage_guard);

// The values of all channels at one time.
struct column {
    struct column *next;
    int count;
    bool has[CHANNELS];
    double value[CHANNELS];
};

struct integrator {
    struct stage stage;
    struct column *first;
    int ended; // channels
    int taken[CHANNELS];
};

static struct column *find_column(struct integrator *integrator, int channel)
{
    struct column **place = &integrator->first;

    while (*place && (*place)->has[channel])
        place = &(*place)->next;
    if (!*place)
        *place = calloc(1, sizeof **place);
    return *place;
}

static double sum_up(const double *values)
{
    double sum = 0;

    for (int i = 0; i < bank.channels; i++)
        sum += values[i];
    return sum;
}

static void integrate(struct integrator *integrator, const struct value *value)
{
    struct column *column = find_column(integrator, value->channel);

    column->has[value->channel] = true;
    column->value[value->channel] = value->value;
    if (++column->count == bank.channels) {
        integrator->first = column->next;
        pass_on(&integrator->stage, sum_up(column->value));
        free(column);
    }
}

static void end_channel(struct integrator *integrator)
{
    if (++integrator->ended < bank.channels)
        return;
    while (integrator->first) {
        struct column *next = integrator->first->next;
        free(integrator->first);
        integrator->first = next;
    }
    pass_end(&integrator->stage);
}

static void integrator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct integrator *integrator = state;
    const struct value *value;
    const struct leave *leave;
    (void)self;

    if ((value = rh_as(message, value))) {
        integrator->taken[value->channel]++;
        integrate(integrator, value);
    } else if ((leave = rh_as(message, leave))) {
        end_channel(integrator);
    }
}

static bool integrator_guard(const void *state, const rh_message *message)
{
    const struct integrator *integrator = state;
    const struct value *value = rh_as(message, value);
    const struct leave *leave = rh_as(message, leave);

    if (!bank.is_fixed)
        return true;
    return value ? integrator->taken[value->channel] == value->place
                 : integrator->taken[leave->channel] == leave->place;
}
RH_GUARD(integrator_behaviour, integrator_guard);

struct sink {
    struct stage stage;
    int count;
    double sum;
};

// Adds what one bank makes of all values to an array.
static void expect_channel(int channel, double *output)
{
    double input[MOST_CHECKED] = {0}, middle[MOST_CHECKED] = {0};
    int middles = bank.simulations - bank.columns + 1, outputs = middles - bank.columns + 1;

    for (int i = bank.columns - 1; i < bank.simulations; i++)
        input[i] = source_value(i - bank.columns + 1);
    for (int i = 0; i < middles; i += bank.columns)
        for (int tap = 0; tap < bank.columns; tap++)
            middle[i] += input[i + tap] * coefficient(true, channel, tap);
    for (int i = 0; i < outputs; i++)
        for (int tap = 0; tap < bank.columns; tap++) {
            int at = i + tap - bank.columns + 1;
            output[i] += at >= 0 ? middle[at] * coefficient(false, channel, tap) : 0;
        }
}

// The sum is compared if it is little work.
static void check_output(const struct sink *sink)
{
    double output[MOST_CHECKED] = {0}, sum = 0;

    rh_check(sink->count == bank.simulations - 2 * bank.columns + 2);
    if (bank.simulations > MOST_CHECKED)
        return;
    for (int i = 0; i < bank.channels; i++)
        expect_channel(i, output);
    for (int i = 0; i < MOST_CHECKED; i++)
        sum += output[i];
    rh_check(fabs(sink->sum - sum) < 1e-9);
}

static void sink_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct sink *sink = state;
    const struct value *value;
    (void)self;

    sink->stage.taken++;
    if ((value = rh_as(message, value))) {
        sink->count++;
        sink->sum += value->value;
    } else if (rh_as(message, leave)) {
        check_output(sink);
        rh_stop();
    }
}
RH_GUARD(sink_behaviour, stage_guard);

// Gives the first actor of a bank.
static rh_actor *add_bank(rh_actor *integrator, int channel)
{
    rh_actor *next = rh_spawn(filter_behaviour, struct filter,
                              {.stage = {.next = integrator, .channel = channel}});
    next = rh_spawn(delay_behaviour, struct delay, {.stage = {.next = next}});
    next = rh_spawn(sampler_behaviour, struct stage, {.next = next});
    next = rh_spawn(filter_behaviour, struct filter,
                    {.stage = {.next = next, .channel = channel}, .is_first = true});
    return rh_spawn(delay_behaviour, struct delay, {.stage = {.next = next}});
}

static void run_bank(bool is_fixed, int columns, int channels, int simulations)
{
    bank.is_fixed = is_fixed;
    bank.columns = columns;
    bank.channels = channels;
    bank.simulations = simulations;
    struct branches branches = {.stage = {.next = NULL}};
    rh_actor *sink = rh_spawn(sink_behaviour, struct sink, {.count = 0});
    rh_actor *integrator =
        rh_spawn(integrator_behaviour, struct integrator, {.stage = {.next = sink}});
    for (int i = 0; i < channels; i++)
        branches.first[i] = add_bank(integrator, i);
    rh_actor *split = rh_spawn_sized(branches_behaviour, &branches, sizeof branches);
    rh_actor *source = rh_spawn(source_behaviour, struct stage, {.next = split});
    rh_actor *producer =
        rh_spawn(producer_behaviour, struct producer, {.source = source, .left = simulations});
    rh_send(producer, start);
}

static void set_up(void *context)
{
    const long *simulations = context;

    run_bank(false, *simulations > 2 * COLUMNS ? COLUMNS : 2, CHANNELS, (int)*simulations);
}

RH_TEST(small)
{
    run_bank(false, 2, 2, 4);
}

RH_TEST(fixed)
{
    run_bank(true, 2, 2, 4);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, SIMULATIONS, set_up);
}
