// SPDX-License-Identifier: MIT
// Algorithms 1 to 3 on the worked example of section IV-D of the paper, and on random runs.
#include "base/rng.h"
#include "base/text.h"
#include "cover/generate.h"
#include "test.h"

// Two actions, each executed once; the terminator flushes the writer when both are done. The schedules that are
// expected here are worked out by hand from the algorithms.
enum { EX1, W1, EX2, W2, AD1, AD2, FL, FD, EXAMPLE };
enum { ACTION1, ACTION2, WRITER, TERMINATOR, EXAMPLE_ACTORS };
static const char *const names[] = {"ex1", "w1", "ex2", "w2", "ad1", "ad2", "fl", "fd"};

static void add_names(struct rh_coverage *coverage, const struct rh_receives *run, uint32_t actors)
{
    for (uint32_t i = 0; i < actors; i++)
        rh_coverage_add_actor(coverage, 100 + i, "actor");
    for (uint32_t i = 0; i < run->count; i++) {
        struct rh_cover_event event = {.identity = (i + UINT64_C(1)) << 20,
                                       .actor = run->items[i].actor,
                                       .type = "type",
                                       .sender = "sender",
                                       .file = ""};
        EXPECT(rh_coverage_add_event(coverage, &event) == run->items[i].event);
    }
}

static void make_example(struct rh_receive *items)
{
    static const uint32_t actors[] = {ACTION1,    WRITER,     ACTION2, WRITER,
                                      TERMINATOR, TERMINATOR, WRITER,  TERMINATOR};
    static const uint32_t sent_at[] = {RH_NONE, EX1, RH_NONE, EX2, EX1, EX2, AD2, FL};
    for (uint32_t i = 0; i < EXAMPLE; i++)
        items[i] = (struct rh_receive){.event = i,
                                       .actor = actors[i],
                                       .sent_at = sent_at[i],
                                       .also_sent_at = RH_NONE,
                                       .created_at = RH_NONE,
                                       .behind = RH_NONE,
                                       .enabled_at = RH_NONE,
                                       .disabled_at = RH_NONE,
                                       .flags = i == FL ? RH_RECEIVE_CHANGES : 0};
}

// The single pass: goals that a schedule achieves count as achieved when the next is generated.
static char *single_pass(enum rh_criterion criterion, const struct rh_happens_before *before,
                         struct rh_receives *run)
{
    struct rh_coverage coverage;
    struct rh_text text = {0};
    EXPECT(rh_coverage_open(&coverage, 1 << 20));
    add_names(&coverage, run, EXAMPLE_ACTORS);
    rh_coverage_add_orders(&coverage, run);
    struct rh_generator generator = {.criterion = criterion};
    uint32_t places[EXAMPLE];
    struct rh_plan plan = {.places = places};
    while (rh_generate(&generator, &coverage, run, before, &plan)) {
        struct rh_receive items[EXAMPLE];
        for (uint32_t i = 0; i < plan.count; i++) {
            items[i] = run->items[plan.places[i]];
            rh_text_addf(&text, "%s%s", i ? " " : "", names[plan.places[i]]);
        }
        rh_text_addf(&text, " (%s %s)\n", names[plan.first], names[plan.second]);
        struct rh_receives scheduled = {items, plan.count};
        EXPECT(!rh_coverage_has(&coverage, (enum rh_bits)criterion, plan.first, plan.second));
        EXPECT(rh_coverage_add_orders(&coverage, &scheduled));
        EXPECT(rh_coverage_has(&coverage, (enum rh_bits)criterion, plan.first, plan.second));
    }
    rh_coverage_close(&coverage);
    return rh_text_take(&text);
}

