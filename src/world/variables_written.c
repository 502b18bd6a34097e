// SPDX-License-Identifier: MIT
// Which variables a handler wrote, and where.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/variables.h"
#include "world/world.h"

static bool is_variable(struct rh_debug *debug, uint64_t address, const char *variable)
{
    struct rh_text name = {0};
    size_t length = strlen(variable);
    bool is_same = rh_debug_variable_at(debug, address, &name, NULL, NULL) &&
                   strncmp(rh_text_get(&name), variable, length) == 0 &&
                   (rh_text_get(&name)[length] == '\0' || rh_text_get(&name)[length] == '+');
    rh_text_fini(&name);
    return is_same;
}

// The first noted write to the variable. A page is noted once: if another variable on the page was
// written before, NULL.
static const struct rh_write *find_write(const struct rh_world *world, const char *variable)
{
    for (size_t i = 0; i < rh__globals.write_count; i++)
        if (is_variable(world->options.debug, rh__globals.writes[i].address, variable))
            return &rh__globals.writes[i];
    return NULL;
}

static void note_variable(struct rh_world *world, const char *address, struct rh_written *written)
{
    struct rh_text name = {0};
    const char *file = NULL;
    int line = 0;
    if (!world->options.debug ||
        !rh_debug_variable_at(world->options.debug, (uintptr_t)address, &name, &file, &line)) {
        rh_text_clear(&name);
        rh_text_add(&name, "a global without a name");
    }
    char *variable = rh_text_take(&name);
    variable[strcspn(variable, "+")] = '\0';
    bool is_program = rh__process.owns_malloc || !rh_is_sanitizer_variable(variable);
    bool suppressed =
        world->options.suppressions &&
        rh_suppressions_match(world->options.suppressions, "shared-state", variable, NULL);
    if (suppressed)
        snprintf(world->suppressed, sizeof world->suppressed, "%s", variable);
    const char *last = strrchr(rh_text_get(&written->names), ' ');
    bool is_same_as_last =
        written->count > 0 && !strcmp(last ? last + 1 : rh_text_get(&written->names), variable);
    if (is_program && !suppressed && !is_same_as_last) {
        rh_text_addf(&written->names, "%s%s", written->count > 0 ? ", " : "", variable);
        if (written->count++ == 0) {
            written->file = file;
            written->line = line;
            written->write = file ? find_write(world, variable) : NULL;
        }
    }
    free(variable);
}

bool rh_written_note(struct rh_world *world, const struct rh_watched *place, char *change,
                     struct rh_written *written)
{
    bool is_library = false;
    while (change && written->count < 8) {
        if (rh_globals_is_copied(change))
            is_library = true;
        else
            note_variable(world, change, written);
        uint32_t next = (uint32_t)(change - place->start) / 8 * 8 + 8;
        change = rh_watched_find_change(place, next);
    }
    return is_library;
}

void rh_written_report(struct rh_world *world, struct rh_written *written)
{
    world->write = written->write;
    if (written->count > 0 && !world->failed)
        rh_world_fail(world, RH_FINDING_SHARED_STATE, written->file, written->line,
                      "%s %s written: actors must not share variables",
                      rh_text_get(&written->names), written->count == 1 ? "was" : "were");
    world->write = NULL;
    rh_text_fini(&written->names);
}
