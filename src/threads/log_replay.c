// SPDX-License-Identifier: MIT
#include "threads/log_replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/file_name.h"
#include "base/text.h"
#include "base/vector.h"
#include "threads/engine.h"
#include "threads/look.h"
#include "threads/run.h"

extern const struct rh__replayed __start_rh_replayed[] __attribute__((weak));
extern const struct rh__replayed __stop_rh_replayed[] __attribute__((weak));

// An action, and what does it again.
struct action {
    const struct rh__replayed *replayed;
    const struct rh_log_record *record;
};

struct rh_log_replay {
    uint32_t count;
    RH_VECTOR(struct action) waiting[]; // of each thread, for its commit
};

bool rh__log_replays(void)
{
    return &__start_rh_replayed[0] < &__stop_rh_replayed[0];
}

struct rh_log_replay *rh__log_replay_new(uint32_t threads)
{
    struct rh_log_replay *replay =
        rh_alloc(sizeof *replay + (threads + 1) * sizeof *replay->waiting);
    memset(replay, 0, sizeof *replay + (threads + 1) * sizeof *replay->waiting);
    replay->count = threads;
    rh__image_restore();
    return replay;
}

void rh__log_replay_free(struct rh_log_replay *replay)
{
    for (uint32_t i = 0; replay && i < replay->count; i++)
        rh_vector_fini(&replay->waiting[i]);
    free(replay);
}

// What is allocated is the component's, as in its set-up.
static void make(const struct action *action)
{
    int64_t arguments[RH_ARGUMENTS_MOST] = {0};
    int count =
        action->record->count < RH_ARGUMENTS_MOST ? action->record->count : RH_ARGUMENTS_MOST;
    memcpy(arguments, action->record->values, (size_t)count * sizeof *arguments);
    rh__engine->current = 0;
    rh__engine->is_serving = true;
    action->replayed->function(arguments);
    rh__engine->is_serving = false;
    rh__engine->steps++; // or a long log would be taken for one that hangs
}

static const struct rh__replayed *find(const char *name)
{
    for (const struct rh__replayed *entry = __start_rh_replayed; entry < __stop_rh_replayed;
         entry++)
        if (!strcmp(entry->action, name))
            return entry;
    return NULL;
}

struct rh_status rh__log_replay_take(struct rh_log_replay *replay, const struct rh_log_step *step,
                                     const char *action, const char *file)
{
    __typeof__(&replay->waiting[0]) waiting = &replay->waiting[step->thread];
    if (step->record->kind == RH_LOG_COMMIT) {
        for (size_t i = 0; i < waiting->count; i++)
            make(&waiting->items[i]);
        waiting->count = 0;
        return rh_ok();
    }
    const struct action made = {find(action), step->record};
    if (!made.replayed)
        return rh_bad_input("%s:%u: the program does not say how the action %s is done again: "
                            "write RH_REPLAY(%s)",
                            rh_base_name(file), step->record->line, action, action);
    if (step->record->flags & RH_LOG_AT_COMMIT)
        *rh_vector_push(waiting) = made;
    else
        make(&made);
    return rh_ok();
}

void rh__log_replay_view(struct rh_view *view)
{
    const struct rh__component_entry *entry = rh_threads_component();
    rh__engine->is_serving = true;
    rh__view_take(entry ? entry->component->view : NULL, view);
    rh__engine->is_serving = false;
}
