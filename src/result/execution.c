// SPDX-License-Identifier: MIT
#include "result/execution.h"

#include <stdlib.h>

void rh_execution_fini(struct rh_execution *execution)
{
    for (size_t i = 0; i < execution->events.count; i++)
        rh_event_fini(&execution->events.items[i]);
    rh_vector_fini(&execution->events);
    rh_vector_fini(&execution->actors);
    rh_vector_fini(&execution->messages);
    rh_index_fini(&execution->actors_by_address);
    rh_index_fini(&execution->messages_by_identity);
    *execution = (struct rh_execution){0};
}

static void add_actor(struct rh_execution *execution, uint64_t address, uint32_t at)
{
    uint32_t number = (uint32_t)execution->actors.count;
    *rh_vector_push(&execution->actors) = (struct rh_execution_actor){address, at};
    if (rh_index_find(&execution->actors_by_address, address) == RH_NONE)
        rh_index_add(&execution->actors_by_address, address, number);
}

static void add_message(struct rh_execution *execution, const struct rh_event *event, uint32_t at)
{
    uint32_t number = (uint32_t)execution->messages.count;
    *rh_vector_push(&execution->messages) =
        (struct rh_execution_message){event->identity, at, event->delivery, RH_NONE};
    if (rh_index_find(&execution->messages_by_identity, event->identity) == RH_NONE)
        rh_index_add(&execution->messages_by_identity, event->identity, number);
}

static void take_message(struct rh_execution *execution, uint64_t identity, uint32_t at)
{
    uint32_t number = rh_index_find(&execution->messages_by_identity, identity);
    if (number != RH_NONE)
        execution->messages.items[number].taken = at;
}

void rh_execution_add(struct rh_execution *execution, const struct rh_event *event)
{
    uint32_t at = (uint32_t)execution->events.count;
    *rh_vector_push(&execution->events) = *event;
    if (rh_event_is_step(event->kind))
        execution->deliveries = event->delivery;
    if (rh_event_is_sending(event->kind))
        add_message(execution, event, at);
    else if (event->kind == RH_EVENT_SPAWN)
        add_actor(execution, event->peer_address, at);
    else if (event->kind == RH_EVENT_DELIVER || event->kind == RH_EVENT_DROP)
        take_message(execution, event->identity, at);
}

const struct rh_execution_message *rh_execution_message(const struct rh_execution *execution,
                                                        uint64_t identity)
{
    uint32_t number = rh_index_find(&execution->messages_by_identity, identity);
    return number == RH_NONE ? NULL : &execution->messages.items[number];
}

const struct rh_event *rh_execution_sending(const struct rh_execution *execution, uint64_t identity)
{
    const struct rh_execution_message *message = rh_execution_message(execution, identity);
    return message ? &execution->events.items[message->sent] : NULL;
}

const struct rh_event *rh_execution_creation(const struct rh_execution *execution, uint64_t address)
{
    uint32_t number = rh_index_find(&execution->actors_by_address, address);
    return number == RH_NONE ? NULL
                             : &execution->events.items[execution->actors.items[number].created];
}

const char *rh_execution_name(const struct rh_execution *execution, uint64_t address)
{
    const struct rh_event *creation = rh_execution_creation(execution, address);
    return creation ? creation->peer : NULL;
}

// Comparing.

static bool is_decision(enum rh_event_kind kind)
{
    return rh_event_is_step(kind) || kind == RH_EVENT_CHOOSE || kind == RH_EVENT_DROP ||
           kind == RH_EVENT_DUPLICATE;
}

// The first event from `*at` on that decided how the execution went on; NULL after the last.
static const struct rh_event *next_decision(const struct rh_execution *execution, size_t *at)
{
    while (*at < execution->events.count) {
        const struct rh_event *event = &execution->events.items[(*at)++];
        if (is_decision(event->kind))
            return event;
    }
    return NULL;
}

bool rh_execution_has_same_path(const struct rh_execution *one, const struct rh_execution *other)
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
