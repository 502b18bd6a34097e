// SPDX-License-Identifier: MIT
// All-pairs shortest paths of Savina: Floyd and Warshall's algorithm by blocks. An actor has a block
// of the matrix. In each round it sends it to the others of its row and its column, and computes the
// next one from theirs.
//
// Each block learns its neighbours from the outside, in a message that is not ordered with those of
// the neighbours: under `fifo` a neighbour's block may come before, which the original takes for an
// error. Under `any` the word to begin may come before too (`begins_early`); then it is sent to
// nobody, and all wait for ever. What a block sends after its last round finds actors that have
// stopped. In the fixed twin a block first learns its neighbours and then begins, what is for a
// later round waits for it, and nothing is sent after the last round.
#include <string.h>

#include "savina.h"

enum { NODES = 300, BLOCK = 50, MOST_WEIGHT = 100 };

RH_MESSAGE(neighbours, {
    int count;
    rh_actor *all[];
});
RH_SIGNAL(begin);
RH_MESSAGE(part, {
    int round; // the last one that it has been through
    int block;
    int distances[];
});

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    bool begins_early; // the fixed twin takes the word to begin at any time
    int nodes;
    int size; // of a block
    int side; // blocks in a row
    int weight[NODES][NODES];
    int distance[NODES][NODES]; // what must come out
} graph;

struct block {
    int number;
    int round;
    bool knows_neighbours;
    bool has_begun;
    int neighbour_count;
    rh_actor **neighbours;
    struct part *mine;
    struct part **received; // by block; NULL if nothing has come in this round
    int received_count;
};

static size_t part_size(void)
{
    return sizeof(struct part) + (size_t)(graph.size * graph.size) * sizeof(int);
}

static void make_mine(struct block *block)
{
    int top = block->number / graph.side * graph.size;
    int left = block->number % graph.side * graph.size;

    if (block->mine)
        return;
    block->mine = malloc(part_size());
    block->mine->block = block->number;
    for (int i = 0; i < graph.size; i++)
        for (int j = 0; j < graph.size; j++)
            block->mine->distances[i * graph.size + j] = graph.weight[top + i][left + j];
    block->received = calloc((size_t)(graph.side * graph.side), sizeof *block->received);
}

static void send_mine(struct block *block)
{
    block->mine->round = block->round;
    for (int i = 0; i < block->neighbour_count; i++)
        rh_send_sized(block->neighbours[i], part, block->mine, part_size());
}

static void keep(struct block *block, const struct part *part)
{
    if (!block->received[part->block]) {
        block->received[part->block] = malloc(part_size());
        block->received_count++;
    }
    memcpy(block->received[part->block], part, part_size());
}

static const int *part_at(const struct block *block, int row, int column)
{
    int number = row * graph.side + column;

    return number == block->number ? block->mine->distances : block->received[number]->distances;
}

// One more node may be passed through.
static void compute(struct block *block)
{
    int via = block->round % graph.size, node_block = block->round / graph.size;
    const int *in_row = part_at(block, block->number / graph.side, node_block);
    const int *in_column = part_at(block, node_block, block->number % graph.side);
    int *mine = block->mine->distances;

    for (int i = 0; i < graph.size; i++)
        for (int j = 0; j < graph.size; j++) {
            int through = in_row[i * graph.size + via] + in_column[via * graph.size + j];
            if (through < mine[i * graph.size + j])
                mine[i * graph.size + j] = through;
        }
}

static void forget(struct block *block)
{
    for (int i = 0; i < graph.side * graph.side; i++) {
        free(block->received[i]);
        block->received[i] = NULL;
    }
    block->received_count = 0;
}

static void finish(struct block *block)
{
    int top = block->number / graph.side * graph.size;
    int left = block->number % graph.side * graph.size;

    for (int i = 0; i < graph.size; i++)
        for (int j = 0; j < graph.size; j++)
            rh_check(block->mine->distances[i * graph.size + j] ==
                     graph.distance[top + i][left + j]);
    free(block->mine);
    free(block->received);
    free(block->neighbours);
    rh_stop();
}

