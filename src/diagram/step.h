// SPDX-License-Identifier: MIT
// Whole steps: what is left of a diagram behind a handler that sends these messages, and which
// messages a diagram lets a handler send.
#ifndef REHEARSE_DIAGRAM_STEP_H
#define REHEARSE_DIAGRAM_STEP_H

#include "diagram/residual.h"

// What a handler sends, in the order of senders and receivers; for each of them in sending order.
struct rh_sends {
    struct rh_label *items;
    size_t count, capacity;
};
void rh_sends_sort(struct rh_sends *sends);
bool rh_sends_equal(const struct rh_sends *one, const struct rh_sends *other);
void rh_sends_fini(struct rh_sends *sends);
// "master -> worker[1]: work, master -> worker[2]: work", or "nothing".
void rh_sends_print(const struct rh_names *names, struct rh_text *text,
                    const struct rh_sends *sends);

// Adds what is left of a marked form, settled, behind a handler that sends these messages. false if
// there are more ways than are followed.
bool rh_step_follow(struct rh_residuals *residuals, uint32_t form, const struct rh_sends *sends,
                    bool is_body, struct rh_form_list *out);

// The same, with the arrows that are taken on the way to each form: one entry for each of them, and
// one without an arrow if nothing is sent.
struct rh_step_arrow {
    uint32_t form, site; // RH_NONE: no arrow
};
struct rh_step_arrows {
    struct rh_step_arrow *items;
    size_t count, capacity;
};
void rh_step_follow_arrows(struct rh_residuals *residuals, uint32_t form,
                           const struct rh_sends *sends, bool is_body, struct rh_step_arrows *out);

// One way in which a handler may end.
struct rh_step_way {
    uint32_t form; // what is left, settled
    struct rh_sends sends;
};
struct rh_step_ways {
    struct rh_step_way *items;
    size_t count, capacity;
};
void rh_step_ways_fini(struct rh_step_ways *ways);
// Adds all ways in which the handler of `actor` may end that runs in a marked form. false if there
// are more than `most`: then some are missing.
bool rh_step_ways(struct rh_residuals *residuals, uint32_t form, uint32_t actor, bool is_body,
                  size_t most, struct rh_step_ways *ways);

#endif
