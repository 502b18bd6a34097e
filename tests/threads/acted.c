// SPDX-License-Identifier: MIT
// A program that writes down what it does to its slots, each of which has a lock: the view at each
// commit is what is made of that later. What is wrong with it is chosen by a macro, and wrong in
// every run.
#include <pthread.h>
#include <rehearse/component.h>

enum { SLOTS = 6, THREADS = 3, ROUNDS = 200, KEYS = 10 };

static struct slot {
    pthread_mutex_t lock;
    int key; // 0: free
} slots[SLOTS];

static void setup(void)
{
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&slots[i].lock, NULL);
}

static bool insert(int key)
{
    RH_OPERATION(key);
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&slots[i].lock);
        bool is_free = slots[i].key == 0;
#ifdef OVERWRITES
        is_free = is_free || slots[i].key == 7;
#endif
        if (is_free)
            RH_COMMIT((RH_ACTION(put, i, key), slots[i].key = key));
        pthread_mutex_unlock(&slots[i].lock);
        if (is_free)
            return RH_RESULT(true);
    }
    return RH_RESULT(false);
}

// Both slots at once.
static bool insert_pair(int key)
{
    RH_OPERATION(key);
    bool is_free = false;
    for (int i = 0; !is_free && i + 1 < SLOTS; i += 2) {
        pthread_mutex_lock(&slots[i].lock);
        pthread_mutex_lock(&slots[i + 1].lock);
        is_free = !slots[i].key && !slots[i + 1].key;
        if (is_free)
            RH_COMMIT_BLOCK
            {
                RH_ACTION(put, i, key);
                slots[i].key = key;
                RH_ACTION(put, i + 1, key);
                slots[i + 1].key = key;
            }
        pthread_mutex_unlock(&slots[i + 1].lock);
        pthread_mutex_unlock(&slots[i].lock);
    }
    return RH_RESULT(is_free);
}

static bool remove_key(int key)
{
    RH_OPERATION(key);
    for (int i = 0; i < SLOTS; i++) {
        pthread_mutex_lock(&slots[i].lock);
        bool is_it = slots[i].key == key;
        if (is_it)
            RH_COMMIT((RH_ACTION(clear, i), slots[i].key = 0));
        pthread_mutex_unlock(&slots[i].lock);
        if (is_it)
            return RH_RESULT(true);
    }
    return RH_RESULT(false);
}

RH_MAY_FAIL(insert, false);
RH_MAY_FAIL(insert_pair, false);
RH_MAY_FAIL(remove_key, false);

RH_REPLAY(put)
{
    slots[argument[0]].key = (int)argument[1];
}

#ifndef UNWRITTEN
RH_REPLAY(clear)
{
    slots[argument[0]].key = 0;
}
#endif

static void view(rh_view *keys)
{
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].key)
            rh_view_add(keys, slots[i].key);
}

static int right[KEYS];

static void right_view(rh_view *keys)
{
    for (int i = 0; i < KEYS; i++)
        for (int k = 0; k < right[i]; k++)
            rh_view_add(keys, i);
}

RH_COMPONENT(keys){.setup = setup, .view = view, .specification_view = right_view};

RH_SPECIFICATION(insert)
{
    right[argument[0]]++;
    return true;
}

RH_SPECIFICATION(insert_pair)
{
    right[argument[0]] += 2;
    return true;
}

RH_SPECIFICATION(remove_key)
{
    right[argument[0]]--;
    return true;
}

static void *work(void *argument)
{
    int key = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) {
        if (insert(key))
            remove_key(key);
        if (insert_pair(key)) {
            remove_key(key);
            remove_key(key);
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    insert(7);
    insert(8);
    remove_key(8);
    return 0;
}
