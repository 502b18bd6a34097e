// SPDX-License-Identifier: MIT
// A sequence lock: a reader that a writer has disturbed reads again. What it protects is atomic,
// since readers may read while the writer writes.
#include <rehearse/component.h>
#include <stdatomic.h>

static _Atomic unsigned sequence;
static _Atomic int left, right;

static void set(int value)
{
    atomic_fetch_add(&sequence, 1);
    atomic_store(&left, value);
    atomic_store(&right, value);
    atomic_fetch_add(&sequence, 1);
}

static int get(void)
{
    for (;;) {
        unsigned before = atomic_load(&sequence);
        int a = atomic_load(&left), b = atomic_load(&right);
        if (before % 2 == 0 && atomic_load(&sequence) == before)
            return a == b ? a : -1;
    }
}

RH_THREADS(reads)
{
    rh_thread
    {
        RH_CALL(set(1));
    }
    rh_thread
    {
        RH_CALL(get());
    }
}
