// SPDX-License-Identifier: MIT
// Linked with a test program: tries every order of one test, notes plainly in which orders each actor receives its
// messages, and compares that with what a coverage file says was seen. Which messages of different actors depend on each
// other is taken from what the file says they touch.
//
//     program TEST fifo|any FILE FIRST
//
// Prints for each criterion how many orders there are, and how many of them the file does not have. Fails if the file has
// an order that there is not, or if there is one of which FIRST, the file of one execution, says that it can't be.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/native/native.h"
#include "base/mapping.h"
#include "cover/review.h"
#include "explore/run.h"
#include "explore/strategy/strategy.h"
#include "memory/early.h"

enum { MESSAGES = 512, DEPTH = 200, ACTORS = 64 };

struct message {
    uint64_t identity, receiver;
    bool is_reply;
};

// In memory that all workers share.
struct seen {
    struct message messages[MESSAGES];
    uint32_t count;
    rh_behaviour *behaviours[DEPTH + 1][ACTORS]; // by number of deliveries before, and slot
    bool changes[DEPTH + 1];                     // whether that delivery has changed its receiver
    uint32_t lost[MESSAGES];                     // messages that came too late in this execution
    uint32_t lost_count;
    const struct rh_coverage *coverage; // of the file
    bool orders[3][MESSAGES][MESSAGES]; // in the order of enum rh_criterion
};

static struct seen *seen_of(const void *memory)
{
    return *(struct seen *const *)memory;
}

static void give_up(const char *why)
{
    fprintf(stderr, "enumerate: %s\n", why);
    exit(3);
}

static uint32_t number_of(struct seen *seen, uint64_t identity)
{
    for (uint32_t i = 0; i < seen->count; i++)
        if (seen->messages[i].identity == identity)
            return i;
    return UINT32_MAX;
}

// The slot of the newest delivery's receiver.
static uint32_t last_receiver(const struct rh_world *world, const struct rh_path *path)
{
    uint32_t last = path->length;
    do
        last--;
    while (rh_decision_is_outcome(&path->decisions[last]));
    for (uint32_t i = 0; i < world->message_count; i++)
        if (world->messages[i].identity == path->decisions[last].identity)
            return world->messages[i].receiver;
    give_up("a message is gone");
    return 0;
}

static void note_world(struct seen *seen, const struct rh_choice_point *point)
{
    const struct rh_world *world = point->world;
    uint32_t depth = world->number;
    if (depth > DEPTH || world->actor_count > ACTORS)
        give_up("the test is too large");
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *message = &world->messages[i];
        if (number_of(seen, message->identity) != UINT32_MAX)
            continue;
        if (seen->count == MESSAGES)
            give_up("the test has too many messages");
        seen->messages[seen->count++] =
            (struct message){message->identity, world->actors[message->receiver].identity,
                             message->kind == RH_REPLY};
    }
    for (uint32_t i = 0; i < world->actor_count; i++)
        seen->behaviours[depth][i] = world->actors[i].behaviour;
    if (depth > 0) {
        uint32_t receiver = last_receiver(world, point->path);
        seen->changes[depth - 1] =
            seen->behaviours[depth][receiver] != seen->behaviours[depth - 1][receiver];
        seen->changes[depth] = false; // not known if it fails
    }
}

static bool init(void *memory, const struct rh_run_options *options)
{
    *(void **)memory = options->own_memory;
    return true;
}

static uint32_t choose(void *memory, const struct rh_choice_point *point)
{
    if (point->is_delivery)
        note_world(seen_of(memory), point);
    return 0;
}

static void ended(void *memory, const struct rh_choice_point *point)
{
    struct seen *seen = seen_of(memory);
    const struct rh_world *world = point->world;
    note_world(seen, point);
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        if (world->actors[world->messages[i].receiver].status == RH_ACTOR_STOPPED)
            seen->lost[seen->lost_count++] = number_of(seen, world->messages[i].identity);
}

// One execution: what was received, in order; `lost` of them too late, at the end.
struct execution {
    uint32_t messages[MESSAGES];
    bool changes[MESSAGES];
    uint32_t count, lost;
};

static bool is_received_by(const struct seen *seen, uint32_t message, uint64_t actor)
{
    return seen->messages[message].receiver == actor && !seen->messages[message].is_reply;
}

