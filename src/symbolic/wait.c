// SPDX-License-Identifier: MIT
// Handlers that wait for a reply: frames are data, so what is kept of a handler is its frames.
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

void rh__sym_wait_begin(struct rh__sym_situation *situation, uint32_t request)
{
    struct rh__sym_wait *wait = rh_alloc(sizeof *wait);
    memcpy(&wait->frames, &situation->frames, sizeof wait->frames);
    memcpy(&wait->held, &situation->held, sizeof wait->held);
    memset(&situation->frames, 0, sizeof situation->frames);
    memset(&situation->held, 0, sizeof situation->held);
    wait->request = request;
    situation->actors.items[situation->running].wait = wait;
    situation->end = RH__SYM_DONE;
}

void rh__sym_wait_end(struct rh__sym *sym, struct rh__sym_situation *situation,
                      struct rh__sym_message reply)
{
    struct rh__sym_actor *actor = &situation->actors.items[situation->running];
    struct rh__sym_wait *wait = actor->wait;
    actor->wait = NULL;
    rh_vector_fini(&situation->frames);
    rh_vector_fini(&situation->held);
    memcpy(&situation->frames, &wait->frames, sizeof situation->frames);
    memcpy(&situation->held, &wait->held, sizeof situation->held);
    free(wait);
    *rh_vector_push(&situation->held) = reply;
    struct rh__sym_frame *frame = &situation->frames.items[situation->frames.count - 1];
    frame->values[frame->function->parameter_count + frame->next] =
        rh_term_constant(&sym->terms, 64, rh__sym_message_address(reply.number));
    frame->next++;
}

struct rh__sym_wait *rh__sym_wait_copy(struct rh__sym *sym, const struct rh__sym_wait *wait)
{
    struct rh__sym_wait *copy = rh_alloc(sizeof *copy);
    copy->request = wait->request;
    for (size_t i = 0; i < wait->frames.count; i++) {
        struct rh__sym_frame *frame = rh_vector_push(&copy->frames);
        *frame = wait->frames.items[i];
        rh__sym_frame_copy(sym, frame);
    }
    for (size_t i = 0; i < wait->held.count; i++)
        *rh_vector_push(&copy->held) = wait->held.items[i];
    return copy;
}

void rh__sym_wait_free(struct rh__sym_wait *wait)
{
    if (!wait)
        return;
    for (size_t i = 0; i < wait->frames.count; i++)
        rh__sym_frame_fini(&wait->frames.items[i]);
    rh_vector_fini(&wait->frames);
    rh_vector_fini(&wait->held);
    free(wait);
}

struct rh__sym_message *rh__sym_held(struct rh__sym *sym, struct rh__sym_situation *situation,
                                     rh_term address)
{
    uint64_t number;
    if (!rh__sym_number(sym, situation, address, &number))
        return NULL;
    for (size_t i = 0; i < situation->held.count; i++)
        if (number == rh__sym_message_address(situation->held.items[i].number))
            return &situation->held.items[i];
    return NULL;
}
