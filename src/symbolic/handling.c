// SPDX-License-Identifier: MIT
// What a handler does with one type of message, by looking at its code and not at its values: which
// bytes of the state it may read and write, and what it may send. Blocks that only other types of
// messages reach are left out. Where the code does not tell, everything counts.
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

enum { DEPTH_MOST = 8 };

// Where the value of an address comes from.
enum origin {
    ELSEWHERE,  // not looked at yet, or no address
    STATE,      // the state, at `offset`
    STATE_SOME, // the state, at an unknown offset
    OWN,        // locals, payloads and constants: nothing that outlives the delivery
    ANYWHERE,
};

struct known {
    enum origin origin;
    uint64_t offset;
    bool is_null, is_payload; // of what rh_as gives: known to be null, or not
    int8_t truth;             // of a comparison: 0 or 1; -1: not known
};

struct look {
    struct rh__sym *sym;
    struct rh__sym_handling *handling;
    const struct rh_ir_function *function;
    struct known *known; // by value
    bool *is_reached;    // by block
    int depth;
};

static void look_at_function(struct rh__sym *sym, struct rh__sym_handling *handling,
                             const struct rh_ir_function *function, const struct known *parameters,
                             int depth);

static struct known known_of(const struct look *look, struct rh_ir_ref ref)
{
    if (ref.is_constant)
        return (struct known){.origin = OWN, .truth = -1};
    return look->known[ref.index];
}

static void add_range(struct rh__sym_ranges *ranges, uint64_t offset, uint64_t size)
{
    for (size_t i = 0; i < ranges->items.count; i++)
        if (ranges->items.items[i].offset == offset && ranges->items.items[i].size == size)
            return;
    *rh_vector_push(&ranges->items) = (struct rh__sym_range){offset, size};
}

static void access(struct look *look, struct rh_ir_ref address, uint64_t size, bool writes)
{
    struct known known = known_of(look, address);
    struct rh__sym_ranges *ranges = writes ? &look->handling->writes : &look->handling->reads;
    if (known.origin == STATE && size)
        add_range(ranges, known.offset, size);
    else if (known.origin != OWN)
        ranges->is_all = true;
}

static void anything(struct look *look)
{
    look->handling->reads.is_all = look->handling->writes.is_all = true;
}

static struct known address_of(const struct look *look, const struct rh_ir_instruction *it)
{
    struct known base = known_of(look, it->operands[0]);
    struct known known = {.origin = base.origin, .truth = -1};
    known.offset = base.offset + (uint64_t)it->offset;
    if (it->step_count && base.origin == STATE)
        known.origin = STATE_SOME;
    return known;
}

// A value that is one of several: what they have in common.
static struct known joined(const struct look *look, const struct rh_ir_ref *operands,
                           uint32_t count)
{
    struct known known = {.truth = -1};
    for (uint32_t i = 0; i < count; i++) {
        struct known each = known_of(look, operands[i]);
        if (each.origin == ELSEWHERE)
            continue; // a value of a round that comes later: looked at again then
        if (known.origin == ELSEWHERE)
            known.origin = each.origin, known.offset = each.offset;
        else if (known.origin != each.origin || known.offset != each.offset)
            known.origin = known.origin == OWN && each.origin == OWN ? OWN : ANYWHERE;
    }
    return known;
}

static const char *type_name(const struct look *look, struct rh_ir_ref type)
{
    struct rh__sym *sym = look->sym;
    if (!type.is_constant)
        return NULL;
    const struct rh_ir_constant *constant = &sym->module->constants.items[type.index];
    const struct rh__sym_object *object =
        constant->kind == RH_IR_VARIABLE ? rh__sym_global(sym, (uint32_t)constant->number) : NULL;
    bool is_unset = false;
    struct rh__sym_situation nothing = {0};
    return object && object->size == 16
               ? rh__sym_text(sym, &nothing, rh__sym_object_read(sym, object, 0, 8, &is_unset))
               : NULL;
}

static void sends(struct look *look, struct rh_ir_ref type)
{
    const char *name = type_name(look, type);
    if (!name) {
        look->handling->sends_anything = true;
        return;
    }
    uint32_t index = rh__sym_type_named(look->sym, name, 0);
    for (size_t i = 0; i < look->handling->sends.count; i++)
        if (look->handling->sends.items[i] == index)
            return;
    *rh_vector_push(&look->handling->sends) = index;
}

static void reads_bytes(struct look *look, const struct rh_ir_instruction *call, uint32_t address,
                        uint32_t size, bool writes)
{
    int64_t bytes = 0;
    rh_ir_number(look->sym->module, call->operands[size], &bytes);
    access(look, call->operands[address], bytes > 0 ? (uint64_t)bytes : 0, writes);
}

