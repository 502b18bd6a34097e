// SPDX-License-Identifier: MIT
// The numbers and addresses that a struct is made of, by the debug information. What has no number
// of its own, such as a bit field, is bytes.
#include <string.h>

#include "symbolic/internal.h"

struct layout {
    struct rh__sym *sym;
    RH_VECTOR(struct rh__sym_leaf) leaves;
};

static void add_record(struct layout *layout, uint64_t offset, const struct rh_ir_record *record,
                       const char *prefix);

static void add_leaf(struct layout *layout, uint64_t offset, uint64_t size,
                     const struct rh_ir_field *field, const char *path)
{
    *rh_vector_push(&layout->leaves) =
        (struct rh__sym_leaf){rh_arena_text(&layout->sym->arena, path, strlen(path)),
                              (uint32_t)offset, (uint32_t)size, field};
}

static void add_bytes(struct layout *layout, uint64_t offset, uint64_t size, const char *path)
{
    for (uint64_t i = 0; i < size; i++) {
        struct rh_text name = {0};
        rh_text_addf(&name, "%s<%u>", path, (unsigned)(offset + i));
        add_leaf(layout, offset + i, 1, NULL, rh_text_get(&name));
        rh_text_fini(&name);
    }
}

static bool is_number_size(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

static void add_field(struct layout *layout, uint64_t offset, const struct rh_ir_field *field,
                      const char *prefix)
{
    const struct rh_ir_record *inner =
        field->record && !field->is_pointer
            ? rh_ir_record_find(layout->sym->module, field->record, field->record_size)
            : NULL;
    uint64_t count = field->count ? field->count : 1, size = field->size / count;
    bool is_number = field->is_pointer || field->is_integer || field->is_real;
    for (uint64_t i = 0; i < count; i++) {
        struct rh_text path = {0};
        rh_text_addf(&path, "%s%s%s", prefix, *prefix ? "." : "", field->name);
        if (field->is_array)
            rh_text_addf(&path, "[%u]", (unsigned)i);
        uint64_t at = offset + field->offset + i * size;
        if (inner)
            add_record(layout, at, inner, rh_text_get(&path));
        else if (is_number && is_number_size(size) && !field->is_bit_field)
            add_leaf(layout, at, size, field, rh_text_get(&path));
        else
            add_bytes(layout, at, size, rh_text_get(&path));
        rh_text_fini(&path);
    }
}

// The bytes of bit fields reach up to the next field.
static uint64_t end_of(const struct rh_ir_record *record, uint32_t index)
{
    const struct rh_ir_field *field = &record->fields[index];
    if (!field->is_bit_field)
        return field->offset + field->size;
    for (uint32_t i = index + 1; i < record->field_count; i++)
        if (record->fields[i].offset > field->offset)
            return record->fields[i].offset;
    return record->size;
}

static void add_record(struct layout *layout, uint64_t offset, const struct rh_ir_record *record,
                       const char *prefix)
{
    uint64_t end = 0; // what lies before it has its leaves: members of a union share bytes
    for (uint32_t i = 0; i < record->field_count; i++) {
        const struct rh_ir_field *field = &record->fields[i];
        uint64_t field_end = end_of(record, i);
        if (field->offset < end || field_end == field->offset)
            continue;
        if (field->is_bit_field)
            add_bytes(layout, offset + field->offset, field_end - field->offset, prefix);
        else
            add_field(layout, offset, field, prefix);
        end = field_end;
    }
}

struct rh__sym_leaves rh__sym_leaves_of(struct rh__sym *sym, const char *record, uint64_t size)
{
    if (!record)
        record = "";
    for (size_t i = 0; i < sym->laid_out.count; i++)
        if (!strcmp(sym->laid_out.items[i].record, record) && sym->laid_out.items[i].size == size)
            return sym->laid_out.items[i].leaves;
    struct layout layout = {.sym = sym};
    const struct rh_ir_record *found = rh_ir_record_find(sym->module, record, size);
    if (found)
        add_record(&layout, 0, found, "");
    else
        add_bytes(&layout, 0, size, "");
    struct rh__sym_leaf *items =
        rh_arena_take(&sym->arena, layout.leaves.count * sizeof *items + 1);
    if (layout.leaves.count)
        memcpy(items, layout.leaves.items, layout.leaves.count * sizeof *items);
    struct rh__sym_leaves leaves = {items, (uint32_t)layout.leaves.count};
    rh_vector_fini(&layout.leaves);
    *rh_vector_push(&sym->laid_out) =
        (struct rh__sym_laid_out){rh_arena_text(&sym->arena, record, strlen(record)), size, leaves};
    return leaves;
}
