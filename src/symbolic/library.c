// SPDX-License-Identifier: MIT
// Functions of libc and of LLVM that the interpreter knows.
#include <string.h>

#include "symbolic/internal.h"

static bool is_named(const char *name, const char *beginning)
{
    return !strncmp(name, beginning, strlen(beginning));
}

static enum rh__sym_served copy(struct rh__sym *sym, struct rh__sym_situation *situation,
                                const rh__sym_value *arguments, rh__sym_value *value)
{
    uint64_t size, from_offset, to_offset;
    struct rh__sym_place from, to;
    *value = arguments[0];
    if (!rh__sym_number(sym, situation, arguments[2], &size))
        return RH__SYM_NOT_SERVED;
    if (size == 0)
        return RH__SYM_SERVED;
    if (!rh__sym_find_fixed(sym, situation, arguments[1], size, &from, &from_offset) ||
        !rh__sym_find_fixed(sym, situation, arguments[0], size, &to, &to_offset))
        return RH__SYM_AGAIN;
    struct rh__sym_object **target = rh__sym_writable(sym, situation, &to);
    if (!target)
        return RH__SYM_AGAIN;
    rh__sym_object_copy(sym, target, to_offset, rh__sym_object_at(sym, situation, &from),
                        from_offset, size);
    return RH__SYM_SERVED;
}

static enum rh__sym_served fill(struct rh__sym *sym, struct rh__sym_situation *situation,
                                const rh__sym_value *arguments, rh__sym_value *value)
{
    uint64_t size, offset;
    struct rh__sym_place place;
    *value = arguments[0];
    if (!rh__sym_number(sym, situation, arguments[2], &size))
        return RH__SYM_NOT_SERVED;
    if (size == 0)
        return RH__SYM_SERVED;
    if (!rh__sym_find_fixed(sym, situation, arguments[0], size, &place, &offset))
        return RH__SYM_AGAIN;
    struct rh__sym_object **target = rh__sym_writable(sym, situation, &place);
    if (!target)
        return RH__SYM_AGAIN;
    rh_term byte = rh_term_part(&sym->terms, arguments[1], 0, 8);
    for (uint64_t i = 0; i < size; i++)
        rh__sym_object_write(sym, target, offset + i, 1, byte);
    return RH__SYM_SERVED;
}

static enum rh__sym_served allocate(struct rh__sym *sym, struct rh__sym_situation *situation,
                                    rh_term size, bool is_zero, rh__sym_value *value)
{
    uint64_t bytes;
    if (!rh__sym_number(sym, situation, size, &bytes) || bytes > UINT32_MAX)
        return RH__SYM_NOT_SERVED;
    struct rh__sym_object *object =
        rh__sym_object_new(bytes, is_zero ? RH__SYM_REST_ZERO : RH__SYM_REST_UNSET);
    object->is_heap = true;
    uint32_t number = rh__sym_object_add(situation, object);
    *value = rh_term_constant(&sym->terms, 64, rh__sym_object_address(number));
    return RH__SYM_SERVED;
}

static enum rh__sym_served release(struct rh__sym *sym, struct rh__sym_situation *situation,
                                   rh_term address)
{
    uint64_t number;
    if (!rh__sym_decide(sym, situation, &address) ||
        !rh_term_is_constant(&sym->terms, address, &number))
        return RH__SYM_NOT_SERVED;
    if (number == 0)
        return RH__SYM_SERVED;
    uint64_t index = (number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS;
    bool is_block = number >= RH__SYM_OBJECTS && number < RH__SYM_ACTORS &&
                    !(number & UINT32_MAX) && index < situation->objects.count &&
                    situation->objects.items[index] && situation->objects.items[index]->is_heap;
    if (!is_block) {
        rh__sym_end_with(sym, situation, RH__SYM_BROKEN, "free of what is no block");
        return RH__SYM_AGAIN;
    }
    rh__sym_object_release(situation->objects.items[index]);
    situation->objects.items[index] = NULL;
    return RH__SYM_SERVED;
}

// The smaller or larger of two, or the value without its sign.
static enum rh__sym_served extreme(struct rh__sym *sym, const char *name,
                                   const rh__sym_value *arguments, rh__sym_value *value)
{
    struct rh_terms *terms = &sym->terms;
    rh_term a = arguments[0], b = arguments[1];
    if (is_named(name, "llvm.abs") || !strcmp(name, "abs") || !strcmp(name, "labs")) {
        rh_term zero = rh_term_constant(terms, rh_term_width(terms, a), 0);
        *value = rh_term_choice(terms, rh_term_make2(terms, RH_TERM_LESS, a, zero),
                                rh_term_make2(terms, RH_TERM_SUBTRACT, zero, a), a);
        return RH__SYM_SERVED;
    }
    bool is_signed = name[5] == 's', is_least = name[7] == 'i';
    rh_term is_first = rh_term_make2(terms, is_signed ? RH_TERM_LESS : RH_TERM_BELOW, a, b);
    *value = rh_term_choice(terms, is_first, is_least ? a : b, is_least ? b : a);
    return RH__SYM_SERVED;
}

enum rh__sym_served rh__sym_library(struct rh__sym *sym, struct rh__sym_situation *situation,
                                    const struct rh_ir_function *callee,
                                    const rh__sym_value *arguments, uint32_t count,
                                    rh__sym_value *value)
{
    (void)count;
    const char *name = callee->name;
    if (is_named(name, "llvm.lifetime.") || is_named(name, "llvm.dbg.") ||
        is_named(name, "llvm.assume") || is_named(name, "llvm.experimental.noalias") ||
        !strcmp(name, "printf") || !strcmp(name, "puts") || !strcmp(name, "putchar") ||
        !strcmp(name, "fflush"))
        return RH__SYM_SERVED;
    if (is_named(name, "llvm.memcpy.") || is_named(name, "llvm.memmove.") ||
        !strcmp(name, "memcpy") || !strcmp(name, "memmove"))
        return copy(sym, situation, arguments, value);
    if (is_named(name, "llvm.memset.") || !strcmp(name, "memset"))
        return fill(sym, situation, arguments, value);
    if (is_named(name, "llvm.expect.")) {
        *value = arguments[0];
        return RH__SYM_SERVED;
    }
    if (is_named(name, "llvm.abs") || !strcmp(name, "abs") || !strcmp(name, "labs") ||
        is_named(name, "llvm.smin") || is_named(name, "llvm.smax") || is_named(name, "llvm.umin") ||
        is_named(name, "llvm.umax"))
        return extreme(sym, name, arguments, value);
    if (!strcmp(name, "malloc"))
        return allocate(sym, situation, arguments[0], false, value);
    if (!strcmp(name, "calloc"))
        return allocate(sym, situation,
                        rh_term_make2(&sym->terms, RH_TERM_MULTIPLY, arguments[0], arguments[1]),
                        true, value);
    if (!strcmp(name, "free"))
        return release(sym, situation, arguments[0]);
    return RH__SYM_NOT_SERVED;
}
