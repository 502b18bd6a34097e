// SPDX-License-Identifier: MIT
// Threads have made deliveries at the same time, and the world makes them one after another. Any
// order will do in which each delivery comes after the one that sent its message, after those
// before it in its thread, and, where its actor came from another thread, after what that thread
// had delivered up to its last delivery to this actor: what a delivery does depends on nothing
// else, but for answers that were recorded. There is such an order, the one in which the deliveries
// began; so taking the next of any thread that can be made never leads into a dead end.
//
// The message known as the third that thread 2 has sent is found here as the third that the
// deliveries of thread 2 send. A delivery that had to wait for room has sent some of its messages
// after those that its thread sent meanwhile, and is made as a whole here; the recording says where
// its stamps break off and go on.
#include "explore/run/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/index.h"
#include "explore/process/confirm.h"
#include "explore/process/shared.h"
#include "explore/strategy/strategy.h"

#define UNKNOWN UINT64_MAX

struct recorded {
    const struct rh_recording *recording;
    const char *path;
    // In memory that processes share: the recording ends before the execution does.
    bool *is_stopped;
    struct rh_index births;     // slots of actors, and of senders outside, by birth
    struct rh_index by_address; // places in the recording's births, by cell and life
    struct rh_index creations;  // actors that threads from outside created, among sends, by birth
    uint64_t *searches;         // for each message from outside, the newest search that came there
    uint64_t search;
    struct rh_index drops;    // messages that were dropped, by stamp
    struct rh_index messages; // numbers of messages here, by stamp
    // For each delivery that was made, what its lane had made after it.
    struct rh_recorded_count *ends;
    bool *has_come;             // for each message from outside
    size_t *first, *next, *end; // for each thread, its deliveries
    size_t came;                // messages and actors from outside so far
    // The newest delivery; the first is setup.
    size_t current;
    uint32_t message; // message of the newest delivery
    bool is_bound;    // whether it is known what the newest delivery did
    size_t input;     // number of the answer that the program asks for next
    uint32_t first_message, first_slot;
};

static const struct rh_recorded_delivery *delivery_at(const struct recorded *recorded, size_t index)
{
    return &recorded->recording->deliveries.items[index];
}

static const char *type_name(const struct rh_world *world, uint32_t message)
{
    return world->messages[message].type->name;
}

static const char *receiver_name(const struct rh_world *world, uint32_t message)
{
    const char *name = world->actors[world->messages[message].receiver].behaviour_name;
    return name ? name : "an actor";
}

// "delivery 5, ping to pong_behaviour"
static void add_delivery(const struct recorded *recorded, struct rh_text *text,
                         const struct rh_world *world)
{
    if (recorded->current == 0)
        rh_text_add(text, "setup");
    else
        rh_text_addf(text, "delivery %u, %s to %s,", world->number,
                     type_name(world, recorded->message), receiver_name(world, recorded->message));
}

