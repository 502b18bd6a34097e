// SPDX-License-Identifier: MIT
// ConcurrentSortedLinkedList of Savina: workers look for values in one list, and add some.
//
// Nothing goes wrong under any order rule: each worker has one request on its way at a time.
#include "savina.h"

enum { WORKERS = 20, VALUES = 1 << 19, SIZE_PERCENT = 1, ADD_PERCENT = 10 };

RH_SIGNAL(start);
RH_MESSAGE(add, { int value; });
RH_MESSAGE(contains, { int value; });
RH_SIGNAL(get_size);
RH_MESSAGE(result, { int value; });
RH_MESSAGE(end_work, { int added; });

struct node {
    struct node *next;
    int value;
};

struct list {
    struct node *first;
    int size;
};

static struct node **find_place(struct list *list, int value)
{
    struct node **place = &list->first;

    while (*place && (*place)->value < value)
        place = &(*place)->next;
    return place;
}

static void insert(struct list *list, int value)
{
    struct node **place = find_place(list, value);
    struct node *node = malloc(sizeof *node);

    *node = (struct node){.next = *place, .value = value};
    *place = node;
    list->size++;
}

// Checks that the list is sorted and has as many values as were added, and frees it.
static void take_apart(struct list *list, int expected)
{
    int size = 0, last = 0;

    for (struct node *node = list->first; node; size++) {
        struct node *next = node->next;
        rh_check(last <= node->value);
        last = node->value;
        free(node);
        node = next;
    }
    rh_check(size == expected && list->size == expected);
}

static void list_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct list *list = state;
    const struct add *add;
    const struct contains *contains;
    const struct end_work *end_work;
    (void)self;

    if ((add = rh_as(message, add))) {
        insert(list, add->value);
        rh_reply(message, result, {.value = add->value});
    } else if ((contains = rh_as(message, contains))) {
        const struct node *node = *find_place(list, contains->value);
        rh_reply(message, result, {.value = node && node->value == contains->value});
    } else if (rh_as(message, get_size)) {
        rh_reply(message, result, {.value = list->size});
    } else if ((end_work = rh_as(message, end_work))) {
        take_apart(list, end_work->added);
        rh_stop();
    }
}

struct worker {
    rh_actor *master;
    rh_actor *list;
    long left; // requests
    int added;
    int add_percent;
    struct random random;
};

static void make_request(struct worker *worker)
{
    int percent = next_random(&worker->random, 100);
    int value = next_random(&worker->random, VALUES);

    if (percent < SIZE_PERCENT) {
        rh_send(worker->list, get_size);
    } else if (percent < SIZE_PERCENT + worker->add_percent) {
        worker->added++;
        rh_send(worker->list, add, {.value = value});
    } else {
        rh_send(worker->list, contains, {.value = value});
    }
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    (void)self;

    if (!rh_as(message, start) && !rh_as(message, result))
        return;
    if (worker->left-- > 0) {
        make_request(worker);
    } else {
        rh_send(worker->master, end_work, {.added = worker->added});
        rh_stop();
    }
}

struct master {
    rh_actor *list;
    int workers;
    int add_percent;
    long requests; // of each worker
    int ended;
    int added;
};

static void start_workers(rh_actor *self, struct master *master)
{
    master->list = rh_spawn(list_behaviour, struct list, {.first = NULL});
    for (int i = 0; i < master->workers; i++)
        rh_send(rh_spawn(worker_behaviour, struct worker,
                         {.master = self,
                          .list = master->list,
                          .left = master->requests,
                          .add_percent = master->add_percent,
                          .random = {(unsigned)(SAVINA_SEED + i)}}),
                start);
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct end_work *end_work;

    if (rh_as(message, start)) {
        start_workers(self, master);
    } else if ((end_work = rh_as(message, end_work))) {
        master->added += end_work->added;
        if (++master->ended == master->workers) {
            rh_send(master->list, end_work, {.added = master->added});
            rh_stop();
        }
    }
}

static void use_list(int workers, long requests, int add_percent)
{
    rh_actor *master =
        rh_spawn(master_behaviour, struct master,
                 {.workers = workers, .requests = requests, .add_percent = add_percent});

    rh_send(master, start);
}

static void set_up(void *context)
{
    const long *requests = context;

    use_list(WORKERS, *requests, ADD_PERCENT);
}

// More is added than in the original, or there would be nothing to see.
RH_TEST(small)
{
    use_list(rh_parameter(int, workers, 2), rh_parameter(int, requests, 2), 60);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 8000, set_up);
}
