// SPDX-License-Identifier: MIT
// Events of an execution, written down for replays and reports.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/tape.h"
#include "world/world.h"

static bool is_on(const struct rh_world *world)
{
    return world->options.tape != NULL;
}

// Events do not change the strings that they borrow.
static char *lend(const char *text)
{
    return (char *)(uintptr_t)text;
}

static void write_event(struct rh_world *world, struct rh_event *event)
{
    event->delivery = world->number;
    if (!rh_tape_write(world->options.tape, event))
        rh_world_give_up(world, "an execution is too long to be written down");
}

// Fills in names and addresses of the actor and, unless it is RH_NONE, of its peer.
static void write_about(struct rh_world *world, struct rh_event *event, uint32_t actor,
                        uint32_t peer)
{
    struct rh_text actor_name = {0}, peer_name = {0};
    rh_world_add_name(world, &actor_name, actor);
    event->actor = actor_name.bytes;
    event->actor_address = (uint64_t)rh_world_address(actor);
    if (peer != RH_NONE) {
        rh_world_add_name(world, &peer_name, peer);
        event->peer = peer_name.bytes;
        event->peer_address = (uint64_t)rh_world_address(peer);
    }
    write_event(world, event);
    rh_text_fini(&actor_name);
    rh_text_fini(&peer_name);
}

static void set_content(struct rh_event *event, const struct rh_world *world,
                        const struct rh_message *message)
{
    if (world->options.adapter->keeps_state) {
        event->text = message->size > 0 ? message->payload : NULL;
        return;
    }
    event->payload = message->payload;
    event->payload_size = message->size;
}

void rh_trace_message(struct rh_world *world, const struct rh_message *message, bool delivered)
{
    static const enum rh_event_kind sent[] = {RH_EVENT_SEND, RH_EVENT_ASK, RH_EVENT_REPLY,
                                              RH_EVENT_TIMER};
    if (!is_on(world))
        return;
    struct rh_event event = {.kind = delivered ? RH_EVENT_DELIVER : sent[message->kind],
                             .identity = message->identity,
                             .number = delivered ? (int64_t)message->kind : (int64_t)message->due,
                             .line = message->line,
                             .type = lend(message->type->name),
                             .file = lend(message->file)};
    set_content(&event, world, message);
    write_about(world, &event, delivered ? message->receiver : message->sender,
                delivered ? message->sender : message->receiver);
}

void rh_trace_fault(struct rh_world *world, enum rh_event_kind kind,
                    const struct rh_message *message)
{
    if (!is_on(world))
        return;
    struct rh_event event = {.kind = kind,
                             .identity = message->identity,
                             .number = message->kind,
                             .line = message->line,
                             .type = lend(message->type->name),
                             .file = lend(message->file),
                             .payload = message->payload,
                             .payload_size = message->size};
    write_about(world, &event, message->sender, message->receiver);
}

void rh_trace_crash(struct rh_world *world, uint32_t index)
{
    if (!is_on(world))
        return;
    const struct rh_message *message = &world->messages[index];
    struct rh_event event = {.kind = RH_EVENT_CRASH,
                             .identity = message->identity,
                             .number = world->options.faults.restarts};
    write_about(world, &event, message->receiver, RH_NONE);
}

void rh_trace_spawn(struct rh_world *world, uint32_t slot, const struct rh_spawning *spawning)
{
    if (!is_on(world))
        return;
    const struct rh_actor_record *record = &world->actors[slot];
    struct rh_event event = {.kind = RH_EVENT_SPAWN,
                             .identity = record->identity,
                             .line = spawning->line,
                             .type = lend(spawning->type ? spawning->type->name : ""),
                             .file = lend(spawning->file),
                             .text = lend(spawning->index ? spawning->behaviour_name : ""),
                             .payload = record->state,
                             .payload_size = record->state_size};
    write_about(world, &event, world->current, slot);
}

void rh_trace_state(struct rh_world *world, uint32_t slot, int64_t when)
{
    const struct rh_actor_record *record = &world->actors[slot];
    if (!is_on(world) || !world->options.trace_states || !record->state)
        return;
    struct rh_event event = {.kind = RH_EVENT_STATE,
                             .number = when,
                             .type = lend(record->state_type ? record->state_type->name : ""),
                             .payload = record->state,
                             .payload_size = record->state_size};
    write_about(world, &event, slot, RH_NONE);
}

void rh_trace_self(struct rh_world *world, enum rh_event_kind kind, const char *type,
                   int64_t number, const char *file, int line)
{
    if (!is_on(world))
        return;
    struct rh_event event = {
        .kind = kind, .number = number, .line = line, .type = lend(type), .file = lend(file)};
    write_about(world, &event, world->current, RH_NONE);
}

void rh_trace_choice(struct rh_world *world, const char *ways, int64_t outcome, const char *about,
                     const char *file, int line)
{
    if (!is_on(world))
        return;
    struct rh_event event = {.kind = RH_EVENT_CHOOSE,
                             .number = outcome,
                             .line = line,
                             .type = lend(ways),
                             .file = lend(file),
                             .text = lend(about)};
    write_about(world, &event, world->current, RH_NONE);
}

void rh_trace_finding(struct rh_world *world, const struct rh_finding *finding)
{
    if (!is_on(world))
        return;
    rh_trace_output(world);
    struct rh_event event = {.kind = RH_EVENT_FINDING,
                             .number = finding->kind,
                             .line = finding->line,
                             .file = lend(finding->file),
                             .text = lend(finding->message)};
    write_event(world, &event);
}

void rh_trace_lap(struct rh_world *world)
{
    struct rh_event event = {.kind = RH_EVENT_LAP};
    if (is_on(world))
        write_event(world, &event);
}

void rh_trace_output(struct rh_world *world)
{
    if (world->options.trace_output < 0)
        return;
    fflush(stdout);
    off_t end = lseek(world->options.trace_output, 0, SEEK_END);
    if (end <= (off_t)world->output_seen)
        return;
    size_t size = (size_t)end - world->output_seen;
    uint8_t *bytes = rh_alloc(size);
    ssize_t got = pread(world->options.trace_output, bytes, size, (off_t)world->output_seen);
    world->output_seen += size;
    struct rh_event event = {
        .kind = RH_EVENT_PRINT, .payload = bytes, .payload_size = got > 0 ? (size_t)got : 0};
    write_event(world, &event);
    free(bytes);
}
