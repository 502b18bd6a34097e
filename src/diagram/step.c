// SPDX-License-Identifier: MIT
#include "diagram/step.h"

#include <stdlib.h>
#include <string.h>

// How many orders of messages to different receivers are tried for one step.
enum { ORDERS_MOST = 20000 };

void rh_sends_fini(struct rh_sends *sends)
{
    rh_vector_fini(sends);
}

static int compare_ends(const struct rh_label *one, const struct rh_label *other)
{
    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return one->to < other->to ? -1 : one->to > other->to;
}

// An insertion sort, since the order of messages between the same two actors has to stay.
void rh_sends_sort(struct rh_sends *sends)
{
    for (size_t i = 1; i < sends->count; i++) {
        struct rh_label label = sends->items[i];
        size_t k = i;
        for (; k > 0 && compare_ends(&sends->items[k - 1], &label) > 0; k--)
            sends->items[k] = sends->items[k - 1];
        sends->items[k] = label;
    }
}

bool rh_sends_equal(const struct rh_sends *one, const struct rh_sends *other)
{
    bool is_same = one->count == other->count;
    for (size_t i = 0; i < one->count && is_same; i++)
        is_same = rh_label_equals(&one->items[i], &other->items[i]);
    return is_same;
}

void rh_sends_print(const struct rh_names *names, struct rh_text *text,
                    const struct rh_sends *sends)
{
    for (size_t i = 0; i < sends->count; i++) {
        rh_text_add(text, i ? ", " : "");
        rh_names_print(names, text, &sends->items[i]);
    }
    rh_text_add(text, sends->count ? "" : "nothing");
}

// --- Following what is sent. ---

// A form behind some of the messages: a bit for each message that was sent.
struct place {
    uint32_t form;
    uint8_t *sent; // owned; by number of the message
};

// A place and one before it, from which this arrow leads here.
struct link {
    uint32_t from, to, site;
};

struct follower {
    struct rh_residuals *residuals;
    const struct rh_sends *sends;
    bool is_body;
    RH_VECTOR(struct place) places;
    struct rh_table table; // of places, by form and messages
    struct rh_form_list *out;
    struct rh_step_arrows *arrows; // NULL: nobody asks for arrows
    RH_VECTOR(struct link) links;  // if somebody does
};

static uint32_t add_place(struct follower *follower, uint32_t form, const uint8_t *sent,
                          size_t next)
{
    size_t count = follower->sends->count;
    uint8_t *bytes = rh_alloc(count + 1);
    memcpy(bytes, sent, count);
    if (next < count)
        bytes[next] = 1;
    uint64_t hash = rh_hash64(bytes, count, form);
    struct rh_probe probe = rh_table_probe(&follower->table, hash);
    while (rh_probe_next(&probe)) {
        const struct place *known = &follower->places.items[probe.number];
        if (known->form == form && !memcmp(known->sent, bytes, count)) {
            free(bytes);
            return probe.number;
        }
    }
    rh_table_add(&follower->table, NULL, hash, (uint32_t)follower->places.count);
    *rh_vector_push(&follower->places) = (struct place){form, bytes};
    return (uint32_t)follower->places.count - 1;
}

// Whether the message is the first that is left to its receiver.
static bool is_first(const struct rh_sends *sends, const uint8_t *sent, size_t index)
{
    if (sent[index])
        return false;
    return index == 0 || sent[index - 1] ||
           compare_ends(&sends->items[index - 1], &sends->items[index]) != 0;
}

// Sends a message by one arrow, or by any (RH_NONE).
static void send_by(struct follower *follower, size_t number, size_t index, uint32_t site)
{
    struct place place = follower->places.items[number];
    struct rh_form_list left = {0};
    follower->residuals->only_site = site;
    rh_residual_send(follower->residuals, place.form, &follower->sends->items[index],
                     follower->is_body, &left);
    follower->residuals->only_site = RH_NONE;
    for (size_t i = 0; i < left.count; i++) {
        uint32_t to = add_place(follower, left.items[i], place.sent, index);
        if (site != RH_NONE)
            *rh_vector_push(&follower->links) = (struct link){(uint32_t)number, to, site};
    }
    rh_form_list_fini(&left);
}

