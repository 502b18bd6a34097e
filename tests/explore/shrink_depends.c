// SPDX-License-Identifier: MIT
// An invariant over two actors fails in a delivery to one of them because of deliveries to the other: the moves that the
// finding needs go to both, among many that have nothing to do with them.
#include <rehearse/actor.h>
#include <rehearse/test.h>
RH_MESSAGE(set, { int value; });
RH_MESSAGE(tick, { int left; });
struct cell {
    int value;
};
static void cell_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct cell *cell = state;
    (void)self;
    cell->value = rh_as(message, set)->value;
}
static void ticker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)state;
    const struct tick *tick = rh_as(message, tick);
    if (tick->left > 0)
        rh_send(self, tick, {.left = tick->left - 1});
}
struct pair {
    rh_actor *left, *right;
};
static void not_both(const void *context)
{
    const struct pair *pair = context;
    const struct cell *a = rh_view_state(pair->left), *b = rh_view_state(pair->right);
    rh_check(a->value != 3 || b->value != 3);
}
RH_TEST(pair)
{
    rh_actor *left = rh_spawn(cell_behaviour, struct cell, {0});
    rh_actor *right = rh_spawn(cell_behaviour, struct cell, {0});
    rh_invariant(not_both, struct pair, {left, right});
    for (int i = 1; i <= 4; i++) {
        rh_send(left, set, {.value = i});
        rh_send(right, set, {.value = i});
    }
    for (int i = 0; i < 20; i++)
        rh_send(rh_spawn(ticker_behaviour), tick, {.left = 2});
}
