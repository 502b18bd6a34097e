// SPDX-License-Identifier: MIT
#include "explore/reduce.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "explore/commute.h"
#include "explore/outcomes.h"
#include "explore/shared.h"
#include "explore/wakeup.h"

#define NO_POINT UINT32_MAX

// Reserved, not used up. Executions longer than this can't be reduced: the past of each delivery takes one bit for each
// one before it.
enum { POINTS_MOST = 1 << 16, LABELS_MOST = 1 << 26, IDENTITIES_MOST = 1 << 26 };

// A point of the present execution and the delivery that is made there.
struct point {
    struct rh_label label;
    uint64_t due;
    uint32_t sender, receiver; // slots
    uint32_t sent_by;          // the point whose delivery sent it; NO_POINT: the test's body
    enum rh_message_kind kind;
    uint32_t previous; // the last point before this one that touches the same; NO_POINT: none
    uint32_t
        segment; // the first of the points in a row at this object that commute with each other
    uint32_t decision; // number of its decision in the path
    bool has_begun;    // a delivery has been made here, this one or another
    bool is_taken;     // a delivery is being made or has been
    bool enumerates;   // all outcomes of its choices are tried
    bool failed;       // it has ended its execution
    bool has_failed;   // with this or another outcome
    bool goes_on;      // a delivery has failed here: what does not depend on it is tried as well
    bool
        was_refused; // a guard has refused what was to be made here: what that stood for is tried as well
    uint32_t identities; // of what is deliverable: where in `identities`, and how many
    uint32_t identity_count;
    uint32_t sleep, sleep_count; // in `labels`
    uint32_t wakeup;             // the tree of what is left to begin with; 0: nothing
    uint32_t block_count; // at the first point of a segment: what commutes with each other there
    uint64_t block[RH_COMMUTING_MOST]; // identities
};

struct reduction {
    struct point *points;
    uint64_t *past; // for each point a row of bits: the points that its delivery depends on
    struct rh_label *labels; // a stack
    uint64_t *identities;    // a stack
    uint32_t length;
    uint32_t analysed; // races of points before this one are dealt with
    uint32_t rest;     // the tree for the point that follows the last one
    bool is_optimal;
    bool is_fifo;
    bool
        must_look_up; // what is deliverable depends on more than rules that can be applied afterwards
    struct rh_outcomes outcomes;
    struct rh_wakeup wakeup;
};

// Memory.

// Words of `past` in front of a point's row.
static size_t row_start(uint32_t point)
{
    size_t before = point > 0 ? point - 1 : 0;
    size_t full = before / 64;
    return 64 * (full * (full + 1) / 2) + before % 64 * (full + 1);
}

static size_t row_words(uint32_t point)
{
    return (point + 63) / 64;
}

static uint64_t *row(const struct reduction *reduction, uint32_t point)
{
    return reduction->past + row_start(point);
}

static bool has_bit(const uint64_t *bits, uint32_t bit)
{
    return bits[bit / 64] >> bit % 64 & 1;
}

