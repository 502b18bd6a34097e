// SPDX-License-Identifier: MIT
// The outside: the senders that a test makes, and the messages that a schedule file sends in their
// name once the test's body has run. These messages get their identities as the body's own sends
// do.
#include <stdlib.h>
#include <string.h>

#include "world/world.h"

uint32_t rh_world_add_outside(struct rh_world *world, const char *name)
{
    uint32_t slot = rh_world_new_slot(world);
    world->actors[slot] = (struct rh_actor_record){
        .identity = rh_hash64_text(name, 5),
        .spawned_name = rh_strdup(name),
        .behaviour_name = "outside",
        .status = RH_ACTOR_OUTSIDE,
        .heap.used = RH_STATE_OFFSET,
    };
    return slot;
}

// An actor that the test's body made.
struct named {
    char *name; // owned
    uint32_t slot;
};

struct directory {
    struct named *items;
    size_t count;
};

static int by_name(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static void directory_init(struct directory *directory, const struct rh_world *world)
{
    *directory = (struct directory){rh_alloc(sizeof(struct named) * (world->actor_count + 1)), 0};
    for (uint32_t slot = 0; slot < world->actor_count; slot++) {
        struct rh_text name = {0};
        if (world->actors[slot].status == RH_ACTOR_OUTSIDE)
            continue;
        rh_world_add_name(world, &name, slot);
        directory->items[directory->count++] = (struct named){rh_text_take(&name), slot};
    }
    qsort(directory->items, directory->count, sizeof *directory->items, by_name);
}

static void directory_fini(struct directory *directory)
{
    for (size_t i = 0; i < directory->count; i++)
        free(directory->items[i].name);
    free(directory->items);
}

static const struct named *find_actor(const struct directory *directory, const char *name)
{
    struct named key = {(char *)(uintptr_t)name, 0};
    return bsearch(&key, directory->items, directory->count, sizeof *directory->items, by_name);
}

uint32_t rh_world_find_outside(const struct rh_world *world, const char *name)
{
    for (uint32_t slot = 1; slot < world->actor_count; slot++)
        if (world->actors[slot].status == RH_ACTOR_OUTSIDE &&
            strcmp(world->actors[slot].spawned_name, name) == 0)
            return slot;
    return RH_NONE;
}

// What names in the fields of a message stand for.
struct book {
    const struct rh_world *world;
    const struct directory *directory;
};

static bool find_address(void *context, const char *name, uint64_t *address)
{
    const struct book *book = context;
    const struct named *actor = find_actor(book->directory, name);
    uint32_t slot = actor ? actor->slot : rh_world_find_outside(book->world, name);
    if (slot != RH_NONE)
        *address = (uint64_t)rh_world_address(slot);
    return slot != RH_NONE;
}

// One message.

_Noreturn void rh_world_refuse_send(struct rh_world *world, const struct rh_schedule_send *send,
                                    const char *format, ...)
{
    const char *path = world->options.inputs->path;
    struct rh_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    rh_text_addv(&text, format, arguments);
    va_end(arguments);
    rh_world_bad_input(world, rh_bad_input("%s:%d: %s %s: %s", path ? path : "schedule", send->line,
                                           send->state_type   ? "created"
                                           : send->bytes      ? "came"
                                           : send->is_instead ? "instead"
                                                              : "send",
                                           send->type, rh_text_get(&text)));
}

static const struct rh_type *find_type(struct rh_world *world, const struct rh_schedule_send *send)
{
    const struct rh_type *type = rh_program_find_type(send->type);
    if (type)
        return type;
    rh_world_refuse_send(world, send, "the program has no RH_MESSAGE or RH_SIGNAL of this name");
}

static uint32_t find_receiver(struct rh_world *world, const struct rh_schedule_send *send,
                              const struct directory *directory)
{
    const struct named *actor = find_actor(directory, send->receiver);
    if (!actor && directory->count == 0)
        rh_world_refuse_send(world, send, "there is no actor %s: the test creates none",
                             send->receiver);
    if (!actor)
        rh_world_refuse_send(world, send,
                             "the test creates no actor %s; among those it creates is %s",
                             send->receiver, directory->items[0].name);
    if (world->has_receptionists && !world->actors[actor->slot].receptionist)
        rh_world_refuse_send(world, send, "%s is not declared with rh_receptionist",
                             send->receiver);
    return actor->slot;
}

static uint32_t find_sender(struct rh_world *world, const struct rh_schedule_send *send,
                            const struct directory *directory)
{
    if (!send->sender)
        return 0;
    if (find_actor(directory, send->sender))
        rh_world_refuse_send(world, send, "%s is an actor: only outside senders can be named here",
                             send->sender);
    if (strcmp(world->actors[0].spawned_name, send->sender) == 0)
        return 0;
    uint32_t slot = rh_world_find_outside(world, send->sender);
    return slot == RH_NONE ? rh_world_add_outside(world, send->sender) : slot;
}

// Reads the fields into zeroed bytes; fields that are not named stay zero.
static void read_fields(struct rh_world *world, const struct rh_schedule_send *send,
                        const struct rh_type *type, const struct directory *directory,
                        void *payload)
{
    if (!send->fields)
        return;
    if (type->size == 0)
        rh_world_refuse_send(world, send, "it is a signal and has no fields: leave the braces out");
    struct rh_debug *debug = world->options.debug;
    struct rh_text name = {0};
    rh_text_addf(&name, "struct %s", type->name);
    const struct rh_debug_type *shape =
        debug ? rh_debug_find_type(debug, rh_text_get(&name), type->size) : NULL;
    rh_text_fini(&name);
    if (!shape)
        rh_world_refuse_send(world, send,
                             "nothing is known about its fields: compile the program with -g");
    struct book book = {world, directory};
    const struct rh_debug_addresses addresses = {&book, find_address};
    struct rh_status status =
        rh_debug_parse_value(debug, shape, send->fields, payload, type->size, &addresses);
    if (!rh_is_ok(&status))
        rh_world_refuse_send(world, send, "%s", status.text);
}

static void send_one(struct rh_world *world, const struct rh_schedule_send *send,
                     const struct directory *directory)
{
    const char *path = world->options.inputs->path;
    const struct rh_type *type = find_type(world, send);
    void *payload = type->size > 0 ? rh_alloc(type->size) : NULL;
    read_fields(world, send, type, directory, payload);
    uint32_t receiver = find_receiver(world, send, directory);
    uint32_t sender = find_sender(world, send, directory);
    struct rh_sending sending = {
        .kind = RH_PLAIN,
        .receiver = receiver,
        .sender = sender,
        .type = type,
        .payload = payload,
        .size = type->size,
        .file = path ? path : "schedule",
        .line = send->line,
    };
    rh_world_send(world, &sending);
    free(payload);
}

// Whether the pending message is the one that the line means.
static bool is_meant(const struct rh_world *world, const struct rh_message *message,
                     const struct rh_schedule_send *send, uint32_t receiver)
{
    if (send->identity)
        return message->identity == send->identity;
    return message->receiver == receiver && strcmp(message->type->name, send->type) == 0 &&
           (!send->sender ||
            strcmp(world->actors[message->sender].spawned_name, send->sender) == 0);
}

// Gives a message that the body has sent other fields.
static void change_one(struct rh_world *world, const struct rh_schedule_send *send,
                       const struct directory *directory)
{
    uint32_t receiver = find_receiver(world, send, directory);
    uint32_t index = world->first_pending;
    while (index != RH_NONE && !is_meant(world, &world->messages[index], send, receiver))
        index = world->messages[index].next;
    if (index == RH_NONE)
        rh_world_refuse_send(world, send,
                             "the test's body sends no such message to %s; has the test changed?",
                             send->receiver);
    struct rh_message *message = &world->messages[index];
    const struct rh_type *type = find_type(world, send);
    if (message->receiver != receiver || strcmp(message->type->name, type->name) != 0 ||
        message->size != type->size)
        rh_world_refuse_send(world, send, "the message of this identity is another one");
    read_fields(world, send, type, directory, message->payload);
    if (world->options.fingerprints)
        message->hash = rh_message_hash(world, message);
}

void rh_world_send_scheduled(struct rh_world *world)
{
    const struct rh_schedule *schedule = world->options.inputs;
    if (!schedule || schedule->sends.count == 0)
        return;
    struct directory directory;
    directory_init(&directory, world);
    for (size_t i = 0; i < schedule->sends.count; i++)
        if (schedule->sends.items[i].is_instead)
            change_one(world, &schedule->sends.items[i], &directory);
    for (size_t i = 0; i < schedule->sends.count; i++)
        if (!schedule->sends.items[i].bytes && !schedule->sends.items[i].is_instead)
            send_one(world, &schedule->sends.items[i], &directory);
    directory_fini(&directory);
}
