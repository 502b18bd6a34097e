// SPDX-License-Identifier: MIT
// A specification diagram: what the actors of a system send each other, and in which orders.
// Agha's specification diagrams in text, with weak sequence, families and pipelined loops:
//
//     vary NAME = E .. E
//     def NAME(i, j) = D             a part; without parameters def NAME = D
//     diagram NAME = D               and others, each with its own parameters and definitions
//
//     D1 ; D2               all of D1 before all of D2
//     D1 ~ D2               of each actor, what it does in D1 before what it does in D2
//     D1 | D2               in any order
//     D1 (+) D2             one of them
//     skip                  nothing
//     [D]^n  [D]^1..n  [D]^*  n times one after the other; [D]~n with ~ between them, [D]|n with |
//     all i in 1..n { D }   once for each i, in any order
//     for i in 1..n { D }   once for each i, one after the other; for~: with ~ between them
//     some x in worker { D }  for one worker, which is x in D
//     a -> b: ping          a sends ping to b, which receives it
//     a asks b: question    the same; a receives nothing until it is answered
//     b answers a: answer
//     a sets a: tick        a timer
//     a loses b: ping       a sends ping to b, which never receives it
//     NAME(2, n - 1)        what the definition of this name says, which may say itself again
//     NAME                  behind an arrow; then it does not stand before a `~`
//
// `;` and `~` bind tighter than `|`, which binds tighter than `(+)`. An actor is CLASS, the only
// one of its class, CLASS[E], or `outside`. A `#` begins a comment.
//
// A `sketch NAME = D` is a diagram in which CLASS is any actor of its class, and in which messages
// may get lost: then nothing happens that stands behind their receive.
#ifndef REHEARSE_DIAGRAM_DIAGRAM_H
#define REHEARSE_DIAGRAM_DIAGRAM_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vector.h"
#include "diagram/expression.h"
#include "result/journal.h"

enum rh_node_kind {
    RH_NODE_SKIP,
    RH_NODE_ARROW,
    RH_NODE_SEQUENCE,
    RH_NODE_WEAK,
    RH_NODE_PARALLEL,
    RH_NODE_CHOICE,
    RH_NODE_LOOP,
    RH_NODE_ALL,
    RH_NODE_EACH,
    RH_NODE_SOME,
    RH_NODE_CALL,
};

enum { RH_PARAMETERS_MOST = 8 };

// A part with a name. Its body may call it again, but not before it has sent something.
struct rh_definition {
    const char *name;
    const char **parameters;
    size_t count; // of parameters
    const struct rh_node *body;
    int line, column;
};

struct rh_party {
    const char *class;
    const struct rh_expression *index; // NULL: the only one of its class, or a variable of `some`
};

// A node and all that it points to live in an arena. Nodes do not change once others
// point to them.
struct rh_node {
    enum rh_node_kind kind;
    int line, column;
    const struct rh_node **parts; // of sequences, parallels and choices; one for loops and families
    size_t count;
    // Of an arrow.
    struct rh_party from, to;
    const char *type;
    enum rh_journal_kind sending;
    bool is_lost;
    // Of a loop: how many times; of a family: the first and the last index. `last` is NULL for *.
    const struct rh_expression *first, *last;
    bool is_weak;         // of a loop and of `for`
    bool is_parallel;     // of a loop
    const char *variable; // of a family
    const char *class;    // of `some`
    // Of a call: as many arguments as the part has parameters.
    struct rh_definition *definition;
    const struct rh_expression **arguments;
    size_t argument_count;
};

struct rh_range {
    const char *variable;
    int64_t first, last;
};

// Strings and nodes live in an arena that is somebody else's.
struct rh_diagram {
    const char *path; // NULL if it comes from no file
    const char *name;
    struct rh_range *ranges;
    size_t range_count;
    // Those of its file; others may be called too.
    struct rh_definition **definitions;
    size_t definition_count;
    bool is_sketch;
    const struct rh_node *body;
};

// The diagrams of a file. Begins as zeros.
struct rh_diagram_file {
    struct rh_arena arena;
    RH_VECTOR(struct rh_diagram) diagrams;
};

void rh_diagram_file_fini(struct rh_diagram_file *file);

// Errors are RH_BAD_INPUT and name the file, line and column, and what was expected.
struct rh_status rh_diagram_parse(struct rh_diagram_file *file, const char *path, const char *bytes,
                                  size_t length);
// Reads what stands behind `=` alone; `path` is what errors call it.
struct rh_status rh_node_parse(struct rh_diagram_file *file, const char *path, const char *bytes,
                               size_t length, const struct rh_node **node);
struct rh_status rh_diagram_read(struct rh_diagram_file *file, const char *path);
// Adds what rh_diagram_parse reads.
void rh_diagram_print(const struct rh_diagram *diagram, struct rh_text *text);
void rh_party_print(struct rh_text *text, const struct rh_party *party);
// "->", "asks", "answers", "sets".
const char *rh_sending_word(enum rh_journal_kind kind);
void rh_node_print(struct rh_text *text, const struct rh_node *node);

// A list of nodes that is being made.
struct rh_nodes {
    const struct rh_node **items;
    size_t count, capacity;
};

// Makes a node of several; sequences in sequences and the like become one, and one part stands for
// itself.
const struct rh_node *rh_node_join(struct rh_arena *arena, enum rh_node_kind kind,
                                   const struct rh_node *const *parts, size_t count);
const struct rh_node *rh_node_skip(struct rh_arena *arena);
bool rh_node_equals(const struct rh_node *one, const struct rh_node *other);
// How many arrows and boxes, of parts that are called once each: of two diagrams that say the same
// the smaller is better.
size_t rh_node_size(const struct rh_node *node);

#endif
