// SPDX-License-Identifier: MIT
// Blocks of memory in a test: those that are there at the beginning, and those that fields lead to
// at the end. The first field that leads to a block says what it holds.
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

struct named {
    uint32_t object; // number at the beginning, or at the end if the block is new
    struct rh_generate_block block;
};

struct rh__sym_naming {
    const struct rh__sym_situation *situation;
    bool is_end; // contents are those at the end
    RH_VECTOR(struct named) blocks;
};

// Numbers and addresses in C's words.
static const char *element_of(struct rh__sym *sym, const struct rh_ir_field *target)
{
    struct rh_text text = {0};
    if (rh__sym_is_actor(target))
        return "rh_actor *";
    if (target->is_pointer)
        return "void *";
    if (target->is_real)
        return target->size == 4 ? "float" : "double";
    if (target->is_truth)
        return "_Bool";
    rh_text_addf(&text, "%sint%u_t", target->is_signed ? "" : "u", (unsigned)target->size * 8);
    const char *kept = rh_arena_text(&sym->arena, rh_text_get(&text), text.length);
    rh_text_fini(&text);
    return kept;
}

static void name_initial(struct rh__sym *sym, const struct rh__sym_block *block)
{
    const struct rh__sym_situation *situation = sym->naming->situation;
    struct named named = {.object = block->object, .block = {.is_initial = true}};
    named.block.actor = block->owner;
    named.block.type =
        block->target ? NULL : rh__sym_type_of(sym, block->record, block->record_size);
    named.block.element = block->target ? element_of(sym, block->target) : NULL;
    named.block.is_freed = !situation->objects.items[block->object];
    *rh_vector_push(&sym->naming->blocks) = named;
}

// Contents come after all names, since blocks may lead to each other.
static void fill_initial(struct rh__sym *sym, size_t index)
{
    const struct rh__sym_situation *situation = sym->naming->situation;
    const struct rh__sym_block *block = &situation->blocks.items[index];
    struct rh_generate_fields fields =
        rh__sym_fields_at(sym, situation, block->initial,
                          rh__sym_leaves_of_block(sym, block->record, block->record_size,
                                                  block->target, block->initial->size));
    sym->naming->blocks.items[index].block.initial = fields;
}

void rh__sym_blocks_begin(struct rh__sym *sym, const struct rh__sym_situation *situation)
{
    sym->naming = rh_alloc(sizeof *sym->naming);
    sym->naming->situation = situation;
    for (size_t i = 0; i < situation->blocks.count; i++)
        name_initial(sym, &situation->blocks.items[i]);
    for (size_t i = 0; i < situation->blocks.count; i++)
        fill_initial(sym, i);
}

void rh__sym_blocks_turn(struct rh__sym *sym)
{
    sym->naming->is_end = true;
}

static uint32_t find(const struct rh__sym_naming *naming, uint32_t object)
{
    for (uint32_t i = 0; i < naming->blocks.count; i++)
        if (naming->blocks.items[i].object == object)
            return i;
    return RH_NONE;
}

// The first field that leads to a block at the end: what it says of the contents holds.
static void meet(struct rh__sym *sym, const struct rh_ir_field *field, uint32_t index)
{
    struct rh__sym_naming *naming = sym->naming;
    struct rh_generate_block *block = &naming->blocks.items[index].block;
    const struct rh__sym_object *object =
        naming->situation->objects.items[naming->blocks.items[index].object];
    const char *record = field->record;
    uint64_t record_size = field->record_size;
    const struct rh_ir_field *target = field->target;
    if (block->is_initial) {
        record = naming->situation->blocks.items[index].record;
        record_size = naming->situation->blocks.items[index].record_size;
        target = naming->situation->blocks.items[index].target;
    } else if (target && (target->size > 8 || target->count != 1)) {
        target = NULL;
    }
    block->is_met = true;
    if (!block->is_initial) {
        block->type = target ? NULL : rh__sym_type_of(sym, record, record_size);
        block->element = target ? element_of(sym, target) : NULL;
    }
    struct rh_generate_fields fields =
        rh__sym_fields_at(sym, naming->situation, object,
                          rh__sym_leaves_of_block(sym, record, record_size, target, object->size));
    naming->blocks.items[index].block.final = fields;
}

void rh__sym_block_name(struct rh__sym *sym, const struct rh_ir_field *field,
                        struct rh_generate_field *named)
{
    struct rh__sym_naming *naming = sym->naming;
    if (!naming || named->number < RH__SYM_OBJECTS || named->number >= RH__SYM_ACTORS)
        return;
    uint32_t object = (uint32_t)((named->number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS);
    uint64_t inside = named->number & ((UINT64_C(1) << RH__SYM_OBJECT_BITS) - 1);
    uint32_t index = find(naming, object);
    const struct rh__sym_object *found =
        object < naming->situation->objects.count ? naming->situation->objects.items[object] : NULL;
    if (naming->is_end && (!found || !found->is_heap || inside > found->size))
        return;
    if (index == RH_NONE && (!naming->is_end || found->owner == RH_NONE))
        return;
    if (index == RH_NONE) {
        index = (uint32_t)naming->blocks.count;
        *rh_vector_push(&naming->blocks) =
            (struct named){.object = object, .block = {.actor = found->owner}};
    }
    named->block = index;
    named->inside = inside;
    if (naming->is_end && !naming->blocks.items[index].block.is_met)
        meet(sym, field, index);
}

// Whether a block that is not there at the beginning was allocated.
static bool allocates(const struct rh__sym_situation *situation)
{
    for (uint32_t i = 0; i < situation->objects.count; i++)
        if (!situation->objects.items[i] || situation->objects.items[i]->is_heap)
            if (!rh__sym_block_at(situation, rh__sym_object_address(i)))
                return true;
    return false;
}

void rh__sym_blocks_end(struct rh__sym *sym, struct rh_generate_test *test)
{
    struct rh__sym_naming *naming = sym->naming;
    struct rh_generate_block *blocks =
        rh_arena_take(&sym->arena, naming->blocks.count * sizeof *blocks + 1);
    for (size_t i = 0; i < naming->blocks.count; i++)
        blocks[i] = naming->blocks.items[i].block;
    test->blocks = blocks;
    test->block_count = (uint32_t)naming->blocks.count;
    test->allocates = allocates(naming->situation);
    rh_vector_fini(&naming->blocks);
    free(naming);
    sym->naming = NULL;
}
