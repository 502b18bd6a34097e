// SPDX-License-Identifier: MIT
#include "result/journal.h"

#include <string.h>

#include "base/mapping.h"
#include "base/none.h"

struct rh_journal *rh_journal_new(void)
{
    struct rh_journal *journal = rh_map_shared(sizeof *journal);
    size_t size = rh_table_store_size(RH_JOURNAL_ACTORS) + rh_table_store_size(RH_JOURNAL_TYPES) +
                  rh_table_store_size(RH_JOURNAL_PLACES) + rh_table_store_size(RH_JOURNAL_VALUES);
    if (!journal || !rh_store_open(&journal->store, size)) {
        rh_unmap_shared(journal, sizeof *journal);
        return NULL;
    }
    return journal;
}

void rh_journal_free(struct rh_journal *journal)
{
    if (journal)
        rh_store_close(&journal->store);
    rh_unmap_shared(journal, sizeof *journal);
}

void rh_journal_clear(struct rh_journal *journal)
{
    journal->is_full = false;
    journal->step_count = journal->message_count = journal->actor_count = 0;
    journal->type_count = journal->trail_length = journal->parameter_count = 0;
    journal->place_count = journal->value_count = journal->choice_count = 0;
    journal->text_length = 0;
    rh_table_clear(&journal->actor_table);
    rh_table_clear(&journal->type_table);
    rh_table_clear(&journal->place_table);
    rh_table_clear(&journal->value_table);
}

static const char *copy_text(struct rh_journal *journal, const char *text)
{
    size_t size = strlen(text) + 1;
    if (size > RH_JOURNAL_TEXT - journal->text_length)
        return NULL;
    char *copy = journal->text + journal->text_length;
    journal->text_length += size;
    return memcpy(copy, text, size);
}

uint32_t rh_journal_find_actor(const struct rh_journal *journal, uint64_t identity)
{
    struct rh_probe probe = rh_table_probe(&journal->actor_table, rh_table_hash(identity));
    while (rh_probe_next(&probe))
        if (journal->actors[probe.number].identity == identity)
            return probe.number;
    return RH_NONE;
}

uint32_t rh_journal_add_actor(struct rh_journal *journal, uint64_t identity, const char *name)
{
    uint32_t number = rh_journal_find_actor(journal, identity);
    if (number != RH_NONE)
        return number;
    number = journal->actor_count;
    const char *copy = number < RH_JOURNAL_ACTORS ? copy_text(journal, name) : NULL;
    if (!copy ||
        !rh_table_add(&journal->actor_table, &journal->store, rh_table_hash(identity), number)) {
        journal->is_full = true;
        return RH_NONE;
    }
    journal->actors[journal->actor_count++] = (struct rh_journal_actor){identity, copy};
    return number;
}

uint32_t rh_journal_add_type(struct rh_journal *journal, const char *name)
{
    uint64_t hash = rh_hash64_text(name, 0);
    struct rh_probe probe = rh_table_probe(&journal->type_table, hash);
    while (rh_probe_next(&probe))
        if (!strcmp(journal->types[probe.number], name))
            return probe.number;
    uint32_t number = journal->type_count;
    const char *copy = number < RH_JOURNAL_TYPES ? copy_text(journal, name) : NULL;
    if (!copy || !rh_table_add(&journal->type_table, &journal->store, hash, number)) {
        journal->is_full = true;
        return RH_NONE;
    }
    journal->types[journal->type_count++] = copy;
    return number;
}

// Without room for a place or a value it is not known, and nothing else is amiss.
uint32_t rh_journal_add_place(struct rh_journal *journal, uint64_t hash, const char *file, int line)
{
    struct rh_probe probe = rh_table_probe(&journal->place_table, hash);
    while (rh_probe_next(&probe))
        if (journal->places[probe.number].hash == hash)
            return probe.number;
    uint32_t number = journal->place_count;
    const char *copy = number < RH_JOURNAL_PLACES ? copy_text(journal, file) : NULL;
    if (!copy || !rh_table_add(&journal->place_table, &journal->store, hash, number))
        return RH_NONE;
    journal->places[journal->place_count++] = (struct rh_journal_place){hash, copy, line};
    return number;
}

uint32_t rh_journal_find_value(const struct rh_journal *journal, uint64_t hash)
{
    struct rh_probe probe = rh_table_probe(&journal->value_table, hash);
    while (rh_probe_next(&probe))
        if (journal->values[probe.number].hash == hash)
            return probe.number;
    return RH_NONE;
}

uint32_t rh_journal_add_value(struct rh_journal *journal, uint64_t hash, const char *text)
{
    // The names of actors and types need room too.
    bool has_room =
        journal->value_count < RH_JOURNAL_VALUES && journal->text_length < RH_JOURNAL_TEXT / 2;
    const char *copy = has_room ? copy_text(journal, text) : NULL;
    if (!copy || !rh_table_add(&journal->value_table, &journal->store, hash, journal->value_count))
        return RH_NONE;
    journal->values[journal->value_count] = (struct rh_journal_value){hash, copy};
    return journal->value_count++;
}

void rh_journal_add_choice(struct rh_journal *journal, uint32_t outcome, uint32_t count)
{
    journal->is_full |= journal->choice_count == RH_JOURNAL_CHOICES;
    if (journal->choice_count < RH_JOURNAL_CHOICES)
        journal->choices[journal->choice_count++] = (struct rh_journal_choice){outcome, count};
}

void rh_journal_add_parameter(struct rh_journal *journal, const char *name, int value)
{
    for (uint32_t i = 0; i < journal->parameter_count; i++)
        if (!strcmp(journal->parameters[i].name, name))
            return;
    const char *copy =
        journal->parameter_count < RH_JOURNAL_PARAMETERS ? copy_text(journal, name) : NULL;
    journal->is_full |= !copy;
    if (copy)
        journal->parameters[journal->parameter_count++] =
            (struct rh_journal_parameter){copy, value};
}
