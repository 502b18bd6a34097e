// SPDX-License-Identifier: MIT
// Whether anything leads to the place by who creates whom and who sends what, whatever the values
// are: from the actors and messages that a test's body has left, and from what the outside may
// send. A message may go to every actor that there may be, so that this says too much, and never
// too little.
#include <string.h>

#include "symbolic/forward.h"

enum { BEHAVIOUR_PARAMETERS = 3 };

struct ways {
    struct rh__sym *sym;
    const struct rh__sym_target *target;
    bool *is_called;    // functions that may run
    bool *is_there;     // by behaviour: an actor may have it
    bool *is_sent;      // by type: an actor may send it
    bool *comes;        // by behaviour and type: such a message may be delivered
    bool *is_looked_at; // constants
    bool is_unknown;    // an actor may have a behaviour of which nothing is known
    bool is_changed;
};

static bool *take_bools(struct rh__sym *sym, size_t count)
{
    return rh_arena_take(&sym->arena, count * sizeof(bool) + 1);
}

static void note(struct ways *ways, bool *fact)
{
    ways->is_changed = ways->is_changed || !*fact;
    *fact = true;
}

// --- Code that may run, and behaviours whose address it has. ---

static void run_function(struct ways *ways, uint32_t index);

static void look_at_constant(struct ways *ways, uint32_t index)
{
    const struct rh_ir_module *module = ways->sym->module;
    const struct rh_ir_constant *constant = &module->constants.items[index];
    if (ways->is_looked_at[index])
        return;
    ways->is_looked_at[index] = true;
    if (constant->kind == RH_IR_FUNCTION) {
        uint32_t behaviour = rh__sym_behaviour_of(ways->sym, (uint32_t)constant->number);
        if (behaviour != RH_NONE)
            note(ways, &ways->is_there[behaviour]);
        else if (module->functions.items[constant->number].parameter_count == BEHAVIOUR_PARAMETERS)
            ways->is_unknown = true;
        run_function(ways, (uint32_t)constant->number);
    }
    if (constant->kind == RH_IR_VARIABLE &&
        module->globals.items[constant->number].initial != RH_NONE)
        look_at_constant(ways, module->globals.items[constant->number].initial);
    for (uint32_t i = 0; i < constant->operand_count; i++)
        look_at_constant(ways, constant->operands[i]);
}

static void run_function(struct ways *ways, uint32_t index)
{
    const struct rh_ir_function *function = &ways->sym->module->functions.items[index];
    if (ways->is_called[index])
        return;
    ways->is_called[index] = true;
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        const struct rh_ir_function *callee =
            each->opcode == RH_IR_CALL ? rh_ir_callee(ways->sym->module, each) : NULL;
        if (callee)
            run_function(ways, (uint32_t)(callee - ways->sym->module->functions.items));
        // The callee is the last operand.
        for (uint32_t k = 0; k + (callee != NULL) < each->operand_count; k++)
            if (each->operands[k].is_constant)
                look_at_constant(ways, each->operands[k].index);
    }
}

// --- Messages. ---

static bool *comes(struct ways *ways, uint32_t behaviour, uint32_t type)
{
    return &ways->comes[behaviour * ways->sym->types.count + type];
}

static void begin_with(struct ways *ways, const struct rh__sym_situation *situation, bool may_write)
{
    for (size_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *actor = &situation->actors.items[i];
        uint32_t behaviour = rh__sym_behaviour_of(ways->sym, actor->behaviour);
        if (actor->is_outside)
            continue;
        if (behaviour == RH_NONE) {
            ways->is_unknown = true;
            continue;
        }
        note(ways, &ways->is_there[behaviour]);
        for (uint32_t type = 0; type < ways->sym->types.count; type++)
            if (may_write && rh__sym_may_be_sent(situation, i, type))
                note(ways, comes(ways, behaviour, type));
    }
    for (size_t i = 0; i < situation->pending.count && !ways->is_unknown; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        uint32_t behaviour =
            rh__sym_behaviour_of(ways->sym, situation->actors.items[message->receiver].behaviour);
        note(ways, comes(ways, behaviour, message->type));
    }
}

// What comes of such a delivery.
static void follow(struct ways *ways, uint32_t behaviour, uint32_t type)
{
    struct rh__sym *sym = ways->sym;
    uint32_t function = sym->behaviours.items[behaviour].function;
    const struct rh__sym_handling *handling = rh__sym_handling_of(sym, function, type);
    run_function(ways, function);
    for (uint32_t i = 0; i < sym->types.count && handling->sends_anything; i++)
        note(ways, &ways->is_sent[i]);
    for (size_t i = 0; i < handling->sends.count; i++)
        note(ways, &ways->is_sent[handling->sends.items[i]]);
}

