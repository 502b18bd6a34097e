// SPDX-License-Identifier: MIT
// Messages that came from outside when a run on threads was recorded, and actors that were created
// there. Any delivery may create the receivers, and the actors whose addresses a message or a state
// carries, so each arrival waits until all actors that it names exist. Actors that were created
// there may name each other: they appear together.
#include <stdlib.h>
#include <string.h>

#include "base/line.h"
#include "world/world.h"

static int by_name(const void *left, const void *right)
{
    const struct rh_awaited_actor *one = left, *other = right;
    return strcmp(one->name, other->name);
}

static struct rh_awaited_actor *find_awaited(const struct rh_world *world, const char *name)
{
    struct rh_awaited_actor key = {.name = (char *)(uintptr_t)name};
    return world->awaited.count > 0 ? bsearch(&key, world->awaited.items, world->awaited.count,
                                              sizeof *world->awaited.items, by_name)
                                    : NULL;
}

// A message from outside was not sent by the delivery after which it came.
uint32_t rh_world_arrive(struct rh_world *world, const struct rh_sending *sending)
{
    uint64_t delivery = world->delivery;
    world->delivery = rh_identity_body();
    uint32_t message = rh_world_send(world, sending);
    world->delivery = delivery;
    return message;
}

// An actor from outside was not created by the delivery after which it appeared.
uint32_t rh_world_appear(struct rh_world *world, const struct rh_spawning *spawning,
                         bool is_reserved)
{
    uint64_t delivery = world->delivery, tag = world->tag;
    world->delivery = rh_identity_body();
    world->tag = 0;
    uint32_t slot =
        is_reserved ? rh_world_reserve(world, spawning) : rh_world_spawn(world, spawning);
    world->delivery = delivery;
    world->tag = tag;
    return slot;
}

// One arrival.

typedef void visiting(void *context, const char *word);

static void visit_words_in(const char *bytes, visiting *visit, void *context)
{
    struct rh_line words;
    rh_line_init(&words, bytes, strlen(bytes));
    while (rh_line_next(&words))
        visit(context, rh_text_get(&words.word));
    rh_line_fini(&words);
}

// Calls `visit` for each word of the bytes that the line of the schedule has.
static void visit_words(const struct rh_schedule_send *send, visiting *visit, void *context)
{
    visit_words_in(send->bytes, visit, context);
}

static bool is_block_of(const struct rh_schedule_block *block, const struct rh_schedule_send *send)
{
    return send->state_type && !strcmp(block->actor, send->receiver);
}

// As visit_words, and for the blocks of an actor that the line creates.
static void visit_all_words(const struct rh_world *world, const struct rh_schedule_send *send,
                            visiting *visit, void *context)
{
    const struct rh_schedule *schedule = world->options.inputs;
    visit_words(send, visit, context);
    for (size_t i = 0; i < schedule->blocks.count; i++)
        if (is_block_of(&schedule->blocks.items[i], send))
            visit_words_in(schedule->blocks.items[i].bytes, visit, context);
}

static void add_awaited(void *context, const char *word)
{
    struct rh_world *world = context;
    if (*word == '@')
        *rh_vector_push(&world->awaited) =
            (struct rh_awaited_actor){rh_strdup(word + 1), RH_NONE, RH_NONE};
}

static unsigned digit(char letter)
{
    return (unsigned)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
}

struct filling {
    const struct rh_world *world;
    struct rh_text payload;
    bool is_missing; // an actor that the bytes name does not exist yet
};

static void add_bytes(void *context, const char *word)
{
    struct filling *filling = context;
    if (*word == '@') {
        const struct rh_awaited_actor *actor = find_awaited(filling->world, word + 1);
        filling->is_missing |= actor->slot == RH_NONE;
        uint64_t address = (uint64_t)rh_world_address(actor->slot);
        rh_text_add_bytes(&filling->payload, &address, sizeof address);
        return;
    }
    if (*word == '&') {
        uint64_t address = rh_world_block_address(filling->world, word);
        rh_text_add_bytes(&filling->payload, &address, sizeof address);
        return;
    }
    for (; *word; word += 2) {
        uint8_t byte = (uint8_t)(digit(word[0]) << 4 | digit(word[1]));
        rh_text_add_bytes(&filling->payload, &byte, 1);
    }
}

