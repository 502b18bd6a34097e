// SPDX-License-Identifier: MIT
// A record is a fixed head, the strings one after the other without their NULs, and the payload.
#include "result/tape.h"

#include <string.h>

#include "base/mapping.h"
#include "base/valgrind.h"

#define STRING_COUNT 5
#define RECORD_MAGIC 0x52684576u

// Valgrind keeps books about every page that could be touched, which takes long for this many.
static const size_t ROOM = (size_t)1 << 36;
static const size_t VALGRIND_ROOM = (size_t)1 << 28;

struct record {
    uint32_t magic;
    uint32_t kind;
    uint64_t size; // of head, strings and payload together
    uint64_t identity;
    uint64_t actor_address;
    uint64_t peer_address;
    int64_t number;
    uint64_t payload_size;
    uint32_t delivery;
    int32_t line;
    uint32_t lengths[STRING_COUNT];
    uint32_t zero;
};

struct rh_tape *rh_tape_new(void)
{
    size_t size = rh_valgrind_is_running() ? VALGRIND_ROOM : ROOM;
    struct rh_tape *tape = rh_map_shared(size);
    if (tape)
        tape->room = size - sizeof *tape;
    return tape;
}

void rh_tape_free(struct rh_tape *tape)
{
    rh_unmap_shared(tape, tape ? tape->room + sizeof *tape : 0);
}

// Writing.

static char *add_bytes(char *to, const void *bytes, size_t size)
{
    if (size > 0)
        memcpy(to, bytes, size);
    return to + size;
}

// The record counts only once all of it is there: a crash leaves no torn one.
bool rh_tape_write(struct rh_tape *tape, const struct rh_event *event)
{
    const char *strings[STRING_COUNT] = {event->actor, event->peer, event->type, event->file,
                                         event->text};
    struct record record = {
        .magic = RECORD_MAGIC,
        .kind = event->kind,
        .size = sizeof record + event->payload_size,
        .identity = event->identity,
        .actor_address = event->actor_address,
        .peer_address = event->peer_address,
        .number = event->number,
        .payload_size = event->payload_size,
        .delivery = event->delivery,
        .line = event->line,
    };
    for (int i = 0; i < STRING_COUNT; i++) {
        record.lengths[i] = strings[i] ? (uint32_t)strlen(strings[i]) : 0;
        record.size += record.lengths[i];
    }
    if (record.size > tape->room - tape->top)
        return false;
    char *to = add_bytes((char *)(tape + 1) + tape->top, &record, sizeof record);
    for (int i = 0; i < STRING_COUNT; i++)
        to = add_bytes(to, strings[i], record.lengths[i]);
    add_bytes(to, event->payload, event->payload_size);
    tape->top += record.size;
    return true;
}

// Reading.

// Whether the head makes sense by itself.
static bool is_sound(const struct record *record)
{
    uint64_t size = sizeof *record;
    for (int i = 0; i < STRING_COUNT; i++)
        size += record->lengths[i];
    return record->magic == RECORD_MAGIC && record->kind < RH_EVENT_COUNT && record->size >= size &&
           record->size - size == record->payload_size;
}

static char *take_string(const char **bytes, size_t length)
{
    char *string = rh_alloc(length + 1);
    memcpy(string, *bytes, length);
    *bytes += length;
    return string;
}

// `bytes` are the strings and the payload that follow the head.
static void add_event(struct rh_execution *execution, const struct record *record,
                      const char *bytes)
{
    struct rh_event event = {.kind = (enum rh_event_kind)record->kind,
                             .delivery = record->delivery,
                             .identity = record->identity,
                             .actor_address = record->actor_address,
                             .peer_address = record->peer_address,
                             .number = record->number,
                             .line = record->line,
                             .payload_size = record->payload_size};
    event.actor = take_string(&bytes, record->lengths[0]);
    event.peer = take_string(&bytes, record->lengths[1]);
    event.type = take_string(&bytes, record->lengths[2]);
    event.file = take_string(&bytes, record->lengths[3]);
    event.text = take_string(&bytes, record->lengths[4]);
    event.payload = (uint8_t *)take_string(&bytes, record->payload_size);
    rh_execution_add(execution, &event);
}

struct rh_status rh_tape_read(const struct rh_tape *tape, struct rh_execution *execution)
{
    *execution = (struct rh_execution){0};
    const char *bytes = (const char *)(tape + 1);
    size_t top = tape->top;
    struct record record;
    for (size_t at = 0; at < top; at += record.size) {
        bool is_whole = top <= tape->room && top - at >= sizeof record;
        if (is_whole)
            memcpy(&record, bytes + at, sizeof record);
        if (!is_whole || !is_sound(&record) || record.size > top - at) {
            rh_execution_fini(execution);
            return rh_failed("the record of the execution is damaged at byte %zu", at);
        }
        add_event(execution, &record, bytes + at + sizeof record);
    }
    return rh_ok();
}
