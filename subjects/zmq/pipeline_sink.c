// SPDX-License-Identifier: MIT
// A pipeline: a ventilator tells the sink how large the batch is, then gives the tasks to a worker, whose results go to
// the sink, which adds them up.
//
// The size comes to the sink from the ventilator, the results from the worker. Nothing keeps a result from being there
// first: then it is taken for the size, and the sink waits for results that nobody will send.
// Fixed: the sink looks at what a message says that it is, and counts results until it knows how many there are.
#include <czmq.h>

enum { TASKS = 2 };

static void run_worker(zsock_t *pipe, void *arguments)
{
    zsock_t *tasks = zsock_new_pull(">inproc://tasks");
    zsock_t *results = zsock_new_push(">inproc://results");
    (void)arguments;
    zsock_signal(pipe, 0);
    for (int i = 0; i < TASKS; i++) {
        int task;
        zsock_recv(tasks, "i", &task);
        zsock_send(results, "si", "result", 10 * task);
    }
    zsock_destroy(&results);
    zsock_destroy(&tasks);
}

static bool is_size(const char *kind, int size)
{
#ifdef FIXED
    (void)size;
    return streq(kind, "size");
#else
    (void)kind;
    return size < 0;
#endif
}

// Adds a batch up, and tells the sum.
static void run_sink(zsock_t *pipe, void *arguments)
{
    zsock_t *results = zsock_new_pull("@inproc://results");
    int sum = 0, size = -1, count = 0;
    (void)arguments;
    zsock_signal(pipe, 0);
    while (size < 0 || count < size) {
        char *kind;
        int value;
        zsock_recv(results, "si", &kind, &value);
        if (is_size(kind, size)) {
            size = value;
        } else {
            sum += value;
            count++;
        }
        zstr_free(&kind);
    }
    zsock_send(pipe, "i", sum);
    zsock_destroy(&results);
}

int main(void)
{
    int sum;
    zsock_t *tasks = zsock_new_push("@inproc://tasks");
    zactor_t *sink = zactor_new(run_sink, NULL);
    zactor_t *worker = zactor_new(run_worker, NULL);
    zsock_t *results = zsock_new_push(">inproc://results");
    zsock_send(results, "si", "size", TASKS);
    for (int i = 1; i <= TASKS; i++)
        zsock_send(tasks, "i", i);
    zsock_recv(sink, "i", &sum);
    zsock_destroy(&results);
    zactor_destroy(&worker);
    zactor_destroy(&sink);
    zsock_destroy(&tasks);
    return sum == 30 ? 0 : 1;
}
