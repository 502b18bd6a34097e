// SPDX-License-Identifier: MIT
// Diagrams for one configuration, as forms: bounds are numbers, families are written out, and
// actors and messages are numbers. Forms are hash-consed, so that equal ones have equal numbers.
//
// A form is also what is left of a diagram while the system runs (residual.h): a message that is on
// its way is RH_FORM_PENDING, and the receive of the handler that runs is RH_FORM_MARK.
#ifndef REHEARSE_DIAGRAM_FORM_H
#define REHEARSE_DIAGRAM_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/table.h"
#include "base/vector.h"
#include "diagram/diagram.h"

enum rh_form_kind {
    RH_FORM_FAIL, // can't happen; always form 0
    RH_FORM_SKIP, // always form 1
    RH_FORM_MARK,
    RH_FORM_ARROW,
    RH_FORM_PENDING,
    RH_FORM_CALL, // of a definition, which is opened where something in it is sent
    RH_FORM_SEQUENCE,
    RH_FORM_WEAK,
    RH_FORM_PARALLEL, // left < right's parts, by number
    RH_FORM_CHOICE,   // the same
    RH_FORM_LOOP,
};
enum { RH_FAIL = 0, RH_SKIP = 1 };

#define RH_LOOP_ANY UINT32_MAX

// A message as diagrams and programs name it. Numbers are those of rh_names.
struct rh_label {
    uint32_t from, to, type;
    enum rh_journal_kind kind;
    bool is_lost;  // of an arrow: nobody receives it
    bool is_loose; // between classes of several actors: the order rule is not about it
};

struct rh_form {
    enum rh_form_kind kind;
    uint32_t left, right;  // forms; of a loop: its body; of a call, `left`: the definition
    struct rh_label label; // of arrows and pending messages; `from` is the actor of a mark
    uint32_t site;         // of arrows: number of the arrow in the diagram
    uint32_t place;        // of a pending message: how many go before it from its sender
    uint32_t least, most;  // of a loop
    bool is_weak;          // of a loop
    bool is_parallel;      // of a loop
    bool can_end;          // nothing more needs to happen
    bool can_lose;         // nothing more happens if messages that are on their way get lost
    bool has_mark, has_pending;
    uint64_t sends, receives; // bits of actors, by number modulo 64, that may still do so
};

// An actor by its class and its number within that, from 1; 0: any of the class.
struct rh_named_actor {
    const char *class;
    int64_t index;
};

// The actors and types of messages that diagrams and a program have. Strings are borrowed.
struct rh_names {
    RH_VECTOR(struct rh_named_actor) actors;
    RH_VECTOR(const char *) types;
    // Those of the program, which come first; 0: all so far.
    size_t program_actors, program_types;
};

uint32_t rh_names_actor(struct rh_names *names, const char *class, int64_t index);
uint32_t rh_names_type(struct rh_names *names, const char *type);
// Whether the number stands for all actors of a class.
static inline bool rh_names_is_class(const struct rh_names *names, uint32_t actor)
{
    return names->actors.items[actor].index == 0;
}
// Whether the class has such a number.
bool rh_names_has_several(const struct rh_names *names, const char *class);
// How many actors of the class the program has.
int64_t rh_names_count(const struct rh_names *names, const char *class);
void rh_names_fini(struct rh_names *names);
// Says that the program has no more; and forgets what only a diagram has.
void rh_names_close(struct rh_names *names);
void rh_names_restore(struct rh_names *names);
// "ponger" or "worker[2]".
void rh_names_print_actor(const struct rh_names *names, struct rh_text *text, uint32_t actor);
// "pinger -> ponger: ping".
void rh_names_print(const struct rh_names *names, struct rh_text *text,
                    const struct rh_label *label);

// Whether the message gets lost makes no difference: nobody knows when it is sent.
bool rh_label_equals(const struct rh_label *one, const struct rh_label *other);
// Whether the order rule is about messages of this kind.
static inline bool rh_label_keeps_order(const struct rh_label *label)
{
    return !label->is_loose && (label->kind == RH_JOURNAL_PLAIN || label->kind == RH_JOURNAL_ASK);
}

enum { RH_FORMS_MOST = 4000000 };

// What a name stands for, and what holds of all calls of it.
struct rh_form_definition {
    uint32_t form;
    bool can_end;
    uint64_t sends, receives, firsts; // `firsts`: who may send first
};

struct rh_forms {
    RH_VECTOR(struct rh_form_definition) definitions;
    RH_VECTOR(struct rh_form) items;
    struct rh_table table;
    size_t most;  // forms; RH_FORMS_MOST unless somebody says less
    bool is_full; // there were more: answers mean nothing any more
};

void rh_forms_init(struct rh_forms *forms);
void rh_forms_fini(struct rh_forms *forms);
// Forgets all forms, but not the definitions.
void rh_forms_clear(struct rh_forms *forms);

uint32_t rh_form_mark(struct rh_forms *forms, uint32_t actor);
uint32_t rh_form_arrow(struct rh_forms *forms, const struct rh_label *label, uint32_t site);
uint32_t rh_form_pending(struct rh_forms *forms, uint32_t arrow, uint32_t place);
uint32_t rh_form_sequence(struct rh_forms *forms, uint32_t left, uint32_t right);
uint32_t rh_form_weak(struct rh_forms *forms, uint32_t left, uint32_t right);
uint32_t rh_form_parallel(struct rh_forms *forms, uint32_t left, uint32_t right);
uint32_t rh_form_choice(struct rh_forms *forms, uint32_t left, uint32_t right);
uint32_t rh_form_call(struct rh_forms *forms, uint32_t definition);
// How rounds of a loop follow each other.
enum rh_rounds { RH_ROUNDS_STRONG, RH_ROUNDS_WEAK, RH_ROUNDS_PARALLEL };
uint32_t rh_form_loop(struct rh_forms *forms, uint32_t body, uint32_t least, uint32_t most,
                      enum rh_rounds rounds);
// How those of this loop do.
static inline enum rh_rounds rh_form_rounds(const struct rh_form *loop)
{
    return loop->is_weak       ? RH_ROUNDS_WEAK
           : loop->is_parallel ? RH_ROUNDS_PARALLEL
                               : RH_ROUNDS_STRONG;
}

static inline const struct rh_form *rh_form_get(const struct rh_forms *forms, uint32_t form)
{
    return &forms->items.items[form];
}
static inline uint64_t rh_actor_bit(uint32_t actor)
{
    return UINT64_C(1) << actor % 64;
}

// The diagram for these values of its parameters. `names` has the program's actors and gets those
// that only the diagram has. Errors name the line and column: a parameter that has no value, an
// actor that is one of several, a definition that comes back to itself before anything is sent.
struct rh_status rh_form_make(struct rh_forms *forms, struct rh_names *names,
                              const struct rh_diagram *diagram, const struct rh_binding *bindings,
                              uint32_t *form);
// How many arrows the diagram has: their sites are numbered in the order in which they are met.
uint32_t rh_form_sites(const struct rh_forms *forms);

#endif
