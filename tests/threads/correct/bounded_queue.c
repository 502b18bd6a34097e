// SPDX-License-Identifier: MIT
// A bounded queue for several producers and consumers, with a sequence number in each place (Dmitry
// Vyukov's). It is no linearizable queue where producers overtake each other, but loses nothing and
// gives nothing twice.
#include <rehearse/component.h>
#include <stdatomic.h>

enum { PLACES = 2 };

static struct {
    _Atomic unsigned sequence;
    int item;
} places[PLACES];
static _Atomic unsigned head, tail;
static int sum;

static void setup(void)
{
    for (unsigned i = 0; i < PLACES; i++)
        places[i].sequence = i;
}

static bool put(int item)
{
    unsigned at = atomic_load(&tail);
    for (;;) {
        unsigned sequence = atomic_load(&places[at % PLACES].sequence);
        if ((int)(sequence - at) < 0)
            return false;
        if (sequence == at && atomic_compare_exchange_strong(&tail, &at, at + 1))
            break;
        at = atomic_load(&tail);
    }
    places[at % PLACES].item = item;
    atomic_store(&places[at % PLACES].sequence, at + 1);
    return true;
}

static int get(void)
{
    unsigned at = atomic_load(&head);
    for (;;) {
        unsigned sequence = atomic_load(&places[at % PLACES].sequence);
        if ((int)(sequence - (at + 1)) < 0)
            return 0;
        if (sequence == at + 1 && atomic_compare_exchange_strong(&head, &at, at + 1))
            break;
        at = atomic_load(&head);
    }
    int item = places[at % PLACES].item;
    atomic_store(&places[at % PLACES].sequence, at + PLACES);
    return item;
}

RH_COMPONENT(queue){.setup = setup};

RH_THREADS(one_to_one)
{
    rh_thread
    {
        RH_CALL(put(1));
        RH_CALL(put(2));
    }
    rh_thread
    {
        RH_CALL(get());
        RH_CALL(get());
    }
}

RH_THREADS(two_to_one)
{
    rh_thread
    {
        put(1);
    }
    rh_thread
    {
        put(2);
    }
    rh_thread
    {
        sum += get();
    }
    rh_at_end
    {
        sum += get();
        sum += get();
        RH_CHECK(sum == 3);
    }
}
