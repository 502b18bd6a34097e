// SPDX-License-Identifier: MIT
// A master that lets workers work, three if nobody says otherwise, and answers when it has all results.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(request);
RH_SIGNAL(work);
RH_SIGNAL(result);
RH_SIGNAL(response);

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_check(rh_as(message, response));
}

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_check(rh_as(message, work));
    rh_reply(message, result);
}

struct master {
    rh_actor *client;
    int workers;
    int results;
};

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    (void)self;
    for (int i = 0; i < master->workers && rh_as(message, request); i++)
        rh_send(rh_spawn(worker_behaviour), work);
    if (rh_as(message, result) && ++master->results == master->workers)
        rh_send(master->client, response);
}

RH_TEST(crew)
{
    rh_actor *client = rh_spawn(client_behaviour);
    rh_actor *master = rh_spawn(master_behaviour, struct master,
                                {.client = client, .workers = rh_parameter(int, workers, 3)});
    rh_send(master, request);
}
