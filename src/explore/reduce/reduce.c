// SPDX-License-Identifier: MIT
#include "explore/reduce/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/mapping.h"
#include "explore/reduce/reduction.h"
#include "explore/strategy/estimate.h"

enum { BEHIND_SIZE = RH_POINTS_MOST / 8 };

static bool init(void *memory, const struct rh_run_options *options, bool is_optimal)
{
    struct rh_reduction *reduction = memory;
    *reduction = (struct rh_reduction){
        .points = rh_map_shared(sizeof *reduction->points * RH_POINTS_MOST),
        .blocks = rh_map_shared(sizeof *reduction->blocks * RH_POINTS_MOST),
        .past = rh_map_shared(sizeof *reduction->past * rh_row_start(RH_POINTS_MOST)),
        .behind = rh_map_shared(BEHIND_SIZE),
        .identities = rh_map_shared(sizeof *reduction->identities * RH_IDENTITIES_MOST),
        .remembers = options->states != RH_STATES_NONE,
        .is_fifo = options->order_rule == RH_ORDER_FIFO,
        .must_look_up = rh_world_has_guards() || options->time == RH_TIME_STRICT,
    };
    return reduction->points && reduction->blocks && reduction->past && reduction->behind &&
           reduction->identities && rh_ways_init(&reduction->memory, is_optimal) &&
           (!reduction->remembers || rh_visits_init(&reduction->visits));
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
    struct rh_reduction *reduction = memory;
    rh_unmap_shared(reduction->points, sizeof *reduction->points * RH_POINTS_MOST);
    rh_unmap_shared(reduction->blocks, sizeof *reduction->blocks * RH_POINTS_MOST);
    rh_unmap_shared(reduction->past, sizeof *reduction->past * rh_row_start(RH_POINTS_MOST));
    rh_unmap_shared(reduction->behind, BEHIND_SIZE);
    rh_unmap_shared(reduction->identities, sizeof *reduction->identities * RH_IDENTITIES_MOST);
    rh_ways_fini(&reduction->memory);
    if (reduction->remembers)
        rh_visits_fini(&reduction->visits);
}

static void reduction_reset(void *memory)
{
    struct rh_reduction *reduction = memory;
    reduction->length = reduction->analysed = reduction->settled = reduction->rest = 0;
    reduction->has_ended = false;
    rh_ways_reset(&reduction->memory);
    rh_visits_reset(&reduction->visits);
}

_Noreturn void rh_reduction_no_room(const char *what)
{
    rh_world_bad_input(rh__process.world, rh_status_make(RH_NO_ROOM, "%s", what));
}

// Choosing.

static bool may_commute(enum rh_message_kind kind)
{
    return kind == RH_PLAIN || kind == RH_ASK;
}

static uint32_t request_of(const struct rh_world *world, const struct rh_message *message)
{
    const struct rh_actor_record *receiver = &world->actors[message->receiver];
    if (message->kind == RH_CRASH)
        return receiver->status == RH_ACTOR_WAITING ? receiver->request : RH_NONE;
    return message->kind == RH_REPLY ? message->request : RH_NONE;
}

struct rh_point rh_describe(const struct rh_reduction *reduction,
                            const struct rh_choice_point *choice, const struct rh_message *message,
                            uint32_t end)
{
    struct rh_point point = {
        .label = {.identity = message->identity,
                  .touched = rh_footprints_of(choice->footprints, choice->world, message),
                  .outcome = RH_ANY_OUTCOME,
                  .is_crash = message->kind == RH_CRASH,
                  .is_faulty = message->kind == RH_CRASH},
        .due = message->due,
        .sender = message->sender,
        .receiver = message->receiver,
        .sent_by = message->sent_at == 0 ? RH_NONE : message->sent_at - 1,
        .also_by = message->also_sent_at == 0 ? RH_NONE : message->also_sent_at - 1,
        .kind = message->kind,
        .message = (uint32_t)(message - choice->world->messages),
        .coming = message->coming,
        .is_after_all = message->is_after_all,
        .is_ordered = may_commute(message->kind) && message->copy == 0,
        .request = request_of(choice->world, message),
    };
    point.previous = rh_find_previous(reduction, end, &point.label);
    point.segment = RH_NONE;
    return point;
}

