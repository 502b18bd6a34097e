// SPDX-License-Identifier: MIT
// A record is a fixed head, the strings one after the other without their NULs, and the payload.
// The process that had a record written reads it, so it has this machine's byte order.
#include "result/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define STRING_COUNT 5
#define RECORD_MAGIC 0x52684576u

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

static const char *const kind_names[] = {
#define X(kind, name) name,
    RH_EVENT_KINDS(X)
#undef X
};
#define KIND_COUNT (sizeof kind_names / sizeof *kind_names)

const char *rh_event_kind_name(enum rh_event_kind kind)
{
    rh_assert((unsigned)kind < KIND_COUNT);
    return kind_names[kind];
}

static void event_fini(struct rh_event *event)
{
    free(event->actor);
    free(event->peer);
    free(event->type);
    free(event->file);
    free(event->text);
    free(event->payload);
}

void rh_trace_fini(struct rh_trace *trace)
{
    for (size_t i = 0; i < trace->events.count; i++)
        event_fini(&trace->events.items[i]);
    rh_vector_fini(&trace->events);
}

// Removes the first `count` bytes from the parts.
static void drop_written(struct iovec *parts, int part_count, size_t count)
{
    for (int i = 0; i < part_count && count; i++) {
        size_t here = count < parts[i].iov_len ? count : parts[i].iov_len;
        if (here == 0)
            continue; // an empty part may be NULL
        parts[i].iov_base = (char *)parts[i].iov_base + here;
        parts[i].iov_len -= here;
        count -= here;
    }
}

// One call hands over the whole record, so that a crash tears at most one record that the kernel
// took in part. Nothing is allocated: the writer may be out of memory.
static bool write_parts(int descriptor, struct iovec *parts, int part_count, size_t left)
{
    while (left) {
        ssize_t written = writev(descriptor, parts, part_count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        left -= (size_t)written;
        drop_written(parts, part_count, (size_t)written);
    }
    return true;
}

bool rh_event_write(int descriptor, const struct rh_event *event)
{
    char *strings[STRING_COUNT] = {event->actor, event->peer, event->type, event->file,
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
    struct iovec parts[STRING_COUNT + 2] = {{&record, sizeof record}};
    for (int i = 0; i < STRING_COUNT; i++) {
        record.lengths[i] = strings[i] ? (uint32_t)strlen(strings[i]) : 0;
        record.size += record.lengths[i];
        parts[i + 1] = (struct iovec){strings[i], record.lengths[i]};
    }
    parts[STRING_COUNT + 1] = (struct iovec){event->payload, event->payload_size};
    return write_parts(descriptor, parts, STRING_COUNT + 2, record.size);
}

// Whether the head makes sense by itself.
static bool is_sound(const struct record *record)
{
    uint64_t size = sizeof *record;
    for (int i = 0; i < STRING_COUNT; i++)
        size += record->lengths[i];
    return record->magic == RECORD_MAGIC && record->kind < KIND_COUNT && record->size >= size &&
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
static void add_event(struct rh_trace *trace, const struct record *record, const char *bytes)
{
    struct rh_event *event = rh_vector_push(&trace->events);
    event->kind = (enum rh_event_kind)record->kind;
    event->delivery = record->delivery;
    event->identity = record->identity;
    event->actor_address = record->actor_address;
    event->peer_address = record->peer_address;
    event->number = record->number;
    event->line = record->line;
    event->actor = take_string(&bytes, record->lengths[0]);
    event->peer = take_string(&bytes, record->lengths[1]);
    event->type = take_string(&bytes, record->lengths[2]);
    event->file = take_string(&bytes, record->lengths[3]);
    event->text = take_string(&bytes, record->lengths[4]);
    event->payload = (uint8_t *)take_string(&bytes, record->payload_size);
    event->payload_size = record->payload_size;
}

static struct rh_status add_events(struct rh_trace *trace, const char *bytes, size_t length)
{
    struct record record;
    for (size_t at = 0; length - at >= sizeof record; at += record.size) {
        memcpy(&record, bytes + at, sizeof record);
        if (!is_sound(&record))
            return rh_failed("the trace of the execution is damaged at byte %zu", at);
        if (record.size > length - at)
            break;
        add_event(trace, &record, bytes + at + sizeof record);
    }
    return rh_ok();
}

// The file's position belongs to the writer, who may share it, so reading leaves it alone.
static struct rh_status read_all(struct rh_text *text, int descriptor)
{
    for (;;) {
        char block[1 << 16];
        ssize_t count = pread(descriptor, block, sizeof block, (off_t)text->length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return rh_failed("the trace of the execution can't be read: %s", strerror(errno));
        if (count == 0)
            return rh_ok();
        rh_text_add_bytes(text, block, (size_t)count);
    }
}

struct rh_status rh_trace_read(struct rh_trace *trace, int descriptor)
{
    *trace = (struct rh_trace){0};
    struct rh_text text = {0};
    struct rh_status status = read_all(&text, descriptor);
    if (rh_is_ok(&status))
        status = add_events(trace, rh_text_get(&text), text.length);
    if (!rh_is_ok(&status))
        rh_trace_fini(trace);
    rh_text_fini(&text);
    return status;
}