static void check_example(struct rh_happens_before *before)
{
    struct rh_receive items[EXAMPLE];
    struct rh_receives run = {items, EXAMPLE};
    make_example(items);
    rh_receives_link(&run, EXAMPLE_ACTORS);
    rh_happens_before_of(before, &(struct rh_coverage){.actor_count = EXAMPLE_ACTORS}, &run, false);
    char *text = single_pass(RH_CRITERION_PR, before, &run);
    // The first is the paper's own.
    EXPECT_TEXT(text, "ex1 ex2 w2 ad1 ad2 fl w1 (w2 w1)\n"
                      "ex1 w1 ex2 ad1 ad2 fl w2 (fl w2)\n"
                      "ex1 w1 ex2 w2 ad2 ad1 (ad2 ad1)\n");
    free(text);
    text = single_pass(RH_CRITERION_PBR, before, &run);
    EXPECT_TEXT(text, "ex1 ex2 ad1 ad2 fl w1 (fl w1)\n"
                      "ex1 w1 ex2 ad1 ad2 fl w2 (fl w2)\n");
    free(text);
    text = single_pass(RH_CRITERION_PCR, before, &run);
    EXPECT_TEXT(text, "ex1 ex2 w2 w1 ad2 ad1 (w2 w1)\n"
                      "ex1 ex2 ad1 ad2 w1 fl (w1 fl)\n"
                      "ex1 ex2 ad1 ad2 fl w1 (fl w1)\n"
                      "ex1 w1 ex2 ad1 ad2 fl w2 (fl w2)\n");
    free(text);
}

// The tail that the paper gives for swapping w1 and w2: w1 ad1 ad2 fl, without fd. With fl moved before w1 all of them
// are in the schedule; here nothing but the swap is asked for.
static void check_swap(struct rh_happens_before *before)
{
    struct rh_coverage coverage;
    struct rh_receive items[EXAMPLE];
    struct rh_receives run = {items, EXAMPLE};
    uint32_t places[EXAMPLE];
    struct rh_plan plan = {.places = places};
    make_example(items);
    rh_receives_link(&run, EXAMPLE_ACTORS);
    rh_happens_before_of(before, &(struct rh_coverage){.actor_count = EXAMPLE_ACTORS}, &run, false);
    EXPECT(rh_coverage_open(&coverage, 1 << 20));
    add_names(&coverage, &run, EXAMPLE_ACTORS);
    rh_generate_swapped(&coverage, &run, before, W1, W2, &plan);
    static const uint32_t expected[] = {EX1, EX2, W2, W1};
    EXPECT(plan.count == 4 && memcmp(plan.places, expected, sizeof expected) == 0);
    EXPECT(plan.first == W2 && plan.second == W1);
    rh_coverage_close(&coverage);
}

// Random runs: what every schedule has to be, whatever it is for.
enum { MOST = 40, ACTORS = 4 };

static void make_run(struct rh_rng *rng, struct rh_receives *run)
{
    run->count = 2 + (uint32_t)rh_rng_below(rng, MOST - 1);
    for (uint32_t i = 0; i < run->count; i++) {
        struct rh_receive *one = &run->items[i];
        *one = (struct rh_receive){.event = i,
                                   .actor = (uint32_t)rh_rng_below(rng, ACTORS),
                                   .sent_at = RH_NONE,
                                   .also_sent_at = RH_NONE,
                                   .created_at = RH_NONE,
                                   .behind = RH_NONE,
                                   .enabled_at = RH_NONE,
                                   .disabled_at = RH_NONE};
        if (i > 0 && rh_rng_below(rng, 3) > 0)
            one->sent_at = (uint32_t)rh_rng_below(rng, i);
        if (rh_rng_below(rng, 8) == 0)
            one->flags |= RH_RECEIVE_CHANGES;
    }
    rh_receives_link(run, ACTORS);
}

// Everything that must come before a receive is in the schedule, before it.
static void check_order(const struct rh_happens_before *before, const struct rh_plan *plan,
                        uint32_t count)
{
    uint32_t at[MOST];
    for (uint32_t i = 0; i < count; i++)
        at[i] = RH_NONE;
    for (uint32_t i = 0; i < plan->count; i++) {
        EXPECT(at[plan->places[i]] == RH_NONE);
        at[plan->places[i]] = i;
    }
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t q = 0; q < count; q++)
            if (at[q] != RH_NONE && rh_must_precede(before, p, q))
                EXPECT(at[p] < at[q]);
}