// Whether the message commutes with those of the segment that begins at point `first`.
static bool is_in_block(const struct rh_reduction *reduction, uint32_t first, uint64_t identity)
{
    for (uint32_t i = 0; i < reduction->points[first].block_count; i++)
        if (reduction->blocks[first].identities[i] == identity)
            return true;
    return false;
}

// Finds out which of the messages to the same receiver commute with this one here, at the last
// point.
static void find_block(const struct rh_reduction *reduction, const struct rh_choice_point *choice,
                       uint32_t index, struct rh_point *point)
{
    struct rh_world *world = choice->world;
    uint64_t *identities = reduction->blocks[reduction->length - 1].identities;
    uint32_t candidates[64], count = 0;
    candidates[count++] = world->deliverable[index];
    for (uint32_t i = 0; i < choice->count && count < 64; i++) {
        const struct rh_message *message = &world->messages[world->deliverable[i]];
        if (i != index && message->receiver == point->receiver && may_commute(message->kind))
            candidates[count++] = world->deliverable[i];
    }
    uint32_t found = count > 1 ? rh_commute_find(choice->commute, world, candidates, count) : 1;
    for (uint32_t i = 0; found > 1 && i < found; i++)
        identities[point->block_count++] = world->messages[candidates[i]].identity;
}

// The segment that the delivery continues or begins.
static void find_segment(const struct rh_reduction *reduction, const struct rh_choice_point *choice,
                         uint32_t index, struct rh_point *point)
{
    point->segment = reduction->length - 1;
    if (!choice->commute->on || reduction->must_look_up)
        return;
    uint32_t before =
        point->previous == RH_NONE ? RH_NONE : reduction->points[point->previous].segment;
    if (before != RH_NONE && is_in_block(reduction, before, point->label.identity))
        point->segment = before;
    else if (may_commute(point->kind) &&
             rh_footprint_is_unseen(choice->footprints, choice->world, point->receiver))
        find_block(reduction, choice, index, point);
}

static uint32_t count_rivals(const struct rh_choice_point *choice, uint32_t receiver)
{
    const struct rh_world *world = choice->world;
    uint32_t count = 0;
    for (uint32_t i = 0; i < choice->count; i++)
        count += world->messages[world->deliverable[i]].receiver == receiver;
    return count;
}

static bool is_wholly_asleep(const struct rh_reduction *reduction, const struct rh_point *point,
                             uint64_t identity)
{
    return rh_is_wholly_asleep(&reduction->memory, &point->ways, identity, &point->ways.left);
}

// Describes the delivery that is about to be made. Nothing is changed yet: a worker that dies while
// it tries what commutes leaves everything as it was.
static struct rh_point prepare(const struct rh_reduction *reduction,
                               const struct rh_choice_point *choice, uint32_t index,
                               const struct rh_label *label)
{
    uint32_t last = reduction->length - 1;
    const struct rh_point *point = &reduction->points[last];
    const struct rh_message *message = &choice->world->messages[choice->world->deliverable[index]];
    struct rh_point made = rh_describe(reduction, choice, message, last);
    made.label.outcome = label->outcome;
    made.label.ways = label->ways;
    made.label.is_faulty = label->is_faulty;
    made.decision = point->decision;
    made.is_taken = made.has_begun = true;
    made.enumerates = label->outcome == RH_ANY_OUTCOME;
    made.has_ended = point->has_ended;
    made.tries_crashes = point->tries_crashes;
    made.message_count = point->message_count;
    made.identities = point->identities;
    made.identity_count = point->identity_count;
    made.ways = point->ways;
    made.awaited = point->awaited;
    made.awaited_count = point->awaited_count;
    made.memory = point->memory;
    made.was_refused = point->was_refused;
    made.tried = point->tried;
    made.rivals = count_rivals(choice, message->receiver);
    find_segment(reduction, choice, index, &made);
    return made;
}

