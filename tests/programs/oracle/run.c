// SPDX-License-Identifier: MIT
// Runs a test's executions one after another: what is deliverable, delivering, judging.
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum { STACK_SIZE = 256 * 1024, STACK_CLEARED = 16 * 1024 };

struct oracle oracle;

void *oracle_keep(size_t size)
{
    void *block = calloc(1, size ? size : 1);

    if (!block || oracle.block_count == 4 * MOST)
        abort();
    oracle.blocks[oracle.block_count++] = block;
    return block;
}

// Gives a stack that lives as long as the execution, and is used again in the next one. What functions have left on it is
// cleared as far down as programs come: a state that a handler writes may have padding from there, which must not make it
// another one.
static char *take_stack(void)
{
    static char *stacks[2 * MOST];
    char **stack = &stacks[oracle.stack_count++];

    if (oracle.stack_count == 2 * MOST || (!*stack && !(*stack = malloc(STACK_SIZE))))
        abort();
    memset(*stack + STACK_SIZE - STACK_CLEARED, 0, STACK_CLEARED);
    return *stack;
}

void oracle_note(const char *kind)
{
    char *known = strstr(oracle.kinds, kind);

    if (known)
        return;
    strcat(oracle.kinds, oracle.kinds[0] ? "," : "");
    strcat(oracle.kinds, kind);
}

_Noreturn void oracle_fail(const char *kind)
{
    oracle_note(kind);
    oracle.has_failed = true;
    setcontext(&oracle.main_context);
    abort();
}

int oracle_decide(int count)
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
                   other->due < timer->due && !is_refused(other)) {
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
        oracle_fail("unhandled");
    handler_end(actor);
    setcontext(&oracle.main_context);
}

static void handler_start(rh_actor *actor, rh_message *message)
{
    actor->handling = message;
    getcontext(&actor->context);
    actor->context.uc_stack.ss_sp = take_stack();
    actor->context.uc_stack.ss_size = STACK_SIZE;
    actor->context.uc_link = NULL;
    makecontext(&actor->context, handler_main, 0);
}

// What invariants may see of an actor.
struct sight {
    rh_actor actor;
    size_t size;
    void *state;
};

static struct sight see(const rh_actor *actor)
{
    struct sight sight = {.actor = *actor,
                          .size = actor->state ? malloc_usable_size(actor->state) : 0};

    sight.state = oracle_keep(sight.size);
    if (sight.size)
        memcpy(sight.state, actor->state, sight.size);
    return sight;
}

static bool has_changed(const rh_actor *actor, const struct sight *before)
{
    const rh_actor *was = &before->actor;

    return actor->behaviour != was->behaviour || actor->now != was->now ||
           actor->is_stopped != was->is_stopped || actor->waits_for != was->waits_for ||
           actor->state != was->state ||
           (actor->state && memcmp(actor->state, before->state, before->size) != 0);
}

static void deliver(rh_message *message)
{
    rh_actor *actor = message->to;
    struct sight before = see(actor);

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
    oracle_add_fact(GOT, actor->name, message->type->name, 0, NULL);
    if (has_changed(actor, &before))
        oracle_add_fact(CHANGED, actor->name, message->type->name, 0, NULL);
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
    ucontext_t *context = oracle_keep(sizeof *context);

    getcontext(context);
    context->uc_stack.ss_sp = take_stack();
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
            oracle_note("deadlock");
    for (int i = 0; i < oracle.message_count; i++) {
        const rh_message *message = oracle.messages[i];
        if (message->is_delivered)
            continue;
        oracle_note(message->to->is_stopped ? "undelivered" : "leftover");
        if (!message->to->is_stopped)
            oracle_note("deadlock");
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
            oracle_note("bound");
            return;
        }
        deliver(deliverable[oracle_decide(count)]);
        if (!oracle.has_failed)
            judge("invariant");
    }
    if (oracle.has_failed)
        return;
    if (oracle.is_second_time)
        oracle_count_class();
    judge_end();
}

static void forget_execution(void)
{
    while (oracle.block_count > 0)
        free(oracle.blocks[--oracle.block_count]);
    oracle.actor_count = oracle.message_count = oracle.judge_count = oracle.ask_count = 0;
    oracle.decision_count = oracle.step = oracle.stack_count = oracle.first_decision[0] = 0;
    oracle.has_receptionists = oracle.has_failed = false;
    oracle.sender_count = 0;
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
    oracle.fact_count = 0;
    oracle.is_second_time = false;
    enumerate(test);
    oracle_find_deeds();
    oracle.is_second_time = oracle.counts_classes;
    if (oracle.is_second_time)
        enumerate(test);
    printf("%s %ld %ld %s", test->name, oracle.executions, oracle.deliveries,
           oracle.kinds[0] ? oracle.kinds : "-");
    if (oracle.is_second_time)
        printf(" %d", oracle.class_count);
    printf("\n");
    oracle_forget_classes();
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
