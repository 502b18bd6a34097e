// SPDX-License-Identifier: MIT
// The operations of actor.h and test.h.
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static void *copy(const void *bytes, size_t size)
{
    void *block = oracle_keep(size);

    if (size)
        memcpy(block, bytes, size);
    return block;
}

static rh_message *post(rh_actor *from, rh_actor *to, const struct rh_type *type,
                        const void *payload, size_t size)
{
    rh_message *message = oracle_keep(sizeof *message);
    bool is_from_outside = !from || from->is_outside;

    if (oracle.message_count == MOST)
        abort();
    if (is_from_outside && oracle.has_receptionists && !to->is_receptionist)
        oracle_fail("check");
    *message = (rh_message){.type = type, .payload = copy(payload, size), .size = size};
    message->from = from;
    message->to = to;
    message->now = rh_now();
    message->place = oracle.message_count;
    message->sent_at = oracle.step;
    oracle.messages[oracle.message_count++] = message;
    oracle_name_message(message);
    oracle_add_doing(SENT, to->name, type->name);
    if (from != oracle.running && !oracle.is_any)
        oracle_add_doing(POSED_AS, from->name, NULL);
    return message;
}

rh_actor *rh__spawn(rh_behaviour *behaviour, const char *name, const struct rh_type *type,
                    const void *state, size_t size, const char *file, int line)
{
    rh_actor *actor = oracle_keep(sizeof *actor);
    (void)name, (void)type, (void)file, (void)line;

    if (oracle.actor_count == MOST)
        abort();
    actor->behaviour = behaviour;
    actor->made_at = oracle.step;
    actor->rank = ++oracle.made_count;
    oracle_name_actor(actor);
    actor->state = size ? copy(state, size) : NULL;
    actor->now = rh_now();
    oracle.actors[oracle.actor_count++] = actor;
    return actor;
}

void rh__send(rh_actor *to, const struct rh_type *type, const void *payload, size_t size,
              const char *file, int line)
{
    (void)file, (void)line;
    post(oracle.running, to, type, payload, size);
}

void rh__send_from(rh_actor *from, rh_actor *to, const struct rh_type *type, const void *payload,
                   size_t size, const char *file, int line)
{
    (void)file, (void)line;
    post(from, to, type, payload, size);
}

void rh__after(uint64_t milliseconds, rh_actor *to, const struct rh_type *type, const void *payload,
               size_t size, const char *file, int line)
{
    rh_message *timer = post(oracle.running, to, type, payload, size);
    (void)file, (void)line;

    timer->is_timer = true;
    if (to != oracle.running)
        oracle_add_doing(TIMED, to->name, NULL);
    timer->due = timer->now = rh_now() + milliseconds;
}

const rh_message *rh__ask(rh_actor *to, const struct rh_type *type, const void *payload,
                          size_t size, const char *file, int line)
{
    rh_actor *self = oracle.running;
    rh_message *request = post(self, to, type, payload, size);
    (void)file, (void)line;

    request->request = self->waits_for = ++oracle.ask_count;
    swapcontext(&self->context, &oracle.main_context);
    self->waits_for = 0;
    return self->reply;
}

void rh__reply(const rh_message *message, const struct rh_type *type, const void *payload,
               size_t size, const char *file, int line)
{
    rh_message *request = (rh_message *)message;
    (void)file, (void)line;

    if (request->is_answered)
        oracle_fail("check");
    rh_message *reply = post(oracle.running, request->from, type, payload, size);
    reply->reply_to = request->request;
    request->is_answered = request->request != 0;
}

const void *rh__as(const rh_message *message, const struct rh_type *type)
{
    if (strcmp(message->type->name, type->name) != 0)
        return NULL;
    ((rh_message *)message)->is_handled = true;
    return message->payload;
}

void rh__become(rh_behaviour *behaviour, const char *name, const char *file, int line)
{
    (void)name, (void)file, (void)line;
    oracle.running->next_behaviour = behaviour;
}

void rh__stop(const char *file, int line)
{
    (void)file, (void)line;
    oracle.running->is_stopping = true;
}

void rh_at_stop(rh_stop_function *function)
{
    oracle.running->at_stop = function;
}

void rh_progress(void)
{
    if (!oracle.running)
        oracle_fail("check");
}

rh_actor *rh_self(void)
{
    return oracle.running;
}

rh_actor *rh_sender(const rh_message *message)
{
    return message->from;
}

size_t rh_size(const rh_message *message)
{
    return message->size;
}

const char *rh_name(const rh_message *message)
{
    return message->type->name;
}

uint64_t rh_now(void)
{
    return oracle.running ? oracle.running->now : 0;
}

int rh__choose(int count, const char *file, int line)
{
    (void)file, (void)line;
    return oracle_decide(count);
}

