// SPDX-License-Identifier: MIT
// Must-happen-before against its definition: all rules applied to all pairs, over and over, until nothing is added.
#include "base/rng.h"
#include "cover/coverage.h"
#include "test.h"

enum { MOST = 60, ACTORS = 5, OBJECTS = 2 };

static struct rh_receive items[MOST];
static bool must[MOST][MOST];
static struct rh_coverage coverage; // has an event for each place
static bool touches[MOST][OBJECTS]; // whether the receive touches the object, which carries

static bool is(uint32_t place, enum rh_receive_flag flag)
{
    return rh_receive_is(&items[place], flag);
}

// Each run has events of its own, of which every fifth touches an object that carries.
static void add_events(struct rh_rng *rng, uint32_t count)
{
    EXPECT(rh_coverage_open(&coverage, 1 << 20));
    for (uint64_t i = 0; i < ACTORS; i++)
        rh_coverage_add_actor(&coverage, 1000 + i, "actor");
    for (uint64_t object = 0; object < OBJECTS; object++)
        rh_coverage_name_object(&coverage, object, "object", true);
    for (uint32_t i = 0; i < count; i++) {
        struct rh_touch touched[OBJECTS + 1] = {rh_touch_number(1000 + items[i].actor, true)};
        uint32_t size = 1;
        rh_coverage_add_event(&coverage, &(struct rh_cover_event){.identity = i + 1,
                                                                  .actor = items[i].actor,
                                                                  .type = "type",
                                                                  .sender = "sender",
                                                                  .file = ""});
        for (uint64_t object = 0; object < OBJECTS; object++) {
            touches[i][object] = rh_rng_below(rng, 5) == 0;
            if (touches[i][object])
                touched[size++] = rh_touch_number(object, true);
        }
        rh_coverage_add_touched(&coverage, i, rh_touched_set(&coverage.sets, touched, size));
    }
}

// A run that could have been: an actor that waits gets a reply next, and nothing refers to what comes later.
static void make_run(struct rh_rng *rng, struct rh_receives *run, uint32_t count)
{
    bool waits[ACTORS] = {false};
    for (uint32_t i = 0; i < count; i++) {
        struct rh_receive *one = &items[i];
        uint32_t actor = (uint32_t)rh_rng_below(rng, ACTORS);
        *one = (struct rh_receive){i,       actor,   RH_NONE, RH_NONE, RH_NONE, RH_NONE,
                                   RH_NONE, RH_NONE, 0,       0,       0};
        if (waits[actor])
            one->flags |= RH_RECEIVE_SYNCHRONOUS;
        else if (rh_rng_below(rng, 6) == 0)
            one->flags |= RH_RECEIVE_TIMER, one->due = rh_rng_below(rng, 10);
        waits[actor] = rh_rng_below(rng, 4) == 0;
        one->flags |= waits[actor] ? RH_RECEIVE_WAITS : 0;
        uint32_t *links[] = {&one->sent_at, &one->also_sent_at, &one->created_at, &one->behind,
                             &one->enabled_at};
        uint32_t chances[] = {2, 8, 8, 8, 10};
        for (int link = 0; link < 5; link++)
            if (i > 0 && rh_rng_below(rng, chances[link]) == 0)
                *links[link] = (uint32_t)rh_rng_below(rng, i);
        if (one->enabled_at != RH_NONE && one->enabled_at > 0 && rh_rng_below(rng, 2) == 0)
            one->disabled_at = (uint32_t)rh_rng_below(rng, one->enabled_at);
    }
    *run = (struct rh_receives){items, count};
}

// Whether something that one of both has written may be seen by the other: they have an actor or an object in common.
static bool meet(uint32_t one, uint32_t other)
{
    bool is_common = items[one].actor == items[other].actor;
    for (int object = 0; object < OBJECTS; object++)
        is_common |= touches[one][object] && touches[other][object];
    return is_common;
}

// Whether p at `earlier` is the receive at `deed`, or came before it at the same actor, or before one that it was carried
// to and that may have led to the deed.
static bool led_to(uint32_t earlier, uint32_t deed)
{
    if (deed == RH_NONE || earlier > deed)
        return false;
    for (uint32_t i = earlier + 1; i <= deed; i++)
        if (meet(earlier, i) && led_to(i, deed))
            return true;
    return earlier == deed;
}

// The place of the last reply that the handler got which began at `asked`.
static uint32_t last_reply(uint32_t asked, uint32_t end)
{
    uint32_t last = RH_NONE;
    for (uint32_t i = asked + 1; i < end && items[asked].flags & RH_RECEIVE_WAITS; i++) {
        if (items[i].actor != items[asked].actor)
            continue;
        if (!is(i, RH_RECEIVE_SYNCHRONOUS))
            break;
        last = i;
    }
    return last;
}

static bool holds_directly(uint32_t p, uint32_t q, bool strict)
{
    const struct rh_receive *later = &items[q];
    bool both_timers = is(p, RH_RECEIVE_TIMER) && is(q, RH_RECEIVE_TIMER);
    return p < q &&
           (led_to(p, later->sent_at) || led_to(p, later->also_sent_at) ||
            led_to(p, later->created_at) ||
            (later->disabled_at == RH_NONE && led_to(p, later->enabled_at)) || later->behind == p ||
            (both_timers && items[p].actor == later->actor && items[p].due < later->due &&
             items[p].enabled_at == RH_NONE) ||
            (strict && is(q, RH_RECEIVE_TIMER)));
}

