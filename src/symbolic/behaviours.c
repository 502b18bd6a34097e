// SPDX-License-Identifier: MIT
// Which behaviours and types of messages a program has: what it spawns, and what it says of states.
#include <string.h>

#include "symbolic/internal.h"

static const char suffix[] = "_behaviour";
static const char struct_word[] = "struct ";

static const char *short_name(struct rh__sym *sym, const char *name)
{
    size_t length = strlen(name), end = sizeof suffix - 1;
    if (length > end && !strcmp(name + length - end, suffix))
        length -= end;
    return rh_arena_text(&sym->arena, name, length);
}

// --- What a call of rh__spawn says of the state. ---

const char *rh__sym_name_in_global(struct rh__sym *sym, struct rh_ir_ref value)
{
    if (!value.is_constant)
        return NULL;
    const struct rh_ir_constant *constant = &sym->module->constants.items[value.index];
    if (constant->kind != RH_IR_VARIABLE)
        return NULL;
    const struct rh__sym_object *object = rh__sym_global(sym, (uint32_t)constant->number);
    bool is_unset = false;
    if (!object || object->size < 8)
        return NULL;
    struct rh__sym_situation nothing = {0};
    return rh__sym_text(sym, &nothing, rh__sym_object_read(sym, object, 0, 8, &is_unset));
}

static bool is_same(struct rh_ir_ref a, struct rh_ir_ref b)
{
    return a.is_constant == b.is_constant && a.index == b.index;
}

// The variable that an address is the beginning of.
static struct rh_ir_ref beginning_of(const struct rh_ir_function *function, struct rh_ir_ref ref)
{
    const struct rh_ir_instruction *each = rh_ir_definition(function, ref);
    bool is_beginning =
        each && each->opcode == RH_IR_ADDRESS && each->offset == 0 && each->step_count == 0;
    return is_beginning ? each->operands[0] : ref;
}

// The name that is put into a local struct rh_type before the call.
static const char *name_in_local(struct rh__sym *sym, const struct rh_ir_function *function,
                                 struct rh_ir_ref local)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        if (each->opcode == RH_IR_STORE &&
            is_same(beginning_of(function, each->operands[1]), local)) {
            const char *text = rh_ir_text(sym->module, each->operands[0]);
            if (text)
                return text;
        }
        const struct rh_ir_function *callee =
            each->opcode == RH_IR_CALL ? rh_ir_callee(sym->module, each) : NULL;
        if (callee && !strncmp(callee->name, "llvm.memcpy.", 12) &&
            is_same(each->operands[0], local))
            return rh__sym_name_in_global(sym, each->operands[1]);
    }
    return NULL;
}

// The struct that lies at an address: a local or a global variable.
static const char *name_of_struct(const struct rh__sym *sym, const struct rh_ir_function *function,
                                  struct rh_ir_ref ref)
{
    ref = beginning_of(function, ref);
    const struct rh_ir_instruction *local = rh_ir_definition(function, ref);
    uint32_t type = RH_NONE;
    if (local && local->opcode == RH_IR_ALLOCATE)
        type = local->accessed;
    if (ref.is_constant && sym->module->constants.items[ref.index].kind == RH_IR_VARIABLE)
        type = sym->module->globals.items[sym->module->constants.items[ref.index].number].type;
    return type == RH_NONE ? NULL : rh_ir_type_of(sym->module, type)->name;
}

uint32_t rh__sym_behaviour_of(const struct rh__sym *sym, uint32_t function)
{
    for (uint32_t i = 0; i < sym->behaviours.count; i++)
        if (sym->behaviours.items[i].function == function)
            return i;
    return RH_NONE;
}

static uint32_t find_behaviour(struct rh__sym *sym, uint32_t function)
{
    uint32_t known = rh__sym_behaviour_of(sym, function);
    if (known != RH_NONE)
        return known;
    *rh_vector_push(&sym->behaviours) = (struct rh__sym_behaviour){
        .function = function,
        .guard = RH_NONE,
        .name = short_name(sym, sym->module->functions.items[function].source_name)};
    return (uint32_t)sym->behaviours.count - 1;
}

