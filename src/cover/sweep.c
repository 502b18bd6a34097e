// SPDX-License-Identifier: MIT
#include "cover/sweep.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mapping.h"
#include "memory/memory.h"

bool rh_sweep_open(struct rh_sweep *sweep)
{
    *sweep = (struct rh_sweep){0};
    sweep->of_message = rh_map_shared(sizeof *sweep->of_message * RH_MESSAGES_MOST);
    sweep->of_place = rh_map_shared(sizeof *sweep->of_place * RH_RECEIVES_MOST);
    sweep->newest = rh_map_shared(sizeof *sweep->newest * RH_SLOT_MOST);
    sweep->oldest = rh_map_shared(sizeof *sweep->oldest * RH_SLOT_MOST);
    sweep->came = rh_map_shared(sizeof *sweep->came * RH_SLOT_MOST);
    sweep->slow_kind = RH_NONE;
    return sweep->of_message && sweep->of_place && sweep->newest && sweep->oldest && sweep->came;
}

void rh_sweep_close(struct rh_sweep *sweep)
{
    rh_unmap_shared(sweep->of_message, sizeof *sweep->of_message * RH_MESSAGES_MOST);
    rh_unmap_shared(sweep->of_place, sizeof *sweep->of_place * RH_RECEIVES_MOST);
    rh_unmap_shared(sweep->newest, sizeof *sweep->newest * RH_SLOT_MOST);
    rh_unmap_shared(sweep->oldest, sizeof *sweep->oldest * RH_SLOT_MOST);
    rh_unmap_shared(sweep->came, sizeof *sweep->came * RH_SLOT_MOST);
}

// Kinds.

static uint64_t identity_of(const struct rh_world *world, const struct rh_message *message)
{
    uint64_t sender = rh_hash64_text(world->actors[message->sender].spawned_name, 0);
    uint64_t receiver = rh_hash64_text(world->actors[message->receiver].spawned_name, 0);
    return rh_hash64_pair(rh_hash64_pair(sender, receiver), rh_hash64_text(message->type->name, 0));
}

static uint32_t find_kind(const struct rh_sweep *sweep, uint64_t identity)
{
    struct rh_probe probe = rh_table_probe(&sweep->table, identity);
    while (rh_probe_next(&probe))
        if (sweep->kinds[probe.number].identity == identity)
            return probe.number;
    return RH_NONE;
}

// The number of the message's kind; RH_NONE if the kind is not known.
static uint32_t kind_of(struct rh_sweep *sweep, const struct rh_record *record,
                        const struct rh_world *world, uint32_t message)
{
    if (message >= RH_MESSAGES_MOST)
        return RH_NONE;
    struct rh_record_place *known = &sweep->of_message[message];
    if (known->execution != record->number || known->place == RH_NONE)
        *known = (struct rh_record_place){
            record->number, find_kind(sweep, identity_of(world, &world->messages[message]))};
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
    uint64_t identity = identity_of(world, &world->messages[message]);
    if (!rh_table_add(&sweep->table, store, identity, sweep->kind_count))
        return;
    bool is_timer = world->messages[message].kind == RH_TIMER;
    kinds[sweep->kind_count++] = (struct rh_sweep_kind){.identity = identity, .is_timer = is_timer};
}

static void note_newest(struct rh_sweep *sweep, const struct rh_record *record,
                        const struct rh_world *world, const struct rh_message *message)
{
    struct rh_sweep_newest *newest = &sweep->newest[message->receiver];
    struct rh_sweep_receive *receives = newest->receives;
    if (newest->execution != record->number)
        *newest = (struct rh_sweep_newest){.execution = record->number};
    bool is_from_other = newest->count > 0 && receives[0].sender != message->sender;
    if (is_from_other)
        receives[1] = receives[0];
    newest->count = is_from_other || newest->count == 2 ? 2 : 1;
    receives[0] =
        (struct rh_sweep_receive){record->execution.count, message->sender, world->message_count};
}

static uint32_t count_came(const struct rh_sweep *sweep, const struct rh_record *record,
                           uint32_t sender)
{
    const struct rh_record_place *came = &sweep->came[sender];
    return came->execution == record->number ? came->place : 0;
}

