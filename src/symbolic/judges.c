// SPDX-License-Identifier: MIT
// What a test says must hold, at all times or at the end. A judge is run like a handler, on the
// actors' states and the pending messages as they are; where what it checks depends on what nobody
// knows, both answers are followed.
#include <string.h>

#include "symbolic/internal.h"

void rh__sym_judge_add(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t function,
                       uint32_t context, bool at_end)
{
    sym->has_invariants = sym->has_invariants || !at_end;
    *rh_vector_push(&situation->judges) = (struct rh__sym_judge){function, context, at_end};
}

// The function in a test's entry {test, judge, at end}.
static uint32_t judge_in(const struct rh__sym *sym, const struct rh_ir_global *entry)
{
    const struct rh_ir_constant *fields =
        entry->initial == RH_NONE ? NULL : &sym->module->constants.items[entry->initial];
    if (!fields || fields->kind != RH_IR_ELEMENTS || fields->operand_count < 2)
        return RH_NONE;
    const struct rh_ir_constant *judge = &sym->module->constants.items[fields->operands[1]];
    return judge->kind == RH_IR_FUNCTION ? (uint32_t)judge->number : RH_NONE;
}

uint32_t rh__sym_judge_declared(const struct rh__sym *sym, const struct rh_ir_global *global,
                                const char **test, bool *at_end)
{
    static const char *const kinds[] = {"rh__finally_entry_", "rh__invariant_entry_"};
    for (int k = 0; k < 2; k++) {
        size_t length = strlen(kinds[k]);
        if (strncmp(global->name, kinds[k], length) != 0)
            continue;
        *test = global->name + length;
        *at_end = k == 0;
        return judge_in(sym, global);
    }
    return RH_NONE;
}

void rh__sym_judges_declared(struct rh__sym *sym, struct rh__sym_situation *situation,
                             const char *test)
{
    for (size_t i = 0; i < sym->module->globals.count; i++) {
        const char *of_test;
        bool at_end;
        uint32_t judge =
            rh__sym_judge_declared(sym, &sym->module->globals.items[i], &of_test, &at_end);
        if (judge != RH_NONE && !strcmp(of_test, test))
            rh__sym_judge_add(sym, situation, judge, RH_NONE, at_end);
    }
}

// --- Asking. ---

// The next judge of the kind begins. false: there is none.
static bool start(struct rh__sym *sym, struct rh__sym_situation *situation, bool at_end)
{
    while (situation->next_judge < situation->judges.count) {
        struct rh__sym_judge judge = situation->judges.items[situation->next_judge++];
        const struct rh_ir_function *function = &sym->module->functions.items[judge.function];
        if (judge.at_end != at_end)
            continue;
        rh__sym_value context = rh_term_constant(
            &sym->terms, 64, judge.context == RH_NONE ? 0 : rh__sym_object_address(judge.context));
        situation->end = RH__SYM_RUNS;
        situation->steps = 0;
        if (function->block_count)
            rh__sym_call(sym, situation, function, NULL, &context, 1);
        else
            rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "the judge %s",
                             function->source_name);
        return true;
    }
    return false;
}

static void leave(struct rh__sym_situation *situation, struct rh__sym_situations *outcomes)
{
    situation->is_judging = false;
    *(struct rh__sym_situation **)rh_vector_push(outcomes) = situation;
}

void rh__sym_judge(struct rh__sym *sym, struct rh__sym_situation *situation, bool at_end,
                   struct rh__sym_situations *outcomes)
{
    situation->next_judge = 0;
    situation->is_judging = true;
    if (start(sym, situation, at_end))
        rh__sym_push(sym, situation);
    else
        leave(situation, outcomes);
    while (sym->forked.count) {
        struct rh__sym_situation *next = sym->forked.items[--sym->forked.count];
        if (rh__sym_is_over(sym)) {
            rh__sym_situation_free(next);
            continue;
        }
        rh__sym_run(sym, next);
        if (next->end == RH__SYM_DONE && start(sym, next, at_end)) {
            rh__sym_push(sym, next);
            continue;
        }
        leave(next, outcomes);
    }
}

// --- Looking. ---

// The actor that a judge looks at. false: there is none, or the situation goes on elsewhere.
static bool viewed(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term address,
                   const struct rh__sym_actor **actor)
{
    uint32_t index;
    if (!rh__sym_actor_at(sym, situation, address, &index))
        return false;
    if (index == RH_NONE) {
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "rh_view of NULL");
        return false;
    }
    *actor = &situation->actors.items[index];
    return true;
}

static enum rh__sym_served view_named(struct rh__sym *sym, struct rh__sym_situation *situation,
                                      rh_term text, rh__sym_value *value)
{
    const char *name = rh__sym_text(sym, situation, text);
    uint64_t found = 0;
    if (!name)
        return RH__SYM_NOT_SERVED;
    for (uint32_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *actor = &situation->actors.items[i];
        if (!actor->is_outside && actor->name && !strcmp(actor->name, name))
            found = rh__sym_actor_address(i);
    }
    *value = rh_term_constant(&sym->terms, 64, found);
    return RH__SYM_SERVED;
}

