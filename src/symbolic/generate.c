// SPDX-License-Identifier: MIT
// The search: which message is delivered next, until nothing is pending. Two reductions leave out
// orders that make no difference. An actor is temporarily stable if nothing that is pending
// elsewhere can lead to a message to it that matters for the order of those it has: then only its
// messages are tried here (theorem 1 of aPET). Of messages to one actor that are independent of
// each other only one order is tried (sleeping tasks).
#include "symbolic/generate.h"

#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

struct search {
    struct rh__sym *sym;
    const struct rh__sym_object *message; // the first message's payload, as it came
};

// --- The budget. ---

// Terms are never given back, so that they are what memory goes to: some 600 MB.
enum { TERMS_MOST = 10000000 };

// A question that the solver gives up costs as much as so many others.
enum { UNKNOWN_COSTS = 100 };

static uint64_t queries_spent(const struct rh__sym *sym)
{
    struct rh_solver_counts counts = rh_solver_counts(sym->solver);
    return counts.queries + UNKNOWN_COSTS * counts.unknown;
}

static bool is_spent(uint64_t most, uint64_t count)
{
    return most && count >= most;
}

// Why nothing more is followed; NULL: it goes on.
static const char *budget_that_ended(const struct rh__sym *sym)
{
    if (is_spent(sym->options->tests_most, sym->result->tests.count))
        return "the rest, after the tests of --max-tests";
    if (is_spent(sym->options->queries_most, queries_spent(sym)))
        return "the rest, after the queries of --max-queries";
    if (sym->terms.nodes.count >= TERMS_MOST)
        return "the rest, for lack of memory";
    return NULL;
}

// Whether the budget has ended. Something is left to be followed: that is said.
static bool is_over(struct rh__sym *sym)
{
    const char *ended = budget_that_ended(sym);
    if (ended)
        rh__sym_note(sym, ended, (struct rh_ir_place){0});
    return ended;
}

// --- Which messages may be delivered. ---

// Replies and timers have no order with other messages.
static bool has_order(const struct rh__sym_message *message)
{
    return message->kind == RH__SYM_PLAIN || message->kind == RH__SYM_ASK;
}

// Whether the order rule holds a message back. One that a guard refuses lets later ones pass.
static bool is_behind(const struct rh__sym_situation *situation, size_t index)
{
    const struct rh__sym_message *message = &situation->pending.items[index];
    for (size_t i = 0; i < index; i++) {
        const struct rh__sym_message *other = &situation->pending.items[i];
        if (other->receiver == message->receiver && other->sender == message->sender &&
            has_order(message) && has_order(other) && other->guard != RH__SYM_REFUSED)
            return true;
    }
    return false;
}

// Whether a timer has to wait for one that is due before it.
static bool is_early(const struct rh__sym_situation *situation,
                     const struct rh__sym_message *message)
{
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *other = &situation->pending.items[i];
        if (message->kind == RH__SYM_TIMER && other->kind == RH__SYM_TIMER &&
            other->receiver == message->receiver && other->due < message->due &&
            other->guard != RH__SYM_REFUSED)
            return true;
    }
    return false;
}

static bool is_deliverable(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                           size_t index)
{
    const struct rh__sym_message *message = &situation->pending.items[index];
    const struct rh__sym_actor *receiver = &situation->actors.items[message->receiver];
    if (receiver->wait || message->kind == RH__SYM_REPLY)
        return receiver->wait && message->kind == RH__SYM_REPLY &&
               message->request == receiver->wait->request;
    return !receiver->is_stopped && message->guard != RH__SYM_REFUSED &&
           !is_early(situation, message) &&
           !(sym->options->keeps_order && is_behind(situation, index));
}

static struct rh__sym_handling *handling_of(struct rh__sym *sym,
                                            const struct rh__sym_situation *situation,
                                            const struct rh__sym_message *message)
{
    return rh__sym_handling_of(sym, situation->actors.items[message->receiver].behaviour,
                               message->type);
}

// --- Temporarily stable actors. ---

