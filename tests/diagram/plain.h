// SPDX-License-Identifier: MIT
// What diagrams mean, as plainly as it can be said: all partial orders of a diagram, and all words of each that keep
// the four laws of docs/diagram.md. Shares nothing with src/diagram but the nodes that its parser makes.
//
// A word is a text: its steps, each ended by '.'. A step is the message that is received, '>', and the messages that
// the handler sends: by receiver, and for each receiver as they are sent. The body is a step that receives nothing.
#ifndef REHEARSE_TESTS_DIAGRAM_PLAIN_H
#define REHEARSE_TESTS_DIAGRAM_PLAIN_H

#include "base/vector.h"
#include "diagram/diagram.h"
#include "diagram/form.h"
#include "diagram/part.h"
#include "test.h"

enum {
    PLAIN_EVENTS = 64,
    PLAIN_ORDERS = 600,
    PLAIN_WORDS = 30000,
    PLAIN_STEPS = 400000,
    PLAIN_ROUNDS = 5,
    PLAIN_CALLS = 6
};

struct plain_words {
    RH_VECTOR(char *) items; // sorted, each once, after plain_words_sort
    bool is_full;            // some are missing
};

static inline void plain_words_fini(struct plain_words *words)
{
    for (size_t i = 0; i < words->items.count; i++)
        free(words->items.items[i]);
    rh_vector_fini(&words->items);
}

static inline int plain_compare(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static inline void plain_words_sort(struct plain_words *words)
{
    size_t kept = 0;
    if (words->items.count == 0)
        return;
    qsort(words->items.items, words->items.count, sizeof(char *), plain_compare);
    for (size_t i = 0; i < words->items.count; i++) {
        char *word = words->items.items[i];
        if (kept > 0 && !strcmp(words->items.items[kept - 1], word))
            free(word);
        else
            words->items.items[kept++] = word;
    }
    words->items.count = kept;
}

static inline bool plain_words_have(const struct plain_words *words, const char *word)
{
    return words->items.count &&
           bsearch(&word, words->items.items, words->items.count, sizeof(char *), plain_compare);
}

static inline void plain_words_add(struct plain_words *words, const char *word)
{
    if (words->items.count < PLAIN_WORDS)
        *rh_vector_push(&words->items) = rh_strdup(word);
    else
        words->is_full = true;
}

// Four letters for a message: who, to whom, its type, and how it is sent.
static inline void plain_add_label(struct rh_text *text, const struct rh_label *label)
{
    rh_text_addf(text, "%c%c%c%c", (char)('A' + label->from), (char)('A' + label->to),
                 (char)('a' + label->type), "-?=@"[label->kind]);
}

// Writes a step; sorts what is sent by receivers, and keeps the order of messages to the same one.
static inline void plain_add_step(struct rh_text *text, const struct rh_label *received,
                                  struct rh_label *sent, size_t count)
{
    if (received)
        plain_add_label(text, received);
    rh_text_add(text, ">");
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && sent[k - 1].to > sent[k].to; k--) {
            struct rh_label label = sent[k];
            sent[k] = sent[k - 1];
            sent[k - 1] = label;
        }
    for (size_t i = 0; i < count; i++)
        plain_add_label(text, &sent[i]);
    rh_text_add(text, ".");
}

// --- Partial orders. ---

struct plain_event {
    struct rh_label label;
    bool is_receive;
    int partner;                // of a receive: the event that sends the message
    const struct rh_node *site; // arrow
};

struct plain_order {
    int count;
    struct plain_event events[PLAIN_EVENTS];
    uint64_t before[PLAIN_EVENTS];
};

struct plain_orders {
    RH_VECTOR(struct plain_order) items;
    bool is_full;
};

struct plain {
    struct rh_names *names;
    bool is_fifo;
    bool
        is_bounded; // a loop without a bound was tried with PLAIN_ROUNDS rounds at most, or calls within each other
    int calls; // of parts that call themselves, within each other
    bool is_full;
};