static void *reserve(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void release(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}

static bool init(void *memory, const struct rh_run_options *options, bool is_optimal)
{
    struct reduction *reduction = memory;
    *reduction = (struct reduction){
        .points = reserve(sizeof *reduction->points * POINTS_MOST),
        .past = reserve(sizeof *reduction->past * row_start(POINTS_MOST)),
        .labels = reserve(sizeof *reduction->labels * LABELS_MOST),
        .identities = reserve(sizeof *reduction->identities * IDENTITIES_MOST),
        .is_optimal = is_optimal,
        .is_fifo = options->order == RH_ORDER_FIFO,
        .must_look_up = rh_world_has_guards() || options->time == RH_TIME_STRICT,
    };
    return reduction->points && reduction->past && reduction->labels && reduction->identities &&
           rh_outcomes_init(&reduction->outcomes) && rh_wakeup_init(&reduction->wakeup);
}

static bool source_init(void *memory, const struct rh_run_options *options)
{
    return init(memory, options, false);
}

static bool optimal_init(void *memory, const struct rh_run_options *options)
{
    return init(memory, options, true);
}

static void reduction_fini(void *memory)
{
    struct reduction *reduction = memory;
    release(reduction->points, sizeof *reduction->points * POINTS_MOST);
    release(reduction->past, sizeof *reduction->past * row_start(POINTS_MOST));
    release(reduction->labels, sizeof *reduction->labels * LABELS_MOST);
    release(reduction->identities, sizeof *reduction->identities * IDENTITIES_MOST);
    rh_outcomes_fini(&reduction->outcomes);
    rh_wakeup_fini(&reduction->wakeup);
}

static void reduction_reset(void *memory)
{
    struct reduction *reduction = memory;
    reduction->length = reduction->analysed = reduction->rest = 0;
    reduction->wakeup.count = 1;
    reduction->wakeup.free = 0;
}

static void no_room(const char *what)
{
    rh_worker_bad_input(rh_failed("%s: --reduction none does without, --max-length makes "
                                  "executions shorter",
                                  what));
}

// Labels.

static uint32_t outcome_of(struct reduction *reduction, const struct rh_path *path, uint32_t index)
{
    const struct point *point = &reduction->points[index];
    uint32_t end =
        index + 1 < reduction->length ? reduction->points[index + 1].decision : path->length;
    if (end <= point->decision + 1)
        return RH_ANY_OUTCOME;
    uint32_t count = end - point->decision - 1;
    uint32_t *values = rh_alloc(sizeof *values * count);
    for (uint32_t i = 0; i < count; i++)
        values[i] = path->decisions[point->decision + 1 + i].index;
    uint32_t list = rh_outcomes_add(&reduction->outcomes, values, count);
    free(values);
    return list;
}

// The delivery as it was made, with what its choices gave.
static struct rh_label made_label(struct reduction *reduction, const struct rh_path *path,
                                  uint32_t index)
{
    struct rh_label label = reduction->points[index].label;
    label.outcome = outcome_of(reduction, path, index);
    return label;
}

static bool is_asleep(const struct reduction *reduction, const struct point *point,
                      const struct rh_label *label)
{
    for (uint32_t i = 0; i < point->sleep_count; i++)
        if (rh_label_covers(&reduction->labels[point->sleep + i], label))
            return true;
    return false;
}

// Races.

static bool was_deliverable(const struct reduction *reduction, const struct point *at,
                            uint64_t identity)
{
    for (uint32_t i = 0; i < at->identity_count; i++)
        if (reduction->identities[at->identities + i] == identity)
            return true;
    return false;
}

static bool is_in_channel(const struct point *first, const struct point *second)
{
    return first->sender == second->sender && first->kind != RH_REPLY && first->kind != RH_TIMER &&
           second->kind != RH_REPLY && second->kind != RH_TIMER;
}

static bool depends_on_sender(const struct reduction *reduction, const struct point *late,
                              uint32_t point)
{
    return late->sent_by != NO_POINT &&
           (late->sent_by == point ||
            (late->sent_by > point && has_bit(row(reduction, late->sent_by), point)));
}

// Whether a delivery to the same receiver, made before `late`, has to come before it in any case.
static bool holds_back(const struct reduction *reduction, const struct point *other,
                       const struct point *late, bool is_first)
{
    if (is_first && other->kind == RH_REPLY)
        return true; // the receiver waits for it
    if (other->kind == RH_TIMER && late->kind == RH_TIMER && other->due < late->due)
        return true;
    // A message that is refused lets later ones pass.
    return reduction->is_fifo && is_in_channel(other, late) && (is_first || !rh_world_has_guards());
}

// The same for all deliveries to the receiver from `from` on, but for those that commute with that one: they can come
// first.
static bool is_held_back(const struct reduction *reduction, uint32_t from, const struct point *late,
                         uint32_t late_index)
{
    bool is_first = true;
    for (uint32_t i = from; i < late_index; i++) {
        const struct point *other = &reduction->points[i];
        bool commutes = i > from && other->segment == reduction->points[from].segment;
        if (other->receiver != late->receiver || commutes)
            continue;
        bool exists = !depends_on_sender(reduction, other, from);
        if ((exists || other->kind == RH_REPLY) && holds_back(reduction, other, late, is_first))
            return true;
        is_first = false;
    }
    // What is still pending was not deliverable to begin with if its receiver has not changed since.
    return is_first && late_index == reduction->length;
}

// Whether deliveries that commute with the one at `from` come between it and `late`.
static bool is_in_segment(const struct reduction *reduction, uint32_t from, uint32_t late_index)
{
    for (uint32_t i = from + 1; i < late_index; i++)
        if (reduction->points[i].segment == reduction->points[from].segment)
            return true;
    return false;
}

// Whether `late`, a delivery or what would be one at the end, could have been made at point `from` once all has
// happened that it needs and that does not depend on `from`.
static bool could_come(const struct reduction *reduction, uint32_t from, const struct point *late,
                       uint32_t late_index)
{
    if (late->sent_by == NO_POINT || late->sent_by < from) {
        if (was_deliverable(reduction, &reduction->points[from], late->label.identity))
            return true;
        if (reduction->must_look_up || !is_in_segment(reduction, from, late_index))
            return false;
    }
    return !is_held_back(reduction, from, late, late_index);
}

// What was delivered after point `at` and does not depend on it, then `last`.
static void collect(struct reduction *reduction, const struct rh_path *path, uint32_t at,
                    uint32_t end, uint32_t last_index, const struct rh_label *last,
                    rh_sequence *sequence)
{
    for (uint32_t i = at + 1; i < end; i++) {
        const struct point *point = &reduction->points[i];
        if (i != last_index && point->is_taken && !point->failed && !has_bit(row(reduction, i), at))
            *rh_vector_push(sequence) = made_label(reduction, path, i);
    }
    *rh_vector_push(sequence) = *last;
    sequence->items[sequence->count - 1].outcome = RH_ANY_OUTCOME;
}

// Whether the search has had all that begins with the sequence. One that is not to be cut short also holds what comes
// after the race, so that a delivery which is not in it does not depend on anything in it.
static bool is_covered(const struct reduction *reduction, const struct point *point,
                       const rh_sequence *sequence)
{
    for (uint32_t i = 0; i < point->sleep_count; i++) {
        const struct rh_label *label = &reduction->labels[point->sleep + i];
        bool is_weak = reduction->is_optimal && !label->fails;
        if (is_weak ? rh_is_weak_initial(label, sequence) : rh_is_initial(label, sequence))
            return true;
    }
    return false;
}

// Source sets: the first delivery of a sequence is enough, unless another that can come first is tried already.
static void shorten(const struct reduction *reduction, const struct point *point,
                    rh_sequence *sequence)
{
    for (uint32_t at = point->wakeup; at != 0; at = reduction->wakeup.nodes[at].next)
        if (rh_is_initial(&reduction->wakeup.nodes[at].label, sequence)) {
            sequence->count = 0;
            return;
        }
    sequence->count = 1;
    sequence->items[0].outcome = RH_ANY_OUTCOME;
}

static void reverse(struct reduction *reduction, const struct rh_path *path, uint32_t at,
                    uint32_t last_index, const struct rh_label *last)
{
    struct point *point = &reduction->points[at];
    uint32_t end = reduction->is_optimal ? reduction->length : last_index;
    rh_sequence sequence = {0};
    collect(reduction, path, at, end, last_index, last, &sequence);
    bool fits = true;
    if (!is_covered(reduction, point, &sequence)) {
        if (!reduction->is_optimal)
            shorten(reduction, point, &sequence);
        fits = rh_wakeup_insert(&reduction->wakeup, &point->wakeup, &sequence);
    }
    rh_vector_fini(&sequence);
    if (!fits)
        no_room("there is no room for what is left to try");
}

// Looks for the deliveries before which this one could have come: in the last segment before its own, and in earlier
// ones as long as it could not have come where the later ones are.
static void reverse_races(struct reduction *reduction, const struct rh_path *path,
                          const struct point *late, uint32_t late_index)
{
    bool is_settled = false;
    uint32_t at = late->previous;
    while (at != NO_POINT && !is_settled) {
        uint32_t segment = reduction->points[at].segment;
        for (; at != NO_POINT && reduction->points[at].segment == segment;
             at = reduction->points[at].previous) {
            if (depends_on_sender(reduction, late, at)) {
                is_settled = true;
            } else if (segment != late->segment && could_come(reduction, at, late, late_index)) {
                is_settled = true;
                reverse(reduction, path, at, late_index, &late->label);
            }
        }
    }
}

static void analyse(struct reduction *reduction, const struct rh_path *path)
{
    for (; reduction->analysed < reduction->length; reduction->analysed++) {
        const struct point *point = &reduction->points[reduction->analysed];
        if (point->is_taken)
            reverse_races(reduction, path, point, reduction->analysed);
    }
}

// Choosing.

static void add_cause(struct reduction *reduction, uint32_t index, uint32_t cause)
{
    uint64_t *bits = row(reduction, index);
    const uint64_t *from = row(reduction, cause);
    for (size_t i = 0; i < row_words(cause); i++)
        bits[i] |= from[i];
    bits[cause / 64] |= UINT64_C(1) << cause % 64;
}

static void learn_past(struct reduction *reduction, uint32_t index)
{
    const struct point *points = reduction->points;
    memset(row(reduction, index), 0, sizeof *reduction->past * row_words(index));
    if (points[index].sent_by != NO_POINT)
        add_cause(reduction, index, points[index].sent_by);
    // All of the segment before its own.
    uint32_t at = points[index].previous;
    while (at != NO_POINT && points[at].segment == points[index].segment)
        at = points[at].previous;
    uint32_t segment = at == NO_POINT ? NO_POINT : points[at].segment;
    for (; at != NO_POINT && points[at].segment == segment; at = points[at].previous)
        add_cause(reduction, index, at);
}

static uint32_t find_previous(const struct reduction *reduction, uint32_t end, uint64_t object)
{
    while (end > 0)
        if (reduction->points[--end].label.object == object)
            return end;
    return NO_POINT;
}

static struct point describe(const struct reduction *reduction,
                             const struct rh_choice_point *choice, const struct rh_message *message,
                             uint32_t end)
{
    struct point point = {
        .label = {.identity = message->identity,
                  .object =
                      rh_footprint_object(choice->footprints, choice->world, message->receiver),
                  .outcome = RH_ANY_OUTCOME},
        .due = message->due,
        .sender = message->sender,
        .receiver = message->receiver,
        .sent_by = message->sent_at == 0 ? NO_POINT : message->sent_at - 1,
        .kind = message->kind,
    };
    point.previous = find_previous(reduction, end, point.label.object);
    point.segment = NO_POINT;
    return point;
}

static bool is_in_block(const struct point *first, uint64_t identity)
{
    for (uint32_t i = 0; i < first->block_count; i++)
        if (first->block[i] == identity)
            return true;
    return false;
}

static bool may_commute(enum rh_message_kind kind)
{
    return kind == RH_PLAIN || kind == RH_ASK;
}

// Finds out which of the messages to the same receiver commute with this one here.
static void find_block(const struct rh_choice_point *choice, uint32_t index, struct point *point)
{
    struct rh_world *world = choice->world;
    uint32_t candidates[64], count = 0;
    candidates[count++] = world->deliverable[index];
    for (uint32_t i = 0; i < choice->count && count < 64; i++) {
        const struct rh_message *message = &world->messages[world->deliverable[i]];
        if (i != index && message->receiver == point->receiver && may_commute(message->kind))
            candidates[count++] = world->deliverable[i];
    }
    uint32_t found = count > 1 ? rh_commute_find(choice->commute, world, candidates, count) : 1;
    for (uint32_t i = 0; found > 1 && i < found; i++)
        point->block[point->block_count++] = world->messages[candidates[i]].identity;
}

// The segment that the delivery continues or begins.
static void find_segment(const struct reduction *reduction, const struct rh_choice_point *choice,
                         uint32_t index, struct point *point)
{
    point->segment = reduction->length - 1;
    if (!choice->commute->on || reduction->must_look_up)
        return;
    uint32_t before =
        point->previous == NO_POINT ? NO_POINT : reduction->points[point->previous].segment;
    if (before != NO_POINT && is_in_block(&reduction->points[before], point->label.identity))
        point->segment = before;
    else if (may_commute(point->kind) &&
             rh_footprint_is_unseen(choice->footprints, choice->world, point->receiver))
        find_block(choice, index, point);
}

// Describes what is about to be delivered. Nothing is changed yet: a worker that dies while it tries what commutes
// leaves everything as it was.
static struct point prepare(const struct reduction *reduction, const struct rh_choice_point *choice,
                            uint32_t index, uint32_t outcome)
{
    uint32_t last = reduction->length - 1;
    const struct point *point = &reduction->points[last];
    const struct rh_message *message = &choice->world->messages[choice->world->deliverable[index]];
    struct point made = describe(reduction, choice, message, last);
    made.label.outcome = outcome;
    made.decision = point->decision;
    made.is_taken = made.has_begun = true;
    made.enumerates = outcome == RH_ANY_OUTCOME;
    made.identities = point->identities;
    made.identity_count = point->identity_count;
    made.sleep = point->sleep;
    made.sleep_count = point->sleep_count;
    made.wakeup = point->wakeup;
    made.was_refused = point->was_refused;
    find_segment(reduction, choice, index, &made);
    return made;
}

static void take(struct reduction *reduction, const struct point *made)
{
    uint32_t last = reduction->length - 1;
    reduction->points[last] = *made;
    learn_past(reduction, last);
    if (reduction->analysed > last)
        reduction->analysed = last;
}

static uint32_t find_deliverable(const struct rh_choice_point *choice, uint64_t identity)
{
    const struct rh_world *world = choice->world;
    for (uint32_t i = 0; i < choice->count; i++)
        if (world->messages[world->deliverable[i]].identity == identity)
            return i;
    return RH_NONE;
}

static uint32_t take_wakeup(struct reduction *reduction, const struct rh_choice_point *choice)
{
    struct point *point = &reduction->points[reduction->length - 1];
    while (point->wakeup != 0) {
        struct rh_label label = reduction->wakeup.nodes[point->wakeup].label;
        uint32_t index = find_deliverable(choice, label.identity);
        struct point made = {0};
        if (index != RH_NONE)
            made = prepare(reduction, choice, index, label.outcome);
        rh_wakeup_take(&reduction->wakeup, &point->wakeup, &reduction->rest);
        if (index != RH_NONE) {
            made.wakeup = point->wakeup;
            take(reduction, &made);
            return index;
        }
        // A guard refuses it here after all, and sequences may have been left out because it stood for them.
        point->was_refused = true;
        rh_wakeup_drop(&reduction->wakeup, reduction->rest);
        reduction->rest = 0;
    }
    return RH_NONE;
}

static uint32_t take_any(struct reduction *reduction, const struct rh_choice_point *choice)
{
    const struct point *point = &reduction->points[reduction->length - 1];
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct rh_label label = {.identity = reduction->identities[point->identities + i],
                                       .outcome = RH_ANY_OUTCOME};
        if (is_asleep(reduction, point, &label))
            continue;
        struct point made = prepare(reduction, choice, i, RH_ANY_OUTCOME);
        take(reduction, &made);
        return i;
    }
    return RH_NONE;
}

