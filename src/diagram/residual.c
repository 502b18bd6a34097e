// SPDX-License-Identifier: MIT
#include "diagram/residual.h"

#include <stdlib.h>

// How many rounds of a pipelined loop may overtake each other while each of them might still do
// something of the actor that overtakes.
enum { OVERTAKEN_MOST = 6 };

void rh_form_list_add(struct rh_form_list *list, uint32_t form)
{
    if (form != RH_FAIL)
        *rh_vector_push(list) = form;
}

static int compare_forms(const void *one, const void *other)
{
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

void rh_form_list_sort(struct rh_form_list *list)
{
    if (list->count < 2)
        return;
    qsort(list->items, list->count, sizeof *list->items, compare_forms);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++)
        if (list->items[i] != list->items[kept - 1])
            list->items[kept++] = list->items[i];
    list->count = kept;
}

void rh_form_list_fini(struct rh_form_list *list)
{
    rh_vector_fini(list);
}

void rh_residuals_clear(struct rh_residuals *residuals)
{
    rh_table_fini(&residuals->cache);
    residuals->cache = (struct rh_table){0};
    residuals->entries.count = 0;
}

void rh_residuals_fini(struct rh_residuals *residuals)
{
    rh_table_fini(&residuals->cache);
    rh_vector_fini(&residuals->entries);
}

void rh_labels_add(struct rh_labels *labels, const struct rh_label *label)
{
    for (size_t i = 0; i < labels->count; i++)
        if (rh_label_equals(&labels->items[i], label))
            return;
    *rh_vector_push(labels) = *label;
}

static struct rh_form get(const struct rh_residuals *residuals, uint32_t form)
{
    return *rh_form_get(residuals->forms, form);
}

// --- What was computed before. ---

static uint32_t find_entry(const struct rh_residuals *residuals, uint64_t key, uint64_t actors)
{
    struct rh_probe probe =
        rh_table_probe(&residuals->cache, rh_hash64_pair(rh_table_hash(key), actors));
    while (rh_probe_next(&probe)) {
        const struct rh_residual_entry *entry = &residuals->entries.items[probe.number];
        if (entry->key == key && entry->actors == actors)
            return entry->form;
    }
    return RH_NONE;
}

static uint32_t add_entry(struct rh_residuals *residuals, uint64_t key, uint64_t actors,
                          uint32_t form)
{
    uint32_t number = (uint32_t)residuals->entries.count;
    *rh_vector_push(&residuals->entries) = (struct rh_residual_entry){key, actors, form};
    rh_table_add(&residuals->cache, NULL, rh_hash64_pair(rh_table_hash(key), actors), number);
    return form;
}

// --- Doing without an actor. ---

static uint32_t join(struct rh_residuals *residuals, const struct rh_form *like, uint32_t left,
                     uint32_t right)
{
    switch (like->kind) {
    case RH_FORM_SEQUENCE:
        return rh_form_sequence(residuals->forms, left, right);
    case RH_FORM_WEAK:
        return rh_form_weak(residuals->forms, left, right);
    case RH_FORM_PARALLEL:
        return rh_form_parallel(residuals->forms, left, right);
    case RH_FORM_CHOICE:
        return rh_form_choice(residuals->forms, left, right);
    default:
        return rh_form_loop(residuals->forms, left, like->least, like->most, rh_form_rounds(like));
    }
}

static bool does_without(const struct rh_form *leaf, uint32_t actor)
{
    bool sends = leaf->kind == RH_FORM_ARROW && leaf->label.from == actor;
    bool receives = (leaf->kind == RH_FORM_ARROW || leaf->kind == RH_FORM_PENDING) &&
                    leaf->label.to == actor && !leaf->label.is_lost;
    return leaf->kind != RH_FORM_CALL && !sends && !receives;
}

