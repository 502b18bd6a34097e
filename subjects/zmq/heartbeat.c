// SPDX-License-Identifier: MIT
// Heartbeating: a supervisor asks a worker whether it is alive, and takes it for dead if there is no answer within some
// time. The worker does jobs, which take longer than that.
//
// The worker answers between jobs. If a job comes to it before the question it is taken for dead though it works.
// Fixed: the worker has its jobs done by an actor of its own, and answers meanwhile.
#include <czmq.h>

enum { PATIENCE_MS = 40, JOB_MS = 60 };

static void do_job(char *job)
{
    zclock_sleep(JOB_MS);
    zstr_free(&job);
}

#ifdef FIXED
static void run_crew(zsock_t *pipe, void *arguments)
{
    (void)arguments;
    zsock_signal(pipe, 0);
    for (char *job; (job = zstr_recv(pipe)) && strneq(job, "$TERM");)
        do_job(job);
}
#endif

static void answer(zsock_t *questions)
{
    char *question = zstr_recv(questions);
    zstr_send(questions, "yes");
    zstr_free(&question);
}

static void run_worker(zsock_t *pipe, void *arguments)
{
    zsock_t *questions = zsock_new_rep("@inproc://questions");
    zsock_t *jobs = zsock_new_pull("@inproc://jobs");
    zpoller_t *poller = zpoller_new(questions, jobs, pipe, NULL);
    (void)arguments;
#ifdef FIXED
    zactor_t *crew = zactor_new(run_crew, NULL);
#endif
    zsock_signal(pipe, 0);
    for (void *ready; (ready = zpoller_wait(poller, -1)) != pipe;) {
        if (ready == questions) {
            answer(questions);
            continue;
        }
        char *job = zstr_recv(jobs);
#ifdef FIXED
        zstr_send(crew, job);
        zstr_free(&job);
#else
        do_job(job);
#endif
    }
#ifdef FIXED
    zactor_destroy(&crew);
#endif
    zpoller_destroy(&poller);
    zsock_destroy(&jobs);
    zsock_destroy(&questions);
}

static void run_client(zsock_t *pipe, void *arguments)
{
    zsock_t *jobs = zsock_new_push(">inproc://jobs");
    (void)arguments;
    zsock_signal(pipe, 0);
    zstr_send(jobs, "job");
    zsock_destroy(&jobs);
}

int main(void)
{
    zactor_t *worker = zactor_new(run_worker, NULL);
    zsock_t *questions = zsock_new_req(">inproc://questions");
    zsock_set_rcvtimeo(questions, PATIENCE_MS);
    zstr_send(questions, "alive?");
    zactor_t *client = zactor_new(run_client, NULL);
    char *reply = zstr_recv(questions);
    int status = reply ? 0 : 1;
    zstr_free(&reply);
    zactor_destroy(&client);
    zsock_destroy(&questions);
    zactor_destroy(&worker);
    return status;
}
