// SPDX-License-Identifier: MIT
// The fewest tests that reach what all of them reach: a set cover. Tests that reach no more than
// another one are left out first. Then tests are taken one by one, the one that adds most first,
// and then fewer are looked for, by trying for the thing that fewest tests reach all tests that
// reach it. That is broken off after a number of steps, never by time.
#include <stdlib.h>
#include <string.h>

#include "cli/analysis.h"

enum { STEPS_MOST = 100000 };

// The numbers of things of each kind: lines, then ways of branches, then what is broken.
enum { FIRST_WAY = 1 << 28, FIRST_BREAK = 2 << 28 };

struct choice {
    const struct rh_generate_result *result;
    RH_VECTOR(uint32_t) things; // that some test reaches, in order
    size_t words;               // of a set of them
    uint64_t *sets;             // owned; by test
    RH_VECTOR(uint32_t) tests;  // that may be taken
    uint32_t *reaching;         // owned; by thing: how many of these reach it
    RH_VECTOR(uint32_t) best, taken;
    uint32_t steps;
};

static int compare_numbers(const void *first, const void *second)
{
    uint32_t one = *(const uint32_t *)first, other = *(const uint32_t *)second;
    return one < other ? -1 : one > other;
}

// The first test that breaks in the same way stands for all.
static uint32_t number_of_break(const struct rh_generate_result *result, size_t test)
{
    const struct rh_generate_test *broken = &result->tests.items[test];
    for (size_t i = 0; i < test; i++) {
        const struct rh_generate_test *other = &result->tests.items[i];
        if (other->broken && !strcmp(other->broken, broken->broken) &&
            other->place.line == broken->place.line)
            return FIRST_BREAK + (uint32_t)i;
    }
    return FIRST_BREAK + (uint32_t)test;
}

// Calls back with all that the test reaches.
static void visit_things(struct choice *choice, size_t test,
                         void (*visit)(struct choice *choice, size_t test, uint32_t thing))
{
    const struct rh_generate_test *reaching = &choice->result->tests.items[test];
    if (reaching->run == RH_GENERATE_NOT_RUN)
        return;
    for (uint32_t i = 0; i < reaching->line_count; i++)
        visit(choice, test, reaching->lines[i]);
    for (uint32_t i = 0; i < reaching->way_count; i++)
        visit(choice, test, FIRST_WAY + reaching->ways[i]);
    if (reaching->broken)
        visit(choice, test, number_of_break(choice->result, test));
}

static void note_thing(struct choice *choice, size_t test, uint32_t thing)
{
    (void)test;
    *rh_vector_push(&choice->things) = thing;
}

static uint64_t *set_of(const struct choice *choice, size_t test)
{
    return choice->sets + test * choice->words;
}

