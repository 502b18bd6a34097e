// SPDX-License-Identifier: MIT
#include "explore/reduce/dcute.h"

#include <stdlib.h>
#include <string.h>

#include "base/mapping.h"
#include "base/none.h"
#include "explore/dependence/footprint.h"
#include "explore/reduce/reduction.h"
#include "explore/strategy/estimate.h"

// Reserved, not used up.
enum { POINTS_MOST = 1 << 20, WAYS_MOST = 1 << 26 };

// A delivery that can be made at a point.
struct way {
    // What any delivery to the receiver touches: behind a message that can be delivered at the
    // point there may be one that touches more, and can't be delivered yet.
    const struct rh_touched *touched;
    uint32_t rank;  // the actor with the lowest rank is picked first
    uint32_t index; // among the messages that are deliverable at the point
    bool is_crash;
    uint32_t sent_by; // the point whose delivery sent the message; RH_NONE: the test's body
    uint32_t also_by; // an earlier point whose delivery was needed as well; RH_NONE: none
};

struct point {
    uint32_t decision;        // number of the point's decision in the path
    uint32_t ways, way_count; // in `ways`
    uint32_t taken;           // the way that the present execution goes
    uint32_t picked_end;      // ways before this one are to actors that have been picked
    uint32_t previous;        // the last earlier point that this one depends on; RH_NONE: none
    bool needs_delay;         // the actor that was picked last needs delay
    bool is_end;              // nothing is deliverable: to end is a way, crashes are the others
};

struct dcute {
    struct point *points;
    struct way *ways; // a stack
    bool *past;       // for each point, whether the delivery that is looked at depends on it
    uint32_t length;
    enum rh_actor_order order;
};

// Memory.

static bool dcute_init(void *memory, const struct rh_run_options *options)
{
    struct dcute *dcute = memory;
    *dcute = (struct dcute){
        .points = rh_map_shared(sizeof *dcute->points * POINTS_MOST),
        .ways = rh_map_shared(sizeof *dcute->ways * WAYS_MOST),
        .past = rh_map_shared(sizeof *dcute->past * POINTS_MOST),
        .order = options->actor_order,
    };
    return dcute->points && dcute->ways && dcute->past;
}

static void dcute_fini(void *memory)
{
    struct dcute *dcute = memory;
    rh_unmap_shared(dcute->points, sizeof *dcute->points * POINTS_MOST);
    rh_unmap_shared(dcute->ways, sizeof *dcute->ways * WAYS_MOST);
    rh_unmap_shared(dcute->past, sizeof *dcute->past * POINTS_MOST);
}

static void dcute_reset(void *memory)
{
    struct dcute *dcute = memory;
    dcute->length = 0;
}

static void check_room(const struct dcute *dcute, uint32_t ways, uint32_t count)
{
    if (dcute->length < POINTS_MOST && count <= WAYS_MOST - ways)
        return;
    rh_reduction_no_room("an execution is too long to be reduced");
}

static struct way *taken_way(const struct dcute *dcute, uint32_t point)
{
    return &dcute->ways[dcute->points[point].ways + dcute->points[point].taken];
}

// The last point before `end` whose delivery depends on one that touches this set; RH_NONE: none.
static uint32_t find_previous(const struct dcute *dcute, uint32_t end,
                              const struct rh_touched *touched)
{
    while (end-- > 0)
        if (rh_depends(taken_way(dcute, end)->touched, touched))
            return end;
    return RH_NONE;
}

// Delay.

// Adds the deliveries before point `i` that the one at `i` depends on. Behind a delivery that
// touches just the same set, the rest is in the past of that delivery.
static void add_touching(struct dcute *dcute, uint32_t i)
{
    const struct rh_touched *touched = taken_way(dcute, i)->touched;
    for (uint32_t at = dcute->points[i].previous; at != RH_NONE;
         at = find_previous(dcute, at, touched)) {
        dcute->past[at] = true;
        if (taken_way(dcute, at)->touched == touched)
            break;
    }
}

static uint32_t point_of(uint32_t delivery)
{
    return delivery == 0 ? RH_NONE : delivery - 1;
}

static void add_past(struct dcute *dcute, uint32_t point)
{
    if (point != RH_NONE)
        dcute->past[point] = true;
}

