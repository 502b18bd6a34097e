// SPDX-License-Identifier: MIT
// Successive over-relaxation of Savina: a grid of cells, red and black like a chess-board, that
// compute their values from those of their neighbours, in turns. One half of the grid is made by a
// runner, the other by its peer, and they tell each other about the border.
//
// A cell may have a neighbour's value before it knows its neighbours. It puts that aside, and sends it
// to itself afterwards: nothing goes wrong under any order rule. In `no_stash` it does not, and uses a
// NULL pointer under `fifo`.
#include <math.h>
#include <string.h>

#include "savina.h"

enum { SIDE = 20, ITERATIONS = 100, NEIGHBOURS = 4 };

RH_SIGNAL(start);
RH_MESSAGE(border, { rh_actor *cell[SIDE]; });
RH_MESSAGE(begin, {
    int count;
    rh_actor *neighbour[NEIGHBOURS];
});
RH_MESSAGE(value, { double value; });
RH_MESSAGE(result, {
    double sum;
    int cells;
});

// Set by the test's body, and only read afterwards.
static struct {
    bool has_stash;
    int side;
    int iterations;
} grid;

static const double omega = 1.25;

static double first_value(int x, int y)
{
    struct random random = {(unsigned)(SAVINA_SEED + y * SIDE + x)};

    return next_random(&random, 1000) / 1000.0;
}

static bool is_red(int x, int y)
{
    return (x + y) % 2 == 1;
}

struct cell {
    rh_actor *maker;
    struct begin *neighbours; // NULL before they are known
    double value;
    double sum;
    int received;
    int iteration;
    bool is_red;
    int aside_count;
    double aside[NEIGHBOURS];
};

static void send_value(const struct cell *cell)
{
    for (int i = 0; i < cell->neighbours->count; i++)
        rh_send(cell->neighbours->neighbour[i], value, {.value = cell->value});
}

// Red cells are one turn ahead from the beginning.
static void start_cell(rh_actor *self, struct cell *cell, const struct begin *begin)
{
    cell->neighbours = memcpy(malloc(sizeof *begin), begin, sizeof *begin);
    if (cell->is_red) {
        send_value(cell);
        cell->iteration = 1;
    }
    for (int i = 0; i < cell->aside_count; i++)
        rh_send(self, value, {.value = cell->aside[i]});
    cell->aside_count = 0;
}

// The last values of black cells are wanted by nobody.
static void relax(struct cell *cell)
{
    cell->value = omega / 4 * cell->sum + (1 - omega) * cell->value;
    cell->sum = 0;
    cell->received = 0;
    cell->iteration++;
    if (cell->is_red || cell->iteration < grid.iterations)
        send_value(cell);
    if (cell->iteration == grid.iterations) {
        rh_send(cell->maker, result, {.sum = cell->value, .cells = 1});
        free(cell->neighbours);
        rh_stop();
    }
}

static void cell_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct cell *cell = state;
    const struct begin *begin;
    const struct value *value;

    if ((begin = rh_as(message, begin))) {
        start_cell(self, cell, begin);
    } else if ((value = rh_as(message, value)) && !cell->neighbours && grid.has_stash) {
        cell->aside[cell->aside_count++] = value->value;
    } else if (value) {
        cell->sum += value->value;
        if (++cell->received == cell->neighbours->count)
            relax(cell);
    }
}

// One half of the grid, from a column on.
struct half {
    rh_actor *other; // who has the other half
    int first;
    int columns;
    rh_actor *cell[SIDE][SIDE]; // by row and column, with those of the other half's border
    int results;
    double sum;
};

static void make_cells(rh_actor *self, struct half *half)
{
    for (int y = 0; y < grid.side; y++)
        for (int x = half->first; x < half->first + half->columns; x++)
            half->cell[y][x] =
                rh_spawn(cell_behaviour, struct cell,
                         {.maker = self, .value = first_value(x, y), .is_red = is_red(x, y)});
}

static void send_border(const struct half *half, int column)
{
    struct border border = {.cell = {NULL}};

    for (int y = 0; y < grid.side; y++)
        border.cell[y] = half->cell[y][column];
    rh_send_sized(half->other, border, &border, sizeof border);
}

