// SPDX-License-Identifier: MIT
// What the executions of a search did, as a tree: each step is a delivery with what its handler
// sent, and its parent is the delivery before it. Steps that lead to equal states say so, so that
// the tree is also the graph of the program's states.
//
// A journal lies in memory that outlives the workers which write it (explore/measure/journal.h).
#ifndef REHEARSE_RESULT_JOURNAL_H
#define REHEARSE_RESULT_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/table.h"

enum {
    RH_JOURNAL_STEPS = 1 << 21,
    RH_JOURNAL_MESSAGES = 1 << 22,
    RH_JOURNAL_ACTORS = 1 << 14,
    RH_JOURNAL_TYPES = 1 << 12,
    RH_JOURNAL_TEXT = 1 << 22,
    RH_JOURNAL_TRAIL = 1 << 20,
    RH_JOURNAL_PARAMETERS = 64,
    RH_JOURNAL_PLACES = 1 << 12,
    RH_JOURNAL_VALUES = 1 << 16,
    RH_JOURNAL_CHOICES = 1 << 20,
};

// How a message is sent: what is asked is answered, and the asker receives nothing else before.
enum rh_journal_kind { RH_JOURNAL_PLAIN, RH_JOURNAL_ASK, RH_JOURNAL_ANSWER, RH_JOURNAL_TIMER };

struct rh_journal_actor {
    uint64_t identity;
    const char *name; // as in schedules: "master#1/worker#3"
};

// Numbers are those of the journal's actors and types.
struct rh_journal_message {
    uint64_t identity;
    uint32_t sender, receiver;
    uint32_t type;
    uint32_t place; // where it is sent; RH_NONE: not known
    uint32_t value; // of a message that is received: its contents; RH_NONE: not known
    enum rh_journal_kind kind : 8;
    bool is_lost; // the message was sent to nobody: it is never pending
};

// A line of the program that sends messages.
struct rh_journal_place {
    uint64_t hash;
    const char *file;
    int line;
};

// Contents of messages, as people write them: "{amount = 5}".
struct rh_journal_value {
    uint64_t hash;
    const char *text;
};

// The outcome of an rh_choose, or how many messages of an rh_may_come were to come.
struct rh_journal_choice {
    uint32_t outcome, count;
};

// The first step of an execution stands for the test's body: it receives nothing.
struct rh_journal_step {
    rh_hash128 state;  // of the program behind this step
    uint32_t parent;   // RH_NONE: this is a body
    uint32_t received; // number of the message; RH_NONE for a body
    uint32_t first_sent, sent_count;
    uint32_t first_choice, choice_count;
    bool is_end; // nothing is deliverable behind this step
    bool is_cut; // an error or a bound has ended the execution here
};

// A parameter of the test, with its value.
struct rh_journal_parameter {
    const char *name;
    int value;
};

// Only pages that are used are really there.
struct rh_journal {
    bool is_full;      // there was no room for all
    bool wants_values; // contents are to be written down; without room for one it is not known
    uint32_t step_count, message_count, actor_count, type_count, trail_length;
    size_t text_length;
    struct rh_store store;
    struct rh_table actor_table, type_table, place_table, value_table; // in the store
    uint32_t place_count, value_count, choice_count;
    uint32_t parameter_count;
    struct rh_journal_parameter parameters[RH_JOURNAL_PARAMETERS];
    const char *types[RH_JOURNAL_TYPES];
    struct rh_journal_actor actors[RH_JOURNAL_ACTORS]; // the first is the outside
    uint32_t trail[RH_JOURNAL_TRAIL]; // steps of the present execution, by number of the delivery
    struct rh_journal_step steps[RH_JOURNAL_STEPS];
    struct rh_journal_message messages[RH_JOURNAL_MESSAGES];
    struct rh_journal_place places[RH_JOURNAL_PLACES];
    struct rh_journal_value values[RH_JOURNAL_VALUES];
    struct rh_journal_choice choices[RH_JOURNAL_CHOICES];
    char text[RH_JOURNAL_TEXT];
};

// NULL if there is no address space.
struct rh_journal *rh_journal_new(void);
void rh_journal_free(struct rh_journal *journal);
// Forgets everything.
void rh_journal_clear(struct rh_journal *journal);

// Each gives the number of what is there already, or adds it; RH_NONE if there is no room.
uint32_t rh_journal_add_actor(struct rh_journal *journal, uint64_t identity, const char *name);
uint32_t rh_journal_add_type(struct rh_journal *journal, const char *name);
uint32_t rh_journal_add_place(struct rh_journal *journal, uint64_t hash, const char *file,
                              int line);
// Values are found by their hash before somebody makes their text.
uint32_t rh_journal_find_value(const struct rh_journal *journal, uint64_t hash);
uint32_t rh_journal_add_value(struct rh_journal *journal, uint64_t hash, const char *text);
void rh_journal_add_choice(struct rh_journal *journal, uint32_t outcome, uint32_t count);
void rh_journal_add_parameter(struct rh_journal *journal, const char *name, int value);
uint32_t rh_journal_find_actor(const struct rh_journal *journal, uint64_t identity);

#endif
