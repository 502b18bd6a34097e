// SPDX-License-Identifier: MIT
// Memory that the test's body allocated or mapped, and that handlers write to. In each test the check fails in one order
// of three messages, and the neighbour with `_holds` has a check that holds in all of them.
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>

RH_MESSAGE(digit, { int value; });
RH_SIGNAL(look);

// One actor keeps the digits it got in memory that was made for it.
struct owner {
    int *number;
    int forbidden;
};

static void owner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct owner *owner = state;
    const struct digit *digit;
    (void)self;
    if ((digit = rh_as(message, digit)))
        *owner->number = *owner->number * 10 + digit->value;
    else if (rh_as(message, look))
        rh_check(*owner->number != owner->forbidden);
}

static void to_one(int *number, int forbidden)
{
    rh_actor *owner =
        rh_spawn(owner_behaviour, struct owner, {.number = number, .forbidden = forbidden});
    rh_send_from(rh_outside("a"), owner, digit, {.value = 1});
    rh_send_from(rh_outside("b"), owner, digit, {.value = 2});
    rh_send_from(rh_outside("c"), owner, look);
}

RH_TEST(one)
{
    to_one(calloc(8, sizeof(int)), 21);
}

RH_TEST(one_holds)
{
    to_one(calloc(8, sizeof(int)), 3);
}

// Three actors share it.
static void to_three(int *number, int forbidden)
{
    rh_actor *owners[3];
    for (int i = 0; i < 3; i++)
        owners[i] =
            rh_spawn(owner_behaviour, struct owner, {.number = number, .forbidden = forbidden});
    rh_send(owners[0], digit, {.value = 1});
    rh_send(owners[1], digit, {.value = 2});
    rh_send(owners[2], look);
}

RH_TEST(three)
{
    to_three(calloc(8, sizeof(int)), 21);
}

RH_TEST(three_holds)
{
    to_three(calloc(8, sizeof(int)), 3);
}

static void *map(int flags)
{
    return mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
}

RH_TEST(mapped)
{
    to_three((int *)map(MAP_PRIVATE) + 5000, 21);
}

RH_TEST(mapped_holds)
{
    to_three((int *)map(MAP_PRIVATE) + 5000, 3);
}

RH_TEST(mapped_shared)
{
    to_three(map(MAP_SHARED), 21);
}

RH_TEST(mapped_shared_holds)
{
    to_three(map(MAP_SHARED), 3);
}

static int *attach(void)
{
    int memory = shmget(IPC_PRIVATE, 1 << 13, 0600);
    int *start = shmat(memory, NULL, 0);
    shmctl(memory, IPC_RMID, NULL);
    return start;
}

RH_TEST(attached)
{
    to_three(attach() + 1500, 21);
}

RH_TEST(attached_holds)
{
    to_three(attach() + 1500, 3);
}

// The body gives parts of a mapping back, and a handler the rest.
struct map {
    char *start;
};

static void unmapper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct map *map = state;
    (void)self;
    if (rh_as(message, digit)) {
        map->start[1 << 15] = 1;
    } else if (rh_as(message, look) && map->start) {
        rh_check(munmap(map->start + (1 << 13), 1 << 14) == 0);
        map->start[0] = 1;
    }
}

RH_TEST(unmapped_holds)
{
    struct map whole = {.start = map(MAP_PRIVATE)};
    rh_check(munmap(whole.start, 4096) == 0);
    rh_check(munmap(whole.start + (1 << 14), 4096) == 0);
    rh_actor *unmapper =
        rh_spawn(unmapper_behaviour, struct map, {.start = whole.start + (1 << 12)});
    rh_send_from(rh_outside("a"), unmapper, digit, {.value = 1});
    rh_send_from(rh_outside("b"), unmapper, look);
    rh_send_from(rh_outside("c"), unmapper, digit, {.value = 1});
}

// What is only read ties nobody together.
static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct owner *owner = state;
    (void)self;
    if (rh_as(message, look))
        rh_check(*owner->number != owner->forbidden);
}

RH_TEST(only_read)
{
    int *number = calloc(8, sizeof(int));
    *number = 7;
    for (int i = 0; i < 3; i++)
        rh_send(rh_spawn(reader_behaviour, struct owner, {.number = number, .forbidden = 3}), look);
}
