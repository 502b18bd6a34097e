// SPDX-License-Identifier: MIT
// Functions of libc and of LLVM that the interpreter knows.
#include <string.h>

#include "symbolic/internal.h"

// --- Blocks of bytes. ---

static enum rh__sym_served copy(const struct rh__sym_call *call)
{
    struct rh__sym *sym = call->sym;
    uint64_t size, from_offset, to_offset;
    struct rh__sym_place from, to;
    *call->value = call->arguments[0];
    if (!rh__sym_length(sym, call->situation, call->arguments[2], &size))
        return RH__SYM_AGAIN;
    if (size == 0)
        return RH__SYM_SERVED;
    if (!rh__sym_find_fixed(sym, call->situation, call->arguments[1], size, &from, &from_offset) ||
        !rh__sym_find_fixed(sym, call->situation, call->arguments[0], size, &to, &to_offset))
        return RH__SYM_AGAIN;
    struct rh__sym_object **target = rh__sym_writable(sym, call->situation, &to);
    if (!target)
        return RH__SYM_AGAIN;
    rh__sym_object_copy(sym, target, to_offset, rh__sym_object_at(sym, call->situation, &from),
                        from_offset, size);
    return RH__SYM_SERVED;
}

static enum rh__sym_served fill(const struct rh__sym_call *call)
{
    struct rh__sym *sym = call->sym;
    uint64_t size, offset;
    struct rh__sym_place place;
    *call->value = call->arguments[0];
    if (!rh__sym_length(sym, call->situation, call->arguments[2], &size))
        return RH__SYM_AGAIN;
    if (size == 0)
        return RH__SYM_SERVED;
    if (!rh__sym_find_fixed(sym, call->situation, call->arguments[0], size, &place, &offset))
        return RH__SYM_AGAIN;
    struct rh__sym_object **target = rh__sym_writable(sym, call->situation, &place);
    if (!target)
        return RH__SYM_AGAIN;
    rh_term byte = rh_term_part(&sym->terms, call->arguments[1], 0, 8);
    for (uint64_t i = 0; i < size; i++)
        rh__sym_object_write(sym, target, offset + i, 1, byte);
    return RH__SYM_SERVED;
}

// --- The heap. ---

enum rh__sym_served rh__sym_allocate(const struct rh__sym_call *call, rh_term size, bool is_zero)
{
    uint64_t bytes;
    if (!rh__sym_length(call->sym, call->situation, size, &bytes))
        return RH__SYM_AGAIN;
    if (bytes > INT32_MAX)
        return RH__SYM_NOT_SERVED;
    struct rh__sym_object *object =
        rh__sym_object_new(bytes, is_zero ? RH__SYM_REST_ZERO : RH__SYM_REST_UNSET);
    object->is_heap = true;
    object->owner = call->situation->running;
    uint32_t number = rh__sym_object_add(call->situation, object);
    *call->value = rh_term_constant(&call->sym->terms, 64, rh__sym_object_address(number));
    return RH__SYM_SERVED;
}

static enum rh__sym_served allocate(const struct rh__sym_call *call)
{
    return rh__sym_allocate(call, call->arguments[0], false);
}

static enum rh__sym_served allocate_zeros(const struct rh__sym_call *call)
{
    rh_term size =
        rh_term_make2(&call->sym->terms, RH_TERM_MULTIPLY, call->arguments[0], call->arguments[1]);
    return rh__sym_allocate(call, size, true);
}