static void widen(struct ways *ways)
{
    struct rh__sym *sym = ways->sym;
    ways->is_changed = false;
    for (uint32_t b = 0; b < sym->behaviours.count; b++)
        for (uint32_t t = 0; t < sym->types.count; t++) {
            if (ways->is_there[b] && ways->is_sent[t])
                note(ways, comes(ways, b, t));
            if (*comes(ways, b, t))
                follow(ways, b, t);
        }
}

// Handlers name types that are not known before they are looked at.
static void look_at_handlers(struct rh__sym *sym)
{
    size_t known;
    do {
        known = sym->types.count;
        for (uint32_t b = 0; b < sym->behaviours.count; b++)
            for (uint32_t t = 0; t < known; t++)
                rh__sym_handling_of(sym, sym->behaviours.items[b].function, t);
    } while (sym->types.count > known);
}

// --- The answer. ---

static void add_article(struct rh_text *text, const char *name)
{
    rh_text_addf(text, "%s %s", strchr("aeiouAEIOU", *name) ? "an" : "a", name);
}

// What is missing: the actor, or what it would have to get.
static void say(struct rh__sym_forward *search, struct ways *ways,
                const struct rh__sym_handling *handling)
{
    struct rh__sym *sym = ways->sym;
    uint32_t behaviour = rh__sym_behaviour_of(sym, handling->behaviour);
    const char *name = sym->behaviours.items[behaviour].name;
    struct rh_text text = {0};
    if (!ways->is_there[behaviour]) {
        rh_text_add(&text, "nothing creates ");
        add_article(&text, name);
    } else {
        rh_text_addf(&text, "nothing sends %s to ", sym->types.items[handling->type].name);
        add_article(&text, name);
    }
    if (!search->why_not.length || !strstr(rh_text_get(&search->why_not), rh_text_get(&text)))
        rh_text_addf(&search->why_not, "%s%s", search->why_not.length ? ", and " : "",
                     rh_text_get(&text));
    rh_text_fini(&text);
}

static bool leads_there(struct rh__sym_forward *search, struct ways *ways)
{
    enum { SAID_MOST = 3 };
    uint32_t said = 0;
    const struct rh__sym_target *target = search->target;
    for (size_t i = 0; i < target->pairs.count; i++) {
        const struct rh__sym_pair *pair = &target->pairs.items[i];
        uint32_t behaviour = rh__sym_behaviour_of(ways->sym, pair->handling->behaviour);
        if (pair->distance == 0 && *comes(ways, behaviour, pair->handling->type))
            return true;
    }
    for (size_t i = 0; i < target->pairs.count && said < SAID_MOST; i++)
        if (target->pairs.items[i].distance == 0 && ++said)
            say(search, ways, target->pairs.items[i].handling);
    return false;
}

// With what the outside may send, or without.
static bool has_way(struct rh__sym_forward *search, uint32_t body,
                    const struct rh__sym_situations *begun, bool may_write)
{
    struct rh__sym *sym = search->sym;
    struct ways ways = {
        .sym = sym,
        .target = search->target,
        .is_called = take_bools(sym, sym->module->functions.count),
        .is_there = take_bools(sym, sym->behaviours.count),
        .is_sent = take_bools(sym, sym->types.count),
        .comes = take_bools(sym, sym->behaviours.count * sym->types.count),
        .is_looked_at = take_bools(sym, sym->module->constants.count),
    };
    run_function(&ways, body);
    for (size_t i = 0; i < begun->count; i++)
        begin_with(&ways, begun->items[i], may_write);
    do
        widen(&ways);
    while (ways.is_changed);
    search->has_unknown = search->has_unknown || ways.is_unknown;
    search->comes = ways.is_unknown ? NULL : ways.comes;
    search->type_count = sym->types.count;
    return ways.is_unknown || leads_there(search, &ways);
}

void rh__sym_find_way(struct rh__sym_forward *search, uint32_t body,
                      const struct rh__sym_situations *begun)
{
    search->has_way = true;
    search->needs_outside = search->options->messages_most == 0;
    if (!search->target->is_in_handlers || search->sym->uses_at_stop)
        return;
    look_at_handlers(search->sym);
    search->has_way = has_way(search, body, begun, true);
    if (!search->has_way)
        search->needs_outside = false;
    else if (search->needs_outside)
        search->has_way = has_way(search, body, begun, false);
}
