// SPDX-License-Identifier: MIT
#include "cover/happens_before.h"

#include <stdlib.h>
#include <string.h>

#include "base/mapping.h"
#include "cover/coverage.h"

bool rh_happens_before_open(struct rh_happens_before *before)
{
    *before = (struct rh_happens_before){.size = (size_t)RH_RECEIVES_MOST * RH_RECEIVES_MOST / 8};
    before->rows = rh_map_shared(before->size);
    before->whole = rh_map_shared(before->size);
    return before->rows && before->whole;
}

void rh_happens_before_close(struct rh_happens_before *before)
{
    rh_unmap_shared(before->rows, before->size);
    rh_unmap_shared(before->whole, before->size);
    *before = (struct rh_happens_before){0};
}

// What is known of an actor from the part of the execution that has been looked at.
struct seen {
    uint32_t last;       // place of the actor's newest receive
    uint32_t last_timer; // place of the actor's newest receive of a timer
    uint32_t last_asked; // place of the actor's newest receive whose handler waited
};

struct computing {
    struct rh_happens_before *before;
    const struct rh_coverage *coverage;
    uint32_t *last_of; // by object that carries: the newest receive that touches it
    const struct rh_receives *execution;
    struct seen *actors;
    uint32_t *earlier_timer; // by place of a timer: its actor's timer before it
    uint32_t *earlier_asked; // by place of a receive whose handler waited: its actor's one before
    uint32_t *answered;      // by place: the last reply that its handler got; RH_NONE if none
};

static uint64_t *row_of(const struct rh_happens_before *before, uint32_t place)
{
    return before->rows + place * before->words;
}

static uint64_t *whole_of(const struct rh_happens_before *before, uint32_t place)
{
    return before->whole + place * before->words;
}

static void add_row(uint64_t *row, const uint64_t *other, uint32_t places)
{
    for (uint32_t i = 0; i <= places / 64; i++)
        row[i] |= other[i];
}

static void add_place(const struct rh_happens_before *before, uint64_t *row, uint32_t place)
{
    add_row(row, row_of(before, place), place);
    row[place / 64] |= UINT64_C(1) << place % 64;
}

static bool has_place(const uint64_t *row, uint32_t place)
{
    return row[place / 64] >> place % 64 & 1;
}

// What an actor does in the receive at `place` may follow from all that the actor has received.
static void add_whole(const struct rh_happens_before *before, uint64_t *row, uint32_t place)
{
    if (place != RH_NONE)
        add_row(row, whole_of(before, place), place);
}

// Whether a timer holds another one of its actor back. One that was refused has let others pass.
static bool holds_back(const struct rh_receive *timer, const struct rh_receive *other)
{
    return timer->due < other->due && timer->enabled_at == RH_NONE;
}

static void add_timers(struct computing *computing, uint64_t *row, uint32_t place)
{
    const struct rh_receive *items = computing->execution->items;
    uint32_t timer = computing->actors[items[place].actor].last_timer;
    for (; timer != RH_NONE; timer = computing->earlier_timer[timer])
        if (holds_back(&items[timer], &items[place]) && !has_place(row, timer))
            add_place(computing->before, row, timer);
}

// An actor that waits takes nothing but replies: a receive that must come after the one whose
// handler asked must come after the last reply to it. Gives whether there was something to add.
static bool add_answers(struct computing *computing, uint64_t *row, uint32_t actor)
{
    bool adds = false;
    uint32_t asked = computing->actors[actor].last_asked;
    for (; asked != RH_NONE; asked = computing->earlier_asked[asked]) {
        uint32_t answer = computing->answered[asked];
        if (answer == RH_NONE || !has_place(row, asked) || has_place(row, answer))
            continue;
        add_place(computing->before, row, answer);
        adds = true;
    }
    return adds;
}

// Whether a guard refuses the message until some receive changes the guard's answer.
static bool needs_enabler(const uint64_t *row, const struct rh_receive *receive)
{
    return receive->enabled_at != RH_NONE &&
           (receive->disabled_at == RH_NONE || has_place(row, receive->disabled_at));
}

// Repeats until nothing is added, since each receive in the row may bring in others: what lets this
// receive in, and answers.
static void add_conditional(struct computing *computing, uint64_t *row,
                            const struct rh_receive *receive)
{
    bool adds, is_enabled = false;
    do {
        adds = !is_enabled && needs_enabler(row, receive);
        if (adds)
            add_whole(computing->before, row, receive->enabled_at);
        is_enabled |= adds;
        if (!rh_receive_is(receive, RH_RECEIVE_SYNCHRONOUS))
            adds |= add_answers(computing, row, receive->actor);
    } while (adds);
}

