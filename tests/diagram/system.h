// SPDX-License-Identifier: MIT
// Small random systems of actors, and all that they can do: as journals, as the search writes them, and as words.
// Messages carry a number that goes down, so that every execution ends.
#ifndef REHEARSE_TESTS_DIAGRAM_SYSTEM_H
#define REHEARSE_TESTS_DIAGRAM_SYSTEM_H

#include "base/none.h"
#include "base/rng.h"
#include "plain.h"

enum {
    SYSTEM_ACTORS = 4,
    SYSTEM_TYPES = 3,
    SYSTEM_STATES = 2,
    SYSTEM_ACTIONS = 2,
    SYSTEM_PENDING = 16,
    SYSTEM_STEPS = 1500
};

enum system_whom { SYSTEM_SENDER, SYSTEM_SELF, SYSTEM_ACTOR };

struct system_action {
    enum system_whom whom;
    uint32_t actor, type;
    bool asks;
};

struct system_handler {
    int next; // state
    size_t count;
    struct system_action actions[SYSTEM_ACTIONS];
};

struct system {
    bool is_fifo;
    uint32_t actors;                     // without the outside, which is 0
    uint32_t classes[SYSTEM_ACTORS + 1]; // actors of one class have the same handlers
    struct system_handler handlers[SYSTEM_ACTORS + 1][SYSTEM_STATES][SYSTEM_TYPES + 1];
    size_t first_count;
    uint32_t first_to[4], first_type[4], first_life[4];
};

static inline struct system system_random(struct rh_rng *rng)
{
    struct system system = {.is_fifo = rh_rng_below(rng, 4) > 0,
                            .actors = 2 + (uint32_t)rh_rng_below(rng, 3)};
    for (uint32_t i = 1; i <= system.actors; i++)
        system.classes[i] = rh_rng_below(rng, 2) ? i : 1 + (uint32_t)rh_rng_below(rng, i);
    for (uint32_t i = 1; i <= system.actors; i++)
        for (int state = 0; state < SYSTEM_STATES; state++)
            for (int type = 0; type <= SYSTEM_TYPES; type++) {
                struct system_handler *handler = &system.handlers[i][state][type];
                handler->next =
                    rh_rng_below(rng, 3) ? state : (int)rh_rng_below(rng, SYSTEM_STATES);
                handler->count = rh_rng_below(rng, SYSTEM_ACTIONS + 1);
                for (size_t k = 0; k < handler->count; k++)
                    handler->actions[k] = (struct system_action){
                        .whom = rh_rng_below(rng, 3) ? SYSTEM_ACTOR
                                                     : (enum system_whom)rh_rng_below(rng, 2),
                        .actor = 1 + (uint32_t)rh_rng_below(rng, system.actors),
                        .type = (uint32_t)rh_rng_below(rng, SYSTEM_TYPES),
                        .asks = rh_rng_below(rng, 6) == 0};
            }
    system.first_count = 1 + rh_rng_below(rng, 3);
    for (size_t i = 0; i < system.first_count; i++) {
        system.first_to[i] = 1 + (uint32_t)rh_rng_below(rng, system.actors);
        system.first_type[i] = (uint32_t)rh_rng_below(rng, SYSTEM_TYPES);
        system.first_life[i] = 1 + (uint32_t)rh_rng_below(rng, 3);
    }
    return system;
}

// --- What it does. ---

struct system_message {
    uint64_t identity;
    uint32_t number; // of the journal
    uint32_t from, to, type, life;
    enum rh_journal_kind kind;
};

struct system_place {
    int states[SYSTEM_ACTORS + 1];
    bool waits[SYSTEM_ACTORS + 1];
    struct system_message pending[SYSTEM_PENDING]; // in the order in which they were sent
    size_t count;
};

struct system_run {
    const struct system *system;
    struct rh_journal *journal;
    bool by_states; // places that are equal are looked at once
    RH_VECTOR(rh_hash128) seen;
    struct plain_words *words; // with !by_states
    bool is_full;
};

// Types of the journal: those of messages, and the answer behind them.
static const char *const system_types[SYSTEM_TYPES + 1] = {"red", "green", "blue", "answer"};

