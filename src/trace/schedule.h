// SPDX-License-Identifier: MIT
// A schedule: an ordered list of deliveries, possibly partial, with the test's inputs; and the file
// of a schedule.
//
// The file is text, one step a line. `#` starts a comment (outside of quotes), and blank lines
// are fine:
//
//     rehearse schedule 1
//     program bank.c helper.c          # as given on the command line; quoted if it has blanks
//     adapter zmq                      # only if an adapter runs the program as it is; or threads
//     arguments 5555 "two words"       # the program's own, if an adapter runs it
//     random 7                         # where its random numbers start; 0 if left out
//     test overdraw                    # or `generated NAME`: no test of the program's is run
//     order fifo                       # or any
//     time causal                      # or strict
//     environment quiet                # or closed or open; quiet if left out
//     finding check bank.c:27          # optional: the finding's kind and place
//     input limit = 5                  # the rest of the line up to a comment is the value's text
//     # After the test's body; `from` may be left out:
//     send deposit {amount = 5, by = teller#1} to account#1 from ann
//     # Recorded messages from outside: bytes and addresses; timers have `due 5` too:
//     came line 64696e67 @account#1 to account#2 from ann @...
//     # Recorded actors that a thread from outside created:
//     created account_behaviour "struct account" 05000000 @bank#1 as account#3
//     # Blocks of its memory; states, messages to it and its blocks lead there with &1 or &1+8:
//     block 1 of account#3 0700000000000000 &1
//     hold deposit to account#1 from teller#1 @... until withdraw to account#1 from teller#2 @...
//     deliver withdraw to account#1 from teller#2 @4f3c9a2b1d0e7788   # {amount = 70} at bank.c:41
//     choose 1 of 3
//     answer rand 846930886            # recorded: what the next call of the function gives
//     drop receipt to teller#2 from account#1 @...        # a message sent above is lost
//     duplicate receipt to teller#2 from account#1 @...   # a message sent above comes once more
//     crash account#1 @...                                # `restart` if the actor begins anew
//     turn thread#1 17                 # of threads: up to its 17th call; without: to its end
//     lap                              # optional, once: the steps that follow lead back to here
//     ends account#1 05000000 ???????? @bank#1   # what an actor's state is at the end
//     ends account#2 stopped
//     ends &1 07000000???????? &2      # a block of the beginning, or one that was met above
//     ends &3 freed
//     stop                             # optional, last: nothing is delivered after the last step
//     end
//
// A step's message is the pending one with identity @..., or, without an identity, the first
// pending one in sending order with that type, receiver and sender (`from` may be left out by
// hand). A drop or a duplicate is of the next message that is sent with that type, receiver and
// sender; @... is the duplicate's own identity. `end` closes the file: a file without it was cut
// off. A generated schedule creates all actors itself. With `ends`, the execution has no deliveries
// but those of the steps; ?? is a byte that may be anything. After the last step the rest is
// delivered in sending order, but a message that a hold names only after the one it is held for;
// behind `lap`, and with `stop`, nothing is delivered.
#ifndef REHEARSE_TRACE_SCHEDULE_H
#define REHEARSE_TRACE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"
#include "base/store.h"
#include "base/text.h"
#include "base/vector.h"
#include "trace/fault.h"

enum rh_order_rule { RH_ORDER_FIFO, RH_ORDER_ANY };
enum rh_time { RH_TIME_CAUSAL, RH_TIME_STRICT };
// What is around the actors when nothing is deliverable any more: nothing, and actors may wait for
// messages idly (quiet); nothing, and none may (closed); or others that may still write to them
// (open).
enum rh_environment { RH_ENVIRONMENT_QUIET, RH_ENVIRONMENT_CLOSED, RH_ENVIRONMENT_OPEN };

const char *rh_order_rule_name(enum rh_order_rule rule);
const char *rh_time_name(enum rh_time time);
const char *rh_environment_name(enum rh_environment environment);
bool rh_order_rule_parse(const char *text, enum rh_order_rule *rule);
bool rh_time_parse(const char *text, enum rh_time *time);
bool rh_environment_parse(const char *text, enum rh_environment *environment);

