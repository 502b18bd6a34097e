// SPDX-License-Identifier: MIT
// A* (GuidedSearch) of Savina: workers search a grid for a way from one corner to a target. A master
// hands out the nodes from which to go on. The grid, which the workers of the original share, is an
// actor here: it says which nodes nobody has been to before.
//
// When the target is found all workers are told to stop, and when all work is done they are told so
// too: under `fifo` both may happen, and the second word finds nobody, as does work that is handed
// out in between. Under `any`, a worker's word that it is done may overtake the work that it has left
// over: the search ends too early. In the fixed twin that word says how much is left over and whether
// the target was found, nothing is handed out after that, and workers are told to stop once, when all
// are done.
#include "savina.h"

enum { SIDE = 30, WORKERS = 20, THRESHOLD = 1024, WAYS = 6, NOBODY = -1 };

RH_SIGNAL(start);
RH_MESSAGE(work, { int node; });
RH_MESSAGE(claim, {
    int parent;
    int node;
});
RH_MESSAGE(claimed, { bool is_new; });
RH_SIGNAL(found);
RH_MESSAGE(received, {
    int left_over;
    bool has_found;
});
RH_SIGNAL(stop);
RH_SIGNAL(stopped);
RH_SIGNAL(verify);

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    int side;
    int height; // of the third axis
    bool has_diagonals;
    int workers;
    int threshold;
    int target;
} space;

static int node_at(int x, int y, int z)
{
    return (z * space.side + y) * space.side + x;
}

// The ways on from a node: along each axis, and some of the diagonals.
static int find_ways(int node, int ways[WAYS])
{
    static const int step[WAYS][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                      {1, 1, 0}, {0, 1, 1}, {1, 0, 1}};
    struct random random = {(unsigned)node};
    int x = node % space.side, y = node / space.side % space.side;
    int z = node / (space.side * space.side);
    int count = 0;

    for (int i = 0; i < WAYS; i++) {
        if (i >= 3 && (!space.has_diagonals || next_random(&random, 2) == 0))
            continue;
        int to_x = x + step[i][0], to_y = y + step[i][1], to_z = z + step[i][2];
        if (to_x < space.side && to_y < space.side && to_z < space.height)
            ways[count++] = node_at(to_x, to_y, to_z);
    }
    return count;
}

struct grid {
    int *parent; // of each node: from where it was reached
};

static void make_parents(struct grid *grid)
{
    int nodes = space.side * space.side * space.height;

    grid->parent = malloc((size_t)nodes * sizeof *grid->parent);
    for (int i = 0; i < nodes; i++)
        grid->parent[i] = NOBODY;
    grid->parent[0] = 0;
}

static bool claim_node(struct grid *grid, const struct claim *claim)
{
    bool is_new = grid->parent[claim->node] == NOBODY;

    if (is_new)
        grid->parent[claim->node] = claim->parent;
    return is_new;
}

static void check_way(struct grid *grid)
{
    int node = space.target;

    rh_check(grid->parent[node] != NOBODY);
    while (node != 0) {
        rh_check(grid->parent[node] < node);
        node = grid->parent[node];
    }
}

static void grid_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct grid *grid = state;
    const struct claim *claim;
    (void)self;

    if (!grid->parent)
        make_parents(grid);
    if ((claim = rh_as(message, claim))) {
        rh_reply(message, claimed, {.is_new = claim_node(grid, claim)});
    } else if (rh_as(message, verify)) {
        check_way(grid);
        free(grid->parent);
        rh_stop();
    }
}

struct worker {
    rh_actor *master;
    rh_actor *grid;
};

struct queue {
    int *nodes;
    int first;
    int count;
};

// Visits a node, and queues those that it leads to and that are new. Gives whether the target is among them.
static bool visit(const struct worker *worker, struct queue *queue, int node)
{
    int ways[WAYS];
    int count = find_ways(node, ways);

    for (int i = 0; i < count; i++) {
        const rh_message *reply = rh_ask(worker->grid, claim, {.parent = node, .node = ways[i]});
        if (!rh_as(reply, claimed)->is_new)
            continue;
        if (ways[i] == space.target)
            return true;
        queue->nodes[queue->count++] = ways[i];
    }
    return false;
}