// Whether a value may be the address of the actor.
static bool may_be(struct rh__sym *sym, const struct rh__sym_situation *situation, rh_term term,
                   uint32_t actor)
{
    if (rh_term_width(&sym->terms, term) != 64)
        return false;
    uint64_t number;
    term = rh__sym_settle(sym, situation, term);
    if (rh_term_is_constant(&sym->terms, term, &number))
        return number == rh__sym_actor_address(actor);
    const struct rh_term_node *node = rh_term_get(&sym->terms, term);
    if (node->operation != RH_TERM_VARIABLE)
        return true;
    return sym->unknowns.items[node->number].is_actor && !sym->options->no_aliases &&
           situation->actors.items[actor].parent == RH_NONE;
}

static bool holds(struct rh__sym *sym, const struct rh__sym_situation *situation, uint32_t object,
                  uint32_t actor)
{
    const struct rh__sym_object *it = situation->objects.items[object];
    for (uint32_t i = 0; it && i < it->count; i++)
        if (may_be(sym, situation, it->cells[i].term, actor))
            return true;
    return false;
}

// Whether an object belongs to the actor: its state, or a message to it.
static bool is_own(const struct rh__sym_situation *situation, uint32_t object, uint32_t actor)
{
    if (situation->actors.items[actor].state == object)
        return true;
    for (size_t i = 0; i < situation->pending.count; i++)
        if (situation->pending.items[i].receiver == actor &&
            situation->pending.items[i].payload == object)
            return true;
    return false;
}

// Condition 3: nobody else has the actor's address.
static bool is_known_elsewhere(struct rh__sym *sym, const struct rh__sym_situation *situation,
                               uint32_t actor)
{
    for (uint32_t i = 0; i < situation->objects.count; i++)
        if (situation->objects.items[i] && !is_own(situation, i, actor) &&
            holds(sym, situation, i, actor))
            return true;
    for (size_t i = 0; i < situation->pending.count && sym->uses_senders; i++)
        if (situation->pending.items[i].sender == actor &&
            situation->pending.items[i].receiver != actor)
            return true;
    return false;
}

// Condition 2: nothing that may come depends on what waits for the actor.
static bool is_chain_independent(struct rh__sym *sym, const struct rh__sym_situation *situation,
                                 const bool *chain, uint32_t actor)
{
    uint32_t behaviour = situation->actors.items[actor].behaviour;
    for (uint32_t type = 0; type < sym->types.count; type++) {
        const struct rh__sym_handling *last =
            chain[type] ? rh__sym_handling_of(sym, behaviour, type) : NULL;
        if (!last || !last->is_taken)
            continue;
        if (sym->options->no_independence)
            return false;
        for (size_t i = 0; i < situation->pending.count; i++)
            if (situation->pending.items[i].receiver == actor &&
                !rh__sym_are_independent(sym, last,
                                         handling_of(sym, situation, &situation->pending.items[i])))
                return false;
    }
    return true;
}

static bool is_stable(struct rh__sym *sym, const struct rh__sym_situation *situation,
                      uint32_t actor)
{
    int is_known = -1; // whether others have the address, asked once
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        if (message->receiver == actor)
            continue;
        const bool *chain = rh__sym_chain_of(sym, handling_of(sym, situation, message));
        if (is_chain_independent(sym, situation, chain, actor))
            continue;
        if (is_known < 0)
            is_known = is_known_elsewhere(sym, situation, actor);
        if (is_known)
            return false;
    }
    return true;
}

// --- Delivering. ---

