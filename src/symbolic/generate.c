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

static struct rh__sym_handling *handling_of(struct rh__sym *sym,
                                            const struct rh__sym_situation *situation,
                                            const struct rh__sym_message *message)
{
    return rh__sym_handling_of(sym, situation->actors.items[message->receiver].behaviour,
                               message->type);
}

// --- Temporarily stable actors. ---

// Whether what an unknown address leads to may hold the address of an actor, sooner or later.
static bool leads_to_actor(struct rh__sym *sym, const char *record, uint64_t size,
                           const struct rh_ir_field *target, unsigned depth)
{
    enum { DEPTH_MOST = 6 };
    if (depth > DEPTH_MOST)
        return true;
    if (target)
        return rh__sym_is_actor(target) ||
               (target->is_pointer && leads_to_actor(sym, target->record, target->record_size,
                                                     target->target, depth + 1));
    struct rh__sym_leaves leaves = rh__sym_leaves_of(sym, record, size);
    for (uint32_t i = 0; record && i < leaves.count; i++) {
        const struct rh_ir_field *field = leaves.items[i].field;
        bool is_itself = field && field->record && !strcmp(field->record, record);
        if (field && field->is_pointer &&
            (rh__sym_is_actor(field) ||
             (!is_itself &&
              leads_to_actor(sym, field->record, field->record_size, field->target, depth + 1))))
            return true;
    }
    return false;
}

// Whether a value may be the address of the actor, or lead to it.
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
    const struct rh__sym_unknown *unknown = &sym->unknowns.items[node->number];
    const struct rh__sym_actor *it = &situation->actors.items[actor];
    if (sym->options->no_aliases || it->parent != RH_NONE)
        return false;
    if (unknown->is_actor)
        return rh__sym_kept_has(sym, unknown->kept, it->behaviour);
    return unknown->is_pointer &&
           leads_to_actor(sym, unknown->record, unknown->record_size, unknown->target, 0);
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

// Whether an object belongs to the actor: its state, a block of its memory, or a message to it.
static bool is_own(const struct rh__sym_situation *situation, uint32_t object, uint32_t actor)
{
    const struct rh__sym_object *it = situation->objects.items[object];
    if (situation->actors.items[actor].state == object ||
        (it->is_heap && it->owner == actor && !it->is_travelling))
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
        if (!last)
            continue;
        if (sym->options->no_independence && last->is_taken)
            return false;
        // A type that is not taken matters, too, where what waits makes another behaviour of it.
        for (size_t i = 0; i < situation->pending.count; i++)
            if (situation->pending.items[i].receiver == actor &&
                !rh__sym_are_independent(sym, last,
                                         handling_of(sym, situation, &situation->pending.items[i])))
                return false;
    }
    return true;
}

// Whether nothing that may come of a message to another actor depends on what waits for the actor.
// The other one may be of another behaviour by then.
static bool is_message_independent(struct rh__sym *sym, const struct rh__sym_situation *situation,
                                   const struct rh__sym_message *message, uint32_t actor)
{
    const bool *chain = rh__sym_chain_of(sym, handling_of(sym, situation, message));
    if (!is_chain_independent(sym, situation, chain, actor))
        return false;
    for (size_t i = 0; i < sym->behaviours.count && sym->uses_become; i++) {
        struct rh__sym_handling *other =
            rh__sym_handling_of(sym, sym->behaviours.items[i].function, message->type);
        if (other->is_taken &&
            !is_chain_independent(sym, situation, rh__sym_chain_of(sym, other), actor))
            return false;
    }
    return true;
}

static bool is_stable(struct rh__sym *sym, const struct rh__sym_situation *situation,
                      uint32_t actor)
{
    int is_known = -1; // whether others have the address, asked once
    if (sym->has_invariants)
        return false;
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        if (message->receiver == actor)
            continue;
        if (is_message_independent(sym, situation, message, actor))
            continue;
        if (is_known < 0)
            is_known = is_known_elsewhere(sym, situation, actor);
        if (is_known)
            return false;
    }
    return true;
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

