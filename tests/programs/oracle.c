// SPDX-License-Identifier: MIT
// A second, naive implementation of actor.h and test.h that shares nothing with the engine: it runs
// every execution from the start, keeps a stack for each waiting handler, and decides what is
// deliverable by reading the rules afresh each time. Linked instead of the library it enumerates
// all executions and prints, for each test, executions, deliveries and the kinds of findings that
// it knows:
//
//     TEST EXECUTIONS DELIVERIES KINDS
//
// With --classes on it enumerates twice and prints a fifth word: how many of the executions that come to their end are
// different when the order of deliveries that do not depend on each other is left out of account. Two depend on each
// other if they have the same receiver; if they have receivers that are tied to each other (see `view`); and all do
// under --time strict.
//
// It notices check, invariant, final, deadlock, undelivered, leftover, unhandled and bound. A
// failed check ends its execution. Options: --test NAME, --delivery fifo|any, --time causal|strict,
// --max-length N, --classes on|off.
#define _GNU_SOURCE // tdestroy
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { STACK_SIZE = 256 * 1024, MOST = 4096, MOST_DECISIONS = 100000 };

struct rh_message {
    const struct rh_type *type;
    void *payload;
    size_t size;
    rh_actor *from; // NULL: outside
    rh_actor *to;
    int place; // in sending order
    bool is_timer;
    uint64_t due;
    uint64_t now; // logical time that it carries
    int request;  // number of the ask that sent it; 0: none
    int reply_to; // number of the ask that it answers; 0: none
    bool is_answered;
    bool is_handled;
    bool is_delivered;
    int sent_at;    // number of the delivery whose handler sent it; 0: the test's body
    int send_index; // among what was sent there
    int name;       // the same in every execution
};

struct rh_actor {
    rh_behaviour *behaviour;
    rh_behaviour *next_behaviour; // NULL: the same
    void *state;                  // NULL without one
    rh_stop_function *at_stop;
    bool is_outside;
    bool is_receptionist;
    bool is_stopped;
    bool is_stopping;
    uint64_t now;
    int waits_for; // number of its ask; 0: it does not wait
    rh_message *handling;
    const rh_message *reply;
    int made_at;        // number of the delivery whose handler created it
    int name;           // the same in every execution
    ucontext_t context; // of its handler
};

struct judge {
    rh_judge *function;
    bool at_end;
    void *context;
};

// A choice among `count`, for a delivery or in rh_choose.
struct decision {
    int taken;
    int count;
};

// Some numbers that are found again by their values.
struct key {
    intptr_t parts[5];
    int number;
};

// The events of an execution that came to its end, sorted.
struct class
{
    int count;
    int events[];
};

// An actor on which the outcome of deliveries to others may depend. Invariants are numbered; TIED stands for one that
// looks at everybody who sets a timer for somebody else, at those who get one, and at those who send in an outside
// sender's name: an earlier timer holds back the later ones of its receiver, and under fifo what is sent in one name
// keeps the order in which it was sent. An invariant that looks at pending messages looks at their receiver, and at
// everybody who sends such in any execution.
struct view {
    int judge;
    int actor; // its name
};

// Names of actors, and a type.
struct pending_view {
    int judge;
    int receiver;
    const char *type;
};

struct sending {
    int sender;
    int receiver;
    const char *type;
};

enum { TIED = -1, MOST_VIEWS = 1024 };

// Everything that this program knows. The first part is of one execution.
static struct {
    rh_actor *actors[MOST];
    int actor_count;
    rh_message *messages[MOST];
    int message_count;
    struct judge judges[64];
    int judge_count;
    int ask_count;
    int decision_count;
    bool has_receptionists;
    bool has_failed;
    rh_actor *running;
    const char *judging; // "invariant", "final" or NULL
    int judge_at;
    rh_message *delivered[MOST]; // from 1
    int first_decision[MOST];    // of each delivery, after the one that chose it
    int step;                    // number of the present delivery; 0: the test's body
    ucontext_t main_context;
    void *blocks[4 * MOST]; // all that was allocated for it
    int block_count;

