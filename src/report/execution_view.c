// SPDX-License-Identifier: MIT
#include "report/execution_view.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 24 };

static void add_file(struct rh_execution_view *view, const char *file)
{
    for (size_t i = 0; i < view->files.count; i++)
        if (strcmp(view->files.items[i], file) == 0)
            return;
    *rh_vector_push(&view->files) = file;
}

void rh_execution_view_init(struct rh_execution_view *view, const struct rh_execution *execution,
                            struct rh_debug *debug)
{
    *view = (struct rh_execution_view){.execution = execution, .debug = debug};
    for (size_t i = 0; i < execution->events.count; i++)
        add_file(view, execution->events.items[i].file);
}

void rh_execution_view_fini(struct rh_execution_view *view)
{
    rh_vector_fini(&view->files);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *rh_execution_short_file(const struct rh_execution_view *view, const char *file)
{
    if (strlen(file) <= LONGEST_PATH)
        return file;
    for (size_t i = 0; i < view->files.count; i++) {
        const char *other = view->files.items[i];
        if (strcmp(other, file) != 0 && strcmp(base_name(other), base_name(file)) == 0)
            return file;
    }
    return base_name(file);
}

static bool add_address(void *context, struct rh_text *text, uint64_t address)
{
    const struct rh_execution_view *view = context;
    const char *name = address ? rh_execution_name(view->execution, address) : NULL;
    if (name)
        rh_text_add(text, name);
    return name != NULL;
}

// Events name types of messages without `struct`, and types of states as in the source.
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

void rh_execution_add_payload(struct rh_execution_view *view, struct rh_text *text,
                              const struct rh_event *event)
{
    if (event->kind != RH_EVENT_SPAWN)
        rh_text_add(text, event->text);
    if (!event->payload_size)
        return;
    const struct rh_debug_names names = {view, add_address};
    const struct rh_debug_type *type =
        view->debug && *event->type ? find_type(view->debug, event->type, event->payload_size)
                                    : NULL;
    bool is_typed = *event->type != '\0';
    view->misses_types |= is_typed && !type;
    view->has_untyped |= !is_typed;
    rh_debug_add_value(view->debug, text, type, event->payload, event->payload_size, &names);
}
