// SPDX-License-Identifier: MIT
#include "cover/sweep.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/reserve.h"
#include "world/memory.h"

bool rh_sweep_open(struct rh_sweep *sweep)
{
    *sweep = (struct rh_sweep){0};
    sweep->of_message = rh_reserve(sizeof *sweep->of_message * RH_MESSAGES_MOST);
    sweep->of_place = rh_reserve(sizeof *sweep->of_place * RH_RECEIVES_MOST);
    sweep->newest = rh_reserve(sizeof *sweep->newest * RH_SLOT_MOST);
    return sweep->of_message && sweep->of_place && sweep->newest;
}

void rh_sweep_close(struct rh_sweep *sweep)
{
    rh_release(sweep->of_message, sizeof *sweep->of_message * RH_MESSAGES_MOST);
    rh_release(sweep->of_place, sizeof *sweep->of_place * RH_RECEIVES_MOST);
    rh_release(sweep->newest, sizeof *sweep->newest * RH_SLOT_MOST);
}

// Kinds.

static uint64_t identity_of(const struct rh_world *world, const struct rh_message *message)
{
    uint64_t sender = rh_hash64_text(world->actors[message->sender].spawned_name, 0);
    uint64_t receiver = rh_hash64_text(world->actors[message->receiver].spawned_name, 0);
    return rh_hash64_pair(rh_hash64_pair(sender, receiver), rh_hash64_text(message->type->name, 0));
}

// RH_NO_NUMBER if it is not known.
static uint32_t kind_of(struct rh_sweep *sweep, const struct rh_record *record,
                        const struct rh_world *world, uint32_t message)
{
    if (message >= RH_MESSAGES_MOST)
        return RH_NO_NUMBER;
    struct rh_record_place *known = &sweep->of_message[message];
    if (known->run != record->number || known->place == RH_NO_NUMBER)
        *known = (struct rh_record_place){
            record->number,
            rh_numbers_find(&sweep->numbers, identity_of(world, &world->messages[message]))};
    return known->place;
}

static void add_kind(struct rh_sweep *sweep, struct rh_store *store, const struct rh_world *world,
                     uint32_t message)
{
    struct rh_sweep_kind *kinds =
        rh_store_grow(store, sweep->kinds, sizeof *kinds, sweep->kind_count, &sweep->kind_capacity);
    if (!kinds)
        return;
    sweep->kinds = kinds;
    if (!rh_numbers_add(&sweep->numbers, store, identity_of(world, &world->messages[message]),
                        sweep->kind_count))
        return;
    bool is_timer = world->messages[message].kind == RH_TIMER;
    kinds[sweep->kind_count++] = (struct rh_sweep_kind){.is_timer = is_timer};
}

void rh_sweep_receive(struct rh_sweep *sweep, struct rh_store *store,
                      const struct rh_record *record, const struct rh_world *world,
                      uint32_t message)
{
    uint32_t place = record->run.count;
    if (place >= RH_RECEIVES_MOST)
        return;
    if (rh_sweep_is_learning(sweep)) {
        if (kind_of(sweep, record, world, message) == RH_NO_NUMBER)
            add_kind(sweep, store, world, message);
        sweep->of_place[place] = kind_of(sweep, record, world, message);
    }
    sweep->newest[world->messages[message].receiver] =
        (struct rh_record_place){record->number, place};
}

// What runs show of kinds.

static struct rh_sweep_kind *kind_at(struct rh_sweep *sweep, const struct rh_receives *run,
                                     uint32_t place)
{
    bool is_known = !rh_receive_is(&run->items[place], RH_RECEIVE_LOST) &&
                    sweep->of_place[place] != RH_NO_NUMBER;
    return is_known ? &sweep->kinds[sweep->of_place[place]] : NULL;
}

// Those that no run has had before.
static void count_kinds(struct rh_sweep *sweep, const struct rh_receives *run)
{
    uint32_t count = sweep->kind_count;
    if (!sweep->kinds)
        return;
    struct rh_sweep_kind *seen = rh_alloc(sizeof *seen * (count + (size_t)1));
    for (uint32_t i = 0; i < run->count; i++)
        if (kind_at(sweep, run, i)) {
            seen[sweep->of_place[i]].messages++;
            seen[sweep->of_place[i]].mean += i;
        }
    for (uint32_t i = 0; i < count; i++)
        if (sweep->kinds[i].messages == 0 && seen[i].messages > 0) {
            sweep->kinds[i].messages = seen[i].messages;
            sweep->kinds[i].mean = seen[i].mean / seen[i].messages;
        }
    free(seen);
}

static void add_pair(struct rh_sweep *sweep, const struct rh_coverage *coverage,
                     const struct rh_receives *run, uint32_t first, uint32_t second)
{
    struct rh_sweep_kind *one = kind_at(sweep, run, first), *other = kind_at(sweep, run, second);
    if (!one || !other)
        return;
    one->competes = other->competes = true;
    one->gain += one != other && !rh_coverage_has(coverage, RH_BITS_PR, run->items[second].event,
                                                  run->items[first].event);
}

