// SPDX-License-Identifier: MIT
#include "diagram/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"

struct reader {
    const struct rh_journal *journal;
    struct rh_automaton *automaton;
    struct rh_numbers_of actors; // of this journal: numbers in names
    struct rh_orders *orders;
    bool by_causes;
    size_t most;
};

// --- One execution. ---

// A message of one execution. Step 0 is the test's body, and others are numbered as they come.
struct sent {
    struct rh_label label;
    uint64_t identity;
    uint32_t sent_in, rank; // step that sends it, and its place among what that sends
    uint32_t taken_in;      // step that receives it; RH_NONE: none does
    uint64_t key;
};

struct execution {
    RH_VECTOR(uint32_t) steps; // of the journal
    RH_VECTOR(struct sent) messages;
    struct rh_index by_identity;
    RH_VECTOR(uint32_t) receivers; // of the steps; RH_NONE for the body
    RH_VECTOR(uint32_t) causes;    // of the steps: messages that they receive
    size_t words;
    uint64_t *before; // owned; rows of bits: steps that come before each in all equivalent ones
};

static void execution_fini(struct execution *execution)
{
    rh_vector_fini(&execution->steps);
    rh_vector_fini(&execution->messages);
    rh_vector_fini(&execution->receivers);
    rh_vector_fini(&execution->causes);
    rh_index_fini(&execution->by_identity);
    free(execution->before);
}

static void read_steps(const struct rh_journal *journal, uint32_t last, struct execution *execution)
{
    for (uint32_t at = last; at != RH_NONE; at = journal->steps[at].parent)
        *rh_vector_push(&execution->steps) = at;
    size_t count = execution->steps.count;
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t swapped = execution->steps.items[i];
        execution->steps.items[i] = execution->steps.items[count - 1 - i];
        execution->steps.items[count - 1 - i] = swapped;
    }
}

static uint64_t key_of(const struct execution *execution, const struct sent *sent, bool by_causes)
{
    if (by_causes)
        return rh_hash64_pair(sent->identity, sent->label.kind);
    uint64_t count = 0;
    for (size_t i = 0; i < execution->messages.count; i++)
        count += rh_label_equals(&execution->messages.items[i].label, &sent->label);
    const uint64_t words[] = {(uint64_t)sent->label.from << 32 | sent->label.to,
                              (uint64_t)sent->label.type << 32 | sent->label.kind, count};
    return rh_hash64(words, sizeof words, 0);
}

static void read_sent(struct reader *reader, struct execution *execution, uint32_t number)
{
    const struct rh_journal_step *step = &reader->journal->steps[execution->steps.items[number]];
    for (uint32_t i = 0; i < step->sent_count; i++) {
        const struct rh_journal_message *message = &reader->journal->messages[step->first_sent + i];
        struct sent sent = {.label = rh_automaton_label(reader->automaton, reader->journal,
                                                        &reader->actors, message),
                            .identity = message->identity,
                            .sent_in = number,
                            .rank = i,
                            .taken_in = RH_NONE};
        sent.key = key_of(execution, &sent, reader->by_causes);
        rh_index_add(&execution->by_identity, sent.identity, (uint32_t)execution->messages.count);
        *rh_vector_push(&execution->messages) = sent;
    }
}

static void read_execution(struct reader *reader, uint32_t last, struct execution *execution)
{
    read_steps(reader->journal, last, execution);
    for (uint32_t i = 0; i < execution->steps.count; i++) {
        uint32_t received = reader->journal->steps[execution->steps.items[i]].received;
        uint32_t receiver = RH_NONE, sent = RH_NONE;
        if (received != RH_NONE) {
            const struct rh_journal_message *message = &reader->journal->messages[received];
            sent = rh_index_find(&execution->by_identity, message->identity);
            receiver = reader->actors.items[message->receiver];
            if (sent != RH_NONE)
                execution->messages.items[sent].taken_in = i;
        }
        *rh_vector_push(&execution->receivers) = receiver;
        *rh_vector_push(&execution->causes) = sent;
        read_sent(reader, execution, i);
    }
}

static void set_before(struct execution *execution, uint32_t one, uint32_t other)
{
    uint64_t *row = execution->before + other * execution->words;
    row[one / 64] |= UINT64_C(1) << one % 64;
    for (size_t i = 0; i < execution->words; i++)
        row[i] |= execution->before[one * execution->words + i];
}

// What comes before what in all executions that are equivalent to this one: the body, earlier
// deliveries to the same actor, the delivery that has sent the message, and what comes before
// these.
static void relate(struct execution *execution)
{
    size_t count = execution->steps.count;
    execution->words = count / 64 + 1;
    execution->before = rh_alloc(count * execution->words * sizeof *execution->before + 1);
    uint32_t *sender = rh_alloc((count + 1) * sizeof *sender);
    for (size_t i = 0; i < execution->messages.count; i++)
        if (execution->messages.items[i].taken_in != RH_NONE)
            sender[execution->messages.items[i].taken_in] = execution->messages.items[i].sent_in;
    for (uint32_t i = 1; i < count; i++) {
        set_before(execution, 0, i);
        set_before(execution, sender[i], i);
        for (uint32_t k = 1; k < i; k++)
            if (execution->receivers.items[k] == execution->receivers.items[i])
                set_before(execution, k, i);
    }
    free(sender);
}

