// SPDX-License-Identifier: MIT
// Races: pairs of deliveries of the present execution that depend on each other and could as well
// have come in the other order.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "explore/reduce/reduction.h"

// The past of each delivery.

// How many words of `past` stand in front of a point's row.
size_t rh_row_start(uint32_t point)
{
    size_t before = point > 0 ? point - 1 : 0;
    size_t full = before / 64;
    return 64 * (full * (full + 1) / 2) + before % 64 * (full + 1);
}

static size_t row_words(uint32_t point)
{
    return (point + 63) / 64;
}

static uint64_t *row(const struct rh_reduction *reduction, uint32_t point)
{
    return reduction->past + rh_row_start(point);
}

static bool has_bit(const uint64_t *bits, uint32_t bit)
{
    return bits[bit / 64] >> bit % 64 & 1;
}

bool rh_depends_on(const struct rh_reduction *reduction, uint32_t index, uint32_t cause)
{
    return has_bit(row(reduction, index), cause);
}

static void add_cause(struct rh_reduction *reduction, uint32_t index, uint32_t cause)
{
    uint64_t *bits = row(reduction, index);
    const uint64_t *from = row(reduction, cause);
    for (size_t i = 0; i < row_words(cause); i++)
        bits[i] |= from[i];
    bits[cause / 64] |= UINT64_C(1) << cause % 64;
}

uint32_t rh_find_previous(const struct rh_reduction *reduction, uint32_t end,
                          const struct rh_label *label)
{
    while (end > 0) {
        const struct rh_point *point = &reduction->points[--end];
        if (point->is_taken && rh_depends(point->label.touched, label->touched))
            return end;
    }
    return RH_NONE;
}

uint32_t rh_point_before(const struct rh_reduction *reduction, uint32_t at,
                         const struct rh_label *label)
{
    const struct rh_point *point = &reduction->points[at];
    // Deliveries that touch the same set depend on the same deliveries.
    return point->label.touched == label->touched ? point->previous
                                                  : rh_find_previous(reduction, at, label);
}

// Adds the deliveries that this one depends on by what they touch. Behind a delivery that touches
// just the same set, and that begins a segment, all such deliveries are in this one's past already.
static void add_touching(struct rh_reduction *reduction, uint32_t index)
{
    const struct rh_point *points = reduction->points, *point = &points[index];
    for (uint32_t at = point->previous; at != RH_NONE;
         at = rh_point_before(reduction, at, &point->label)) {
        if (points[at].segment == point->segment)
            continue;
        if (!has_bit(row(reduction, index), at))
            add_cause(reduction, index, at);
        if (points[at].segment == at && points[at].label.touched == point->label.touched)
            break;
    }
}

void rh_learn_past(struct rh_reduction *reduction, uint32_t index)
{
    const struct rh_point *points = reduction->points;
    memset(row(reduction, index), 0, sizeof *reduction->past * row_words(index));
    bool has_sender = points[index].sent_by != RH_NONE;
    rh_assert(index < reduction->length && (!has_sender || points[index].sent_by < index));
    rh_assert(points[index].also_by == RH_NONE || points[index].also_by < index);
    rh_assert(points[index].previous == RH_NONE || points[index].previous < index);
    if (points[index].is_after_all && has_sender)
        for (uint32_t cause = 0; cause < points[index].sent_by; cause++)
            row(reduction, index)[cause / 64] |= UINT64_C(1) << cause % 64;
    if (has_sender)
        add_cause(reduction, index, points[index].sent_by);
    if (points[index].also_by != RH_NONE)
        add_cause(reduction, index, points[index].also_by);
    add_touching(reduction, index);
}

// Labels.

// Where the decisions of the delivery's handler end in the path.
static uint32_t decisions_end(const struct rh_reduction *reduction, const struct rh_path *path,
                              uint32_t index)
{
    return index + 1 < reduction->length ? reduction->points[index + 1].decision : path->length;
}