static bool follows(uint32_t p, uint32_t q, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (must[p][k] && must[k][q])
            return true;
    // p let q in, or came before what did, and what had q refused must come before it.
    const struct rh_receive *later = &items[q];
    if (later->disabled_at != RH_NONE && must[later->disabled_at][q] &&
        led_to(p, later->enabled_at))
        return true;
    // p is the last reply of a handler whose beginning must come before q, at the same actor.
    if (is(q, RH_RECEIVE_SYNCHRONOUS) || items[p].actor != items[q].actor)
        return false;
    for (uint32_t k = 0; k < p; k++)
        if (items[k].actor == items[p].actor && !is(k, RH_RECEIVE_SYNCHRONOUS) && must[k][q] &&
            last_reply(k, q) == p)
            return true;
    return false;
}

static void close_plainly(uint32_t count, bool strict)
{
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t q = 0; q < count; q++)
            must[p][q] = holds_directly(p, q, strict);
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t p = 0; p < count; p++)
            for (uint32_t q = 0; q < count; q++)
                if (!must[p][q] && follows(p, q, count))
                    must[p][q] = changes = true;
    }
}

// An explanation is a chain of steps that each hold by themselves.
static void check_explanation(const struct rh_happens_before *before, const struct rh_receives *run,
                              uint32_t p, uint32_t q, bool strict)
{
    struct rh_because chain[MOST];
    uint32_t length = rh_happens_before_explain(before, &coverage, run, p, q, strict, chain, MOST);
    EXPECT(length > 0);
    uint32_t at = p;
    for (uint32_t i = 0; i < length; i++) {
        bool is_reply = chain[i].reason == RH_REASON_ASK && is(at, RH_RECEIVE_SYNCHRONOUS) &&
                        items[at].actor == items[chain[i].place].actor;
        bool is_enabler =
            chain[i].reason == RH_REASON_ENABLED && led_to(at, items[chain[i].place].enabled_at);
        EXPECT(must[at][chain[i].place]);
        EXPECT(is_reply || is_enabler || holds_directly(at, chain[i].place, strict));
        at = chain[i].place;
    }
    EXPECT(at == q);
}

static void compare(struct rh_happens_before *before, struct rh_rng *rng, bool strict)
{
    struct rh_receives run;
    make_run(rng, &run, 1 + (uint32_t)rh_rng_below(rng, MOST));
    add_events(rng, run.count);
    rh_happens_before_of(before, &coverage, &run, strict);
    close_plainly(run.count, strict);
    for (uint32_t p = 0; p < run.count; p++)
        for (uint32_t q = 0; q < run.count; q++) {
            EXPECT(rh_must_precede(before, p, q) == must[p][q]);
            if (must[p][q] && rh_rng_below(rng, 20) == 0)
                check_explanation(before, &run, p, q, strict);
        }
    rh_coverage_close(&coverage);
}

// The execution of figure 1 of the paper, with one action: ex, w, ad, fl, fd.
static void check_figure(struct rh_happens_before *before)
{
    enum { EX, W, AD, FL, FD, ACTION = 0, WRITER, TERMINATOR };
    static const uint32_t actors[] = {ACTION, WRITER, TERMINATOR, WRITER, TERMINATOR};
    static const uint32_t sent_at[] = {RH_NONE, EX, EX, AD, FL};
    struct rh_receives run = {items, 5};
    for (uint32_t i = 0; i < 5; i++)
        items[i] = (struct rh_receive){i,       actors[i], sent_at[i], RH_NONE, RH_NONE, RH_NONE,
                                       RH_NONE, RH_NONE,   0,          0,       0};
    rh_happens_before_of(before, &(struct rh_coverage){.actor_count = 3}, &run, false);
    // The pairs that the paper names, and what follows from them.
    bool expected[5][5] = {{0}};
    expected[EX][W] = expected[EX][AD] = expected[AD][FL] = expected[FL][FD] = true;
    expected[W][FD] = true;
    expected[EX][FL] = expected[EX][FD] = expected[AD][FD] = true;
    for (uint32_t p = 0; p < 5; p++)
        for (uint32_t q = 0; q < 5; q++)
            EXPECT(rh_must_precede(before, p, q) == expected[p][q]);
}

// Ten thousand receives, each caused by another: the table is there, and it is the one of a chain.
static void check_large(struct rh_happens_before *before)
{
    enum { COUNT = 10000 };
    struct rh_receives run = {calloc(COUNT, sizeof *run.items), COUNT};
    for (uint32_t i = 0; i < COUNT; i++)
        run.items[i] = (struct rh_receive){
            i, i % 7, i < 3 ? RH_NONE : i - 3, RH_NONE, RH_NONE, RH_NONE, RH_NONE, RH_NONE, 0,
            0, 0};
    rh_happens_before_of(before, &(struct rh_coverage){.actor_count = 7}, &run, false);
    EXPECT(rh_must_precede(before, 0, 9999));
    EXPECT(!rh_must_precede(before, 9998, 9999));
    EXPECT(rh_must_precede(before, 9996, 9999));
    EXPECT(!rh_must_precede(before, 9999, 9996));
    free(run.items);
}

int main(void)
{
    struct rh_happens_before before;
    EXPECT(rh_happens_before_open(&before));
    struct rh_rng rng;
    rh_rng_seed(&rng, 4);
    for (int i = 0; i < 400; i++)
        compare(&before, &rng, i % 8 == 0);
    check_figure(&before);
    check_large(&before);
    rh_happens_before_close(&before);
    return 0;
}
