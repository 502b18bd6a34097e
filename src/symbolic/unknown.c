// SPDX-License-Identifier: MIT
// What nobody knows: states and messages whose fields are variables, and addresses that are decided
// when something first depends on them. An unknown address is null, one of those that there are, or
// that of something new; an unknown actor is never one that the program has created (rules asy 1 to
// asy 3 of aPET).
#include <stdio.h>
#include <string.h>

#include "symbolic/internal.h"

bool rh__sym_is_actor(const struct rh_ir_field *field)
{
    return field && field->is_pointer && field->record && !strcmp(field->record, "rh_actor");
}

static rh_term add_variable(struct rh__sym *sym, unsigned bits, const char *name,
                            struct rh__sym_unknown unknown)
{
    for (size_t i = 0; i < sym->terms.variables.count; i++)
        if (!strcmp(sym->terms.variables.items[i].name, name))
            return sym->terms.variables.items[i].term;
    rh_term term = rh_term_variable(&sym->terms, bits, name);
    *rh_vector_push(&sym->unknowns) = unknown;
    rh_assert(sym->unknowns.count == sym->terms.variables.count);
    return term;
}

// Gives every variable a value here.
static void make_room(struct rh__sym *sym, struct rh__sym_situation *situation)
{
    while (situation->values.count < sym->terms.variables.count)
        *rh_vector_push(&situation->values) = 0;
}

rh_term rh__sym_variable(struct rh__sym *sym, struct rh__sym_situation *situation, unsigned bits,
                         const char *name, struct rh__sym_unknown unknown)
{
    rh_term term = add_variable(sym, bits, name, unknown);
    make_room(sym, situation);
    return term;
}

// What is known of a field's value. `place`: where addresses in it come from, for counting.
static struct rh__sym_unknown unknown_of(struct rh__sym *sym, const struct rh_ir_field *field,
                                         const char *place)
{
    struct rh__sym_unknown unknown = {
        .is_pointer = field->is_pointer,
        .is_signed = field->is_signed,
        .record = field->record,
        .record_size = field->record_size,
        .target = field->target,
        .site = rh__sym_site(sym, place),
        .is_actor = rh__sym_is_actor(field),
        .kept = RH_NONE,
    };
    return unknown;
}

static rh_term leaf_variable(struct rh__sym *sym, const struct rh__sym_leaf *leaf,
                             const char *prefix, const char *record, struct rh__sym_owner owner)
{
    struct rh__sym_unknown unknown = {.kept = RH_NONE};
    struct rh_text name = {0};
    if (leaf->field) {
        rh_text_addf(&name, "%s.%s", record, leaf->field->name);
        unknown = unknown_of(sym, leaf->field, rh_text_get(&name));
        if (unknown.is_actor)
            unknown.kept = rh__sym_kept_find(sym, owner, leaf->offset);
        rh_text_clear(&name);
    }
    rh_text_addf(&name, "%s.%s", prefix, leaf->path);
    rh_term term = add_variable(sym, (unsigned)leaf->size * 8, rh_text_get(&name), unknown);
    rh_text_fini(&name);
    return term;
}

// A truth value has no other values than these.
static void assume_truth(struct rh__sym *sym, struct rh__sym_situation *situation,
                         const struct rh_ir_field *field, rh_term term)
{
    if (field && field->is_truth)
        rh__sym_assume(
            sym, situation,
            rh_term_make2(&sym->terms, RH_TERM_BELOW, term, rh_term_constant(&sym->terms, 8, 2)),
            true);
}

// A part of an object that gets variables named `prefix.field`.
struct part {
    const char *prefix;
    const char *record; // whose leaves these are; NULL: not known
    struct rh__sym_owner owner;
    uint64_t base; // of the leaves in the object
    uint64_t from; // leaves before are there already
};

