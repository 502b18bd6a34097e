// SPDX-License-Identifier: MIT
// Recursive matrix multiplication of Savina: a product is split into eight smaller ones until they
// are small enough, and a master hands them out. Who computes a block of the result is decided by
// its place, so that each worker has blocks of its own, which it checks at the end.
//
// Under `any`, a worker's word that it is done may overtake the products that it has split off: the
// end comes too early. In the fixed twin that word says how many there are.
#include "savina.h"

enum { SIZE = 1024, WORKERS = 20, THRESHOLD = 16384 };

RH_SIGNAL(start);
RH_MESSAGE(work, {
    int row; // of the result's block
    int column;
    int inner; // the column in the first matrix, and row in the second
    int size;
});
RH_MESSAGE(done, { int split; });
RH_SIGNAL(stop);
RH_MESSAGE(stopped, { long elements; });

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    int size;
    int workers;
    int threshold;
    double first[SIZE][SIZE];
    double second[SIZE][SIZE];
} product;

// A block of the result.
struct block {
    struct block *next;
    int row;
    int column;
    int size;
    double elements[];
};

struct worker {
    rh_actor *master;
    struct block *blocks;
};

static struct block *find_block(struct worker *worker, const struct work *work)
{
    struct block *block = worker->blocks;

    while (block && (block->row != work->row || block->column != work->column))
        block = block->next;
    if (block)
        return block;
    block = calloc(1, sizeof *block + (size_t)(work->size * work->size) * sizeof(double));
    block->row = work->row;
    block->column = work->column;
    block->size = work->size;
    block->next = worker->blocks;
    worker->blocks = block;
    return block;
}

static void multiply(struct block *block, int inner)
{
    for (int i = 0; i < block->size; i++)
        for (int k = inner; k < inner + block->size; k++)
            for (int j = 0; j < block->size; j++)
                block->elements[i * block->size + j] +=
                    product.first[block->row + i][k] * product.second[k][block->column + j];
}

static void split(const struct worker *worker, const struct work *work)
{
    int half = work->size / 2;

    for (int i = 0; i < 8; i++)
        rh_send(worker->master, work,
                {.row = work->row + (i & 1 ? half : 0),
                 .column = work->column + (i & 2 ? half : 0),
                 .inner = work->inner + (i & 4 ? half : 0),
                 .size = half});
}

static long check_and_free(struct worker *worker)
{
    long elements = 0;

    for (struct block *block = worker->blocks; block;) {
        struct block *next = block->next;
        for (int i = 0; i < block->size; i++)
            for (int j = 0; j < block->size; j++)
                rh_check(block->elements[i * block->size + j] ==
                         (double)product.size * (block->row + i) * (block->column + j));
        elements += (long)block->size * block->size;
        free(block);
        block = next;
    }
    return elements;
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct worker *worker = state;
    const struct work *work;
    (void)self;

    if ((work = rh_as(message, work))) {
        bool is_large = work->size * work->size > product.threshold;
        if (is_large)
            split(worker, work);
        else
            multiply(find_block(worker, work), work->inner);
        rh_send(worker->master, done, {.split = is_large ? 8 : 0});
    } else if (rh_as(message, stop)) {
        rh_reply(message, stopped, {.elements = check_and_free(worker)});
        rh_stop();
    }
}

struct master {
    rh_actor *worker[WORKERS];
    long sent; // to workers
    long done; // by workers
    long split;
    long announced;
    int stopped;
    long elements;
};

static void hand_out(struct master *master, const struct work *work)
{
    master->sent++;
    rh_send_sized(master->worker[(work->row + work->column) % product.workers], work, work,
                  sizeof *work);
}

static void begin(rh_actor *self, struct master *master)
{
    for (int i = 0; i < product.workers; i++)
        master->worker[i] = rh_spawn(worker_behaviour, struct worker, {.master = self});
    hand_out(master, &(struct work){.size = product.size});
}

static void stop_if_complete(const struct master *master)
{
    if (master->done < master->sent || (product.is_fixed && master->split < master->announced))
        return;
    for (int i = 0; i < product.workers; i++)
        rh_send(master->worker[i], stop);
}

static void end_worker(struct master *master, const struct stopped *stopped)
{
    master->elements += stopped->elements;
    if (++master->stopped < product.workers)
        return;
    rh_check(master->elements == (long)product.size * product.size);
    rh_stop();
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct work *work;
    const struct done *done;

    if (rh_as(message, start)) {
        begin(self, master);
    } else if ((work = rh_as(message, work))) {
        master->split++;
        hand_out(master, work);
    } else if ((done = rh_as(message, done))) {
        master->done++;
        master->announced += done->split;
        stop_if_complete(master);
    } else {
        end_worker(master, rh_as(message, stopped));
    }
}

static void compute_product(bool is_fixed, int size, int workers, int threshold)
{
    product.is_fixed = is_fixed;
    product.size = size;
    product.workers = workers;
    product.threshold = threshold;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            product.first[i][j] = i;
            product.second[i][j] = j;
        }
    rh_send(rh_spawn(master_behaviour, struct master, {.sent = 0}), start);
}

static void set_up(void *context)
{
    const long *size = context;
    int power = 1;

    while (2 * power <= *size && 2 * power <= SIZE)
        power *= 2;
    compute_product(true, power, WORKERS, THRESHOLD);
}

RH_TEST(small)
{
    compute_product(false, 4, 2, 4);
}

RH_TEST(fixed)
{
    compute_product(true, 4, 2, 4);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, SIZE, set_up);
}