static void take(struct rh_reduction *reduction, const struct rh_point *made)
{
    uint32_t last = reduction->length - 1;
    rh_assert(made->segment <= last && made->message_count <= made->identity_count);
    rh_verify(!is_wholly_asleep(reduction, made, made->label.identity));
    reduction->points[last] = *made;
    rh_learn_past(reduction, last);
    if (reduction->settled > last)
        reduction->settled = last;
    // Sequences of optimal hold all that follows and does not depend on the race: an execution that
    // goes on differently has other sequences, also of races that an earlier execution has shown.
    if (reduction->memory.is_optimal)
        reduction->analysed = reduction->settled;
    else if (reduction->analysed > last)
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

static uint32_t take_wakeup(struct rh_reduction *reduction, const struct rh_choice_point *choice)
{
    struct rh_point *point = &reduction->points[reduction->length - 1];
    while (point->ways.wakeup != 0) {
        struct rh_label label = reduction->memory.wakeup.nodes[point->ways.wakeup].label;
        uint32_t index = find_deliverable(choice, label.identity);
        struct rh_point made = {0};
        if (index != RH_NONE)
            made = prepare(reduction, choice, index, &label);
        rh_wakeup_take(&reduction->memory.wakeup, &point->ways.wakeup, &reduction->rest);
        if (index != RH_NONE) {
            made.ways.wakeup = point->ways.wakeup;
            take(reduction, &made);
            return index;
        }
        // A guard refuses the message here after all, and sequences may have been left out because
        // it stood for them.
        point->was_refused = true;
        rh_wakeup_drop(&reduction->memory.wakeup, reduction->rest);
        reduction->rest = 0;
    }
    return RH_NONE;
}

// The first message or crash that is deliverable and not asleep, messages before crashes.
static uint32_t find_untried(const struct rh_reduction *reduction, const struct rh_point *point)
{
    for (uint32_t i = point->has_ended; i < point->identity_count; i++) {
        if (!is_wholly_asleep(reduction, point, reduction->identities[point->identities + i]))
            return i;
    }
    return RH_NONE;
}

static uint32_t take_any(struct rh_reduction *reduction, const struct rh_choice_point *choice)
{
    const struct rh_point *point = &reduction->points[reduction->length - 1];
    uint32_t index = find_untried(reduction, point);
    if (index == RH_NONE)
        return RH_NONE;
    const struct rh_label label = {.outcome = RH_ANY_OUTCOME,
                                   .is_faulty = index >= point->message_count};
    struct rh_point made = prepare(reduction, choice, index, &label);
    made.tries_crashes = label.is_faulty;
    take(reduction, &made);
    return index;
}

static void add_identities(struct rh_reduction *reduction, const struct rh_choice_point *choice,
                           struct rh_point *point)
{
    if (point->identities + choice->count > RH_IDENTITIES_MOST)
        rh_reduction_no_room("too many messages are deliverable along one execution");
    point->identity_count = choice->count;
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct rh_message *message = &choice->world->messages[choice->world->deliverable[i]];
        reduction->identities[point->identities + i] = message->identity;
        point->message_count += message->kind < RH_CRASH;
        point->has_ended |= message->kind == RH_END;
    }
    point->tries_crashes = point->has_ended;
}

// Whether what sleeps goes on sleeping behind a delivery of the same segment.
struct block {
    const struct rh_reduction *reduction;
    uint32_t first;
};
static bool commutes(const void *context, const struct rh_label *sleeping)
{
    const struct block *block = context;
    return is_in_block(block->reduction, block->first, sleeping->identity);
}

static void inherit_sleep(struct rh_reduction *reduction, const struct rh_point *before,
                          struct rh_point *point)
{
    const struct block block = {reduction, before->segment};
    if (!rh_ways_inherit(&reduction->memory, &before->ways, &before->label, commutes, &block,
                         &point->ways))
        rh_reduction_no_room("there is no room for what has been tried");
}

static void add_point(struct rh_reduction *reduction, const struct rh_choice_point *choice)
{
    if (reduction->length == RH_POINTS_MOST)
        rh_reduction_no_room("an execution is too long to be reduced");
    struct rh_point *point = &reduction->points[reduction->length];
    *point = (struct rh_point){.decision = choice->path->length,
                               .ways = {.wakeup = reduction->rest, .left = choice->world->faults}};
    reduction->rest = 0;
    if (reduction->length > 0) {
        struct rh_point *before = point - 1;
        rh_assert(before->is_taken && before->decision < point->decision);
        before->has_survived = true;
        point->identities = before->identities + before->identity_count;
        inherit_sleep(reduction, before, point);
    }
    reduction->length++;
    add_identities(reduction, choice, point);
}