static struct known take(struct look *look, const struct rh_ir_instruction *call)
{
    const char *name = type_name(look, call->operands[1]);
    struct known known = {.origin = OWN, .truth = -1};
    if (!name)
        return known;
    known.is_payload = !strcmp(name, look->sym->types.items[look->handling->type].name);
    known.is_null = !known.is_payload;
    look->handling->is_taken = look->handling->is_taken || known.is_payload;
    return known;
}

// Operations of actor.h. Gives false if the name is none of them.
static bool operation(struct look *look, const char *name, const struct rh_ir_instruction *call,
                      struct known *known)
{
    *known = (struct known){.origin = OWN, .truth = -1};
    if (!strcmp(name, "rh__as")) {
        *known = take(look, call);
    } else if (!strcmp(name, "rh__send") || !strcmp(name, "rh__reply")) {
        sends(look, call->operands[1]);
        reads_bytes(look, call, 2, 3, false);
    } else if (!strcmp(name, "rh__after")) {
        // A timer may hold back others: its receiver's deliveries depend on it.
        sends(look, call->operands[2]);
        anything(look);
    } else if (!strcmp(name, "rh__ask")) {
        sends(look, call->operands[1]);
        anything(look);
        look->handling->asks = true;
    } else if (!strcmp(name, "rh__spawn")) {
        reads_bytes(look, call, 3, 4, false);
    } else if (!strcmp(name, "rh__spawn_at")) {
        reads_bytes(look, call, 2, 3, false);
    } else if (!strcmp(name, "rh_ignore")) {
        look->handling->is_ignored = true;
    } else if (!strcmp(name, "rh__stop")) {
        // What rh_at_stop was given runs then.
        anything(look);
        look->handling->sends_anything |= look->sym->uses_at_stop;
    } else if (!strcmp(name, "rh__become") || !strcmp(name, "rh__give") ||
               !strcmp(name, "rh_at_stop")) {
        anything(look);
        look->handling->becomes |= !strcmp(name, "rh__become");
    } else if (strncmp(name, "rh_", 3) != 0) {
        return false;
    }
    return true;
}

// Whether a call may change more than its own: it gets the address of something else.
static bool reaches_out(const struct look *look, const struct rh_ir_instruction *call)
{
    for (uint32_t i = 0; i + 1 < call->operand_count; i++) {
        struct rh_ir_ref operand = call->operands[i];
        uint32_t type = rh_ir_ref_type(look->sym->module, look->function, operand);
        bool is_pointer = rh_ir_type_of(look->sym->module, type)->kind == RH_IR_POINTER;
        enum origin origin = known_of(look, operand).origin;
        if (is_pointer && origin != OWN && origin != ELSEWHERE)
            return true;
    }
    return false;
}

// Whether a call gets a function that it may call.
static bool calls_back(const struct look *look, const struct rh_ir_instruction *call)
{
    for (uint32_t i = 0; i + 1 < call->operand_count; i++)
        if (call->operands[i].is_constant &&
            look->sym->module->constants.items[call->operands[i].index].kind == RH_IR_FUNCTION)
            return true;
    return false;
}

static void library(struct look *look, const char *name, const struct rh_ir_instruction *call)
{
    if (!strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.dbg.", 9))
        return;
    if (!strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13) ||
        !strcmp(name, "memcpy") || !strcmp(name, "memmove")) {
        reads_bytes(look, call, 1, 2, false);
        reads_bytes(look, call, 0, 2, true);
    } else if (!strncmp(name, "llvm.memset.", 12) || !strcmp(name, "memset")) {
        reads_bytes(look, call, 0, 2, true);
    } else if (!strcmp(name, "free") || reaches_out(look, call)) {
        anything(look);
    }
    if (calls_back(look, call)) {
        anything(look);
        look->handling->sends_anything = true;
    }
}

static struct known called(struct look *look, const struct rh_ir_instruction *call)
{
    struct known known = {.origin = ANYWHERE, .truth = -1};
    const struct rh_ir_function *callee = rh_ir_callee(look->sym->module, call);
    if (!callee || look->depth > DEPTH_MOST) {
        anything(look);
        look->handling->sends_anything = look->handling->is_near = true;
        return known;
    }
    if (operation(look, callee->name, call, &known))
        return known;
    known = (struct known){.origin = ANYWHERE, .truth = -1};
    if (!callee->block_count) {
        library(look, callee->name, call);
        return known;
    }
    struct known *parameters =
        rh_alloc(callee->parameter_count * sizeof *parameters + sizeof *parameters);
    for (uint32_t i = 0; i < callee->parameter_count && i + 1 < call->operand_count; i++)
        parameters[i] = known_of(look, call->operands[i]);
    look_at_function(look->sym, look->handling, callee, parameters, look->depth + 1);
    free(parameters);
    return known;
}