static void forget(struct rh__sym *sym, struct rh__sym_situation *situation,
                   struct rh__sym_object **object, struct rh__sym_leaves leaves,
                   const struct part *part)
{
    for (uint32_t i = 0; i < leaves.count; i++) {
        const struct rh__sym_leaf *leaf = &leaves.items[i];
        if (leaf->offset < part->from)
            continue;
        rh_term term =
            leaf_variable(sym, leaf, part->prefix, part->record ? part->record : "?", part->owner);
        rh__sym_object_write(sym, object, part->base + leaf->offset, leaf->size, term);
        assume_truth(sym, situation, leaf->field, term);
    }
    make_room(sym, situation);
}

uint32_t rh__sym_unknown_object(struct rh__sym *sym, struct rh__sym_situation *situation,
                                const char *record, uint64_t size, const char *prefix,
                                struct rh__sym_owner owner)
{
    struct rh__sym_object *object = rh__sym_object_new(size, RH__SYM_REST_ZERO);
    forget(sym, situation, &object, rh__sym_leaves_of(sym, record, size),
           &(struct part){.prefix = prefix, .record = record, .owner = owner});
    return rh__sym_object_add(situation, object);
}

// Numbers or addresses behind a pointer: as many as loops go round. Those behind them are cut off.
static uint32_t unknown_array(struct rh__sym *sym, struct rh__sym_situation *situation,
                              const struct rh_ir_field *target, const char *name)
{
    uint64_t count = sym->options->loop ? sym->options->loop : 1;
    struct rh__sym_object *object = rh__sym_object_new(count * target->size, RH__SYM_REST_ZERO);
    object->is_open = true;
    struct rh_text text = {0};
    rh_text_addf(&text, "*%s", name);
    struct rh__sym_unknown unknown = unknown_of(sym, target, rh_text_get(&text));
    for (uint64_t i = 0; i < count; i++) {
        rh_text_clear(&text);
        rh_text_addf(&text, "%s[%u]", name, (unsigned)i);
        rh_term term = add_variable(sym, (unsigned)target->size * 8, rh_text_get(&text), unknown);
        rh__sym_object_write(sym, &object, i * target->size, (unsigned)target->size, term);
        assume_truth(sym, situation, target, term);
    }
    rh_text_fini(&text);
    make_room(sym, situation);
    return rh__sym_object_add(situation, object);
}

rh_term rh__sym_settle(struct rh__sym *sym, const struct rh__sym_situation *situation, rh_term term)
{
    for (size_t i = 0; i < situation->bindings.count; i++) {
        uint64_t number;
        if (rh_term_is_constant(&sym->terms, term, &number))
            return term;
        const struct rh__sym_binding *binding = &situation->bindings.items[i];
        term = rh_term_substitute(
            &sym->terms, term, sym->terms.variables.items[binding->variable].term, binding->value);
    }
    return term;
}

// --- Deciding. ---

static void bind(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t variable,
                 uint64_t address)
{
    *rh_vector_push(&situation->bindings) =
        (struct rh__sym_binding){variable, rh_term_constant(&sym->terms, 64, address)};
    situation->values.items[variable] = address;
}

// Whether an actor can be the one that is to get a message.
static bool is_compatible(struct rh__sym *sym, const struct rh__sym_actor *actor)
{
    return sym->wanted == RH_NONE || actor->behaviour == RH_NONE ||
           rh__sym_handling_of(sym, actor->behaviour, sym->wanted)->is_taken;
}

static void decide_alias(struct rh__sym *sym, const struct rh__sym_situation *situation,
                         uint32_t variable)
{
    for (uint32_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *actor = &situation->actors.items[i];
        bool may_be = actor->parent == RH_NONE && is_compatible(sym, actor) &&
                      rh__sym_kept_has(sym, sym->unknowns.items[variable].kept, actor->behaviour);
        sym->leaves_out_addresses |= !may_be && !actor->is_outside;
        if (!may_be || actor->is_outside)
            continue;
        struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
        bind(sym, copy, variable, rh__sym_actor_address(i));
        rh__sym_push(sym, copy);
    }
}