static void set_thing(struct choice *choice, size_t test, uint32_t thing)
{
    const uint32_t *found =
        bsearch(&thing, choice->things.items, choice->things.count, sizeof thing, compare_numbers);
    size_t bit = (size_t)(found - choice->things.items);
    set_of(choice, test)[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void sort_things(struct choice *choice)
{
    size_t kept = 0;
    if (choice->things.count > 0)
        qsort(choice->things.items, choice->things.count, sizeof *choice->things.items,
              compare_numbers);
    for (size_t i = 0; i < choice->things.count; i++)
        if (kept == 0 || choice->things.items[kept - 1] != choice->things.items[i])
            choice->things.items[kept++] = choice->things.items[i];
    choice->things.count = kept;
}

static void make_sets(struct choice *choice)
{
    size_t count = choice->result->tests.count;
    for (size_t i = 0; i < count; i++)
        visit_things(choice, i, note_thing);
    sort_things(choice);
    choice->words = choice->things.count / 64 + 1;
    choice->sets = rh_alloc((count + 1) * choice->words * sizeof *choice->sets);
    for (size_t i = 0; i < count; i++)
        visit_things(choice, i, set_thing);
}

// Whether the one test reaches no more than the other.
static bool is_within(const struct choice *choice, size_t one, size_t other)
{
    for (size_t i = 0; i < choice->words; i++)
        if (set_of(choice, one)[i] & ~set_of(choice, other)[i])
            return false;
    return true;
}

// Of tests that reach the same the first stays.
static void leave_out(struct choice *choice)
{
    for (size_t i = 0; i < choice->result->tests.count; i++) {
        bool is_needless = choice->result->tests.items[i].run == RH_GENERATE_NOT_RUN;
        for (size_t k = 0; k < choice->result->tests.count && !is_needless; k++)
            is_needless = k != i && choice->result->tests.items[k].run != RH_GENERATE_NOT_RUN &&
                          is_within(choice, i, k) && (k < i || !is_within(choice, k, i));
        if (!is_needless)
            *rh_vector_push(&choice->tests) = (uint32_t)i;
    }
}

static uint32_t count_new(const struct choice *choice, size_t test, const uint64_t *reached)
{
    uint32_t count = 0;
    for (size_t i = 0; i < choice->words; i++)
        count += (uint32_t)__builtin_popcountll(set_of(choice, test)[i] & ~reached[i]);
    return count;
}

static void reach(const struct choice *choice, size_t test, uint64_t *reached)
{
    for (size_t i = 0; i < choice->words; i++)
        reached[i] |= set_of(choice, test)[i];
}

// The test that adds most, and how much that is.
static uint32_t find_most(const struct choice *choice, const uint64_t *reached, uint32_t *most)
{
    uint32_t found = 0;
    *most = 0;
    for (size_t i = 0; i < choice->tests.count; i++) {
        uint32_t count = count_new(choice, choice->tests.items[i], reached);
        if (count > *most) {
            *most = count;
            found = choice->tests.items[i];
        }
    }
    return found;
}

static void take_greedily(struct choice *choice)
{
    uint64_t *reached = rh_alloc(choice->words * sizeof *reached);
    for (;;) {
        uint32_t most, test = find_most(choice, reached, &most);
        if (most == 0)
            break;
        *rh_vector_push(&choice->best) = test;
        reach(choice, test, reached);
    }
    free(reached);
}

static bool has(const struct choice *choice, size_t test, size_t thing)
{
    return set_of(choice, test)[thing / 64] >> thing % 64 & 1;
}

static void count_reaching(struct choice *choice)
{
    choice->reaching = rh_alloc((choice->things.count + 1) * sizeof *choice->reaching);
    for (size_t i = 0; i < choice->things.count; i++)
        for (size_t k = 0; k < choice->tests.count; k++)
            choice->reaching[i] += has(choice, choice->tests.items[k], i);
}

// What fewest tests reach of the rest; RH_NONE if nothing is left. `left` is how much that is.
static uint32_t find_rarest(const struct choice *choice, const uint64_t *reached, uint32_t *left)
{
    uint32_t found = RH_NONE;
    *left = 0;
    for (uint32_t i = 0; i < choice->things.count; i++) {
        if (reached[i / 64] >> i % 64 & 1)
            continue;
        if (found == RH_NONE || choice->reaching[i] < choice->reaching[found])
            found = i;
        ++*left;
    }
    return found;
}

static void search(struct choice *choice, const uint64_t *reached);

static void try_test(struct choice *choice, uint32_t test, const uint64_t *reached)
{
    uint64_t *more = rh_alloc(choice->words * sizeof *more);
    memcpy(more, reached, choice->words * sizeof *more);
    reach(choice, test, more);
    *rh_vector_push(&choice->taken) = test;
    search(choice, more);
    choice->taken.count--;
    free(more);
}

static void keep_better(struct choice *choice)
{
    choice->best.count = 0;
    for (size_t i = 0; i < choice->taken.count; i++)
        *rh_vector_push(&choice->best) = choice->taken.items[i];
}

// Looks for fewer tests than the best so far, from those that are taken on.
static void search(struct choice *choice, const uint64_t *reached)
{
    uint32_t left, most;
    if (++choice->steps > STEPS_MOST)
        return;
    uint32_t rarest = find_rarest(choice, reached, &left);
    if (rarest == RH_NONE) {
        if (choice->taken.count < choice->best.count)
            keep_better(choice);
        return;
    }
    find_most(choice, reached, &most); // at least 1, since a test reaches the rarest
    if (most == 0 || choice->taken.count + (left + most - 1) / most >= choice->best.count)
        return;
    for (size_t i = 0; i < choice->tests.count; i++)
        if (has(choice, choice->tests.items[i], rarest))
            try_test(choice, choice->tests.items[i], reached);
}

static void count_things(const struct choice *choice, struct rh_generate_fewest *fewest)
{
    for (size_t i = 0; i < choice->things.count; i++) {
        fewest->lines += choice->things.items[i] < FIRST_WAY;
        fewest->ways +=
            choice->things.items[i] >= FIRST_WAY && choice->things.items[i] < FIRST_BREAK;
    }
}

// What was predicted wrongly stays too: whoever reads must see it.
static void keep_chosen(const struct choice *choice, struct rh_generate_result *result)
{
    size_t kept = 0;
    for (uint32_t i = 0; i < result->tests.count; i++) {
        bool is_kept = result->tests.items[i].run == RH_GENERATE_REFUTED;
        for (size_t k = 0; k < choice->best.count; k++)
            is_kept = is_kept || choice->best.items[k] == i;
        if (is_kept)
            result->tests.items[kept++] = result->tests.items[i];
    }
    result->tests.count = kept;
}

void rh_analysis_keep_fewest(struct rh_generate_result *result)
{
    struct choice choice = {.result = result};
    result->fewest = (struct rh_generate_fewest){.is_on = true, .of = result->tests.count};
    make_sets(&choice);
    leave_out(&choice);
    count_reaching(&choice);
    take_greedily(&choice);
    uint64_t *nothing = rh_alloc(choice.words * sizeof *nothing);
    search(&choice, nothing);
    free(nothing);
    result->fewest.is_proved = choice.steps <= STEPS_MOST;
    count_things(&choice, &result->fewest);
    keep_chosen(&choice, result);
    free(choice.sets);
    free(choice.reaching);
    rh_vector_fini(&choice.things);
    rh_vector_fini(&choice.tests);
    rh_vector_fini(&choice.best);
    rh_vector_fini(&choice.taken);
}
