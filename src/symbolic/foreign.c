// SPDX-License-Identifier: MIT
// Calls of functions that are not in the sources, and of which nothing is known: the program makes
// them (result/foreign.h), with the values that the arguments have here. Only these are followed,
// and the test is marked.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

// --- What libc's functions depend on. ---

// What they do to memory is seen when they are called; the rest is known from the list.
enum outside {
    NOTHING,
    ASKS,
    TIME,
    CHANCE,
    THREADS,
    PRINTS,
    CHANGES,
    ENDS,
};
#define CHANGES_AS(name) CHANGES

static const struct {
    const char *name;
    enum outside outside;
} libc[] = {
#define FUNCTION(where, how, name, result, parameters, arguments, outside, ...) {#name, outside},
#include "libc/functions.def"
};

// Constructors may have told a library something, and do not run where calls are made.
static bool has_constructors(const struct rh_ir_module *module)
{
    for (size_t i = 0; i < module->globals.count; i++) {
        const struct rh_ir_global *global = &module->globals.items[i];
        if (!strcmp(global->name, "llvm.global_ctors") ||
            (global->section &&
             (strstr(global->section, "init_array") || strstr(global->section, ".ctors"))))
            return true;
    }
    return false;
}

static bool may_be_called(const char *name)
{
    if (!strncmp(name, "rh_", 3) || !strncmp(name, "llvm.", 5))
        return false;
    for (size_t i = 0; i < sizeof libc / sizeof libc[0]; i++)
        if (!strcmp(libc[i].name, name))
            return libc[i].outside == NOTHING;
    return true;
}

// --- Arguments. ---

// A call as it is put together.
struct draft {
    const struct rh__sym_call *call;
    struct rh_foreign_call *foreign;
    struct rh_text text;                            // "crc(5, "
    uint32_t objects[RH_FOREIGN_ARGUMENTS];         // number; RH_NONE: none
    uint32_t byte_count, integer_count, real_count; // so far
};

static const struct rh_ir_type *type_of(const struct rh__sym_call *call, uint32_t argument)
{
    const struct rh__sym_frame *frame =
        &call->situation->frames.items[call->situation->frames.count - 1];
    const struct rh_ir_instruction *instruction = &frame->function->instructions[frame->next];
    return rh_ir_type_of(call->sym->module, rh_ir_ref_type(call->sym->module, frame->function,
                                                           instruction->operands[argument]));
}

// Whether the term depends on an address that is not decided.
static bool has_unknown_address(struct rh__sym *sym, rh_term term)
{
    struct rh_variable_set set = {0};
    bool has_any = false;
    rh_term_variables(&sym->terms, term, &set);
    for (size_t i = 0; i < set.indexes.count; i++)
        has_any = has_any || sym->unknowns.items[set.indexes.items[i]].is_pointer;
    rh_vector_fini(&set.indexes);
    return has_any;
}

// Whether the term has this value here; where it has another, that is tried, too, if there may be
// more values.
static bool try_value(const struct rh__sym_call *call, rh_term is_value)
{
    struct rh__sym *sym = call->sym;
    struct rh__sym_situation *other = NULL;
    if (call->situation->values_tried + 1 < sym->options->call_values) {
        rh__sym_fork(sym, call->situation, is_value, &other);
        if (!other)
            return true;
        other->values_tried++;
        rh__sym_push(sym, other);
        return true;
    }
    struct rh_text reason = {0};
    rh_text_addf(&reason, "%s of other values than it was called with", call->callee->source_name);
    bool is_fixed = rh__sym_require(sym, call->situation, is_value, RH__SYM_UNKNOWN,
                                    rh_text_get(&reason), false);
    rh_text_fini(&reason);
    return is_fixed;
}