static struct rh__sym_situation *take_out(struct search *search,
                                          const struct rh__sym_situation *situation, size_t index)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    struct rh__sym_message message = copy->pending.items[index];
    copy->pending.count--;
    memmove(&copy->pending.items[index], &copy->pending.items[index + 1],
            (copy->pending.count - index) * sizeof message);
    struct rh__sym_event *event = rh_arena_take(&sym->arena, sizeof *event);
    *event = (struct rh__sym_event){.before = copy->events,
                                    .message = message.number,
                                    .type = message.type,
                                    .receiver = message.receiver,
                                    .sender = message.sender,
                                    .identity = message.identity};
    copy->events = event;
    copy->running = message.receiver;
    copy->delivery = message.identity;
    copy->tag = message.is_first_from_creator ? 0 : message.identity;
    copy->tallies.count = 0;
    copy->held.count = 0;
    copy->is_handled = copy->is_stopping = false;
    copy->end = RH__SYM_RUNS;
    copy->steps = 0;
    struct rh__sym_actor *receiver = &copy->actors.items[message.receiver];
    receiver->now = receiver->now < message.now ? message.now : receiver->now;
    if (message.kind == RH__SYM_TIMER && receiver->now < message.due)
        receiver->now = message.due;
    for (size_t i = 0; i < copy->pending.count; i++)
        if (copy->pending.items[i].receiver == message.receiver)
            copy->pending.items[i].guard = RH__SYM_NOT_ASKED;
    if (++receiver->deliveries > sym->options->deliveries_each)
        rh__sym_cut(sym, copy, RH_CUT_DELIVERY);
    else if (message.kind == RH__SYM_REPLY)
        rh__sym_wait_end(sym, copy, message);
    else
        *rh_vector_push(&copy->held) = message;
    return copy;
}

static void start_handler(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    const struct rh__sym_actor *actor = &situation->actors.items[situation->running];
    const struct rh_ir_function *function = &sym->module->functions.items[actor->behaviour];
    if (function->parameter_count != 3 || !function->block_count) {
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "the behaviour %s",
                         function->source_name);
        return;
    }
    uint64_t state = actor->state == RH_NONE ? 0 : rh__sym_object_address(actor->state);
    rh__sym_value arguments[3] = {
        rh_term_constant(&sym->terms, 64, rh__sym_actor_address(situation->running)),
        rh_term_constant(&sym->terms, 64, state),
        rh_term_constant(&sym->terms, 64, rh__sym_message_address(situation->held.items[0].number)),
    };
    rh__sym_call(sym, situation, function, NULL, arguments, 3);
}

// What is left when a handler has come to its end.
static void settle(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    if (situation->end != RH__SYM_DONE || situation->actors.items[situation->running].wait)
        return;
    const struct rh__sym_message *handled = &situation->held.items[0];
    if (!situation->is_handled && situation->held.count == 1) {
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "%s is not handled",
                         sym->types.items[handled->type].name);
        uint32_t behaviour = situation->actors.items[situation->running].behaviour;
        situation->place = sym->module->functions.items[behaviour].place;
        return;
    }
    situation->actors.items[situation->running].is_stopped = situation->is_stopping;
    for (size_t i = 0; i < situation->held.count; i++) {
        uint32_t payload = situation->held.items[i].payload;
        if (payload == RH_NONE)
            continue;
        rh__sym_object_release(situation->objects.items[payload]);
        situation->objects.items[payload] = NULL;
    }
    situation->held.count = 0;
}

// All outcomes of a delivery, in `outcomes`.
static void deliver(struct search *search, struct rh__sym_situation *situation,
                    struct rh__sym_situations *outcomes)
{
    struct rh__sym *sym = search->sym;
    if (situation->end == RH__SYM_RUNS && situation->frames.count == 0)
        start_handler(sym, situation);
    rh__sym_push(sym, situation);
    while (sym->forked.count) {
        struct rh__sym_situation *next = sym->forked.items[--sym->forked.count];
        if (is_over(sym)) {
            rh__sym_situation_free(next);
            continue;
        }
        rh__sym_run(sym, next);
        settle(sym, next);
        *(struct rh__sym_situation **)rh_vector_push(outcomes) = next;
    }
}

static void go(struct search *search, struct rh__sym_situation *situation);

static void follow(struct search *search, struct rh__sym_situation *outcome)
{
    switch (outcome->end) {
    case RH__SYM_DONE:
        go(search, outcome);
        break;
    case RH__SYM_BROKEN:
        rh__sym_test_add(search->sym, outcome, search->message);
        break;
    case RH__SYM_UNKNOWN:
        rh__sym_note(search->sym, outcome->reason, outcome->place);
        break;
    default:
        break;
    }
}

// Wakes the actor's sleeping messages that depend on the one that is delivered.
static void wake(struct rh__sym *sym, struct rh__sym_situation *situation,
                 const struct rh__sym_message *delivered)
{
    const struct rh__sym_handling *handling = handling_of(sym, situation, delivered);
    for (size_t i = 0; i < situation->pending.count; i++) {
        struct rh__sym_message *each = &situation->pending.items[i];
        if (each->receiver == delivered->receiver && each->is_asleep &&
            !rh__sym_are_independent(sym, handling, handling_of(sym, situation, each)))
            each->is_asleep = false;
    }
}