static bool is_null_constant(const struct look *look, struct rh_ir_ref ref)
{
    return ref.is_constant && look->sym->module->constants.items[ref.index].kind == RH_IR_ZERO;
}

static struct known compared(const struct look *look, const struct rh_ir_instruction *it)
{
    struct known a = known_of(look, it->operands[0]), known = {.origin = OWN, .truth = -1};
    if (!is_null_constant(look, it->operands[1]) || (!a.is_null && !a.is_payload))
        return known;
    if (it->predicate == RH_IR_EQUAL)
        known.truth = a.is_null;
    else if (it->predicate == RH_IR_NOT_EQUAL)
        known.truth = !a.is_null;
    return known;
}

static struct known look_at(struct look *look, const struct rh_ir_instruction *it)
{
    struct known own = {.origin = OWN, .truth = -1};
    switch (it->opcode) {
    case RH_IR_LOAD:
        access(look, it->operands[0], rh_ir_size_of(look->sym->module, it->accessed), false);
        own.origin = ANYWHERE;
        return own;
    case RH_IR_STORE: {
        access(look, it->operands[1], rh_ir_size_of(look->sym->module, it->accessed), true);
        // The state's address in memory: what is done with it is not followed.
        enum origin origin = known_of(look, it->operands[0]).origin;
        if (origin == STATE || origin == STATE_SOME)
            anything(look);
        return own;
    }
    case RH_IR_EXCHANGE:
    case RH_IR_COMPARE_EXCHANGE:
    case RH_IR_UNSUPPORTED:
        anything(look);
        return own;
    case RH_IR_ADDRESS:
        return address_of(look, it);
    case RH_IR_PHI:
        return joined(look, it->operands, it->operand_count);
    case RH_IR_SELECT:
        return joined(look, it->operands + 1, 2);
    case RH_IR_REINTERPRET:
    case RH_IR_FREEZE:
        return known_of(look, it->operands[0]);
    case RH_IR_TO_ADDRESS:
    case RH_IR_EXTRACT:
        own.origin = ANYWHERE;
        return own;
    case RH_IR_COMPARE:
        return compared(look, it);
    case RH_IR_CALL:
        return called(look, it);
    default:
        return own;
    }
}

static void reach(struct look *look, uint32_t block)
{
    if (look->is_reached[block])
        return;
    look->is_reached[block] = true;
    const struct rh_ir_block *it = &look->function->blocks[block];
    const bool *marks = look->sym->marks
                            ? look->sym->marks[look->function - look->sym->module->functions.items]
                            : NULL;
    for (uint32_t i = it->first; marks && i < it->first + it->count; i++)
        look->handling->is_near = look->handling->is_near || marks[i];
    for (uint32_t i = it->first; i < it->first + it->count; i++)
        look->known[look->function->parameter_count + i] =
            look_at(look, &look->function->instructions[i]);
    const struct rh_ir_instruction *last = &look->function->instructions[it->first + it->count - 1];
    int8_t truth = last->opcode == RH_IR_BRANCH && last->operand_count
                       ? known_of(look, last->operands[0]).truth
                       : -1;
    if (last->operand_count && last->operands[0].is_constant)
        truth = -1;
    for (uint32_t i = 0; i < last->block_count; i++)
        if (truth < 0 || (truth == 1) == (i == 0))
            reach(look, last->blocks[i]);
}

static void look_at_function(struct rh__sym *sym, struct rh__sym_handling *handling,
                             const struct rh_ir_function *function, const struct known *parameters,
                             int depth)
{
    uint32_t count = function->parameter_count + function->instruction_count;
    struct look look = {sym,
                        handling,
                        function,
                        rh_alloc((count + 1) * sizeof(struct known)),
                        rh_alloc(function->block_count + 1),
                        depth};
    memcpy(look.known, parameters, function->parameter_count * sizeof *parameters);
    // The second time, phis know what comes round.
    for (int i = 0; i < 2 && function->block_count; i++) {
        memset(look.is_reached, 0, function->block_count);
        reach(&look, 0);
    }
    free(look.known);
    free(look.is_reached);
}