static inline uint32_t plain_actor(struct plain *plain, const struct rh_party *party,
                                   const struct rh_binding *bindings)
{
    const struct rh_binding *bound = party->index ? NULL : rh_binding_find(bindings, party->class);
    int64_t index = 1;
    const char *unknown;
    if (bound && bound->class)
        return rh_names_actor(plain->names, bound->class, bound->value);
    if (party->index)
        EXPECT(rh_expression_evaluate(party->index, bindings, &index, &unknown));
    return rh_names_actor(plain->names, party->class, index);
}

static inline uint32_t plain_agent(const struct plain_event *event)
{
    return event->is_receive ? event->label.to : event->label.from;
}

enum plain_join { PLAIN_ALL, PLAIN_SAME_ACTOR, PLAIN_NONE };

// Adds each order of the one list beside each of the other, with what the operator orders.
static inline void plain_product(struct plain_orders *into, const struct plain_orders *left,
                                 const struct plain_orders *right, enum plain_join join)
{
    into->is_full |= left->is_full || right->is_full;
    for (size_t i = 0; i < left->items.count; i++)
        for (size_t k = 0; k < right->items.count; k++) {
            const struct plain_order *one = &left->items.items[i], *other = &right->items.items[k];
            if (one->count + other->count > PLAIN_EVENTS || into->items.count >= PLAIN_ORDERS) {
                into->is_full = true;
                return;
            }
            struct plain_order order = *one;
            for (int e = 0; e < other->count; e++) {
                struct plain_event event = other->events[e];
                event.partner += one->count;
                uint64_t before = other->before[e] << one->count % 64;
                for (int b = 0; b < one->count && join != PLAIN_NONE; b++)
                    if (join == PLAIN_ALL || plain_agent(&one->events[b]) == plain_agent(&event))
                        before |= UINT64_C(1) << b;
                order.events[order.count] = event;
                order.before[order.count++] = before;
            }
            *rh_vector_push(&into->items) = order;
        }
}

static inline void plain_orders_fini(struct plain_orders *orders)
{
    rh_vector_fini(&orders->items);
}

static inline void plain_unite(struct plain_orders *into, struct plain_orders *from)
{
    into->is_full |= from->is_full || into->items.count + from->items.count > PLAIN_ORDERS;
    for (size_t i = 0; i < from->items.count && !into->is_full; i++)
        *rh_vector_push(&into->items) = from->items.items[i];
    plain_orders_fini(from);
}

// Replaces the orders by those of them joined with others, which it takes.
static inline void plain_append(struct plain_orders *orders, struct plain_orders *more,
                                enum plain_join join)
{
    struct plain_orders product = {0};
    plain_product(&product, orders, more, join);
    plain_orders_fini(orders);
    plain_orders_fini(more);
    *orders = product;
}

static inline struct plain_orders plain_expand(struct plain *plain, const struct rh_node *node,
                                               const struct rh_binding *bindings);

static inline struct plain_orders plain_expand_arrow(struct plain *plain,
                                                     const struct rh_node *node,
                                                     const struct rh_binding *bindings)
{
    struct plain_orders orders = {0};
    struct rh_label label = {.from = plain_actor(plain, &node->from, bindings),
                             .to = plain_actor(plain, &node->to, bindings),
                             .type = rh_names_type(plain->names, node->type),
                             .kind = node->sending};
    size_t known = plain->names->program_actors;
    // Parts that call themselves end where there are no more actors.
    if (plain->calls > 0 && (label.from >= known || label.to >= known))
        return orders;
    struct plain_order *order = rh_vector_push(&orders.items);
    order->count = node->is_lost ? 1 : 2;
    order->events[0] = (struct plain_event){.label = label, .site = node};
    order->events[1] = (struct plain_event){.label = label, .is_receive = true, .site = node};
    order->before[1] = 1;
    return orders;
}

