// SPDX-License-Identifier: MIT
// The API in C++20: every macro with and without fields.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(add, {
    int left;
    int right;
});
RH_MESSAGE(sum, { int value; });
RH_SIGNAL(go);
RH_SIGNAL(tick);
RH_SIGNAL(quit);

static void adder_behaviour(rh_actor *, void *, const rh_message *message)
{
    if (auto *numbers = rh_as(message, add)) {
        std::vector<int> both{numbers->left, numbers->right};
        rh_reply(message, sum, {.value = both[0] + both[1]});
    }
}

struct client {
    rh_actor *adder;
    int result;
};

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    auto *known = static_cast<client *>(state);

    if (rh_as(message, go)) {
        auto text = std::make_unique<std::string>("kept over the wait, and too long to be inline");
        const rh_message *reply = rh_ask(known->adder, add, {.left = 40, .right = 2});
        rh_check(text->size() == 45);
        known->result = rh_as(reply, sum)->value;
        rh_after(5, self, tick);
    } else if (rh_as(message, tick)) {
        rh_check(rh_now() == 5);
        rh_check(known->result == 42);
    }
}

static bool client_guard(const void *, const rh_message *message)
{
    return std::strcmp(rh_name(message), "quit") != 0;
}
RH_GUARD(client_behaviour, client_guard);

struct watched {
    rh_actor *client;
};

static void answered(const void *context)
{
    auto *judged = static_cast<const watched *>(context);

    rh_check(static_cast<const client *>(rh_view_state(judged->client))->result == 42);
}

// Two clients, chains go - add - sum - tick of four: C(8,4) = 70 executions. The nodes with the
// root are C(10,5) - 1, so 250 deliveries.
RH_TEST(two_clients)
{
    rh_actor *adder = rh_reserve(adder_behaviour);
    rh_spawn_at(adder);
    rh_actor *someone = rh_outside("someone");

    for (int i = 0; i < 2; i++) {
        rh_actor *one = rh_reserve(client_behaviour);
        rh_spawn_at(one, client, {.adder = adder, .result = 0});
        rh_finally(answered, watched, {.client = one});
        rh_send_from(someone, one, go);
    }
}
