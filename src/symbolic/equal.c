// SPDX-License-Identifier: MIT
// Which situations are equal but for the order of deliveries that are independent of each other.
#include "symbolic/forward.h"

static void add_number(struct rh_text *text, uint64_t number)
{
    rh_text_add_bytes(text, &number, sizeof number);
}

static void add_object(struct rh_text *text, const struct rh__sym_situation *situation,
                       uint32_t number)
{
    const struct rh__sym_object *object =
        number == RH_NONE ? NULL : situation->objects.items[number];
    add_number(text, object ? object->size + 1 : 0);
    for (uint32_t i = 0; object && i < object->count; i++) {
        add_number(text, object->cells[i].offset | (uint64_t)object->cells[i].size << 32);
        add_number(text, object->cells[i].term);
    }
}

static rh_hash128 hash_text(const struct rh_text *text)
{
    return rh_hash128_of(text->bytes, text->length, 0);
}

// A sum does not depend on the order; of one sender to one receiver it counts how many come before.
static rh_hash128 hash_pending(struct rh__sym_seen *seen, const struct rh__sym_situation *situation)
{
    rh_hash128 sum = 0;
    for (size_t i = 0; i < situation->pending.count; i++) {
        const struct rh__sym_message *message = &situation->pending.items[i];
        uint64_t before = 0;
        for (size_t k = 0; k < i; k++)
            before += situation->pending.items[k].receiver == message->receiver &&
                      situation->pending.items[k].sender == message->sender;
        rh_text_clear(&seen->text);
        add_number(&seen->text, message->identity);
        add_number(&seen->text, message->guard | (uint64_t)message->kind << 32);
        add_number(&seen->text, message->due);
        add_number(&seen->text, before);
        add_object(&seen->text, situation, message->payload);
        sum += hash_text(&seen->text);
    }
    return sum;
}

static rh_hash128 hash_conditions(struct rh__sym_seen *seen,
                                  const struct rh__sym_situation *situation)
{
    rh_hash128 sum = 0;
    for (const struct rh__sym_condition *each = situation->conditions; each; each = each->before) {
        rh_text_clear(&seen->text);
        add_number(&seen->text, each->term);
        sum += hash_text(&seen->text);
    }
    return sum;
}

static void add_actors(struct rh_text *text, const struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *actor = &situation->actors.items[i];
        add_number(text, actor->identity);
        add_number(text, actor->behaviour);
        add_number(text, actor->is_stopped);
        add_number(text, actor->now);
        add_number(text, actor->at_stop);
        add_object(text, situation, actor->state);
    }
    for (size_t i = 0; i < situation->comings.count; i++)
        add_number(text, situation->comings.items[i].came);
    for (size_t i = 0; i < situation->bindings.count; i++) {
        add_number(text, situation->bindings.items[i].variable);
        add_number(text, situation->bindings.items[i].value);
    }
    for (size_t i = 0; i < situation->objects.count; i++)
        if (situation->objects.items[i] && situation->objects.items[i]->is_heap)
            add_object(text, situation, (uint32_t)i);
}

bool rh__sym_has_wait(const struct rh__sym_situation *situation)
{
    for (size_t i = 0; i < situation->actors.count; i++)
        if (situation->actors.items[i].wait)
            return true;
    return false;
}

// Notes the situation; false if an equal one was there. What waiting handlers have on their stacks
// is not looked at: such situations count as new.
bool rh__sym_is_new(struct rh__sym_seen *seen, const struct rh__sym_situation *situation)
{
    if (rh__sym_has_wait(situation))
        return true;
    rh_hash128 parts[2] = {hash_pending(seen, situation), hash_conditions(seen, situation)};
    rh_text_clear(&seen->text);
    rh_text_add_bytes(&seen->text, parts, sizeof parts);
    add_number(&seen->text, situation->arrivals ? situation->arrivals->count : 0);
    add_actors(&seen->text, situation);
    rh_hash128 hash = hash_text(&seen->text);
    struct rh_probe probe = rh_table_probe(&seen->table, (uint64_t)hash);
    while (rh_probe_next(&probe))
        if (seen->hashes.items[probe.number] == hash)
            return false;
    rh_table_add(&seen->table, NULL, (uint64_t)hash, (uint32_t)seen->hashes.count);
    *rh_vector_push(&seen->hashes) = hash;
    return true;
}

void rh__sym_seen_fini(struct rh__sym_seen *seen)
{
    rh_vector_fini(&seen->hashes);
    rh_table_fini(&seen->table);
    rh_text_fini(&seen->text);
}
