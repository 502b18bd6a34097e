// SPDX-License-Identifier: MIT
// A second, naive implementation of actor.h and test.h that shares nothing with the engine: it runs
// every execution from the start, keeps a stack for each waiting handler, and decides what is
// deliverable by reading the rules afresh each time. Linked instead of the library it enumerates
// all executions and prints, for each test, executions, deliveries and the kinds of findings that
// it knows:
//
//     TEST EXECUTIONS DELIVERIES KINDS
//
// With --classes on it enumerates twice and prints a fifth word: how many of the executions that come to their end are
// different when the order of deliveries that do not depend on each other is left out of account. Two depend on each
// other if they have the same receiver; if one of them writes what the other touches (see `deed`); and all do under
// --time strict.
//
// It notices check, invariant, final, deadlock, undelivered, leftover, unhandled and bound. A
// failed check ends its execution. Options: --test NAME, --delivery fifo|any, --time causal|strict,
// --max-length N, --classes on|off.
//
// run.c runs executions, operations.c is what programs call, classes.c counts classes.
#ifndef REHEARSE_TESTS_ORACLE_H
#define REHEARSE_TESTS_ORACLE_H

#include <ucontext.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { MOST = 4096, MOST_DECISIONS = 100000 };

struct rh_message {
    const struct rh_type *type;
    void *payload;
    size_t size;
    rh_actor *from; // NULL: outside
    rh_actor *to;
    int place; // in sending order
    bool is_timer;
    uint64_t due;
    uint64_t now; // logical time that it carries
    int request;  // number of the ask that sent it; 0: none
    int reply_to; // number of the ask that it answers; 0: none
    bool is_answered;
    bool is_handled;
    bool is_delivered;
    int sent_at;    // number of the delivery whose handler sent it; 0: the test's body
    int send_index; // among what was sent there
    int name;       // the same in every execution
};

struct rh_actor {
    rh_behaviour *behaviour;
    rh_behaviour *next_behaviour; // NULL: the same
    void *state;                  // NULL without one
    rh_stop_function *at_stop;
    bool is_outside;
    bool is_receptionist;
    bool is_stopped;
    bool is_stopping;
    uint64_t now;
    int waits_for; // number of its ask; 0: it does not wait
    rh_message *handling;
    const rh_message *reply;
    int made_at;        // number of the delivery whose handler created it
    int rank;           // among all that were created, outsiders too, from 1
    int name;           // the same in every execution
    ucontext_t context; // of its handler
};

struct judge {
    rh_judge *function;
    bool at_end;
    void *context;
};

// A choice among `count`, for a delivery or in rh_choose.
struct decision {
    int taken;
    int count;
};

// Some numbers that are found again by their values.
struct key {
    intptr_t parts[5];
    int number;
};

// The events of an execution that came to its end, sorted.
struct class
{
    int count;
    int events[];
};

// What was seen in some execution. Actors are meant by their names, invariants by their numbers.
enum fact_kind {
    LOOKED,   // an invariant, `about`, at the actor
    AWAITED,  // an invariant, `about`, at what is pending of `about_type` for the actor
    GOT,      // the actor, a message of the type
    CHANGED,  // the actor by one: its state, its time, whether it waits or has stopped
    SENT,     // the actor, having got one, something of `about_type` to `about`
    TIMED,    // the actor, having got one, set a timer for `about`
    POSED_AS, // the actor, having got one, sent in the name of `about`, where order counts
};

struct fact {
    enum fact_kind kind;
    int actor;
    const char *type;
    int about;
    const char *about_type;
};

// What the deliveries of a type of message to an actor touch besides the actor. An earlier timer holds back the later
// ones of its receiver: who sets one for another reads that one's timers, and what that one gets writes them.
enum object_kind { JUDGE, TIMERS, NAME };

struct deed {
    int actor;
    const char *type; // NULL: all
    enum object_kind kind;
    int about;
    bool writes;
};

enum { MOST_FACTS = 8192 };

// Everything that this program knows. The first part is of one execution.
struct oracle {
    rh_actor *actors[MOST];
    int actor_count;
    int made_count; // actors and outsiders
    rh_message *messages[MOST];
    int message_count;
    struct judge judges[64];
    int judge_count;
    int ask_count;
    int decision_count;
    bool has_receptionists;
    const char *senders[64]; // names of those that rh_outside has made
    int sender_count;
    bool has_failed;
    rh_actor *running;
    const char *judging; // "invariant", "final" or NULL
    int judge_at;
    rh_message *delivered[MOST]; // from 1
    int first_decision[MOST];    // of each delivery, after the one that chose it
    int step;                    // number of the present delivery; 0: the test's body
    ucontext_t main_context;
    void *blocks[4 * MOST]; // all that was allocated for it
    int block_count;
    int stack_count; // taken by handlers, judges and the test's body

    struct decision decisions[MOST_DECISIONS];
    int planned; // so many decisions are those of the execution before, the last of them advanced
    long executions;
    long deliveries;
    char kinds[256];
    bool is_any;
    bool is_strict;
    int max_length;
    bool counts_classes;
    bool is_second_time;
    bool depends_on_all;
    struct fact facts[MOST_FACTS];
    int fact_count;
    struct deed deeds[MOST_FACTS];
    int deed_count;
    void *keys; // trees of tsearch
    int key_count;
    void *classes;
    int class_count;
};

extern struct oracle oracle;

// Gives zeroed memory that lives as long as the execution.
void *oracle_keep(size_t size);
void oracle_note(const char *kind);
// Ends the execution from inside the program's code.
_Noreturn void oracle_fail(const char *kind);
// One of `count` ways, each in an execution of its own.
int oracle_decide(int count);

// Classes.

void oracle_name_message(rh_message *message);
void oracle_name_actor(rh_actor *actor);
void oracle_add_fact(enum fact_kind kind, int actor, const char *type, int about,
                     const char *about_type);
// The same of what the running handler's actor does; nothing in the test's body.
void oracle_add_doing(enum fact_kind kind, int about, const char *about_type);
// When every execution has been seen: what deliveries touch.
void oracle_find_deeds(void);
// An invariant, if one is being asked, looks at the actor.
void oracle_look_at(const rh_actor *actor);
// Of an execution that has come to its end.
void oracle_count_class(void);
void oracle_forget_classes(void);

#endif
