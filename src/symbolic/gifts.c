// SPDX-License-Identifier: MIT
// What messages and new states carry: bytes, and blocks that rh_give has handed over. A block that
// is given moves: while it travels nobody can look at it, and its receiver finds it elsewhere.
#include "symbolic/operations.h"

// The number of the object that a constant leads into; RH_NONE: none.
static uint32_t object_at(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                          rh_term term)
{
    uint64_t number;
    if (!rh_term_is_constant(&sym->terms, term, &number) || number < RH__SYM_OBJECTS ||
        number >= RH__SYM_ACTORS)
        return RH_NONE;
    uint64_t index = (number - RH__SYM_OBJECTS) >> RH__SYM_OBJECT_BITS;
    bool is_there = index < situation->objects.count && situation->objects.items[index];
    return is_there ? (uint32_t)index : RH_NONE;
}

// The object under another number: what led to it leads nowhere.
static uint32_t move(struct rh__sym_situation *situation, uint32_t object)
{
    struct rh__sym_object *moved = rh__sym_object_own(situation, object);
    situation->objects.items[object] = NULL;
    return rh__sym_object_add(situation, moved);
}

// rh__give(pointer, file, line)
enum rh__sym_served rh__sym_op_give(struct rh__sym *sym, struct rh__sym_situation *situation,
                                    const rh__sym_value *arguments, rh__sym_value *value)
{
    rh_term address = arguments[0];
    uint64_t number = 0;
    if (!rh__sym_decide(sym, situation, &address))
        return RH__SYM_AGAIN;
    if (!rh_term_is_constant(&sym->terms, address, &number))
        return rh__sym_operation_unknown(sym, situation, "rh_give of an address that is not known");
    uint32_t index = object_at(sym, situation, address);
    const struct rh__sym_object *block = index == RH_NONE ? NULL : situation->objects.items[index];
    if (!block || number & UINT32_MAX || !block->is_heap || block->size == 0 || block->is_given ||
        block->is_travelling || block->owner != situation->running)
        return rh__sym_operation_broken(sym, situation,
                                        "rh_give of what is no block of this actor");
    uint32_t moved = move(situation, index);
    situation->objects.items[moved]->is_given = true;
    *value = rh_term_constant(&sym->terms, 64, rh__sym_object_address(moved));
    return RH__SYM_SERVED;
}

// --- What is sent. ---

// Bytes on their way, or a block that they hand over.
struct carried {
    const struct rh__sym_object *bytes;
    struct rh__sym_leaves leaves; // pointers that the type says
    bool is_known;                // there is a type
};

static const struct rh_ir_field *pointer_at(const struct carried *carried, uint32_t offset)
{
    for (uint32_t i = 0; i < carried->leaves.count; i++) {
        const struct rh__sym_leaf *leaf = &carried->leaves.items[i];
        if (leaf->offset == offset)
            return leaf->field && leaf->field->is_pointer ? leaf->field : NULL;
    }
    return NULL;
}

// Decides the addresses of other things than actors, before anything is changed: what they lead to
// matters.
static bool decide_all(struct rh__sym *sym, struct rh__sym_situation *situation,
                       const struct carried *carried)
{
    for (uint32_t i = 0; i < carried->bytes->count; i++) {
        const struct rh__sym_cell *cell = &carried->bytes->cells[i];
        const struct rh_ir_field *field =
            cell->size == 8 ? pointer_at(carried, cell->offset) : NULL;
        rh_term term = cell->term;
        if (field && !rh__sym_is_actor(field) && !rh__sym_decide(sym, situation, &term))
            return false;
    }
    return true;
}

