// SPDX-License-Identifier: MIT
// Ordering goals against their definitions, on small runs.
#include "base/rng.h"
#include "cover/coverage.h"
#include "test.h"

enum { EVENTS = 9, ACTORS = 2, RUNS = 6, OBJECTS = 2 };

// What the definitions say, for all runs so far.
static bool seen[RH_CRITERION_COUNT][EVENTS][EVENTS];
static bool is_free[EVENTS][EVENTS];
static bool has_changed[EVENTS];
// What events touch besides their actor: by object, nothing, or that they read or write it.
static enum { NOTHING, READS, WRITES } touches[EVENTS][OBJECTS];

static bool has(const struct rh_receive *receive, enum rh_receive_flag flag)
{
    return rh_receive_is(receive, flag);
}

static bool depends(uint32_t one, uint32_t other)
{
    bool is_common = one % ACTORS == other % ACTORS;
    for (int i = 0; i < OBJECTS; i++)
        is_common |= touches[one][i] != NOTHING && touches[other][i] != NOTHING &&
                     (touches[one][i] == WRITES || touches[other][i] == WRITES);
    return is_common;
}

// Of one actor, replies do not count, and of those that came too late only one. Of different actors none that came too
// late counts.
static bool are_pair(const struct rh_receive *one, const struct rh_receive *other)
{
    if (one->actor == other->actor)
        return !has(one, RH_RECEIVE_SYNCHRONOUS) && !has(other, RH_RECEIVE_SYNCHRONOUS) &&
               !(has(one, RH_RECEIVE_LOST) && has(other, RH_RECEIVE_LOST));
    return !has(one, RH_RECEIVE_LOST) && !has(other, RH_RECEIVE_LOST) &&
           depends(one->event, other->event);
}

// Whether a receive stands between two of different actors that depends on both.
static bool has_between_both(const struct rh_receives *run, uint32_t i, uint32_t j)
{
    for (uint32_t k = i + 1; k < j; k++)
        if (depends(run->items[k].event, run->items[i].event) &&
            depends(run->items[k].event, run->items[j].event))
            return true;
    return false;
}

// Whether a receive that counts stands between two of the same actor; with `changes`, one that changes the behaviour.
static bool has_between(const struct rh_receives *run, uint32_t i, uint32_t j, bool changes)
{
    for (uint32_t k = i + 1; k < j; k++) {
        const struct rh_receive *one = &run->items[k];
        // Of those that came too late none stands between the others.
        bool is_beside = has(one, RH_RECEIVE_LOST) && has(&run->items[j], RH_RECEIVE_LOST);
        if (one->actor == run->items[i].actor && !has(one, RH_RECEIVE_SYNCHRONOUS) && !is_beside &&
            (!changes || has(one, RH_RECEIVE_CHANGES)))
            return true;
    }
    return false;
}

static void note_pair(const struct rh_receives *run, uint32_t i, uint32_t j)
{
    const struct rh_receive *one = &run->items[i], *other = &run->items[j];
    bool changes = has(one, RH_RECEIVE_CHANGES) || has(other, RH_RECEIVE_CHANGES);
    seen[RH_CRITERION_PR][one->event][other->event] = true;
    if (one->actor != other->actor) {
        seen[RH_CRITERION_PCR][one->event][other->event] |= !has_between_both(run, i, j);
        return;
    }
    if (!has_between(run, i, j, false))
        seen[RH_CRITERION_PCR][one->event][other->event] = true;
    if (changes && !has_between(run, i, j, true))
        seen[RH_CRITERION_PBR][one->event][other->event] = true;
}

static void note_run(const struct rh_coverage *coverage, const struct rh_receives *run,
                     const struct rh_happens_before *before)
{
    for (uint32_t i = 0; i < run->count; i++) {
        if (!has(&run->items[i], RH_RECEIVE_SYNCHRONOUS))
            has_changed[run->items[i].event] |= has(&run->items[i], RH_RECEIVE_CHANGES);
        for (uint32_t j = i + 1; j < run->count; j++) {
            bool is_pair = are_pair(&run->items[i], &run->items[j]);
            EXPECT(rh_coverage_are_pair(coverage, run, i, j) == is_pair);
            if (!is_pair)
                continue;
            uint32_t one = run->items[i].event, other = run->items[j].event;
            note_pair(run, i, j);
            if (!rh_must_precede(before, i, j))
                is_free[one][other] = is_free[other][one] = true;
        }
    }
}