static void fill_row(struct computing *computing, uint32_t place, bool strict_time)
{
    const struct rh_receive *receive = &computing->execution->items[place];
    const struct rh_happens_before *before = computing->before;
    uint64_t *row = row_of(before, place);
    memset(row, 0, sizeof *row * before->words);
    add_whole(before, row, receive->sent_at);
    add_whole(before, row, receive->also_sent_at);
    add_whole(before, row, receive->created_at);
    if (receive->behind != RH_NONE)
        add_place(before, row, receive->behind);
    if (rh_receive_is(receive, RH_RECEIVE_TIMER)) {
        add_timers(computing, row, place);
        for (uint32_t i = 0; strict_time && i < place; i++)
            row[i / 64] |= UINT64_C(1) << i % 64;
    }
    add_conditional(computing, row, receive);
}

static void fill_whole(struct computing *computing, uint32_t place)
{
    const struct rh_happens_before *before = computing->before;
    uint64_t *whole = whole_of(before, place);
    memcpy(whole, row_of(before, place), sizeof *whole * before->words);
    whole[place / 64] |= UINT64_C(1) << place % 64;
    const struct rh_receive *receive = &computing->execution->items[place];
    add_whole(before, whole, computing->actors[receive->actor].last);
    uint32_t at = 0, object;
    while ((object = rh_coverage_next_carrier(computing->coverage, receive->event, &at)) !=
           RH_NONE) {
        add_whole(before, whole, computing->last_of[object]);
        computing->last_of[object] = place;
    }
}

static void note_receive(struct computing *computing, uint32_t place)
{
    const struct rh_receive *receive = &computing->execution->items[place];
    struct seen *actor = &computing->actors[receive->actor];
    actor->last = place;
    if (rh_receive_is(receive, RH_RECEIVE_SYNCHRONOUS)) {
        if (actor->last_asked != RH_NONE)
            computing->answered[actor->last_asked] = place;
        return;
    }
    computing->answered[place] = RH_NONE;
    if (rh_receive_is(receive, RH_RECEIVE_TIMER)) {
        computing->earlier_timer[place] = actor->last_timer;
        actor->last_timer = place;
    }
    if (rh_receive_is(receive, RH_RECEIVE_WAITS)) {
        computing->earlier_asked[place] = actor->last_asked;
        actor->last_asked = place;
    }
}

static void start_table(struct rh_happens_before *before, const struct rh_receives *execution,
                        bool is_certain)
{
    rh_assert(execution->count <= RH_RECEIVES_MOST);
    before->words = (execution->count + (size_t)63) / 64;
    before->is_certain = is_certain;
}

void rh_happens_before_of(struct rh_happens_before *before, const struct rh_coverage *coverage,
                          const struct rh_receives *execution, bool strict_time)
{
    uint32_t actors = coverage->actor_count, objects = coverage->object_count;
    start_table(before, execution, false);
    struct computing computing = {.before = before, .coverage = coverage, .execution = execution};
    computing.last_of = rh_alloc(sizeof *computing.last_of * (objects + (size_t)1));
    for (uint32_t i = 0; i < objects; i++)
        computing.last_of[i] = RH_NONE;
    computing.actors = rh_alloc(sizeof *computing.actors * (actors + (size_t)1));
    for (uint32_t i = 0; i < actors; i++)
        computing.actors[i] = (struct seen){RH_NONE, RH_NONE, RH_NONE};
    uint32_t *lists = rh_alloc(sizeof *lists * 3 * (execution->count + (size_t)1));
    computing.earlier_timer = lists;
    computing.earlier_asked = lists + execution->count;
    computing.answered = lists + execution->count * (size_t)2;
    for (uint32_t place = 0; place < execution->count; place++) {
        fill_row(&computing, place, strict_time);
        fill_whole(&computing, place);
        note_receive(&computing, place);
    }
    free(lists);
    free(computing.actors);
    free(computing.last_of);
}

