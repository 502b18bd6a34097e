// SPDX-License-Identifier: MIT
// Messages that the test lists with rh_may_come. How many of each come is decided when the test's
// body has ended, like the outcome of a choice; when they come is up to whoever delivers. They are
// from outside. Messages of one rh_may_come, which are all alike, keep their order whatever the
// order rule; none is ordered with any other message.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/world.h"

void rh_world_may_come(struct rh_world *world, const struct rh_sending *sending, uint32_t most)
{
    const struct rh_type_info *type = rh_world_type(world, sending->type);
    rh_world_check_pointers(world, type, sending->payload, sending->size, sending->file,
                            sending->line);
    uint64_t key[3] = {type->name_hash, world->actors[sending->receiver].identity, world->delivery};
    uint64_t hash = rh_hash64(key, sizeof key, 7);
    struct rh_coming *coming = rh_vector_push(&world->comings);
    *coming = (struct rh_coming){.sending = *sending,
                                 .most = most,
                                 .identity = rh_hash64_pair(hash, rh_world_tally(world, hash))};
    void *copy = rh_alloc(sending->size + 1);
    if (sending->size > 0)
        memcpy(copy, sending->payload, sending->size);
    coming->sending.payload = copy;
}

// Says in the trace how many messages come.
static void note_number(struct rh_world *world, const struct rh_coming *coming, int number)
{
    if (!world->options.tape)
        return;
    struct rh_text text = {0};
    char ways[32];
    rh_text_addf(&text, "how many %s come to ", coming->sending.type->name);
    rh_world_add_name(world, &text, coming->sending.receiver);
    snprintf(ways, sizeof ways, "%llu", (unsigned long long)coming->most + 1);
    rh_trace_choice(world, ways, number, rh_text_get(&text), coming->sending.file,
                    coming->sending.line);
    rh_text_fini(&text);
}

// Makes all messages, of which the first `number` become pending: so messages have the same numbers
// and addresses however many come.
static void inject(struct rh_world *world, const struct rh_coming *coming, uint32_t number)
{
    struct rh_sending sending = coming->sending;
    sending.coming = (uint32_t)(coming - world->comings.items) + 1;
    for (uint32_t i = 0; i < coming->most; i++) {
        sending.identity = rh_hash64_pair(coming->identity, i + UINT64_C(1));
        sending.stays_away = i >= number;
        rh_world_send(world, &sending);
    }
}

void rh_world_let_come(struct rh_world *world)
{
    const struct rh_world_driver *driver = &world->options.driver;
    if (world->options.environment != RH_ENVIRONMENT_OPEN)
        return;
    for (size_t i = 0; i < world->comings.count; i++) {
        const struct rh_coming *coming = &world->comings.items[i];
        int number = (int)coming->most;
        if (driver->comes(driver->context, &number))
            note_number(world, coming, number);
        rh_assert(number >= 0 && number <= (int)coming->most);
        inject(world, coming, (uint32_t)number);
    }
}