const void *rh__input(const char *type, size_t size, const char *name)
{
    (void)type, (void)name;
    return oracle_keep(size);
}

void rh__check(bool holds, const char *condition, const char *file, int line)
{
    (void)condition, (void)file, (void)line;
    if (!holds)
        oracle_fail(oracle.judging ? oracle.judging : "check");
}

void rh_ignore(const rh_message *message)
{
    ((rh_message *)message)->is_handled = true;
}

void rh__unhandled(const rh_message *message, const char *file, int line)
{
    (void)message, (void)file, (void)line;
    oracle_fail("unhandled");
}

void *rh__give(void *pointer, const char *file, int line)
{
    (void)file, (void)line;
    return pointer;
}

static void add_sender(const char *name)
{
    bool is_bad = !*name || !strcmp(name, "outside");

    for (const char *at = name; *at; at++)
        is_bad |= strchr("\"'#\177", *at) || (*at > 0 && *at < ' ');
    for (int i = 0; i < oracle.sender_count; i++)
        is_bad |= !strcmp(oracle.senders[i], name);
    if (oracle.sender_count == 64)
        abort();
    if (is_bad)
        oracle_fail("check");
    oracle.senders[oracle.sender_count++] = copy(name, strlen(name) + 1);
}

rh_actor *rh_outside(const char *name)
{
    rh_actor *actor = oracle_keep(sizeof *actor);

    add_sender(name);
    actor->is_outside = true;
    actor->rank = ++oracle.made_count;
    actor->made_at = oracle.step;
    actor->rank = ++oracle.made_count;
    oracle_name_actor(actor);
    return actor;
}

void rh_receptionist(rh_actor *actor)
{
    actor->is_receptionist = oracle.has_receptionists = true;
}

void rh__judge(rh_judge *function, const char *name, bool at_end, const void *context, size_t size)
{
    (void)name;
    oracle.judges[oracle.judge_count++] =
        (struct judge){.function = function, .at_end = at_end, .context = copy(context, size)};
}

const void *rh_view_state(const rh_actor *actor)
{
    oracle_look_at(actor);
    return actor->is_stopped ? NULL : actor->state;
}

bool rh_view_alive(const rh_actor *actor)
{
    oracle_look_at(actor);
    return !actor->is_stopped;
}

// A judge sees what waits by sender, if the sender is an actor of the test's body or the outside and the order rule keeps
// the order of its messages; all the rest behind that, by contents.
static bool is_in_order(const rh_message *message)
{
    bool is_of_body = !message->from || message->from->made_at == 0;
    return is_of_body && !oracle.is_any && !message->is_timer && message->reply_to == 0;
}

// The test itself comes first.
static int rank(const rh_actor *actor)
{
    return actor ? actor->rank : 0;
}

static bool is_seen_before(const rh_message *one, const rh_message *other)
{
    if (is_in_order(one) != is_in_order(other))
        return is_in_order(one);
    if (is_in_order(one))
        return rank(one->from) != rank(other->from) ? rank(one->from) < rank(other->from)
                                                    : one->place < other->place;
    if (one->size != other->size)
        return one->size < other->size;
    int order = memcmp(one->payload, other->payload, one->size);
    return order != 0 ? order < 0 : one->place < other->place;
}

static bool waits(const rh_message *message, const rh_actor *actor, const struct rh_type *type)
{
    return !message->is_delivered && message->to == actor &&
           strcmp(message->type->name, type->name) == 0;
}

// How many messages a judge sees before this one.
static size_t count_before(const rh_message *message)
{
    size_t count = 0;
    for (int i = 0; i < oracle.message_count; i++)
        count += waits(oracle.messages[i], message->to, message->type) &&
                 is_seen_before(oracle.messages[i], message);
    return count;
}

// The index-th pending message of the type to the actor; NULL if there are fewer: then *count says
// how many.
static const rh_message *find_pending(const rh_actor *actor, const struct rh_type *type,
                                      size_t index, size_t *count)
{
    *count = 0;
    if (oracle.judging && strcmp(oracle.judging, "invariant") == 0) {
        oracle_look_at(actor);
        oracle_add_fact(AWAITED, actor->name, NULL, oracle.judge_at, type->name);
    }
    for (int i = 0; i < oracle.message_count; i++) {
        const rh_message *message = oracle.messages[i];
        if (!waits(message, actor, type))
            continue;
        if (count_before(message) == index)
            return message;
        ++*count;
    }
    return NULL;
}

size_t rh__view_count(const rh_actor *actor, const struct rh_type *type)
{
    size_t count;

    find_pending(actor, type, SIZE_MAX, &count);
    return count;
}

const void *rh__view_pending(const rh_actor *actor, const struct rh_type *type, size_t index)
{
    size_t count;
    const rh_message *message = find_pending(actor, type, index, &count);

    return message ? message->payload : NULL;
}