// Marks the points that the deliveries at points `last` and `also` depend on, with these points.
static void find_past(struct dcute *dcute, uint32_t last, uint32_t also)
{
    memset(dcute->past, 0, sizeof *dcute->past * last);
    add_past(dcute, last);
    add_past(dcute, also);
    for (uint32_t i = last + 1; i-- > 0;) {
        if (!dcute->past[i])
            continue;
        add_touching(dcute, i);
        add_past(dcute, taken_way(dcute, i)->sent_by);
        add_past(dcute, taken_way(dcute, i)->also_by);
    }
}

// A message whose delivery touches this set could have come before each delivery that depends on it
// and that its sending does not depend on.
static void delay(struct dcute *dcute, const struct rh_touched *touched)
{
    for (uint32_t i = 0; i < dcute->length; i++)
        if (!dcute->past[i] && rh_depends(taken_way(dcute, i)->touched, touched))
            dcute->points[i].needs_delay = true;
}

// Looks at the messages that the last delivery has sent. Messages are numbered in the order in
// which they were sent.
static void look_at_sent(struct dcute *dcute, const struct rh_choice_point *choice)
{
    const struct rh_world *world = choice->world;
    uint32_t end = world->message_count;
    if (world->number == 0 || end == 0 || world->messages[end - 1].sent_at != world->number)
        return;
    uint32_t also = RH_NONE;
    find_past(dcute, world->number - 1, also);
    for (uint32_t i = end; i > 0 && world->messages[i - 1].sent_at == world->number; i--) {
        const struct rh_message *message = &world->messages[i - 1];
        if (point_of(message->also_sent_at) != also) {
            also = point_of(message->also_sent_at);
            find_past(dcute, world->number - 1, also);
        }
        delay(dcute, rh_footprints_of_actor(choice->footprints, world, message->receiver));
    }
}

// Choosing.

static struct way describe(const struct dcute *dcute, const struct rh_choice_point *choice,
                           uint32_t index)
{
    const struct rh_world *world = choice->world;
    const struct rh_message *message = &world->messages[world->deliverable[index]];
    rh_footprints_add_declared(choice->footprints, world, message);
    const uint32_t ranks[] = {[RH_ACTORS_LOW] = message->receiver,
                              [RH_ACTORS_HIGH] = UINT32_MAX - message->receiver,
                              [RH_ACTORS_CREATED] = index};
    return (struct way){
        .touched = rh_footprints_of_actor(choice->footprints, world, message->receiver),
        .rank = ranks[dcute->order],
        .index = index,
        .is_crash = message->kind == RH_CRASH,
        .sent_by = point_of(message->sent_at),
        .also_by = point_of(message->also_sent_at),
    };
}

// A crash need not come, so an actor without messages is never the only one to be picked.
static uint32_t find_lowest(const struct way *ways, uint32_t first, uint32_t count)
{
    uint32_t lowest = first;
    for (uint32_t i = first; i < count; i++)
        if (!ways[i].is_crash && (ways[lowest].is_crash || ways[i].rank < ways[lowest].rank))
            lowest = i;
    return lowest;
}

// Puts the ways that depend on this set behind those to the actors that have been picked.
static void pick_depending(struct dcute *dcute, struct point *point,
                           const struct rh_touched *touched)
{
    struct way *ways = &dcute->ways[point->ways];
    for (uint32_t i = point->picked_end; i < point->way_count; i++) {
        if (!rh_depends(ways[i].touched, touched))
            continue;
        struct way way = ways[i];
        ways[i] = ways[point->picked_end];
        ways[point->picked_end++] = way;
    }
}

// Whether no way that is left depends on one that is picked.
static bool are_apart(const struct dcute *dcute, const struct point *point)
{
    const struct way *ways = &dcute->ways[point->ways];
    for (uint32_t picked = 0; picked < point->picked_end; picked++)
        for (uint32_t left = point->picked_end; left < point->way_count; left++)
            if (rh_depends(ways[picked].touched, ways[left].touched))
                return false;
    return true;
}

// Puts the ways to the next actor behind those to the actors that have been picked, with all ways
// that depend on them and on each other; all ways if only crashes are left, or only the end and
// crashes.
static void pick_actor(struct dcute *dcute, struct point *point)
{
    struct way *ways = &dcute->ways[point->ways];
    uint32_t first = find_lowest(ways, point->picked_end, point->way_count);
    if (ways[first].is_crash || point->is_end) {
        point->picked_end = point->way_count;
        return;
    }
    uint32_t picked = point->picked_end;
    pick_depending(dcute, point, ways[first].touched);
    for (; picked < point->picked_end; picked++)
        pick_depending(dcute, point, ways[picked].touched);
    rh_verify(are_apart(dcute, point));
    point->needs_delay = false;
}

