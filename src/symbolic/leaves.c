// SPDX-License-Identifier: MIT
// The numbers and addresses that a struct is made of, by the debug information. What has no number
// of its own, such as a bit field, is bytes; people see bit fields by their names nevertheless.
#include <stdio.h>
#include <string.h>

#include "symbolic/internal.h"

// Of a larger array the bytes are told.
enum { ELEMENTS_MOST = 4096 };

struct layout {
    struct rh__sym *sym;
    RH_VECTOR(struct rh__sym_leaf) leaves;
    RH_VECTOR(struct rh__sym_leaf) words;
    bool has_words;   // of the bytes that are added
    bool is_constant; // what is added
};

static void add_record(struct layout *layout, uint64_t offset, const struct rh_ir_record *record,
                       const char *prefix);

static void add_leaf(struct layout *layout, uint64_t offset, uint64_t size,
                     const struct rh_ir_field *field, const char *path)
{
    struct rh__sym_leaf leaf = {.path = rh_arena_text(&layout->sym->arena, path, strlen(path)),
                                .offset = (uint32_t)offset,
                                .size = (uint32_t)size,
                                .field = field,
                                .is_constant = layout->is_constant};
    *rh_vector_push(&layout->leaves) = leaf;
    if (!layout->has_words)
        *rh_vector_push(&layout->words) = leaf;
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

// A field, or an element of one that is an array.
static void add_element(struct layout *layout, uint64_t at, uint64_t size,
                        const struct rh_ir_field *field, const char *path)
{
    const struct rh_ir_record *inner =
        field->record && !field->is_pointer
            ? rh_ir_record_find(layout->sym->module, field->record, field->record_size)
            : NULL;
    bool is_number = field->is_pointer || field->is_integer || field->is_real;
    if (inner)
        add_record(layout, at, inner, path);
    else if (is_number && is_number_size(size) && !field->is_bit_field)
        add_leaf(layout, at, size, field, path);
    else
        add_bytes(layout, at, size, path);
}

// The indexes of the nth element of an array.
static void add_indexes(struct rh_text *path, const struct rh_ir_field *field, uint64_t nth)
{
    uint64_t below = field->count;
    if (field->dimension_count == 0)
        rh_text_addf(path, "[%u]", (unsigned)nth);
    for (uint32_t i = 0; i < field->dimension_count; i++) {
        rh_assert(field->dimensions[i] > 0);
        below /= field->dimensions[i];
        rh_assert(below > 0);
        rh_text_addf(path, "[%u]", (unsigned)(nth / below));
        nth %= below;
    }
}

static void add_field(struct layout *layout, uint64_t offset, const struct rh_ir_field *field,
                      const char *prefix)
{
    uint64_t count = field->count ? field->count : 1, size = field->size / count;
    for (uint64_t i = 0; i < count && size > 0; i++) {
        struct rh_text path = {0};
        // A member without a name has its fields among those around it.
        rh_text_addf(&path, "%s%s%s", prefix, *prefix && *field->name ? "." : "", field->name);
        if (field->is_array)
            add_indexes(&path, field, i);
        add_element(layout, offset + field->offset + i * size, size, field, rh_text_get(&path));
        rh_text_fini(&path);
    }
}

// A bit field by its name, beside the bytes that it lies in.
static void add_bit_field(struct layout *layout, uint64_t offset, const struct rh_ir_field *field,
                          const char *prefix)
{
    struct rh_text path = {0};
    rh_text_addf(&path, "%s%s%s", prefix, *prefix ? "." : "", field->name);
    uint64_t bit = field->bit_offset % 8;
    *rh_vector_push(&layout->words) = (struct rh__sym_leaf){
        .path = rh_arena_text(&layout->sym->arena, rh_text_get(&path), path.length),
        .offset = (uint32_t)(offset + field->offset),
        .size = (uint32_t)((bit + field->bits + 7) / 8),
        .field = field,
        .is_constant = layout->is_constant,
        .first_bit = (uint32_t)bit,
        .bits = (uint32_t)field->bits};
    rh_text_fini(&path);
}

static void add_record(struct layout *layout, uint64_t offset, const struct rh_ir_record *record,
                       const char *prefix)
{
    // What lies before these has its leaves and words: members of a union share them.
    uint64_t end = 0, bits_end = 0;
    for (uint32_t i = 0; i < record->field_count; i++) {
        const struct rh_ir_field *field = &record->fields[i];
        if (field->bit_offset < bits_end || field->bits == 0)
            continue;
        bits_end = field->bit_offset + field->bits;
        uint64_t from = field->offset > end ? field->offset : end;
        end = (bits_end + 7) / 8;
        bool is_constant = layout->is_constant;
        layout->is_constant |= field->is_constant;
        if (!field->is_bit_field)
            add_field(layout, offset, field, prefix);
        else if (*field->name)
            add_bit_field(layout, offset, field, prefix);
        layout->is_constant = is_constant;
        if (!field->is_bit_field)
            continue;
        layout->has_words = true;
        add_bytes(layout, offset + from, end - from, prefix);
        layout->has_words = false;
    }
}

static const struct rh__sym_leaf *keep(struct rh__sym *sym, const struct rh__sym_leaf *leaves,
                                       size_t count)
{
    struct rh__sym_leaf *kept = rh_arena_take(&sym->arena, count * sizeof *kept + 1);
    if (count)
        memcpy(kept, leaves, count * sizeof *kept);
    return kept;
}

static struct rh__sym_leaves keep_all(struct rh__sym *sym, struct layout *layout)
{
    struct rh__sym_leaves leaves = {
        keep(sym, layout->leaves.items, layout->leaves.count), (uint32_t)layout->leaves.count,
        keep(sym, layout->words.items, layout->words.count), (uint32_t)layout->words.count};
    rh_vector_fini(&layout->leaves);
    rh_vector_fini(&layout->words);
    return leaves;
}

const struct rh_ir_field *rh__sym_tail_of(const struct rh_ir_record *record)
{
    const struct rh_ir_field *last =
        record && record->field_count ? &record->fields[record->field_count - 1] : NULL;
    bool is_tail = last && last->is_array && last->size == 0 && last->element_size > 0;
    return is_tail ? last : NULL;
}

// A struct with the elements that it ends in.
static struct rh__sym_leaves leaves_with_tail(struct rh__sym *sym,
                                              const struct rh_ir_record *record, uint64_t size)
{
    const struct rh_ir_field *tail = rh__sym_tail_of(record);
    struct layout layout = {.sym = sym};
    add_record(&layout, 0, record, "");
    for (uint64_t i = 0; tail->offset + (i + 1) * tail->element_size <= size; i++) {
        struct rh_text path = {0};
        rh_text_addf(&path, "%s[%u]", tail->name, (unsigned)i);
        add_element(&layout, tail->offset + i * tail->element_size, tail->element_size, tail,
                    rh_text_get(&path));
        rh_text_fini(&path);
    }
    return keep_all(sym, &layout);
}

struct rh__sym_leaves rh__sym_leaves_of_block(struct rh__sym *sym, const char *record,
                                              uint64_t record_size,
                                              const struct rh_ir_field *target, uint64_t size)
{
    const struct rh_ir_record *found =
        record ? rh_ir_record_find(sym->module, record, record_size) : NULL;
    const struct rh_ir_field *tail = target ? NULL : rh__sym_tail_of(found);
    if (tail && size >= found->size && size / tail->element_size <= ELEMENTS_MOST)
        return leaves_with_tail(sym, found, size);
    uint64_t each = target ? target->size : found ? found->size : 0;
    bool is_array = each > 0 && size % each == 0 && (target || size > each);
    if (!is_array || size / each > ELEMENTS_MOST)
        return rh__sym_leaves_of(sym, record, size);
    struct layout layout = {.sym = sym};
    for (uint64_t i = 0; i < size / each; i++) {
        char path[32];
        snprintf(path, sizeof path, "[%u]", (unsigned)i);
        if (target)
            add_leaf(&layout, i * each, each, target, path);
        else
            add_record(&layout, i * each, found, path);
    }
    return keep_all(sym, &layout);
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
    struct rh__sym_leaves leaves = keep_all(sym, &layout);
    *rh_vector_push(&sym->laid_out) =
        (struct rh__sym_laid_out){rh_arena_text(&sym->arena, record, strlen(record)), size, leaves};
    return leaves;
}