static void start_at(const struct half *half, int x, int y)
{
    static const int step[NEIGHBOURS][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    struct begin begin = {.count = 0};

    for (int i = 0; i < NEIGHBOURS; i++) {
        int to_x = x + step[i][0], to_y = y + step[i][1];
        if (to_x >= 0 && to_x < grid.side && to_y >= 0 && to_y < grid.side)
            begin.neighbour[begin.count++] = half->cell[to_y][to_x];
    }
    rh_send_sized(half->cell[y][x], begin, &begin, sizeof begin);
}

// The other half's border is this column.
static void start_cells(struct half *half, const struct border *border, int column)
{
    for (int y = 0; y < grid.side; y++)
        half->cell[y][column] = border->cell[y];
    for (int y = 0; y < grid.side; y++)
        for (int x = half->first; x < half->first + half->columns; x++)
            start_at(half, x, y);
}

static void add_result(struct half *half, const struct result *result)
{
    half->sum += result->sum;
    half->results += result->cells;
}

static void peer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct half *half = state;
    const struct border *border;

    if ((border = rh_as(message, border))) {
        make_cells(self, half);
        send_border(half, half->first);
        start_cells(half, border, half->first - 1);
        return;
    }
    add_result(half, rh_as(message, result));
    if (half->results == grid.side * half->columns) {
        rh_send(half->other, result, {.sum = half->sum, .cells = half->results});
        rh_stop();
    }
}

// One turn of all cells of a colour.
static void relax_colour(double value[SIDE][SIDE], bool red)
{
    for (int y = 0; y < grid.side; y++)
        for (int x = 0; x < grid.side; x++) {
            double sum = 0;
            if (is_red(x, y) != red)
                continue;
            sum += y > 0 ? value[y - 1][x] : 0;
            sum += x > 0 ? value[y][x - 1] : 0;
            sum += x < grid.side - 1 ? value[y][x + 1] : 0;
            sum += y < grid.side - 1 ? value[y + 1][x] : 0;
            value[y][x] = omega / 4 * sum + (1 - omega) * value[y][x];
        }
}

static double expected_sum(void)
{
    double value[SIDE][SIDE], sum = 0;

    for (int y = 0; y < grid.side; y++)
        for (int x = 0; x < grid.side; x++)
            value[y][x] = first_value(x, y);
    for (int i = 0; i < grid.iterations; i++) {
        relax_colour(value, false);
        if (i < grid.iterations - 1)
            relax_colour(value, true);
    }
    for (int y = 0; y < grid.side; y++)
        for (int x = 0; x < grid.side; x++)
            sum += value[y][x];
    return sum;
}

static void begin_half(rh_actor *self, struct half *half)
{
    half->columns = grid.side / 2;
    half->other =
        rh_spawn(peer_behaviour, struct half,
                 {.other = self, .first = half->columns, .columns = grid.side - half->columns});
    make_cells(self, half);
    send_border(half, half->columns - 1);
}

static void runner_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct half *half = state;
    const struct border *border;

    if (rh_as(message, start)) {
        begin_half(self, half);
    } else if ((border = rh_as(message, border))) {
        start_cells(half, border, half->columns);
    } else {
        add_result(half, rh_as(message, result));
        if (half->results < grid.side * grid.side)
            return;
        rh_check(fabs(half->sum - expected_sum()) < 1e-9);
        rh_stop();
    }
}

static void relax_grid(bool has_stash, int side, int iterations)
{
    grid.has_stash = has_stash;
    grid.side = side;
    grid.iterations = iterations;
    rh_send(rh_spawn(runner_behaviour, struct half, {.first = 0}), start);
}

static void set_up(void *context)
{
    const long *iterations = context;

    relax_grid(true, SIDE, (int)*iterations);
}

RH_TEST(small)
{
    relax_grid(true, 2, 2);
}

RH_TEST(no_stash)
{
    relax_grid(false, 2, 2);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, ITERATIONS, set_up);
}
