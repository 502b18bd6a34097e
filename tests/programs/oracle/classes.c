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

static bool is_same_text(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

void oracle_add_fact(enum fact_kind kind, int actor, const char *type, int about,
                     const char *about_type)
{
    for (int i = 0; i < oracle.fact_count; i++) {
        const struct fact *fact = &oracle.facts[i];
        if (fact->kind == kind && fact->actor == actor && fact->about == about &&
            is_same_text(fact->type, type) && is_same_text(fact->about_type, about_type))
            return;
    }
    if (oracle.fact_count == MOST_FACTS)
        abort();
    oracle.facts[oracle.fact_count++] = (struct fact){kind, actor, type, about, about_type};
}

void oracle_add_doing(enum fact_kind kind, int about, const char *about_type)
{
    if (oracle.step)
        oracle_add_fact(kind, oracle.running->name, oracle.delivered[oracle.step]->type->name,
                        about, about_type);
}

void oracle_look_at(const rh_actor *actor)
{
    if (oracle.judging && strcmp(oracle.judging, "invariant") == 0)
        oracle_add_fact(LOOKED, actor->name, NULL, oracle.judge_at, NULL);
}

// Of an invariant: whether it looks for a message of that type to that actor.
static bool awaits(int judge, int actor, const char *type)
{
    for (int i = 0; i < oracle.fact_count; i++) {
        const struct fact *fact = &oracle.facts[i];
        if (fact->kind == AWAITED && fact->about == judge && fact->actor == actor &&
            is_same_text(fact->about_type, type))
            return true;
    }
    return false;
}

// Whether the invariant looks at the actor, or for what the actor sends.
static bool looks_at(int judge, int actor)
{
    for (int i = 0; i < oracle.fact_count; i++) {
        const struct fact *fact = &oracle.facts[i];
        if (fact->actor == actor &&
            ((fact->kind == LOOKED && fact->about == judge) ||
             (fact->kind == SENT && awaits(judge, fact->about, fact->about_type))))
            return true;
    }
    return false;
}

// Whether it looks at two actors at least.
static bool is_shared(int judge)
{
    int first = -1;
    for (int i = 0; i < oracle.fact_count; i++) {
        int actor = oracle.facts[i].actor;
        if (actor == first || !looks_at(judge, actor))
            continue;
        if (first >= 0)
            return true;
        first = actor;
    }
    return false;
}

static void add_deed(const struct fact *fact, enum object_kind kind, int about, bool writes)
{
    if (oracle.deed_count == MOST_FACTS)
        abort();
    oracle.deeds[oracle.deed_count++] = (struct deed){fact->actor, fact->type, kind, about, writes};
}

static bool shows(int judge, const struct fact *fact)
{
    return (fact->kind == CHANGED && looks_at(judge, fact->actor)) ||
           (fact->kind == GOT && awaits(judge, fact->actor, fact->type)) ||
           (fact->kind == SENT && awaits(judge, fact->about, fact->about_type));
}

void oracle_find_deeds(void)
{
    oracle.deed_count = 0;
    for (int judge = 0; judge < oracle.judge_count; judge++)
        for (int i = 0; is_shared(judge) && i < oracle.fact_count; i++)
            if (shows(judge, &oracle.facts[i]))
                add_deed(&oracle.facts[i], JUDGE, judge, true);
    for (int i = 0; i < oracle.fact_count; i++) {
        const struct fact *fact = &oracle.facts[i];
        if (fact->kind == TIMED) {
            add_deed(fact, TIMERS, fact->about, false);
            add_deed(&(struct fact){.actor = fact->about}, TIMERS, fact->about, true);
        }
        if (fact->kind == POSED_AS)
            add_deed(fact, NAME, fact->about, true);
    }
}

static bool is_by(const struct deed *deed, const rh_message *message)
{
    return deed->actor == message->to->name &&
           (!deed->type || is_same_text(deed->type, message->type->name));
}

static bool depend(const rh_message *one, const rh_message *other)
{
    if (one->to == other->to || oracle.depends_on_all)
        return true;
    for (int i = 0; i < oracle.deed_count; i++)
        for (int j = 0; is_by(&oracle.deeds[i], one) && j < oracle.deed_count; j++) {
            const struct deed *mine = &oracle.deeds[i], *its = &oracle.deeds[j];
            if (is_by(its, other) && mine->kind == its->kind && mine->about == its->about &&
                (mine->writes || its->writes))
                return true;
        }
    return false;
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

// The events before this delivery on which it depends, in the order of their numbers.
static int past_of(int step, const int *events)
{
    int before[MOST];
    int count = 0, past = 0;

    for (int i = 1; i < step; i++)
        if (depend(oracle.delivered[i], oracle.delivered[step]))
            before[count++] = events[i];
    qsort(before, (size_t)count, sizeof *before, compare_events);
    for (int i = 0; i < count; i++)
        past = number_of('p', past, before[i], 0, 0);
    return past;
}

// An event is a delivery with everything that it depends on: the event that sent the message, and those before it. The
// events of an execution say all about it but the order of those that are independent.
void oracle_count_class(void)
{
    struct class *class = malloc(sizeof *class + sizeof *class->events * (size_t)(oracle.step + 1));
    int events[MOST];

    if (!class)
        abort();
    class->count = oracle.step + 1;
    for (int step = 0; step <= oracle.step; step++) {
        const rh_message *message = step ? oracle.delivered[step] : NULL;
        events[step] = !step ? number_of('s', outcomes_at(0), 0, 0, 0)
                             : number_of('e', events[message->sent_at], message->send_index,
                                         past_of(step, events), outcomes_at(step));
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