// --- Guards. ---

static uint32_t guard_of(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                         const struct rh__sym_message *message)
{
    const struct rh__sym_actor *receiver = &situation->actors.items[message->receiver];
    if (message->kind == RH__SYM_REPLY || receiver->wait || receiver->is_stopped)
        return RH_NONE;
    for (size_t i = 0; i < sym->behaviours.count; i++)
        if (sym->behaviours.items[i].function == receiver->behaviour)
            return sym->behaviours.items[i].guard;
    return RH_NONE;
}

// The first pending message whose receiver's guard has not been asked; RH_NONE: none.
static uint32_t first_not_asked(const struct rh__sym *sym,
                                const struct rh__sym_situation *situation)
{
    for (uint32_t i = 0; i < situation->pending.count; i++)
        if (situation->pending.items[i].guard == RH__SYM_NOT_ASKED &&
            guard_of(sym, situation, &situation->pending.items[i]) != RH_NONE)
            return i;
    return RH_NONE;
}

static void start_guard(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t index)
{
    struct rh__sym_message message = situation->pending.items[index];
    const struct rh_ir_function *guard =
        &sym->module->functions.items[guard_of(sym, situation, &message)];
    uint32_t state = situation->actors.items[message.receiver].state;
    rh__sym_value arguments[2] = {
        rh_term_constant(&sym->terms, 64, state == RH_NONE ? 0 : rh__sym_object_address(state)),
        rh_term_constant(&sym->terms, 64, rh__sym_message_address(message.number)),
    };
    situation->running = message.receiver;
    situation->held.count = 0;
    *rh_vector_push(&situation->held) = message;
    situation->end = RH__SYM_RUNS;
    situation->steps = 0;
    if (guard->block_count)
        rh__sym_call(sym, situation, guard, NULL, arguments, 2);
    else
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "the guard %s", guard->source_name);
}

// What the guard has said becomes known of the message; a copy goes on where it says otherwise.
static void end_guard(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t index,
                      struct rh__sym_situation **other)
{
    *other = NULL;
    if (situation->end != RH__SYM_DONE)
        return;
    rh_term answer = rh_term_part(&sym->terms, situation->returned, 0, 1);
    bool accepts = rh__sym_fork(sym, situation, answer, other);
    situation->pending.items[index].guard = accepts ? RH__SYM_ACCEPTED : RH__SYM_REFUSED;
    if (*other)
        (*other)->pending.items[index].guard = accepts ? RH__SYM_REFUSED : RH__SYM_ACCEPTED;
}

// Goes on with each answer that the guard may give.
static void ask_guard(struct search *search, const struct rh__sym_situation *situation,
                      uint32_t index)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_situations answers = {0};
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    start_guard(sym, copy, index);
    rh__sym_push(sym, copy);
    while (sym->forked.count) {
        struct rh__sym_situation *next = sym->forked.items[--sym->forked.count], *other;
        if (is_over(sym)) {
            rh__sym_situation_free(next);
            continue;
        }
        rh__sym_run(sym, next);
        end_guard(sym, next, index, &other);
        *(struct rh__sym_situation **)rh_vector_push(&answers) = next;
        if (other)
            *(struct rh__sym_situation **)rh_vector_push(&answers) = other;
    }
    for (size_t i = 0; i < answers.count; i++) {
        follow(search, answers.items[i]);
        rh__sym_situation_free(answers.items[i]);
    }
    rh_vector_fini(&answers);
}

// --- The tree. ---

static void try_message(struct search *search, struct rh__sym_situation *situation, size_t index)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_message message = situation->pending.items[index];
    if (message.is_asleep)
        return;
    struct rh__sym_situations outcomes = {0};
    struct rh__sym_situation *taken = take_out(search, situation, index);
    wake(sym, taken, &message);
    deliver(search, taken, &outcomes);
    for (size_t i = 0; i < outcomes.count; i++) {
        if (!is_over(sym))
            follow(search, outcomes.items[i]);
        rh__sym_situation_free(outcomes.items[i]);
    }
    rh_vector_fini(&outcomes);
    if (!sym->options->no_independence)
        situation->pending.items[index].is_asleep = true;
}