enum rh_step_kind {
    RH_STEP_DELIVER,
    RH_STEP_CHOOSE,
    RH_STEP_ANSWER,
    RH_STEP_DROP,
    RH_STEP_DUPLICATE,
    RH_STEP_CRASH,
    RH_STEP_RESTART,
    RH_STEP_LAP,
    RH_STEP_TURN,
};

static inline bool rh_step_is_crash(enum rh_step_kind kind)
{
    return kind == RH_STEP_CRASH || kind == RH_STEP_RESTART;
}
// Whether the step is a delivery, or a crash, which counts as one.
static inline bool rh_step_is_move(enum rh_step_kind kind)
{
    return kind == RH_STEP_DELIVER || rh_step_is_crash(kind);
}
// What the step does with its message or actor: "be delivered".
const char *rh_step_deed(enum rh_step_kind kind);

struct rh_step {
    enum rh_step_kind kind;
    int line; // in the file; 0 if the step never was in one

    // Of deliver, drop, duplicate, crash and restart; a turn has a receiver, which is its thread.
    char *type;        // owned; NULL for a crash
    char *receiver;    // owned; "account#1"
    char *sender;      // owned; NULL if left out, and for a crash
    bool has_identity; // whether @... was given
    uint64_t identity;
    // Of deliver, if steps that can't be made are left out: where no message has the identity, one
    // will do that no step or hold names, with the same type, receiver and sender. Never in a file.
    bool takes_alike;

    // Of choose.
    int outcome;
    int count;

    uint64_t value; // of answer, whose `type` is the function; of turn, 0: to the thread's end

    char *comment; // owned; text behind `#`, written, not read back; NULL without one
};

// Messages that are not to be delivered in sending order: `held` comes after `until`.
struct rh_hold {
    struct rh_step held, until; // as of a step that delivers; both have the line of the hold
};

// How many holds a replay has room to remember as over.
enum { RH_HOLDS_MOST = 32000 };

struct rh_schedule_input {
    char *name;  // owned
    char *value; // owned; the text as written
    int line;    // 0: from the command line
};

// A message from outside that is sent once the test's body has run; a recorded one, as soon as all
// actors exist that it names. Or an actor that a recorded thread from outside has created, as soon
// as all actors exist that its state names.
struct rh_schedule_send {
    char *type;       // owned; of an actor, the function that is its behaviour
    char *state_type; // owned; of an actor, "" if unknown; NULL: the line sends a message
    char *fields;     // owned; "{amount = 5}" as written; NULL if left out
    // Owned; if recorded: "64696e67 @account#1", in hexadecimal but for addresses; otherwise NULL.
    char *bytes;
    bool is_instead;   // the test's body sends the message; these are its fields instead
    uint64_t identity; // of a recorded message; of one that the body sends, 0 if not given
    bool is_timer;     // of a recorded message
    uint64_t due;      // of a timer
    char *receiver;    // owned; "account#1"; of a created actor, its name
    char *sender;      // owned; NULL: outside
    int line;
};

// A block in the memory of an actor that a line creates.
struct rh_schedule_block {
    char *name;  // owned
    char *actor; // owned
    char *bytes; // owned; as of a send
    int line;
};

// What an actor, or a block, is at the end of the execution.
struct rh_schedule_end {
    char *actor; // owned; "&1" for a block
    // Owned; as of a send, with ?? for bytes that may be anything; NULL: it has stopped, or was
    // freed.
    char *bytes;
    int line;
};

