// SPDX-License-Identifier: MIT
// Tests for inputs that nobody wrote down, as data: symbolic/generate.h makes them, they are run,
// and reports print them.
#ifndef REHEARSE_RESULT_GENERATED_H
#define REHEARSE_RESULT_GENERATED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/none.h"
#include "base/text.h"
#include "base/vector.h"

enum rh_generate_cut {
    RH_CUT_LOOP,     // a loop or a recursion went round more often than the limit says
    RH_CUT_DELIVERY, // an actor would have got more messages
    RH_CUT_ACTOR,    // a place would have created more actors
    RH_CUT_COUNT,
};

// A field of a struct and its value, in C's words and as bytes.
struct rh_generate_field {
    const char *path;  // "items[2].weight"
    const char *value; // "-1"; NULL: C has no word for it: an address, or what is no number
    uint32_t actor;    // the actor that the field is the address of; RH_NONE: it is none
    uint32_t block;    // the block that it leads into, `inside` bytes behind its start; or RH_NONE
    uint64_t inside;
    bool is_constant;  // C can't assign to it
    bool is_disguised; // an address in what is no pointer
    uint32_t offset, size;
    uint64_t number;
};

struct rh_generate_fields {
    const struct rh_generate_field *items; // by offset, all bytes but padding
    uint32_t count;
    // As C has them: bit fields instead of the bytes that they lie in.
    const struct rh_generate_field *words;
    uint32_t word_count;
    uint64_t size; // of the struct
};

// Whether the field is an address that has no name, or a number that C has no word for.
static inline bool rh_generate_is_nameless(const struct rh_generate_field *field)
{
    return !field->value && field->actor == RH_NONE && field->block == RH_NONE;
}

// A block of memory in an actor. Its name is its number, from 1.
struct rh_generate_block {
    uint32_t actor; // that it belongs to at the beginning, or at the end if it is new
    bool is_initial;
    bool is_freed; // at the end
    bool is_met;   // something leads there at the end
    // Its type in C's words if it is a struct, "struct node"; NULL: numbers or addresses, or not
    // known.
    const char *type;
    const char *element; // of one that is numbers or addresses, "int32_t"; NULL: not known
    uint64_t count;      // of structs
    bool has_tail;       // the struct ends in an array without a length
    struct rh_generate_fields initial; // of an initial one
    struct rh_generate_fields final;   // of one that something leads to
};

// An actor of a test.
struct rh_generate_actor {
    const char *name;      // "fact#1.2", as the world names it
    const char *behaviour; // that it was created with: "fact_behaviour"
    // The type of its state in C's words, "struct fact"; NULL: it has no state, or it is not known.
    const char *type;
    bool is_initial;                   // otherwise it was created on the way
    bool is_outside;                   // it only sends: rh_outside
    bool is_stopped;                   // at the end
    struct rh_generate_fields initial; // of an initial one
    struct rh_generate_fields final;
};

// A step of a test: a delivery, or an outcome of rh_choose in the delivery before it.
struct rh_generate_step {
    const char *type;          // of the message; NULL: an outcome
    uint32_t receiver, sender; // actors; RH_NONE: outside
    uint64_t identity;         // of the message, as the world has it
    uint32_t outcome, outcomes;
};

// A message of a test's body whose fields are the test's own.
struct rh_generate_message {
    const char *type;
    uint32_t receiver, sender; // actors; RH_NONE: outside
    uint64_t identity;
    struct rh_generate_fields fields;
};

// What a call of rh_input gives.
struct rh_generate_input {
    const char *name, *value;
};

enum rh_generate_run {
    RH_GENERATE_NOT_RUN,   // no schedule can express the test, or its end has no meaning in C
    RH_GENERATE_CONFIRMED, // it ended as predicted
    RH_GENERATE_REFUTED,   // it ended otherwise
};

struct rh_generate_place {
    const char *file; // NULL: not known
    uint32_t line;
};

struct rh_generate_test {
    const char *name;      // "till_pay_3", with "_breaks" if something goes wrong
    size_t number;         // 3
    const char *condition; // of its class: "n > mx && ..."
    struct rh_generate_fields message;
    uint64_t identity;                      // of the message
    const struct rh_generate_actor *actors; // in the order of their creation
    uint32_t actor_count;
    const struct rh_generate_block *blocks; // initial ones first
    uint32_t block_count;
    bool allocates; // on the way: a block may lie where one was freed
    const struct rh_generate_input *inputs;
    uint32_t input_count;
    const struct rh_generate_message *messages; // in the order of sending
    uint32_t message_count;
    const struct rh_generate_step *steps;
    uint32_t step_count;
    const char *const *calls; // of functions that are not in the sources: "crc(5) = 7"
    uint32_t call_count;
    const char *broken; // what goes wrong at the end; NULL: nothing
    bool is_undefined;  // what goes wrong has no meaning in C, so running it need not show it
    struct rh_generate_place place; // where
    enum rh_generate_run run;
    // What its run has reached, if that was asked for: numbers of lines and of ways of branches.
    const uint32_t *lines, *ways;
    uint32_t line_count, way_count;
    const char *schedule; // the file that the test was saved to; NULL: it was not
};

// What could not be followed, and how often.
struct rh_generate_note {
    const char *text;
    struct rh_generate_place place;
    uint64_t count;
};

// What --fewest has left of the tests.
struct rh_generate_fewest {
    bool is_on;
    size_t of;            // how many there were
    uint32_t lines, ways; // that these and those reach
    bool is_proved;       // no fewer would do
};

struct rh_generate_result {
    struct rh_arena arena; // what the tests point to
    RH_VECTOR(struct rh_generate_test) tests;
    RH_VECTOR(struct rh_generate_note) notes;
    const char *behaviour, *message; // as the source has them; NULL: `test` is what was begun with
    const char *test;                // NULL: behaviour and message are
    bool any_messages;               // what the test's body sends is unknown, too
    uint64_t states, stable;         // states seen; of these, with a stable actor
    uint64_t cuts[RH_CUT_COUNT];
    uint64_t limits[RH_CUT_COUNT]; // what the cuts were made by
    bool keeps_order;              // messages of one sender to one receiver come in their order
    uint64_t queries, queries_unknown;
    struct rh_generate_fewest fewest;
};

// Whether nothing was cut off and everything was followed.
static inline bool rh_generate_is_complete(const struct rh_generate_result *result)
{
    uint64_t left_out = result->notes.count;
    for (int i = 0; i < RH_CUT_COUNT; i++)
        left_out += result->cuts[i];
    return left_out == 0;
}

// Adds fields by name, as schedules have them: {amount = 5, prices = [1, 2]}; nothing if there are
// none. false if not all values can be said.
bool rh_generate_add_fields(struct rh_text *text, const struct rh_generate_test *test,
                            const struct rh_generate_fields *fields);
// The same for people, who can do with what has no word.
void rh_generate_show_fields(struct rh_text *text, const struct rh_generate_test *test,
                             const struct rh_generate_fields *fields);
// The value of one field, for people.
void rh_generate_show_value(struct rh_text *text, const struct rh_generate_test *test,
                            const struct rh_generate_field *field);

#endif