static bool has_fault(const struct rh_reduction *reduction, const struct rh_path *path,
                      uint32_t index)
{
    uint32_t end = decisions_end(reduction, path, index);
    for (uint32_t i = reduction->points[index].decision + 1; i < end; i++)
        if (rh_decision_is_fault(&path->decisions[i]))
            return true;
    return false;
}

static uint32_t add_list(struct rh_reduction *reduction, const struct rh_decision *decisions,
                         uint32_t count, bool ways)
{
    uint32_t *values = rh_alloc(sizeof *values * count);
    for (uint32_t i = 0; i < count; i++)
        values[i] = ways ? rh_choice_pack(decisions[i].count, (uint32_t)decisions[i].identity)
                         : decisions[i].index;
    uint32_t list = rh_lists_add(&reduction->memory.outcomes, values, count);
    free(values);
    return list;
}

static void set_outcome(struct rh_reduction *reduction, const struct rh_path *path, uint32_t index,
                        struct rh_label *label)
{
    uint32_t first = reduction->points[index].decision + 1;
    uint32_t end = decisions_end(reduction, path, index);
    label->outcome = RH_ANY_OUTCOME;
    if (end <= first)
        return;
    label->outcome = add_list(reduction, path->decisions + first, end - first, false);
    label->ways = add_list(reduction, path->decisions + first, end - first, true);
}

// The delivery as it was made, with what its choices gave.
struct rh_label rh_made_label(struct rh_reduction *reduction, const struct rh_path *path,
                              uint32_t index)
{
    struct rh_label label = reduction->points[index].label;
    set_outcome(reduction, path, index, &label);
    label.is_faulty = label.is_crash || has_fault(reduction, path, index);
    return label;
}

// Races.

bool rh_was_deliverable(const struct rh_reduction *reduction, const struct rh_point *at,
                        uint64_t identity)
{
    for (uint32_t i = 0; i < at->identity_count; i++)
        if (reduction->identities[at->identities + i] == identity)
            return true;
    return false;
}

static bool is_in_channel(const struct rh_point *first, const struct rh_point *second)
{
    return first->sender == second->sender && first->coming == second->coming &&
           first->is_ordered && second->is_ordered;
}

// Whether the order rule holds for the late delivery.
static bool is_in_order(const struct rh_reduction *reduction, const struct rh_point *late)
{
    return late->is_ordered && (reduction->is_fifo || late->coming != 0);
}

bool rh_comes_of(const struct rh_reduction *reduction, uint32_t cause, uint32_t point)
{
    return cause != RH_NONE &&
           (cause == point || (cause > point && has_bit(row(reduction, cause), point)));
}

static bool depends_on_sender(const struct rh_reduction *reduction, const struct rh_point *late,
                              uint32_t point)
{
    bool is_before = late->sent_by != RH_NONE && late->sent_by > point;
    return (is_before && late->is_after_all) || rh_comes_of(reduction, late->sent_by, point) ||
           rh_comes_of(reduction, late->also_by, point);
}

// Whether the receiver waits for a reply when this message comes.
static bool meets_waiting(const struct rh_point *point)
{
    return (point->kind == RH_REPLY || point->kind == RH_CRASH) && point->request != RH_NONE;
}

// Whether both are timers of one receiver, and the first is due earlier.
static bool is_earlier_timer(const struct rh_point *first, const struct rh_point *second)
{
    return first->kind == RH_TIMER && second->kind == RH_TIMER && first->due < second->due;
}

// Whether a delivery to the same receiver, made before `late`, has to come before it in any case.
static bool holds_back(const struct rh_reduction *reduction, const struct rh_point *other,
                       const struct rh_point *late, bool is_first)
{
    // Where the receiver waits, only a reply to its request can come: this one, or another after a
    // fault.
    if (is_first && (meets_waiting(other) || late->kind == RH_REPLY))
        return !meets_waiting(other) || late->kind != RH_REPLY || late->request != other->request;
    bool is_behind = is_earlier_timer(other, late) ||
                     (is_in_order(reduction, late) && is_in_channel(other, late));
    // A message that is refused lets later ones pass.
    return is_behind && (is_first || !rh_world_has_guards());
}