static void note_pair(struct seen *seen, const struct execution *execution, uint32_t i, uint32_t j)
{
    uint32_t first = execution->messages[i], second = execution->messages[j];
    uint32_t received = execution->count - execution->lost;
    uint32_t between = 0, changes = 0;
    for (uint32_t k = i + 1; k < j && (k < received || j < received); k++)
        if (is_received_by(seen, execution->messages[k], seen->messages[first].receiver)) {
            between++;
            changes += execution->changes[k];
        }
    seen->orders[RH_CRITERION_PR][first][second] = true;
    if (between == 0)
        seen->orders[RH_CRITERION_PCR][first][second] = true;
    if (changes == 0 && (execution->changes[i] || execution->changes[j]))
        seen->orders[RH_CRITERION_PBR][first][second] = true;
}

// Whether the file says that both touch something besides their receivers, and not both only read it.
static bool touch_in_common(const struct seen *seen, uint32_t first, uint32_t second)
{
    const struct rh_coverage *coverage = seen->coverage;
    uint32_t one = rh_coverage_find_event(coverage, seen->messages[first].identity);
    uint32_t other = rh_coverage_find_event(coverage, seen->messages[second].identity);
    const struct rh_touched *left = one == RH_NONE ? NULL : coverage->events[one].touched;
    const struct rh_touched *right = other == RH_NONE ? NULL : coverage->events[other].touched;
    for (uint32_t i = 0; left && right && i < left->count; i++)
        for (uint32_t k = 0; k < right->count; k++)
            if (left->touches[i].object.first == right->touches[k].object.first &&
                (left->touches[i].writes || right->touches[k].writes))
                return true;
    return false;
}

static bool depend(const struct seen *seen, uint32_t first, uint32_t second)
{
    return seen->messages[first].receiver == seen->messages[second].receiver ||
           touch_in_common(seen, first, second);
}

// Of different actors, nothing comes in between that depends on both. Those that came too late have no order.
static void note_across(struct seen *seen, const struct execution *execution, uint32_t i,
                        uint32_t j)
{
    uint32_t first = execution->messages[i], second = execution->messages[j], between = 0;
    if (j >= execution->count - execution->lost || !touch_in_common(seen, first, second))
        return;
    for (uint32_t k = i + 1; k < j; k++)
        between += depend(seen, first, execution->messages[k]) &&
                   depend(seen, second, execution->messages[k]);
    seen->orders[RH_CRITERION_PR][first][second] = true;
    if (between == 0)
        seen->orders[RH_CRITERION_PCR][first][second] = true;
}

static void note_execution(struct seen *seen, const struct execution *execution)
{
    for (uint32_t i = 0; i < execution->count - execution->lost; i++)
        for (uint32_t j = i + 1; j < execution->count; j++) {
            uint32_t first = execution->messages[i], second = execution->messages[j];
            if (seen->messages[first].receiver != seen->messages[second].receiver)
                note_across(seen, execution, i, j);
            else if (!seen->messages[first].is_reply &&
                     is_received_by(seen, second, seen->messages[first].receiver))
                note_pair(seen, execution, i, j);
        }
}

static bool next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct seen *seen = seen_of(memory);
    struct execution execution = {.lost = seen->lost_count};
    for (uint32_t i = 0; i < path->length; i++)
        if (!rh_decision_is_outcome(&path->decisions[i])) {
            execution.changes[execution.count] = seen->changes[execution.count];
            execution.messages[execution.count++] = number_of(seen, path->decisions[i].identity);
        }
    // What the delivery did that has ended the execution is not looked at.
    if (path->cut && execution.count > 0)
        execution.changes[execution.count - 1] = false;
    for (uint32_t i = 0; i < seen->lost_count; i++)
        execution.messages[execution.count++] = seen->lost[i];
    seen->lost_count = 0;
    note_execution(seen, &execution);
    return rh_strategy_dfs.next(memory, path, executions);
}

static const struct rh_strategy_ops enumeration = {.name = "dfs",
                                                   .can_complete = true,
                                                   .tries_all = true,
                                                   .init = init,
                                                   .choose = choose,
                                                   .ended = ended,
                                                   .next = next};

// Comparing.

static const struct rh_coverage *find_coverage(const struct rh_coverage_set *set, const char *test)
{
    for (size_t i = 0; i < set->entries.count; i++)
        if (strcmp(set->entries.items[i]->head.test, test) == 0)
            return &set->entries.items[i]->coverage;
    give_up("the file does not have the test");
    return NULL;
}

