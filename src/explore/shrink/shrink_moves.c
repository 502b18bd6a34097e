// SPDX-License-Identifier: MIT
// A finding that shows in a delivery: which deliveries it needs, and in which order.
#include <stdlib.h>
#include <string.h>

#include "explore/shrink/shrinker.h"

// Leaves out the marked moves, with those that can't be made without them: moves that would have
// come of them, and moves that only a trial shows to depend on them, such as a timer that another
// one has to come before. A lap has to stay as it is.
static bool leave_out(struct rh_shrinker *shrinker, const bool *left_out)
{
    struct rh_schedule draft;
    rh_draft_without(&draft, &shrinker->moves, left_out);
    return shrinker->moves.has_lap ? rh_shrinker_adopt(shrinker, &draft)
                                   : rh_shrinker_adopt_part(shrinker, &draft);
}

// Leaves out the marked moves and no others: in exchanges of several rounds, messages of the next
// round take the place of those of a round that is left out. Steps that can't be made are left out
// as well.
static bool leave_out_round(struct rh_shrinker *shrinker, const bool *left_out)
{
    const struct rh_moves *moves = &shrinker->moves;
    if (moves->has_lap || moves->schedule.sends.count > 0 || !rh_moves_repeat(moves))
        return false;
    struct rh_schedule draft;
    rh_draft_init(&draft, moves);
    for (size_t i = 0; i < moves->items.count; i++)
        if (!left_out[i])
            rh_draft_add(&draft, moves, i);
    rh_draft_forget_identities(&draft);
    draft.stops = true;
    return rh_shrinker_adopt_fewer(shrinker, &draft);
}

// Leaves out all moves that the last one does not depend on. A move depends on what led to it and
// on earlier moves that touch what it touches, and so on for each move that it depends on.
static void leave_out_unrelated(struct rh_shrinker *shrinker)
{
    const struct rh_moves *moves = &shrinker->moves;
    size_t count = moves->items.count, unrelated = 0;
    bool *left_out = rh_alloc(count);
    for (size_t i = 1; i + 1 < count; i++)
        left_out[i] = true;
    for (size_t i = count - 1; i > 0; i--) {
        unrelated += left_out[i];
        if (left_out[i])
            continue;
        left_out[moves->items.items[i].parent] = false;
        for (size_t k = 1; k < i; k++)
            left_out[k] = left_out[k] && !rh_moves_depend(moves, k, i);
    }
    if (unrelated > 0 && !moves->has_lap)
        leave_out(shrinker, left_out);
    free(left_out);
}

static bool is_of_kind(const struct rh_moves *moves, size_t one, size_t other)
{
    const struct rh_step *a = &moves->schedule.steps.items[moves->items.items[one].first];
    const struct rh_step *b = &moves->schedule.steps.items[moves->items.items[other].first];
    return a->kind == b->kind &&
           moves->items.items[one].receiver == moves->items.items[other].receiver &&
           (!a->type || strcmp(a->type, b->type) == 0);
}

static bool has_earlier_of_kind(const struct rh_moves *moves, size_t move)
{
    for (size_t i = 1; i < move; i++)
        if (is_of_kind(moves, i, move))
            return true;
    return false;
}

// Where there are more moves than MANY, they are not tried one by one before those of a kind were
// tried together, if these are at least one in SHARE of all: such trials take no more executions
// than SHARE.
enum { MANY = 100, SHARE = 16 };

static bool leave_out_kind(struct rh_shrinker *shrinker, size_t move)
{
    const struct rh_moves *moves = &shrinker->moves;
    size_t count = 0;
    bool *left_out = rh_alloc(moves->items.count);
    for (size_t i = move; i < moves->items.count; i++)
        count += left_out[i] = is_of_kind(moves, i, move);
    bool is_left_out = count * SHARE >= moves->items.count && leave_out(shrinker, left_out);
    free(left_out);
    return is_left_out;
}