static bool is_goal(int criterion, uint32_t i, uint32_t j)
{
    bool is_both = seen[RH_CRITERION_PR][i][j] && seen[RH_CRITERION_PR][j][i];
    return (is_free[i][j] || (is_both && seen[criterion][i][j])) &&
           (criterion != RH_CRITERION_PBR ||
            (i % ACTORS == j % ACTORS && (has_changed[i] || has_changed[j])));
}

static void compare(struct rh_coverage *coverage)
{
    for (int criterion = 0; criterion < RH_CRITERION_COUNT; criterion++) {
        uint64_t covered = 0, known = 0;
        for (uint32_t i = 0; i < EVENTS; i++)
            for (uint32_t j = 0; j < EVENTS; j++) {
                if (i == j || !depends(i, j))
                    continue;
                bool is_seen = seen[criterion][i][j];
                EXPECT(rh_coverage_has(coverage, (enum rh_bits)criterion, i, j) == is_seen);
                EXPECT(rh_coverage_has(coverage, RH_BITS_FREE, i, j) == is_free[i][j]);
                known += is_goal(criterion, i, j);
                covered += is_goal(criterion, i, j) && is_seen;
            }
        struct rh_goal_count total = rh_coverage_total(coverage, (enum rh_criterion)criterion);
        EXPECT(total.known == known);
        EXPECT(total.covered == covered);
    }
}

static void add_names(struct rh_coverage *coverage, uint32_t events, uint32_t actors)
{
    for (uint32_t i = 0; i < actors; i++)
        EXPECT(rh_coverage_add_actor(coverage, 1000 + i, "actor") == i);
    for (uint32_t i = 0; i < events; i++) {
        struct rh_cover_event event = {.identity = 5000 + UINT64_C(77777777777) * i,
                                       .actor = i % actors,
                                       .type = "type",
                                       .sender = "sender",
                                       .file = "file.c"};
        EXPECT(rh_coverage_add_event(coverage, &event) == i);
        EXPECT(rh_coverage_add_event(coverage, &event) == i);
    }
}

// Some of the events in any order; what is lost comes last; even events of actor 0 are replies now and then.
static void make_run(struct rh_rng *rng, struct rh_receives *run)
{
    uint32_t order[EVENTS];
    for (uint32_t i = 0; i < EVENTS; i++)
        order[i] = i;
    for (uint32_t i = EVENTS; i > 1; i--) {
        uint32_t k = (uint32_t)rh_rng_below(rng, i), kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
    run->count = 1 + (uint32_t)rh_rng_below(rng, EVENTS);
    uint32_t lost = run->count - (uint32_t)rh_rng_below(rng, 3) % run->count;
    for (uint32_t i = 0; i < run->count; i++) {
        struct rh_receive *one = &run->items[i];
        *one = (struct rh_receive){order[i], order[i] % ACTORS, RH_NONE, RH_NONE, RH_NONE, RH_NONE,
                                   RH_NONE,  RH_NONE,           RH_NONE, 0,       0};
        if (i > 0 && rh_rng_below(rng, 3) == 0)
            one->sent_at = (uint32_t)rh_rng_below(rng, i);
        if (i >= lost)
            one->flags |= RH_RECEIVE_LOST;
        else if (order[i] == 4)
            one->flags |= RH_RECEIVE_SYNCHRONOUS;
        else if (rh_rng_below(rng, 4) == 0)
            one->flags |= RH_RECEIVE_CHANGES;
    }
    rh_receives_link(run, ACTORS);
}

// Some events touch one or both of two objects too.
static void add_touches(struct rh_rng *rng, struct rh_coverage *coverage)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        struct rh_touch touched[OBJECTS + 1] = {rh_touch_number(1000 + i % ACTORS, true)};
        uint32_t count = 1;
        for (uint32_t object = 0; object < OBJECTS; object++) {
            uint64_t drawn = rh_rng_below(rng, 6);
            touches[i][object] = drawn == 0 ? READS : drawn == 1 ? WRITES : NOTHING;
            if (touches[i][object] != NOTHING)
                touched[count++] = rh_touch_number(object, touches[i][object] == WRITES);
        }
        rh_coverage_add_touched(coverage, i, rh_touched_set(&coverage->sets, touched, count));
    }
}

