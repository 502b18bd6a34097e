// SPDX-License-Identifier: MIT
// Which lines are reached: all that have code, but for those marked `never`. reached.sh compares.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <stdlib.h>

RH_MESSAGE(work, { int number; });
RH_MESSAGE(question, { int number; });
RH_MESSAGE(answer, { int number; });

struct worker {
    rh_actor *oracle;
    int total;
};

static int depth(int n)
{
    if (n == 0)
        return 0;
    return depth(n - 1) + 1;
}

static void give_up(int number)
{
    rh_check(number != 13);
} // never

static int leave_loop(int number)
{
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        if (i == number)
            break;
        sum += i;
    }
    return sum;
}

static int name(int number)
{
    switch (number) {
    case 1:
        return 10;
    case 2:
        number += 5;
        break;
    case 3:
        number += 7; // never
        break;       // never
    default:
        number++;
    }
    return number;
}

// The condition has three parts, of which the last is never asked.
static int pick(int a, int b)
{
    if (a > 0 && b > 0 && a > b)
        return 1; // never
    return a > 5 ? a : b;
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct work *work = rh_as(message, work);
    (void)self;
    if (!work)
        return; // never
    worker->total += depth(work->number);
    worker->total += name(work->number);
    if (work->number == 13) {
        worker->total++;
        give_up(work->number);
        worker->total++; // never
    }
    worker->total += leave_loop(work->number);
    worker->total += pick(work->number, 0);
    worker->total += pick(-1, work->number);
}

RH_TEST(checks)
{
    rh_actor *worker = rh_spawn(worker_behaviour, struct worker, {.total = 0});
    for (int i = 1; i < 3; i++)
        rh_send(worker, work, {.number = i});
    rh_send(worker, work, {.number = 11});
    rh_send(worker, work, {.number = 13});
}

// Two clients of one behaviour wait at the same time; one asks twice, the other once.
static void oracle_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct question *question = rh_as(message, question);
    (void)self;
    (void)state;
    if (question)
        rh_reply(message, answer, {.number = question->number});
}

static int ask(rh_actor *oracle, int number)
{
    const struct answer *reply = rh_as(rh_ask(oracle, question, {.number = number}), answer);
    return reply->number;
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *client = state;
    const struct work *work = rh_as(message, work);
    (void)self;
    if (work->number == 1) {
        client->total = ask(client->oracle, 1);
        if (client->total == 1)
            client->total += ask(client->oracle, 2);
        else
            client->total = 0; // never
    } else {
        client->total = ask(client->oracle, 3);
        if (client->total != 3)
            client->total = 7; // never
        client->total++;
    }
}

RH_TEST(asks)
{
    rh_actor *oracle = rh_spawn(oracle_behaviour);
    for (int i = 1; i < 3; i++) {
        rh_actor *client = rh_spawn(client_behaviour, struct worker, {.oracle = oracle});
        rh_send(client, work, {.number = i});
    }
}

// Nobody answers: what is behind the question is not reached.
static void deaf_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_as(message, question);
}

static void lost_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *client = state;
    (void)self;
    rh_as(message, work);
    client->total++;
    client->total = ask(client->oracle, 1);
    client->total++; // never
} // never

RH_TEST(waits)
{
    rh_actor *deaf = rh_spawn(deaf_behaviour);
    rh_actor *lost = rh_spawn(lost_behaviour, struct worker, {.oracle = deaf});
    rh_send(lost, work, {.number = 1});
}

static void die(int number)
{
    if (number == 1)
        abort();
} // never

static void crashing_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    (void)self;
    rh_as(message, work);
    worker->total++;
    die(1);
    worker->total++; // never
} // never

RH_TEST(crashes)
{
    rh_actor *worker = rh_spawn(crashing_behaviour, struct worker, {.total = 0});
    rh_send(worker, work, {.number = 1});
}

// A guard is code too, and what an invariant looks at.
static bool even_guard(const void *state, const rh_message *message)
{
    const struct work *work = rh_as(message, work);
    (void)state;
    if (!work)
        return true; // never
    return work->number % 2 == 0;
}

static void guarded_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_as(message, work);
}

RH_GUARD(guarded_behaviour, even_guard);

struct watched {
    rh_actor *actor;
};

static void all_odd(const void *context)
{
    const struct watched *watched = context;
    const struct worker *worker = rh_view_state(watched->actor);
    if (worker->total > 0)
        return; // never
    rh_check(worker->total == 0);
}

RH_TEST(guards)
{
    rh_actor *guarded = rh_spawn(guarded_behaviour, struct worker, {.total = 0});
    rh_invariant(all_odd, struct watched, {.actor = guarded});
    rh_send(guarded, work, {.number = 2});
}