// Whether a function calls rh_ask, itself or through others.
static bool asks(const struct rh__sym *sym, const struct rh_ir_function *function, int depth)
{
    for (uint32_t i = 0; i < function->instruction_count; i++) {
        const struct rh_ir_instruction *each = &function->instructions[i];
        if (each->opcode != RH_IR_CALL)
            continue;
        const struct rh_ir_function *callee = rh_ir_callee(sym->module, each);
        if (!callee || depth > DEPTH_MOST || !strcmp(callee->name, "rh__ask") ||
            asks(sym, callee, depth + 1))
            return true;
    }
    return false;
}

// What happens after an ask happens when another message comes, and what a guard says depends on
// the whole state: then everything counts.
static bool is_beyond(const struct rh__sym *sym, const struct rh_ir_function *function)
{
    for (size_t i = 0; i < sym->behaviours.count; i++)
        if (&sym->module->functions.items[sym->behaviours.items[i].function] == function &&
            sym->behaviours.items[i].guard != RH_NONE)
            return true;
    return asks(sym, function, 0);
}

struct rh__sym_handling *rh__sym_handling_of(struct rh__sym *sym, uint32_t behaviour, uint32_t type)
{
    for (size_t i = 0; i < sym->handlings.count; i++)
        if (sym->handlings.items[i]->behaviour == behaviour &&
            sym->handlings.items[i]->type == type)
            return sym->handlings.items[i];
    struct rh__sym_handling *handling = rh_arena_take(&sym->arena, sizeof *handling);
    handling->behaviour = behaviour;
    handling->type = type;
    *rh_vector_push(&sym->handlings) = handling;
    struct known parameters[3] = {
        {.origin = OWN, .truth = -1}, {.origin = STATE, .truth = -1}, {.origin = OWN, .truth = -1}};
    const struct rh_ir_function *function = &sym->module->functions.items[behaviour];
    if (function->parameter_count == 3)
        look_at_function(sym, handling, function, parameters, 0);
    if (is_beyond(sym, function))
        handling->reads.is_all = handling->writes.is_all = handling->sends_anything = true;
    return handling;
}

// --- Questions. ---

static bool overlap(const struct rh__sym_ranges *a, const struct rh__sym_ranges *b)
{
    if (a->is_all)
        return b->is_all || b->items.count;
    if (b->is_all)
        return a->items.count;
    for (size_t i = 0; i < a->items.count; i++)
        for (size_t k = 0; k < b->items.count; k++)
            if (a->items.items[i].offset < b->items.items[k].offset + b->items.items[k].size &&
                b->items.items[k].offset < a->items.items[i].offset + a->items.items[i].size)
                return true;
    return false;
}

bool rh__sym_writes_to(const struct rh__sym_handling *a, const struct rh__sym_handling *b)
{
    return overlap(&a->writes, &b->reads);
}

bool rh__sym_are_independent(const struct rh__sym *sym, const struct rh__sym_handling *a,
                             const struct rh__sym_handling *b)
{
    // Where messages keep their order, what two handlers send is ordered too.
    bool both_send = (a->sends_anything || a->sends.count) && (b->sends_anything || b->sends.count);
    if (sym->options->keeps_order && both_send)
        return false;
    // One that writes anything may also become another behaviour, stop or wait: then it matters to
    // all others, even to those that look at nothing.
    if (a->writes.is_all || b->writes.is_all)
        return false;
    return !overlap(&a->writes, &b->reads) && !overlap(&a->writes, &b->writes) &&
           !overlap(&a->reads, &b->writes);
}

// Follows what is sent because of a handling, by every behaviour that takes it.
static void follow(struct rh__sym *sym, const struct rh__sym_handling *handling, bool *chain)
{
    for (uint32_t type = 0; type < sym->types.count; type++) {
        bool is_sent = handling->sends_anything;
        for (size_t i = 0; i < handling->sends.count; i++)
            is_sent = is_sent || handling->sends.items[i] == type;
        if (!is_sent || chain[type])
            continue;
        chain[type] = true;
        for (uint32_t i = 0; i < sym->behaviours.count; i++) {
            const struct rh__sym_handling *next =
                rh__sym_handling_of(sym, sym->behaviours.items[i].function, type);
            if (next->is_taken)
                follow(sym, next, chain);
        }
    }
}

const bool *rh__sym_chain_of(struct rh__sym *sym, struct rh__sym_handling *handling)
{
    if (!handling->has_chain) {
        handling->chain = rh_arena_take(&sym->arena, sym->types.count + 1);
        follow(sym, handling, handling->chain);
        handling->has_chain = true;
    }
    return handling->chain;
}
