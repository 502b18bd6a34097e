// SPDX-License-Identifier: MIT
// A broker gives a job to the worker that has been ready for the longest time. A worker that is told to end says goodbye to
// the broker. Main ends the first of two workers and then has a job done.
//
// The job may come to the broker before the goodbye. It goes to the worker that has gone, and a ROUTER drops it: main
// waits for ever.
// Fixed: the worker does what comes until the broker has answered its goodbye.
#include <czmq.h>

static void run_worker(zsock_t *pipe, void *arguments)
{
    zsock_t *broker = zsock_new(ZMQ_DEALER);
    zpoller_t *poller = zpoller_new(broker, pipe, NULL);
    zsock_set_identity(broker, arguments);
    zsock_connect(broker, "inproc://workers");
    zstr_send(broker, "ready");
    zsock_signal(pipe, 0);
    for (bool goes_on = true; goes_on;) {
        void *from = zpoller_wait(poller, -1);
        char *word = zstr_recv(from);
        if (from == pipe)
            zstr_send(broker, "goodbye");
        else if (streq(word, "job"))
            zstr_send(broker, "done");
#ifdef FIXED
        goes_on = strneq(word, "goodbye");
#else
        goes_on = from != pipe;
#endif
        zstr_free(&word);
    }
    zpoller_destroy(&poller);
    zsock_destroy(&broker);
}

// A worker is ready, goes, or has done a job, which makes it ready too.
static void hear_worker(zsock_t *workers, zsock_t *clients, zlist_t *ready)
{
    char *name, *word;
    zstr_recvx(workers, &name, &word, NULL);
    if (streq(word, "goodbye")) {
        zlist_remove(ready, name);
        zstr_sendx(workers, name, "goodbye", NULL);
    } else {
        zlist_append(ready, name);
    }
    if (streq(word, "done"))
        zstr_send(clients, "done");
    zstr_free(&name);
    zstr_free(&word);
}

static void give_job(zsock_t *workers, zsock_t *clients, zlist_t *ready)
{
    char *job = zstr_recv(clients), *name = zlist_pop(ready);
    zstr_sendx(workers, name, job, NULL);
    zstr_free(&name);
    zstr_free(&job);
}

// Looks at clients only while somebody is ready to work for them.
static void run_broker(zsock_t *pipe, void *arguments)
{
    zsock_t *workers = zsock_new_router("@inproc://workers");
    zsock_t *clients = zsock_new_rep("@inproc://clients");
    zpoller_t *without_clients = zpoller_new(workers, pipe, NULL);
    zpoller_t *everybody = zpoller_new(workers, clients, pipe, NULL);
    zlist_t *ready = zlist_new();
    (void)arguments;
    zlist_autofree(ready);
    zlist_comparefn(ready, (zlist_compare_fn *)strcmp);
    zsock_signal(pipe, 0);
    for (bool goes_on = true; goes_on;) {
        void *from = zpoller_wait(zlist_size(ready) > 0 ? everybody : without_clients, -1);
        if (from == workers)
            hear_worker(workers, clients, ready);
        else if (from == clients)
            give_job(workers, clients, ready);
        goes_on = from != pipe;
    }
    zlist_destroy(&ready);
    zpoller_destroy(&everybody);
    zpoller_destroy(&without_clients);
    zsock_destroy(&clients);
    zsock_destroy(&workers);
}

int main(void)
{
    zactor_t *broker = zactor_new(run_broker, NULL);
    zactor_t *first = zactor_new(run_worker, "first");
    zactor_t *second = zactor_new(run_worker, "second");
    zsock_t *client = zsock_new_req(">inproc://clients");
    zactor_destroy(&first);
    zstr_send(client, "job");
    char *result = zstr_recv(client);
    zstr_free(&result);
    zsock_destroy(&client);
    zactor_destroy(&second);
    zactor_destroy(&broker);
    return 0;
}