// Whether the last delivery, with what its choices gave, has been tried where it was made.
static bool was_tried(struct rh_reduction *reduction, const struct rh_path *path)
{
    if (reduction->length == 0)
        return false;
    uint32_t last = reduction->length - 1;
    const struct rh_point *point = &reduction->points[last];
    struct rh_label label = rh_made_label(reduction, path, last);
    return label.outcome != RH_ANY_OUTCOME && point->enumerates &&
           rh_is_asleep(&reduction->memory, &point->ways, &label);
}

// Whether the search has had all that begins with the choices that the path has for the delivery at
// the point.
static bool were_tried(const struct rh_reduction *reduction, const struct rh_path *path,
                       const struct rh_point *point, const uint32_t *next)
{
    rh_outcomes outcomes = {0};
    for (uint32_t i = point->decision + 1; i < path->length; i++)
        *rh_vector_push(&outcomes) = path->decisions[i].index;
    if (next)
        *rh_vector_push(&outcomes) = *next;
    bool all = rh_are_asleep(&reduction->memory, &point->ways, point->label.identity,
                             &point->ways.left, &outcomes);
    rh_vector_fini(&outcomes);
    return all;
}

static uint32_t first_untried(const struct rh_reduction *reduction,
                              const struct rh_choice_point *choice, const struct rh_point *point)
{
    for (uint32_t outcome = 0; outcome < choice->count; outcome++)
        if (!were_tried(reduction, choice->path, point, &outcome))
            return outcome;
    return 0;
}

static uint32_t choose_outcome(const struct rh_reduction *reduction,
                               const struct rh_choice_point *choice)
{
    if (reduction->length == 0)
        return 0;
    const struct rh_point *point = &reduction->points[reduction->length - 1];
    if (point->label.outcome == RH_ANY_OUTCOME)
        return first_untried(reduction, choice, point);
    uint32_t outcome = rh_lists_get(&reduction->memory.outcomes, point->label.outcome,
                                    choice->path->length - point->decision - 1);
    return outcome < choice->count ? outcome : 0;
}

static struct rh_hindsight look_back(const struct rh_choice_point *choice)
{
    return (struct rh_hindsight){choice->path, choice->world, choice->commute, choice->heartbeat};
}

static void analyse_late(struct rh_reduction *reduction, const struct rh_choice_point *choice,
                         uint32_t message)
{
    struct rh_point late =
        rh_describe(reduction, choice, &choice->world->messages[message], reduction->length);
    late.is_left = true;
    const struct rh_hindsight hindsight = look_back(choice);
    rh_reverse_races(reduction, &hindsight, &late, reduction->length);
}

// Whether a message that must come first is left over as well: then its races are all there is to
// try.
static bool is_behind_another(const struct rh_message *message)
{
    return message->channel != RH_NONE && message->channel_previous != RH_NONE &&
           !rh_world_has_guards();
}

// A message that is pending and will never be delivered races with the delivery that made it
// undeliverable. A crash that may still come could have come before, and so could the crash of an
// actor that has stopped.
static void analyse_pending(struct rh_reduction *reduction, const struct rh_choice_point *choice)
{
    struct rh_world *world = choice->world;
    for (uint32_t i = world->first_pending; i != RH_NONE; i = world->messages[i].next)
        if (!is_behind_another(&world->messages[i]))
            analyse_late(reduction, choice, i);
    for (uint32_t slot = 1; slot < world->actor_count && world->faults.crashes > 0; slot++)
        if (world->actors[slot].status != RH_ACTOR_OUTSIDE &&
            world->actors[slot].status != RH_ACTOR_CRASHED)
            analyse_late(reduction, choice, world->actors[slot].crash);
}

static void analyse_all(struct rh_reduction *reduction, const struct rh_choice_point *choice)
{
    const struct rh_hindsight hindsight = look_back(choice);
    rh_analyse_races(reduction, &hindsight);
    analyse_pending(reduction, choice);
}