// Whether a pointer into memory of actors, or of a stack, breaks the rule: what a test's body has
// allocated is for all. Of bytes without a type only the start of a state or of a block counts.
static bool is_private(const struct rh__sym *sym, const struct rh__sym_situation *situation,
                       const struct carried *carried, const struct rh__sym_cell *cell, rh_term term)
{
    uint32_t object = object_at(sym, situation, term);
    uint64_t number = 0;
    if (object == RH_NONE)
        return false;
    const struct rh__sym_object *it = situation->objects.items[object];
    if (it->is_given || it->is_travelling || (rh__sym_is_body(situation) && !it->is_stack))
        return false;
    rh_term_is_constant(&sym->terms, term, &number);
    if (carried->is_known)
        return pointer_at(carried, cell->offset);
    bool is_own_state =
        !rh__sym_is_body(situation) && object == situation->actors.items[situation->running].state;
    return !(number & UINT32_MAX) &&
           (is_own_state || (it->is_heap && it->owner == situation->running));
}

static bool has_private(struct rh__sym *sym, const struct rh__sym_situation *situation,
                        const struct carried *carried)
{
    for (uint32_t i = 0; i < carried->bytes->count; i++) {
        const struct rh__sym_cell *cell = &carried->bytes->cells[i];
        if (cell->size == 8 &&
            is_private(sym, situation, carried, cell, rh__sym_settle(sym, situation, cell->term)))
            return true;
    }
    return false;
}

// Whether a pointer leads to where an object was that has been freed or has moved. Whose memory
// that was is not known any more.
static bool has_gone(struct rh__sym *sym, const struct rh__sym_situation *situation,
                     const struct carried *carried)
{
    for (uint32_t i = 0; i < carried->bytes->count; i++) {
        const struct rh__sym_cell *cell = &carried->bytes->cells[i];
        uint64_t number;
        if (cell->size == 8 && carried->is_known && pointer_at(carried, cell->offset) &&
            rh_term_is_constant(&sym->terms, rh__sym_settle(sym, situation, cell->term), &number) &&
            number >= RH__SYM_OBJECTS && number < RH__SYM_ACTORS &&
            object_at(sym, situation, rh_term_constant(&sym->terms, 64, number)) == RH_NONE)
            return true;
    }
    return false;
}

// A block that a field hands over, if its type says what the block holds.
static bool is_gift(struct rh__sym *sym, const struct rh__sym_situation *situation,
                    const struct carried *carried, const struct rh__sym_cell *cell,
                    struct carried *gift)
{
    const struct rh_ir_field *field = cell->size == 8 ? pointer_at(carried, cell->offset) : NULL;
    uint32_t object = field && field->record
                          ? object_at(sym, situation, rh__sym_settle(sym, situation, cell->term))
                          : RH_NONE;
    if (object == RH_NONE || !situation->objects.items[object]->is_given)
        return false;
    gift->bytes = situation->objects.items[object];
    gift->leaves =
        rh__sym_leaves_of_block(sym, field->record, field->record_size, NULL, gift->bytes->size);
    gift->is_known = true;
    return true;
}

// Whether bytes may be sent, with the blocks that they hand over. Otherwise the situation has
// ended, or goes on elsewhere.
static bool may_go(struct rh__sym *sym, struct rh__sym_situation *situation,
                   const struct carried *carried)
{
    if (!decide_all(sym, situation, carried))
        return false;
    bool is_broken = has_private(sym, situation, carried);
    bool is_gone = has_gone(sym, situation, carried);
    for (uint32_t i = 0; i < carried->bytes->count && !is_broken; i++) {
        struct carried gift;
        if (!is_gift(sym, situation, carried, &carried->bytes->cells[i], &gift))
            continue;
        if (!decide_all(sym, situation, &gift))
            return false;
        is_broken = has_private(sym, situation, &gift);
        is_gone = is_gone || has_gone(sym, situation, &gift);
    }
    if (is_broken)
        rh__sym_operation_broken(sym, situation, "a pointer into the sender's memory");
    else if (is_gone)
        rh__sym_operation_unknown(sym, situation, "a pointer to memory that is gone");
    return !is_broken && !is_gone;
}

