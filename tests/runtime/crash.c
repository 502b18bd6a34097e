// SPDX-License-Identifier: MIT
// Ends in the way that its argument names; crash.sh looks at what it says.
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/run.h>

RH_MESSAGE(order, { char what[16]; });
RH_SIGNAL(go);
RH_SIGNAL(bad);

static int overflow(int depth)
{
    volatile char frame[4096];
    frame[depth % 4096] = (char)depth;
    return overflow(depth + 1) + frame[(depth + 1) % 4096];
}

// Writing there is what it is for.
static volatile int *volatile nowhere;
static volatile int zero;

static void obey(const char *what)
{
    if (strcmp(what, "check") == 0)
        rh_check(zero == 1);
    else if (strcmp(what, "segv") == 0)
        *nowhere = 1;
    else if (strcmp(what, "divide") == 0)
        zero = 100 / zero;
    else if (strcmp(what, "assert") == 0)
        assert(zero == 1);
    else if (strcmp(what, "overflow") == 0)
        zero = overflow(0);
    else if (strcmp(what, "null") == 0)
        rh_send(NULL, go);
    else if (strcmp(what, "wild") == 0)
        rh_send((rh_actor *)0x7fff12345678, go);
    else if (strcmp(what, "shutdown") == 0)
        rh_shutdown();
    else if (strcmp(what, "wait") == 0)
        rh_wait();
    else if (strcmp(what, "again") == 0)
        rh_check(rh_run(NULL, NULL) == 2);
}

static void victim_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct order *order = rh_as(message, order);
    (void)self, (void)state;
    if (order)
        obey(order->what);
    else if (rh_as(message, go))
        rh_stop();
}

static void boss_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct order *order = rh_as(message, order);
    rh_actor *victim = *(rh_actor **)state;
    if (!order)
        return;
    if (strcmp(order->what, "waits") == 0) {
        rh_ask(victim, order, {"nothing"});
    } else if (strcmp(order->what, "each") == 0) {
        rh_ask(self, go);
    } else if (strcmp(order->what, "late") == 0) {
        rh_send(victim, go);
        rh_send(victim, go);
        rh_send(victim, bad);
    } else {
        rh_send_sized(victim, order, order, sizeof *order);
    }
}

static void picky_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static bool picky_guard(const void *state, const rh_message *message)
{
    (void)state;
    const struct order *order = rh_as(message, order);
    if (order && strcmp(order->what, "guard") == 0)
        rh_send(NULL, go);
    return !rh_as(message, bad);
}
RH_GUARD(picky_behaviour, picky_guard);

static void setup(void *context)
{
    struct order order = {{0}};
    snprintf(order.what, sizeof order.what, "%s", (const char *)context);
    if (strcmp(order.what, "guard") == 0 || strcmp(order.what, "refused") == 0) {
        rh_actor *picky = rh_spawn(picky_behaviour);
        rh_send_sized(picky, order, &order, sizeof order);
        rh_send(picky, bad);
        rh_send(picky, bad);
    } else {
        rh_actor *victim = rh_spawn(victim_behaviour);
        rh_actor *boss = rh_spawn(boss_behaviour, rh_actor *, {victim});
        rh_send_sized(boss, order, &order, sizeof order);
    }
}

static void own_handler(int number)
{
    (void)number;
    _exit(77);
}

int main(int count, char **arguments)
{
    if (count < 2)
        return 2;
    if (count > 2)
        signal(SIGSEGV, own_handler);
    struct rh_summary summary = {0};
    int status = rh_run(&(rh_options){.context = arguments[1], .summary = &summary}, setup);
    printf("%lu %lu %lu %lu %lu %lu\n", summary.spawned, summary.delivered, summary.undelivered,
           summary.left, summary.waiting, summary.alive);
    return status;
}