// Asks what must hold at all times, and goes on where it does. Takes the situation.
static void judge_and_follow(struct search *search, struct rh__sym_situation *situation)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_situations outcomes = {0};
    if (situation->end == RH__SYM_DONE && sym->has_invariants)
        rh__sym_judge(sym, situation, false, &outcomes);
    else
        *(struct rh__sym_situation **)rh_vector_push(&outcomes) = situation;
    for (size_t i = 0; i < outcomes.count; i++) {
        if (!rh__sym_is_over(sym))
            follow(search, outcomes.items[i]);
        rh__sym_situation_free(outcomes.items[i]);
    }
    rh_vector_fini(&outcomes);
}

// --- The tree. ---

// Goes on with each answer that the guard may give.
static void ask_guard(struct search *search, const struct rh__sym_situation *situation,
                      uint32_t index)
{
    struct rh__sym_situations answers = {0};
    rh__sym_ask_guard(search->sym, situation, index, &answers);
    for (size_t i = 0; i < answers.count; i++) {
        follow(search, answers.items[i]);
        rh__sym_situation_free(answers.items[i]);
    }
    rh_vector_fini(&answers);
}

// Of the tests that --max-tests leaves, each way that a handler goes gets its share, and what one
// does not need is left to the others: otherwise the orders behind the first would take them all.
static void follow_all(struct search *search, struct rh__sym_situations *outcomes)
{
    struct rh__sym *sym = search->sym;
    uint64_t end = sym->tests_end ? sym->tests_end : sym->options->tests_most;
    for (size_t i = 0; i < outcomes->count; i++) {
        uint64_t count = sym->result->tests.count, left = end > count ? end - count : 0;
        uint64_t ways = outcomes->count - i;
        sym->tests_end = end ? count + (left + ways - 1) / ways : 0;
        judge_and_follow(search, outcomes->items[i]);
    }
    sym->tests_end = end;
}

static void try_message(struct search *search, struct rh__sym_situation *situation, size_t index)
{
    struct rh__sym *sym = search->sym;
    struct rh__sym_message message = situation->pending.items[index];
    if (message.is_asleep)
        return;
    struct rh__sym_situations outcomes = {0};
    struct rh__sym_situation *taken = rh__sym_take_out(sym, situation, index);
    wake(sym, taken, &message);
    rh__sym_deliver(sym, taken, &outcomes);
    follow_all(search, &outcomes);
    rh_vector_fini(&outcomes);
    if (!sym->options->no_independence && !sym->has_invariants)
        situation->pending.items[index].is_asleep = true;
}

static void try_actor(struct search *search, struct rh__sym_situation *situation, uint32_t actor)
{
    for (size_t i = 0; i < situation->pending.count; i++)
        if (situation->pending.items[i].receiver == actor &&
            rh__sym_is_deliverable(search->sym, situation, i))
            try_message(search, situation, i);
}

static bool has_message(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                        uint32_t actor)
{
    for (size_t i = 0; i < situation->pending.count; i++)
        if (situation->pending.items[i].receiver == actor &&
            rh__sym_is_deliverable(sym, situation, i))
            return true;
    return false;
}

// A deadlock if somebody waits, or refuses what has come.
static void find_deadlock(struct rh__sym *sym, struct rh__sym_situation *situation)
{
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
}

static void end_with(struct search *search, struct rh__sym_situation *outcome)
{
    struct rh__sym *sym = search->sym;
    if (outcome->end == RH__SYM_UNKNOWN)
        rh__sym_note(sym, outcome->reason, outcome->place);
    if (outcome->end == RH__SYM_DONE)
        find_deadlock(sym, outcome);
    if (outcome->end == RH__SYM_DONE || outcome->end == RH__SYM_BROKEN)
        rh__sym_test_add(sym, outcome, search->message);
}

// Nothing can be delivered. What must hold at the end is asked.
static void end_here(struct search *search, struct rh__sym_situation *situation)
{
    struct rh__sym_situations outcomes = {0};
    situation->end = RH__SYM_DONE;
    if (situation->judges.count == 0) {
        end_with(search, situation);
        return;
    }
    rh__sym_judge(search->sym, rh__sym_situation_copy(search->sym, situation), true, &outcomes);
    for (size_t i = 0; i < outcomes.count; i++) {
        end_with(search, outcomes.items[i]);
        rh__sym_situation_free(outcomes.items[i]);
    }
    rh_vector_fini(&outcomes);
}