static bool is_too_many(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t site)
{
    while (situation->created.count <= site)
        *rh_vector_push(&situation->created) = 0;
    if (++situation->created.items[site] <= sym->options->actors_each)
        return false;
    rh__sym_cut(sym, situation, RH_CUT_ACTOR);
    return true;
}

static void decide_new_actor(struct rh__sym *sym, const struct rh__sym_situation *situation,
                             uint32_t variable)
{
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    const struct rh__sym_unknown unknown = sym->unknowns.items[variable];
    if (!is_too_many(sym, copy, unknown.site)) {
        bind(sym, copy, variable, rh__sym_actor_address((uint32_t)copy->actors.count));
        *rh_vector_push(&copy->actors) = (struct rh__sym_actor){.behaviour = RH_NONE,
                                                                .state = RH_NONE,
                                                                .parent = RH_NONE,
                                                                .at_stop = RH_NONE,
                                                                .kept = unknown.kept,
                                                                .name = "unknown"};
    }
    rh__sym_push(sym, copy);
}

// Whether a pointer leads to numbers or addresses.
static bool leads_to_array(const struct rh__sym_unknown *unknown)
{
    return unknown->target && unknown->target->size <= 8 && unknown->target->count == 1;
}

// What an unknown pointer leads to, as a new object; RH_NONE: nobody knows what that would be.
static uint32_t new_target(struct rh__sym *sym, struct rh__sym_situation *situation,
                           uint32_t variable)
{
    struct rh__sym_unknown unknown = sym->unknowns.items[variable];
    const char *name = sym->terms.variables.items[variable].name;
    if (leads_to_array(&unknown))
        return unknown_array(sym, situation, unknown.target, name);
    if (!unknown.record || !unknown.record_size)
        return RH_NONE;
    struct rh_text prefix = {0};
    rh_text_addf(&prefix, "(*%s)", name);
    uint32_t object =
        rh__sym_unknown_object(sym, situation, unknown.record, unknown.record_size,
                               rh_text_get(&prefix), (struct rh__sym_owner){RH_NONE, NULL});
    rh_text_fini(&prefix);
    situation->objects.items[object]->is_open = true;
    return object;
}

const struct rh__sym_block *rh__sym_block_at(const struct rh__sym_situation *situation,
                                             uint64_t address)
{
    for (size_t i = 0; i < situation->blocks.count; i++)
        if (rh__sym_object_address(situation->blocks.items[i].object) == address)
            return &situation->blocks.items[i];
    return NULL;
}

static bool has_cell(const struct rh__sym_object *object, rh_term term)
{
    for (uint32_t i = 0; object && i < object->count; i++)
        if (object->cells[i].term == term)
            return true;
    return false;
}

// The actor to whose memory an address leads: the one whose state, or a block of it, has it at the
// beginning. The first message comes from outside, and leads to blocks of its receiver.
static uint32_t owner_of(struct rh__sym *sym, const struct rh__sym_situation *situation,
                         uint32_t variable)
{
    rh_term term = sym->terms.variables.items[variable].term;
    for (uint32_t i = 0; i < situation->actors.count; i++)
        if (has_cell(situation->actors.items[i].initial, term))
            return i;
    for (size_t i = 0; i < situation->blocks.count; i++)
        if (has_cell(situation->blocks.items[i].initial, term))
            return situation->blocks.items[i].owner;
    return 0;
}

static void add_block(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t object,
                      uint32_t variable)
{
    uint32_t owner = owner_of(sym, situation, variable);
    const struct rh__sym_unknown *unknown = &sym->unknowns.items[variable];
    struct rh__sym_object *initial = situation->objects.items[object];
    initial->is_heap = true;
    initial->owner = owner;
    initial->references++;
    bool is_array = leads_to_array(unknown);
    *rh_vector_push(&situation->blocks) =
        (struct rh__sym_block){.object = object,
                               .owner = owner,
                               .name = sym->terms.variables.items[variable].name,
                               .initial = initial,
                               .record = is_array ? NULL : unknown->record,
                               .record_size = unknown->record_size,
                               .target = is_array ? unknown->target : NULL};
    // The padding behind a struct may be the beginning of what it ends in.
    rh__sym_block_grow(sym, situation, object, initial->size);
}

