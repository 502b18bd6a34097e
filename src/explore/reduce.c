// SPDX-License-Identifier: MIT
#include "explore/reduce.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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
    uint32_t previous;   // the last point before this one that touches the same; NO_POINT: none
    uint32_t race;       // the point before which this delivery could have come; NO_POINT: none
    uint32_t decision;   // number of its decision in the path
    bool is_taken;       // a delivery is being made or has been
    bool enumerates;     // all outcomes of its choices are tried
    bool failed;         // it has ended its execution
    bool has_failed;     // with this or another outcome
    bool goes_on;        // a delivery has failed here: what does not depend on it is tried as well
    uint32_t identities; // of what is deliverable: where in `identities`, and how many
    uint32_t identity_count;
    uint32_t sleep, sleep_count; // in `labels`
    uint32_t wakeup;             // the tree of what is left to begin with; 0: nothing
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

static bool init(void *memory, bool is_optimal)
{
    struct reduction *reduction = memory;
    *reduction = (struct reduction){
        .points = reserve(sizeof *reduction->points * POINTS_MOST),
        .past = reserve(sizeof *reduction->past * row_start(POINTS_MOST)),
        .labels = reserve(sizeof *reduction->labels * LABELS_MOST),
        .identities = reserve(sizeof *reduction->identities * IDENTITIES_MOST),
        .is_optimal = is_optimal,
    };
    return reduction->points && reduction->past && reduction->labels && reduction->identities &&
           rh_outcomes_init(&reduction->outcomes) && rh_wakeup_init(&reduction->wakeup);
}

static bool source_init(void *memory, const struct rh_run_options *options)
{
    (void)options;
    return init(memory, false);
}

static bool optimal_init(void *memory, const struct rh_run_options *options)
{
    (void)options;
    return init(memory, true);
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

// A delivery that its receiver makes between `from` and `late` and that has to come before it in any case. What is sent
// later counts as sent at `from` already: nothing that it depends on touches this receiver.
static bool holds_back(const struct rh_world *world, const struct point *other,
                       const struct point *late, bool is_first)
{
    if (is_first && other->kind == RH_REPLY)
        return true; // the receiver waits for it
    if (other->kind == RH_TIMER && late->kind == RH_TIMER && other->due < late->due)
        return true;
    // A message that is refused lets later ones pass.
    return world->options.order == RH_ORDER_FIFO && is_in_channel(other, late) &&
           (is_first || !rh_world_has_guards());
}

static bool depends_on_sender(const struct reduction *reduction, const struct point *late,
                              uint32_t point)
{
    return late->sent_by != NO_POINT &&
           (late->sent_by == point ||
            (late->sent_by > point && has_bit(row(reduction, late->sent_by), point)));
}

// Whether `late`, a delivery or what would be one at the end, could have been made at point `from` once all has
// happened that it needs and that does not depend on `from`.
static bool could_come(const struct reduction *reduction, const struct rh_world *world,
                       uint32_t from, const struct point *late, uint32_t late_index)
{
    if (late->sent_by == NO_POINT || late->sent_by < from)
        return was_deliverable(reduction, &reduction->points[from], late->label.identity);
    bool is_first = true;
    for (uint32_t i = from; i < late_index; i++) {
        const struct point *other = &reduction->points[i];
        if (other->receiver != late->receiver)
            continue;
        bool exists = !depends_on_sender(reduction, other, from);
        if ((exists || other->kind == RH_REPLY) && holds_back(world, other, late, is_first))
            return false;
        is_first = false;
    }
    return true;
}

// The last point before which the delivery could have come; NO_POINT if there is none.
static uint32_t find_race(const struct reduction *reduction, const struct rh_world *world,
                          const struct point *late, uint32_t late_index)
{
    for (uint32_t at = late->previous; at != NO_POINT; at = reduction->points[at].previous) {
        if (depends_on_sender(reduction, late, at))
            return NO_POINT;
        if (could_come(reduction, world, at, late, late_index))
            return at;
    }
    return NO_POINT;
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
    uint32_t end =
        reduction->is_optimal || last_index > reduction->length ? reduction->length : last_index;
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

static void analyse(struct reduction *reduction, const struct rh_path *path)
{
    for (; reduction->analysed < reduction->length; reduction->analysed++) {
        const struct point *point = &reduction->points[reduction->analysed];
        if (point->is_taken && point->race != NO_POINT)
            reverse(reduction, path, point->race, reduction->analysed, &point->label);
    }
}

// Choosing.

static void learn_past(struct reduction *reduction, uint32_t index)
{
    const struct point *point = &reduction->points[index];
    uint64_t *bits = row(reduction, index);
    memset(bits, 0, sizeof *bits * row_words(index));
    const uint32_t causes[] = {point->previous, point->sent_by};
    for (int c = 0; c < 2; c++) {
        if (causes[c] == NO_POINT)
            continue;
        const uint64_t *from = row(reduction, causes[c]);
        for (size_t i = 0; i < row_words(causes[c]); i++)
            bits[i] |= from[i];
        bits[causes[c] / 64] |= UINT64_C(1) << causes[c] % 64;
    }
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
    return point;
}

static void take(struct reduction *reduction, const struct rh_choice_point *choice, uint32_t index,
                 uint32_t outcome)
{
    uint32_t last = reduction->length - 1;
    struct point *point = &reduction->points[last];
    const struct rh_message *message = &choice->world->messages[choice->world->deliverable[index]];
    struct point made = describe(reduction, choice, message, last);
    made.label.outcome = outcome;
    made.decision = point->decision;
    made.is_taken = true;
    made.enumerates = outcome == RH_ANY_OUTCOME;
    made.identities = point->identities;
    made.identity_count = point->identity_count;
    made.sleep = point->sleep;
    made.sleep_count = point->sleep_count;
    made.wakeup = point->wakeup;
    *point = made;
    learn_past(reduction, last);
    point->race = find_race(reduction, choice->world, point, last);
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
        struct rh_label label =
            rh_wakeup_take(&reduction->wakeup, &point->wakeup, &reduction->rest);
        uint32_t index = find_deliverable(choice, label.identity);
        if (index != RH_NONE) {
            take(reduction, choice, index, label.outcome);
            return index;
        }
        // A guard refuses it here after all.
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
        take(reduction, choice, i, RH_ANY_OUTCOME);
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
        if (label->object != before->label.object)
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
    *point = (struct point){
        .decision = choice->path->length, .race = NO_POINT, .wakeup = reduction->rest};
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
        uint32_t at = find_race(reduction, world, &late, reduction->length);
        if (at != NO_POINT)
            reverse(reduction, choice->path, at, NO_POINT, &late.label);
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
    bool may_be_any = point->wakeup == 0 && (is_new || point->goes_on);
    uint32_t index = may_be_any ? take_any(reduction, choice) : take_wakeup(reduction, choice);
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
            return true;
        }
        point->goes_on = point->failed;
        put_to_sleep(reduction, point);
    } else {
        point->goes_on = false;
    }
    path->length = path->keep = point->decision;
    return point->wakeup != 0 || point->goes_on;
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