static void check_random(struct rh_happens_before *before, struct rh_rng *rng)
{
    struct rh_coverage coverage;
    struct rh_receive items[EVENTS];
    struct rh_receives run = {items, 0};
    EXPECT(rh_coverage_open(&coverage, 1 << 24));
    add_names(&coverage, EVENTS, ACTORS);
    memset(seen, 0, sizeof seen);
    memset(is_free, 0, sizeof is_free);
    memset(has_changed, 0, sizeof has_changed);
    memset(touches, 0, sizeof touches);
    add_touches(rng, &coverage);
    for (int i = 0; i < RUNS; i++) {
        make_run(rng, &run);
        rh_happens_before_of(before, &coverage, &run, false);
        rh_coverage_add_orders(&coverage, &run);
        rh_coverage_add_free(&coverage, &run, before);
        note_run(&coverage, &run, before);
        compare(&coverage);
    }
    EXPECT(!coverage.store.is_full);
    rh_coverage_close(&coverage);
}

// The sets of schedules of section III-A: two writes and a flush, which changes the writer's behaviour.
enum { W1, W2, FL };

static void add_schedule(struct rh_coverage *coverage, uint32_t first, uint32_t second,
                         uint32_t third)
{
    uint32_t events[] = {first, second, third};
    struct rh_receive items[3];
    for (int i = 0; i < 3; i++)
        items[i] = (struct rh_receive){.event = events[i],
                                       .sent_at = RH_NONE,
                                       .also_sent_at = RH_NONE,
                                       .created_at = RH_NONE,
                                       .behind = RH_NONE,
                                       .enabled_at = RH_NONE,
                                       .disabled_at = RH_NONE,
                                       .flags = events[i] == FL ? RH_RECEIVE_CHANGES : 0};
    struct rh_receives run = {items, 3};
    rh_coverage_add_orders(coverage, &run);
}

static uint64_t count_seen(const struct rh_coverage *coverage, enum rh_criterion criterion)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++)
            count += i != j && rh_coverage_has(coverage, (enum rh_bits)criterion, i, j);
    return count;
}

static void check_paper(void)
{
    struct rh_coverage coverage;
    EXPECT(rh_coverage_open(&coverage, 1 << 20));
    add_names(&coverage, 3, 1);
    add_schedule(&coverage, W1, W2, FL);
    EXPECT(count_seen(&coverage, RH_CRITERION_PR) == 3);
    add_schedule(&coverage, FL, W2, W1);
    EXPECT(count_seen(&coverage, RH_CRITERION_PR) == 6);
    EXPECT(count_seen(&coverage, RH_CRITERION_PCR) == 4);
    EXPECT(count_seen(&coverage, RH_CRITERION_PBR) == 4);
    add_schedule(&coverage, W1, FL, W2);
    add_schedule(&coverage, FL, W1, W2);
    EXPECT(count_seen(&coverage, RH_CRITERION_PCR) == 6);
    rh_coverage_close(&coverage);
    EXPECT(rh_coverage_open(&coverage, 1 << 20));
    add_names(&coverage, 3, 1);
    add_schedule(&coverage, W1, W2, FL);
    add_schedule(&coverage, FL, W1, W2);
    EXPECT(count_seen(&coverage, RH_CRITERION_PBR) == 4);
    rh_coverage_close(&coverage);
}

// Tables that grow keep what was in them.
static void check_growth(void)
{
    enum { MANY = 300 };
    struct rh_coverage coverage;
    EXPECT(rh_coverage_open(&coverage, 1 << 24));
    add_names(&coverage, 10, 1);
    rh_coverage_set(&coverage, RH_BITS_PR, 3, 9);
    add_names(&coverage, MANY, 1);
    for (uint32_t i = 0; i < MANY; i++)
        for (uint32_t j = 0; j < MANY; j++)
            EXPECT(rh_coverage_has(&coverage, RH_BITS_PR, i, j) == (i == 3 && j == 9));
    rh_coverage_close(&coverage);
    EXPECT(rh_coverage_open(&coverage, 1 << 16));
    EXPECT(rh_coverage_add_actor(&coverage, 1, "actor") == 0);
    struct rh_cover_event event = {.type = "type", .sender = "sender", .file = ""};
    uint32_t added = 0;
    while (event.identity++ < 1000 && rh_coverage_add_event(&coverage, &event) != RH_NONE)
        added++;
    EXPECT(added > 0 && added < 1000 && coverage.store.is_full);
    rh_coverage_close(&coverage);
}

int main(void)
{
    struct rh_happens_before before;
    EXPECT(rh_happens_before_open(&before));
    struct rh_rng rng;
    rh_rng_seed(&rng, 11);
    for (int i = 0; i < 500; i++)
        check_random(&before, &rng);
    check_paper();
    check_growth();
    rh_happens_before_close(&before);
    return 0;
}