void rh_sweep_receive(struct rh_sweep *sweep, struct rh_store *store,
                      const struct rh_record *record, const struct rh_world *world,
                      uint32_t message)
{
    uint32_t place = record->execution.count, sender = world->messages[message].sender;
    if (place >= RH_RECEIVES_MOST)
        return;
    if (place >= sweep->longest)
        sweep->longest = place + 1;
    uint32_t kind = kind_of(sweep, record, world, message);
    if (rh_sweep_is_learning(sweep)) {
        if (kind == RH_NONE)
            add_kind(sweep, store, world, message);
        sweep->of_place[place] =
            (struct rh_sweep_place){kind_of(sweep, record, world, message), message};
    }
    if (kind != RH_NONE && kind == sweep->slow_kind)
        sweep->came[sender] =
            (struct rh_record_place){record->number, count_came(sweep, record, sender) + 1};
    note_newest(sweep, record, world, &world->messages[message]);
}

// What executions show about kinds.

static struct rh_sweep_kind *kind_at(struct rh_sweep *sweep, const struct rh_receives *execution,
                                     uint32_t place)
{
    bool is_known = !rh_receive_is(&execution->items[place], RH_RECEIVE_LOST) &&
                    sweep->of_place[place].kind != RH_NONE;
    return is_known ? &sweep->kinds[sweep->of_place[place].kind] : NULL;
}

// Counts the messages of kinds that no execution has had before.
static void count_kinds(struct rh_sweep *sweep, const struct rh_receives *execution)
{
    uint32_t count = sweep->kind_count;
    if (!sweep->kinds)
        return;
    struct rh_sweep_kind *seen = rh_alloc(sizeof *seen * (count + (size_t)1));
    for (uint32_t i = 0; i < execution->count; i++)
        if (kind_at(sweep, execution, i)) {
            seen[sweep->of_place[i].kind].messages++;
            seen[sweep->of_place[i].kind].mean += sweep->of_place[i].sent;
        }
    for (uint32_t i = 0; i < count; i++)
        if (sweep->kinds[i].messages == 0 && seen[i].messages > 0) {
            sweep->kinds[i].messages = seen[i].messages;
            sweep->kinds[i].mean = seen[i].mean / seen[i].messages;
        }
    free(seen);
}

static void add_pair(struct rh_sweep *sweep, const struct rh_coverage *coverage,
                     const struct rh_receives *execution, uint32_t first, uint32_t second)
{
    struct rh_sweep_kind *one = kind_at(sweep, execution, first),
                         *other = kind_at(sweep, execution, second);
    if (!one || !other)
        return;
    one->competes = other->competes = true;
    one->pairs++;
    other->pairs++;
    one->gain +=
        one != other && !rh_coverage_has(coverage, RH_BITS_PR, execution->items[second].event,
                                         execution->items[first].event);
}

void rh_sweep_add_execution(struct rh_sweep *sweep, const struct rh_coverage *coverage,
                            const struct rh_receives *execution,
                            const struct rh_happens_before *direct)
{
    count_kinds(sweep, execution);
    for (uint32_t i = 0; i < sweep->kind_count; i++)
        sweep->kinds[i].gain = 0;
    for (uint32_t i = 0; i < execution->count; i++)
        for (uint32_t k = rh_coverage_next_partner(coverage, execution, i, i); k != RH_NONE;
             k = rh_coverage_next_partner(coverage, execution, i, k))
            if (rh_coverage_are_pair(coverage, execution, i, k) && !rh_must_precede(direct, i, k))
                add_pair(sweep, coverage, execution, i, k);
}

// Orders of kinds.

static bool is_ranked(const struct rh_sweep_kind *kind)
{
    return kind->competes && !kind->is_timer;
}

// The kind that RH_SWEEP_HOLDING holds back; RH_NONE if each kind was last in some sweep.
static uint32_t pick_held(const struct rh_sweep *sweep)
{
    uint32_t picked = RH_NONE;
    for (uint32_t i = 0; i < sweep->kind_count; i++)
        if (is_ranked(&sweep->kinds[i]) && !sweep->kinds[i].was_last &&
            (picked == RH_NONE || sweep->kinds[i].gain > sweep->kinds[picked].gain))
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
    uint32_t held = sweep->form == RH_SWEEP_HOLDING ? pick_held(sweep) : RH_NONE;
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

// Draws a kind, with a chance that grows with the pairs that the kind is in.
static uint32_t pick_by_pairs(struct rh_sweep *sweep)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < sweep->kind_count; i++)
        all += is_ranked(&sweep->kinds[i]) ? sweep->kinds[i].pairs : 0;
    uint64_t place = all > 0 ? rh_rng_below(&sweep->rng, all) : 0;
    for (uint32_t i = 0; i < sweep->kind_count && all > 0; i++) {
        uint64_t pairs = is_ranked(&sweep->kinds[i]) ? sweep->kinds[i].pairs : 0;
        if (place < pairs)
            return i;
        place -= pairs;
    }
    return RH_NONE;
}