static void try_actor(struct search *search, struct rh__sym_situation *situation, uint32_t actor)
{
    for (size_t i = 0; i < situation->pending.count; i++)
        if (situation->pending.items[i].receiver == actor &&
            is_deliverable(search->sym, situation, i))
            try_message(search, situation, i);
}

static bool has_message(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                        uint32_t actor)
{
    for (size_t i = 0; i < situation->pending.count; i++)
        if (situation->pending.items[i].receiver == actor && is_deliverable(sym, situation, i))
            return true;
    return false;
}

// Nothing can be delivered: a deadlock if somebody waits, or refuses what has come.
static void end_here(struct search *search, struct rh__sym_situation *situation)
{
    struct rh__sym *sym = search->sym;
    for (size_t i = 0; i < situation->actors.count; i++)
        if (situation->actors.items[i].wait)
            rh__sym_end_with(sym, situation, RH__SYM_BROKEN,
                             "a deadlock: %s waits for a reply that never comes",
                             situation->actors.items[i].name);
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        if (message->guard == RH__SYM_REFUSED && situation->end != RH__SYM_BROKEN)
            rh__sym_end_with(sym, situation, RH__SYM_BROKEN,
                             "a deadlock: %s refuses %s, and nothing else will come",
                             situation->actors.items[message->receiver].name,
                             sym->types.items[message->type].name);
    }
    rh__sym_test_add(sym, situation, search->message);
}

// Tries what may come next. Situations are changed on the way, so each actor has its own copy but
// for the sleeping messages, which are the point of trying one after another.
static void go(struct search *search, struct rh__sym_situation *situation)
{
    struct rh__sym *sym = search->sym;
    uint32_t not_asked = first_not_asked(sym, situation);
    if (not_asked != RH_NONE) {
        ask_guard(search, situation, not_asked);
        return;
    }
    sym->result->states++;
    bool has_any = false;
    for (uint32_t i = 0; i < situation->actors.count; i++)
        has_any = has_any || has_message(sym, situation, i);
    if (!has_any) {
        end_here(search, situation);
        return;
    }
    for (uint32_t i = 0; i < situation->actors.count && !sym->options->no_stability; i++)
        if (has_message(sym, situation, i) && is_stable(sym, situation, i)) {
            sym->result->stable++;
            try_actor(search, situation, i);
            return;
        }
    for (uint32_t i = 0; i < situation->actors.count; i++) {
        struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
        try_actor(search, copy, i);
        rh__sym_situation_free(copy);
    }
}

// --- From the options to the first situation. ---

static struct rh_status find_behaviour(struct rh__sym *sym, uint32_t *found)
{
    struct rh_text names = {0};
    *found = RH_NONE;
    for (uint32_t i = 0; i < sym->behaviours.count; i++) {
        const struct rh__sym_behaviour *it = &sym->behaviours.items[i];
        if (!strcmp(it->name, sym->options->behaviour) ||
            !strcmp(sym->module->functions.items[it->function].source_name,
                    sym->options->behaviour))
            *found = i;
        rh_text_addf(&names, "%s%s", names.length ? ", " : "", it->name);
    }
    struct rh_status status =
        *found != RH_NONE
            ? rh_ok()
            : rh_bad_input("no behaviour is called %s: the program has %s", sym->options->behaviour,
                           names.length ? rh_text_get(&names) : "none");
    rh_text_fini(&names);
    return status;
}

static struct rh_status find_type(struct rh__sym *sym, uint32_t behaviour, uint32_t *found)
{
    struct rh_text names = {0};
    *found = RH_NONE;
    bool is_type = false;
    const struct rh__sym_behaviour *it = &sym->behaviours.items[behaviour];
    for (uint32_t i = 0; i < sym->types.count; i++) {
        bool is_named = !strcmp(sym->types.items[i].name, sym->options->message);
        is_type = is_type || is_named;
        if (!rh__sym_handling_of(sym, it->function, i)->is_taken)
            continue;
        if (is_named)
            *found = i;
        rh_text_addf(&names, "%s%s", names.length ? ", " : "", sym->types.items[i].name);
    }
    struct rh_status status = rh_ok();
    if (*found == RH_NONE)
        status = rh_bad_input("%s: %s takes %s",
                              is_type ? "this behaviour never looks for that message"
                                      : "no message has that name",
                              it->name, names.length ? rh_text_get(&names) : "none");
    rh_text_fini(&names);
    return status;
}