// Breadth first, for so many nodes; what is queued then goes back to the master.
static void search(const struct worker *worker, int node)
{
    struct queue queue = {.count = 1};
    bool is_found = false;

    queue.nodes = malloc((size_t)(1 + space.threshold * WAYS) * sizeof *queue.nodes);
    queue.nodes[0] = node;
    while (!is_found && queue.first < queue.count && queue.first < space.threshold)
        is_found = visit(worker, &queue, queue.nodes[queue.first++]);
    if (is_found) {
        queue.first = queue.count;
        rh_send(worker->master, found);
    }
    for (int i = queue.first; i < queue.count; i++)
        rh_send(worker->master, work, {.node = queue.nodes[i]});
    rh_send(worker->master, received,
            {.left_over = queue.count - queue.first, .has_found = is_found});
    free(queue.nodes);
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct worker *worker = state;
    const struct work *work;
    (void)self;

    if ((work = rh_as(message, work))) {
        search(worker, work->node);
    } else if (rh_as(message, stop)) {
        rh_reply(message, stopped);
        rh_stop();
    }
}

struct master {
    rh_actor *grid;
    rh_actor *worker[WORKERS];
    bool is_found;
    bool will_be_found; // a worker has said that it has found the target
    long sent;          // to workers
    long done;          // by workers
    long work;          // that has come from workers
    long left_over;     // that workers have announced
    int stopped;
};

static void hand_out(struct master *master, int node)
{
    rh_send(master->worker[master->sent++ % space.workers], work, {.node = node});
}

static void stop_workers(const struct master *master)
{
    for (int i = 0; i < space.workers; i++)
        rh_send(master->worker[i], stop);
}

static void begin(rh_actor *self, struct master *master)
{
    master->grid = rh_spawn(grid_behaviour, struct grid, {.parent = NULL});
    for (int i = 0; i < space.workers; i++)
        master->worker[i] =
            rh_spawn(worker_behaviour, struct worker, {.master = self, .grid = master->grid});
    hand_out(master, 0);
}

static bool is_complete(const struct master *master)
{
    if (master->done < master->sent)
        return false;
    return !space.is_fixed ||
           (master->work == master->left_over && master->is_found == master->will_be_found);
}

static void receive(struct master *master, const rh_message *message)
{
    const struct work *work = rh_as(message, work);
    const struct received *received = rh_as(message, received);

    if (work) {
        master->work++;
        if (!space.is_fixed || !master->is_found)
            hand_out(master, work->node);
    } else if (received) {
        master->done++;
        master->left_over += received->left_over;
        master->will_be_found |= received->has_found;
    } else if (rh_as(message, found)) {
        master->is_found = true;
        if (!space.is_fixed)
            stop_workers(master);
    }
    if ((received || space.is_fixed) && is_complete(master))
        stop_workers(master);
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;

    if (rh_as(message, start)) {
        begin(self, master);
    } else if (rh_as(message, stopped)) {
        if (++master->stopped == space.workers) {
            rh_send(master->grid, verify);
            rh_stop();
        }
    } else {
        receive(master, message);
    }
}

static void search_space(bool is_fixed, int target)
{
    space.is_fixed = is_fixed;
    space.target = target;
    rh_send(rh_spawn(master_behaviour, struct master, {.sent = 0}), start);
}

static void set_up(void *context)
{
    const long *side = context;
    int far = (int)*side * 8 / 10;

    space.side = space.height = (int)*side;
    space.has_diagonals = true;
    space.workers = WORKERS;
    space.threshold = THRESHOLD;
    search_space(true, node_at(far, far, far));
}

// A square of four nodes.
static void search_square(bool is_fixed)
{
    space.side = 2;
    space.height = 1;
    space.workers = 2;
    space.threshold = 1;
    search_space(is_fixed, node_at(1, 1, 0));
}

RH_TEST(small)
{
    search_square(false);
}

RH_TEST(fixed)
{
    search_square(true);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, SIDE, set_up);
}
