// SPDX-License-Identifier: MIT
// Crashes whose places are hard to find: each test crashes at the line that is marked with its name.
#include <rehearse/actor.h>
#include <rehearse/test.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

RH_MESSAGE(go, { int number; });

struct victim {
    void (*call)(struct victim *victim);
    void (*wild)(void);
    const char *text;
    int *pointer;
    int length;
};

static void victim_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct victim *victim = state;
    (void)self;

    if (rh_as(message, go))
        victim->call(victim);
}

static void run(void (*call)(struct victim *victim))
{
    rh_send(rh_spawn(victim_behaviour, struct victim, {.call = call}), go, {.number = 1});
}

// The faulting instruction is the first of its line.
static void first_instruction(struct victim *victim)
{
    int *pointer = victim->pointer;
    victim->length = 7;
    *pointer = 1; // first_instruction
    victim->length = 8;
}
RH_TEST(first_instruction)
{
    run(first_instruction);
}

// Nothing says how to unwind from an address without code.
static void no_function(struct victim *victim)
{
    victim->length = 1;
    victim->wild(); // no_function
    victim->length = 2;
}
RH_TEST(no_function)
{
    run(no_function);
}

static void in_libc(struct victim *victim)
{
    victim->length = 1;
    victim->length = (int)strlen(victim->text); // in_libc
    victim->length++;
}
RH_TEST(in_libc)
{
    run(in_libc);
}

static int compare(const void *left, const void *right)
{
    (void)left;
    (void)right;
    return *(volatile int *)NULL; // called_by_libc
}
static void called_by_libc(struct victim *victim)
{
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, compare);
    victim->length = numbers[0];
}
RH_TEST(called_by_libc)
{
    run(called_by_libc);
}

// The call is the function's last instruction.
static void aborts(struct victim *victim)
{
    victim->length = 1;
    abort(); // aborts
}
RH_TEST(aborts)
{
    run(aborts);
}

// What asks a process to end is no matter of the tool if the program sends it to itself.
static void terminates(struct victim *victim)
{
    victim->length = 1;
    raise(SIGTERM); // terminates
    victim->length = 2;
}
RH_TEST(terminates)
{
    run(terminates);
}

static void interrupts(struct victim *victim)
{
    victim->length = 1;
    raise(SIGINT); // interrupts
    victim->length = 2;
}
RH_TEST(interrupts)
{
    run(interrupts);
}

// Where it was is not known, but what it was handling.
static void dying_behaviour(rh_actor *self, void *state, const rh_message *message)
{ // killed
    (void)self;
    (void)state;

    if (rh_as(message, go))
        raise(SIGKILL);
}
RH_TEST(killed)
{
    rh_send(rh_spawn(dying_behaviour), go, {.number = 1});
}

// Unwinding ends where the stack was overwritten; the innermost place is known all the same.
__attribute__((noinline, no_sanitize("address"))) static void smash(volatile char *bytes,
                                                                    size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = 0x10;
}
static void smashed(struct victim *victim)
{
    volatile char bytes[8] = {0};
    victim->length = bytes[0];
    smash(bytes, 24);
    *(volatile int *)NULL = 1; // smashed
    victim->length = bytes[1];
}
RH_TEST(smashed)
{
    run(smashed);
}