// The next place before `place` in the channel of the receive at `later`, from which messages were
// sent before that of `later` in every execution that has both; RH_NONE if there is none.
static uint32_t next_ahead(const struct rh_happens_before *before,
                           const struct rh_coverage *coverage, const struct rh_receives *execution,
                           uint32_t later, uint32_t place)
{
    uint32_t sent_at = execution->items[later].sent_at;
    uint32_t ahead = coverage->has_guards ? RH_NONE : execution->items[place].behind;
    for (; ahead != RH_NONE; ahead = execution->items[ahead].behind) {
        uint32_t first = execution->items[ahead].sent_at;
        if (first == RH_NONE || (sent_at != RH_NONE && rh_must_precede(before, first, sent_at)))
            return ahead;
    }
    return RH_NONE;
}

// Makes the row of a receive, with what its message and its receiver come from.
static uint64_t *start_row(const struct rh_happens_before *before,
                           const struct rh_receives *execution, uint32_t place)
{
    const struct rh_receive *receive = &execution->items[place];
    const uint32_t causes[] = {receive->sent_at, receive->also_sent_at, receive->created_at};
    uint64_t *row = row_of(before, place);
    memset(row, 0, sizeof *row * before->words);
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i] != RH_NONE)
            add_place(before, row, causes[i]);
    return row;
}

void rh_happens_before_direct(struct rh_happens_before *before, const struct rh_receives *execution)
{
    start_table(before, execution, false);
    for (uint32_t place = 0; place < execution->count; place++) {
        uint64_t *row = start_row(before, execution, place);
        if (execution->items[place].behind != RH_NONE)
            add_place(before, row, execution->items[place].behind);
    }
}

void rh_happens_before_certain(struct rh_happens_before *before, const struct rh_coverage *coverage,
                               const struct rh_receives *execution)
{
    start_table(before, execution, true);
    for (uint32_t place = 0; place < execution->count; place++) {
        uint64_t *row = start_row(before, execution, place);
        // The one ahead may be missing where this one comes: what it comes after does not count.
        for (uint32_t i = place;
             (i = next_ahead(before, coverage, execution, place, i)) != RH_NONE;)
            row[i / 64] |= UINT64_C(1) << i % 64;
    }
}

// Explanations: a search back from the later receive, step by step, through the receives that must
// come after the earlier one.

struct explaining {
    const struct rh_happens_before *before;
    const struct rh_coverage *coverage;
    const struct rh_receives *execution;
    uint32_t target;            // place of the earlier receive, at which the search ends
    struct rh_because *because; // by place reached: the step from there towards the later receive
    bool *is_reached;
    uint32_t *queue;
    uint32_t queued;
    // By actor and by object: the number of the newest deed to which they have led.
    uint32_t *actors, *objects;
    uint32_t marks; // number of the present deed
};

static void reach(struct explaining *explaining, uint32_t place, struct rh_because because)
{
    if (place == RH_NONE || explaining->is_reached[place] ||
        (place != explaining->target &&
         !rh_must_precede(explaining->before, explaining->target, place)))
        return;
    explaining->is_reached[place] = true;
    explaining->because[place] = because;
    explaining->queue[explaining->queued++] = place;
}

// Marks the receive's actor and what it touches that carries, if `is_via` or if one of these is
// marked. Gives whether it has marked them.
static bool mark(struct explaining *explaining, uint32_t place, bool is_via)
{
    const struct rh_receive *receive = &explaining->execution->items[place];
    bool is_marked = is_via || explaining->actors[receive->actor] == explaining->marks;
    uint32_t at = 0, object;
    while (!is_marked && (object = rh_coverage_next_carrier(explaining->coverage, receive->event,
                                                            &at)) != RH_NONE)
        is_marked = explaining->objects[object] == explaining->marks;
    if (!is_marked)
        return false;
    explaining->actors[receive->actor] = explaining->marks;
    at = 0;
    while ((object = rh_coverage_next_carrier(explaining->coverage, receive->event, &at)) !=
           RH_NONE)
        explaining->objects[object] = explaining->marks;
    return true;
}

// Reaches the receive at `via`, whose handler did the deed, and all earlier receives that may have
// led to the deed: of the same actor, or carried there.
static void reach_deed(struct explaining *explaining, uint32_t later, uint32_t via,
                       enum rh_reason deed, enum rh_reason led)
{
    if (via == RH_NONE)
        return;
    reach(explaining, via, (struct rh_because){deed, later, via});
    explaining->marks++;
    mark(explaining, via, true);
    for (uint32_t i = via; i-- > 0;)
        if (mark(explaining, i, false))
            reach(explaining, i, (struct rh_because){led, later, via});
}