// The ways of the form in which the actor does nothing.
static uint32_t permit(struct rh_residuals *residuals, uint32_t number, uint32_t actor)
{
    struct rh_form form = get(residuals, number);
    if (!((form.sends | form.receives) & rh_actor_bit(actor)))
        return number;
    residuals->gave_up |= form.kind == RH_FORM_CALL;
    if (form.kind < RH_FORM_SEQUENCE)
        return does_without(&form, actor) ? number : RH_FAIL;
    uint64_t key = (uint64_t)number << 1;
    uint32_t known = find_entry(residuals, key, actor);
    if (known != RH_NONE)
        return known;
    uint32_t left = permit(residuals, form.left, actor);
    uint32_t right = form.kind == RH_FORM_LOOP ? 0 : permit(residuals, form.right, actor);
    return add_entry(residuals, key, actor, join(residuals, &form, left, right));
}

// --- Receiving. ---

static bool is_next(const struct rh_residuals *residuals, const struct rh_form *pending)
{
    return !residuals->is_fifo || !rh_label_keeps_order(&pending->label) || pending->place == 0;
}

static void wrap(struct rh_residuals *residuals, const struct rh_form *like,
                 struct rh_form_list *parts, uint32_t other, bool is_left, struct rh_form_list *out)
{
    for (size_t i = 0; i < parts->count; i++)
        rh_form_list_add(out, is_left ? join(residuals, like, parts->items[i], other)
                                      : join(residuals, like, other, parts->items[i]));
    rh_form_list_fini(parts);
}

static void receive(struct rh_residuals *residuals, uint32_t number, const struct rh_label *label,
                    struct rh_form_list *out);

static void receive_in_parts(struct rh_residuals *residuals, const struct rh_form *form,
                             const struct rh_label *label, struct rh_form_list *out)
{
    struct rh_form_list left = {0}, right = {0};
    receive(residuals, form->left, label, &left);
    wrap(residuals, form, &left, form->right, true, out);
    // What has been sent behind a `;` had nothing before it that was still to happen.
    uint32_t before = form->kind == RH_FORM_WEAK       ? permit(residuals, form->left, label->to)
                      : form->kind == RH_FORM_PARALLEL ? form->left
                                                       : RH_FAIL;
    if (before == RH_FAIL)
        return;
    receive(residuals, form->right, label, &right);
    wrap(residuals, form, &right, before, false, out);
}

// Messages that are pending are behind no choice and in no loop: both are decided when they are
// sent.
static void receive(struct rh_residuals *residuals, uint32_t number, const struct rh_label *label,
                    struct rh_form_list *out)
{
    struct rh_form form = get(residuals, number);
    if (!form.has_pending || !(form.receives & rh_actor_bit(label->to)))
        return;
    if (form.kind == RH_FORM_PENDING) {
        if (rh_label_equals(&form.label, label) && is_next(residuals, &form))
            rh_form_list_add(out, rh_form_mark(residuals->forms, label->to));
        return;
    }
    receive_in_parts(residuals, &form, label, out);
}

// Messages behind the one that was received move up.
static uint32_t move_up(struct rh_residuals *residuals, uint32_t number,
                        const struct rh_label *label)
{
    struct rh_form form = get(residuals, number);
    if (!form.has_pending || !(form.receives & rh_actor_bit(label->to)))
        return number;
    if (form.kind == RH_FORM_PENDING) {
        bool is_behind = form.label.from == label->from && form.label.to == label->to &&
                         rh_label_keeps_order(&form.label) && form.place > 0;
        return is_behind ? rh_form_pending(residuals->forms, number, form.place - 1) : number;
    }
    uint32_t left = move_up(residuals, form.left, label);
    uint32_t right = move_up(residuals, form.right, label);
    return join(residuals, &form, left, right);
}

void rh_residual_receive(struct rh_residuals *residuals, uint32_t form,
                         const struct rh_label *label, struct rh_form_list *out)
{
    size_t first = out->count;
    receive(residuals, form, label, out);
    if (!residuals->is_fifo || !rh_label_keeps_order(label))
        return;
    for (size_t i = first; i < out->count; i++)
        out->items[i] = move_up(residuals, out->items[i], label);
}

// --- Sending. ---

