// SPDX-License-Identifier: MIT
// A tree of directories is counted: helpers that ask, a loop with a break, goto, a callback of qsort, and an end.
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <stdlib.h>

struct count {
    int depth;
};
struct total {
    int files;
};
struct lookup {
    int key;
};
struct found {
    int value;
};
RH_MESSAGE(count);
RH_MESSAGE(total);
RH_MESSAGE(lookup);
RH_MESSAGE(found);
RH_SIGNAL(logged);
RH_SIGNAL(goodbye);

struct folder {
    rh_actor *parent, *cache, *log;
    int waiting, files, depth;
};

static int ask_cache(rh_actor *cache, int key)
{
    const rh_message *answer = rh_ask(cache, lookup, {key});
    const struct found *found = rh_as(answer, found);
    return found ? found->value : -1;
}

static int compare(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

static void bye(rh_actor *self, void *state)
{
    struct folder *folder = state;
    (void)self;
    rh_send(folder->log, goodbye);
}

static void folder_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct folder *folder = state;
    const struct count *count = rh_as(message, count);
    const struct total *total = rh_as(message, total);
    if (count) {
        int sizes[3] = {3, 1, 2};
        rh_at_stop(bye);
        qsort(sizes, 3, sizeof sizes[0], compare);
        folder->files = ask_cache(folder->cache, count->depth);
        if (count->depth == 0)
            goto done;
        for (int i = 0; i < 3; i++) {
            if (sizes[i] > 2)
                break;
            rh_send(rh_spawn(folder_behaviour, struct folder,
                             {.parent = self, .cache = folder->cache, .log = folder->log}),
                    count, {count->depth - 1});
            folder->waiting++;
        }
        return;
    } else if (total) {
        folder->files += total->files;
        if (--folder->waiting > 0)
            return;
    } else {
        return;
    }
done:
    if (folder->parent)
        rh_send(folder->parent, total, {folder->files});
    rh_send(folder->log, logged);
    rh_stop();
}

static void cache_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct lookup *lookup = rh_as(message, lookup);
    (void)self, (void)state;
    if (lookup)
        rh_reply(message, found, {lookup->key * 2});
}

static void log_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (!rh_as(message, logged))
        rh_check(rh_as(message, goodbye));
}

RH_TEST(tree)
{
    rh_actor *cache = rh_spawn(cache_behaviour);
    rh_actor *log = rh_spawn(log_behaviour);
    rh_send(rh_spawn(folder_behaviour, struct folder, {.cache = cache, .log = log}), count, {1});
}