static bool has_order(const struct rh_coverage *coverage, const struct seen *seen, int criterion,
                      uint32_t first, uint32_t second)
{
    uint32_t one = rh_coverage_find_event(coverage, seen->messages[first].identity);
    uint32_t other = rh_coverage_find_event(coverage, seen->messages[second].identity);
    return one != RH_NONE && other != RH_NONE &&
           rh_coverage_has(coverage, (enum rh_bits)criterion, one, other);
}

static uint64_t count_orders(const struct rh_coverage *coverage, int criterion)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < coverage->event_count; i++)
        for (uint32_t k = 0; k < coverage->event_count; k++)
            count += rh_coverage_has(coverage, (enum rh_bits)criterion, i, k);
    return count;
}

// Whether what must come first does so in all executions that have both.
static bool is_first(const struct seen *seen, const struct rh_coverage *coverage,
                     const struct rh_pair_list *list)
{
    for (size_t i = 0; i < list->listed.count; i++) {
        const struct rh_pair_review *pair = &list->listed.items[i];
        uint64_t first = coverage->events[pair->first_event].identity;
        uint64_t second = coverage->events[pair->second_event].identity;
        for (uint32_t one = 0; one < seen->count; one++)
            for (uint32_t other = 0; other < seen->count; other++)
                if (seen->messages[one].identity == second &&
                    seen->messages[other].identity == first &&
                    seen->orders[RH_CRITERION_PR][one][other]) {
                    fprintf(stderr, "%s comes before %s\n", pair->second, pair->first);
                    return false;
                }
    }
    return true;
}

// The file has one test.
static bool are_first(const struct seen *seen, const char *path)
{
    struct rh_coverage_set set = {0};
    struct rh_coverage_review review = {0};
    struct rh_status status = rh_coverage_read(&set, path);
    if (rh_is_ok(&status))
        status = rh_coverage_review(&set, 0, &review);
    if (!rh_is_ok(&status))
        give_up(status.text);
    bool holds = true;
    for (size_t i = 0; i < review.tests.items[0].actors.count; i++)
        holds &= is_first(seen, &set.entries.items[0]->coverage,
                          &review.tests.items[0].actors.items[i].pairs[RH_PAIR_FIRST]);
    rh_coverage_review_fini(&review);
    rh_coverage_set_fini(&set);
    return holds;
}

static bool compare(const struct seen *seen, const struct rh_coverage *coverage)
{
    bool is_within = true;
    for (int criterion = 0; criterion < RH_CRITERION_COUNT; criterion++) {
        uint64_t all = 0, covered = 0;
        for (uint32_t i = 0; i < seen->count; i++)
            for (uint32_t k = 0; k < seen->count; k++)
                if (seen->orders[criterion][i][k]) {
                    all++;
                    covered += has_order(coverage, seen, criterion, i, k);
                }
        is_within &= count_orders(coverage, criterion) == covered;
        printf("%s%s %llu missing %llu", criterion ? " " : "",
               rh_criterion_name((enum rh_criterion)criterion), (unsigned long long)all,
               (unsigned long long)(all - covered));
    }
    puts(is_within ? "" : " BEYOND");
    return is_within;
}

int main(int argc, char **argv)
{
    struct rh_run_options options;
    struct rh_coverage_set set = {0};
    struct rh_result result;
    if (argc != 5)
        give_up("usage: program TEST fifo|any FILE FIRST");
    rh_early_end(); // what is allocated from here on is no memory of the program's
    rh_run_options_init(&options);
    options.adapter = &rh_native_adapter;
    options.debug = rh_debug_open_self();
    options.keep_going = true;
    options.own_strategy = &enumeration;
    struct seen *seen = options.own_memory = rh_map_shared(sizeof *seen);
    if (!rh_order_rule_parse(argv[2], &options.order_rule))
        give_up("the order is fifo or any");
    struct rh_status status = rh_coverage_read(&set, argv[3]);
    if (!rh_is_ok(&status))
        give_up(status.text);
    seen->coverage = find_coverage(&set, argv[1]);
    const struct rh_test **tests = rh_test_list();
    for (size_t i = 0; i < rh_test_count(); i++) {
        if (strcmp(tests[i]->name, argv[1]) != 0)
            continue;
        status = rh_run_test(&options, tests[i], &result);
        if (!rh_is_ok(&status))
            give_up(status.text);
        bool holds = are_first(seen, argv[4]);
        return !compare(seen, seen->coverage) || !holds;
    }
    give_up("there is no such test");
}