static void decide_new_object(struct rh__sym *sym, const struct rh__sym_situation *situation,
                              uint32_t variable)
{
    struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
    if (!is_too_many(sym, copy, sym->unknowns.items[variable].site)) {
        uint32_t object = new_target(sym, copy, variable);
        if (object == RH_NONE) {
            rh__sym_end_with(sym, copy, RH__SYM_UNKNOWN, "what the pointer %s leads to",
                             sym->terms.variables.items[variable].name);
        } else {
            add_block(sym, copy, object, variable);
            bind(sym, copy, variable, rh__sym_object_address(object));
        }
    }
    rh__sym_push(sym, copy);
}

// --- Blocks of which more is told. ---

// How the elements of a block lie that more can be told of.
struct row {
    uint64_t first, each; // bytes
    bool is_tail;         // they are what a struct ends in; otherwise structs themselves
};

static struct row row_of(const struct rh__sym *sym, const struct rh__sym_block *block)
{
    const struct rh_ir_record *record =
        block->record ? rh_ir_record_find(sym->module, block->record, block->record_size) : NULL;
    const struct rh_ir_field *tail = rh__sym_tail_of(record);
    return tail ? (struct row){tail->offset, tail->element_size, true}
                : (struct row){0, block->record_size, false};
}

// Gives the elements variables, from the first that has none up to `count`.
static void tell(struct rh__sym *sym, struct rh__sym_situation *situation,
                 struct rh__sym_object **object, const struct rh__sym_block *block, uint64_t count)
{
    struct row row = row_of(sym, block);
    struct rh_text prefix = {0};
    struct part part = {.record = block->record, .owner = {RH_NONE, NULL}};
    uint64_t size = row.first + count * row.each;
    rh__sym_object_own_at(object);
    if (size > (*object)->size)
        (*object)->size = size;
    for (uint64_t i = block->told; i < count && !row.is_tail; i++) {
        rh_text_clear(&prefix);
        rh_text_addf(&prefix, "%s[%u]", block->name, (unsigned)i);
        part.prefix = rh_text_get(&prefix);
        part.base = i * row.each;
        forget(sym, situation, object, rh__sym_leaves_of(sym, block->record, row.each), &part);
    }
    if (row.is_tail) {
        rh_text_addf(&prefix, "(*%s)", block->name);
        part.prefix = rh_text_get(&prefix);
        part.from = row.first + block->told * row.each;
        forget(
            sym, situation, object,
            rh__sym_leaves_of_block(sym, block->record, block->record_size, NULL, (*object)->size),
            &part);
    }
    rh_text_fini(&prefix);
}