static inline struct plain_orders plain_nothing(void)
{
    struct plain_orders orders = {0};
    rh_vector_push(&orders.items);
    return orders;
}

static inline int64_t plain_number(const struct rh_expression *expression,
                                   const struct rh_binding *bindings)
{
    int64_t value = 0;
    const char *unknown;
    EXPECT(rh_expression_evaluate(expression, bindings, &value, &unknown));
    return value;
}

static inline struct plain_orders plain_expand_loop(struct plain *plain, const struct rh_node *node,
                                                    const struct rh_binding *bindings)
{
    struct plain_orders all = {0};
    int64_t least = plain_number(node->first, bindings);
    int64_t most = node->last ? plain_number(node->last, bindings) : least + PLAIN_ROUNDS;
    plain->is_bounded |= !node->last;
    for (int64_t rounds = least; rounds <= most && !all.is_full; rounds++) {
        struct plain_orders orders = plain_nothing();
        for (int64_t i = 0; i < rounds; i++) {
            struct plain_orders round = plain_expand(plain, node->parts[0], bindings);
            plain_append(&orders, &round, node->is_weak ? PLAIN_SAME_ACTOR : PLAIN_ALL);
        }
        plain_unite(&all, &orders);
    }
    return all;
}

static inline struct plain_orders plain_expand_family(struct plain *plain,
                                                      const struct rh_node *node,
                                                      const struct rh_binding *bindings)
{
    struct plain_orders orders = plain_nothing();
    enum plain_join join = node->kind == RH_NODE_ALL ? PLAIN_NONE
                           : node->is_weak           ? PLAIN_SAME_ACTOR
                                                     : PLAIN_ALL;
    int64_t last = plain_number(node->last, bindings);
    for (int64_t i = plain_number(node->first, bindings); i <= last; i++) {
        struct rh_binding inner = {.variable = node->variable, .value = i, .outer = bindings};
        struct plain_orders member = plain_expand(plain, node->parts[0], &inner);
        plain_append(&orders, &member, join);
    }
    return orders;
}

static inline struct plain_orders plain_expand_some(struct plain *plain, const struct rh_node *node,
                                                    const struct rh_binding *bindings)
{
    struct plain_orders all = {0};
    for (int64_t i = 1; i <= rh_names_count(plain->names, node->class); i++) {
        struct rh_binding inner = {
            .variable = node->variable, .value = i, .class = node->class, .outer = bindings};
        struct plain_orders member = plain_expand(plain, node->parts[0], &inner);
        plain_unite(&all, &member);
    }
    return all;
}

static inline struct plain_orders plain_expand_call(struct plain *plain, const struct rh_node *node,
                                                    const struct rh_binding *bindings)
{
    struct rh_binding own[RH_PARAMETERS_MOST];
    bool is_recursive = rh_definition_is_recursive(node->definition);
    for (size_t i = 0; i < node->argument_count; i++)
        own[i] = (struct rh_binding){.variable = node->definition->parameters[i],
                                     .value = plain_number(node->arguments[i], bindings),
                                     .outer = i ? &own[i - 1] : NULL};
    if (plain->calls == PLAIN_CALLS) {
        plain->is_bounded = true;
        return (struct plain_orders){0};
    }
    plain->calls += is_recursive;
    struct plain_orders orders =
        plain_expand(plain, node->definition->body,
                     node->argument_count ? &own[node->argument_count - 1] : NULL);
    plain->calls -= is_recursive;
    return orders;
}

static inline struct plain_orders plain_expand_list(struct plain *plain, const struct rh_node *node,
                                                    const struct rh_binding *bindings)
{
    struct plain_orders orders = plain_expand(plain, node->parts[0], bindings);
    // What begins with nothing that can be need not be expanded, maybe without end.
    for (size_t i = 1; i < node->count && (orders.items.count > 0 || node->kind == RH_NODE_CHOICE);
         i++) {
        struct plain_orders part = plain_expand(plain, node->parts[i], bindings);
        if (node->kind == RH_NODE_CHOICE)
            plain_unite(&orders, &part);
        else
            plain_append(&orders, &part,
                         node->kind == RH_NODE_SEQUENCE ? PLAIN_ALL
                         : node->kind == RH_NODE_WEAK   ? PLAIN_SAME_ACTOR
                                                        : PLAIN_NONE);
    }
    return orders;
}

