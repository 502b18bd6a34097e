// SPDX-License-Identifier: MIT
// kind: refinement
// put takes the table's address before the lock: if the table has grown by then, the key goes into
// the old one.
#include <pthread.h>
#include <rehearse/component.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table {
    int size, keys[8];
} * table;

static void add(struct table *to, int key)
{
    int place = key % to->size;
    while (to->keys[place])
        place = (place + 1) % to->size;
    to->keys[place] = key;
}

static void put(int key)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    struct table *here = table;
#else
    struct table *here = table;
    pthread_mutex_lock(&lock);
#endif
    add(here, key);
    pthread_mutex_unlock(&lock);
}

static void resize(void)
{
    pthread_mutex_lock(&lock);
    struct table *larger = calloc(1, sizeof *larger);
    larger->size = 2 * table->size;
    for (int i = 0; i < table->size; i++)
        if (table->keys[i])
            add(larger, table->keys[i]);
    table = larger;
    pthread_mutex_unlock(&lock);
}

static void view(rh_view *view)
{
    for (int i = 0; i < table->size; i++)
        if (table->keys[i])
            rh_view_add(view, table->keys[i]);
}

static void setup(void)
{
    table = calloc(1, sizeof *table);
    table->size = 4;
    add(table, 3);
}

RH_COMPONENT(table){.setup = setup, .view = view};

RH_THREADS(growing)
{
    rh_thread
    {
        RH_CALL(put(5));
    }
    rh_thread
    {
        RH_CALL(resize());
    }
}