    struct decision decisions[MOST_DECISIONS];
    int planned; // so many decisions are those of the execution before, the last of them advanced
    long executions;
    long deliveries;
    char kinds[256];
    bool is_any;
    bool is_strict;
    int max_length;
    bool counts_classes;
    bool is_second_time;
    bool depends_on_all;
    struct view views[MOST_VIEWS];
    int view_count;
    struct pending_view pending_views[MOST_VIEWS];
    int pending_view_count;
    struct sending sendings[MOST_VIEWS];
    int sending_count;
    void *keys; // trees of tsearch
    int key_count;
    void *classes;
    int class_count;
} oracle;

static void *keep(size_t size)
{
    void *block = calloc(1, size ? size : 1);

    if (!block || oracle.block_count == 4 * MOST)
        abort();
    oracle.blocks[oracle.block_count++] = block;
    return block;
}

static void *copy(const void *bytes, size_t size)
{
    void *block = keep(size);

    if (size)
        memcpy(block, bytes, size);
    return block;
}

static void note(const char *kind)
{
    char *known = strstr(oracle.kinds, kind);

    if (known)
        return;
    strcat(oracle.kinds, oracle.kinds[0] ? "," : "");
    strcat(oracle.kinds, kind);
}

// Ends the execution from inside the program's code.
static _Noreturn void fail(const char *kind)
{
    note(kind);
    oracle.has_failed = true;
    setcontext(&oracle.main_context);
    abort();
}

static int decide(int count)
{
    struct decision *decision = &oracle.decisions[oracle.decision_count];

    if (oracle.decision_count == MOST_DECISIONS)
        abort();
    if (oracle.decision_count >= oracle.planned)
        *decision = (struct decision){.taken = 0, .count = count};
    if (decision->count != count)
        abort();
    oracle.decision_count++;
    return decision->taken;
}

// --- Classes. ---

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
static void name_message(rh_message *message)
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

static void name_actor(rh_actor *actor)
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

static void add_view(int judge, const rh_actor *actor)
{
    add_named_view(judge, actor->name);
}

static void add_pending_view(int receiver, const char *type)
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

static void add_sending(int sender, int receiver, const char *type)
{
    for (int i = 0; i < oracle.sending_count; i++)
        if (oracle.sendings[i].sender == sender && oracle.sendings[i].receiver == receiver &&
            strcmp(oracle.sendings[i].type, type) == 0)
            return;
    if (oracle.sending_count == MOST_VIEWS)
        abort();
    oracle.sendings[oracle.sending_count++] = (struct sending){sender, receiver, type};
}

// When every execution has been seen: who sends what invariants look for.
static void add_senders(void)
{
    for (int i = 0; i < oracle.pending_view_count; i++)
        for (int j = 0; j < oracle.sending_count; j++) {
            const struct pending_view *view = &oracle.pending_views[i];
            const struct sending *sending = &oracle.sendings[j];
            if (view->receiver == sending->receiver && strcmp(view->type, sending->type) == 0)
                add_named_view(view->judge, sending->sender);
        }
}

