// SPDX-License-Identifier: MIT
// libc's random numbers while the program runs under control: each thread has its own, which are
// the same in every execution, whatever others have drawn before. Seeds are the thread's, too.
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "threads/engine.h"
#include "threads/hooks.h"
#include "threads/real.h"

#define SERVES (rh__has_engine && rh__engine->is_active)

static uint64_t draw(void)
{
    struct rh_fiber *thread = rh__current();
    uint64_t number = (thread->random += UINT64_C(0x9e3779b97f4a7c15));
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

static int draw_int(void)
{
    return (int)(draw() >> 33);
}

int rand(void)
{
    return SERVES ? draw_int() : RH_REAL(int, rand, (void))();
}

void srand(unsigned seed)
{
    if (SERVES)
        rh__current()->random = seed;
    else
        RH_REAL(void, srand, (unsigned))(seed);
}

long random(void)
{
    return SERVES ? draw_int() : RH_REAL(long, random, (void))();
}

void srandom(unsigned seed)
{
    if (SERVES)
        rh__current()->random = seed;
    else
        RH_REAL(void, srandom, (unsigned))(seed);
}

long lrand48(void)
{
    return SERVES ? draw_int() : RH_REAL(long, lrand48, (void))();
}

double drand48(void)
{
    enum { BITS = 53 };
    return SERVES ? (double)(draw() >> (64 - BITS)) / (double)(UINT64_C(1) << BITS)
                  : RH_REAL(double, drand48, (void))();
}

void srand48(long seed)
{
    if (SERVES)
        rh__current()->random = (uint64_t)seed;
    else
        RH_REAL(void, srand48, (long))(seed);
}

ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    if (!SERVES)
        return RH_REAL(ssize_t, getrandom, (void *, size_t, unsigned))(to, size, flags);
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = (unsigned char)(draw() >> 56);
    return (ssize_t)size;
}