static void add_identities(struct reduction *reduction, const struct rh_choice_point *choice,
                           struct point *point)
{
    if (point->identities + choice->count > IDENTITIES_MOST)
        no_room("too many messages are deliverable along one execution");
    point->identity_count = choice->count;
    for (uint32_t i = 0; i < choice->count; i++)
        reduction->identities[point->identities + i] =
            choice->world->messages[choice->world->deliverable[i]].identity;
}

static void inherit_sleep(struct reduction *reduction, const struct point *before,
                          struct point *point)
{
    point->sleep = before->sleep + before->sleep_count;
    for (uint32_t i = 0; i < before->sleep_count; i++) {
        const struct rh_label *label = &reduction->labels[before->sleep + i];
        if (label->object != before->label.object ||
            is_in_block(&reduction->points[before->segment], label->identity))
            reduction->labels[point->sleep + point->sleep_count++] = *label;
    }
    if (point->sleep + point->sleep_count > LABELS_MOST / 2)
        no_room("there is no room for what has been tried");
}

static void add_point(struct reduction *reduction, const struct rh_choice_point *choice)
{
    if (reduction->length == POINTS_MOST)
        no_room("an execution is too long to be reduced");
    struct point *point = &reduction->points[reduction->length];
    *point = (struct point){.decision = choice->path->length, .wakeup = reduction->rest};
    reduction->rest = 0;
    if (reduction->length > 0) {
        const struct point *before = point - 1;
        point->identities = before->identities + before->identity_count;
        inherit_sleep(reduction, before, point);
    }
    reduction->length++;
    add_identities(reduction, choice, point);
}