void rh_sweep_add_run(struct rh_sweep *sweep, const struct rh_coverage *coverage,
                      const struct rh_receives *run, const struct rh_happens_before *direct)
{
    count_kinds(sweep, run);
    for (uint32_t i = 0; i < sweep->kind_count; i++)
        sweep->kinds[i].gain = 0;
    for (uint32_t i = 0; i < run->count; i++)
        for (uint32_t k = run->items[i].next; k != RH_NOWHERE; k = run->items[k].next)
            if (rh_receives_are_pair(run, i, k) && !rh_must_precede(direct, i, k))
                add_pair(sweep, coverage, run, i, k);
}

// Orders of kinds.

static bool is_ranked(const struct rh_sweep_kind *kind)
{
    return kind->competes && !kind->is_timer;
}

// The kind that a sweep that holds one back holds back; RH_NO_NUMBER if each was last in some sweep.
static uint32_t pick_held(const struct rh_sweep *sweep)
{
    uint32_t picked = RH_NO_NUMBER;
    for (uint32_t i = 0; i < sweep->kind_count; i++)
        if (is_ranked(&sweep->kinds[i]) && !sweep->kinds[i].was_last &&
            (picked == RH_NO_NUMBER || sweep->kinds[i].gain > sweep->kinds[picked].gain))
            picked = i;
    return picked;
}

// Where a kind comes in an order: the least first, by the first key, then by the second.
struct sort_key {
    double keys[2];
    uint32_t kind;
};

static int compare_keys(const void *one, const void *other)
{
    const struct sort_key *first = one, *second = other;
    for (int i = 0; i < 2; i++)
        if (first->keys[i] != second->keys[i])
            return first->keys[i] < second->keys[i] ? -1 : 1;
    return first->kind < second->kind ? -1 : 1;
}

static struct sort_key key_of(const struct rh_sweep *sweep, uint32_t number, uint32_t held)
{
    const struct rh_sweep_kind *kind = &sweep->kinds[number];
    double first = sweep->form == RH_SWEEP_RAREST ? -(double)kind->messages : number == held;
    return (struct sort_key){{first, -kind->mean}, number};
}

static void rank_kinds(struct rh_sweep *sweep)
{
    struct sort_key *sorted = rh_alloc(sizeof *sorted * (sweep->kind_count + (size_t)1));
    uint32_t count = 0;
    uint32_t held = sweep->form == RH_SWEEP_HOLDING ? pick_held(sweep) : RH_NO_NUMBER;
    for (uint32_t i = 0; i < sweep->kind_count; i++) {
        sweep->kinds[i].rank = 0;
        if (is_ranked(&sweep->kinds[i]))
            sorted[count++] = key_of(sweep, i, held);
    }
    qsort(sorted, count, sizeof *sorted, compare_keys);
    for (uint32_t i = 0; i < count; i++)
        sweep->kinds[sorted[i].kind].rank = i + 1;
    if (count > 0)
        sweep->kinds[sorted[count - 1].kind].was_last = true;
    free(sorted);
}

static bool something_competes(const struct rh_sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->kind_count; i++)
        if (sweep->kinds[i].competes)
            return true;
    return false;
}

bool rh_sweep_start(struct rh_sweep *sweep)
{
    if (!something_competes(sweep))
        return false;
    uint32_t number = sweep->started++;
    enum { RANDOM_FORMS = RH_SWEEP_COUNT - RH_SWEEP_MESSAGES };
    sweep->form =
        number < RH_SWEEP_MESSAGES
            ? (enum rh_sweep_form)number
            : (enum rh_sweep_form)(RH_SWEEP_MESSAGES + (number - RH_SWEEP_MESSAGES) % RANDOM_FORMS);
    if (sweep->form < RH_SWEEP_MESSAGES)
        rank_kinds(sweep);
    else
        sweep->salt = rh_rng_next(&sweep->rng);
    return true;
}

// Choosing.

static uint64_t rank_of(struct rh_sweep *sweep, const struct rh_record *record,
                        const struct rh_world *world, uint32_t number)
{
    const struct rh_message *message = &world->messages[number];
    const struct rh_record_place *newest = &sweep->newest[message->receiver];
    if (sweep->form == RH_SWEEP_RECEIVERS)
        return rh_hash64_pair(sweep->salt, world->actors[message->receiver].identity);
    if (sweep->form == RH_SWEEP_MESSAGES) {
        uint64_t since = newest->run == record->number ? newest->place + UINT64_C(1) : 0;
        return rh_hash64_pair(rh_hash64_pair(sweep->salt, since), message->identity);
    }
    uint32_t kind = kind_of(sweep, record, world, number);
    return kind == RH_NO_NUMBER ? 0 : sweep->kinds[kind].rank;
}

uint32_t rh_sweep_choose(struct rh_sweep *sweep, const struct rh_record *record,
                         const struct rh_choice_point *point, struct rh_rng *rng)
{
    uint64_t least = UINT64_MAX;
    uint32_t way = 0, equals = 0;
    for (uint32_t i = 0; i < point->count; i++) {
        uint64_t rank = rank_of(sweep, record, point->world, point->world->deliverable[i]);
        if (rank > least || (rank == least && (!rng || rh_rng_below(rng, ++equals) > 0)))
            continue;
        equals = rank < least ? 1 : equals;
        least = rank;
        way = i;
    }
    return way;
}
