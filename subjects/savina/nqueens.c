// SPDX-License-Identifier: MIT
// NQueens (first K solutions) of Savina: workers place queens, a master hands out boards and counts
// solutions.
//
// Workers are told to stop when there are enough solutions, and when all work is done: under `fifo`
// both may happen, and the second word finds nobody, as do boards that are handed out in between.
// Under `any`, a worker's word that it is done may overtake boards and solutions of its own: the end
// comes too early, and solutions are missing. In the fixed twin that word says how many there are of
// either, no board is handed out when there are enough, and workers are told to stop once, when all
// are done.
#include "savina.h"

enum { QUEENS = 12, WORKERS = 20, THRESHOLD = 4, LIMIT = 1500000 };

RH_SIGNAL(start);
RH_MESSAGE(work, {
    int depth;
    signed char column[QUEENS]; // of the queen in each of the first rows
});
RH_SIGNAL(solution);
RH_MESSAGE(done, {
    int boards;
    int solutions;
});
RH_SIGNAL(stop);
RH_SIGNAL(stopped);

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    int queens;
    int workers;
    int threshold;
    int limit;
    int solutions;
} puzzle;

static bool is_legal(const struct work *board)
{
    int last = board->depth - 1;

    for (int row = 0; row < last; row++) {
        int apart = board->column[last] - board->column[row];
        if (apart == 0 || apart == last - row || apart == row - last)
            return false;
    }
    return true;
}

static struct work extend(const struct work *board, int column)
{
    struct work longer = *board;

    longer.column[longer.depth++] = (signed char)column;
    return longer;
}

struct worker {
    rh_actor *master;
};

// Sends a message for each solution; gives how many.
static int solve(const struct worker *worker, const struct work *board)
{
    int solutions = 0;

    if (board->depth == puzzle.queens) {
        rh_send(worker->master, solution);
        return 1;
    }
    for (int column = 0; column < puzzle.queens; column++) {
        struct work longer = extend(board, column);
        if (is_legal(&longer))
            solutions += solve(worker, &longer);
    }
    return solutions;
}

// Sends a message for each board with one more queen; gives how many.
static int split(const struct worker *worker, const struct work *board)
{
    int boards = 0;

    for (int column = 0; column < puzzle.queens; column++) {
        struct work longer = extend(board, column);
        if (is_legal(&longer)) {
            rh_send_sized(worker->master, work, &longer, sizeof longer);
            boards++;
        }
    }
    return boards;
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct worker *worker = state;
    const struct work *work;
    (void)self;

    if ((work = rh_as(message, work))) {
        bool is_deep = work->depth >= puzzle.threshold;
        int boards = is_deep ? 0 : split(worker, work);
        int solutions = is_deep ? solve(worker, work) : 0;
        rh_send(worker->master, done, {.boards = boards, .solutions = solutions});
    } else if (rh_as(message, stop)) {
        rh_reply(message, stopped);
        rh_stop();
    }
}

struct master {
    rh_actor *worker[WORKERS];
    long sent; // to workers
    long done; // by workers
    long boards;
    long solutions;
    long announced_boards;
    long announced_solutions;
    int stopped;
};

static void hand_out(struct master *master, const struct work *board)
{
    rh_send_sized(master->worker[master->sent++ % puzzle.workers], work, board, sizeof *board);
}

static void stop_workers(const struct master *master)
{
    for (int i = 0; i < puzzle.workers; i++)
        rh_send(master->worker[i], stop);
}

static void begin(rh_actor *self, struct master *master)
{
    for (int i = 0; i < puzzle.workers; i++)
        master->worker[i] = rh_spawn(worker_behaviour, struct worker, {.master = self});
    hand_out(master, &(struct work){.depth = 0});
}

static void end(const struct master *master)
{
    bool is_enough = master->solutions >= puzzle.limit;

    rh_check(is_enough ? master->solutions <= puzzle.solutions
                       : master->solutions == puzzle.solutions);
    rh_stop();
}

// As published.
static void receive(struct master *master, const rh_message *message)
{
    const struct work *work;

    if ((work = rh_as(message, work)))
        hand_out(master, work);
    else if (rh_as(message, solution) && ++master->solutions == puzzle.limit)
        stop_workers(master);
    else if (rh_as(message, done) && ++master->done == master->sent)
        stop_workers(master);
}

static void receive_carefully(struct master *master, const rh_message *message)
{
    const struct work *work;
    const struct done *done;

    if ((work = rh_as(message, work))) {
        master->boards++;
        if (master->solutions < puzzle.limit)
            hand_out(master, work);
    } else if (rh_as(message, solution)) {
        master->solutions++;
    } else if ((done = rh_as(message, done))) {
        master->done++;
        master->announced_boards += done->boards;
        master->announced_solutions += done->solutions;
    }
    if (master->done == master->sent && master->boards == master->announced_boards &&
        master->solutions == master->announced_solutions)
        stop_workers(master);
}

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;

    if (rh_as(message, start)) {
        begin(self, master);
    } else if (rh_as(message, stopped)) {
        if (++master->stopped == puzzle.workers)
            end(master);
    } else if (puzzle.is_fixed) {
        receive_carefully(master, message);
    } else {
        receive(master, message);
    }
}

static void place_queens(bool is_fixed, int limit)
{
    puzzle.is_fixed = is_fixed;
    puzzle.limit = limit;
    rh_send(rh_spawn(master_behaviour, struct master, {.sent = 0}), start);
}

static void set_up(void *context)
{
    static const int solutions[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200};
    const long *queens = context;

    puzzle.queens = *queens <= QUEENS ? (int)*queens : QUEENS;
    puzzle.solutions = solutions[puzzle.queens];
    puzzle.workers = WORKERS;
    puzzle.threshold = THRESHOLD;
    place_queens(true, LIMIT);
}

static void place_four(bool is_fixed, int threshold, int limit)
{
    puzzle.queens = 4;
    puzzle.solutions = 2;
    puzzle.workers = 2;
    puzzle.threshold = threshold;
    place_queens(is_fixed, limit);
}

RH_TEST(first)
{
    place_four(false, 1, 1);
}

RH_TEST(first_fixed)
{
    place_four(true, 1, 1);
}

RH_TEST(all)
{
    place_four(false, 1, 3);
}

RH_TEST(all_fixed)
{
    place_four(true, 1, 3);
}

// One worker finds them all.
RH_TEST(at_once)
{
    place_four(false, 0, 3);
}

RH_TEST(at_once_fixed)
{
    place_four(true, 0, 3);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, QUEENS, set_up);
}
