// SPDX-License-Identifier: MIT
#include "report/trace_index.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 24 };

static bool is_sending(enum rh_event_kind kind)
{
    return kind == RH_EVENT_SEND || kind == RH_EVENT_ASK || kind == RH_EVENT_REPLY ||
           kind == RH_EVENT_TIMER || kind == RH_EVENT_DUPLICATE;
}

static bool is_decision(enum rh_event_kind kind)
{
    return rh_event_is_step(kind) || kind == RH_EVENT_CHOOSE || kind == RH_EVENT_DROP ||
           kind == RH_EVENT_DUPLICATE;
}

// Equal keys stay in the order of the trace, so that a search finds the first of them.
static int compare_keys(const void *left, const void *right)
{
    const struct rh_trace_key *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->event < b->event ? -1 : a->event > b->event;
}

static void add_file(struct rh_trace_index *index, const char *file)
{
    for (size_t i = 0; i < index->files.count; i++)
        if (strcmp(index->files.items[i], file) == 0)
            return;
    *rh_vector_push(&index->files) = file;
}

void rh_trace_index_init(struct rh_trace_index *index, const struct rh_trace *trace,
                         struct rh_debug *debug)
{
    size_t count = trace->events.count;
    *index = (struct rh_trace_index){.trace = trace, .debug = debug};
    index->sends = rh_alloc((count + 1) * sizeof *index->sends);
    index->actors = rh_alloc((count + 1) * sizeof *index->actors);
    for (size_t i = 0; i < count; i++) {
        const struct rh_event *event = &trace->events.items[i];
        add_file(index, event->file);
        if (is_sending(event->kind))
            index->sends[index->send_count++] = (struct rh_trace_key){event->identity, (uint32_t)i};
        else if (event->kind == RH_EVENT_SPAWN)
            index->actors[index->actor_count++] =
                (struct rh_trace_key){event->peer_address, (uint32_t)i};
    }
    qsort(index->sends, index->send_count, sizeof *index->sends, compare_keys);
    qsort(index->actors, index->actor_count, sizeof *index->actors, compare_keys);
}

void rh_trace_index_fini(struct rh_trace_index *index)
{
    free(index->sends);
    free(index->actors);
    rh_vector_fini(&index->files);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *rh_trace_short_file(const struct rh_trace_index *index, const char *file)
{
    if (strlen(file) <= LONGEST_PATH)
        return file;
    for (size_t i = 0; i < index->files.count; i++) {
        const char *other = index->files.items[i];
        if (strcmp(other, file) != 0 && strcmp(base_name(other), base_name(file)) == 0)
            return file;
    }
    return base_name(file);
}

// The first event from `*at` on that decided how the execution went on; NULL after the last.
static const struct rh_event *next_decision(const struct rh_trace *trace, size_t *at)
{
    while (*at < trace->events.count) {
        const struct rh_event *event = &trace->events.items[(*at)++];
        if (is_decision(event->kind))
            return event;
    }
    return NULL;
}

bool rh_trace_has_same_path(const struct rh_trace *one, const struct rh_trace *other)
{
    for (size_t i = 0, k = 0;;) {
        const struct rh_event *left = next_decision(one, &i);
        const struct rh_event *right = next_decision(other, &k);
        if (!left || !right)
            return !left && !right;
        if (left->kind != right->kind || left->identity != right->identity ||
            left->number != right->number)
            return false;
    }
}

static const struct rh_event *find_event(const struct rh_trace_index *index,
                                         const struct rh_trace_key *keys, size_t count,
                                         uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && keys[low].key == key ? &index->trace->events.items[keys[low].event]
                                               : NULL;
}

const struct rh_event *rh_trace_find_send(const struct rh_trace_index *index, uint64_t identity)
{
    return find_event(index, index->sends, index->send_count, identity);
}

static bool add_address(void *context, struct rh_text *text, uint64_t address)
{
    const struct rh_trace_index *index = context;
    const struct rh_event *spawn =
        address ? find_event(index, index->actors, index->actor_count, address) : NULL;
    if (!spawn)
        return false;
    rh_text_add(text, spawn->peer);
    return true;
}

// In a trace, types of messages are named without `struct`, and types of states as in the source.
static const struct rh_debug_type *find_type(struct rh_debug *debug, const char *name, size_t size)
{
    struct rh_text full = {0};
    rh_text_addf(&full, "struct %s", name);
    bool has_tag = !strncmp(name, "struct ", 7) || !strncmp(name, "union ", 6);
    const struct rh_debug_type *type =
        has_tag ? NULL : rh_debug_find_type(debug, rh_text_get(&full), size);
    if (!type)
        type = rh_debug_find_type(debug, name, size);
    // A payload of variable length is longer than its struct.
    if (!type && !has_tag)
        type = rh_debug_find_type(debug, rh_text_get(&full), 0);
    if (!type)
        type = rh_debug_find_type(debug, name, 0);
    rh_text_fini(&full);
    return type;
}

void rh_trace_add_payload(struct rh_trace_index *index, struct rh_text *text,
                          const struct rh_event *event)
{
    if (event->kind != RH_EVENT_SPAWN)
        rh_text_add(text, event->text);
    if (!event->payload_size)
        return;
    const struct rh_debug_names names = {index, add_address};
    const struct rh_debug_type *type =
        index->debug && *event->type ? find_type(index->debug, event->type, event->payload_size)
                                     : NULL;
    bool is_typed = *event->type != '\0';
    index->misses_types |= is_typed && !type;
    index->has_untyped |= !is_typed;
    rh_debug_add_value(index->debug, text, type, event->payload, event->payload_size, &names);
}
