// SPDX-License-Identifier: MIT
// Blocks of memory in a test: those that are there at the beginning, and those that fields lead to
// at the end. The first field that leads to a block says what it holds.
#include <stdlib.h>
#include <string.h>

#include "symbolic/internal.h"

struct named {
    uint32_t object; // number at the beginning, or at the end if the block is new
    // What it holds, as a field that leads to its start says it, or as the block says it; neither:
    // not known.
    const char *record;
    uint64_t record_size;
    const struct rh_ir_field *target;
    bool is_told; // its contents at the end are there
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

static void set_type(struct rh__sym *sym, struct named *named, uint64_t size)
{
    const struct rh_ir_record *record =
        named->record ? rh_ir_record_find(sym->module, named->record, named->record_size) : NULL;
    struct rh_generate_block *block = &named->block;
    block->type = named->target ? NULL : rh__sym_type_of(sym, named->record, named->record_size);
    block->element = named->target ? element_of(sym, named->target) : NULL;
    block->has_tail = rh__sym_tail_of(record);
    block->count = block->has_tail || !named->record_size ? 1 : size / named->record_size;
}

static void name_initial(struct rh__sym *sym, const struct rh__sym_block *block)
{
    const struct rh__sym_situation *situation = sym->naming->situation;
    struct named named = {.object = block->object,
                          .record = block->record,
                          .record_size = block->record_size,
                          .target = block->target,
                          .block = {.is_initial = true, .actor = block->owner}};
    set_type(sym, &named, block->initial->size);
    named.block.is_freed = !situation->objects.items[block->object];
    *rh_vector_push(&sym->naming->blocks) = named;
}

static struct rh_generate_fields fields_of(struct rh__sym *sym, size_t index,
                                           const struct rh__sym_object *object)
{
    struct named named = sym->naming->blocks.items[index];
    return rh__sym_fields_at(
        sym, sym->naming->situation, object,
        rh__sym_leaves_of_block(sym, named.record, named.record_size, named.target, object->size));
}

void rh__sym_blocks_begin(struct rh__sym *sym, const struct rh__sym_situation *situation)
{
    sym->naming = rh_alloc(sizeof *sym->naming);
    sym->naming->situation = situation;
    // Contents come after all names, since blocks may lead to each other.
    for (size_t i = 0; i < situation->blocks.count; i++)
        name_initial(sym, &situation->blocks.items[i]);
    for (size_t i = 0; i < situation->blocks.count; i++) {
        struct rh_generate_fields fields = fields_of(sym, i, situation->blocks.items[i].initial);
        sym->naming->blocks.items[i].block.initial = fields;
    }
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

// Whether as many of what the field says it leads to fill a block.
static bool fits(struct rh__sym *sym, const struct rh_ir_field *field, uint64_t size)
{
    if (!field)
        return false;
    if (field->target)
        return field->target->size <= 8 && field->target->count == 1 &&
               size % field->target->size == 0;
    const struct rh_ir_record *record =
        field->record ? rh_ir_record_find(sym->module, field->record, field->record_size) : NULL;
    return record && record->size &&
           (rh__sym_tail_of(record) ? size >= record->size : size % record->size == 0);
}

// A field that leads to a new block says what that holds, if nothing has said so yet.
static void take_type(struct rh__sym *sym, struct named *named, const struct rh_ir_field *field,
                      uint64_t size)
{
    if (named->block.is_initial || named->record || named->target || !fits(sym, field, size))
        return;
    named->record = field->target ? NULL : field->record;
    named->record_size = field->target ? 0 : field->record_size;
    named->target = field->target;
    set_type(sym, named, size);
}

bool rh__sym_block_name(struct rh__sym *sym, const struct rh_ir_field *field,
                        struct rh_generate_field *named)
{
    struct rh__sym_naming *naming = sym->naming;
    if (!naming || named->number < RH__SYM_OBJECTS || named->number >= RH__SYM_ACTORS)
        return false;
    uint32_t object = (uint32_t)((named->number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS);
    uint64_t inside = named->number & ((UINT64_C(1) << RH__SYM_OBJECT_BITS) - 1);
    uint32_t index = find(naming, object);
    const struct rh__sym_object *found =
        object < naming->situation->objects.count ? naming->situation->objects.items[object] : NULL;
    if (naming->is_end && (!found || !found->is_heap || inside > found->size))
        return false;
    if (index == RH_NONE && (!naming->is_end || found->owner == RH_NONE))
        return false;
    if (index == RH_NONE) {
        index = (uint32_t)naming->blocks.count;
        *rh_vector_push(&naming->blocks) =
            (struct named){.object = object, .block = {.actor = found->owner}};
    }
    named->block = index;
    named->inside = inside;
    naming->blocks.items[index].block.is_met |= naming->is_end;
    if (naming->is_end && inside == 0)
        take_type(sym, &naming->blocks.items[index], field, found->size);
    return true;
}

// Tells what a block holds at the end, which may lead to further blocks.
static void tell_end(struct rh__sym *sym, size_t index)
{
    struct rh__sym_naming *naming = sym->naming;
    naming->blocks.items[index].is_told = true;
    struct rh_generate_fields fields =
        fields_of(sym, index, naming->situation->objects.items[naming->blocks.items[index].object]);
    naming->blocks.items[index].block.final = fields;
}

// Tells of blocks that are met; those of which nobody knows what they hold come last, since others
// may say so.
static void tell_ends(struct rh__sym *sym)
{
    struct rh__sym_naming *naming = sym->naming;
    for (bool has_any = true; has_any;) {
        size_t next = naming->blocks.count;
        for (size_t i = naming->blocks.count; i-- > 0;) {
            const struct named *it = &naming->blocks.items[i];
            bool is_known = it->record || it->target;
            if (it->block.is_met && !it->is_told && (is_known || next == naming->blocks.count))
                next = i;
        }
        has_any = next < naming->blocks.count;
        if (has_any)
            tell_end(sym, next);
    }
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
    tell_ends(sym);
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
