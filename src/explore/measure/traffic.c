// SPDX-License-Identifier: MIT
#include "explore/measure/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "base/mapping.h"

enum {
    WORDS = RH_PASSAGES_MOST / 64,
    TEXT_MOST = 1 << 23,
};

struct behaviour {
    rh_behaviour *function;
    const char *name; // in text
};

struct passage {
    uint64_t key; // a hash of all the rest
    enum rh_flow_edge_kind kind;
    uint32_t from, to; // numbers of behaviours
    const char *type, *file;
    int line;
    bool is_reply;
};

// Only pages that are used are really there.
struct rh_traffic_record {
    bool is_full;
    uint32_t behaviour_count; // the first is the outside
    uint32_t passage_count;
    size_t text_length;
    struct behaviour behaviours[RH_BEHAVIOURS_MOST];
    struct passage passages[RH_PASSAGES_MOST];
    struct rh_store store;
    struct rh_table behaviour_table; // in the store: by function
    struct rh_table passage_table;   // in the store: by key
    // Bits: the passages that each passage has come before.
    uint64_t before[RH_PASSAGES_MOST][WORDS];
    char text[TEXT_MOST];
};

struct rh_traffic_record *rh_traffic_record_new(void)
{
    struct rh_traffic_record *record = rh_map_shared(sizeof *record);
    size_t size = rh_table_store_size(RH_BEHAVIOURS_MOST) + rh_table_store_size(RH_PASSAGES_MOST);
    if (!record || !rh_store_open(&record->store, size)) {
        rh_unmap_shared(record, sizeof *record);
        return NULL;
    }
    record->behaviour_count = 1;
    return record;
}

void rh_traffic_record_free(struct rh_traffic_record *record)
{
    if (record)
        rh_store_close(&record->store);
    rh_unmap_shared(record, sizeof *record);
}

static const char *copy_text(struct rh_traffic_record *record, const char *text)
{
    size_t size = strlen(text) + 1;
    if (size > TEXT_MOST - record->text_length) {
        record->is_full = true;
        return "";
    }
    char *copy = record->text + record->text_length;
    record->text_length += size;
    return memcpy(copy, text, size);
}

static uint32_t find_behaviour(const struct rh_traffic_record *record, rh_behaviour *function)
{
    struct rh_probe probe =
        rh_table_probe(&record->behaviour_table, rh_table_hash((uintptr_t)function));
    while (rh_probe_next(&probe))
        if (record->behaviours[probe.number].function == function)
            return probe.number;
    return RH_NONE;
}

static uint32_t behaviour_of(struct rh_traffic_record *record, rh_behaviour *function,
                             const char *name)
{
    uint32_t number = find_behaviour(record, function);
    if (number != RH_NONE)
        return number;
    number = record->behaviour_count;
    if (number == RH_BEHAVIOURS_MOST || !rh_table_add(&record->behaviour_table, &record->store,
                                                      rh_table_hash((uintptr_t)function), number)) {
        record->is_full = true;
        return RH_NONE;
    }
    record->behaviours[number] = (struct behaviour){function, copy_text(record, name)};
    record->behaviour_count++;
    return number;
}

static uint64_t key_of(const struct passage *passage)
{
    uint64_t ends = (uint64_t)passage->from << 32 | passage->to;
    uint64_t rest = (uint64_t)passage->line << 8 | (uint64_t)passage->kind << 1 | passage->is_reply;
    uint64_t texts =
        rh_hash64_pair(rh_hash64_text(passage->type, 1), rh_hash64_text(passage->file, 2));
    return rh_hash64_pair(rh_hash64_pair(ends, rest), texts);
}

static uint32_t find_passage(const struct rh_traffic_record *record, uint64_t key)
{
    struct rh_probe probe = rh_table_probe(&record->passage_table, key);
    while (rh_probe_next(&probe))
        if (record->passages[probe.number].key == key)
            return probe.number;
    return RH_NONE;
}

static uint32_t add_passage(struct rh_traffic_record *record, const struct passage *passage)
{
    if (passage->from == RH_NONE || passage->to == RH_NONE)
        return RH_NONE;
    uint64_t key = key_of(passage);
    uint32_t number = find_passage(record, key);
    if (number != RH_NONE)
        return number;
    number = record->passage_count;
    if (number == RH_PASSAGES_MOST ||
        !rh_table_add(&record->passage_table, &record->store, key, number)) {
        record->is_full = true;
        return RH_NONE;
    }
    record->passages[number] = *passage;
    record->passages[number].key = key;
    record->passages[number].type = copy_text(record, passage->type);
    record->passages[number].file = copy_text(record, passage->file);
    record->passage_count++;
    return number;
}

// Executions.

static struct rh_traffic_step *step_at(struct rh_traffic_trail *trail, uint32_t number)
{
    if (number >= trail->capacity) {
        uint32_t capacity = number < 32 ? 64 : 2 * number;
        trail->steps = rh_realloc(trail->steps, capacity * sizeof *trail->steps);
        memset(trail->steps + trail->capacity, 0,
               (capacity - trail->capacity) * sizeof *trail->steps);
        trail->capacity = capacity;
    }
    return &trail->steps[number];
}