// Goes on with the value that the term has here. Where it has another, the situation ends.
static bool fix(const struct rh__sym_call *call, rh_term term, uint64_t *number)
{
    struct rh__sym *sym = call->sym;
    term = rh__sym_settle(sym, call->situation, term);
    if (rh_term_is_constant(&sym->terms, term, number))
        return true;
    if (has_unknown_address(sym, term)) {
        rh__sym_end_with(sym, call->situation, RH__SYM_UNKNOWN,
                         "the call of %s, whose arguments lead to addresses",
                         call->callee->source_name);
        return false;
    }
    struct rh_assignment values = {call->situation->values.items, call->situation->values.count};
    *number = rh_term_value(&sym->terms, term, values);
    rh_term constant = rh_term_constant(&sym->terms, rh_term_width(&sym->terms, term), *number);
    return try_value(call, rh_term_make2(&sym->terms, RH_TERM_EQUAL, term, constant));
}

static enum rh__sym_served refuse(const struct rh__sym_call *call, const char *why)
{
    rh__sym_end_with(call->sym, call->situation, RH__SYM_UNKNOWN, "the call of %s, %s",
                     call->callee->source_name, why);
    return RH__SYM_AGAIN;
}

// Whether a number leads to anything: such an address has no meaning in the program's process.
static bool is_address(uint64_t number)
{
    return number >= RH__SYM_GLOBALS && number < RH__SYM_MESSAGES + RH__SYM_RANGE;
}

// All bytes of an object, as they are here.
static enum rh__sym_served take_bytes(struct draft *draft, const struct rh__sym_object *object,
                                      struct rh_foreign_argument *argument)
{
    const struct rh__sym_call *call = draft->call;
    if (object->size > RH_FOREIGN_BYTES - draft->byte_count || object->size == 0 || object->is_open)
        return refuse(call, "whose arguments lead to too much");
    argument->kind = RH_FOREIGN_MEMORY;
    argument->first = draft->byte_count;
    argument->size = (uint32_t)object->size;
    draft->byte_count += (uint32_t)object->size;
    memset(draft->foreign->is_unset + argument->first, object->rest == RH__SYM_REST_UNSET,
           argument->size);
    for (uint32_t i = 0; i < object->count; i++) {
        uint64_t number;
        const struct rh__sym_cell cell = object->cells[i];
        if (!fix(call, cell.term, &number))
            return RH__SYM_AGAIN;
        if (cell.size == 8 && is_address(number))
            return refuse(call, "whose arguments lead to addresses");
        for (uint32_t k = 0; k < cell.size; k++) {
            uint32_t at = argument->first + cell.offset + k;
            draft->foreign->bytes[at] = (unsigned char)(number >> 8 * k);
            draft->foreign->is_unset[at] = false;
        }
    }
    return RH__SYM_SERVED;
}

static enum rh__sym_served take_pointer(struct draft *draft, rh_term term, uint32_t index)
{
    const struct rh__sym_call *call = draft->call;
    struct rh_foreign_argument *argument = &draft->foreign->arguments[index];
    struct rh__sym_place place;
    uint64_t offset, number;
    if (!rh__sym_decide(call->sym, call->situation, &term))
        return RH__SYM_AGAIN;
    argument->kind = RH_FOREIGN_INTEGER;
    if (rh_term_is_constant(&call->sym->terms, term, &number) && number == 0) {
        rh_text_add(&draft->text, "NULL");
        return RH__SYM_SERVED;
    }
    if (rh_term_is_constant(&call->sym->terms, term, &number) && number >= RH__SYM_FUNCTIONS &&
        !(number >= RH__SYM_OBJECTS && number < RH__SYM_ACTORS))
        return refuse(call, "whose arguments are functions or actors");
    if (!rh__sym_find_fixed(call->sym, call->situation, term, 0, &place, &offset))
        return RH__SYM_AGAIN;
    const struct rh__sym_object *object = rh__sym_object_at(call->sym, call->situation, &place);
    argument->is_writable = place.object != RH_NONE && !object->is_constant;
    for (uint32_t i = 0; i < index; i++)
        if (draft->objects[i] != RH_NONE && draft->objects[i] == place.object)
            return refuse(call, "whose arguments lead to the same memory");
    draft->objects[index] = place.object;
    argument->offset = (uint32_t)offset;
    rh_text_addf(&draft->text, "%u bytes", (unsigned)object->size);
    return offset > object->size ? refuse(call, "whose argument leads nowhere")
                                 : take_bytes(draft, object, argument);
}