// Whether any delivery to the receiver of `late` from `from` on holds `late` back, but for
// deliveries that commute with the one at `from`: these can come first.
static bool is_held_back(const struct rh_reduction *reduction, uint32_t from,
                         const struct rh_point *late, uint32_t late_index)
{
    bool is_first = true;
    for (uint32_t i = from; i < late_index; i++) {
        const struct rh_point *other = &reduction->points[i];
        bool commutes = i > from && other->segment == reduction->points[from].segment;
        if (other->receiver != late->receiver || commutes)
            continue;
        bool exists = !depends_on_sender(reduction, other, from);
        if ((exists || meets_waiting(other)) && holds_back(reduction, other, late, is_first))
            return true;
        is_first = false;
    }
    // A message that is still pending was not deliverable to begin with if its receiver has not
    // changed since.
    return is_first && late->is_left;
}

// Guards.

// What the receiver's guard says about a message in the state before the delivery at `from`. A
// guard that fails there or never comes back does so in an execution of its own.
static enum rh_answer ask(const struct rh_hindsight *hindsight, uint32_t from, uint32_t message)
{
    struct rh_commute *commute = hindsight->commute;
    if (!hindsight->world || commute->asks_no_more)
        return RH_ANSWER_UNKNOWN;
    atomic_fetch_add_explicit(hindsight->heartbeat, 1, memory_order_relaxed);
    commute->trying = RH_TRYING_GUARD;
    commute->failed = false;
    enum rh_answer answer = rh_world_accepted(hindsight->world, from, message);
    commute->trying = 0;
    return commute->failed ? RH_ANSWER_UNKNOWN : answer;
}

// Whether an earlier message of the same channel would have been accepted before the delivery at
// `from`: then that message comes first. All earlier messages of the channel are there, since the
// sender, which has sent `late` by then, sent them before.
static bool is_behind_accepted(const struct rh_reduction *reduction,
                               const struct rh_hindsight *hindsight, uint32_t from,
                               const struct rh_point *late)
{
    for (uint32_t i = from; i < reduction->length; i++) {
        const struct rh_point *other = &reduction->points[i];
        if (other->is_taken && other->receiver == late->receiver && is_in_channel(other, late) &&
            other->message < late->message && ask(hindsight, from, other->message) == RH_ANSWER_YES)
            return true;
    }
    const struct rh_world *world = hindsight->world;
    uint32_t channel = world->messages[late->message].channel;
    uint32_t i = channel == RH_NONE ? RH_NONE : world->channels.items[channel].first;
    for (; i < late->message; i = world->messages[i].channel_next)
        if (ask(hindsight, from, i) == RH_ANSWER_YES)
            return true;
    return false;
}

// Whether an earlier timer of the receiver, which was set by then, would have been accepted before
// the delivery at `from`: then that timer comes first.
static bool is_behind_timer(const struct rh_reduction *reduction,
                            const struct rh_hindsight *hindsight, uint32_t from,
                            const struct rh_point *late)
{
    for (uint32_t i = from; i < reduction->length; i++) {
        const struct rh_point *other = &reduction->points[i];
        if (other->is_taken && other->receiver == late->receiver && is_earlier_timer(other, late) &&
            !depends_on_sender(reduction, other, from) &&
            ask(hindsight, from, other->message) == RH_ANSWER_YES)
            return true;
    }
    const struct rh_world *world = hindsight->world;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        const struct rh_message *other = &world->messages[i];
        if (other->kind == RH_TIMER && other->receiver == late->receiver &&
            other->due < late->due && other->sent_at <= from &&
            ask(hindsight, from, i) == RH_ANSWER_YES)
            return true;
    }
    return false;
}

