// SPDX-License-Identifier: MIT
// The loops of a function: for each block that is reached from behind, the blocks from which that
// happens without leaving the loop.
#include <stdlib.h>

#include "symbolic/internal.h"

struct walk {
    const struct rh_ir_function *function;
    uint8_t *seen; // by block: 0 not seen, 1 on the present path, 2 done
    bool **loops;  // by header: the blocks of its loop; NULL: no header
    struct rh_arena *arena;
};

static const struct rh_ir_instruction *last_of(const struct rh_ir_function *function,
                                               uint32_t block)
{
    return &function
                ->instructions[function->blocks[block].first + function->blocks[block].count - 1];
}

static bool leads_to(const struct rh_ir_function *function, uint32_t from, uint32_t to)
{
    const struct rh_ir_instruction *last = last_of(function, from);
    for (uint32_t i = 0; i < last->block_count; i++)
        if (last->blocks[i] == to)
            return true;
    return false;
}

// Adds what leads to `block` without passing the header.
static void add_body(struct walk *walk, bool *has, uint32_t block)
{
    if (has[block])
        return;
    has[block] = true;
    for (uint32_t i = 0; i < walk->function->block_count; i++)
        if (leads_to(walk->function, i, block))
            add_body(walk, has, i);
}

static void visit(struct walk *walk, uint32_t block)
{
    walk->seen[block] = 1;
    const struct rh_ir_instruction *last = last_of(walk->function, block);
    for (uint32_t i = 0; i < last->block_count; i++) {
        uint32_t to = last->blocks[i];
        if (walk->seen[to] == 0)
            visit(walk, to);
        if (walk->seen[to] != 1)
            continue;
        if (!walk->loops[to])
            walk->loops[to] = rh_arena_take(walk->arena, walk->function->block_count);
        walk->loops[to][to] = true;
        add_body(walk, walk->loops[to], block);
    }
    walk->seen[block] = 2;
}

const struct rh__sym_loops *rh__sym_loops_of(struct rh__sym *sym,
                                             const struct rh_ir_function *function)
{
    struct rh__sym_loops *loops = &sym->loops[function - sym->module->functions.items];
    if (loops->is_known)
        return loops;
    loops->is_known = true;
    uint32_t count = function->block_count;
    struct walk walk = {function, rh_alloc(count + 1), rh_alloc(count * sizeof(bool *) + 1),
                        &sym->arena};
    if (count)
        visit(&walk, 0);
    for (uint32_t i = 0; i < count; i++)
        loops->count += walk.loops[i] != NULL;
    loops->items = rh_arena_take(&sym->arena, loops->count * sizeof *loops->items + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++)
        if (walk.loops[i])
            loops->items[at++] = (struct rh__sym_loop){i, walk.loops[i]};
    free(walk.seen);
    free(walk.loops);
    return loops;
}
