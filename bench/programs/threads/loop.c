// SPDX-License-Identifier: MIT
// What a call before each access costs: a loop over an array that reads and writes each element. The
// argument says how many elements in all. With RECORDS it writes a record for each to a log instead.
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 1024 };

static int elements[ELEMENTS];

#ifdef RECORDS
#include <rehearse/component.h>

static int add(int number)
{
    RH_OPERATION();
    RH_COMMIT(elements[number % ELEMENTS]++);
    return RH_RESULT(0);
}
RH_SPECIFICATION(add)
{
    return 0;
}
#else
static void add_all(void)
{
    for (int i = 0; i < ELEMENTS; i++)
        elements[i] += i;
}
#endif

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 0;
#ifdef RECORDS
    for (long i = 0; i < count; i++)
        add((int)i);
#else
    for (long i = 0; i < count; i += ELEMENTS)
        add_all();
#endif
    printf("%d\n", elements[1]);
    return 0;
}