// What is being looked for while a form is walked through for messages that may be sent now.
struct sending {
    struct rh_residuals *residuals;
    const struct rh_label *label; // the message; NULL: all that the actor can send
    uint32_t actor;
    uint32_t place; // for the message
    struct rh_labels *found;
};

static void send(struct sending *sending, uint32_t number, bool is_below, struct rh_form_list *out);

static void send_here(struct sending *sending, uint32_t number, const struct rh_form *arrow,
                      struct rh_form_list *out)
{
    if (arrow->label.from != sending->actor)
        return;
    struct rh_residuals *residuals = sending->residuals;
    if (!sending->label) {
        rh_labels_add(sending->found, &arrow->label);
        return;
    }
    if (!rh_label_equals(&arrow->label, sending->label))
        return;
    if (residuals->only_site != RH_NONE && residuals->only_site != arrow->site)
        return;
    if (residuals->sites)
        *rh_vector_push(residuals->sites) = arrow->site;
    rh_form_list_add(out, arrow->label.is_lost
                              ? (uint32_t)RH_SKIP
                              : rh_form_pending(residuals->forms, number, sending->place));
}

static void send_in_sequence(struct sending *sending, const struct rh_form *form, bool is_below,
                             struct rh_form_list *out)
{
    struct rh_residuals *residuals = sending->residuals;
    struct rh_form left = get(residuals, form->left);
    struct rh_form_list first = {0}, second = {0};
    send(sending, form->left, is_below, &first);
    wrap(residuals, form, &first, form->right, true, out);
    uint32_t before = RH_FAIL;
    if (form->kind == RH_FORM_WEAK)
        before = permit(residuals, form->left, sending->actor);
    else if (left.can_end)
        before = left.has_mark ? rh_form_mark(residuals->forms, sending->actor) : (uint32_t)RH_SKIP;
    if (before == RH_FAIL)
        return;
    send(sending, form->right, is_below || left.has_mark, &second);
    wrap(residuals, form, &second, before, false, out);
}

static uint32_t rest_of_loop(struct rh_residuals *residuals, const struct rh_form *loop)
{
    return rh_form_loop(residuals->forms, loop->left, loop->least ? loop->least - 1 : 0,
                        loop->most == RH_LOOP_ANY ? RH_LOOP_ANY : loop->most - 1,
                        rh_form_rounds(loop));
}

// In a pipelined loop a later round may send first, if the earlier ones can do without the actor.
static void send_in_loop(struct sending *sending, const struct rh_form *loop, bool is_below,
                         int overtaken, struct rh_form_list *out)
{
    struct rh_residuals *residuals = sending->residuals;
    struct rh_form like = {.kind = loop->is_weak       ? RH_FORM_WEAK
                                   : loop->is_parallel ? RH_FORM_PARALLEL
                                                       : RH_FORM_SEQUENCE};
    struct rh_form_list first = {0}, later = {0};
    uint32_t rest = rest_of_loop(residuals, loop);
    send(sending, loop->left, is_below, &first);
    wrap(residuals, &like, &first, rest, true, out);
    uint32_t before = loop->is_weak ? permit(residuals, loop->left, sending->actor) : RH_FAIL;
    struct rh_form next = get(residuals, rest);
    if (before == RH_FAIL || before == RH_SKIP || before == loop->left || next.kind != RH_FORM_LOOP)
        return;
    if (overtaken == OVERTAKEN_MOST) {
        residuals->gave_up = true;
        return;
    }
    send_in_loop(sending, &next, is_below, overtaken + 1, &later);
    wrap(residuals, &like, &later, before, false, out);
}

static void send_in_either(struct sending *sending, const struct rh_form *form, bool is_below,
                           struct rh_form_list *out)
{
    struct rh_form_list left = {0}, right = {0};
    send(sending, form->left, is_below, &left);
    send(sending, form->right, is_below, &right);
    if (form->kind == RH_FORM_PARALLEL) {
        wrap(sending->residuals, form, &left, form->right, true, out);
        wrap(sending->residuals, form, &right, form->left, true, out);
        return;
    }
    for (size_t i = 0; i < left.count; i++)
        rh_form_list_add(out, left.items[i]);
    for (size_t i = 0; i < right.count; i++)
        rh_form_list_add(out, right.items[i]);
    rh_form_list_fini(&left);
    rh_form_list_fini(&right);
}