// Whether a guard would refuse `late`, which is sent after point `from`, at that point.
static bool would_be_refused(const struct rh_reduction *reduction,
                             const struct rh_hindsight *hindsight, uint32_t from,
                             const struct rh_point *late)
{
    if (!rh_world_has_guards() || !hindsight->world || late->kind == RH_REPLY)
        return false;
    return ask(hindsight, from, late->message) == RH_ANSWER_NO ||
           (is_in_order(reduction, late) && is_behind_accepted(reduction, hindsight, from, late)) ||
           (late->kind == RH_TIMER && is_behind_timer(reduction, hindsight, from, late));
}

// What the receiver of `late` gets between two points: whether it gets something, and whether the
// first and the last of these deliveries depend on the one at `from`. These deliveries depend on
// each other, so if the first depends on `from` all do, and if the last does not none does.
struct between {
    bool is_any, first_depends, last_depends;
};

static struct between look_between(const struct rh_reduction *reduction, uint32_t from,
                                   const struct rh_point *late, uint32_t late_index)
{
    struct between between = {0};
    for (uint32_t i = from + 1; i < late_index; i++) {
        if (reduction->points[i].receiver != late->receiver)
            continue;
        between.last_depends = has_bit(row(reduction, i), from);
        if (!between.is_any)
            between.first_depends = between.last_depends;
        between.is_any = true;
    }
    return between;
}

// Whether `late`, a delivery or a message that is left at the end, could have been delivered at
// point `from` once everything has happened that it needs and that does not depend on `from`.
// `commutes`: others that commute with the delivery at `from` come between it and `late`.
static bool could_come(const struct rh_reduction *reduction, const struct rh_hindsight *hindsight,
                       uint32_t from, const struct rh_point *late, uint32_t late_index,
                       bool commutes)
{
    // A victim that was created later, by a delivery that does not depend on the one at `from`, is
    // there.
    if (late->kind == RH_CRASH)
        return (late->sent_by != RH_NONE && late->sent_by >= from) ||
               rh_was_deliverable(reduction, &reduction->points[from], late->label.identity);
    if (reduction->points[from].receiver != late->receiver) {
        struct between between = look_between(reduction, from, late, late_index);
        // The receiver gets the first of these deliveries anyhow. If it gets all of them it is as
        // it was when `late` was made, or could not be. Otherwise `late` could have come, if at
        // all, before the first that depends on `from`; that one is later, and has been looked at.
        if (between.is_any && !between.first_depends)
            return !between.last_depends && !late->is_left;
    }
    if (late->sent_by == RH_NONE || late->sent_by < from) {
        if (rh_was_deliverable(reduction, &reduction->points[from], late->label.identity))
            return true;
        if (reduction->must_look_up || !commutes)
            return false;
    }
    return !is_held_back(reduction, from, late, late_index) &&
           !would_be_refused(reduction, hindsight, from, late);
}

// Adds deliveries from `from` up to `end` that do not depend on point `at`.
static void collect(struct rh_reduction *reduction, const struct rh_path *path, uint32_t at,
                    uint32_t from, uint32_t end, rh_sequence *sequence)
{
    for (uint32_t i = from; i < end; i++) {
        const struct rh_point *point = &reduction->points[i];
        if (point->is_taken && !point->failed && !has_bit(row(reduction, i), at))
            *rh_vector_push(sequence) = rh_made_label(reduction, path, i);
    }
}

static void push_last(rh_sequence *sequence, const struct rh_label *last)
{
    *rh_vector_push(sequence) = *last;
    rh_label_make_any(&sequence->items[sequence->count - 1]);
}

void rh_try_sequence(struct rh_reduction *reduction, uint32_t at, rh_sequence *sequence)
{
    if (!rh_ways_try(&reduction->memory, &reduction->points[at].ways, sequence))
        rh_reduction_no_room("there is no room for what is left to try");
}

