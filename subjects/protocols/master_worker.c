// SPDX-License-Identifier: MIT
// A client asks a master for a number of results, and the master has as many workers make one each.
//
// Nothing goes wrong under any order rule: the master counts.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(request, { int workers; });
RH_SIGNAL(work);
RH_MESSAGE(result, { int value; });
RH_MESSAGE(response, { int sum; });

static void worker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_check(rh_as(message, work));
    rh_reply(message, result, {.value = 1});
}

struct master {
    rh_actor *client;
    int left, sum;
};

static void master_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct master *master = state;
    const struct request *request;
    const struct result *result;
    (void)self;
    if ((request = rh_as(message, request))) {
        master->client = rh_sender(message);
        master->left = request->workers;
        for (int i = 0; i < request->workers; i++)
            rh_send(rh_spawn(worker_behaviour), work);
    } else if ((result = rh_as(message, result))) {
        master->sum += result->value;
        if (--master->left == 0)
            rh_send(master->client, response, {.sum = master->sum});
    }
}

RH_SIGNAL(begin);

struct client {
    rh_actor *master;
    int workers;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct client *client = state;
    const struct response *response;
    (void)self;
    if (rh_as(message, begin))
        rh_send(client->master, request, {.workers = client->workers});
    else if ((response = rh_as(message, response)))
        rh_check(response->sum == client->workers);
}

RH_TEST(crew)
{
    rh_actor *master = rh_spawn(master_behaviour, struct master, {.sum = 0});
    rh_send(rh_spawn(client_behaviour, struct client,
                     {.master = master, .workers = rh_parameter(int, workers, 3)}),
            begin);
}
