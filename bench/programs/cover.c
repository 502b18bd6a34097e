// SPDX-License-Identifier: MIT
// What coverage-guided testing costs: generating schedules for a run of about 2,000 deliveries, and following them.
// WRITERS actors share what USERS actors send, RECORDS each, as in subjects/mini/lost_record.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

#include "adapters/native/native.h"
#include "base/mapping.h"
#include "cover/force.h"
#include "cover/generate.h"
#include "cover/record.h"
#include "explore/run.h"
#include "explore/strategy/strategy.h"
#include "memory/early.h"

#ifndef WRITERS
#define WRITERS 10
#endif
enum { USERS = 40, RECORDS = 48, EXECUTIONS = 300, TRIES = 5 };

RH_SIGNAL(session);
RH_SIGNAL(end_user);
RH_SIGNAL(flush);
RH_MESSAGE(record, { int number; });

struct writer {
    long sum;
};

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writer *writer = state;
    const struct record *record = rh_as(message, record);
    (void)self;
    if (record)
        writer->sum += record->number;
    else
        rh_as(message, flush);
}

struct terminator {
    rh_actor *writers[WRITERS];
    int users;
};

static void terminator_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct terminator *terminator = state;
    (void)self;
    if (rh_as(message, end_user) && --terminator->users == 0)
        for (int i = 0; i < WRITERS; i++)
            rh_send(terminator->writers[i], flush);
}

struct user {
    rh_actor *writers[WRITERS];
    rh_actor *terminator;
};

static void user_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct user *user = state;
    (void)self;
    if (!rh_as(message, session))
        return;
    for (int i = 0; i < RECORDS; i++)
        rh_send(user->writers[i % WRITERS], record, {.number = i});
    rh_send(user->terminator, end_user);
}

RH_TEST(users)
{
    struct user user = {.terminator = NULL};
    struct terminator terminator = {.users = USERS};
    for (int i = 0; i < WRITERS; i++)
        user.writers[i] = terminator.writers[i] =
            rh_spawn(writer_behaviour, struct writer, {.sum = 0});
    user.terminator = rh_spawn_sized(terminator_behaviour, &terminator, sizeof terminator);
    for (int i = 0; i < USERS; i++)
        rh_send(rh_spawn_sized(user_behaviour, &user, sizeof user), session);
}

// A strategy that makes the same run again and again: as it comes, or forced to follow a schedule.
struct again {
    struct rh_coverage coverage;
    struct rh_record record;
    struct rh_force force;
    struct rh_plan plan;
    bool is_forced, is_recorded;
    bool is_over; // the run; the next one begins with its first choice
};

static struct again *again_of(const void *memory)
{
    return *(struct again *const *)memory;
}

static void start(struct again *again)
{
    if (again->is_recorded)
        rh_record_start(&again->record);
    again->force.step = 0;
    again->is_over = false;
}

static bool init(void *memory, const struct rh_run_options *options)
{
    *(void **)memory = options->own_memory;
    again_of(memory)->is_over = true;
    return true;
}

static uint32_t choose(void *memory, const struct rh_choice_point *point)
{
    struct again *again = again_of(memory);
    const struct rh_world *world = point->world;
    uint32_t way = RH_NONE;
    if (again->is_over)
        start(again);
    if (again->is_forced)
        way = rh_force_choose(&again->force, &again->coverage, point, NULL);
    if (way == RH_NONE)
        way = 0;
    if (again->is_recorded) {
        rh_record_settle(&again->record, &again->coverage, world);
        rh_record_receive(&again->record, &again->coverage, world,
                          &world->messages[world->deliverable[way]]);
    }
    return way;
}

static bool next(void *memory, struct rh_path *path, uint64_t executions)
{
    (void)executions;
    path->length = path->keep = 0;
    again_of(memory)->is_over = true;
    return true;
}

static const struct rh_strategy_ops strategy = {
    .name = "again", .init = init, .choose = choose, .next = next};