// Whether the last delivery, with what its choices gave, has been tried where it was made.
static bool was_tried(struct reduction *reduction, const struct rh_path *path)
{
    if (reduction->length == 0)
        return false;
    uint32_t last = reduction->length - 1;
    const struct point *point = &reduction->points[last];
    struct rh_label label = made_label(reduction, path, last);
    return label.outcome != RH_ANY_OUTCOME && point->enumerates &&
           is_asleep(reduction, point, &label);
}

static uint32_t choose_outcome(const struct reduction *reduction,
                               const struct rh_choice_point *choice)
{
    if (reduction->length == 0)
        return 0;
    const struct point *point = &reduction->points[reduction->length - 1];
    if (point->label.outcome == RH_ANY_OUTCOME)
        return 0;
    uint32_t outcome = rh_outcomes_get(&reduction->outcomes, point->label.outcome,
                                       choice->path->length - point->decision - 1);
    return outcome < choice->count ? outcome : 0;
}

// What is pending and will never be delivered races with the delivery that made it so.
static void analyse_pending(struct reduction *reduction, const struct rh_choice_point *choice)
{
    struct rh_world *world = choice->world;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next) {
        struct point late = describe(reduction, choice, &world->messages[i], reduction->length);
        reverse_races(reduction, choice->path, &late, reduction->length);
    }
}