// The behaviour that goes on with a reply is the one that has asked, whatever its actor has become
// since.
static uint32_t asking_behaviour(const struct rh_traffic_trail *trail, uint32_t receiver,
                                 uint32_t number)
{
    while (--number > 0)
        if (trail->steps[number].receiver == receiver && !trail->steps[number].is_reply)
            return trail->steps[number].behaviour;
    return RH_NONE;
}

static uint32_t sending_behaviour(struct rh_traffic_trail *trail, const struct rh_world *world,
                                  const struct rh_message *message)
{
    bool is_outside = world->actors[message->sender].status == RH_ACTOR_OUTSIDE;
    const struct rh_traffic_step *sending = step_at(trail, message->sent_at);
    if (message->also_sent_at != 0 && sending->receiver != message->sender)
        sending = step_at(trail, message->also_sent_at);
    return is_outside ? 0 : sending->behaviour;
}

// Every message that the actor has received before has come before the newest one.
static void note_orders(struct rh_traffic_trail *trail, uint32_t number)
{
    const struct rh_traffic_step *step = &trail->steps[number];
    for (uint32_t i = 1; i < number; i++) {
        const struct rh_traffic_step *other = &trail->steps[i];
        if (other->receiver == step->receiver && !other->is_reply && other->passage != RH_NONE)
            trail->record->before[other->passage][step->passage / 64] |= UINT64_C(1)
                                                                         << step->passage % 64;
    }
}

void rh_traffic_deliver(struct rh_traffic_trail *trail, const struct rh_world *world,
                        uint32_t index, bool is_known)
{
    const struct rh_message *message = &world->messages[index];
    const struct rh_actor_record *receiver = &world->actors[message->receiver];
    uint32_t number = world->number + 1;
    struct rh_traffic_step step = {
        .receiver = message->receiver, .passage = RH_NONE, .is_reply = message->kind == RH_REPLY};
    step.behaviour =
        step.is_reply ? asking_behaviour(trail, message->receiver, number)
                      : behaviour_of(trail->record, receiver->behaviour, receiver->behaviour_name);
    if (message->kind <= RH_TIMER)
        step.passage = add_passage(
            trail->record, &(struct passage){.kind = RH_FLOW_SENDS,
                                             .from = sending_behaviour(trail, world, message),
                                             .to = step.behaviour,
                                             .type = message->type->name,
                                             .file = message->file ? message->file : "",
                                             .line = message->line,
                                             .is_reply = step.is_reply});
    *step_at(trail, number) = step;
    if (!is_known && !step.is_reply && step.passage != RH_NONE)
        note_orders(trail, number);
}

void rh_traffic_turn(struct rh_traffic_trail *trail, const struct rh_world *world,
                     const struct rh_turn *turn)
{
    if (!trail->record)
        return;
    add_passage(trail->record,
                &(struct passage){
                    .kind = turn->creates ? RH_FLOW_CREATES : RH_FLOW_BECOMES,
                    .from = step_at(trail, world->number)->behaviour,
                    .to = behaviour_of(trail->record, turn->behaviour, turn->behaviour_name),
                    .type = "",
                    .file = turn->file ? turn->file : "",
                    .line = turn->line,
                });
}

// The result.

// The function and its file; where debug information does not know the function, what the program
// calls it.
static uint32_t name_behaviour(const struct behaviour *behaviour, struct rh_debug *debug,
                               struct rh_traffic *traffic)
{
    struct rh_text function = {0};
    const char *file = NULL;
    if (!debug || !rh_debug_code_at(debug, (uintptr_t)behaviour->function, &function, &file, NULL))
        rh_text_add(&function, behaviour->name);
    uint32_t number = rh_traffic_add_behaviour(traffic, rh_text_get(&function), file ? file : "");
    rh_text_fini(&function);
    return number;
}

bool rh_traffic_take(const struct rh_traffic_record *record, struct rh_debug *debug,
                     struct rh_traffic *traffic)
{
    uint32_t *behaviours = rh_alloc(record->behaviour_count * sizeof *behaviours);
    uint32_t *passages = rh_alloc((record->passage_count + (size_t)1) * sizeof *passages);
    for (uint32_t i = 1; i < record->behaviour_count; i++)
        behaviours[i] = name_behaviour(&record->behaviours[i], debug, traffic);
    for (uint32_t i = 0; i < record->passage_count; i++) {
        const struct passage *passage = &record->passages[i];
        passages[i] =
            rh_traffic_add_passage(traffic, &(struct rh_passage){.kind = passage->kind,
                                                                 .from = behaviours[passage->from],
                                                                 .to = behaviours[passage->to],
                                                                 .type = (char *)passage->type,
                                                                 .file = (char *)passage->file,
                                                                 .line = passage->line,
                                                                 .is_reply = passage->is_reply});
    }
    for (uint32_t i = 0; i < record->passage_count; i++)
        for (uint32_t k = 0; k < record->passage_count; k++)
            if (passages[i] != passages[k] && (record->before[i][k / 64] >> k % 64 & 1))
                rh_traffic_set_before(traffic, passages[i], passages[k]);
    free(behaviours);
    free(passages);
    return !record->is_full;
}