static uint32_t find_sender(struct rh_world *world, const struct rh_schedule_send *send)
{
    if (!send->sender)
        return 0;
    uint32_t slot = rh_world_find_outside(world, send->sender);
    if (slot == RH_NONE)
        rh_world_refuse_send(world, send, "the test makes no outside sender %s", send->sender);
    return slot;
}

static const char *path_of(const struct rh_world *world)
{
    const struct rh_schedule *schedule = world->options.inputs;
    return schedule && schedule->path ? schedule->path : "schedule";
}

// The number of an actor in its name: 3 in `player#3`; 0 if the name has none.
static uint32_t index_in(const char *name)
{
    const char *mark = strrchr(name, '#');
    unsigned long index = mark ? strtoul(mark + 1, NULL, 10) : 0;
    return index < UINT32_MAX ? (uint32_t)index : 0;
}

static void check_name(struct rh_world *world, const struct rh_schedule_send *send, uint32_t slot)
{
    struct rh_text name = {0};
    rh_world_add_name(world, &name, slot);
    if (strcmp(rh_text_get(&name), send->receiver) != 0)
        rh_world_refuse_send(world, send, "an actor with this behaviour is called %s, not %s",
                             rh_text_get(&name), send->receiver);
    rh_text_fini(&name);
}

// What an actor is created with. `type` is filled in, and has to live as long.
static struct rh_spawning spawning_of(struct rh_world *world, const struct rh_schedule_send *send,
                                      const struct rh_text *state, struct rh_type *type)
{
    struct rh_debug *debug = world->options.debug;
    uintptr_t function = debug ? rh_debug_find_function(debug, send->type) : 0;
    if (function == 0)
        rh_world_refuse_send(world, send, "the program has no function of this name, or several");
    *type = (struct rh_type){send->state_type, state->length};
    struct rh_spawning spawning = {
        .behaviour = (rh_behaviour *)function,
        .behaviour_name = send->type,
        .type = *send->state_type ? type : NULL,
        .state = state->bytes,
        .size = state->length,
        .file = path_of(world),
        .line = send->line,
        .index = index_in(send->receiver),
    };
    if (spawning.index == 0)
        rh_world_refuse_send(world, send, "%s has no number", send->receiver);
    return spawning;
}

// Reserves the actor if it is one that is yet to appear.
static void reserve_named(void *context, const char *word)
{
    struct rh_world *world = context;
    struct rh_awaited_actor *actor = *word == '@' ? find_awaited(world, word + 1) : NULL;
    if (!actor || actor->slot != RH_NONE)
        return;
    const struct rh_schedule_send *send = world->arrivals.items[actor->creation].send;
    struct rh_type type;
    struct rh_spawning spawning = spawning_of(world, send, &(struct rh_text){0}, &type);
    actor->slot = rh_world_appear(world, &spawning, true);
    check_name(world, send, actor->slot);
}

static void fill(const struct rh_world *world, const char *bytes, void *place)
{
    struct filling filling = {.world = world};
    visit_words_in(bytes, add_bytes, &filling);
    memcpy(place, rh_text_get(&filling.payload), filling.payload.length);
    rh_text_fini(&filling.payload);
}

static size_t count_bytes(const struct rh_world *world, const char *bytes)
{
    struct filling filling = {.world = world};
    visit_words_in(bytes, add_bytes, &filling);
    size_t size = filling.payload.length;
    rh_text_fini(&filling.payload);
    return size;
}

// Makes the blocks of an actor, and fills them and its state: by then all have addresses.
static void make_blocks(struct rh_world *world, uint32_t slot, const void *context)
{
    const struct rh_schedule_send *send = context;
    const struct rh_schedule *schedule = world->options.inputs;
    bool has_any = false;
    for (size_t i = 0; i < schedule->blocks.count; i++) {
        const struct rh_schedule_block *block = &schedule->blocks.items[i];
        if (!is_block_of(block, send))
            continue;
        size_t size = count_bytes(world, block->bytes);
        rh_world_name_block(world, block->name)->address =
            (uint64_t)rh_world_new_block(world, slot, size);
        has_any = true;
    }
    for (size_t i = 0; i < schedule->blocks.count && has_any; i++) {
        const struct rh_schedule_block *block = &schedule->blocks.items[i];
        if (is_block_of(block, send))
            fill(world, block->bytes, (void *)rh_world_name_block(world, block->name)->address);
    }
    if (!has_any || world->actors[slot].state_size == 0)
        return;
    fill(world, send->bytes, world->actors[slot].state);
    rh_world_clear_padding(&world->actors[slot]);
}