_Noreturn static void diverge(const struct recorded *recorded, const struct rh_world *world,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn static void diverge(const struct recorded *recorded, const struct rh_world *world,
                              const char *format, ...)
{
    struct rh_text who = {0}, what = {0};
    va_list arguments;
    add_delivery(recorded, &who, world);
    va_start(arguments, format);
    rh_text_addv(&what, format, arguments);
    va_end(arguments);
    rh_world_bad_input(
        rh__process.world,
        rh_bad_input(
            "%s: %s %s: the program depends on something that is not recorded (nondeterminism)",
            recorded->path, rh_text_get(&who), rh_text_get(&what)));
}

// Actors.

static uint64_t address_key(uint32_t cell, uint32_t life)
{
    return (uint64_t)life << 32 | cell;
}

static void collect_addresses(struct recorded *recorded)
{
    for (size_t i = 0; i < recorded->recording->births.count; i++) {
        const struct rh_recorded_birth *birth = &recorded->recording->births.items[i];
        uint64_t key = address_key(birth->cell, birth->life);
        if (rh_index_find(&recorded->by_address, key) == RH_NONE)
            rh_index_add(&recorded->by_address, key, (uint32_t)i);
    }
}

// Whether it is known which actor has had this address on threads.
static bool knows_address(const struct recorded *recorded, uint64_t address)
{
    return rh_index_find(&recorded->by_address, address) != RH_NONE;
}

// The slot of an address as it was on threads. RH_NONE: there is no such actor, or not yet.
static uint32_t find_slot(const struct recorded *recorded, uint64_t address)
{
    uint32_t place = rh_index_find(&recorded->by_address, address);
    if (place == RH_NONE)
        return RH_NONE;
    return rh_index_find(&recorded->births, recorded->recording->births.items[place].birth);
}

// Deliveries.

static void divide_into_threads(struct recorded *recorded)
{
    size_t count = recorded->recording->deliveries.count;
    for (size_t i = 1; i < count; i++) {
        uint32_t lane = delivery_at(recorded, i)->lane;
        if (recorded->end[lane] == 0)
            recorded->first[lane] = recorded->next[lane] = i;
        recorded->end[lane] = i + 1;
    }
}

static struct recorded *recorded_new(const struct rh_recording *recording, const char *path)
{
    size_t count = recording->deliveries.count;
    struct recorded *recorded = rh_alloc(sizeof *recorded);
    recorded->recording = recording;
    recorded->path = path;
    recorded->ends = rh_alloc(sizeof *recorded->ends * count);
    recorded->has_come = rh_alloc(recording->sends.count + 1);
    recorded->first = rh_alloc(sizeof *recorded->first * recording->lanes);
    recorded->next = rh_alloc(sizeof *recorded->next * recording->lanes);
    recorded->end = rh_alloc(sizeof *recorded->end * recording->lanes);
    recorded->first_slot = 1;
    recorded->searches = rh_alloc(sizeof *recorded->searches * (recording->sends.count + 1));
    collect_addresses(recorded);
    for (size_t i = 0; i < recording->sends.count; i++)
        if (recording->sends.items[i].function != 0)
            rh_index_add(&recorded->creations, recording->sends.items[i].birth, (uint32_t)i);
    for (size_t i = 0; i < recording->drops.count; i++)
        if (rh_index_find(&recorded->drops, recording->drops.items[i]) == RH_NONE)
            rh_index_add(&recorded->drops, recording->drops.items[i], 0);
    divide_into_threads(recorded);
    return recorded;
}

static void recorded_free(struct recorded *recorded)
{
    rh_index_fini(&recorded->births);
    rh_index_fini(&recorded->drops);
    rh_index_fini(&recorded->by_address);
    rh_index_fini(&recorded->creations);
    free(recorded->searches);
    rh_index_fini(&recorded->messages);
    free(recorded->ends);
    free(recorded->has_come);
    free(recorded->first);
    free(recorded->next);
    free(recorded->end);
    free(recorded);
}

// What the newest delivery did.

static void bind_message(struct recorded *recorded, uint64_t stamp, uint32_t message)
{
    if (rh_index_find(&recorded->messages, stamp) == RH_NONE)
        rh_index_add(&recorded->messages, stamp, message);
}

static uint32_t next_sent(const struct rh_world *world, uint32_t message)
{
    while (message < world->message_count && world->messages[message].coming != 0)
        message++;
    return message;
}

// What a delivery's lane has made before the delivery.
static struct rh_recorded_count first_count(const struct recorded *recorded, size_t index)
{
    const struct rh_recorded_delivery *delivery = delivery_at(recorded, index);
    return delivery->behind == RH_NONE ? delivery->counted : recorded->ends[delivery->behind];
}

// The stamp, or birth, that comes after so many others in a delivery that may have been
// interrupted: `began` and `ended` say at which numbers. UNKNOWN: the delivery waited for room
// until the process died.
static uint64_t number_of(const struct recorded *recorded, size_t index, uint64_t others,
                          bool of_messages)
{
    const struct rh_recorded_delivery *delivery = delivery_at(recorded, index);
    struct rh_recorded_count first = first_count(recorded, index);
    uint64_t number = of_messages ? first.sent : first.spawned;
    for (size_t i = 0; i < delivery->pauses.count && number != UNKNOWN; i++) {
        const struct rh_recorded_pause *pause = &delivery->pauses.items[i];
        uint64_t count = (of_messages ? pause->began.sent : pause->began.spawned) - number;
        if (others < count)
            break;
        others -= count;
        number = of_messages ? pause->ended.sent : pause->ended.spawned;
    }
    return number == UNKNOWN ? UNKNOWN : number + others;
}

static uint64_t bind_messages(struct recorded *recorded, const struct rh_world *world)
{
    uint64_t sent = 0;
    for (uint32_t message = next_sent(world, recorded->first_message);
         message < world->message_count; message = next_sent(world, message + 1)) {
        uint64_t stamp = number_of(recorded, recorded->current, sent++, true);
        if (stamp != UNKNOWN)
            bind_message(recorded, stamp, message);
    }
    return sent;
}

static uint64_t bind_actors(struct recorded *recorded, const struct rh_world *world)
{
    uint64_t spawned = 0;
    for (uint32_t slot = recorded->first_slot; slot < world->actor_count; slot++) {
        uint64_t birth = number_of(recorded, recorded->current, spawned++, false);
        if (birth != UNKNOWN && rh_index_find(&recorded->births, birth) == RH_NONE)
            rh_index_add(&recorded->births, birth, slot);
    }
    return spawned;
}

// Checks what the newest delivery made, as far as the recording tells at this point.
static void check_made(const struct recorded *recorded, const struct rh_world *world)
{
    const struct rh_recorded_delivery *delivery = delivery_at(recorded, recorded->current);
    struct rh_recorded_count made = recorded->ends[recorded->current];
    struct rh_recorded_count setup = recorded->recording->setup_made;
    size_t pauses = delivery->pauses.count;
    struct rh_recorded_count least =
        pauses > 0 ? delivery->pauses.items[pauses - 1].ended : first_count(recorded, 0);
    bool is_less = pauses > 0 && least.sent != UNKNOWN &&
                   (made.sent < least.sent || made.spawned < least.spawned);
    bool is_other = recorded->current == 0 && setup.sent != UNKNOWN &&
                    (made.sent != setup.sent || made.spawned != setup.spawned);
    if ((is_less || is_other) && !world->failed)
        diverge(recorded, world, "sends or creates more or less than it did when it was recorded");
}

static void bind(struct recorded *recorded, const struct rh_world *world)
{
    const struct rh_recorded_delivery *delivery = delivery_at(recorded, recorded->current);
    if (recorded->is_bound)
        return;
    if (recorded->input < delivery->inputs.count && !world->failed)
        diverge(recorded, world, "does not call %s as it did when it was recorded",
                delivery->inputs.items[recorded->input].function);
    uint64_t spawned = bind_actors(recorded, world), sent = bind_messages(recorded, world);
    recorded->ends[recorded->current] =
        (struct rh_recorded_count){number_of(recorded, recorded->current, sent, true),
                                   number_of(recorded, recorded->current, spawned, false)};
    check_made(recorded, world);
    recorded->is_bound = true;
}

// Messages from outside.

struct translation {
    const struct recorded *recorded;
    const char *type; // of the message
    bool is_missing;
};

static uint64_t translate(void *context, uint64_t address)
{
    struct translation *translation = context;
    if (address != 0 && !knows_address(translation->recorded, address))
        rh_world_bad_input(
            rh__process.world,
            rh_bad_input("%s: %s came from outside with the address of an actor that "
                         "had stopped before: which "
                         "one that was is not known any more",
                         translation->recorded->path, translation->type));
    uint32_t slot = address ? find_slot(translation->recorded, address) : RH_NONE;
    translation->is_missing |= address != 0 && slot == RH_NONE;
    return slot == RH_NONE ? 0 : (uint64_t)rh_world_address(slot);
}

static void check_contents(const struct recorded *recorded, const struct rh_recorded_send *send,
                           const struct rh_type_info *type)
{
    if (type->size >= sizeof(void *) && !type->debug)
        rh_world_bad_input(rh__process.world,
                           rh_bad_input("%s: %s came from outside, and nothing is known about its "
                                        "fields: compile the program "
                                        "with -g",
                                        recorded->path, send->type));
    if (rh_type_has_pointer(type, send->payload, send->size))
        rh_world_bad_input(
            rh__process.world,
            rh_bad_input(
                "%s: %s came from outside with a pointer in it, and what that points to is not "
                "recorded: send the data itself",
                recorded->path, send->type));
}

static void check_state(const struct recorded *recorded, const struct rh_recorded_send *send,
                        const struct rh_type_info *type, const char *function)
{
    if (send->size >= sizeof(void *) && (!type || !type->debug))
        rh_world_bad_input(
            rh__process.world,
            rh_bad_input("%s: a thread from outside has created an actor with %s, and "
                         "nothing is known about "
                         "the fields of its state: use rh_spawn, with -g",
                         recorded->path, function));
    if (type && rh_type_has_pointer(type, send->payload, send->size))
        rh_world_bad_input(
            rh__process.world,
            rh_bad_input("%s: a thread from outside has created an actor with %s and a pointer in "
                         "its state, "
                         "and what that points to is not recorded: put the data itself there",
                         recorded->path, function));
}

// The behaviour of an actor that was created outside.
static uintptr_t find_function(const struct recorded *recorded, const struct rh_world *world,
                               const struct rh_recorded_send *send, const char **name)
{
    struct rh_debug *debug = world->options.debug;
    uintptr_t function = rh_program_base() + send->function;
    *name = debug ? rh_debug_function_name(debug, function) : NULL;
    if (!*name)
        rh_world_bad_input(
            rh__process.world,
            rh_bad_input("%s: a thread from outside has created an actor, and the executable has "
                         "no name for "
                         "its behaviour: compile the program with -g, and do not strip it",
                         recorded->path));
    if (rh_debug_find_function(debug, *name) != function)
        rh_world_bad_input(
            rh__process.world,
            rh_bad_input("%s: a thread from outside has created an actor with %s, and "
                         "the program has several "
                         "functions of that name",
                         recorded->path, *name));
    return function;
}

// The number in the name of the next actor with this behaviour that comes from outside.
static uint32_t next_index(const struct rh_world *world, const char *behaviour_name)
{
    for (uint32_t slot = world->actor_count; slot-- > 1;) {
        const struct rh_actor_record *record = &world->actors[slot];
        if (record->creator == 0 && record->status != RH_ACTOR_OUTSIDE &&
            strcmp(record->spawned_name, behaviour_name) == 0)
            return record->index + 1;
    }
    return 1;
}

// What an actor that was created outside is created with; its state comes later. `type` is filled
// in, and has to live as long.
static struct rh_spawning spawning_of(const struct recorded *recorded, const struct rh_world *world,
                                      const struct rh_recorded_send *send, struct rh_type *type)
{
    const char *name;
    uintptr_t function = find_function(recorded, world, send, &name);
    *type = (struct rh_type){send->type, send->size};
    return (struct rh_spawning){
        .behaviour = (rh_behaviour *)function,
        .behaviour_name = name,
        .type = *send->type ? type : NULL,
        .size = send->size,
        .file = recorded->path,
        .index = next_index(world, name),
    };
}

// Visits the addresses of actors in the state of an actor that was created outside. Gives the
// state, with what `visit` gives in the place of the addresses; the caller frees it.
static uint8_t *visit_state(struct rh_world *world, const struct rh_recorded_send *send,
                            rh_visit_actor *visit, void *context)
{
    const struct rh_type type = {send->type, send->size};
    uint8_t *state = rh_alloc(send->size + 1);
    memcpy(state, send->payload, send->size);
    if (*send->type)
        rh_type_replace_actors(rh_world_type(world, &type), state, send->size, visit, context);
    return state;
}

// The creation of an actor that has not appeared; RH_NONE if it has, or does not come from outside.
static uint32_t find_creation(const struct recorded *recorded, uint64_t address)
{
    if (address == 0 || !knows_address(recorded, address) ||
        find_slot(recorded, address) != RH_NONE)
        return RH_NONE;
    uint32_t place = rh_index_find(&recorded->by_address, address);
    return rh_index_find(&recorded->creations, recorded->recording->births.items[place].birth);
}

// Whether an actor that is yet to appear has to wait: its state, or that of one that it has to
// appear together with, names an actor that is missing.
struct missing {
    struct recorded *recorded;
    struct rh_world *world;
    const char *name; // of the behaviour
    bool is_missing;
};

static uint64_t look_for(void *context, uint64_t address)
{
    struct missing *missing = context;
    struct recorded *recorded = missing->recorded;
    uint32_t creation = find_creation(recorded, address);
    if (creation == RH_NONE) {
        struct translation translation = {recorded, missing->name, false};
        translate(&translation, address);
        missing->is_missing |= translation.is_missing;
    } else if (recorded->searches[creation] != recorded->search) {
        recorded->searches[creation] = recorded->search;
        free(visit_state(missing->world, &recorded->recording->sends.items[creation], look_for,
                         missing));
    }
    return address;
}

// The address of an actor here, which is reserved if it is yet to appear.
static uint64_t translate_or_reserve(void *context, uint64_t address)
{
    struct missing *missing = context;
    struct recorded *recorded = missing->recorded;
    uint32_t creation = find_creation(recorded, address);
    if (creation != RH_NONE) {
        const struct rh_recorded_send *send = &recorded->recording->sends.items[creation];
        struct rh_type type;
        struct rh_spawning spawning = spawning_of(recorded, missing->world, send, &type);
        rh_index_add(&recorded->births, send->birth,
                     rh_world_appear(missing->world, &spawning, true));
    }
    return translate(&(struct translation){recorded, missing->name, false}, address);
}

static void create_one(struct recorded *recorded, struct rh_world *world,
                       const struct rh_recorded_send *send, const struct missing *missing)
{
    uint8_t *state = visit_state(world, send, translate_or_reserve, (void *)(uintptr_t)missing);
    struct rh_type type;
    struct rh_spawning spawning = spawning_of(recorded, world, send, &type);
    spawning.state = state;
    spawning.line = (int)++recorded->came;
    uint32_t slot = rh_index_find(&recorded->births, send->birth);
    if (slot == RH_NONE)
        rh_index_add(&recorded->births, send->birth, rh_world_appear(world, &spawning, false));
    else
        rh_world_spawn_at(world, slot, &spawning);
    free(state);
}

// false if an actor that the state names does not exist yet.
static bool let_appear(struct recorded *recorded, struct rh_world *world,
                       const struct rh_recorded_send *send)
{
    struct rh_type type;
    struct rh_spawning spawning = spawning_of(recorded, world, send, &type);
    check_state(recorded, send, spawning.type ? rh_world_type(world, spawning.type) : NULL,
                spawning.behaviour_name);
    struct missing missing = {recorded, world, spawning.behaviour_name, false};
    recorded->searches[send - recorded->recording->sends.items] = ++recorded->search;
    free(visit_state(world, send, look_for, &missing));
    if (!missing.is_missing)
        create_one(recorded, world, send, &missing);
    return !missing.is_missing;
}

// false if the receiver, or an actor that the message names, does not exist yet.
static bool let_come(struct recorded *recorded, struct rh_world *world,
                     const struct rh_recorded_send *send)
{
    if (send->function != 0)
        return let_appear(recorded, world, send);
    const struct rh_type *type = rh_program_find_type(send->type);
    if (!type || send->size < type->size)
        rh_world_bad_input(rh__process.world,
                           rh_bad_input("%s: the program has no message %s of that size any more",
                                        recorded->path, send->type));
    const struct rh_type_info *info = rh_world_type(world, type);
    check_contents(recorded, send, info);
    uint64_t address = address_key(send->receiver, send->receiver_life);
    if (!knows_address(recorded, address))
        return true; // the receiver had stopped
    uint32_t receiver = find_slot(recorded, address);
    uint32_t sender = send->sender_life == 0
                          ? 0
                          : find_slot(recorded, address_key(send->sender, send->sender_life));
    struct translation translation = {recorded, send->type,
                                      receiver == RH_NONE || sender == RH_NONE};
    uint8_t *payload = rh_alloc(send->size + 1);
    memcpy(payload, send->payload, send->size);
    rh_type_replace_actors(info, payload, send->size, translate, &translation);
    if (!translation.is_missing) {
        struct rh_sending sending = {
            .kind = send->due == UINT64_MAX ? RH_PLAIN : RH_TIMER,
            .receiver = receiver,
            .sender = sender,
            .type = type,
            .payload = payload,
            .size = send->size,
            .due = send->due == UINT64_MAX ? 0 : send->due,
            .identity = rh_came_identity(recorded->came++),
            .file = recorded->path,
            .line = (int)recorded->came,
        };
        bind_message(recorded, send->stamp, rh_world_arrive(world, &sending));
    }
    free(payload);
    return !translation.is_missing;
}

// Whether an earlier message from the same sender to the same receiver has not come yet.
static bool is_behind(const struct recorded *recorded, size_t index)
{
    const struct rh_recorded_send *sends = recorded->recording->sends.items;
    for (size_t i = 0; i < index; i++)
        if (!recorded->has_come[i] && sends[i].function == 0 &&
            sends[i].receiver == sends[index].receiver &&
            sends[i].receiver_life == sends[index].receiver_life &&
            sends[i].sender == sends[index].sender)
            return true;
    return false;
}

// Goes over all once. Gives whether an actor has appeared behind something that has to wait: that
// may have waited for this actor.
static bool let_each_come(struct recorded *recorded, struct rh_world *world)
{
    const struct rh_recorded_send *sends = recorded->recording->sends.items;
    bool has_gap = false, has_appeared = false;
    for (size_t i = 0; i < recorded->recording->sends.count; i++) {
        if (recorded->has_come[i])
            continue;
        recorded->has_come[i] = !(has_gap && sends[i].function == 0 && is_behind(recorded, i)) &&
                                let_come(recorded, world, &sends[i]);
        has_appeared |= recorded->has_come[i] && has_gap && sends[i].function != 0;
        has_gap |= !recorded->has_come[i];
    }
    return has_appeared;
}

static void let_all_come(struct recorded *recorded, struct rh_world *world)
{
    while (let_each_come(recorded, world))
        ;
}

// The strategy.

static struct recorded *recorded_of(void *memory)
{
    return *(struct recorded **)memory;
}

static bool recorded_init(void *memory, const struct rh_run_options *options)
{
    *(struct recorded **)memory = options->own_memory;
    return true;
}

static void recorded_prepare(void *memory, struct rh_world *world)
{
    struct recorded *recorded = recorded_of(memory);
    uint32_t actors = recorded->first_slot;
    bind(recorded, world);
    if (world->actor_count != actors || recorded->current == 0)
        let_all_come(recorded, world);
}

static bool is_ready(const struct recorded *recorded, size_t index)
{
    const struct rh_recorded_delivery *delivery = delivery_at(recorded, index);
    size_t made = recorded->next[delivery->moved_from] - recorded->first[delivery->moved_from];
    return made >= delivery->moved_after &&
           rh_index_find(&recorded->messages, delivery->stamp) != RH_NONE;
}

// The next delivery that can be made; 0: there is none. A delivery that had not ended when the
// process died comes last: the process may have died of it.
static size_t find_ready(const struct recorded *recorded, bool *has_more)
{
    size_t found = 0;
    *has_more = false;
    for (uint32_t lane = 0; lane < recorded->recording->lanes; lane++) {
        size_t index = recorded->next[lane];
        *has_more |= index < recorded->end[lane];
        if (index >= recorded->end[lane] || !is_ready(recorded, index))
            continue;
        if (!delivery_at(recorded, index)->is_cut)
            return index;
        found = found == 0 ? index : found;
    }
    return found;
}

// A thread that has made more or less than it did when it was recorded has done something else in
// its deliveries so far.
static void check_thread(const struct recorded *recorded, const struct rh_world *world,
                         size_t index)
{
    const struct rh_recorded_delivery *delivery = delivery_at(recorded, index);
    struct rh_recorded_count made = first_count(recorded, index);
    if (delivery->is_told && rh_made(made.sent, made.spawned) != delivery->told)
        diverge(recorded, world,
                "or one before it sends or creates more or less than it did when it was recorded");
}

static void begin(struct recorded *recorded, const struct rh_world *world, size_t index,
                  uint32_t message)
{
    recorded->next[delivery_at(recorded, index)->lane]++;
    recorded->current = index;
    recorded->message = message;
    recorded->is_bound = false;
    recorded->input = 0;
    recorded->first_message = world->message_count;
    recorded->first_slot = world->actor_count;
}

static uint32_t choose_delivery(struct recorded *recorded, const struct rh_choice_point *point)
{
    const struct rh_world *world = point->world;
    bool has_more;
    size_t index = find_ready(recorded, &has_more);
    if (index == 0) {
        if (has_more)
            diverge(recorded, world, "does not lead to what was delivered next");
        *recorded->is_stopped = true;
        return RH_NONE;
    }
    check_thread(recorded, world, index);
    uint32_t message = rh_index_find(&recorded->messages, delivery_at(recorded, index)->stamp);
    for (uint32_t i = 0; i < point->count; i++)
        if (world->deliverable[i] == message) {
            begin(recorded, world, index, message);
            return i;
        }
    diverge(recorded, world, "does not lead to where %s could be delivered to %s",
            type_name(world, message), receiver_name(world, message));
}

static bool take_input(struct recorded *recorded, const char *function, uint64_t *value)
{
    const struct rh_recorded_delivery *delivery = delivery_at(recorded, recorded->current);
    if (recorded->input == delivery->inputs.count && delivery->is_cut)
        return false;
    const struct rh_recorded_input *input =
        recorded->input < delivery->inputs.count ? &delivery->inputs.items[recorded->input] : NULL;
    if (!input || strcmp(input->function, function) != 0)
        diverge(recorded, rh__process.world, "calls %s and not %s", function,
                input ? input->function : "nothing, as it did when it was recorded");
    *value = input->value;
    recorded->input++;
    return true;
}

// The stamp that the newest delivery gives to a message of its own.
static uint64_t stamp_at(const struct recorded *recorded, const struct rh_world *world,
                         uint32_t message)
{
    uint64_t sent = 0;
    for (uint32_t i = recorded->first_message; i < message; i++)
        sent += world->messages[i].coming == 0;
    return number_of(recorded, recorded->current, sent, true);
}

// When the timer that is being set was due.
static bool find_due(const struct recorded *recorded, uint64_t *due)
{
    const struct rh_world *world = rh__process.world;
    uint64_t stamp = stamp_at(recorded, world, world->message_count);
    uint32_t place = rh_index_find(&recorded->recording->timers, stamp);
    if (place != RH_NONE)
        *due = recorded->recording->due.items[place];
    return place != RH_NONE;
}

static bool recorded_answer(void *memory, const char *function, uint64_t *value)
{
    struct recorded *recorded = recorded_of(memory);
    return strcmp(function, "rh_after") == 0 ? find_due(recorded, value)
                                             : take_input(recorded, function, value);
}

static uint32_t recorded_choose(void *memory, const struct rh_choice_point *point)
{
    struct recorded *recorded = recorded_of(memory);
    if (point->is_delivery)
        return choose_delivery(recorded, point);
    if (point->fault != 0) {
        uint32_t message = (uint32_t)(point->sent - point->world->messages);
        return rh_index_find(&recorded->drops, stamp_at(recorded, point->world, message)) !=
               RH_NONE;
    }
    uint64_t value;
    if (!take_input(recorded, "rh_choose", &value))
        return 0;
    if (value >> 32 != point->count)
        diverge(recorded, point->world, "chooses among %u and not %u", point->count,
                (unsigned)(value >> 32));
    return (uint32_t)value;
}

// Nothing is deliverable any more.
static void recorded_ended(void *memory, const struct rh_choice_point *point)
{
    struct recorded *recorded = recorded_of(memory);
    bool has_more;
    find_ready(recorded, &has_more);
    if (has_more)
        diverge(recorded, point->world, "does not lead to what was delivered next");
}

static bool recorded_next(void *memory, struct rh_path *path, uint64_t executions)
{
    (void)memory, (void)path, (void)executions;
    return false;
}

static const struct rh_strategy_ops strategy = {
    .name = "recorded",
    .replays = true,
    .init = recorded_init,
    .prepare = recorded_prepare,
    .answer = recorded_answer,
    .choose = recorded_choose,
    .ended = recorded_ended,
    .next = recorded_next,
};

// The schedule.

// The name of the actor whose address these eight bytes are; NULL if they are the address of none.
static const char *actor_name(const struct rh_execution *execution, const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return rh_execution_name(execution, word);
}

static void add_hexadecimal(struct rh_text *text, const uint8_t *bytes, size_t count)
{
    if (count > 0 && text->length > 0)
        rh_text_add(text, " ");
    for (size_t i = 0; i < count; i++)
        rh_text_addf(text, "%02x", bytes[i]);
}

static char *bytes_of(const struct rh_execution *execution, const struct rh_event *event)
{
    struct rh_text text = {0};
    size_t plain = 0;
    rh_text_add(&text, "");
    for (size_t at = 0; at + sizeof(uint64_t) <= event->payload_size; at += sizeof(uint64_t)) {
        const char *name = actor_name(execution, event->payload + at);
        if (!name)
            continue;
        add_hexadecimal(&text, event->payload + plain, at - plain);
        rh_text_addf(&text, "%s\"@%s\"", text.length > 0 ? " " : "", name);
        plain = at + sizeof(uint64_t);
    }
    add_hexadecimal(&text, event->payload + plain, event->payload_size - plain);
    return rh_text_take(&text);
}

static struct rh_schedule_send created_line(const struct rh_execution *execution,
                                            const struct rh_event *event)
{
    return (struct rh_schedule_send){
        .type = rh_strdup(event->text),
        .state_type = rh_strdup(event->type),
        .bytes = bytes_of(execution, event),
        .receiver = rh_strdup(event->peer),
        .line = event->line,
    };
}

static void add_arrivals(const struct rh_execution *execution, struct rh_schedule *schedule)
{
    for (size_t i = 0; i < execution->events.count; i++) {
        const struct rh_event *event = &execution->events.items[i];
        size_t number = schedule->sends.count;
        bool is_sent = event->kind == RH_EVENT_SEND || event->kind == RH_EVENT_TIMER;
        if (event->kind == RH_EVENT_SPAWN && *event->text)
            *rh_vector_push(&schedule->sends) = created_line(execution, event);
        if (!is_sent || event->identity != rh_came_identity(number))
            continue;
        *rh_vector_push(&schedule->sends) = (struct rh_schedule_send){
            .type = rh_strdup(event->type),
            .bytes = bytes_of(execution, event),
            .identity = event->identity,
            .is_timer = event->kind == RH_EVENT_TIMER,
            .due = event->kind == RH_EVENT_TIMER ? (uint64_t)event->number : 0,
            .receiver = rh_strdup(event->peer),
            .sender = strcmp(event->actor, "outside") == 0 ? NULL : rh_strdup(event->actor),
            .line = (int)number + 1,
        };
    }
}

static struct rh_run_options options_for(const struct rh_run_options *given,
                                         struct recorded *recorded)
{
    struct rh_run_options options = *given;
    options.strategy = "recorded";
    options.own_strategy = &strategy;
    options.own_memory = recorded;
    options.schedule = NULL;
    options.order_rule = RH_ORDER_FIFO;
    options.time = RH_TIME_CAUSAL;
    options.environment = RH_ENVIRONMENT_QUIET;
    options.faults = (struct rh_faults){.drops = (uint16_t)recorded->recording->drops.count};
    options.max_length = UINT32_MAX;
    options.max_executions = options.max_deliveries = options.max_memory = 0;
    options.states = RH_STATES_NONE;
    options.reduction = "none";
    options.undo = RH_UNDO_OFF;
    options.shrink = options.trace_states = options.census = options.output = false;
    options.keep_going = options.shortest = options.automatic = options.commuting = false;
    return options;
}

static struct rh_status repeat(const struct rh_run_options *options, const struct rh_test *test,
                               struct recorded *recorded, struct rh_schedule *schedule)
{
    struct rh_result result = {0};
    struct rh_status status = rh_run_test(options, test, &result);
    // Who asks for a journal needs no schedule.
    if (rh_is_ok(&status) && !options->journal) {
        rh_confirm_schedule(options, test, &result.execution, schedule);
        add_arrivals(&result.execution, schedule);
        schedule->path = rh_strdup(recorded->path);
        schedule->stops = *recorded->is_stopped;
    }
    rh_result_fini(&result);
    return status;
}

struct rh_status rh_recorded_convert(const struct rh_run_options *options,
                                     const struct rh_test *test,
                                     const struct rh_recording *recording, const char *path,
                                     struct rh_schedule *schedule)
{
    void *shared =
        mmap(NULL, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return rh_failed("cannot map a page of memory");
    struct recorded *recorded = recorded_new(recording, path);
    recorded->is_stopped = shared;
    struct rh_run_options own = options_for(options, recorded);
    struct rh_status status = repeat(&own, test, recorded, schedule);
    recorded_free(recorded);
    munmap(shared, sizeof(bool));
    return status;
}
