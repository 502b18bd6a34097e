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
// other if they have the same receiver; if they have receivers that are tied to each other (see `view`); and all do
// under --time strict.
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

// An actor on which the outcome of deliveries to others may depend. Invariants are numbered; TIED stands for one that
// looks at everybody who sets a timer for somebody else, at those who get one, and at those who send in an outside
// sender's name: an earlier timer holds back the later ones of its receiver, and under fifo what is sent in one name
// keeps the order in which it was sent. An invariant that looks at pending messages looks at their receiver, and at
// everybody who sends such in any execution.
struct view {
    int judge;
    int actor; // its name
};

// Names of actors, and a type.
struct pending_view {
    int judge;
    int receiver;
    const char *type;
};

struct sending {
    int sender;
    int receiver;
    const char *type;
};

enum { TIED = -1, MOST_VIEWS = 1024 };

// Everything that this program knows. The first part is of one execution.
struct oracle {
    rh_actor *actors[MOST];
    int actor_count;
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
    struct view views[MOST_VIEWS];
    int view_count;
    struct pending_view pending_views[MOST_VIEWS];
    int pending_view_count;
    struct sending sendings[MOST_VIEWS];
    int sending_count;
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
void oracle_add_view(int judge, const rh_actor *actor);
void oracle_add_pending_view(int receiver, const char *type);
void oracle_add_sending(int sender, int receiver, const char *type);
// When every execution has been seen: who sends what invariants look for.
void oracle_add_senders(void);
// An invariant, if one is being asked, looks at the actor.
void oracle_look_at(const rh_actor *actor);
// Of an execution that has come to its end.
void oracle_count_class(void);
void oracle_forget_classes(void);

#endif
