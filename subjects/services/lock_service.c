// SPDX-License-Identifier: MIT
// A lock service with leases and fencing tokens, as services that keep locks for others have them: whoever holds the
// lock has it for a while only, so that a holder that is gone does not keep it for ever.
//
// A client asks the service for the lock; the service keeps a queue, and grants the lock with a token, a number that
// grows by one with each grant, and with a lease that ends by a timer. In the middle of its lease the client asks for
// a longer one, once. A client that has the lock reads an amount from a store, writes it back with one more, and
// releases the lock, which it tries a few times. The service says no to a client whose lease is over; nobody tells the client before it asks.
//
// What goes wrong: a client that was held up writes when its lease is over and another has the lock. That is what the
// tokens are for. But the store does not look at them: it takes the late write, which was made from what the store had
// before the other client read it, and one of two updates is lost. In the fixed twin the store remembers the highest
// token that it has seen, in reads as in writes, and refuses lower ones; the client then begins again.
//
// bug:     --test broken : invariant
// cause:   read from client reached store before write from client
// twin:    --test fixed
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { LEASE_MS = 1000, RENEW_MS = 500, MOST_CLIENTS = 3 };

// To the service.
RH_SIGNAL(acquire);
RH_MESSAGE(renew, { int token; });
RH_MESSAGE(release, { int token; });
RH_MESSAGE(lease_over, {
    int token;
    int renewals;
});

// To a client.
RH_SIGNAL(start);
RH_MESSAGE(granted, { int token; });
RH_MESSAGE(renewed, { int token; });
RH_MESSAGE(lost, { int token; });
RH_MESSAGE(renew_due, { int token; });
RH_MESSAGE(amount_is, {
    int token;
    int amount;
});
RH_MESSAGE(written, { int token; });
RH_MESSAGE(fenced, { int token; });

// To the store.
RH_MESSAGE(read, { int token; });
RH_MESSAGE(write, {
    int token;
    int amount;
});

struct service {
    rh_actor *holder; // NULL: nobody has the lock
    int token;        // of the latest grant
    int renewals;     // of the present lease
    int waiting;
    rh_actor *queue[MOST_CLIENTS];
};

static void begin_lease(const struct service *service)
{
    rh_after(LEASE_MS, rh_self(), lease_over,
             {.token = service->token, .renewals = service->renewals});
}

static void grant_next(struct service *service)
{
    service->holder = NULL;
    if (service->waiting == 0)
        return;
    service->holder = service->queue[0];
    service->waiting--;
    for (int i = 0; i < service->waiting; i++)
        service->queue[i] = service->queue[i + 1];
    service->token++;
    service->renewals = 0;
    rh_send(service->holder, granted, {.token = service->token});
    begin_lease(service);
}

static bool is_held_with(const struct service *service, int token)
{
    return service->holder && service->token == token;
}

static void handle_acquire(struct service *service, rh_actor *client)
{
    rh_check(service->waiting < MOST_CLIENTS);
    service->queue[service->waiting++] = client;
    if (!service->holder)
        grant_next(service);
}

static void handle_renew(struct service *service, rh_actor *client, int token)
{
    if (!is_held_with(service, token)) {
        rh_send(client, lost, {.token = token});
        return;
    }
    service->renewals++;
    begin_lease(service);
    rh_send(client, renewed, {.token = token});
}

static void service_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct service *service = state;
    const struct renew *renew;
    const struct release *release;
    const struct lease_over *over;
    (void)self;

    if (rh_as(message, acquire)) {
        handle_acquire(service, rh_sender(message));
    } else if ((renew = rh_as(message, renew))) {
        handle_renew(service, rh_sender(message), renew->token);
    } else if ((release = rh_as(message, release))) {
        if (is_held_with(service, release->token))
            grant_next(service);
    } else if ((over = rh_as(message, lease_over))) {
        if (is_held_with(service, over->token) && service->renewals == over->renewals)
            grant_next(service);
    }
}

// A key of a store that others reach over the network.
struct store {
    bool is_fenced; // the fix
    int highest;    // token seen
    int amount;
    int writes; // that were taken
};

static bool refuses(struct store *store, int token)
{
    if (store->is_fenced && token < store->highest)
        return true;
    if (token > store->highest)
        store->highest = token;
    return false;
}

static void store_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct store *store = state;
    const struct read *read = rh_as(message, read);
    const struct write *write = rh_as(message, write);
    (void)self;

    if (!read && !write)
        return;
    int token = read ? read->token : write->token;
    if (refuses(store, token)) {
        rh_send(rh_sender(message), fenced, {.token = token});
    } else if (read) {
        rh_send(rh_sender(message), amount_is, {.token = token, .amount = store->amount});
    } else {
        store->amount = write->amount;
        store->writes++;
        rh_send(rh_sender(message), written, {.token = token});
    }
}

struct client {
    rh_actor *service;
    rh_actor *store;
    int updates; // still to be made
    int tries;   // likewise
    int token;   // 0: it does not have the lock, for all it knows
    bool is_writing;
};

static void begin_again(struct client *client)
{
    client->token = 0;
    client->is_writing = false;
    if (client->updates == 0 || client->tries == 0)
        return;
    client->tries--;
    rh_send(client->service, acquire);
}

static void handle_granted(struct client *client, int token)
{
    client->token = token;
    rh_after(RENEW_MS, rh_self(), renew_due, {.token = token});
    rh_send(client->store, read, {.token = token});
}

// What the service says about a lease. A write that is under way may have been taken: then the store's answer counts.
static void handle_lost(struct client *client, int token)
{
    if (token == client->token && !client->is_writing)
        begin_again(client);
}

static void handle_answer(struct client *client, const rh_message *message)
{
    const struct amount_is *amount = rh_as(message, amount_is);
    const struct written *written = rh_as(message, written);
    const struct fenced *fenced = rh_as(message, fenced);

    if (amount && amount->token == client->token) {
        client->is_writing = true;
        rh_send(client->store, write, {.token = client->token, .amount = amount->amount + 1});
    } else if (written && written->token == client->token) {
        client->updates--;
        rh_send(client->service, release, {.token = client->token});
        begin_again(client);
    } else if (fenced && fenced->token == client->token) {
        begin_again(client);
    }
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct granted *granted;
    const struct renew_due *due;
    const struct lost *lost;
    (void)self;

    if (rh_as(message, start)) {
        begin_again(client);
    } else if ((granted = rh_as(message, granted))) {
        handle_granted(client, granted->token);
    } else if ((due = rh_as(message, renew_due))) {
        if (due->token == client->token)
            rh_send(client->service, renew, {.token = due->token});
    } else if ((lost = rh_as(message, lost))) {
        handle_lost(client, lost->token);
    } else if (!rh_as(message, renewed)) {
        handle_answer(client, message);
    }
}

struct watched {
    rh_actor *store;
};

// Each write that was taken is one more than the one before.
static void no_update_is_lost(const void *context)
{
    const struct watched *watched = context;
    const struct store *store = rh_view_state(watched->store);

    rh_check(!store || store->amount == store->writes);
}

static void set_up(bool is_fixed)
{
    rh_actor *service = rh_spawn(service_behaviour, struct service, {.holder = NULL});
    rh_actor *store = rh_spawn(store_behaviour, struct store, {.is_fenced = is_fixed});

    for (int i = 0; i < rh_parameter(int, clients, 2); i++)
        rh_send(rh_spawn(client_behaviour, struct client,
                         {.service = service,
                          .store = store,
                          .updates = 1,
                          .tries = rh_parameter(int, tries, 2)}),
                start);
    rh_invariant(no_update_is_lost, struct watched, {.store = store});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