static inline rh_hash128 system_fingerprint(const struct system_place *place)
{
    struct {
        uint32_t words[SYSTEM_ACTORS + 1][2];
        uint32_t messages[SYSTEM_PENDING][5];
    } bytes;
    memset(&bytes, 0, sizeof bytes);
    for (int i = 0; i <= SYSTEM_ACTORS; i++) {
        bytes.words[i][0] = (uint32_t)place->states[i];
        bytes.words[i][1] = place->waits[i];
    }
    // Messages by their ends and, between the same two, in the order in which they were sent.
    size_t count = 0;
    for (uint32_t ends = 0; ends < (SYSTEM_ACTORS + 1) * (SYSTEM_ACTORS + 1); ends++)
        for (size_t i = 0; i < place->count; i++) {
            const struct system_message *message = &place->pending[i];
            if (message->from * (SYSTEM_ACTORS + 1) + message->to != ends)
                continue;
            uint32_t words[] = {message->from, message->to, message->type, message->life,
                                message->kind};
            memcpy(bytes.messages[count++], words, sizeof words);
        }
    return rh_hash128_of(&bytes, sizeof bytes, 0);
}

static inline void system_send(struct system_run *run, struct system_place *place, uint64_t cause,
                               struct rh_journal_step *step, struct system_message message)
{
    struct rh_journal *journal = run->journal;
    if (place->count == SYSTEM_PENDING || step->sent_count >= 8) {
        run->is_full = true;
        return;
    }
    uint64_t same = 0;
    for (uint32_t i = 0; i < step->sent_count; i++) {
        const struct rh_journal_message *other = &journal->messages[step->first_sent + i];
        same += other->receiver == message.to && other->type == message.type;
    }
    const uint64_t words[] = {cause, (uint64_t)message.to << 32 | message.type, same};
    message.identity = rh_hash64(words, sizeof words, 0);
    message.number = journal->message_count++;
    journal->messages[message.number] = (struct rh_journal_message){.identity = message.identity,
                                                                    .sender = message.from,
                                                                    .receiver = message.to,
                                                                    .type = message.type,
                                                                    .kind = message.kind};
    step->sent_count++;
    place->pending[place->count++] = message;
}

static inline void system_act(struct system_run *run, struct system_place *place,
                              const struct system_message *received, struct rh_journal_step *step)
{
    uint32_t self = received->to;
    const struct system_handler *handler =
        &run->system->handlers[run->system->classes[self]][place->states[self]][received->type];
    place->waits[self] = received->kind == RH_JOURNAL_ANSWER ? false : place->waits[self];
    if (received->kind == RH_JOURNAL_ASK)
        system_send(run, place, received->identity, step,
                    (struct system_message){.from = self,
                                            .to = received->from,
                                            .type = SYSTEM_TYPES,
                                            .life = received->life - 1,
                                            .kind = RH_JOURNAL_ANSWER});
    place->states[self] = handler->next;
    for (size_t i = 0; i < handler->count && received->life > 1 && !place->waits[self]; i++) {
        const struct system_action *action = &handler->actions[i];
        uint32_t to = action->whom == SYSTEM_SENDER && received->from ? received->from
                      : action->whom == SYSTEM_ACTOR                  ? action->actor
                                                                      : self;
        bool asks = action->asks && to != self;
        place->waits[self] = asks;
        system_send(run, place, received->identity, step,
                    (struct system_message){.from = self,
                                            .to = to,
                                            .type = action->type,
                                            .life = received->life - 1,
                                            .kind = asks ? RH_JOURNAL_ASK
                                                    : action->whom == SYSTEM_SELF
                                                        ? RH_JOURNAL_TIMER
                                                        : RH_JOURNAL_PLAIN});
    }
}

static inline bool system_keeps_order(const struct system_message *message)
{
    return message->kind == RH_JOURNAL_PLAIN || message->kind == RH_JOURNAL_ASK;
}

static inline bool system_is_deliverable(const struct system_run *run,
                                         const struct system_place *place, size_t index)
{
    const struct system_message *message = &place->pending[index];
    if (place->waits[message->to] && message->kind != RH_JOURNAL_ANSWER)
        return false;
    for (size_t i = 0; i < index && run->system->is_fifo && system_keeps_order(message); i++)
        if (place->pending[i].from == message->from && place->pending[i].to == message->to &&
            system_keeps_order(&place->pending[i]))
            return false;
    return true;
}

