// SPDX-License-Identifier: MIT
// Stop of an actor with unread messages: a task sends lines to a log. When the task has ended main stops the log, and
// expects all lines in it.
//
// The word to stop comes from main, the lines from the task: it may overtake them, and what was not read by then is lost.
// Fixed: the last line of a task says so, and the log stops when it has that.
#include <czmq.h>

enum { LINES = 2 };

static void run_log(zsock_t *pipe, void *arguments)
{
    int *count = arguments;
    zsock_t *lines = zsock_new_pull("@inproc://log");
    zpoller_t *poller = zpoller_new(lines, pipe, NULL);
    bool is_told = false, has_all = true;
    zsock_signal(pipe, 0);
#ifdef FIXED
    has_all = false;
#endif
    while (!is_told || !has_all) {
        void *from = zpoller_wait(poller, -1);
        char *line = zstr_recv(from);
        is_told |= from == pipe;
        has_all |= streq(line, "end");
        *count += from == lines && strneq(line, "end");
        zstr_free(&line);
    }
    zpoller_destroy(&poller);
    zsock_destroy(&lines);
}

static void run_task(zsock_t *pipe, void *arguments)
{
    zsock_t *log = zsock_new_push(">inproc://log");
    (void)arguments;
    zsock_signal(pipe, 0);
    for (int i = 1; i <= LINES; i++)
        zstr_sendf(log, "line %d", i);
    zstr_send(log, "end");
    zsock_destroy(&log);
}

int main(void)
{
    int count = 0;
    zactor_t *log = zactor_new(run_log, &count);
    zactor_t *task = zactor_new(run_task, NULL);
    zactor_destroy(&task);
    zactor_destroy(&log);
    return count == LINES ? 0 : 1;
}