// The point that was added last is no part of the execution.
static void drop_point(struct rh_reduction *reduction)
{
    rh_wakeup_drop(&reduction->memory.wakeup, reduction->points[--reduction->length].ways.wakeup);
}

static uint32_t reduction_choose(void *memory, const struct rh_choice_point *choice)
{
    struct rh_reduction *reduction = memory;
    if (!choice->is_delivery)
        return choose_outcome(reduction, choice);
    bool is_new = choice->world->number == reduction->length;
    if (is_new && was_tried(reduction, choice->path)) {
        *choice->pruned = true;
        return RH_NONE;
    }
    if (is_new) {
        add_point(reduction, choice);
        if (reduction->remembers && rh_revisit(reduction, choice)) {
            drop_point(reduction);
            *choice->pruned = true;
            return RH_NONE;
        }
    }
    const struct rh_point *point = &reduction->points[reduction->length - 1];
    if (is_new && point->has_ended)
        return 0;
    uint32_t index = take_wakeup(reduction, choice);
    bool may_be_any = index == RH_NONE && (!point->has_begun || point->goes_on ||
                                           point->was_refused || point->tries_crashes);
    // All messages that could come now have been tried here. Messages that can't come any more
    // might have come earlier, and so might crashes for which the one that is tried next leaves no
    // room.
    if (may_be_any && find_untried(reduction, point) >= point->message_count)
        analyse_all(reduction, choice);
    if (may_be_any)
        index = take_any(reduction, choice);
    *choice->pruned = index == RH_NONE;
    return index;
}

// The end of an execution.

static void reduction_ended(void *memory, const struct rh_choice_point *choice)
{
    struct rh_reduction *reduction = memory;
    if (was_tried(reduction, choice->path)) {
        *choice->pruned = true;
        return;
    }
    reduction->has_ended = true;
    if (reduction->length > 0)
        reduction->points[reduction->length - 1].has_survived = true;
    analyse_all(reduction, choice);
    if (!reduction->remembers)
        return;
    add_point(reduction, choice);
    *choice->pruned = rh_revisit(reduction, choice);
    if (!*choice->pruned)
        rh_visit_end(reduction);
    drop_point(reduction);
}

// Going back.

static void put_to_sleep(struct rh_reduction *reduction, struct rh_point *point)
{
    point->label.fails = point->has_failed;
    rh_ways_put_to_sleep(&reduction->memory, &point->ways, &point->label);
    point->is_taken = false;
    point->tried++;
}

// Whether no delivery without a fault that goes on has been tried here, although one may be. Such a
// delivery can be followed by as many faults as anything else that begins here, so that all races
// which matter show behind it, and not only those that fit between more faults.
static bool has_only_faults(const struct rh_reduction *reduction, const struct rh_point *point)
{
    for (uint32_t i = 0; i < point->ways.sleep_count; i++) {
        const struct rh_label *label = &reduction->memory.labels[point->ways.sleep + i];
        if (!label->is_faulty && !label->fails)
            return false;
    }
    return point->ways.sleep_count > 0 && find_untried(reduction, point) < point->message_count;
}

// Goes on to an outcome of the delivery's choices that has not been tried.
static bool next_outcome(const struct rh_reduction *reduction, struct rh_path *path,
                         const struct rh_point *point)
{
    while (rh_path_next_outcome(path, point->decision + 1))
        if (!were_tried(reduction, path, point, NULL))
            return true;
    return false;
}

// Whether there is more to begin with at the last point.
static bool retry_point(struct rh_reduction *reduction, struct rh_path *path)
{
    struct rh_point *point = &reduction->points[reduction->length - 1];
    if (point->is_taken) {
        if (point->enumerates && next_outcome(reduction, path, point)) {
            point->failed = false;
            // Sequences hold what was chosen: the races before this point lead to other sequences
            // now.
            if (reduction->settled > reduction->length)
                reduction->settled = reduction->length;
            reduction->analysed = reduction->settled;
            return true;
        }
        // If every outcome had been tried before, nothing was seen behind them: another delivery
        // shows what comes.
        point->goes_on = point->failed || !point->has_survived;
        put_to_sleep(reduction, point);
    } else {
        point->goes_on = point->was_refused = false;
    }
    path->length = path->keep = point->decision;
    if (point->ways.wakeup == 0)
        point->goes_on |= has_only_faults(reduction, point);
    return point->ways.wakeup != 0 || point->goes_on || point->was_refused ||
           (point->tries_crashes && find_untried(reduction, point) != RH_NONE);
}

