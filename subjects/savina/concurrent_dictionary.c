// SPDX-License-Identifier: MIT
// ConcurrentDictionary of Savina: workers read and write the entries of one dictionary.
//
// Nothing goes wrong under any order rule: each worker has one request on its way at a time. Keys
// are small numbers, so a table is all that the dictionary needs.
#include "savina.h"

enum { WORKERS = 20, KEYS = 1 << 19, WRITE_PERCENT = 10 };

RH_SIGNAL(start);
RH_MESSAGE(write_entry, {
    int key;
    int value;
});
RH_MESSAGE(read_entry, { int key; });
RH_MESSAGE(result, {
    int key;
    int value;
});
RH_SIGNAL(end_work);

struct dictionary {
    int keys;
    int *values; // made with the first request; each key has itself for a value
    long requests;
    long expected;
};

static void fill(struct dictionary *dictionary)
{
    dictionary->values = malloc((size_t)dictionary->keys * sizeof *dictionary->values);
    for (int key = 0; key < dictionary->keys; key++)
        dictionary->values[key] = key;
}

static void answer(struct dictionary *dictionary, const rh_message *message, int key)
{
    dictionary->requests++;
    rh_reply(message, result, {.key = key, .value = dictionary->values[key]});
}

static void dictionary_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct dictionary *dictionary = state;
    const struct write_entry *write_entry;
    const struct read_entry *read_entry;
    (void)self;

    if (!dictionary->values)
        fill(dictionary);
    if ((write_entry = rh_as(message, write_entry))) {
        dictionary->values[write_entry->key] = write_entry->value;
        answer(dictionary, message, write_entry->key);
    } else if ((read_entry = rh_as(message, read_entry))) {
        answer(dictionary, message, read_entry->key);
    } else if (rh_as(message, end_work)) {
        rh_check(dictionary->requests == dictionary->expected);
        free(dictionary->values);
        rh_stop();
    }
}

struct worker {
    rh_actor *master;
    rh_actor *dictionary;
    int keys;
    long left; // requests
    struct random random;
};

// A value that is written differs from its key by a multiple of their number.
static void make_request(struct worker *worker)
{
    bool writes = next_random(&worker->random, 100) < WRITE_PERCENT;
    int key = next_random(&worker->random, worker->keys);

    if (writes)
        rh_send(worker->dictionary, write_entry, {.key = key, .value = key + worker->keys});
    else
        rh_send(worker->dictionary, read_entry, {.key = key});
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct result *result = rh_as(message, result);
    (void)self;

    if (result)
        rh_check(result->value % worker->keys == result->key);
    else if (!rh_as(message, start))
        return;
    if (worker->left-- > 0) {
        make_request(worker);
    } else {
        rh_send(worker->master, end_work);
        rh_stop();
    }
}

struct master {
    rh_actor *dictionary;
    int workers;
    int keys;
    long requests; // of each worker
    int ended;
};

static void start_workers(rh_actor *self, struct master *master)
{
    master->dictionary =
        rh_spawn(dictionary_behaviour, struct dictionary,
                 {.keys = master->keys, .expected = master->workers * master->requests});
    for (int i = 0; i < master->workers; i++)
        rh_send(rh_spawn(worker_behaviour, struct worker,
                         {.master = self,
                          .dictionary = master->dictionary,
                          .keys = master->keys,
                          .left = master->requests,
                          .random = {(unsigned)(SAVINA_SEED + i)}}),
                start);
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;

    if (rh_as(message, start)) {
        start_workers(self, master);
    } else if (rh_as(message, end_work) && ++master->ended == master->workers) {
        rh_send(master->dictionary, end_work);
        rh_stop();
    }
}

static void use_dictionary(int workers, int keys, long requests)
{
    rh_actor *master = rh_spawn(master_behaviour, struct master,
                                {.workers = workers, .keys = keys, .requests = requests});

    rh_send(master, start);
}

static void set_up(void *context)
{
    const long *requests = context;

    use_dictionary(WORKERS, KEYS, *requests);
}

RH_TEST(small)
{
    use_dictionary(rh_parameter(int, workers, 2), 2, rh_parameter(int, requests, 2));
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 10000, set_up);
}
