// SPDX-License-Identifier: MIT
// qsort: it calls the program's function, whose frame knows what is being sorted. Elements are put
// in one after another, which leaves equal ones in their order, as glibc's merging does.
#include "symbolic/internal.h"

// Elements before `next` are in order, but for the one at `at`, which moves down.
struct rh__sym_sorting {
    rh_term array;
    uint64_t count, size;
    const struct rh_ir_function *function;
    const struct rh_ir_instruction *call;
    uint64_t next, at;
};

static rh_term element(struct rh__sym *sym, const struct rh__sym_sorting *sorting, uint64_t index)
{
    return rh_term_make2(&sym->terms, RH_TERM_ADD, sorting->array,
                         rh_term_constant(&sym->terms, 64, index * sorting->size));
}

// Compares the element at `at` with the one before it.
static bool compare(struct rh__sym *sym, struct rh__sym_situation *situation,
                    const struct rh__sym_sorting *sorting)
{
    rh__sym_value arguments[2] = {element(sym, sorting, sorting->at - 1),
                                  element(sym, sorting, sorting->at)};
    struct rh__sym_sorting *kept = rh_arena_take(&sym->arena, sizeof *kept);
    *kept = *sorting;
    if (!rh__sym_call(sym, situation, sorting->function, sorting->call, arguments, 2))
        return false;
    situation->frames.items[situation->frames.count - 1].sorting = kept;
    return true;
}

static void swap(struct rh__sym *sym, struct rh__sym_situation *situation,
                 const struct rh__sym_sorting *sorting)
{
    struct rh__sym_place place;
    uint64_t offset, size = sorting->size;
    bool is_found = rh__sym_find_fixed(sym, situation, element(sym, sorting, sorting->at - 1),
                                       2 * size, &place, &offset);
    rh_assert(is_found); // it was found when the sorting began
    struct rh__sym_object **object = rh__sym_writable(sym, situation, &place);
    struct rh__sym_object *kept = rh__sym_object_new(size, RH__SYM_REST_UNSET);
    rh__sym_object_copy(sym, &kept, 0, *object, offset, size);
    rh__sym_object_copy(sym, object, offset, *object, offset + size, size);
    rh__sym_object_copy(sym, object, offset + size, kept, 0, size);
    rh__sym_object_release(kept);
}

bool rh__sym_sorting_decide(struct rh__sym *sym, struct rh__sym_situation *situation,
                            rh__sym_value compared, bool *is_greater)
{
    if (compared == RH__SYM_NO_VALUE || rh__sym_is_tuple(compared)) {
        rh__sym_end_with(sym, situation, RH__SYM_UNKNOWN, "what qsort's function says");
        return false;
    }
    rh_term zero = rh_term_constant(&sym->terms, rh_term_width(&sym->terms, compared), 0);
    struct rh__sym_situation *other = NULL;
    *is_greater = rh__sym_fork(sym, situation,
                               rh_term_make2(&sym->terms, RH_TERM_LESS, zero, compared), &other);
    if (other)
        rh__sym_push(sym, other);
    return true;
}

bool rh__sym_sorting_go(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh__sym_sorting *sorting, bool is_greater)
{
    struct rh__sym_sorting now = *sorting;
    if (is_greater)
        swap(sym, situation, &now);
    if (is_greater && now.at > 1) {
        now.at--;
    } else {
        now.at = ++now.next;
        if (now.next == now.count)
            return true;
    }
    compare(sym, situation, &now);
    return false;
}

// qsort(array, count, size, function)
enum rh__sym_served rh__sym_qsort(const struct rh__sym_call *call)
{
    struct rh__sym *sym = call->sym;
    struct rh__sym_sorting sorting = {.array = call->arguments[0], .next = 1, .at = 1};
    struct rh__sym_place place;
    uint64_t where, offset;
    if (!rh__sym_length(sym, call->situation, call->arguments[1], &sorting.count) ||
        !rh__sym_length(sym, call->situation, call->arguments[2], &sorting.size))
        return RH__SYM_AGAIN;
    if (sorting.count < 2 || sorting.size == 0)
        return RH__SYM_SERVED;
    if (!rh__sym_number(sym, call->situation, call->arguments[3], &where) ||
        where < RH__SYM_FUNCTIONS || where >= RH__SYM_OBJECTS)
        return RH__SYM_NOT_SERVED;
    sorting.function = &sym->module->functions.items[(where - RH__SYM_FUNCTIONS) / 16];
    if (!sorting.function->block_count || sorting.function->parameter_count != 2 ||
        !rh__sym_find_fixed(sym, call->situation, sorting.array, sorting.count * sorting.size,
                            &place, &offset) ||
        !rh__sym_writable(sym, call->situation, &place))
        return call->situation->end == RH__SYM_RUNS && !sorting.function->block_count
                   ? RH__SYM_NOT_SERVED
                   : RH__SYM_AGAIN;
    sorting.array = rh_term_constant(
        &sym->terms, 64,
        (place.object == RH_NONE ? 0 : rh__sym_object_address(place.object)) + offset);
    const struct rh__sym_frame *caller =
        &call->situation->frames.items[call->situation->frames.count - 1];
    sorting.call = &caller->function->instructions[caller->next];
    compare(sym, call->situation, &sorting);
    return RH__SYM_AGAIN;
}