// The number of the block that begins at the address; RH_NONE: null. false: it is no block, and the
// situation has ended.
static bool block_at(const struct rh__sym_call *call, rh_term address, uint32_t *block)
{
    struct rh__sym_situation *situation = call->situation;
    uint64_t number;
    *block = RH_NONE;
    if (!rh__sym_decide(call->sym, situation, &address))
        return false;
    bool is_known = rh_term_is_constant(&call->sym->terms, address, &number);
    if (is_known && number == 0)
        return true;
    uint64_t index = (number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS;
    if (is_known && number >= RH__SYM_OBJECTS && number < RH__SYM_ACTORS &&
        !(number & UINT32_MAX) && index < situation->objects.count &&
        situation->objects.items[index] && situation->objects.items[index]->is_heap &&
        !situation->objects.items[index]->is_given &&
        !situation->objects.items[index]->is_travelling) {
        *block = (uint32_t)index;
        return true;
    }
    rh__sym_end_with(call->sym, situation, is_known ? RH__SYM_BROKEN : RH__SYM_UNKNOWN,
                     is_known ? "free of what is no block"
                              : "free of an address that can't be told");
    return false;
}

// Whether memory of the test's body leads into that of an actor: then all may free what actors
// have.
bool rh__sym_is_shared(struct rh__sym *sym, const struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->objects.count; i++) {
        const struct rh__sym_object *object = situation->objects.items[i];
        if (!object || !object->is_heap || object->owner != RH_NONE)
            continue;
        for (uint32_t k = 0; k < object->count; k++) {
            uint64_t number = 0, index;
            rh__sym_number(sym, situation, object->cells[k].term, &number);
            index = (number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS;
            if (number >= RH__SYM_OBJECTS && index < situation->objects.count &&
                situation->objects.items[index] &&
                situation->objects.items[index]->owner != RH_NONE)
                return true;
        }
    }
    return false;
}

// The block at the address, which the running actor may free: as rh_memory_free of the world.
static bool own_block_at(const struct rh__sym_call *call, rh_term address, uint32_t *block)
{
    struct rh__sym_situation *situation = call->situation;
    if (!block_at(call, address, block))
        return false;
    if (*block == RH_NONE || situation->objects.items[*block]->owner == situation->running ||
        rh__sym_is_shared(call->sym, situation))
        return true;
    rh__sym_end_with(call->sym, situation, RH__SYM_BROKEN,
                     "free of a block in another actor's memory");
    return false;
}

static void release_block(struct rh__sym_situation *situation, uint32_t block)
{
    rh__sym_object_release(situation->objects.items[block]);
    situation->objects.items[block] = NULL;
}

static enum rh__sym_served release(const struct rh__sym_call *call)
{
    uint32_t block;
    if (!own_block_at(call, call->arguments[0], &block))
        return RH__SYM_AGAIN;
    if (block != RH_NONE)
        release_block(call->situation, block);
    return RH__SYM_SERVED;
}

static enum rh__sym_served reallocate(const struct rh__sym_call *call)
{
    uint32_t block;
    if (!own_block_at(call, call->arguments[0], &block))
        return RH__SYM_AGAIN;
    struct rh__sym_situation *situation = call->situation;
    uint64_t size;
    if (!rh__sym_length(call->sym, situation, call->arguments[1], &size))
        return RH__SYM_AGAIN;
    if (size == 0 && block != RH_NONE) {
        release_block(situation, block);
        *call->value = rh_term_constant(&call->sym->terms, 64, 0);
        return RH__SYM_SERVED;
    }
    enum rh__sym_served served =
        rh__sym_allocate(call, rh_term_constant(&call->sym->terms, 64, size), false);
    if (served != RH__SYM_SERVED || block == RH_NONE)
        return served;
    if (situation->objects.items[block]->is_open)
        rh__sym_block_grow(call->sym, situation, block, size);
    struct rh__sym_object **new = &situation->objects.items[situation->objects.count - 1];
    const struct rh__sym_object *old = situation->objects.items[block];
    rh__sym_object_copy(call->sym, new, 0, old, 0,
                        old->size < (*new)->size ? old->size : (*new)->size);
    release_block(situation, block);
    return RH__SYM_SERVED;
}

// --- Whole numbers. ---

static enum rh__sym_served nothing(const struct rh__sym_call *call)
{
    (void)call;
    return RH__SYM_SERVED;
}

static enum rh__sym_served first(const struct rh__sym_call *call)
{
    *call->value = call->arguments[0];
    return RH__SYM_SERVED;
}

// Whether the compiler knows a value: programs do the same either way.
static enum rh__sym_served never(const struct rh__sym_call *call)
{
    *call->value = rh_term_truth(&call->sym->terms, false);
    return RH__SYM_SERVED;
}

// How large an object is that the compiler does not know: as little as it can be, or as much.
static enum rh__sym_served size_unknown(const struct rh__sym_call *call)
{
    uint64_t is_least;
    unsigned bits = rh__sym_bits(call->sym->module, call->callee->type);
    if (!rh__sym_number(call->sym, call->situation, call->arguments[1], &is_least))
        return RH__SYM_NOT_SERVED;
    *call->value = rh_term_constant(&call->sym->terms, bits, is_least ? 0 : UINT64_MAX);
    return RH__SYM_SERVED;
}

static enum rh__sym_served absolute(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term a = call->arguments[0], zero = rh_term_constant(terms, rh_term_width(terms, a), 0);
    *call->value = rh_term_choice(terms, rh_term_make2(terms, RH_TERM_LESS, a, zero),
                                  rh_term_make2(terms, RH_TERM_SUBTRACT, zero, a), a);
    return RH__SYM_SERVED;
}

// The smaller or larger of two: llvm.smin, llvm.smax, llvm.umin, llvm.umax.
static enum rh__sym_served extreme(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term a = call->arguments[0], b = call->arguments[1];
    bool is_signed = call->callee->name[5] == 's', is_least = call->callee->name[7] == 'i';
    rh_term is_first = rh_term_make2(terms, is_signed ? RH_TERM_LESS : RH_TERM_BELOW, a, b);
    *call->value = rh_term_choice(terms, is_first, is_least ? a : b, is_least ? b : a);
    return RH__SYM_SERVED;
}

static enum rh__sym_served swap_bytes(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term a = call->arguments[0];
    unsigned bytes = rh_term_width(terms, a) / 8;
    rh_term swapped = rh_term_part(terms, a, 0, 8);
    for (unsigned i = 1; i < bytes; i++)
        swapped = rh_term_make2(terms, RH_TERM_JOIN, swapped, rh_term_part(terms, a, 8 * i, 8));
    *call->value = swapped;
    return RH__SYM_SERVED;
}

static enum rh__sym_served count_bits(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term a = call->arguments[0];
    unsigned width = rh_term_width(terms, a);
    rh_term sum = rh_term_constant(terms, width, 0);
    for (unsigned i = 0; i < width; i++)
        sum = rh_term_make2(
            terms, RH_TERM_ADD, sum,
            rh_term_resize(terms, RH_TERM_EXTEND_ZERO, rh_term_part(terms, a, i, 1), width));
    *call->value = sum;
    return RH__SYM_SERVED;
}

// llvm.ctlz and llvm.cttz: how many zeros are above the highest one, or below the lowest.
static enum rh__sym_served count_zeros(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term a = call->arguments[0];
    unsigned width = rh_term_width(terms, a);
    bool is_above = !strncmp(call->callee->name, "llvm.ctlz.", 10);
    rh_term count = rh_term_constant(terms, width, width);
    for (unsigned i = 0; i < width; i++) {
        // From the far end on, so that the nearest one decides.
        unsigned bit = is_above ? i : width - 1 - i;
        count = rh_term_choice(terms, rh_term_part(terms, a, bit, 1),
                               rh_term_constant(terms, width, width - 1 - i), count);
    }
    *call->value = count;
    return RH__SYM_SERVED;
}

// llvm.sadd.with.overflow and its relatives: the result, and whether it is too large.
static enum rh__sym_served with_overflow(const struct rh__sym_call *call)
{
    struct rh_terms *terms = &call->sym->terms;
    rh_term a = call->arguments[0], b = call->arguments[1];
    const char *name = call->callee->name + strlen("llvm.");
    bool is_signed = name[0] == 's', is_sum = !strncmp(name + 1, "add", 3);
    bool is_product = !strncmp(name + 1, "mul", 3);
    enum rh_term_operation operation = is_sum       ? RH_TERM_ADD
                                       : is_product ? RH_TERM_MULTIPLY
                                                    : RH_TERM_SUBTRACT;
    enum rh_term_operation overflows =
        is_sum ? (is_signed ? RH_TERM_OVERFLOWS_ADD_SIGNED : RH_TERM_OVERFLOWS_ADD_UNSIGNED)
        : is_product
            ? (is_signed ? RH_TERM_OVERFLOWS_MULTIPLY_SIGNED : RH_TERM_OVERFLOWS_MULTIPLY_UNSIGNED)
            : (is_signed ? RH_TERM_OVERFLOWS_SUBTRACT_SIGNED : RH_TERM_OVERFLOWS_SUBTRACT_UNSIGNED);
    uint32_t bytes = (rh_term_width(terms, a) + 7) / 8;
    struct rh__sym_cell cells[2] = {{0, bytes, rh_term_make2(terms, operation, a, b)},
                                    {bytes, 1, rh_term_make2(terms, overflows, a, b)}};
    *call->value = rh__sym_tuple_new(call->sym, cells, 2);
    return RH__SYM_SERVED;
}

static enum rh__sym_served fails(const struct rh__sym_call *call)
{
    rh__sym_end_with(call->sym, call->situation, RH__SYM_BROKEN, "%s is called",
                     call->callee->source_name);
    return RH__SYM_AGAIN;
}

// --- By name. ---

// What begins with a name that ends in a dot is meant, too.
static const struct known {
    const char *name;
    uint32_t parameters; // that are looked at
    rh__sym_function *function;
} known[] = {
    {"llvm.lifetime.", 0, nothing},
    {"llvm.dbg.", 0, nothing},
    {"llvm.assume", 0, nothing},
    {"llvm.experimental.noalias.", 0, nothing},
    {"llvm.prefetch.", 0, nothing},
    {"llvm.expect.", 1, first},
    {"llvm.memcpy.", 3, copy},
    {"llvm.memmove.", 3, copy},
    {"llvm.memset.", 3, fill},
    {"llvm.is.constant.", 0, never},
    {"llvm.objectsize.", 2, size_unknown},
    {"llvm.abs.", 1, absolute},
    {"llvm.smin.", 2, extreme},
    {"llvm.smax.", 2, extreme},
    {"llvm.umin.", 2, extreme},
    {"llvm.umax.", 2, extreme},
    {"llvm.bswap.", 1, swap_bytes},
    {"llvm.ctpop.", 1, count_bits},
    {"llvm.ctlz.", 1, count_zeros},
    {"llvm.cttz.", 1, count_zeros},
    {"llvm.sadd.with.overflow.", 2, with_overflow},
    {"llvm.uadd.with.overflow.", 2, with_overflow},
    {"llvm.ssub.with.overflow.", 2, with_overflow},
    {"llvm.usub.with.overflow.", 2, with_overflow},
    {"llvm.smul.with.overflow.", 2, with_overflow},
    {"llvm.umul.with.overflow.", 2, with_overflow},
    {"llvm.fabs.", 1, rh__sym_fabs},
    {"llvm.fmuladd.", 3, rh__sym_fmuladd},
    {"llvm.copysign.", 2, rh__sym_copysign},
    {"llvm.minnum.", 2, rh__sym_least},
    {"llvm.maxnum.", 2, rh__sym_greatest},
    {"printf", 0, nothing},
    {"fprintf", 0, nothing},
    {"puts", 0, nothing},
    {"putchar", 0, nothing},
    {"fputs", 0, nothing},
    {"fputc", 0, nothing},
    {"putc", 0, nothing},
    {"fflush", 0, nothing},
    {"perror", 0, nothing},
    {"memcpy", 3, copy},
    {"memmove", 3, copy},
    {"memset", 3, fill},
    {"abs", 1, absolute},
    {"labs", 1, absolute},
    {"llabs", 1, absolute},
    {"malloc", 1, allocate},
    {"calloc", 2, allocate_zeros},
    {"realloc", 2, reallocate},
    {"free", 1, release},
    {"strlen", 1, rh__sym_strlen},
    {"strnlen", 2, rh__sym_strnlen},
    {"strcmp", 2, rh__sym_strcmp},
    {"strncmp", 3, rh__sym_strncmp},
    {"memcmp", 3, rh__sym_memcmp},
    {"bcmp", 3, rh__sym_memcmp},
    {"strcpy", 2, rh__sym_strcpy},
    {"strncpy", 3, rh__sym_strncpy},
    {"strcat", 2, rh__sym_strcat},
    {"strchr", 2, rh__sym_strchr},
    {"strrchr", 2, rh__sym_strrchr},
    {"memchr", 3, rh__sym_memchr},
    {"strdup", 1, rh__sym_strdup},
    {"qsort", 4, rh__sym_qsort},
    {"fabs", 1, rh__sym_fabs},
    {"fabsf", 1, rh__sym_fabs},
    {"copysign", 2, rh__sym_copysign},
    {"fmin", 2, rh__sym_least},
    {"fmax", 2, rh__sym_greatest},
    {"abort", 0, fails},
    {"__assert_fail", 0, fails},
};

static bool is_meant(const char *name, const char *meant)
{
    size_t length = strlen(meant);
    return meant[length - 1] == '.' ? !strncmp(name, meant, length) : !strcmp(name, meant);
}

static bool has_scalars(const struct rh__sym_call *call, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < call->count; i++)
        if (call->arguments[i] == RH__SYM_NO_VALUE || rh__sym_is_tuple(call->arguments[i]))
            return false;
    return call->count >= count;
}

enum rh__sym_served rh__sym_library(const struct rh__sym_call *call)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (is_meant(call->callee->name, known[i].name))
            return has_scalars(call, known[i].parameters) ? known[i].function(call)
                                                          : RH__SYM_NOT_SERVED;
    return rh__sym_real_function(call);
}