static uint32_t create_one(struct rh_world *world, const struct rh_schedule_send *send)
{
    struct filling filling = {.world = world};
    visit_all_words(world, send, reserve_named, world);
    visit_words(send, add_bytes, &filling);
    struct rh_type type;
    struct rh_spawning spawning = spawning_of(world, send, &filling.payload, &type);
    spawning.complete = make_blocks;
    spawning.context = send;
    uint32_t slot = find_awaited(world, send->receiver)->slot;
    if (slot == RH_NONE || !rh_world_spawn_at(world, slot, &spawning))
        slot = rh_world_appear(world, &spawning, false);
    check_name(world, send, slot);
    rh_text_fini(&filling.payload);
    return slot;
}

// Whether an actor that is yet to appear has to wait: its state, or that of one that it has to
// appear together with, names an actor that is missing.
struct search {
    struct rh_world *world;
    bool is_missing;
};

static void look_for(void *context, const char *word)
{
    struct search *search = context;
    const struct rh_awaited_actor *actor =
        *word == '@' ? find_awaited(search->world, word + 1) : NULL;
    if (!actor || actor->slot != RH_NONE)
        return;
    struct rh_arrival *arrival =
        actor->creation == RH_NONE ? NULL : &search->world->arrivals.items[actor->creation];
    if (!arrival)
        search->is_missing = true;
    if (!arrival || arrival->search == search->world->searches)
        return;
    arrival->search = search->world->searches;
    visit_all_words(search->world, arrival->send, look_for, search);
}

// false if an actor that the state names is missing.
static bool let_appear(struct rh_world *world, struct rh_arrival *arrival)
{
    struct search search = {.world = world};
    arrival->search = ++world->searches;
    visit_all_words(world, arrival->send, look_for, &search);
    if (!search.is_missing)
        arrival->message = create_one(world, arrival->send);
    return !search.is_missing;
}

// false if the receiver or an actor that the payload names is missing.
static bool send_one(struct rh_world *world, struct rh_arrival *arrival)
{
    const struct rh_schedule_send *send = arrival->send;
    struct filling filling = {.world = world};
    visit_words(send, add_bytes, &filling);
    const struct rh_awaited_actor *receiver = find_awaited(world, send->receiver);
    const struct rh_type *type = rh_program_find_type(send->type);
    if (!type || type->size > filling.payload.length)
        rh_world_refuse_send(world, send,
                             "the program has no RH_MESSAGE or RH_SIGNAL of this name and size");
    if (!filling.is_missing && receiver->slot != RH_NONE) {
        struct rh_sending sending = {
            .kind = send->is_timer ? RH_TIMER : RH_PLAIN,
            .receiver = receiver->slot,
            .sender = find_sender(world, send),
            .type = type,
            .payload = filling.payload.bytes,
            .size = filling.payload.length,
            .due = send->due,
            // In a generated schedule a message is as one that a test's body sends.
            .identity = world->options.inputs->is_generated ? 0 : send->identity,
            .file = path_of(world),
            .line = send->line,
        };
        arrival->message = rh_world_arrive(world, &sending);
    }
    rh_text_fini(&filling.payload);
    return arrival->message != RH_NONE;
}

// All arrivals.