static void add_real(struct rh_text *text, unsigned bits, uint64_t number)
{
    double real;
    float small;
    memcpy(&real, &number, sizeof real);
    memcpy(&small, &number, sizeof small);
    rh_text_addf(text, "%g", bits == 32 ? (double)small : real);
}

// The bits of a number as a register has them. C leaves open how small ones are widened: all
// compilers agree about those that are not negative.
static enum rh__sym_served take_number(struct draft *draft, const struct rh_ir_type *type,
                                       rh_term term, uint32_t index)
{
    struct rh_foreign_argument *argument = &draft->foreign->arguments[index];
    bool is_real = type->kind == RH_IR_REAL;
    if (!fix(draft->call, term, &argument->bits))
        return RH__SYM_AGAIN;
    uint64_t number = argument->bits;
    argument->kind = is_real ? RH_FOREIGN_REAL : RH_FOREIGN_INTEGER;
    if (!is_real && type->bits == 64 && is_address(number))
        return refuse(draft->call, "whose arguments are addresses");
    if (!is_real && type->bits > 1 && type->bits < 32 && number >> (type->bits - 1))
        return refuse(draft->call, "whose argument is a small negative number");
    if (is_real)
        add_real(&draft->text, type->bits, number);
    else
        rh_text_addf(&draft->text, "%" PRId64,
                     type->bits == 32 ? (int64_t)(int32_t)number : (int64_t)number);
    return RH__SYM_SERVED;
}

static enum rh__sym_served take_argument(struct draft *draft, uint32_t index)
{
    const struct rh__sym_call *call = draft->call;
    const struct rh_ir_type *type = type_of(call, index);
    bool is_copied =
        index < call->callee->parameter_count && call->callee->copied[index] != RH_NONE;
    rh__sym_value value = call->arguments[index];
    if (value == RH__SYM_NO_VALUE || rh__sym_is_tuple(value) || is_copied)
        return refuse(call, "whose arguments are no numbers");
    draft->foreign->count++;
    draft->objects[index] = RH_NONE;
    rh_text_add(&draft->text, index ? ", " : "");
    unsigned *registers = type->kind == RH_IR_REAL ? &draft->real_count : &draft->integer_count;
    if (++*registers > (type->kind == RH_IR_REAL ? RH_FOREIGN_REALS : RH_FOREIGN_INTEGERS))
        return refuse(call, "which has many arguments");
    if (type->kind == RH_IR_POINTER)
        return take_pointer(draft, value, index);
    bool is_number = (type->kind == RH_IR_REAL && (type->bits == 32 || type->bits == 64)) ||
                     (type->kind == RH_IR_INTEGER && type->bits <= 64);
    return is_number ? take_number(draft, type, value, index)
                     : refuse(call, "whose arguments are no numbers");
}

// --- The answer. ---

// All their bytes count: a call is cleared before it is filled in.
static bool is_same(const void *one, const void *other)
{
    return !memcmp(one, other, sizeof(struct rh_foreign_call));
}

static const struct rh_foreign_answer *answer_of(struct rh__sym *sym,
                                                 const struct rh_foreign_call *call)
{
    for (size_t i = 0; i < sym->known_calls.count; i++)
        if (is_same(sym->known_calls.items[i].call, call))
            return sym->known_calls.items[i].answer;
    struct rh_foreign_call *copy = rh_arena_take(&sym->arena, sizeof *copy);
    struct rh_foreign_answer *answer = rh_arena_take(&sym->arena, sizeof *answer);
    *copy = *call;
    sym->options->caller->call(sym->options->caller->context, call, answer);
    *rh_vector_push(&sym->known_calls) = (struct rh__sym_known_call){copy, answer};
    return answer;
}