// The arrows by which the message may be sent.
static void find_sites(struct follower *follower, size_t number, size_t index,
                       struct rh_form_list *sites)
{
    struct rh_form_list left = {0};
    follower->residuals->sites = sites;
    rh_residual_send(follower->residuals, follower->places.items[number].form,
                     &follower->sends->items[index], follower->is_body, &left);
    follower->residuals->sites = NULL;
    rh_form_list_sort(sites);
    rh_form_list_fini(&left);
}

static void send_one(struct follower *follower, size_t number, size_t index)
{
    struct rh_form_list sites = {0};
    if (!follower->arrows) {
        send_by(follower, number, index, RH_NONE);
        return;
    }
    find_sites(follower, number, index, &sites);
    for (size_t i = 0; i < sites.count; i++)
        send_by(follower, number, index, sites.items[i]);
    rh_form_list_fini(&sites);
}

// A message that has to be sent in any case, and is the only one to its receiver, goes first:
// RH_NONE if there is none.
static size_t certain_index(struct follower *follower, const struct place *place, bool *is_dead)
{
    struct rh_label label;
    const struct rh_sends *sends = follower->sends;
    *is_dead = false;
    for (size_t i = 0; i < sends->count; i++) {
        if (place->sent[i])
            continue;
        bool is_certain = rh_residual_must_send(follower->residuals, place->form,
                                                sends->items[i].from, follower->is_body, &label);
        if (!is_certain)
            return RH_NONE;
        for (size_t k = 0; k < sends->count; k++)
            if (rh_label_equals(&sends->items[k], &label) && is_first(sends, place->sent, k))
                return k;
        *is_dead = true;
        return RH_NONE;
    }
    return RH_NONE;
}

static void follow_place(struct follower *follower, size_t number)
{
    struct place place = follower->places.items[number];
    const struct rh_sends *sends = follower->sends;
    bool is_dead, is_done = !memchr(place.sent, 0, sends->count);
    if (is_done) {
        rh_form_list_add(follower->out, rh_residual_settle(follower->residuals, place.form));
        return;
    }
    size_t certain = certain_index(follower, &place, &is_dead);
    if (certain != RH_NONE)
        send_one(follower, number, certain);
    for (size_t i = 0; i < sends->count && certain == RH_NONE && !is_dead; i++)
        if (is_first(sends, place.sent, i))
            send_one(follower, number, i);
}

// Follows all places; false if there are too many.
static bool follow(struct follower *follower, uint32_t form)
{
    uint8_t *none = rh_alloc(follower->sends->count + 1);
    add_place(follower, form, none, follower->sends->count);
    size_t i = 0;
    for (; i < follower->places.count && i < ORDERS_MOST; i++)
        follow_place(follower, i);
    free(none);
    return i == follower->places.count;
}

static void follower_fini(struct follower *follower)
{
    for (size_t k = 0; k < follower->places.count; k++)
        free(follower->places.items[k].sent);
    rh_vector_fini(&follower->places);
    rh_vector_fini(&follower->links);
    rh_table_fini(&follower->table);
}

bool rh_step_follow(struct rh_residuals *residuals, uint32_t form, const struct rh_sends *sends,
                    bool is_body, struct rh_form_list *out)
{
    struct follower follower = {
        .residuals = residuals, .sends = sends, .is_body = is_body, .out = out};
    bool is_whole = follow(&follower, form);
    follower_fini(&follower);
    return is_whole;
}