static bool reduction_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct rh_reduction *reduction = memory;
    if (path->cut && !reduction->has_ended && reduction->length > 0) {
        // What was to follow the delivery that failed is tried without it.
        struct rh_point *last = &reduction->points[reduction->length - 1];
        last->failed = last->has_failed = true;
        rh_wakeup_graft(&reduction->memory.wakeup, &last->ways.wakeup, reduction->rest);
        reduction->rest = 0;
    }
    reduction->has_ended = false;
    rh_analyse_races(reduction, &(struct rh_hindsight){.path = path});
    rh_wakeup_drop(&reduction->memory.wakeup, reduction->rest);
    reduction->rest = 0;
    for (; reduction->length > 0; reduction->length--) {
        if (retry_point(reduction, path))
            return true;
        if (reduction->remembers)
            rh_visit_end(reduction);
    }
    // The choices of the test's body.
    return rh_strategy_dfs.next(memory, path, executions);
}

// Estimating.

static int by_decision(const void *decision, const void *point)
{
    uint32_t wanted = *(const uint32_t *)decision,
             here = ((const struct rh_point *)point)->decision;
    return wanted < here ? -1 : wanted > here;
}

// Of the messages that the receiver could have got, how many the search has tried elsewhere.
static uint32_t count_asleep(const struct rh_reduction *reduction, const struct rh_point *point)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i + point->tried < point->ways.sleep_count; i++)
        count += rh_depends(reduction->memory.labels[point->ways.sleep + i].touched,
                            point->label.touched);
    return count;
}

// How much is left to begin with is known only in part: more turns up while other branches are
// searched. In the end it is often all that the receiver could have got. Further branches begin
// somewhere else and come to the receiver later: much of what follows them has been tried in other
// branches, so they are taken to weigh half.
static bool branches_of_point(const void *memory, const struct rh_path *path, uint32_t index,
                              struct rh_branches *branches)
{
    const struct rh_reduction *reduction = memory;
    const struct rh_point *point = bsearch(&index, reduction->points, reduction->length,
                                           sizeof *reduction->points, by_decision);
    if (!point)
        return rh_branches_of_decision(memory, path, index, branches);
    uint32_t known = point->tried + point->is_taken;
    for (uint32_t at = point->ways.wakeup; at != 0; at = reduction->memory.wakeup.nodes[at].next)
        known++;
    uint32_t asleep = count_asleep(reduction, point);
    uint32_t rivals = point->rivals > asleep ? point->rivals - asleep : 0;
    uint32_t begun = point->tried + point->is_taken;
    uint32_t whole = rivals > begun ? rivals : begun;
    *branches = (struct rh_branches){point->tried, known > whole ? (known + whole) / 2.0 : whole};
    return true;
}

static double reduction_estimate(const void *memory, const struct rh_path *path,
                                 uint64_t executions)
{
    return rh_estimate(branches_of_point, memory, path, executions);
}

const struct rh_strategy_ops rh_strategy_source = {.name = "source",
                                                   .can_complete = true,
                                                   .takes = RH_TAKES_COMMUTING | RH_TAKES_STATES,
                                                   .init = source_init,
                                                   .fini = reduction_fini,
                                                   .reset = reduction_reset,
                                                   .choose = reduction_choose,
                                                   .ended = reduction_ended,
                                                   .next = reduction_next,
                                                   .estimate = reduction_estimate};
const struct rh_strategy_ops rh_strategy_optimal = {.name = "optimal",
                                                    .can_complete = true,
                                                    .takes = RH_TAKES_COMMUTING,
                                                    .init = optimal_init,
                                                    .fini = reduction_fini,
                                                    .reset = reduction_reset,
                                                    .choose = reduction_choose,
                                                    .ended = reduction_ended,
                                                    .next = reduction_next,
                                                    .estimate = reduction_estimate};
