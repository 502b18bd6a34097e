// SPDX-License-Identifier: MIT
// What handlers have done in the executions of a program: for rules.c, which writes it down.
#ifndef REHEARSE_DIAGRAM_RULES_READ_H
#define REHEARSE_DIAGRAM_RULES_READ_H

#include "diagram/rules.h"

// A message that a handler has sent, with indexes of its sender and its receiver in their classes.
struct rh_deed_send {
    uint32_t rule;
    int64_t from, to;
};

// A message that was received, with what its handler sent then; of the test's body only the latter.
struct rh_deed {
    uint32_t rule; // RH_NONE: the body
    uint32_t view;
    int64_t from, to;
    RH_VECTOR(struct rh_deed_send) sends; // by rules and receivers
};

// Messages of one type from one class to another. Texts are those of a view's names.
struct rh_rule {
    const char *from, *to, *type;
    enum rh_journal_kind kind;
    bool is_received, is_lost; // some are
    struct rh_definition *part;
};

struct rh_rules {
    const struct rh_rules_view *views; // borrowed
    size_t view_count;
    RH_VECTOR(struct rh_rule) items;
    RH_VECTOR(struct rh_deed) deeds; // no two are the same
    struct rh_table deed_table;
};

// Reads all views; whether some execution of each comes to its end.
bool rh__rules_read(struct rh_rules *rules, const struct rh_rules_view *views, size_t count);
void rh__rules_fini(struct rh_rules *rules);

#endif