static enum rh__sym_served view_state(struct rh__sym *sym, struct rh__sym_situation *situation,
                                      rh_term address, rh__sym_value *value)
{
    const struct rh__sym_actor *actor;
    if (!viewed(sym, situation, address, &actor))
        return RH__SYM_AGAIN;
    bool has_state = !actor->is_stopped && actor->state != RH_NONE;
    *value =
        rh_term_constant(&sym->terms, 64, has_state ? rh__sym_object_address(actor->state) : 0);
    return RH__SYM_SERVED;
}

static enum rh__sym_served view_alive(struct rh__sym *sym, struct rh__sym_situation *situation,
                                      rh_term address, rh__sym_value *value)
{
    const struct rh__sym_actor *actor;
    if (!viewed(sym, situation, address, &actor))
        return RH__SYM_AGAIN;
    *value = rh_term_truth(&sym->terms, !actor->is_stopped);
    return RH__SYM_SERVED;
}

// Whether judges see the message by its sender and in sending order.
static bool has_place(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                      const struct rh__sym_message *message)
{
    return sym->options->keeps_order &&
           (message->kind == RH__SYM_PLAIN || message->kind == RH__SYM_ASK) &&
           (message->sender == RH_NONE ||
            situation->actors.items[message->sender].parent == RH_NONE ||
            situation->actors.items[message->sender].is_outside);
}

// The messages of a type that wait for an actor, those with a place first.
struct waiting {
    RH_VECTOR(uint32_t) items; // indexes of pending messages
    uint32_t unplaced;
};

// Where senders come: the test itself before all others.
static uint64_t rank(const struct rh__sym_message *message)
{
    return message->sender == RH_NONE ? 0 : message->sender + UINT64_C(1);
}

static void find_waiting(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                         uint32_t actor, uint32_t type, struct waiting *waiting)
{
    for (uint32_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        if (message->receiver != actor || message->type != type)
            continue;
        rh_vector_push(&waiting->items);
        size_t at = waiting->items.count - 1;
        bool is_placed = has_place(sym, situation, message);
        waiting->unplaced += !is_placed;
        for (; at > 0 && is_placed; at--) {
            const struct rh__sym_message *before =
                &situation->pending.items[waiting->items.items[at - 1]];
            if (has_place(sym, situation, before) && rank(before) <= rank(message))
                break;
            waiting->items.items[at] = waiting->items.items[at - 1];
        }
        waiting->items.items[at] = i;
    }
}

static uint64_t payload_address(const struct rh__sym_situation *situation, uint32_t pending)
{
    const struct rh__sym_message *message = &situation->pending.items[pending];
    return message->payload == RH_NONE ? rh__sym_message_address(message->number)
                                       : rh__sym_object_address(message->payload);
}

// rh__view_pending(actor, type, index) and rh__view_count(actor, type)
static enum rh__sym_served view_waiting(struct rh__sym *sym, struct rh__sym_situation *situation,
                                        bool is_count, const rh__sym_value *arguments,
                                        rh__sym_value *value)
{
    uint32_t actor, type;
    uint64_t index = 0, found = 0;
    if (!rh__sym_actor_at(sym, situation, arguments[0], &actor) ||
        !rh__sym_message_type(sym, situation, arguments[1], &type))
        return RH__SYM_AGAIN;
    struct waiting waiting = {0};
    if (actor != RH_NONE)
        find_waiting(sym, situation, actor, type, &waiting);
    bool is_known = is_count || rh__sym_number(sym, situation, arguments[2], &index);
    // Several without a place come in the order of their bytes.
    uint64_t placed = waiting.items.count - waiting.unplaced;
    if (!is_count && index < waiting.items.count && index >= placed && waiting.unplaced > 1)
        is_known = false;
    if (is_count)
        found = waiting.items.count;
    else if (is_known && index < waiting.items.count)
        found = payload_address(situation, waiting.items.items[index]);
    rh_vector_fini(&waiting.items);
    *value = rh_term_constant(&sym->terms, 64, found);
    return is_known ? RH__SYM_SERVED : RH__SYM_NOT_SERVED;
}

enum rh__sym_served rh__sym_view(struct rh__sym *sym, struct rh__sym_situation *situation,
                                 const char *name, const rh__sym_value *arguments,
                                 rh__sym_value *value)
{
    enum rh__sym_served served = RH__SYM_NOT_SERVED;
    if (!strcmp(name, "rh_view_state"))
        return view_state(sym, situation, arguments[0], value);
    if (!strcmp(name, "rh_view_alive"))
        return view_alive(sym, situation, arguments[0], value);
    if (!strcmp(name, "rh_view_named"))
        served = view_named(sym, situation, arguments[0], value);
    else if (!strcmp(name, "rh__view_count") || !strcmp(name, "rh__view_pending"))
        served = view_waiting(sym, situation, name[9] == 'c', arguments, value);
    else
        return RH__SYM_NOT_SERVED;
    if (served == RH__SYM_NOT_SERVED) {
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "what %s would give", name);
        served = RH__SYM_AGAIN;
    }
    return served;
}