static void go_on(struct block *block)
{
    block->round++;
    compute(block);
    forget(block);
    if (block->round < graph.nodes - 1 || !graph.is_fixed)
        send_mine(block);
    if (block->round == graph.nodes - 1)
        finish(block);
}

static void block_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct block *block = state;
    const struct neighbours *neighbours;
    const struct part *part;
    (void)self;

    make_mine(block);
    if ((neighbours = rh_as(message, neighbours))) {
        size_t size = (size_t)neighbours->count * sizeof(rh_actor *);
        block->neighbours = memcpy(malloc(size), neighbours->all, size);
        block->neighbour_count = neighbours->count;
        block->knows_neighbours = true;
    } else if (rh_as(message, begin)) {
        block->has_begun = true;
        send_mine(block);
    } else if ((part = rh_as(message, part))) {
        rh_check(block->knows_neighbours);
        keep(block, part);
        if (block->received_count == block->neighbour_count)
            go_on(block);
    }
}

static void patient_block_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    block_behaviour(self, state, message);
}

static bool patient_block_guard(const void *state, const rh_message *message)
{
    const struct block *block = state;
    const struct part *part = rh_as(message, part);

    if (part)
        return block->knows_neighbours && block->has_begun && part->round == block->round;
    return block->knows_neighbours || graph.begins_early || rh_as(message, neighbours);
}
RH_GUARD(patient_block_behaviour, patient_block_guard);

static void make_graph(bool is_fixed, int nodes, int size)
{
    struct random random = {SAVINA_SEED};

    graph.is_fixed = is_fixed;
    graph.nodes = nodes;
    graph.size = size;
    graph.side = nodes / size;
    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < i; j++)
            graph.weight[i][j] = graph.weight[j][i] = 1 + next_random(&random, MOST_WEIGHT);
    memcpy(graph.distance, graph.weight, sizeof graph.distance);
    for (int via = 0; via < nodes; via++)
        for (int i = 0; i < nodes; i++)
            for (int j = 0; j < nodes; j++) {
                int through = graph.distance[i][via] + graph.distance[via][j];
                if (through < graph.distance[i][j])
                    graph.distance[i][j] = through;
            }
}

static void introduce(rh_actor *const *blocks, int number)
{
    int row = number / graph.side, column = number % graph.side;
    struct neighbours *neighbours =
        malloc(sizeof *neighbours + (size_t)(2 * graph.side) * sizeof(rh_actor *));

    neighbours->count = 0;
    for (int i = 0; i < graph.side * graph.side; i++)
        if (i != number && (i / graph.side == row || i % graph.side == column))
            neighbours->all[neighbours->count++] = blocks[i];
    rh_send_sized(blocks[number], neighbours, neighbours,
                  sizeof *neighbours + (size_t)neighbours->count * sizeof(rh_actor *));
    free(neighbours);
}

static void find_paths(bool is_fixed, int nodes, int size)
{
    rh_actor *blocks[(NODES / BLOCK) * (NODES / BLOCK)];

    make_graph(is_fixed, nodes, size);
    int count = graph.side * graph.side;
    for (int i = 0; i < count; i++)
        blocks[i] =
            is_fixed ? rh_spawn(patient_block_behaviour, struct block, {.number = i, .round = -1})
                     : rh_spawn(block_behaviour, struct block, {.number = i, .round = -1});
    for (int i = 0; i < count; i++)
        introduce(blocks, i);
    for (int i = 0; i < count; i++)
        rh_send(blocks[i], begin);
}

static void set_up(void *context)
{
    const long *nodes = context;
    int whole = *nodes < NODES ? (int)*nodes : NODES;

    find_paths(true, whole, whole > BLOCK ? BLOCK : whole / 2);
}

RH_TEST(small)
{
    find_paths(false, 2, 1);
}

// All is fixed but that.
RH_TEST(begins_early)
{
    graph.begins_early = true;
    find_paths(true, 2, 1);
}

RH_TEST(fixed)
{
    find_paths(true, 2, 1);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, NODES, set_up);
}
