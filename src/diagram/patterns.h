// SPDX-License-Identifier: MIT
// Known ways in which actors work together, recognised in executions by what causes what: a message
// is caused by the one whose handler sends it.
//
//     request/reply   b answers a's message to a, in the handler of that message
//     ping-pong       replies that cause the next request, at least twice
//     broadcast       one handler sends a message to all actors of a class, which has several
//     gather          all actors of a class, which has several, send a message to the same actor
//     pipeline        a message goes on through at least four actors, none of them twice
//     ring            a message goes round through at least three actors of one class
//     stream          at least three messages from one actor to another, none caused by an answer
//     self            an actor sends itself a message
#ifndef REHEARSE_DIAGRAM_PATTERNS_H
#define REHEARSE_DIAGRAM_PATTERNS_H

#include "diagram/automaton.h"

struct rh_pattern {
    const char *name;
    const char *text;  // "master -> worker: work ; worker -> master: result"
    size_t executions; // that have it
};

struct rh_patterns {
    struct rh_arena arena;
    RH_VECTOR(struct rh_pattern) items; // by name and text
    size_t executions;
};

void rh_patterns_init(struct rh_patterns *patterns, struct rh_automaton *automaton,
                      const struct rh_journal *classes);
void rh_patterns_fini(struct rh_patterns *patterns);

#endif
