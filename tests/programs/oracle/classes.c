// SPDX-License-Identifier: MIT
// Which executions are the same but for the order of deliveries that do not depend on each other. Actors, messages and
// events have numbers that stand for what they are called, the same in every execution.
#define _GNU_SOURCE // tdestroy
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static int compare_keys(const void *left, const void *right)
{
    return memcmp(left, right, sizeof((struct key *)left)->parts);
}

// The number of a list of values.
static int number_of(intptr_t first, intptr_t second, intptr_t third, intptr_t fourth,
                     intptr_t fifth)
{
    struct key *key = malloc(sizeof *key);

    if (!key)
        abort();
    *key = (struct key){.parts = {first, second, third, fourth, fifth}};
    struct key **known = tsearch(key, &oracle.keys, compare_keys);
    if (!known)
        abort();
    if (*known == key)
        key->number = ++oracle.key_count;
    else
        free(key);
    return (*known)->number;
}

static int name_at(int step)
{
    return step ? oracle.delivered[step]->name : 0;
}

// What a message is called: as what is sent by the delivery of a message of that name, to whom, and the how many-th.
void oracle_name_message(rh_message *message)
{
    int place = 0;

    for (int i = 0; i < message->place; i++) {
        const rh_message *other = oracle.messages[i];
        if (other->sent_at != message->sent_at)
            continue;
        message->send_index++;
        place += other->to == message->to && other->is_timer == message->is_timer &&
                 strcmp(other->type->name, message->type->name) == 0;
    }
    // The letters of the type's name stand for it.
    int type = 0;
    for (const char *letter = message->type->name; *letter; letter++)
        type = number_of('t', type, *letter, 0, 0);
    message->name = number_of('m', name_at(message->sent_at), message->to->name, type,
                              2 * place + message->is_timer);
}

void oracle_name_actor(rh_actor *actor)
{
    int place = 0;

    for (int i = 0; i < oracle.actor_count; i++)
        place += oracle.actors[i]->made_at == actor->made_at &&
                 oracle.actors[i]->behaviour == actor->behaviour;
    actor->name = number_of('a', name_at(actor->made_at), (intptr_t)actor->behaviour, place,
                            actor->is_outside);
}

static void add_named_view(int judge, int actor)
{
    for (int i = 0; i < oracle.view_count; i++)
        if (oracle.views[i].judge == judge && oracle.views[i].actor == actor)
            return;
    if (oracle.view_count == MOST_VIEWS)
        abort();
    oracle.views[oracle.view_count++] = (struct view){judge, actor};
}

void oracle_add_view(int judge, const rh_actor *actor)
{
    add_named_view(judge, actor->name);
}

void oracle_add_pending_view(int receiver, const char *type)
{
    for (int i = 0; i < oracle.pending_view_count; i++)
        if (oracle.pending_views[i].judge == oracle.judge_at &&
            oracle.pending_views[i].receiver == receiver &&
            strcmp(oracle.pending_views[i].type, type) == 0)
            return;
    if (oracle.pending_view_count == MOST_VIEWS)
        abort();
    oracle.pending_views[oracle.pending_view_count++] =
        (struct pending_view){oracle.judge_at, receiver, type};
}

void oracle_add_sending(int sender, int receiver, const char *type)
{
    for (int i = 0; i < oracle.sending_count; i++)
        if (oracle.sendings[i].sender == sender && oracle.sendings[i].receiver == receiver &&
            strcmp(oracle.sendings[i].type, type) == 0)
            return;
    if (oracle.sending_count == MOST_VIEWS)
        abort();
    oracle.sendings[oracle.sending_count++] = (struct sending){sender, receiver, type};
}

void oracle_add_senders(void)
{
    for (int i = 0; i < oracle.pending_view_count; i++)
        for (int j = 0; j < oracle.sending_count; j++) {
            const struct pending_view *view = &oracle.pending_views[i];
            const struct sending *sending = &oracle.sendings[j];
            if (view->receiver == sending->receiver && strcmp(view->type, sending->type) == 0)
                add_named_view(view->judge, sending->sender);
        }
}

void oracle_look_at(const rh_actor *actor)
{
    if (oracle.judging && strcmp(oracle.judging, "invariant") == 0)
        oracle_add_view(oracle.judge_at, actor);
}

static bool is_tied(const rh_actor *actor)
{
    for (int i = 0; i < oracle.view_count; i++)
        for (int j = 0; j < oracle.view_count; j++)
            if (i != j && oracle.views[i].actor == actor->name &&
                oracle.views[j].judge == oracle.views[i].judge)
                return true;
    return false;
}

static bool depend(const rh_actor *one, const rh_actor *other)
{
    return one == other || oracle.depends_on_all || (is_tied(one) && is_tied(other));
}

// What the choices of a delivery gave.
static int outcomes_at(int step)
{
    int end = step < oracle.step ? oracle.first_decision[step + 1] - 1 : oracle.decision_count;
    int outcomes = 0;

    for (int i = oracle.first_decision[step]; i < end; i++)
        outcomes = number_of('o', outcomes, oracle.decisions[i].taken, 0, 0);
    return outcomes;
}

static int compare_events(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}

static int compare_classes(const void *left, const void *right)
{
    const struct class *one = left, *other = right;

    if (one->count != other->count)
        return one->count - other->count;
    return memcmp(one->events, other->events, sizeof *one->events * (size_t)one->count);
}

// An event is a delivery with everything that it depends on: the event that sent the message, and the last one before
// it on which it depends. The events of an execution say all about it but the order of those that are independent.
void oracle_count_class(void)
{
    struct class *class = malloc(sizeof *class + sizeof *class->events * (size_t)(oracle.step + 1));
    int events[MOST];

    if (!class)
        abort();
    class->count = oracle.step + 1;
    for (int step = 0; step <= oracle.step; step++) {
        const rh_message *message = step ? oracle.delivered[step] : NULL;
        int before = step - 1;
        while (before > 0 && !depend(oracle.delivered[before]->to, message->to))
            before--;
        events[step] = !step ? number_of('s', outcomes_at(0), 0, 0, 0)
                             : number_of('e', events[message->sent_at], message->send_index,
                                         before > 0 ? events[before] : 0, outcomes_at(step));
        class->events[step] = events[step];
    }
    qsort(class->events, (size_t) class->count, sizeof *class->events, compare_events);
    struct class **known = tsearch(class, &oracle.classes, compare_classes);
    if (!known)
        abort();
    if (*known == class)
        oracle.class_count++;
    else
        free(class);
}

void oracle_forget_classes(void)
{
    tdestroy(oracle.keys, free);
    tdestroy(oracle.classes, free);
    oracle.keys = oracle.classes = NULL;
    oracle.class_count = 0;
}