static uint32_t reduction_choose(void *memory, const struct rh_choice_point *choice)
{
    struct reduction *reduction = memory;
    if (!choice->is_delivery)
        return choose_outcome(reduction, choice);
    bool is_new = choice->world->number == reduction->length;
    if (is_new && was_tried(reduction, choice->path)) {
        *choice->pruned = true;
        return RH_NONE;
    }
    if (is_new)
        add_point(reduction, choice);
    const struct point *point = &reduction->points[reduction->length - 1];
    uint32_t index = take_wakeup(reduction, choice);
    bool may_be_any =
        index == RH_NONE && (!point->has_begun || point->goes_on || point->was_refused);
    if (may_be_any)
        index = take_any(reduction, choice);
    if (index == RH_NONE && may_be_any) {
        // All that could come now has been tried here. What can't any more might have come earlier.
        analyse(reduction, choice->path);
        analyse_pending(reduction, choice);
    }
    *choice->pruned = index == RH_NONE;
    return index;
}

// The end of an execution.

static void reduction_ended(void *memory, const struct rh_choice_point *choice)
{
    struct reduction *reduction = memory;
    if (was_tried(reduction, choice->path)) {
        *choice->pruned = true;
        return;
    }
    analyse(reduction, choice->path);
    analyse_pending(reduction, choice);
}