// Gives whether nothing more is to be done about the race, however the execution goes on behind it.
static bool reverse(struct rh_reduction *reduction, const struct rh_path *path, uint32_t at,
                    uint32_t last_index, const struct rh_label *last)
{
    rh_sequence sequence = {0};
    collect(reduction, path, at, at + 1, last_index, &sequence);
    push_last(&sequence, last);
    bool settled = rh_ways_are_settled(&reduction->memory, &reduction->points[at].ways, &sequence);
    if (!settled) {
        if (reduction->memory.is_optimal && last_index + 1 < reduction->length) {
            sequence.count--;
            collect(reduction, path, at, last_index + 1, reduction->length, &sequence);
            push_last(&sequence, last);
        }
        rh_try_sequence(reduction, at, &sequence);
    }
    rh_vector_fini(&sequence);
    return settled;
}

// Points before which no race is looked for, since what lies in their past has to come before them.
struct bars {
    uint64_t *behind; // a bit for each point that is in the past of one of the bars
    size_t words;
    uint32_t segment; // of a bar that touches just the same set as `late`; RH_NONE: none
};

static void add_bar(const struct rh_reduction *reduction, struct bars *bars, uint32_t at,
                    const struct rh_point *late)
{
    const struct rh_point *point = &reduction->points[at];
    if (point->label.touched == late->label.touched)
        bars->segment = point->segment;
    for (size_t i = 0; i < row_words(at); i++)
        bars->behind[i] |= row(reduction, at)[i];
}

// Whether the delivery at point `at` has to come before `late` by the order rule, wherever both can
// come: it took the message in front of `late` in its channel. At any earlier point either that
// message holds `late` back, or the sender had not sent it and so has not sent `late` either.
static bool is_in_front(const struct rh_reduction *reduction, uint32_t at,
                        const struct rh_point *late)
{
    const struct rh_point *point = &reduction->points[at];
    return !reduction->must_look_up && point->receiver == late->receiver &&
           point->segment != late->segment && is_in_order(reduction, late) &&
           is_in_channel(point, late);
}

// Looks for the deliveries before which `late` could have come: the last that it depends on, and
// earlier ones which do not have to come before those, or which `late` could not have come before
// where the later ones are.
bool rh_reverse_races(struct rh_reduction *reduction, const struct rh_hindsight *hindsight,
                      const struct rh_point *late, uint32_t late_index)
{
    bool settled = !reduction->must_look_up;
    struct bars bars = {reduction->behind, row_words(late_index), RH_NONE};
    memset(bars.behind, 0, sizeof *bars.behind * bars.words);
    uint32_t last = RH_NONE, segment = RH_NONE;
    for (uint32_t at = late->previous; at != RH_NONE;
         at = rh_point_before(reduction, at, &late->label)) {
        if (reduction->points[at].segment != segment) {
            segment = reduction->points[at].segment;
            last = at;
        }
        // Deliveries that touch just the same set, and all that they depend on, are in the past of
        // that segment.
        if (bars.segment != RH_NONE && bars.segment != segment)
            break;
        if (has_bit(bars.behind, at))
            continue;
        if (depends_on_sender(reduction, late, at) || is_in_front(reduction, at, late)) {
            add_bar(reduction, &bars, at, late);
        } else if (segment != late->segment &&
                   could_come(reduction, hindsight, at, late, late_index, at != last)) {
            add_bar(reduction, &bars, at, late);
            settled &= reverse(reduction, hindsight->path, at, late_index, &late->label);
        }
    }
    return settled;
}

void rh_analyse_races(struct rh_reduction *reduction, const struct rh_hindsight *hindsight)
{
    for (; reduction->analysed < reduction->length; reduction->analysed++) {
        uint32_t index = reduction->analysed;
        struct rh_point *point = &reduction->points[index];
        if (point->is_taken && !point->is_settled)
            point->is_settled = rh_reverse_races(reduction, hindsight, point, index);
        if (point->is_settled && reduction->settled == index)
            reduction->settled++;
    }
}