// Blocks that were given travel with the first message that carries them; in a further one the
// pointer leads nowhere.
static void send_off(struct rh__sym *sym, struct rh__sym_situation *situation,
                     struct rh__sym_object **copy)
{
    for (uint32_t i = 0; i < (*copy)->count; i++) {
        struct rh__sym_cell *cell = &(*copy)->cells[i];
        uint32_t object =
            cell->size == 8 ? object_at(sym, situation, rh__sym_settle(sym, situation, cell->term))
                            : RH_NONE;
        const struct rh__sym_object *it =
            object == RH_NONE ? NULL : situation->objects.items[object];
        if (it && it->is_given) {
            struct rh__sym_object *block = rh__sym_object_own(situation, object);
            block->is_given = false;
            block->is_travelling = true;
        } else if (it && it->is_travelling) {
            uint32_t nowhere = rh__sym_object_add(situation, NULL);
            cell->term = rh_term_constant(&sym->terms, 64, rh__sym_object_address(nowhere));
        }
    }
}

bool rh__sym_copy_bytes(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh__sym_copying *copying, struct rh__sym_object **copy)
{
    uint64_t bytes, offset;
    struct rh__sym_place place;
    *copy = NULL;
    if (!rh__sym_length(sym, situation, copying->size, &bytes))
        return false;
    if (bytes == 0)
        return true;
    if (!rh__sym_find_fixed(sym, situation, copying->address, bytes, &place, &offset))
        return false;
    *copy = rh__sym_object_new(bytes, RH__SYM_REST_ZERO);
    rh__sym_object_copy(sym, copy, 0, rh__sym_object_at(sym, situation, &place), offset, bytes);
    struct carried carried = {
        .bytes = *copy,
        .leaves = rh__sym_leaves_of_block(sym, copying->record, copying->record_size, NULL, bytes),
        .is_known = copying->record,
    };
    if (!may_go(sym, situation, &carried)) {
        rh__sym_object_release(*copy);
        return false;
    }
    if (!copying->is_state)
        send_off(sym, situation, copy);
    return true;
}

bool rh__sym_copy_payload(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t type,
                          const rh__sym_value *arguments, struct rh__sym_object **payload)
{
    struct rh__sym_copying copying = {.address = arguments[0],
                                      .size = arguments[1],
                                      .record = sym->types.items[type].name,
                                      .record_size = sym->types.items[type].size};
    return rh__sym_copy_bytes(sym, situation, &copying, payload);
}

// --- What comes. ---

void rh__sym_take_gifts(struct rh__sym *sym, struct rh__sym_situation *situation,
                        const struct rh__sym_message *message)
{
    const struct rh__sym_object *payload =
        message->payload == RH_NONE ? NULL : situation->objects.items[message->payload];
    for (uint32_t i = 0; payload && i < payload->count; i++) {
        uint32_t object = payload->cells[i].size == 8
                              ? object_at(sym, situation, payload->cells[i].term)
                              : RH_NONE;
        if (object == RH_NONE || !situation->objects.items[object]->is_travelling)
            continue;
        uint32_t moved = move(situation, object);
        situation->objects.items[moved]->is_travelling = false;
        situation->objects.items[moved]->owner = message->receiver;
        payload = rh__sym_object_own(situation, message->payload);
        situation->objects.items[message->payload]->cells[i].term =
            rh_term_constant(&sym->terms, 64, rh__sym_object_address(moved));
    }
}

void rh__sym_lose_gifts(struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->objects.count; i++) {
        struct rh__sym_object **slot = &situation->objects.items[i];
        if (*slot && (*slot)->is_given) {
            rh__sym_object_release(*slot);
            *slot = NULL;
        }
    }
}

void rh__sym_free_own(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t actor)
{
    if (rh__sym_is_shared(sym, situation))
        return;
    for (size_t i = 0; i < situation->objects.count; i++) {
        struct rh__sym_object **slot = &situation->objects.items[i];
        if (*slot && (*slot)->is_heap && (*slot)->owner == actor && !(*slot)->is_travelling) {
            rh__sym_object_release(*slot);
            *slot = NULL;
        }
    }
}
