// SPDX-License-Identifier: MIT
// A program with a main and arguments of its own that has tests, too.
#include <stdio.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(ping);

static void receiver_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self;
    (void)state;
    rh_as(message, ping);
}

RH_TEST(hears)
{
    rh_send(rh_spawn(receiver_behaviour), ping);
}

int main(int argc, char **argv)
{
    printf("own main with %d arguments, last %s\n", argc - 1, argv[argc - 1]);
    return 42;
}