static bool something_competes(const struct rh_sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->kind_count; i++)
        if (sweep->kinds[i].competes)
            return true;
    return false;
}

// Draws how many messages of the slow kind each sender gets through first: most often none, and
// seldom many.
static uint32_t draw_first_slow(struct rh_rng *rng)
{
    uint32_t first = 0;
    while (rh_rng_below(rng, 2) == 1)
        first++;
    return first;
}

static void draw_changes(struct rh_sweep *sweep)
{
    sweep->last_count = 0;
    for (uint32_t i = 0; i < RH_SWEEP_CHANGES; i++) {
        uint32_t drawn = (uint32_t)rh_rng_below(&sweep->rng, sweep->longest + UINT64_C(1)), k = i;
        for (; k > 0 && sweep->changes[k - 1] > drawn; k--)
            sweep->changes[k] = sweep->changes[k - 1];
        sweep->changes[k] = drawn;
    }
}

// Every second random order is of channels; the other forms take turns.
static enum rh_sweep_form form_of(uint32_t number)
{
    enum { AFTER = RH_SWEEP_CHANNELS + 1 };
    if (number < RH_SWEEP_RANDOM)
        return (enum rh_sweep_form)number;
    uint32_t turn = number - RH_SWEEP_RANDOM;
    return turn % 2 == 0 ? RH_SWEEP_CHANNELS
                         : (enum rh_sweep_form)(AFTER + turn / 2 % (RH_SWEEP_COUNT - AFTER));
}

bool rh_sweep_start(struct rh_sweep *sweep, bool is_blind)
{
    bool is_known = something_competes(sweep);
    if (!is_known && !is_blind)
        return false;
    sweep->form = form_of(is_known ? sweep->started++ : RH_SWEEP_RANDOM + sweep->blind++);
    if (sweep->form < RH_SWEEP_RANDOM && sweep->form != RH_SWEEP_NEIGHBOURS)
        rank_kinds(sweep);
    if (sweep->form >= RH_SWEEP_RANDOM)
        sweep->salt = rh_rng_next(&sweep->rng);
    if (sweep->form == RH_SWEEP_CHANNELS)
        draw_changes(sweep);
    sweep->slow_kind = RH_NONE;
    if (sweep->form == RH_SWEEP_SENDERS) {
        sweep->slow_kind = pick_by_pairs(sweep);
        sweep->first_slow = draw_first_slow(&sweep->rng);
    }
    return true;
}

// Choosing. A message has a rank in the order; the least rank comes first.

// A rank above the number of any message.
static const uint64_t slow_rank = UINT64_C(1) << 33;

static uint64_t rank_by_kind(struct rh_sweep *sweep, const struct rh_record *record,
                             const struct rh_world *world, uint32_t number)
{
    uint32_t kind = kind_of(sweep, record, world, number);
    return kind == RH_NONE ? 0 : sweep->kinds[kind].rank;
}

static bool is_held_back(struct rh_sweep *sweep, const struct rh_record *record,
                         const struct rh_world *world, uint32_t number)
{
    uint32_t kind = kind_of(sweep, record, world, number);
    return kind != RH_NONE && is_ranked(&sweep->kinds[kind]);
}

// Whether the message's receiver has got a message of another sender since this one was sent.
static bool is_overtaken(const struct rh_sweep_newest *newest, const struct rh_record *record,
                         const struct rh_message *message, uint32_t number)
{
    for (uint32_t i = 0; newest->execution == record->number && i < newest->count; i++)
        if (newest->receives[i].sender != message->sender && newest->receives[i].sent > number)
            return true;
    return false;
}

// A message with nothing to overtake waits, since a message may come that overtakes it.
static uint64_t rank_as_neighbour(struct rh_sweep *sweep, const struct rh_record *record,
                                  const struct rh_world *world, uint32_t number)
{
    const struct rh_message *message = &world->messages[number];
    uint32_t oldest = sweep->oldest[message->receiver].place;
    if (!is_held_back(sweep, record, world, number) ||
        is_overtaken(&sweep->newest[message->receiver], record, message, number))
        return 0;
    return world->messages[oldest].sender != message->sender ? UINT32_MAX - (uint64_t)number
                                                             : slow_rank;
}

