// SPDX-License-Identifier: MIT
// What is left of a diagram after a step. A step is a delivery with all that its handler sends: a
// receive, and then, for each receiver, messages in the order in which they are sent. In which
// order messages to different receivers are sent does not count.
//
// Which steps a diagram allows is what its order says, together with four laws that every run
// keeps: (1) a message is received after it is sent; (2) where the order rule is fifo, messages of
// one actor to another are received in sending order; (3) what a handler sends comes, in the
// diagram's order, behind what the handler has received: the receive of the running step leaves a
// mark, and only below that mark may its actor send; (4) who asks receives nothing but the answer.
//
// A form between two steps has no marks. A message in it that no later receive of its sender goes
// before will never be sent: such ways are cut off (rh_residual_settle).
#ifndef REHEARSE_DIAGRAM_RESIDUAL_H
#define REHEARSE_DIAGRAM_RESIDUAL_H

#include "diagram/form.h"

// A list of forms, each once, in ascending order once rh_form_list_sort was called.
struct rh_form_list {
    uint32_t *items;
    size_t count, capacity;
};
void rh_form_list_add(struct rh_form_list *list, uint32_t form);
void rh_form_list_sort(struct rh_form_list *list);
void rh_form_list_fini(struct rh_form_list *list);

// Something that was computed before.
struct rh_residual_entry {
    uint64_t key, actors;
    uint32_t form;
};

struct rh_residuals {
    struct rh_forms *forms; // borrowed
    bool is_fifo;
    bool gave_up;               // some pipelined loop has more ways than are followed
    struct rh_form_list *sites; // borrowed; the arrows that messages are sent by; NULL: nobody asks
    uint32_t only_site;         // messages are sent by this arrow only; RH_NONE: by any
    struct rh_table cache;      // of rh_residual_permit and rh_residual_settle
    RH_VECTOR(struct rh_residual_entry) entries;
};
// Forgets what was computed before.
void rh_residuals_clear(struct rh_residuals *residuals);
void rh_residuals_fini(struct rh_residuals *residuals);

// Adds what is left after the message is received. It is marked.
void rh_residual_receive(struct rh_residuals *residuals, uint32_t form,
                         const struct rh_label *label, struct rh_form_list *out);
// Adds what is left after the running actor sends the message. With `is_body` the test's body is
// what runs, and all that comes first may be sent.
void rh_residual_send(struct rh_residuals *residuals, uint32_t form, const struct rh_label *label,
                      bool is_body, struct rh_form_list *out);
// The form when the step is over: without marks and without ways that can't be gone. RH_FAIL: the
// step can't end here.
uint32_t rh_residual_settle(struct rh_residuals *residuals, uint32_t form);

// Messages that can be received; messages that `actor` can send next. Each once.
struct rh_labels {
    struct rh_label *items;
    size_t count, capacity;
};
void rh_labels_add(struct rh_labels *labels, const struct rh_label *label);
void rh_residual_receivable(struct rh_residuals *residuals, uint32_t form,
                            struct rh_labels *labels);
void rh_residual_sendable(struct rh_residuals *residuals, uint32_t form, uint32_t actor,
                          bool is_body, struct rh_labels *labels);
// One of the messages that the actor has to send in this step in any case, and that may as well be
// sent first: the only one to its receiver. false if there is none.
bool rh_residual_must_send(struct rh_residuals *residuals, uint32_t form, uint32_t actor,
                           bool is_body, struct rh_label *label);

#endif