// Tries what may come next. Situations are changed on the way, so each actor has its own copy but
// for the sleeping messages, which are the point of trying one after another.
static void go(struct search *search, struct rh__sym_situation *situation)
{
    struct rh__sym *sym = search->sym;
    uint32_t not_asked = rh__sym_first_not_asked(sym, situation);
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
        status = rh_bad_input(is_type ? "%s: %s never looks for that message; it takes %s"
                                      : "%s: no message has that name; %s takes %s",
                              sym->options->message, it->name,
                              names.length ? rh_text_get(&names) : "none");
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
    *rh_vector_push(&situation->actors) = (struct rh__sym_actor){.behaviour = RH_NONE,
                                                                 .state = RH_NONE,
                                                                 .parent = RH_NONE,
                                                                 .at_stop = RH_NONE,
                                                                 .kept = RH_NONE};
    rh__sym_become_initial(sym, situation, 0, behaviour);
    struct rh__sym_message first = {.type = type, .sender = RH_NONE, .payload = RH_NONE};
    first.number = situation->message_count++;
    const struct rh__sym_type *it = &sym->types.items[type];
    if (it->size) {
        first.payload = rh__sym_unknown_object(sym, situation, it->name, it->size, it->name,
                                               (struct rh__sym_owner){RH_NONE, it->name});
        *message = situation->objects.items[first.payload];
        (*message)->references++;
    }
    rh__sym_name_message(sym, situation, &first);
    sym->first_identity = first.identity;
    *rh_vector_push(&situation->pending) = first;
    sym->result->behaviour = sym->behaviours.items[behaviour].name;
    sym->result->message = it->name;
    for (size_t i = 0; rh_is_ok(&status) && i < sym->options->given_count; i++)
        status =
            give(sym, situation, sym->behaviours.items[behaviour].name, sym->options->given[i]);
    return status;
}

// Follows all that can come after the test's body, with whatever its inputs are.
static struct rh_status begin_with_test(struct search *search,
                                        const struct rh__sym_situation *situation)
{
    struct rh__sym *sym = search->sym;
    uint32_t body;
    struct rh_status status = rh__sym_body_find(sym, sym->options->test, &body);
    if (!rh_is_ok(&status))
        return status;
    sym->result->test = rh_arena_text(&sym->arena, sym->options->test, strlen(sym->options->test));
    sym->result->any_messages = sym->options->any_messages;
    struct rh__sym_situations outcomes = {0};
    rh__sym_body_run(sym, situation, body, &outcomes);
    for (size_t i = 0; i < outcomes.count; i++)
        judge_and_follow(search, outcomes.items[i]);
    rh_vector_fini(&outcomes);
    return rh_ok();
}

struct rh_status rh_generate_tests(const struct rh_ir_module *module,
                                   const struct rh_generate_options *options,
                                   struct rh_generate_result *result)
{
    struct rh__sym sym;
    struct rh_status status = rh__sym_init(&sym, module, options, result);
    struct rh__sym_situation *situation = rh__sym_situation_new();
    struct rh__sym_object *message = NULL;
    struct search search = {&sym, NULL};
    if (rh_is_ok(&status) && options->test)
        status = begin_with_test(&search, situation);
    else if (rh_is_ok(&status))
        status = begin(&sym, situation, &message);
    search.message = message;
    if (rh_is_ok(&status) && !options->test)
        go(&search, situation);
    if (rh_is_ok(&status)) {
        struct rh_solver_counts counts = rh_solver_counts(sym.solver);
        result->queries = counts.queries;
        result->queries_unknown = counts.unknown;
    }
    rh__sym_situation_free(situation);
    rh__sym_object_release(message);
    rh__sym_fini(&sym);
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
    struct rh_status status = rh__sym_init(&sym, module, &options, &result);
    if (rh_is_ok(&status) && behaviour)
        status = find_behaviour(&sym, &found);
    for (uint32_t i = 0; rh_is_ok(&status) && i < sym.behaviours.count; i++)
        if (!behaviour || i == found)
            add_pairs(&sym, message, i, pairs);
    if (rh_is_ok(&status) && pairs->items.count == 0)
        status =
            rh_bad_input("no behaviour of the program takes %s", message ? message : "a message");
    rh__sym_fini(&sym);
    pairs->arena = result.arena;
    return status;
}

void rh_generate_pairs_fini(struct rh_generate_pairs *pairs)
{
    rh_vector_fini(&pairs->items);
    rh_arena_fini(&pairs->arena);
}
