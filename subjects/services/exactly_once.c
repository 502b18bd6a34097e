// SPDX-License-Identifier: MIT
// Exactly-once consumption: a network that may deliver twice, and a consumer that remembers which records it has had.
//
// Producers number their records and send each again until it is acknowledged; there are never more than WINDOW records
// under way, from the oldest that is not acknowledged on. The consumer remembers the WINDOW numbers that it had last of
// each producer, in a ring. What it does not remember it applies: the amount goes to the ledger. It acknowledges every
// record, since the acknowledgement of an earlier copy may be what got lost.
//
// What goes wrong: a record that the network has kept for long comes once more when WINDOW newer ones have taken its
// place in the ring. The consumer does not remember it, and applies it again. In the fixed twin it also remembers the
// highest number that it has forgotten; up to that one everything was applied, since nothing newer would have been sent
// before.
//
// bug:     --test broken --duplicate 1:record@consumer : invariant
// cause:   record from producer to consumer came once more
// needs:   record from producer reached consumer before record from producer
// twin:    --test fixed --duplicate 1:record@consumer
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { WINDOW = 2, PRODUCERS = 2, MOST_RECORDS = 6, RETRY_MS = 200 };

// To a producer.
RH_SIGNAL(start);
RH_MESSAGE(acknowledged, { int number; });
RH_MESSAGE(retry, {
    int number;
    int attempt;
});

// To the consumer.
RH_MESSAGE(record, {
    int producer;
    int number; // from 1 on
    int amount;
});

// To the ledger.
RH_MESSAGE(apply, {
    int producer;
    int number;
    int amount;
});

struct producer {
    rh_actor *consumer;
    int identity;
    int records;
    int retries; // of each record
    int oldest;  // that is not acknowledged
    int next;
    bool is_acknowledged[MOST_RECORDS + 1];
};

static void send_record(const struct producer *producer, int number, int attempt)
{
    rh_send(producer->consumer, record,
            {.producer = producer->identity, .number = number, .amount = 10 * number});
    if (attempt < producer->retries)
        rh_after(RETRY_MS, rh_self(), retry, {.number = number, .attempt = attempt + 1});
}

static void fill_window(struct producer *producer)
{
    while (producer->oldest <= producer->records && producer->is_acknowledged[producer->oldest])
        producer->oldest++;
    while (producer->next <= producer->records && producer->next < producer->oldest + WINDOW) {
        send_record(producer, producer->next, 0);
        producer->next++;
    }
}

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct producer *producer = state;
    const struct acknowledged *acknowledged;
    const struct retry *retry;
    (void)self;

    if (rh_as(message, start)) {
        fill_window(producer);
    } else if ((acknowledged = rh_as(message, acknowledged))) {
        producer->is_acknowledged[acknowledged->number] = true;
        fill_window(producer);
    } else if ((retry = rh_as(message, retry))) {
        if (!producer->is_acknowledged[retry->number])
            send_record(producer, retry->number, retry->attempt);
    }
}

// What the consumer remembers of one producer.
struct window {
    int numbers[WINDOW]; // 0: none yet
    int next;            // place in the ring
    int forgotten;       // the highest number
};

struct consumer {
    rh_actor *ledger;
    bool is_strict; // the fix
    struct window windows[PRODUCERS];
};

static bool is_known(const struct consumer *consumer, const struct window *window, int number)
{
    if (consumer->is_strict && number <= window->forgotten)
        return true;
    for (int i = 0; i < WINDOW; i++)
        if (window->numbers[i] == number)
            return true;
    return false;
}

static void remember(struct window *window, int number)
{
    int forgotten = window->numbers[window->next];
    if (forgotten > window->forgotten)
        window->forgotten = forgotten;
    window->numbers[window->next] = number;
    window->next = (window->next + 1) % WINDOW;
}

static void consumer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct consumer *consumer = state;
    const struct record *record = rh_as(message, record);
    (void)self;

    if (!record)
        return;
    struct window *window = &consumer->windows[record->producer];
    if (!is_known(consumer, window, record->number)) {
        remember(window, record->number);
        rh_send(consumer->ledger, apply,
                {.producer = record->producer, .number = record->number, .amount = record->amount});
    }
    rh_send(rh_sender(message), acknowledged, {.number = record->number});
}

struct ledger {
    int total;
    int applied[PRODUCERS][MOST_RECORDS + 1];
};

static void ledger_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct ledger *ledger = state;
    const struct apply *apply = rh_as(message, apply);
    (void)self;

    if (!apply)
        return;
    ledger->total += apply->amount;
    ledger->applied[apply->producer][apply->number]++;
}

struct watched {
    rh_actor *ledger;
    int producers;
    int records;
};

static void nothing_is_applied_twice(const void *context)
{
    const struct watched *watched = context;
    const struct ledger *ledger = rh_view_state(watched->ledger);

    for (int i = 0; ledger && i < PRODUCERS; i++)
        for (int number = 1; number <= MOST_RECORDS; number++)
            rh_check(ledger->applied[i][number] <= 1);
}

static void everything_is_applied(const void *context)
{
    const struct watched *watched = context;
    const struct ledger *ledger = rh_view_state(watched->ledger);

    for (int i = 0; ledger && i < watched->producers; i++)
        for (int number = 1; number <= watched->records; number++)
            rh_check(ledger->applied[i][number] == 1);
}

static void set_up(bool is_strict)
{
    int producers = rh_parameter(int, producers, 1), records = rh_parameter(int, records, 4);
    rh_actor *ledger = rh_spawn(ledger_behaviour, struct ledger, {.total = 0});
    rh_actor *consumer =
        rh_spawn(consumer_behaviour, struct consumer, {.ledger = ledger, .is_strict = is_strict});

    for (int i = 0; i < PRODUCERS && i < producers; i++)
        rh_send(rh_spawn(producer_behaviour, struct producer,
                         {.consumer = consumer,
                          .identity = i,
                          .records = records,
                          .retries = rh_parameter(int, retries, 1),
                          .oldest = 1,
                          .next = 1}),
                start);
    rh_invariant(nothing_is_applied_twice, struct watched, {.ledger = ledger});
    rh_finally(everything_is_applied, struct watched,
               {.ledger = ledger, .producers = producers, .records = records});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