// Links lead from earlier places to later ones, since each has one more message sent.
static void add_arrows(struct follower *follower, size_t last, uint32_t settled, bool *is_behind)
{
    *rh_vector_push(follower->arrows) = (struct rh_step_arrow){settled, RH_NONE};
    memset(is_behind, 0, follower->places.count);
    is_behind[last] = true;
    for (size_t i = follower->links.count; i-- > 0;) {
        const struct link *link = &follower->links.items[i];
        if (!is_behind[link->to])
            continue;
        is_behind[link->from] = true;
        *rh_vector_push(follower->arrows) = (struct rh_step_arrow){settled, link->site};
    }
}

void rh_step_follow_arrows(struct rh_residuals *residuals, uint32_t form,
                           const struct rh_sends *sends, bool is_body, struct rh_step_arrows *out)
{
    struct rh_form_list forms = {0};
    struct follower follower = {
        .residuals = residuals, .sends = sends, .is_body = is_body, .out = &forms, .arrows = out};
    follow(&follower, form);
    bool *is_behind = rh_alloc(follower.places.count + 1);
    for (size_t i = 0; i < follower.places.count; i++) {
        bool is_done = !memchr(follower.places.items[i].sent, 0, sends->count);
        uint32_t settled = is_done ? rh_residual_settle(residuals, follower.places.items[i].form)
                                   : (uint32_t)RH_FAIL;
        if (settled != RH_FAIL)
            add_arrows(&follower, i, settled, is_behind);
    }
    free(is_behind);
    rh_form_list_fini(&forms);
    follower_fini(&follower);
}

// --- All ways in which a handler may end. ---

void rh_step_ways_fini(struct rh_step_ways *ways)
{
    for (size_t i = 0; i < ways->count; i++)
        rh_sends_fini(&ways->items[i].sends);
    rh_vector_fini(ways);
}

// Adds a way that is not there yet.
static void add_way(struct rh_step_ways *ways, uint32_t form, const struct rh_sends *sends,
                    const struct rh_label *last)
{
    struct rh_step_way way = {.form = form};
    for (size_t i = 0; i < sends->count; i++)
        *rh_vector_push(&way.sends) = sends->items[i];
    if (last)
        *rh_vector_push(&way.sends) = *last;
    rh_sends_sort(&way.sends);
    for (size_t i = 0; i < ways->count; i++)
        if (ways->items[i].form == form && rh_sends_equal(&ways->items[i].sends, &way.sends)) {
            rh_sends_fini(&way.sends);
            return;
        }
    *rh_vector_push(ways) = way;
}

static void go_on(struct rh_residuals *residuals, struct rh_step_ways *partial, size_t index,
                  const struct rh_label *label, bool is_body)
{
    struct rh_form_list left = {0};
    rh_residual_send(residuals, partial->items[index].form, label, is_body, &left);
    for (size_t i = 0; i < left.count; i++) {
        struct rh_sends sends = partial->items[index].sends;
        add_way(partial, left.items[i], &sends, label);
    }
    rh_form_list_fini(&left);
}

bool rh_step_ways(struct rh_residuals *residuals, uint32_t form, uint32_t actor, bool is_body,
                  size_t most, struct rh_step_ways *ways)
{
    struct rh_step_ways partial = {0};
    add_way(&partial, form, &(struct rh_sends){0}, NULL);
    size_t i = 0;
    for (; i < partial.count && i < most; i++) {
        struct rh_label certain;
        struct rh_labels next = {0};
        uint32_t settled = rh_residual_settle(residuals, partial.items[i].form);
        if (settled != RH_FAIL) {
            struct rh_sends sends = partial.items[i].sends;
            add_way(ways, settled, &sends, NULL);
        }
        if (rh_residual_must_send(residuals, partial.items[i].form, actor, is_body, &certain))
            rh_labels_add(&next, &certain);
        else
            rh_residual_sendable(residuals, partial.items[i].form, actor, is_body, &next);
        for (size_t k = 0; k < next.count; k++)
            go_on(residuals, &partial, i, &next.items[k], is_body);
        rh_vector_fini(&next);
    }
    bool is_whole = i == partial.count;
    rh_step_ways_fini(&partial);
    return is_whole;
}