static inline struct plain_orders plain_expand(struct plain *plain, const struct rh_node *node,
                                               const struct rh_binding *bindings)
{
    switch (node->kind) {
    case RH_NODE_SKIP:
        return plain_nothing();
    case RH_NODE_ARROW:
        return plain_expand_arrow(plain, node, bindings);
    case RH_NODE_LOOP:
        return plain_expand_loop(plain, node, bindings);
    case RH_NODE_ALL:
    case RH_NODE_EACH:
        return plain_expand_family(plain, node, bindings);
    case RH_NODE_CALL:
        return plain_expand_call(plain, node, bindings);
    case RH_NODE_SOME:
        return plain_expand_some(plain, node, bindings);
    default:
        return plain_expand_list(plain, node, bindings);
    }
}

// What comes before what comes before is before too. Events are in an order that allows one pass: an operator only
// orders what stands left of it before what stands right of it.
static inline void plain_close(struct plain_order *order)
{
    for (int i = 0; i < order->count; i++)
        for (int k = 0; k < i; k++)
            if (order->before[i] >> k & 1)
                order->before[i] |= order->before[k];
}

// --- Words of one order. ---

struct plain_sites {
    const struct rh_node **items;
    size_t count, capacity;
};

struct plain_walk {
    const struct plain *plain;
    const struct plain_order *order;
    uint64_t done;             // events
    int moments[PLAIN_EVENTS]; // of messages that were sent: when
    int now;
    uint64_t waiting; // actors
    struct plain_words *words;
    struct plain_sites *used; // arrows that a word of `program` takes; NULL: nobody asks
    const struct plain_words *program;
    size_t *steps; // of all orders together
    bool is_full;
};

static inline void plain_receive_next(struct plain_walk *walk, struct rh_text *word);

static inline bool plain_is_ready(const struct plain_walk *walk, int event)
{
    return !(walk->done >> event & 1) && !(walk->order->before[event] & ~walk->done);
}

static inline bool plain_keeps_order(enum rh_journal_kind kind)
{
    return kind == RH_JOURNAL_PLAIN || kind == RH_JOURNAL_ASK;
}

// Whether an earlier message between the two is still on its way.
static inline bool plain_is_overtaken(const struct plain_walk *walk, int receive)
{
    const struct plain_order *order = walk->order;
    const struct plain_event *event = &order->events[receive];
    if (!walk->plain->is_fifo || !plain_keeps_order(event->label.kind))
        return false;
    for (int i = 0; i < order->count; i++) {
        const struct plain_event *other = &order->events[i];
        if (other->is_receive && !(walk->done >> i & 1) && walk->done >> other->partner & 1 &&
            other->label.from == event->label.from && other->label.to == event->label.to &&
            plain_keeps_order(other->label.kind) &&
            walk->moments[other->partner] < walk->moments[event->partner])
            return true;
    }
    return false;
}

static inline bool plain_may_receive(const struct plain_walk *walk, int event)
{
    const struct plain_event *receive = &walk->order->events[event];
    bool is_answer = receive->label.kind == RH_JOURNAL_ANSWER;
    return receive->is_receive && plain_is_ready(walk, event) && !plain_is_overtaken(walk, event) &&
           (is_answer || !(walk->waiting >> receive->label.to & 1));
}

