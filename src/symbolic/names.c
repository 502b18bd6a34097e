// SPDX-License-Identifier: MIT
// Identities and names of actors and messages, as the world has them (world/names.c, world.c): what
// is found here is looked for there by its name.
#include <string.h>

#include "symbolic/internal.h"

// The how manieth of this delivery has the key.
static uint32_t tally(struct rh__sym_situation *situation, uint64_t key)
{
    for (size_t i = 0; i < situation->tallies.count; i++)
        if (situation->tallies.items[i].key == key)
            return ++situation->tallies.items[i].count;
    *rh_vector_push(&situation->tallies) = (struct rh__sym_tally){key, 1};
    return 1;
}

static const char *name_of(struct rh__sym *sym, const struct rh__sym_situation *situation,
                           const struct rh__sym_actor *actor, uint32_t number)
{
    struct rh_text text = {0};
    const struct rh__sym_actor *parent =
        actor->parent == RH_NONE ? NULL : &situation->actors.items[actor->parent];
    if (parent)
        rh_text_add(&text, parent->name);
    if (parent && !strcmp(parent->spawned_as, actor->spawned_as)) {
        rh_text_add(&text, ".");
    } else {
        rh_text_add(&text, parent ? "/" : "");
        rh_identity_add_behaviour(&text, actor->spawned_as);
        rh_text_add(&text, "#");
    }
    if (parent && situation->tag)
        rh_identity_add_mark(&text, situation->tag);
    rh_text_addf(&text, "%u", (unsigned)number);
    const char *name = rh_arena_text(&sym->arena, rh_text_get(&text), text.length);
    rh_text_fini(&text);
    return name;
}

// How many initial actors of this behaviour come before: the test's body creates them all.
static uint32_t initial_number(const struct rh__sym_situation *situation, uint32_t index)
{
    uint32_t number = 1;
    const char *as = situation->actors.items[index].spawned_as;
    for (uint32_t i = 0; i < situation->actors.count; i++) {
        const struct rh__sym_actor *each = &situation->actors.items[i];
        number += i != index && each->parent == RH_NONE && each->spawned_as && each->name &&
                  !strcmp(each->spawned_as, as);
    }
    return number;
}

void rh__sym_name_actor(struct rh__sym *sym, struct rh__sym_situation *situation, uint32_t index)
{
    struct rh__sym_actor *actor = &situation->actors.items[index];
    bool is_initial = actor->parent == RH_NONE;
    actor->creating = is_initial ? rh_identity_body() : situation->delivery;
    if (!actor->spawned_as)
        actor->spawned_as = "?";
    uint64_t key = rh_identity_actor_key(actor->spawned_as, actor->creating);
    uint32_t number = is_initial ? initial_number(situation, index) : tally(situation, key);
    actor->identity = rh_identity_nth(key, number);
    actor->name = name_of(sym, situation, actor, number);
}

void rh__sym_name_message(struct rh__sym *sym, struct rh__sym_situation *situation,
                          struct rh__sym_message *message)
{
    struct rh__sym_actor *receiver = &situation->actors.items[message->receiver];
    uint64_t type = rh_identity_type(sym->types.items[message->type].name);
    uint64_t key =
        rh_identity_message_key(type, receiver->identity, message->kind, situation->delivery);
    if (message->sender != RH_NONE && situation->actors.items[message->sender].is_outside)
        key = rh_hash64_pair(key, situation->actors.items[message->sender].identity);
    message->identity = rh_identity_nth(key, tally(situation, key));
    message->is_first_from_creator =
        receiver->creating == situation->delivery && receiver->from_creator++ == 0;
}