static void look_at(const rh_actor *actor)
{
    if (oracle.judging && strcmp(oracle.judging, "invariant") == 0)
        add_view(oracle.judge_at, actor);
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
static void count_class(void)
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

// --- What is deliverable. ---

extern const struct rh_guard_entry *const __start_rh_guards[] __attribute__((weak));
extern const struct rh_guard_entry *const __stop_rh_guards[] __attribute__((weak));

static bool is_refused(rh_message *message)
{
    bool is_handled = message->is_handled;
    bool refused = false;

    for (const struct rh_guard_entry *const *entry = __start_rh_guards; entry < __stop_rh_guards;
         entry++)
        if ((*entry)->behaviour == message->to->behaviour)
            refused = !(*entry)->guard(message->to->state, message);
    message->is_handled = is_handled;
    return refused;
}

static bool is_ordered(const rh_message *message)
{
    return !message->is_timer && !message->reply_to;
}

// fifo: whether an earlier message of the same sender holds this one back.
static bool is_held_back(const rh_message *message)
{
    if (oracle.is_any || !is_ordered(message))
        return false;
    for (int i = 0; i < message->place; i++) {
        rh_message *earlier = oracle.messages[i];
        if (!earlier->is_delivered && is_ordered(earlier) && earlier->from == message->from &&
            earlier->to == message->to && !is_refused(earlier))
            return true;
    }
    return false;
}

static bool is_takable(rh_message *message)
{
    const rh_actor *receiver = message->to;

    if (message->is_delivered || receiver->is_stopped)
        return false;
    if (receiver->waits_for || message->reply_to)
        return receiver->waits_for == message->reply_to;
    return !is_refused(message) && !is_held_back(message);
}

static bool is_timer_early(const rh_message *timer)
{
    for (int i = 0; i < oracle.message_count; i++) {
        rh_message *other = oracle.messages[i];
        if (oracle.is_strict) {
            if (is_takable(other) && (!other->is_timer || other->due < timer->due))
                return true;
        } else if (other->is_timer && !other->is_delivered && other->to == timer->to &&
                   other->due < timer->due) {
            return true;
        }
    }
    return false;
}

static int find_deliverable(rh_message **deliverable)
{
    int count = 0;

    for (int i = 0; i < oracle.message_count; i++) {
        rh_message *message = oracle.messages[i];
        if (is_takable(message) && !(message->is_timer && is_timer_early(message)))
            deliverable[count++] = message;
    }
    return count;
}

// --- Running. ---

static void handler_end(rh_actor *actor)
{
    if (actor->next_behaviour)
        actor->behaviour = actor->next_behaviour;
    actor->next_behaviour = NULL;
    if (actor->is_stopping && actor->at_stop)
        actor->at_stop(actor, actor->state);
    actor->is_stopped = actor->is_stopping;
}

static void handler_main(void)
{
    rh_actor *actor = oracle.running;
    rh_message *message = actor->handling;

    actor->behaviour(actor, actor->state, message);
    if (!message->is_handled)
        fail("unhandled");
    handler_end(actor);
    setcontext(&oracle.main_context);
}

static void handler_start(rh_actor *actor, rh_message *message)
{
    actor->handling = message;
    getcontext(&actor->context);
    actor->context.uc_stack.ss_sp = keep(STACK_SIZE);
    actor->context.uc_stack.ss_size = STACK_SIZE;
    actor->context.uc_link = NULL;
    makecontext(&actor->context, handler_main, 0);
}

static void deliver(rh_message *message)
{
    rh_actor *actor = message->to;

    if (oracle.step == MOST - 1)
        abort();
    oracle.delivered[++oracle.step] = message;
    oracle.first_decision[oracle.step] = oracle.decision_count;
    message->is_delivered = true;
    if (message->now > actor->now)
        actor->now = message->now;
    if (message->reply_to) {
        message->is_handled = true;
        actor->reply = message;
    } else {
        handler_start(actor, message);
    }
    oracle.running = actor;
    errno = 0;
    swapcontext(&oracle.main_context, &actor->context);
    oracle.running = NULL;
    // A delivery is an edge of the tree that the execution before did not walk if it, or a choice
    // in it, comes at or after the decision that was advanced.
    if (oracle.decision_count >= oracle.planned)
        oracle.deliveries++;
}

static void judge_main(void)
{
    for (int i = 0; i < oracle.judge_count; i++)
        if (oracle.judges[i].at_end == !strcmp(oracle.judging, "final")) {
            oracle.judge_at = i;
            oracle.judges[i].function(oracle.judges[i].context);
        }
    setcontext(&oracle.main_context);
}

static void setup_main(void)
{
    rh_actor *body = oracle.running;

    oracle.running = NULL;
    ((const struct rh_test *)body->state)->body();
    setcontext(&oracle.main_context);
}

// Runs a function that the program's code may leave by failing.
static void run_apart(void (*function)(void))
{
    ucontext_t *context = keep(sizeof *context);

    getcontext(context);
    context->uc_stack.ss_sp = keep(STACK_SIZE);
    context->uc_stack.ss_size = STACK_SIZE;
    context->uc_link = NULL;
    makecontext(context, function, 0);
    swapcontext(&oracle.main_context, context);
}

static void judge(const char *kind)
{
    oracle.judging = kind;
    if (oracle.judge_count)
        run_apart(judge_main);
    oracle.judging = NULL;
}

static void judge_end(void)
{
    for (int i = 0; i < oracle.actor_count; i++)
        if (oracle.actors[i]->waits_for && !oracle.actors[i]->is_stopped)
            note("deadlock");
    for (int i = 0; i < oracle.message_count; i++) {
        const rh_message *message = oracle.messages[i];
        if (message->is_delivered)
            continue;
        note(message->to->is_stopped ? "undelivered" : "leftover");
        if (!message->to->is_stopped)
            note("deadlock");
    }
    judge("final");
}

static void execute(const struct rh_test *test)
{
    static rh_message *deliverable[MOST];
    rh_actor body = {.state = (void *)test};
    int length = 0;
    int count;

    oracle.running = &body;
    run_apart(setup_main);
    if (!oracle.has_failed)
        judge("invariant");
    while (!oracle.has_failed && (count = find_deliverable(deliverable)) > 0) {
        if (length++ == oracle.max_length) {
            note("bound");
            return;
        }
        deliver(deliverable[decide(count)]);
        if (!oracle.has_failed)
            judge("invariant");
    }
    if (oracle.has_failed)
        return;
    if (oracle.is_second_time)
        count_class();
    judge_end();
}

static void forget_execution(void)
{
    while (oracle.block_count > 0)
        free(oracle.blocks[--oracle.block_count]);
    oracle.actor_count = oracle.message_count = oracle.judge_count = oracle.ask_count = 0;
    oracle.decision_count = oracle.step = oracle.first_decision[0] = 0;
    oracle.has_receptionists = oracle.has_failed = false;
}

// Advances the last decision that has an alternative left. false if there is none.
static bool plan_next(void)
{
    int planned = oracle.decision_count;

    while (planned > 0 &&
           oracle.decisions[planned - 1].taken + 1 == oracle.decisions[planned - 1].count)
        planned--;
    if (planned > 0)
        oracle.decisions[planned - 1].taken++;
    oracle.planned = planned;
    return planned > 0;
}

static void enumerate(const struct rh_test *test)
{
    oracle.executions = oracle.deliveries = 0;
    oracle.kinds[0] = '\0';
    oracle.planned = 0;
    do {
        forget_execution();
        execute(test);
        oracle.executions++;
    } while (plan_next());
}

// What depends on what is known only when every execution has been seen.
static void report(const struct rh_test *test)
{
    oracle.depends_on_all = oracle.is_strict;
    oracle.view_count = oracle.class_count = 0;
    oracle.pending_view_count = oracle.sending_count = 0;
    oracle.is_second_time = false;
    enumerate(test);
    add_senders();
    oracle.is_second_time = oracle.counts_classes;
    if (oracle.is_second_time)
        enumerate(test);
    printf("%s %ld %ld %s", test->name, oracle.executions, oracle.deliveries,
           oracle.kinds[0] ? oracle.kinds : "-");
    if (oracle.is_second_time)
        printf(" %d", oracle.class_count);
    printf("\n");
    tdestroy(oracle.keys, free);
    tdestroy(oracle.classes, free);
    oracle.keys = oracle.classes = NULL;
}

extern const struct rh_test *const __start_rh_tests[];
extern const struct rh_test *const __stop_rh_tests[];

int main(int argument_count, char **arguments)
{
    const char *only = NULL;

    oracle.max_length = 10000;
    for (int i = 1; i + 1 < argument_count; i += 2) {
        if (!strcmp(arguments[i], "--test"))
            only = arguments[i + 1];
        else if (!strcmp(arguments[i], "--delivery"))
            oracle.is_any = !strcmp(arguments[i + 1], "any");
        else if (!strcmp(arguments[i], "--time"))
            oracle.is_strict = !strcmp(arguments[i + 1], "strict");
        else if (!strcmp(arguments[i], "--max-length"))
            oracle.max_length = atoi(arguments[i + 1]);
        else if (!strcmp(arguments[i], "--classes"))
            oracle.counts_classes = !strcmp(arguments[i + 1], "on");
        else
            return 2;
    }
    for (const struct rh_test *const *test = __start_rh_tests; test < __stop_rh_tests; test++)
        if (!only || !strcmp(only, (*test)->name))
            report(*test);
    return 0;
}

// --- The operations. ---

static rh_message *post(rh_actor *from, rh_actor *to, const struct rh_type *type,
                        const void *payload, size_t size)
{
    rh_message *message = keep(sizeof *message);
    bool is_from_outside = !from || from->is_outside;

    if (oracle.message_count == MOST)
        abort();
    if (is_from_outside && oracle.has_receptionists && !to->is_receptionist)
        fail("check");
    *message = (rh_message){.type = type, .payload = copy(payload, size), .size = size};
    message->from = from;
    message->to = to;
    message->now = rh_now();
    message->place = oracle.message_count;
    message->sent_at = oracle.step;
    oracle.messages[oracle.message_count++] = message;
    name_message(message);
    if (oracle.running && oracle.step)
        add_sending(oracle.running->name, to->name, type->name);
    if (oracle.running && from != oracle.running && !oracle.is_any && oracle.step) {
        add_view(TIED, oracle.running);
        add_view(TIED, from);
    }
    return message;
}

rh_actor *rh__spawn(rh_behaviour *behaviour, const char *name, const struct rh_type *type,
                    const void *state, size_t size, const char *file, int line)
{
    rh_actor *actor = keep(sizeof *actor);
    (void)name, (void)type, (void)file, (void)line;

    if (oracle.actor_count == MOST)
        abort();
    actor->behaviour = behaviour;
    actor->made_at = oracle.step;
    name_actor(actor);
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
    if (oracle.step && to != oracle.running) {
        add_view(TIED, oracle.running);
        add_view(TIED, to);
    }
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
        fail("check");
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
        fail("check");
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
    return decide(count);
}

const void *rh__input(const char *type, size_t size, const char *name)
{
    (void)type, (void)name;
    return keep(size);
}

void rh__check(bool holds, const char *condition, const char *file, int line)
{
    (void)condition, (void)file, (void)line;
    if (!holds)
        fail(oracle.judging ? oracle.judging : "check");
}

void rh_ignore(const rh_message *message)
{
    ((rh_message *)message)->is_handled = true;
}

void rh__unhandled(const rh_message *message, const char *file, int line)
{
    (void)message, (void)file, (void)line;
    fail("unhandled");
}

void *rh__give(void *pointer, const char *file, int line)
{
    (void)file, (void)line;
    return pointer;
}

rh_actor *rh_outside(const char *name)
{
    rh_actor *actor = keep(sizeof *actor);
    (void)name;

    actor->is_outside = true;
    actor->made_at = oracle.step;
    name_actor(actor);
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
    look_at(actor);
    return actor->is_stopped ? NULL : actor->state;
}

bool rh_view_alive(const rh_actor *actor)
{
    look_at(actor);
    return !actor->is_stopped;
}

// The index-th pending message of the type to the actor; NULL if there are fewer: then *count says
// how many.
static const rh_message *find_pending(const rh_actor *actor, const struct rh_type *type,
                                      size_t index, size_t *count)
{
    *count = 0;
    if (oracle.judging && strcmp(oracle.judging, "invariant") == 0) {
        look_at(actor);
        add_pending_view(actor->name, type->name);
    }
    for (int i = 0; i < oracle.message_count; i++) {
        const rh_message *message = oracle.messages[i];
        if (message->is_delivered || message->to != actor ||
            strcmp(message->type->name, type->name) != 0)
            continue;
        if (*count == index)
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