// Puts back what the function has changed.
static void put_bytes(struct draft *draft, const struct rh_foreign_answer *answer)
{
    struct rh__sym *sym = draft->call->sym;
    for (uint32_t i = 0; i < draft->foreign->count; i++) {
        const struct rh_foreign_argument *argument = &draft->foreign->arguments[i];
        if (argument->kind != RH_FOREIGN_MEMORY || !argument->is_writable)
            continue;
        for (uint32_t k = 0; k < argument->size; k++) {
            if (!answer->is_written[argument->first + k])
                continue;
            unsigned char byte = answer->bytes[argument->first + k];
            rh__sym_object_own(draft->call->situation, draft->objects[i]);
            rh__sym_object_write(sym, &draft->call->situation->objects.items[draft->objects[i]], k,
                                 1, rh_term_constant(&sym->terms, 8, byte));
        }
    }
}

static void note_call(struct draft *draft, const struct rh_ir_type *result, uint64_t bits)
{
    struct rh__sym *sym = draft->call->sym;
    struct rh__sym_situation *situation = draft->call->situation;
    rh_text_add(&draft->text, ")");
    if (result->kind != RH_IR_VOID)
        rh_text_add(&draft->text, " = ");
    if (result->kind == RH_IR_REAL)
        add_real(&draft->text, result->bits, bits);
    else if (result->kind == RH_IR_INTEGER)
        rh_text_addf(&draft->text, "%" PRId64,
                     result->bits == 32 ? (int64_t)(int32_t)bits : (int64_t)bits);
    struct rh__sym_called *called = rh_arena_take(&sym->arena, sizeof *called);
    *called = (struct rh__sym_called){
        .before = situation->called,
        .text = rh_arena_text(&sym->arena, rh_text_get(&draft->text), draft->text.length),
        .count = situation->called ? situation->called->count + 1 : 1};
    situation->called = called;
}

static enum rh__sym_served take_answer(struct draft *draft, const struct rh_ir_type *result)
{
    const struct rh__sym_call *call = draft->call;
    const struct rh_foreign_answer *answer = answer_of(call->sym, draft->foreign);
    if (!answer->is_made)
        return refuse(call, answer->refused);
    uint64_t bits = answer->bits;
    if (result->kind != RH_IR_VOID) {
        *call->value = rh_term_constant(&call->sym->terms, result->bits, bits);
        rh_term_is_constant(&call->sym->terms, *call->value, &bits);
    }
    put_bytes(draft, answer);
    note_call(draft, result, bits);
    return RH__SYM_SERVED;
}

static uint32_t kind_of(const struct rh_ir_type *result)
{
    return result->kind == RH_IR_REAL   ? RH_FOREIGN_REAL
           : result->kind == RH_IR_VOID ? RH_FOREIGN_NOTHING
                                        : RH_FOREIGN_INTEGER;
}

enum rh__sym_served rh__sym_foreign(const struct rh__sym_call *call)
{
    const struct rh_ir_type *result = rh_ir_type_of(call->sym->module, call->callee->type);
    bool has_number = (result->kind == RH_IR_INTEGER && result->bits <= 64) ||
                      (result->kind == RH_IR_REAL && (result->bits == 32 || result->bits == 64)) ||
                      result->kind == RH_IR_VOID;
    if (!call->sym->options->caller || has_constructors(call->sym->module) ||
        call->callee->block_count || !has_number || !may_be_called(call->callee->name) ||
        strlen(call->callee->name) >= RH_FOREIGN_NAME || call->count > RH_FOREIGN_ARGUMENTS)
        return RH__SYM_NOT_SERVED;
    struct rh_foreign_call *foreign = rh_alloc(sizeof *foreign);
    struct draft draft = {.call = call, .foreign = foreign};
    strcpy(foreign->name, call->callee->name);
    foreign->result = kind_of(result);
    rh_text_addf(&draft.text, "%s(", call->callee->source_name);
    enum rh__sym_served served = RH__SYM_SERVED;
    for (uint32_t i = 0; i < call->count && served == RH__SYM_SERVED; i++)
        served = take_argument(&draft, i);
    if (served == RH__SYM_SERVED)
        served = take_answer(&draft, result);
    rh_text_fini(&draft.text);
    free(foreign);
    return served;
}