// Reaches receives of the actor of `later` that had to come first: replies it waited for, and
// timers.
static void reach_at_actor(struct explaining *explaining, uint32_t later)
{
    const struct rh_receive *items = explaining->execution->items, *receive = &items[later];
    bool is_timer = rh_receive_is(receive, RH_RECEIVE_TIMER);
    for (uint32_t i = 0; i < later; i++) {
        if (!rh_must_precede(explaining->before, i, later) || items[i].actor != receive->actor)
            continue;
        if (rh_receive_is(&items[i], RH_RECEIVE_SYNCHRONOUS))
            reach(explaining, i, (struct rh_because){RH_REASON_ASK, later, i});
        else if (is_timer && rh_receive_is(&items[i], RH_RECEIVE_TIMER) &&
                 holds_back(&items[i], receive))
            reach(explaining, i, (struct rh_because){RH_REASON_TIMER, later, i});
    }
}

static void reach_certain(struct explaining *explaining, uint32_t later)
{
    const struct rh_receive *receive = &explaining->execution->items[later];
    const uint32_t causes[] = {receive->sent_at, receive->also_sent_at, receive->created_at};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        reach(explaining, causes[i],
              (struct rh_because){i < 2 ? RH_REASON_SENT : RH_REASON_CREATED, later, causes[i]});
    for (uint32_t i = later; (i = next_ahead(explaining->before, explaining->coverage,
                                             explaining->execution, later, i)) != RH_NONE;)
        if (i == explaining->target)
            reach(explaining, i, (struct rh_because){RH_REASON_ORDER, later, i});
}

static void reach_from(struct explaining *explaining, uint32_t later, bool strict_time)
{
    const struct rh_receive *receive = &explaining->execution->items[later];
    reach_deed(explaining, later, receive->sent_at, RH_REASON_SENT, RH_REASON_LED_TO_SEND);
    reach_deed(explaining, later, receive->also_sent_at, RH_REASON_SENT, RH_REASON_LED_TO_SEND);
    reach_deed(explaining, later, receive->created_at, RH_REASON_CREATED, RH_REASON_LED_TO_CREATE);
    reach(explaining, receive->behind,
          (struct rh_because){RH_REASON_ORDER, later, receive->behind});
    if (receive->enabled_at != RH_NONE &&
        rh_must_precede(explaining->before, receive->enabled_at, later))
        reach_deed(explaining, later, receive->enabled_at, RH_REASON_ENABLED, RH_REASON_ENABLED);
    reach_at_actor(explaining, later);
    if (strict_time && rh_receive_is(receive, RH_RECEIVE_TIMER))
        reach(explaining, explaining->target,
              (struct rh_because){RH_REASON_TIMER, later, explaining->target});
}

// Takes the steps from the earlier receive to the later one; each step says where it leads.
static uint32_t take_chain(const struct explaining *explaining, uint32_t second,
                           struct rh_because *chain, uint32_t most)
{
    uint32_t count = 0;
    if (!explaining->is_reached[explaining->target])
        return 0;
    for (uint32_t at = explaining->target; at != second; at = explaining->because[at].place) {
        if (count == most)
            return 0;
        chain[count++] = explaining->because[at];
    }
    return count;
}

uint32_t rh_happens_before_explain(const struct rh_happens_before *before,
                                   const struct rh_coverage *coverage,
                                   const struct rh_receives *execution, uint32_t first,
                                   uint32_t second, bool strict_time, struct rh_because *chain,
                                   uint32_t most)
{
    struct explaining explaining = {
        .before = before, .coverage = coverage, .execution = execution, .target = first};
    size_t count = execution->count + (size_t)1;
    explaining.because = rh_alloc(sizeof *explaining.because * count);
    explaining.is_reached = rh_alloc(sizeof *explaining.is_reached * count);
    explaining.queue = rh_alloc(sizeof *explaining.queue * count);
    explaining.actors = rh_alloc(sizeof *explaining.actors * (coverage->actor_count + (size_t)1));
    explaining.objects =
        rh_alloc(sizeof *explaining.objects * (coverage->object_count + (size_t)1));
    explaining.is_reached[second] = true;
    explaining.queue[explaining.queued++] = second;
    for (uint32_t i = 0; i < explaining.queued && !explaining.is_reached[first]; i++)
        if (before->is_certain)
            reach_certain(&explaining, explaining.queue[i]);
        else
            reach_from(&explaining, explaining.queue[i], strict_time);
    uint32_t length = take_chain(&explaining, second, chain, most);
    free(explaining.because);
    free(explaining.is_reached);
    free(explaining.queue);
    free(explaining.actors);
    free(explaining.objects);
    return length;
}