static void send(struct sending *sending, uint32_t number, bool is_below, struct rh_form_list *out)
{
    struct rh_form form = get(sending->residuals, number);
    if (!(form.sends & rh_actor_bit(sending->actor)) || (!is_below && !form.has_mark))
        return;
    switch (form.kind) {
    case RH_FORM_ARROW:
        send_here(sending, number, &form, out);
        return;
    case RH_FORM_SEQUENCE:
    case RH_FORM_WEAK:
        send_in_sequence(sending, &form, is_below, out);
        return;
    case RH_FORM_CALL:
        send(sending, sending->residuals->forms->definitions.items[form.left].form, is_below, out);
        return;
    case RH_FORM_LOOP:
        send_in_loop(sending, &form, is_below, 0, out);
        return;
    case RH_FORM_PARALLEL:
    case RH_FORM_CHOICE:
        send_in_either(sending, &form, is_below, out);
        return;
    default:
        return;
    }
}

// How many messages are pending from one actor to another, as far as the order rule is about them.
static uint32_t count_pending(const struct rh_residuals *residuals, uint32_t number, uint32_t from,
                              uint32_t to)
{
    struct rh_form form = get(residuals, number);
    if (!form.has_pending || !(form.receives & rh_actor_bit(to)))
        return 0;
    if (form.kind == RH_FORM_PENDING)
        return form.label.from == from && form.label.to == to && rh_label_keeps_order(&form.label);
    return count_pending(residuals, form.left, from, to) +
           count_pending(residuals, form.right, from, to);
}

void rh_residual_send(struct rh_residuals *residuals, uint32_t form, const struct rh_label *label,
                      bool is_body, struct rh_form_list *out)
{
    struct sending sending = {.residuals = residuals, .label = label, .actor = label->from};
    if (residuals->is_fifo && rh_label_keeps_order(label))
        sending.place = count_pending(residuals, form, label->from, label->to);
    send(&sending, form, is_body, out);
}

void rh_residual_sendable(struct rh_residuals *residuals, uint32_t form, uint32_t actor,
                          bool is_body, struct rh_labels *labels)
{
    struct sending sending = {.residuals = residuals, .actor = actor, .found = labels};
    struct rh_form_list none = {0};
    send(&sending, form, is_body, &none);
    rh_form_list_fini(&none);
}

// --- What can be received. ---

static void collect(struct rh_residuals *residuals, uint32_t number, struct rh_labels *labels)
{
    struct rh_form form = get(residuals, number);
    if (!form.has_pending)
        return;
    if (form.kind == RH_FORM_PENDING) {
        if (is_next(residuals, &form))
            rh_labels_add(labels, &form.label);
        return;
    }
    collect(residuals, form.left, labels);
    if (form.kind == RH_FORM_WEAK || form.kind == RH_FORM_PARALLEL)
        collect(residuals, form.right, labels);
}

// Of what is pending, that which nothing of its receiver has to go before.
void rh_residual_receivable(struct rh_residuals *residuals, uint32_t form, struct rh_labels *labels)
{
    struct rh_labels pending = {0};
    collect(residuals, form, &pending);
    for (size_t i = 0; i < pending.count; i++) {
        struct rh_form_list out = {0};
        receive(residuals, form, &pending.items[i], &out);
        if (out.count > 0)
            rh_labels_add(labels, &pending.items[i]);
        rh_form_list_fini(&out);
    }
    rh_vector_fini(&pending);
}

// --- What has to be sent. ---

// Counts arrows from one actor to another.
static size_t count_arrows(const struct rh_residuals *residuals, uint32_t number, uint32_t from,
                           uint32_t to)
{
    struct rh_form form = get(residuals, number);
    if (!(form.sends & rh_actor_bit(from)))
        return 0;
    if (form.kind == RH_FORM_ARROW)
        return form.label.from == from && form.label.to == to;
    if (form.kind == RH_FORM_CALL)
        return 2; // or more
    size_t count = count_arrows(residuals, form.left, from, to);
    return form.kind == RH_FORM_LOOP ? 2 * count
                                     : count + count_arrows(residuals, form.right, from, to);
}