// Tries to do without all messages of a type to an actor. In exchanges that go on and on, such as
// heartbeats, each round leads to the next, so that no single round can be left out; but without
// the answers the program may fail in the first round.
static void leave_out_kinds(struct rh_shrinker *shrinker)
{
    const struct rh_moves *moves = &shrinker->moves;
    for (size_t i = 1; moves->items.count > MANY && i < moves->items.count;)
        if (has_earlier_of_kind(moves, i) || !leave_out_kind(shrinker, i))
            i++;
}

// Tries to do without moves, `chunk` of them at a time, the last ones first: leaving a move out
// changes nothing behind it but for moves that came of it.
static bool leave_out_chunks(struct rh_shrinker *shrinker, size_t chunk)
{
    bool has_changed = false;
    for (size_t end = shrinker->moves.items.count; end > 1 && !shrinker->trial.is_stopped;) {
        size_t first = end > chunk + 1 ? end - chunk : 1;
        bool *left_out = rh_alloc(shrinker->moves.items.count);
        for (size_t i = first; i < end; i++)
            left_out[i] = true;
        has_changed |= leave_out(shrinker, left_out) || leave_out_round(shrinker, left_out);
        free(left_out);
        size_t count = shrinker->moves.items.count;
        end = first < count ? first : count;
    }
    return has_changed;
}

// Delta debugging (Zeller and Hildebrandt, 2002), without its complements: half of the moves, a
// quarter and so on.
static bool thin_out(struct rh_shrinker *shrinker)
{
    bool has_changed = false;
    for (size_t chunk = shrinker->moves.items.count / 2; chunk > 1; chunk /= 2)
        has_changed |= leave_out_chunks(shrinker, chunk);
    while (leave_out_chunks(shrinker, 1))
        has_changed = true;
    return has_changed;
}

// Makes the move `from` just before the move `to`.
static bool move_forward(struct rh_shrinker *shrinker, size_t from, size_t to)
{
    const struct rh_moves *moves = &shrinker->moves;
    struct rh_schedule draft;
    rh_draft_init(&draft, moves);
    for (size_t i = 0; i < moves->items.count; i++) {
        if (i == to)
            rh_draft_add(&draft, moves, from);
        if (i != from)
            rh_draft_add(&draft, moves, i);
        if (moves->has_lap && i == moves->lap)
            *rh_vector_push(&draft.steps) = (struct rh_step){.kind = RH_STEP_LAP};
    }
    draft.stops = !moves->has_lap && !shrinker->shows_at_end;
    return rh_shrinker_adopt(shrinker, &draft);
}

// Whether the two are on the same side of where a lap begins.
static bool are_together(const struct rh_moves *moves, size_t a, size_t b)
{
    return !moves->has_lap || (a <= moves->lap) == (b <= moves->lap);
}

// The first of the moves just before this one that all came against sending order with it.
static size_t find_place(const struct rh_moves *moves, size_t move)
{
    size_t place = move;
    while (place > 1 && rh_moves_are_inverted(moves, place - 1, move) &&
           are_together(moves, place - 1, move))
        place--;
    return place;
}

// The order of moves, each as its rank among the pending messages in sending order, becomes smaller
// each time, so that sorting comes to an end.
bool rh_shrinker_sort(struct rh_shrinker *shrinker)
{
    bool has_changed = false;
    for (size_t i = 2; i < shrinker->moves.items.count && !shrinker->trial.is_stopped;) {
        size_t place = find_place(&shrinker->moves, i);
        bool is_moved = (place < i && move_forward(shrinker, i, place)) ||
                        (place + 1 < i && move_forward(shrinker, i, i - 1));
        has_changed |= is_moved;
        i = is_moved && i > 2 ? i - 1 : i + 1;
    }
    return has_changed;
}

void rh_shrink_moves(struct rh_shrinker *shrinker)
{
    leave_out_unrelated(shrinker);
    leave_out_kinds(shrinker);
    bool has_changed;
    do {
        has_changed = thin_out(shrinker);
        has_changed |= rh_shrinker_simplify(shrinker);
        has_changed |= rh_shrinker_sort(shrinker);
    } while (has_changed && !shrinker->trial.is_stopped);
}