static bool is_same(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

// Whether an earlier message from the same sender to the same receiver has not come yet.
static bool is_behind(const struct rh_world *world, size_t number)
{
    const struct rh_schedule_send *send = world->arrivals.items[number].send;
    for (size_t i = 0; i < number; i++) {
        const struct rh_arrival *other = &world->arrivals.items[i];
        if (other->message == RH_NONE && !other->send->state_type &&
            is_same(other->send->receiver, send->receiver) &&
            is_same(other->send->sender, send->sender))
            return true;
    }
    return false;
}

static bool meet_actors(struct rh_world *world)
{
    bool is_awaited = false;
    for (; world->acquainted < world->actor_count; world->acquainted++) {
        struct rh_text name = {0};
        rh_world_add_name(world, &name, world->acquainted);
        struct rh_awaited_actor *actor = find_awaited(world, rh_text_get(&name));
        if (actor)
            actor->slot = world->acquainted;
        is_awaited |= actor != NULL;
        rh_text_fini(&name);
    }
    return is_awaited;
}

// false if the arrival has to wait.
static bool let_one_arrive(struct rh_world *world, size_t number, bool has_gap)
{
    struct rh_arrival *arrival = &world->arrivals.items[number];
    if (!arrival->send->state_type)
        return !(has_gap && is_behind(world, number)) && send_one(world, arrival);
    bool appears = let_appear(world, arrival);
    if (appears)
        meet_actors(world);
    return appears;
}

// Goes over all once. Gives whether an actor has appeared behind something that has to wait: that
// may have waited for this actor.
static bool let_each_arrive(struct rh_world *world)
{
    bool has_gap = false, has_appeared = false;
    for (size_t i = 0; i < world->arrivals.count; i++) {
        if (world->arrivals.items[i].message != RH_NONE)
            continue;
        bool arrives = let_one_arrive(world, i, has_gap);
        has_appeared |= arrives && has_gap && world->arrivals.items[i].send->state_type;
        has_gap |= !arrives;
    }
    return has_appeared;
}

static void let_all_arrive(struct rh_world *world)
{
    while (let_each_arrive(world))
        ;
}

void rh__world_let_arrive(struct rh_world *world)
{
    if (meet_actors(world))
        let_all_arrive(world);
}

static void remove_repeated(struct rh_world *world)
{
    size_t kept = 0;
    for (size_t i = 0; i < world->awaited.count; i++) {
        bool is_new =
            kept == 0 || by_name(&world->awaited.items[kept - 1], &world->awaited.items[i]) != 0;
        if (is_new)
            world->awaited.items[kept++] = world->awaited.items[i];
        else
            free(world->awaited.items[i].name);
    }
    world->awaited.count = kept;
}

void rh_world_expect_arrivals(struct rh_world *world)
{
    const struct rh_schedule *schedule = world->options.inputs;
    for (size_t i = 0; schedule && i < schedule->sends.count; i++) {
        const struct rh_schedule_send *send = &schedule->sends.items[i];
        if (!send->bytes)
            continue;
        *rh_vector_push(&world->arrivals) = (struct rh_arrival){send, RH_NONE, 0};
        *rh_vector_push(&world->awaited) =
            (struct rh_awaited_actor){rh_strdup(send->receiver), RH_NONE, RH_NONE};
        visit_all_words(world, send, add_awaited, world);
    }
    if (world->arrivals.count == 0)
        return;
    qsort(world->awaited.items, world->awaited.count, sizeof *world->awaited.items, by_name);
    remove_repeated(world);
    for (size_t i = 0; i < world->arrivals.count; i++)
        if (world->arrivals.items[i].send->state_type)
            find_awaited(world, world->arrivals.items[i].send->receiver)->creation = (uint32_t)i;
    meet_actors(world);
    let_all_arrive(world);
}

void rh_world_drop_arrivals(struct rh_world *world)
{
    for (size_t i = 0; i < world->awaited.count; i++)
        free(world->awaited.items[i].name);
    rh_world_forget_blocks(world, 0);
    world->arrivals.count = world->awaited.count = 0;
    world->acquainted = 0;
}

void rh_world_forget_arrivals(struct rh_world *world)
{
    for (size_t i = 0; i < world->arrivals.count; i++) {
        struct rh_arrival *arrival = &world->arrivals.items[i];
        uint32_t count = arrival->send->state_type ? world->actor_count : world->message_count;
        if (arrival->message != RH_NONE && arrival->message >= count)
            arrival->message = RH_NONE;
    }
    for (size_t i = 0; i < world->awaited.count; i++)
        if (world->awaited.items[i].slot != RH_NONE &&
            world->awaited.items[i].slot >= world->actor_count)
            world->awaited.items[i].slot = RH_NONE;
    if (world->acquainted > world->actor_count)
        world->acquainted = world->actor_count;
}