// The receives of an actor in the schedule, up to one of them.
static uint32_t past_of(const struct rh_receives *run, const uint32_t *places, uint32_t count,
                        uint32_t place, uint32_t *past)
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (run->items[places[i]].actor == run->items[place].actor)
            past[length++] = places[i];
        if (places[i] == place)
            return length;
    }
    return 0;
}

// Whoever sends a message of the schedule has received, when it does, what it had received in the run.
static void check_senders(const struct rh_receives *run, const struct rh_plan *plan)
{
    uint32_t all[MOST], old[MOST], now[MOST];
    for (uint32_t i = 0; i < run->count; i++)
        all[i] = i;
    for (uint32_t i = 0; i < plan->count; i++) {
        uint32_t sender = run->items[plan->places[i]].sent_at;
        if (sender == RH_NONE)
            continue;
        uint32_t length = past_of(run, all, run->count, sender, old);
        EXPECT(past_of(run, plan->places, plan->count, sender, now) == length);
        EXPECT(memcmp(old, now, sizeof *old * length) == 0);
    }
}

// What a generator remembers of earlier schedules saves time and nothing else: one that forgets it makes the same.
static void check_forgetful(struct rh_generator *generator, const struct rh_coverage *coverage,
                            const struct rh_receives *run, const struct rh_happens_before *before,
                            const struct rh_plan *expected)
{
    uint32_t places[MOST];
    struct rh_plan plan = {.places = places};
    memset(generator->exhausted, 0, sizeof generator->exhausted);
    EXPECT(rh_generate(generator, coverage, run, before, &plan));
    EXPECT(plan.first == expected->first && plan.second == expected->second);
    EXPECT(plan.count == expected->count);
    EXPECT(memcmp(plan.places, expected->places, sizeof *places * plan.count) == 0);
}

static void check_random(struct rh_happens_before *before, struct rh_rng *rng,
                         enum rh_criterion criterion)
{
    struct rh_coverage coverage;
    struct rh_receive items[MOST + 1], scheduled[MOST];
    struct rh_receives run = {items, 0};
    uint32_t places[MOST];
    struct rh_plan plan = {.places = places};
    make_run(rng, &run);
    EXPECT(rh_coverage_open(&coverage, 1 << 20));
    add_names(&coverage, &run, ACTORS);
    rh_happens_before_of(before, &coverage, &run, false);
    rh_coverage_add_orders(&coverage, &run);
    rh_coverage_add_free(&coverage, &run, before);
    struct rh_generator generator = {.criterion = criterion}, forgetful = generator;
    while (rh_generate(&generator, &coverage, &run, before, &plan)) {
        check_forgetful(&forgetful, &coverage, &run, before, &plan);
        check_order(before, &plan, run.count);
        check_senders(&run, &plan);
        for (uint32_t i = 0; i < plan.count; i++)
            scheduled[i] = items[plan.places[i]];
        struct rh_receives orders = {scheduled, plan.count};
        EXPECT(!rh_coverage_has(&coverage, (enum rh_bits)criterion, plan.first, plan.second));
        rh_coverage_add_orders(&coverage, &orders);
        EXPECT(rh_coverage_has(&coverage, (enum rh_bits)criterion, plan.first, plan.second));
    }
    // Whatever a pass from a run can reach, it has reached.
    struct rh_goal_count total = rh_coverage_total(&coverage, criterion);
    if (criterion != RH_CRITERION_PBR)
        EXPECT(total.covered == total.known);
    rh_coverage_close(&coverage);
}

int main(void)
{
    struct rh_happens_before before;
    EXPECT(rh_happens_before_open(&before));
    check_example(&before);
    check_swap(&before);
    struct rh_rng rng;
    rh_rng_seed(&rng, 3);
    for (int i = 0; i < 300; i++)
        check_random(&before, &rng, (enum rh_criterion)(i % RH_CRITERION_COUNT));
    rh_happens_before_close(&before);
    return 0;
}
