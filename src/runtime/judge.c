// SPDX-License-Identifier: MIT
// The operations of test.h on threads: senders from outside and receptionists as in a controlled
// world, judges at the end of the run, when nothing moves any more. rh_may_come is for controlled
// worlds: on threads nothing comes of itself.
#include <stdlib.h>
#include <string.h>

#include "base/sender_name.h"
#include "base/text.h"
#include "entry/operations.h"
#include "entry/process.h"
#include "runtime/record_delivery.h"
#include "runtime/runtime.h"

static struct rh_runtime *runtime_now(void)
{
    return rh__process.runtime;
}

static struct rh_cell *cell_of(const rh_actor *actor, const char *operation)
{
    struct rh_cell *cell = rh_address_cell(&runtime_now()->cells, actor);
    if (!cell)
        rh_runtime_fail(NULL, 0, "%s of %s", operation,
                        actor ? "an address that is no actor's" : "NULL");
    return cell;
}

static void check_sender_name(const struct rh_runtime *runtime, const char *name)
{
    for (size_t i = 0; i < runtime->senders.count; i++)
        if (strcmp(runtime->senders.items[i], name) == 0)
            rh_runtime_fail(NULL, 0, "second rh_outside(\"%s\"): each sender has a name of its own",
                            name);
}

rh_actor *rh_outside_threaded(const char *name)
{
    struct rh_runtime *runtime = runtime_now();
    if (rh__local.carrier)
        rh_runtime_fail(NULL, 0, "rh_outside in a behaviour");
    const char *fault = rh_sender_name_fault(name);
    if (fault)
        rh_runtime_fail(NULL, 0, "rh_outside%s", fault);
    struct rh_post *post = rh_post_enter(runtime, NULL);
    check_sender_name(runtime, name);
    struct rh_cell *cell = rh_cells_take(&runtime->cells, &post->cells);
    cell->status = RH_CELL_OUTSIDE;
    cell->behaviour_name = rh_strdup(name);
    *rh_vector_push(&runtime->senders) = cell->behaviour_name;
    rh_post_leave(runtime, NULL);
    if (runtime->recorder) {
        struct rh_lane *lane = rh_recorder_enter(runtime->recorder);
        rh_record_birth(lane, cell);
        if (!runtime->in_setup)
            rh_record_creation(lane, cell, NULL, 0);
        rh_recorder_leave(runtime->recorder);
    }
    return rh_cell_address(&runtime->cells, cell);
}

void rh_receptionist_threaded(rh_actor *actor)
{
    struct rh_cell *cell = cell_of(actor, "rh_receptionist");
    if (!runtime_now()->in_setup)
        rh_runtime_fail(NULL, 0, "rh_receptionist outside of setup");
    cell->receptionist = true;
    runtime_now()->has_receptionists = true;
}

void *rh_state_of_threaded(rh_actor *actor)
{
    (void)actor;
    rh_runtime_fail(NULL, 0, "rh_state_of on threads, where an actor begins when it is spawned");
}

void *rh_block_of_threaded(rh_actor *actor, size_t size)
{
    (void)actor, (void)size;
    rh_runtime_fail(NULL, 0, "rh_block_of on threads, where an actor begins when it is spawned");
}

void rh__may_come_threaded(rh_actor *to, int times, const struct rh_type *type, const void *payload,
                           size_t size, const char *file, int line)
{
    (void)to, (void)times, (void)payload, (void)size;
    if (!runtime_now()->in_setup)
        rh_runtime_fail(file, line, "rh_may_come of %s outside of setup", type->name);
}

void rh__judge_threaded(rh_judge *judge, const char *name, bool at_end, const void *context,
                        size_t size)
{
    if (!runtime_now()->in_setup)
        rh_runtime_fail(NULL, 0, "the judge %s is set outside of setup", name);
    struct rh_runtime_judge *entry = rh_vector_push(&runtime_now()->judges);
    *entry = (struct rh_runtime_judge){judge, name, at_end, rh_alloc(size + 1)};
    memcpy(entry->context, context, size);
}

// The views work in judges, when nothing runs any more.

static struct rh_cell *viewed(const rh_actor *actor)
{
    if (!runtime_now()->judging)
        rh_runtime_fail(NULL, 0, "rh_view outside of a judge");
    struct rh_cell *cell = cell_of(actor, "rh_view");
    return cell->life == rh_address_life(actor) ? cell : NULL;
}

// Names number actors in the order of creation, which is another one in every run on threads.
const rh_actor *rh_view_named_threaded(const char *name)
{
    rh_runtime_fail(NULL, 0, "rh_view_named(\"%s\") on threads, where actors have other names",
                    name);
}

const void *rh_view_state_threaded(const rh_actor *actor)
{
    const struct rh_cell *cell = viewed(actor);
    return cell && cell->status == RH_CELL_ALIVE ? cell->state : NULL;
}

bool rh_view_alive_threaded(const rh_actor *actor)
{
    const struct rh_cell *cell = viewed(actor);
    return cell && (cell->status == RH_CELL_ALIVE || cell->status == RH_CELL_OUTSIDE);
}

// The message number *index of a list among those of the type, from 0. If there are fewer, *index
// becomes the number to look for in the next list.
static const struct rh_mail *find(const struct rh_mail *mail, const struct rh_type *type,
                                  size_t *index)
{
    for (; mail; mail = mail->next)
        if (rh_same_type(mail->type, type) && (*index)-- == 0)
            return mail;
    return NULL;
}

const void *rh__view_pending_threaded(const rh_actor *actor, const struct rh_type *type,
                                      size_t index)
{
    const struct rh_cell *cell = viewed(actor);
    const struct rh_mail *mail = cell ? find(cell->refused, type, &index) : NULL;
    if (cell && !mail)
        mail = find(cell->inbox, type, &index);
    return mail ? mail->payload : NULL;
}

size_t rh__view_count_threaded(const rh_actor *actor, const struct rh_type *type)
{
    size_t count = 0;
    while (rh__view_pending_threaded(actor, type, count))
        count++;
    return count;
}