static uint64_t channel_of(const struct rh_sweep *sweep, const struct rh_world *world,
                           uint32_t number)
{
    const struct rh_message *message = &world->messages[number];
    uint64_t sender = world->actors[message->sender].identity;
    uint64_t receiver = world->actors[message->receiver].identity;
    uint64_t channel =
        message->channel == RH_NONE ? message->identity : rh_hash64_pair(sender, receiver);
    return rh_hash64_pair(sweep->salt, channel);
}

// Channels that have become the last come after all others, in the order in which they have become
// so.
static uint64_t rank_by_channel(const struct rh_sweep *sweep, uint64_t channel)
{
    for (uint32_t i = sweep->last_count; i-- > 0;)
        if (sweep->last[i] == channel)
            return UINT64_MAX - RH_SWEEP_CHANGES + i;
    return channel;
}

static uint64_t rank_by_message(const struct rh_sweep *sweep, const struct rh_record *record,
                                const struct rh_message *message)
{
    const struct rh_sweep_newest *newest = &sweep->newest[message->receiver];
    uint64_t since =
        newest->execution == record->number ? newest->receives[0].place + UINT64_C(1) : 0;
    return rh_hash64_pair(rh_hash64_pair(sweep->salt, since), message->identity);
}

static bool is_slow(const struct rh_sweep *sweep, const struct rh_record *record,
                    const struct rh_world *world, uint32_t sender)
{
    return count_came(sweep, record, sender) >= sweep->first_slow &&
           rh_hash64_pair(sweep->salt, world->actors[sender].identity) % 2 == 1;
}

static uint64_t rank_by_sender(struct rh_sweep *sweep, const struct rh_record *record,
                               const struct rh_world *world, uint32_t number)
{
    if (!is_held_back(sweep, record, world, number))
        return 0;
    bool waits = kind_of(sweep, record, world, number) == sweep->slow_kind &&
                 is_slow(sweep, record, world, world->messages[number].sender);
    return 1 + number + (waits ? slow_rank : 0);
}

static uint64_t rank_of(struct rh_sweep *sweep, const struct rh_record *record,
                        const struct rh_world *world, uint32_t number)
{
    const struct rh_message *message = &world->messages[number];
    switch (sweep->form) {
    case RH_SWEEP_NEIGHBOURS:
        return rank_as_neighbour(sweep, record, world, number);
    case RH_SWEEP_CHANNELS:
        return rank_by_channel(sweep, channel_of(sweep, world, number));
    case RH_SWEEP_MESSAGES:
        return rank_by_message(sweep, record, message);
    case RH_SWEEP_RECEIVERS:
        return rh_hash64_pair(sweep->salt, world->actors[message->receiver].identity);
    case RH_SWEEP_SENDERS:
        return rank_by_sender(sweep, record, world, number);
    default:
        return rank_by_kind(sweep, record, world, number);
    }
}

// Finds the message that waits longest at each actor; ways are in sending order.
static void find_oldest(struct rh_sweep *sweep, const struct rh_choice_point *point)
{
    sweep->choices++;
    for (uint32_t i = 0; i < point->count; i++) {
        uint32_t number = point->world->deliverable[i];
        struct rh_record_place *oldest = &sweep->oldest[point->world->messages[number].receiver];
        if (oldest->execution != sweep->choices)
            *oldest = (struct rh_record_place){sweep->choices, number};
    }
}

static uint32_t find_first(struct rh_sweep *sweep, const struct rh_record *record,
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

// Whether it is time for the channel whose turn it is to become the last.
static bool is_change_due(const struct rh_sweep *sweep, const struct rh_record *record)
{
    return sweep->form == RH_SWEEP_CHANNELS && sweep->last_count < RH_SWEEP_CHANGES &&
           record->execution.count >= sweep->changes[sweep->last_count];
}

uint32_t rh_sweep_choose(struct rh_sweep *sweep, const struct rh_record *record,
                         const struct rh_choice_point *point, struct rh_rng *rng)
{
    if (sweep->form == RH_SWEEP_NEIGHBOURS)
        find_oldest(sweep, point);
    uint32_t way = find_first(sweep, record, point, rng);
    while (is_change_due(sweep, record)) {
        sweep->last[sweep->last_count++] =
            channel_of(sweep, point->world, point->world->deliverable[way]);
        way = find_first(sweep, record, point, rng);
    }
    return way;
}