static void read_spawn(struct rh__sym *sym, const struct rh_ir_function *function,
                       const struct rh_ir_instruction *call)
{
    int64_t size = 0;
    if (!call->operands[0].is_constant)
        return;
    const struct rh_ir_constant *callee = &sym->module->constants.items[call->operands[0].index];
    if (callee->kind != RH_IR_FUNCTION)
        return;
    uint32_t index = find_behaviour(sym, (uint32_t)callee->number);
    struct rh__sym_behaviour *behaviour = &sym->behaviours.items[index];
    if (!rh_ir_number(sym->module, call->operands[4], &size) || size <= 0)
        return;
    const char *name = rh__sym_name_in_global(sym, call->operands[2]);
    if (!name && !call->operands[2].is_constant)
        name = name_in_local(sym, function, call->operands[2]);
    if (!name)
        name = name_of_struct(sym, function, call->operands[3]);
    if (!name)
        return;
    size_t skip = !strncmp(name, struct_word, sizeof struct_word - 1) ? sizeof struct_word - 1 : 0;
    behaviour->record = rh_arena_text(&sym->arena, name + skip, strlen(name + skip));
    behaviour->state_size = (uint64_t)size;
}

static void read_call(struct rh__sym *sym, const struct rh_ir_function *function,
                      const struct rh_ir_instruction *call)
{
    const struct rh_ir_function *callee = rh_ir_callee(sym->module, call);
    if (!callee)
        return;
    if (!strcmp(callee->name, "rh__spawn") && call->operand_count == 8)
        read_spawn(sym, function, call);
    if (!strcmp(callee->name, "rh_sender") || !strcmp(callee->name, "rh__reply"))
        sym->uses_senders = true;
    if (!strcmp(callee->name, "rh__become"))
        sym->uses_become = true;
    if (!strcmp(callee->name, "rh_at_stop"))
        sym->uses_at_stop = true;
}

// The guards that the program declares: {behaviour, guard}.
static void read_guard(struct rh__sym *sym, const struct rh_ir_global *global)
{
    if (strncmp(global->name, "rh__guard_", 10) != 0 || global->initial == RH_NONE)
        return;
    const struct rh_ir_constant *entry = &sym->module->constants.items[global->initial];
    if (entry->kind != RH_IR_ELEMENTS || entry->operand_count != 2)
        return;
    const struct rh_ir_constant *first = &sym->module->constants.items[entry->operands[0]];
    const struct rh_ir_constant *second = &sym->module->constants.items[entry->operands[1]];
    if (first->kind != RH_IR_FUNCTION || second->kind != RH_IR_FUNCTION)
        return;
    uint32_t index = find_behaviour(sym, (uint32_t)first->number);
    sym->behaviours.items[index].guard = (uint32_t)second->number;
}

void rh__sym_behaviours_find(struct rh__sym *sym)
{
    for (size_t i = 0; i < sym->module->functions.count; i++) {
        const struct rh_ir_function *function = &sym->module->functions.items[i];
        for (uint32_t k = 0; k < function->instruction_count; k++)
            if (function->instructions[k].opcode == RH_IR_CALL)
                read_call(sym, function, &function->instructions[k]);
    }
    for (size_t i = 0; i < sym->module->globals.count; i++)
        read_guard(sym, &sym->module->globals.items[i]);
}

// Types of messages are constants of their own: rh__type_NAME = {name, size}.
void rh__sym_types_find(struct rh__sym *sym)
{
    struct rh__sym_situation nothing = {0};
    for (uint32_t i = 0; i < sym->module->globals.count; i++) {
        const char *name = sym->module->globals.items[i].name;
        const struct rh__sym_object *object =
            !strncmp(name, "rh__type_", 9) ? rh__sym_global(sym, i) : NULL;
        if (!object || object->size != 16)
            continue;
        bool is_unset = false;
        uint64_t size = 0;
        const char *text =
            rh__sym_text(sym, &nothing, rh__sym_object_read(sym, object, 0, 8, &is_unset));
        rh__sym_number(sym, &nothing, rh__sym_object_read(sym, object, 8, 8, &is_unset), &size);
        if (!text)
            continue;
        uint32_t type = rh__sym_type_named(sym, text, size);
        rh__sym_number(sym, &nothing, rh__sym_object_read(sym, object, 0, 8, &is_unset),
                       &sym->types.items[type].text);
    }
}

void rh__sym_become_initial(struct rh__sym *sym, struct rh__sym_situation *situation,
                            uint32_t actor, uint32_t behaviour)
{
    const struct rh__sym_behaviour *it = &sym->behaviours.items[behaviour];
    struct rh__sym_actor *made = &situation->actors.items[actor];
    made->behaviour = it->function;
    made->record = it->record;
    made->spawned_as = sym->module->functions.items[it->function].source_name;
    rh__sym_name_actor(sym, situation, actor);
    if (it->state_size) {
        // Variables are named once for each actor of a name, whatever the path.
        uint32_t object = rh__sym_unknown_object(sym, situation, it->record, it->state_size,
                                                 actor == 0 ? it->name : made->name,
                                                 (struct rh__sym_owner){it->function, NULL});
        made = &situation->actors.items[actor];
        made->state = object;
        made->initial = situation->objects.items[object];
        made->initial->references++;
    }
}
