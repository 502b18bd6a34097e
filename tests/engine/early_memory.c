// SPDX-License-Identifier: MIT
// Memory that was allocated or mapped before the test's body, and that handlers write to. In each test the check fails in
// one order of three messages, and the neighbour with `_holds` has a check that holds in all of them.
#include <malloc.h>
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

RH_MESSAGE(digit, { int value; });
RH_SIGNAL(look);

int *early_library_number(void);

static int *of_constructor, *of_main, *of_mapping;

// What malloc's family promises holds here too.
static void try_malloc(void)
{
    char *block = malloc(10);
    strcpy(block, "123456789");
    block = realloc(block, 5000);
    if (strcmp(block, "123456789") != 0 || malloc_usable_size(block) < 5000)
        abort();
    block = realloc(block, 3);
    if (memcmp(block, "123", 3) != 0)
        abort();
    free(block);
    // More than fits with the rest.
    char *large = calloc(1, (size_t)40 << 20);
    if (!large)
        abort();
    large[(40 << 20) - 1] = 1;
    free(large);
    void *aligned;
    if (posix_memalign(&aligned, 4096, 100) != 0 || (size_t)aligned % 4096 != 0)
        abort();
    free(aligned);
}

__attribute__((constructor)) static void make(void)
{
    try_malloc();
    of_constructor = realloc(NULL, 8 * sizeof(int));
    *of_constructor = 0;
    char *mapping = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(mapping, 1 << 14);
    // Most of it is never used, and it would cost much to watch.
    mmap(NULL, (size_t)1 << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
         -1, 0);
    of_mapping = (int *)(mapping + (1 << 14));
}

struct writer {
    int *number;
    int forbidden;
};

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writer *writer = state;
    const struct digit *digit;
    (void)self;
    if ((digit = rh_as(message, digit)))
        *writer->number = *writer->number * 10 + digit->value;
    else if (rh_as(message, look))
        rh_check(*writer->number != writer->forbidden);
}

static void to_three(int *number, int forbidden)
{
    rh_actor *writers[3];
    for (int i = 0; i < 3; i++)
        writers[i] =
            rh_spawn(writer_behaviour, struct writer, {.number = number, .forbidden = forbidden});
    rh_send(writers[0], digit, {.value = 1});
    rh_send(writers[1], digit, {.value = 2});
    rh_send(writers[2], look);
}

RH_TEST(constructor)
{
    to_three(of_constructor, 21);
}

RH_TEST(constructor_holds)
{
    to_three(of_constructor, 3);
}

RH_TEST(library)
{
    to_three(early_library_number(), 21);
}

RH_TEST(library_holds)
{
    to_three(early_library_number(), 3);
}

RH_TEST(mapping)
{
    to_three(of_mapping, 21);
}

RH_TEST(mapping_holds)
{
    to_three(of_mapping, 3);
}

// Without main, which the command does not call, these write to memory of the body.
RH_TEST(own_main)
{
    to_three(of_main ? of_main : calloc(8, sizeof(int)), 21);
}

RH_TEST(own_main_holds)
{
    to_three(of_main ? of_main : calloc(8, sizeof(int)), 3);
}

// A handler frees what is not its own, or makes it larger: that is left alone, as it always was.
static void freeing_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writer *writer = state;
    (void)self;
    if (rh_as(message, look)) {
        int *copy = realloc(writer->number, 1000);
        rh_check(*copy == *writer->number);
        free(copy);
        free(writer->number);
    }
}

RH_TEST(freed_holds)
{
    for (int i = 0; i < 2; i++)
        rh_send(rh_spawn(freeing_behaviour, struct writer, {.number = of_constructor}), look);
}

// What is printed goes to a stream whose buffer may be from before.
static void printing_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    if (rh_as(message, look))
        puts("here");
}

RH_TEST(printed_holds)
{
    for (int i = 0; i < 2; i++)
        rh_send(rh_spawn(printing_behaviour), look);
}

int main(int argc, char **argv)
{
    puts("begins");
    of_main = calloc(8, sizeof *of_main);
    int status = rh_test_main(argc, argv);
    of_main = realloc(of_main, 100);
    free(of_main);
    free(of_constructor);
    return status;
}