struct rh_schedule {
    char *path; // owned; file that the schedule was read from, for messages; NULL if none
    RH_VECTOR(char *) programs;  // owned strings
    char *adapter;               // owned; NULL: the program is written for Rehearse
    RH_VECTOR(char *) arguments; // owned strings; what an adapter runs the program with
    uint64_t random;             // where the random numbers of such a program start
    char *test;                  // owned
    bool is_generated;           // the schedule is the test: it creates all actors
    enum rh_order_rule order_rule;
    enum rh_time time;
    enum rh_environment environment;
    char *finding_kind; // owned; NULL without a finding
    char *finding_file; // owned; NULL if unknown
    int finding_line;
    char *note; // owned; comment lines under the head, written, not read back; NULL without
    RH_VECTOR(struct rh_schedule_input) inputs;
    RH_VECTOR(struct rh_schedule_send) sends;
    RH_VECTOR(struct rh_schedule_block) blocks;
    RH_VECTOR(struct rh_hold) holds;
    RH_VECTOR(struct rh_step) steps;
    RH_VECTOR(struct rh_schedule_end) ends;
    bool stops; // nothing is delivered after the last step
};

void rh_schedule_fini(struct rh_schedule *schedule);

// Which of the sends are needed if, of all recorded messages, only those with identities in the
// index are needed: these messages, actors that they name, actors that the states of such actors
// name, and whatever was not recorded. The caller frees the array.
bool *rh_schedule_find_needed(const struct rh_schedule *schedule,
                              const struct rh_index *identities);
// Leaves out sends that are not needed.
void rh_schedule_keep_needed(struct rh_schedule *schedule, const struct rh_index *identities);

// A word that leads to a block: "&1", or "&1+8" behind its first byte.
struct rh_block_word {
    const char *name; // of `length` characters; borrowed
    size_t length;
    uint64_t offset;
};
// false if the word is none.
bool rh_block_word_read(const char *word, struct rh_block_word *read);
bool rh_block_word_is(const struct rh_block_word *word, const char *name);
void rh_schedule_block_fini(struct rh_schedule_block *block);
// Leaves out blocks of actors that no line creates any more.
void rh_schedule_drop_blocks(struct rh_schedule *schedule);
// Something wrong with the blocks that lines name, and the line; NULL: nothing is.
const char *rh_schedule_find_bad_block(const struct rh_schedule *schedule, int *line);

// Identity of the number-th recorded message that came from outside, from 0.
uint64_t rh_came_identity(size_t number);

// The faults among the schedule's steps.
struct rh_faults rh_schedule_faults(const struct rh_schedule *schedule);

// A step with copies of all strings.
struct rh_step rh_step_copy(const struct rh_step *step);

// Gives an input this value, in the place of the one that it has.
void rh_schedule_set_input(struct rh_schedule *schedule, const char *name, const char *value);

// Adds copies of what surrounds the steps: inputs, messages and actors from outside, and the ends,
// with the file and the lines that they are from.
void rh_schedule_copy_inputs(struct rh_schedule *to, const struct rh_schedule *from);

// A copy of all but the finding and the notes.
void rh_schedule_copy(struct rh_schedule *to, const struct rh_schedule *from);

// Copies into the store what following the schedule needs: values and messages from outside first,
// then steps, then holds. NULL if there is no room.
const struct rh_schedule *rh_schedule_place(struct rh_store *store,
                                            const struct rh_schedule *schedule);

// Parses `length` bytes. Errors are RH_BAD_INPUT and name `path`, the line and what to do. Never
// crashes, whatever the bytes (NULs, 100 MB, no newline). On error the schedule is empty.
struct rh_status rh_schedule_parse(struct rh_schedule *schedule, const char *path,
                                   const char *bytes, size_t length);
struct rh_status rh_schedule_read(struct rh_schedule *schedule, const char *path);
// Parses the lines that a test gives as its order: those of a schedule file without its first and
// last line, and without those that say what the schedule is of.
struct rh_status rh_schedule_parse_order(struct rh_schedule *schedule, const char *path,
                                         const char *text);

void rh_schedule_print(const struct rh_schedule *schedule, struct rh_text *text);
// All or nothing; an existing file is replaced only when the new one is complete.
struct rh_status rh_schedule_write(const struct rh_schedule *schedule, const char *path);

#endif