// Ends the step, and goes on with others.
static inline void plain_end_step(struct plain_walk *walk, struct rh_text *word, int receive,
                                  const struct rh_label *sent, size_t count)
{
    const struct plain_event *received = receive >= 0 ? &walk->order->events[receive] : NULL;
    struct rh_label copy[PLAIN_EVENTS];
    size_t length = word->length;
    uint64_t waiting = walk->waiting;
    memcpy(copy, sent, count * sizeof *copy);
    if (received && received->label.kind == RH_JOURNAL_ANSWER)
        walk->waiting &= ~(UINT64_C(1) << received->label.to);
    for (size_t i = 0; i < count; i++)
        if (sent[i].kind == RH_JOURNAL_ASK)
            walk->waiting |= UINT64_C(1) << sent[i].from;
    plain_add_step(word, received ? &received->label : NULL, copy, count);
    plain_receive_next(walk, word);
    rh_text_cut(word, length);
    walk->waiting = waiting;
}

// All that the handler of `receive` (-1: the body) may send next. A message that could be sent and is not will never
// be: whatever its sender receives later does not come before it. So the step ends when there is none.
static inline void plain_send_next(struct plain_walk *walk, struct rh_text *word, int receive,
                                   struct rh_label *sent, size_t count)
{
    const struct plain_order *order = walk->order;
    uint32_t actor = receive >= 0 ? order->events[receive].label.to : 0;
    bool sends = false;
    walk->is_full |= ++*walk->steps > PLAIN_STEPS;
    for (int i = 0; i < order->count && !walk->is_full; i++) {
        const struct plain_event *event = &order->events[i];
        if (event->is_receive || event->label.from != actor || !plain_is_ready(walk, i) ||
            (receive >= 0 && !(order->before[i] >> receive & 1)))
            continue;
        sends = true;
        walk->done |= UINT64_C(1) << i;
        walk->moments[i] = walk->now++;
        sent[count] = event->label;
        plain_send_next(walk, word, receive, sent, count + 1);
        walk->done &= ~(UINT64_C(1) << i);
    }
    if (!sends && !walk->is_full)
        plain_end_step(walk, word, receive, sent, count);
}

static inline void plain_note_used(struct plain_walk *walk, const char *word)
{
    if (!walk->used || !plain_words_have(walk->program, word))
        return;
    for (int i = 0; i < walk->order->count; i++)
        *rh_vector_push(walk->used) = walk->order->events[i].site;
}

static inline void plain_receive_next(struct plain_walk *walk, struct rh_text *word)
{
    const struct plain_order *order = walk->order;
    if (walk->done == (order->count == 64 ? UINT64_MAX : (UINT64_C(1) << order->count) - 1)) {
        plain_words_add(walk->words, rh_text_get(word));
        plain_note_used(walk, rh_text_get(word));
    }
    for (int i = 0; i < order->count && !walk->is_full; i++) {
        if (!plain_may_receive(walk, i))
            continue;
        struct rh_label sent[PLAIN_EVENTS];
        walk->done |= UINT64_C(1) << i;
        plain_send_next(walk, word, i, sent, 0);
        walk->done &= ~(UINT64_C(1) << i);
    }
}

// All words of a diagram. With `program` also the arrows, as often as they come, that words of it take.
static inline void plain_words_of(struct plain *plain, const struct rh_node *body,
                                  struct plain_words *words, const struct plain_words *program,
                                  struct plain_sites *used)
{
    struct plain_orders orders = plain_expand(plain, body, NULL);
    size_t steps = 0;
    plain->is_full |= orders.is_full;
    for (size_t i = 0; i < orders.items.count && !plain->is_full; i++) {
        plain_close(&orders.items.items[i]);
        struct plain_walk walk = {.plain = plain,
                                  .order = &orders.items.items[i],
                                  .words = words,
                                  .program = program,
                                  .used = used,
                                  .steps = &steps};
        struct rh_label sent[PLAIN_EVENTS];
        struct rh_text word = {0};
        plain_send_next(&walk, &word, -1, sent, 0);
        rh_text_fini(&word);
        plain->is_full |= walk.is_full || words->is_full;
    }
    plain_orders_fini(&orders);
    plain_words_sort(words);
}

#endif