// The first arrow that is certain: behind no choice, in no loop, and with nothing before it that
// might still be done by its actor.
static bool find_certain(struct rh_residuals *residuals, uint32_t whole, uint32_t number,
                         uint32_t actor, bool is_below, struct rh_label *label)
{
    struct rh_form form = get(residuals, number);
    if (!(form.sends & rh_actor_bit(actor)) || (!is_below && !form.has_mark))
        return false;
    if (form.kind == RH_FORM_ARROW) {
        *label = form.label;
        return form.label.from == actor &&
               count_arrows(residuals, whole, actor, form.label.to) == 1;
    }
    if (form.kind == RH_FORM_CHOICE || form.kind == RH_FORM_LOOP || form.kind == RH_FORM_CALL)
        return false;
    if (find_certain(residuals, whole, form.left, actor, is_below, label))
        return true;
    struct rh_form left = get(residuals, form.left);
    bool goes_on =
        form.kind == RH_FORM_PARALLEL || left.kind == RH_FORM_MARK ||
        (form.kind == RH_FORM_WEAK && !((left.sends | left.receives) & rh_actor_bit(actor)));
    bool is_inner = is_below || (form.kind != RH_FORM_PARALLEL && left.has_mark);
    return goes_on && find_certain(residuals, whole, form.right, actor, is_inner, label);
}

bool rh_residual_must_send(struct rh_residuals *residuals, uint32_t form, uint32_t actor,
                           bool is_body, struct rh_label *label)
{
    return find_certain(residuals, form, form, actor, is_body, label);
}

// --- The end of a step. ---

static uint32_t without_marks(struct rh_residuals *residuals, uint32_t number)
{
    struct rh_form form = get(residuals, number);
    if (!form.has_mark)
        return number;
    if (form.kind == RH_FORM_MARK)
        return RH_SKIP;
    uint32_t left = without_marks(residuals, form.left);
    uint32_t right = without_marks(residuals, form.right);
    return join(residuals, &form, left, right);
}

// A definition stays as it is if somebody of those may begin it.
static uint32_t prune_call(const struct rh_residuals *residuals, uint32_t number,
                           uint64_t receivers)
{
    struct rh_form form = get(residuals, number);
    if (residuals->forms->definitions.items[form.left].firsts & receivers)
        return number;
    return form.can_end ? (uint32_t)RH_SKIP : (uint32_t)RH_FAIL;
}

// Leaves out ways in which an actor would send before it receives anything: `receivers` may have
// received before.
static uint32_t prune(struct rh_residuals *residuals, uint32_t number, uint64_t receivers)
{
    struct rh_form form = get(residuals, number);
    if (!(form.sends & ~receivers))
        return number;
    if (form.kind == RH_FORM_CALL)
        return prune_call(residuals, number, receivers);
    if (form.kind < RH_FORM_SEQUENCE)
        return RH_FAIL;
    uint64_t key = (uint64_t)number << 1 | 1;
    uint32_t known = find_entry(residuals, key, receivers);
    if (known != RH_NONE)
        return known;
    uint32_t left = prune(residuals, form.left, receivers);
    if (form.kind == RH_FORM_LOOP)
        return add_entry(residuals, key, receivers,
                         left != RH_FAIL   ? number
                         : form.least == 0 ? (uint32_t)RH_SKIP
                                           : (uint32_t)RH_FAIL);
    bool is_sequence = form.kind == RH_FORM_SEQUENCE || form.kind == RH_FORM_WEAK;
    uint64_t before = is_sequence ? get(residuals, form.left).receives : 0;
    uint32_t right = prune(residuals, form.right, receivers | before);
    return add_entry(residuals, key, receivers, join(residuals, &form, left, right));
}

uint32_t rh_residual_settle(struct rh_residuals *residuals, uint32_t form)
{
    return prune(residuals, without_marks(residuals, form), 0);
}