static inline bool system_is_seen(struct system_run *run, rh_hash128 fingerprint)
{
    for (size_t i = 0; i < run->seen.count; i++)
        if (run->seen.items[i] == fingerprint)
            return true;
    *rh_vector_push(&run->seen) = fingerprint;
    return false;
}

static inline void system_add_word(struct system_run *run, const struct rh_journal_step *step,
                                   struct rh_text *word)
{
    const struct rh_journal *journal = run->journal;
    struct rh_label received, sent[16];
    for (uint32_t i = 0; i <= step->sent_count; i++) {
        uint32_t number = i < step->sent_count ? step->first_sent + i : step->received;
        if (number == RH_NONE)
            continue;
        const struct rh_journal_message *message = &journal->messages[number];
        *(i < step->sent_count ? &sent[i] : &received) = (struct rh_label){.from = message->sender,
                                                                           .to = message->receiver,
                                                                           .type = message->type,
                                                                           .kind = message->kind};
    }
    plain_add_step(word, step->received == RH_NONE ? NULL : &received, sent, step->sent_count);
}

static inline void system_go_on(struct system_run *run, const struct system_place *place,
                                uint32_t number, struct rh_text *word);

// Adds the step, which has been filled in, and goes on behind it.
static inline void system_enter(struct system_run *run, const struct system_place *place,
                                struct rh_journal_step step, struct rh_text *word)
{
    struct rh_journal *journal = run->journal;
    if (journal->step_count >= SYSTEM_STEPS || run->is_full) {
        run->is_full = true;
        return;
    }
    size_t length = word->length;
    uint32_t number = journal->step_count++;
    step.state = system_fingerprint(place);
    step.is_end = true;
    for (size_t i = 0; i < place->count; i++)
        step.is_end &= !system_is_deliverable(run, place, i);
    journal->steps[number] = step;
    system_add_word(run, &step, word);
    if (step.is_end && run->words)
        plain_words_add(run->words, rh_text_get(word));
    if (!run->by_states || !system_is_seen(run, step.state))
        system_go_on(run, place, number, word);
    rh_text_cut(word, length);
}

static inline void system_go_on(struct system_run *run, const struct system_place *place,
                                uint32_t number, struct rh_text *word)
{
    for (size_t i = 0; i < place->count && !run->is_full; i++) {
        if (!system_is_deliverable(run, place, i))
            continue;
        struct system_place next = *place;
        struct system_message received = next.pending[i];
        memmove(&next.pending[i], &next.pending[i + 1],
                (next.count - i - 1) * sizeof *next.pending);
        next.count--;
        struct rh_journal_step step = {.parent = number,
                                       .received = received.number,
                                       .first_sent = run->journal->message_count};
        system_act(run, &next, &received, &step);
        system_enter(run, &next, step, word);
    }
}

// Writes all states, or else all executions, which are words too. false if there are too many.
static inline bool system_explore(const struct system *system, bool by_states,
                                  struct rh_journal *journal, struct plain_words *words)
{
    struct system_run run = {
        .system = system, .journal = journal, .by_states = by_states, .words = words};
    struct system_place place = {.count = 0};
    struct rh_text word = {0};
    uint32_t members[SYSTEM_ACTORS + 1] = {0};
    rh_journal_clear(journal);
    rh_journal_add_actor(journal, 1, "outside");
    for (uint32_t i = 1; i <= system->actors; i++) {
        char name[32];
        uint32_t class = system->classes[i];
        snprintf(name, sizeof name, "%c#%u", (char)('p' + class), ++members[class]);
        rh_journal_add_actor(journal, i + 1, name);
    }
    for (int i = 0; i <= SYSTEM_TYPES; i++)
        rh_journal_add_type(journal, system_types[i]);
    struct rh_journal_step body = {.parent = RH_NONE, .received = RH_NONE};
    for (size_t i = 0; i < system->first_count; i++)
        system_send(&run, &place, 1, &body,
                    (struct system_message){.from = 0,
                                            .to = system->first_to[i],
                                            .type = system->first_type[i],
                                            .life = system->first_life[i],
                                            .kind = RH_JOURNAL_PLAIN});
    system_enter(&run, &place, body, &word);
    rh_text_fini(&word);
    rh_vector_fini(&run.seen);
    if (words)
        plain_words_sort(words);
    return !run.is_full && !(words && words->is_full);
}

#endif