// Within a step what is received comes first; what is sent to different actors has no order.
static bool is_before(const struct execution *execution, size_t one, size_t other)
{
    const struct sent *first = &execution->messages.items[one / 2];
    const struct sent *second = &execution->messages.items[other / 2];
    uint32_t step = one % 2 ? first->taken_in : first->sent_in;
    uint32_t later = other % 2 ? second->taken_in : second->sent_in;
    if (step == RH_NONE || later == RH_NONE)
        return false;
    if (step != later)
        return execution->before[later * execution->words + step / 64] >> step % 64 & 1;
    if (one % 2 || other % 2)
        return one % 2 && !(other % 2);
    return first->label.to != second->label.to || first->rank < second->rank;
}

// --- Executions together. ---

static void order_fini(struct rh_order *order)
{
    rh_vector_fini(&order->events);
    free(order->before);
}

// Where the messages of the order are in the execution; NULL if it has others.
static uint32_t *match(const struct rh_order *order, const struct execution *execution)
{
    if (order->events.count != execution->messages.count)
        return NULL;
    struct rh_index index = {0};
    for (uint32_t i = 0; i < execution->messages.count; i++)
        rh_index_add(&index, execution->messages.items[i].key, i);
    uint32_t *places = rh_alloc((order->events.count + 1) * sizeof *places);
    bool is_same = true;
    for (size_t i = 0; i < order->events.count && is_same; i++) {
        places[i] = rh_index_find(&index, order->events.items[i].key);
        is_same = places[i] != RH_NONE && (execution->messages.items[places[i]].taken_in ==
                                           RH_NONE) == order->events.items[i].label.is_lost;
    }
    rh_index_fini(&index);
    if (is_same)
        return places;
    free(places);
    return NULL;
}

// The message whose handler has sent this one; RH_NONE: the test's body has.
static uint32_t cause_of(const struct execution *execution, uint32_t message)
{
    return execution->causes.items[execution->messages.items[message].sent_in];
}

// Keeps of the orders those that the execution has too.
static void intersect(struct rh_order *order, const struct execution *execution,
                      const uint32_t *places)
{
    size_t count = 2 * order->events.count;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (rh_order_has(order, k, i) &&
                !is_before(execution, 2 * (size_t)places[k / 2] + k % 2,
                           2 * (size_t)places[i / 2] + i % 2))
                order->before[i * order->words + k / 64] &= ~(UINT64_C(1) << k % 64);
    for (size_t i = 0; i < order->events.count; i++)
        if (order->events.items[i].cause != RH_NONE &&
            places[order->events.items[i].cause] != cause_of(execution, places[i]))
            order->events.items[i].cause = RH_NONE;
    order->executions++;
}

static struct rh_order order_of(const struct execution *execution)
{
    struct rh_order order = {.executions = 1};
    size_t count = 2 * execution->messages.count;
    order.words = count / 64 + 1;
    order.before = rh_alloc(count * order.words * sizeof *order.before + 1);
    for (size_t i = 0; i < execution->messages.count; i++) {
        const struct sent *sent = &execution->messages.items[i];
        struct rh_order_event *event = rh_vector_push(&order.events);
        *event = (struct rh_order_event){sent->key, sent->label, cause_of(execution, (uint32_t)i)};
        event->label.is_lost = sent->taken_in == RH_NONE;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (is_before(execution, k, i))
                order.before[i * order.words + k / 64] |= UINT64_C(1) << k % 64;
    return order;
}

static void add_execution(struct reader *reader, uint32_t last)
{
    struct rh_orders *orders = reader->orders;
    struct execution execution = {0};
    read_execution(reader, last, &execution);
    relate(&execution);
    uint32_t *places = NULL;
    for (size_t i = 0; i < orders->items.count && !places; i++) {
        places = match(&orders->items.items[i], &execution);
        if (places)
            intersect(&orders->items.items[i], &execution, places);
    }
    if (!places && orders->items.count < reader->most)
        *rh_vector_push(&orders->items) = order_of(&execution);
    else if (!places)
        orders->is_full = true;
    free(places);
    execution_fini(&execution);
}

void rh_orders_init(struct rh_orders *orders, const struct rh_journal *journal,
                    struct rh_automaton *automaton, bool by_causes, size_t most)
{
    *orders = (struct rh_orders){0};
    struct reader reader = {.journal = journal,
                            .automaton = automaton,
                            .orders = orders,
                            .by_causes = by_causes,
                            .most = most};
    rh_automaton_map(automaton, journal, &reader.actors);
    for (uint32_t i = 0; i < journal->step_count && !orders->is_full; i++)
        if (journal->steps[i].is_end)
            add_execution(&reader, i);
    rh_vector_fini(&reader.actors);
}

void rh_orders_fini(struct rh_orders *orders)
{
    for (size_t i = 0; i < orders->items.count; i++)
        order_fini(&orders->items.items[i]);
    rh_vector_fini(&orders->items);
}