// Processor time of this process: what else runs on the machine does not count.
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Processor time of workers.
static double children_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double run(struct again *again, uint64_t executions)
{
    struct rh_run_options options;
    struct rh_result result;
    rh_run_options_init(&options);
    options.adapter = &rh_native_adapter;
    options.own_strategy = &strategy;
    options.own_memory = again;
    options.max_executions = executions;
    const struct rh_test **tests = rh_test_list();
    double before = children_seconds();
    struct rh_status status = rh_run_test(&options, tests[0], &result);
    double seconds = children_seconds() - before;
    free(tests);
    if (!rh_is_ok(&status) || result.executions != executions) {
        fprintf(stderr, "cover: the run has failed: %s\n", status.text);
        exit(1);
    }
    rh_result_fini(&result);
    return seconds;
}

// The single pass of a criterion over the run that was recorded. Gives how many schedules there are, at most `most`.
static uint32_t generate(struct again *again, struct rh_happens_before *before,
                         enum rh_criterion criterion, uint32_t most)
{
    const struct rh_receives *run = &again->record.run;
    struct rh_receive *items = malloc(sizeof *items * run->count);
    struct rh_generator generator = {.criterion = criterion};
    uint32_t count = 0;
    while (count < most && rh_generate(&generator, &again->coverage, run, before, &again->plan)) {
        for (uint32_t i = 0; i < again->plan.count; i++)
            items[i] = run->items[again->plan.places[i]];
        struct rh_receives orders = {items, again->plan.count};
        rh_coverage_add_orders(&again->coverage, &orders);
        count++;
        if (count == 1)
            rh_force_start(&again->force, &again->coverage, run, &again->plan);
    }
    free(items);
    return count;
}

static void measure_generation(struct again *again, struct rh_happens_before *before)
{
    struct rh_receives *receives = &again->record.run;
    double start_time = now();
    rh_record_finish(&again->record, &again->coverage);
    rh_happens_before_of(before, &again->coverage, receives, false);
    double related = now();
    rh_coverage_add_orders(&again->coverage, receives);
    rh_coverage_add_free(&again->coverage, receives, before);
    double added = now();
    uint32_t pcr = generate(again, before, RH_CRITERION_PCR, 10);
    double after_pcr = now();
    uint32_t pr = generate(again, before, RH_CRITERION_PR, UINT32_MAX);
    double after_pr = now();
    printf("  must-happen-before %.1f ms, goals of the run %.1f ms\n", 1e3 * (related - start_time),
           1e3 * (added - related));
    printf("  pr: %u schedules, all that a pass gives, in %.3f s (target: under 1 s)\n", pr,
           after_pr - after_pcr);
    printf("  pcr: the first %u schedules in %.3f s\n", pcr, after_pcr - added);
}

static double least(struct again *again)
{
    double best = run(again, EXECUTIONS);
    for (int i = 1; i < TRIES; i++) {
        double seconds = run(again, EXECUTIONS);
        best = seconds < best ? seconds : best;
    }
    return best;
}

int main(void)
{
    rh_early_end(); // what is allocated from here on is no memory of the program's
    struct again *again = rh_map_shared(sizeof *again);
    struct rh_happens_before before;
    again->plan.places = rh_map_shared(sizeof *again->plan.places * RH_RECEIVES_MOST);
    if (!rh_coverage_open(&again->coverage, (size_t)1 << 34) || !rh_record_open(&again->record) ||
        !rh_force_open(&again->force) || !rh_happens_before_open(&before))
        return 1;
    again->is_recorded = true;
    run(again, 1);
    printf("a run of %u deliveries, %d actors that receive most of them\n", again->record.run.count,
           WRITERS);
    measure_generation(again, &before);
    again->is_recorded = false;
    double plain = least(again);
    again->is_forced = true;
    double forced = least(again);
    printf("  following a schedule of %u deliveries: %.2f of a run that follows none (target: at "
           "most 1.3)\n",
           again->force.count, forced / plain);
    again->is_recorded = true;
    printf("  and writing down what is received: %.2f\n", least(again) / plain);
    return 0;
}