// Going back.

// Another outcome for the last choice of the point's delivery that has one.
static bool next_outcome(const struct point *point, struct rh_path *path)
{
    for (; path->length > point->decision + 1; path->length--) {
        struct rh_decision *last = &path->decisions[path->length - 1];
        if (!point->enumerates || last->index + 1 >= last->count)
            continue;
        last->index++;
        path->keep = path->length - 1;
        return true;
    }
    return false;
}

static void put_to_sleep(struct reduction *reduction, struct point *point)
{
    point->label.fails = point->has_failed;
    reduction->labels[point->sleep + point->sleep_count++] = point->label;
    point->is_taken = false;
}

// Whether there is more to begin with at the last point.
static bool retry_point(struct reduction *reduction, struct rh_path *path)
{
    struct point *point = &reduction->points[reduction->length - 1];
    if (point->is_taken) {
        if (next_outcome(point, path)) {
            point->failed = false;
            // Sequences hold what was chosen: the races before this point lead to others now.
            reduction->analysed = 0;
            return true;
        }
        point->goes_on = point->failed;
        put_to_sleep(reduction, point);
    } else {
        point->goes_on = point->was_refused = false;
    }
    path->length = path->keep = point->decision;
    return point->wakeup != 0 || point->goes_on || point->was_refused;
}

static bool reduction_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct reduction *reduction = memory;
    if (path->cut && reduction->length > 0) {
        // What was to follow the delivery that failed is tried without it.
        struct point *last = &reduction->points[reduction->length - 1];
        last->failed = last->has_failed = true;
        rh_wakeup_graft(&reduction->wakeup, &last->wakeup, reduction->rest);
        reduction->rest = 0;
    }
    analyse(reduction, path);
    rh_wakeup_drop(&reduction->wakeup, reduction->rest);
    reduction->rest = 0;
    for (; reduction->length > 0; reduction->length--)
        if (retry_point(reduction, path))
            return true;
    // What the test's body chose.
    return rh_strategy_dfs.next(memory, path, executions);
}

const struct rh_strategy_ops rh_strategy_source = {
    "source",         source_init,     reduction_fini, reduction_reset,
    reduction_choose, reduction_ended, reduction_next};
const struct rh_strategy_ops rh_strategy_optimal = {
    "optimal",        optimal_init,    reduction_fini, reduction_reset,
    reduction_choose, reduction_ended, reduction_next};