static void take(struct dcute *dcute, uint32_t index, uint32_t way)
{
    struct point *point = &dcute->points[index];
    rh_assert(way < point->picked_end && point->picked_end <= point->way_count);
    point->taken = way;
    point->previous = find_previous(dcute, index, taken_way(dcute, index)->touched);
}

static uint32_t dcute_choose(void *memory, const struct rh_choice_point *choice)
{
    struct dcute *dcute = memory;
    if (!choice->is_delivery)
        return 0;
    uint32_t index = dcute->length = choice->world->number;
    look_at_sent(dcute, choice);
    const struct point *before = index > 0 ? &dcute->points[index - 1] : NULL;
    uint32_t ways = before ? before->ways + before->way_count : 0;
    check_room(dcute, ways, choice->count);
    rh_assert(dcute->points != NULL && (!before || before->decision < choice->path->length));
    struct point *point = &dcute->points[dcute->length++];
    *point = (struct point){
        .decision = choice->path->length,
        .ways = ways,
        .way_count = choice->count,
        .is_end = choice->world->messages[choice->world->deliverable[0]].kind == RH_END,
    };
    for (uint32_t i = 0; i < choice->count; i++)
        dcute->ways[ways + i] = describe(dcute, choice, i);
    pick_actor(dcute, point);
    take(dcute, index, 0);
    return taken_way(dcute, index)->index;
}

static void dcute_ended(void *memory, const struct rh_choice_point *choice)
{
    struct dcute *dcute = memory;
    uint32_t made = choice->world->number;
    bool has_choice = dcute->length > made && dcute->points[made].is_end;
    dcute->length = made;
    look_at_sent(dcute, choice);
    dcute->length += has_choice;
}

// Going back.

static bool next_way(struct dcute *dcute, uint32_t index, struct rh_path *path)
{
    struct point *point = &dcute->points[index];
    uint32_t next = point->taken + 1;
    if (next == point->picked_end && point->needs_delay && next < point->way_count)
        pick_actor(dcute, point);
    if (next == point->picked_end)
        return false;
    take(dcute, index, next);
    struct rh_decision *decision = &path->decisions[point->decision];
    decision->index = taken_way(dcute, index)->index;
    decision->identity = 0;
    path->length = point->decision + 1;
    path->keep = point->decision;
    return true;
}

static bool dcute_next(void *memory, struct rh_path *path, uint64_t executions)
{
    struct dcute *dcute = memory;
    // A delivery that failed hides the messages that would have been sent after it: the other
    // actors are tried without it.
    if (path->cut && dcute->length > 0)
        dcute->points[dcute->length - 1].needs_delay = true;
    for (; dcute->length > 0; dcute->length--) {
        uint32_t last = dcute->length - 1;
        uint32_t decision = dcute->points[last].decision;
        if (rh_path_next_outcome(path, decision + 1) || next_way(dcute, last, path))
            return true;
        path->length = path->keep = decision;
    }
    // The choices of the test's body.
    return rh_strategy_dfs.next(memory, path, executions);
}

// Estimating.

// A point that needs delay will have at least one more actor picked.
static uint32_t expected_ways(const struct point *point)
{
    return point->picked_end + (point->needs_delay && point->picked_end < point->way_count);
}

static int by_decision(const void *decision, const void *point)
{
    uint32_t wanted = *(const uint32_t *)decision, here = ((const struct point *)point)->decision;
    return wanted < here ? -1 : wanted > here;
}

static bool branches_of_point(const void *memory, const struct rh_path *path, uint32_t index,
                              struct rh_branches *branches)
{
    const struct dcute *dcute = memory;
    if (!rh_branches_of_decision(memory, path, index, branches))
        return false;
    const struct point *point =
        bsearch(&index, dcute->points, dcute->length, sizeof *dcute->points, by_decision);
    if (point)
        *branches = (struct rh_branches){point->taken, expected_ways(point)};
    return true;
}

static double dcute_estimate(const void *memory, const struct rh_path *path, uint64_t executions)
{
    return rh_estimate(branches_of_point, memory, path, executions);
}

const struct rh_strategy_ops rh_strategy_dcute = {.name = "dcute",
                                                  .can_complete = true,
                                                  .takes = RH_TAKES_SEQUENCE,
                                                  .init = dcute_init,
                                                  .fini = dcute_fini,
                                                  .reset = dcute_reset,
                                                  .choose = dcute_choose,
                                                  .ended = dcute_ended,
                                                  .next = dcute_next,
                                                  .estimate = dcute_estimate};