// "FIELD=VALUE": the variable is that number.
static struct rh_status give(struct rh__sym *sym, struct rh__sym_situation *situation,
                             const char *behaviour, const char *given)
{
    const char *equals = strchr(given, '=');
    if (!equals)
        return rh_bad_input("--given needs FIELD=VALUE, not '%s'", given);
    struct rh_text name = {0};
    if (!memchr(given, '.', (size_t)(equals - given)))
        rh_text_addf(&name, "%s.", behaviour);
    rh_text_add_bytes(&name, given, (size_t)(equals - given));
    char *end = NULL;
    uint64_t number = !strcmp(equals + 1, "NULL") ? 0 : (uint64_t)strtoll(equals + 1, &end, 0);
    struct rh_status status =
        end && *end ? rh_bad_input("--given %s: %s is no number", given, end) : rh_ok();
    uint32_t found = RH_NONE;
    for (uint32_t i = 0; i < sym->terms.variables.count; i++)
        if (!strcmp(sym->terms.variables.items[i].name, rh_text_get(&name)))
            found = i;
    if (rh_is_ok(&status) && found == RH_NONE)
        status = rh_bad_input("--given %s: there is no such field", given);
    rh_text_fini(&name);
    if (!rh_is_ok(&status))
        return status;
    rh_term term = sym->terms.variables.items[found].term;
    rh_term constant = rh_term_constant(&sym->terms, rh_term_width(&sym->terms, term), number);
    rh_term_is_constant(&sym->terms, constant, &number);
    situation->values.items[found] = number;
    *rh_vector_push(&situation->bindings) = (struct rh__sym_binding){found, constant};
    if (!sym->unknowns.items[found].is_pointer)
        rh__sym_assume(sym, situation, rh_term_make2(&sym->terms, RH_TERM_EQUAL, term, constant),
                       false);
    return rh_ok();
}

static struct rh_status begin(struct rh__sym *sym, struct rh__sym_situation *situation,
                              struct rh__sym_object **message)
{
    uint32_t behaviour, type;
    struct rh_status status = find_behaviour(sym, &behaviour);
    if (rh_is_ok(&status))
        status = find_type(sym, behaviour, &type);
    if (!rh_is_ok(&status))
        return status;
    *rh_vector_push(&situation->actors) =
        (struct rh__sym_actor){.behaviour = RH_NONE, .state = RH_NONE, .parent = RH_NONE};
    rh__sym_become_initial(sym, situation, 0, behaviour);
    struct rh__sym_message first = {.type = type, .sender = RH_NONE, .payload = RH_NONE};
    first.number = situation->message_count++;
    const struct rh__sym_type *it = &sym->types.items[type];
    if (it->size) {
        first.payload = rh__sym_unknown_object(sym, situation, it->name, it->size, it->name);
        *message = situation->objects.items[first.payload];
        (*message)->references++;
    }
    rh__sym_name_message(sym, situation, &first);
    *rh_vector_push(&situation->pending) = first;
    sym->result->behaviour = sym->behaviours.items[behaviour].name;
    sym->result->message = it->name;
    for (size_t i = 0; rh_is_ok(&status) && i < sym->options->given_count; i++)
        status =
            give(sym, situation, sym->behaviours.items[behaviour].name, sym->options->given[i]);
    return status;
}

