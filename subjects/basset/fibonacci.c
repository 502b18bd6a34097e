// SPDX-License-Identifier: MIT
// Fibonacci numbers by a tree of actors, one for each call.
//
// A booter creates the root and asks it for the fourth number; an actor that can't answer at once
// creates two children and adds up what they report. No bug under any order: which child answers
// first changes nothing but the intermediate sum.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(boot, { int index; });
RH_MESSAGE(fib, { int index; });
RH_MESSAGE(result, { int value; });
RH_MESSAGE(finished, { int value; });

struct fibonacci {
    rh_actor *client;
    bool is_root; // the root tells its client `finished`, the others `result`
    int sum;
    int results;
};

static void report(const struct fibonacci *fibonacci, int value)
{
    if (fibonacci->is_root)
        rh_send(fibonacci->client, finished, {.value = value});
    else
        rh_send(fibonacci->client, result, {.value = value});
}

static void fibonacci_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct fibonacci *fibonacci = state;
    const struct fib *fib;
    const struct result *result;

    if ((fib = rh_as(message, fib))) {
        if (fib->index <= 2) {
            report(fibonacci, fib->index > 0 ? 1 : 0);
            return;
        }
        for (int back = 1; back <= 2; back++) {
            rh_actor *child = rh_spawn(fibonacci_behaviour, struct fibonacci, {.client = self});
            rh_send(child, fib, {.index = fib->index - back});
        }
    } else if ((result = rh_as(message, result))) {
        fibonacci->sum += result->value;
        if (++fibonacci->results == 2)
            report(fibonacci, fibonacci->sum);
    }
}

struct booter {
    int value; // 0 until the root has finished
};

static void booter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct booter *booter = state;
    const struct boot *boot;
    const struct finished *finished;

    if ((boot = rh_as(message, boot))) {
        rh_actor *root =
            rh_spawn(fibonacci_behaviour, struct fibonacci, {.client = self, .is_root = true});
        rh_send(root, fib, {.index = boot->index});
    } else if ((finished = rh_as(message, finished))) {
        rh_check(booter->value == 0);
        booter->value = finished->value;
    }
}

struct expected {
    rh_actor *booter;
    int value;
};

static void is_right(const void *context)
{
    const struct expected *expected = context;
    const struct booter *booter = rh_view_state(expected->booter);

    rh_check(booter->value == expected->value);
}

static void compute(int index, int value)
{
    rh_actor *booter = rh_spawn(booter_behaviour, struct booter, {.value = 0});

    rh_finally(is_right, struct expected, {.booter = booter, .value = value});
    rh_send(booter, boot, {.index = index});
}

RH_TEST(third)
{
    compute(3, 2);
}

RH_TEST(fourth)
{
    compute(4, 3);
}

RH_TEST(fifth)
{
    compute(5, 5);
}
