// SPDX-License-Identifier: MIT
// What the test's body has chosen stays where no actor has it: in a variable, or in memory of the body's own. Handlers use it
// late, so that states are alike until then.
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(go_on);

static int chosen;
static int *kept;

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    if (rh_as(message, go))
        rh_send(self, go_on);
    else if (rh_as(message, go_on))
        *(int *)state = kept ? *kept : chosen;
}

struct watched {
    rh_actor *reader;
};

static void has_not_read_one(const void *context)
{
    const struct watched *watched = context;
    rh_check(*(const int *)rh_view_state(watched->reader) != 1);
}

static void watch_reader(void)
{
    rh_actor *reader = rh_spawn(reader_behaviour, int, {7});
    rh_finally(has_not_read_one, struct watched, {reader});
    rh_send(reader, go);
}

RH_TEST(in_a_variable)
{
    chosen = rh_choose(2);
    watch_reader();
}

RH_TEST(in_memory)
{
    kept = malloc(sizeof *kept);
    if (kept)
        *kept = rh_choose(2);
    watch_reader();
}

RH_TEST(the_last_of_two)
{
    chosen = rh_choose(2);
    chosen = rh_choose(2) + 2 * chosen;
    watch_reader();
}
