// SPDX-License-Identifier: MIT
#include "explore/measure/journal.h"

#include "base/none.h"
#include "base/text.h"

static uint32_t actor_of(struct rh_journal *journal, const struct rh_world *world, uint32_t slot)
{
    uint64_t identity = world->actors[slot].identity;
    uint32_t number = rh_journal_find_actor(journal, identity);
    if (number != RH_NONE)
        return number;
    struct rh_text name = {0};
    rh_world_add_name(world, &name, slot);
    number = rh_journal_add_actor(journal, identity, rh_text_get(&name));
    rh_text_fini(&name);
    return number;
}

static enum rh_journal_kind kind_of(const struct rh_message *message)
{
    switch (message->kind) {
    case RH_ASK:
        return RH_JOURNAL_ASK;
    case RH_REPLY:
        return RH_JOURNAL_ANSWER;
    case RH_TIMER:
        return RH_JOURNAL_TIMER;
    default:
        return RH_JOURNAL_PLAIN;
    }
}

static uint32_t place_of(struct rh_journal *journal, const struct rh_message *message)
{
    return message->file
               ? rh_journal_add_place(journal, message->place, message->file, message->line)
               : RH_NONE;
}

// A text is made of each value once.
static uint32_t value_of(struct rh_journal *journal, const struct rh_world *world,
                         const struct rh_message *message)
{
    const struct rh_type_info *type = message->type;
    if (!journal->wants_values || !type || !type->debug || message->size == 0)
        return RH_NONE;
    uint64_t hash = rh_hash64(message->payload, message->size, type->name_hash);
    uint32_t known = rh_journal_find_value(journal, hash);
    if (known != RH_NONE)
        return known;
    struct rh_text text = {0};
    rh_debug_add_value(world->options.debug, &text, type->debug, message->payload, message->size,
                       NULL);
    known = rh_journal_add_value(journal, hash, rh_text_get(&text));
    rh_text_fini(&text);
    return known;
}

static uint32_t add_message(struct rh_journal *journal, const struct rh_world *world,
                            uint32_t index, bool is_sent)
{
    const struct rh_message *message = &world->messages[index];
    if (journal->message_count == RH_JOURNAL_MESSAGES) {
        journal->is_full = true;
        return RH_NONE;
    }
    struct rh_journal_message note = {
        .identity = message->identity,
        .sender = actor_of(journal, world, message->sender),
        .receiver = actor_of(journal, world, message->receiver),
        .type = rh_journal_add_type(journal, message->type ? message->type->name : "crash"),
        .place = is_sent ? place_of(journal, message) : RH_NONE,
        .value = is_sent ? RH_NONE : value_of(journal, world, message),
        .kind = kind_of(message),
        .is_lost = is_sent && !message->pending};
    journal->messages[journal->message_count] = note;
    return journal->message_count++;
}

// A message of rh_may_come that stays away takes a number, and is nothing that happens.
static void add_sent(struct rh_journal *journal, const struct rh_world *world, uint32_t first,
                     struct rh_journal_step *step)
{
    step->first_sent = journal->message_count;
    for (uint32_t i = first; i < world->message_count; i++) {
        const struct rh_message *message = &world->messages[i];
        bool is_message = message->kind <= RH_TIMER;
        bool stays_away = message->coming != 0 && !message->pending;
        if (is_message && !stays_away)
            add_message(journal, world, i, true);
    }
    step->sent_count = journal->message_count - step->first_sent;
}

static void add_step(struct rh_journal *journal, uint32_t number,
                     const struct rh_journal_step *step)
{
    if (journal->step_count == RH_JOURNAL_STEPS || number >= RH_JOURNAL_TRAIL) {
        journal->is_full = true;
        return;
    }
    journal->trail[number] = journal->step_count;
    journal->trail_length = number + 1;
    journal->steps[journal->step_count++] = *step;
}

// Actors are numbered in the order in which the first execution that has them creates them.
static void add_actors(struct rh_journal *journal, const struct rh_world *world, uint32_t first)
{
    for (uint32_t slot = first; slot < world->actor_count; slot++)
        actor_of(journal, world, slot);
}

static bool is_same_sending(const struct rh_journal *journal, const struct rh_journal_step *one,
                            const struct rh_journal_step *other)
{
    bool is_same = one->sent_count == other->sent_count;
    for (uint32_t i = 0; i < one->sent_count && is_same; i++)
        is_same = journal->messages[one->first_sent + i].identity ==
                  journal->messages[other->first_sent + i].identity;
    return is_same;
}

// A worker that takes over runs the body again, which is no other step then.
static uint32_t find_body(const struct rh_journal *journal, const struct rh_journal_step *step)
{
    for (uint32_t i = 0; i < journal->step_count; i++)
        if (journal->steps[i].parent == RH_NONE && journal->steps[i].state == step->state &&
            is_same_sending(journal, &journal->steps[i], step))
            return i;
    return RH_NONE;
}

static void add_chosen(struct rh_journal *journal, struct rh_journal_chosen chosen,
                       struct rh_journal_step *step)
{
    step->first_choice = journal->choice_count;
    for (uint32_t i = 0; i < chosen.count; i++)
        if (chosen.decisions[i].identity == 0)
            rh_journal_add_choice(journal, chosen.decisions[i].index, chosen.decisions[i].count);
    step->choice_count = journal->choice_count - step->first_choice;
}

void rh_journal_note_body(struct rh_journal *journal, const struct rh_world *world,
                          struct rh_journal_chosen chosen, rh_hash128 state)
{
    struct rh_journal_step step = {.state = state, .parent = RH_NONE, .received = RH_NONE};
    for (size_t i = 0; i < world->parameters.count; i++)
        rh_journal_add_parameter(journal, world->parameters.items[i].name,
                                 world->parameters.items[i].value);
    add_actors(journal, world, 0);
    add_sent(journal, world, 0, &step);
    add_chosen(journal, chosen, &step);
    uint32_t known = find_body(journal, &step);
    if (known == RH_NONE)
        add_step(journal, 0, &step);
    else
        journal->trail[0] = known;
}

void rh_journal_note_delivery(struct rh_journal *journal, const struct rh_world *world,
                              uint32_t message, struct rh_journal_mark before,
                              struct rh_journal_chosen chosen, rh_hash128 state, bool is_cut)
{
    if (world->number == 0 || world->number > journal->trail_length) {
        journal->is_full = true;
        return;
    }
    struct rh_journal_step step = {.state = state,
                                   .parent = journal->trail[world->number - 1],
                                   .received = add_message(journal, world, message, false),
                                   .is_cut = is_cut};
    add_actors(journal, world, before.actors);
    add_sent(journal, world, before.messages, &step);
    add_chosen(journal, chosen, &step);
    add_step(journal, world->number, &step);
}

void rh_journal_note_end(struct rh_journal *journal, const struct rh_world *world)
{
    if (world->number < journal->trail_length)
        journal->steps[journal->trail[world->number]].is_end = true;
}

void rh_journal_note_cut(struct rh_journal *journal, const struct rh_world *world)
{
    if (world->number < journal->trail_length)
        journal->steps[journal->trail[world->number]].is_cut = true;
}