static void fini(struct rh__sym *sym)
{
    for (size_t i = 0; i < sym->module->globals.count; i++)
        rh__sym_object_release(sym->globals[i]);
    for (size_t i = 0; i < sym->handlings.count; i++) {
        rh_vector_fini(&sym->handlings.items[i]->reads.items);
        rh_vector_fini(&sym->handlings.items[i]->writes.items);
        rh_vector_fini(&sym->handlings.items[i]->sends);
    }
    free(sym->globals);
    free(sym->loops);
    rh_vector_fini(&sym->tuples);
    rh_vector_fini(&sym->types);
    rh_vector_fini(&sym->unknowns);
    rh_vector_fini(&sym->sites);
    rh_vector_fini(&sym->behaviours);
    rh_vector_fini(&sym->handlings);
    rh_vector_fini(&sym->forked);
    rh_vector_fini(&sym->laid_out);
    rh_solver_free(sym->solver);
    rh_terms_fini(&sym->terms);
    // The result's texts lie in the arena.
    sym->result->arena = sym->arena;
}

static struct rh_status init(struct rh__sym *sym, const struct rh_ir_module *module,
                             const struct rh_generate_options *options,
                             struct rh_generate_result *result)
{
    *result = (struct rh_generate_result){0};
    *sym =
        (struct rh__sym){.module = module, .options = options, .result = result, .wanted = RH_NONE};
    sym->globals = rh_alloc(module->globals.count * sizeof(struct rh__sym_object *) + 1);
    sym->loops = rh_alloc(module->functions.count * sizeof *sym->loops + 1);
    rh_terms_init(&sym->terms);
    struct rh_status status = rh_solver_new(&sym->terms, 0, &sym->solver);
    if (!rh_is_ok(&status))
        return status;
    rh__sym_types_find(sym);
    rh__sym_behaviours_find(sym);
    return rh_ok();
}

struct rh_status rh_generate_tests(const struct rh_ir_module *module,
                                   const struct rh_generate_options *options,
                                   struct rh_generate_result *result)
{
    struct rh__sym sym;
    struct rh_status status = init(&sym, module, options, result);
    struct rh__sym_situation *situation = rh__sym_situation_new();
    struct rh__sym_object *message = NULL;
    if (rh_is_ok(&status))
        status = begin(&sym, situation, &message);
    if (rh_is_ok(&status)) {
        struct search search = {&sym, message};
        go(&search, situation);
        struct rh_solver_counts counts = rh_solver_counts(sym.solver);
        result->queries = counts.queries;
        result->queries_unknown = counts.unknown;
    }
    rh__sym_situation_free(situation);
    rh__sym_object_release(message);
    fini(&sym);
    return status;
}

void rh_generate_result_fini(struct rh_generate_result *result)
{
    rh_vector_fini(&result->tests);
    rh_vector_fini(&result->notes);
    rh_arena_fini(&result->arena);
}

// --- What there is to be asked for. ---

static void add_pairs(struct rh__sym *sym, const char *message, uint32_t behaviour,
                      struct rh_generate_pairs *pairs)
{
    for (uint32_t i = 0; i < sym->types.count; i++) {
        const struct rh__sym_behaviour *it = &sym->behaviours.items[behaviour];
        const char *name = sym->types.items[i].name;
        if (rh__sym_handling_of(sym, it->function, i)->is_taken &&
            (!message || !strcmp(message, name)))
            *rh_vector_push(&pairs->items) = (struct rh_generate_pair){it->name, name};
    }
}

struct rh_status rh_generate_pairs_find(const struct rh_ir_module *module, const char *behaviour,
                                        const char *message, struct rh_generate_pairs *pairs)
{
    struct rh_generate_options options = {.behaviour = behaviour, .message = message};
    struct rh_generate_result result;
    struct rh__sym sym;
    uint32_t found = RH_NONE;
    *pairs = (struct rh_generate_pairs){0};
    struct rh_status status = init(&sym, module, &options, &result);
    if (rh_is_ok(&status) && behaviour)
        status = find_behaviour(&sym, &found);
    for (uint32_t i = 0; rh_is_ok(&status) && i < sym.behaviours.count; i++)
        if (!behaviour || i == found)
            add_pairs(&sym, message, i, pairs);
    if (rh_is_ok(&status) && pairs->items.count == 0)
        status =
            rh_bad_input("no behaviour of the program takes %s", message ? message : "a message");
    fini(&sym);
    pairs->arena = result.arena;
    return status;
}

void rh_generate_pairs_fini(struct rh_generate_pairs *pairs)
{
    rh_vector_fini(&pairs->items);
    rh_arena_fini(&pairs->arena);
}