void rh__sym_block_grow(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t object,
                        uint64_t end)
{
    struct rh__sym_block *block = NULL;
    for (size_t i = 0; i < situation->blocks.count; i++)
        if (situation->blocks.items[i].object == object)
            block = &situation->blocks.items[i];
    if (!block || !block->record || !block->record_size)
        return;
    struct row row = row_of(sym, block);
    uint64_t most = sym->options->loop ? sym->options->loop : 1;
    uint64_t told = block->told ? block->told : !row.is_tail;
    uint64_t count = end <= row.first ? 0 : (end - row.first - 1) / row.each + 1;
    count = row.is_tail && end == block->record_size ? (end - row.first) / row.each
            : count < most                           ? count
                                                     : most;
    block->told = told;
    if (count <= told)
        return;
    tell(sym, situation, &block->initial, block, count);
    tell(sym, situation, &situation->objects.items[object], block, count);
    block->told = count;
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

// Whether two pointers lead to numbers or addresses of one type.
static bool is_same_target(const struct rh_ir_field *a, const struct rh_ir_field *b)
{
    if (!a || !b)
        return a == b;
    return a->size == b->size && a->is_pointer == b->is_pointer && a->is_real == b->is_real &&
           a->is_signed == b->is_signed && a->is_truth == b->is_truth &&
           is_same(a->record, b->record) && is_same_target(a->target, b->target);
}

// Blocks of the same actor that hold what the address leads to: lists that come together, cycles.
static void decide_known_block(struct rh__sym *sym, const struct rh__sym_situation *situation,
                               uint32_t variable)
{
    const struct rh__sym_unknown *unknown = &sym->unknowns.items[variable];
    uint32_t owner = owner_of(sym, situation, variable);
    for (size_t i = 0; i < situation->blocks.count; i++) {
        const struct rh__sym_block *block = &situation->blocks.items[i];
        bool fits = block->owner == owner && is_same_target(block->target, unknown->target) &&
                    (block->target || is_same(block->record, unknown->record));
        if (!fits)
            continue;
        struct rh__sym_situation *copy = rh__sym_situation_copy(sym, situation);
        bind(sym, copy, variable, rh__sym_object_address(block->object));
        rh__sym_push(sym, copy);
    }
}

// Null in this situation; a copy for each other way.
static void decide_variable(struct rh__sym *sym, struct rh__sym_situation *situation,
                            uint32_t variable)
{
    if (sym->unknowns.items[variable].is_actor) {
        if (!sym->options->no_aliases)
            decide_alias(sym, situation, variable);
        if (!sym->options->is_closed)
            decide_new_actor(sym, situation, variable);
    } else if (!sym->options->is_closed) {
        if (sym->options->block_aliases)
            decide_known_block(sym, situation, variable);
        decide_new_object(sym, situation, variable);
    } else {
        sym->leaves_out_addresses = true;
    }
    bind(sym, situation, variable, 0);
}

// An address that nobody knows in a sum of an address and offsets.
static uint32_t unknown_in(struct rh__sym *sym, rh_term term)
{
    const struct rh_term_node *node = rh_term_get(&sym->terms, term);
    if (node->operation == RH_TERM_VARIABLE)
        return sym->unknowns.items[node->number].is_pointer ? (uint32_t)node->number : RH_NONE;
    if (node->operation != RH_TERM_ADD)
        return RH_NONE;
    rh_term b = node->b;
    uint32_t left = unknown_in(sym, node->a);
    return left != RH_NONE ? left : unknown_in(sym, b);
}

// A choice between addresses in a sum.
static rh_term choice_in(struct rh__sym *sym, rh_term term)
{
    const struct rh_term_node *node = rh_term_get(&sym->terms, term);
    if (node->operation == RH_TERM_CHOICE)
        return term;
    if (node->operation != RH_TERM_ADD)
        return RH_NONE;
    rh_term b = node->b, left = choice_in(sym, node->a);
    return left != RH_NONE ? left : choice_in(sym, b);
}

static rh_term replace_in(struct rh__sym *sym, rh_term term, rh_term old, rh_term new)
{
    if (term == old)
        return new;
    struct rh_term_node node = *rh_term_get(&sym->terms, term);
    if (node.operation != RH_TERM_ADD)
        return term;
    return rh_term_make2(&sym->terms, RH_TERM_ADD, replace_in(sym, node.a, old, new),
                         replace_in(sym, node.b, old, new));
}

bool rh__sym_decide(struct rh__sym *sym, struct rh__sym_situation *situation, rh_term *address)
{
    for (;;) {
        *address = rh__sym_settle(sym, situation, *address);
        rh_term choice = choice_in(sym, *address);
        if (choice != RH_NONE) {
            struct rh_term_node node = *rh_term_get(&sym->terms, choice);
            struct rh__sym_situation *other = NULL;
            bool holds = rh__sym_fork(sym, situation, node.a, &other);
            if (other)
                rh__sym_push(sym, other);
            *address = replace_in(sym, *address, choice, holds ? node.b : node.c);
            continue;
        }
        uint32_t variable = unknown_in(sym, *address);
        if (variable == RH_NONE)
            return true;
        decide_variable(sym, situation, variable);
    }
}
