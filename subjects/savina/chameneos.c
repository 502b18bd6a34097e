// SPDX-License-Identifier: MIT
// Chameneos of Savina: creatures meet in a mall in pairs, and each pair changes colours.
//
// Nothing goes wrong under any order rule: it decides only who meets whom.
#include "savina.h"

enum { CREATURES = 100 };

enum colour { BLUE, RED, YELLOW, FADED };

RH_SIGNAL(start);
RH_MESSAGE(meet, {
    enum colour colour;
    rh_actor *creature;
});
RH_MESSAGE(change, { enum colour colour; });
RH_SIGNAL(leave);
RH_MESSAGE(met, { long times; });

struct mall {
    rh_actor *waiting;
    long left; // meetings that are still to come
    long meetings;
    long met; // the sum of what creatures say
    int creatures;
};

static void receive_creature(struct mall *mall, const struct meet *meet)
{
    if (mall->left == 0) {
        rh_send(meet->creature, leave);
    } else if (!mall->waiting) {
        mall->waiting = meet->creature;
    } else {
        mall->left--;
        rh_send(mall->waiting, meet, {.colour = meet->colour, .creature = meet->creature});
        mall->waiting = NULL;
    }
}

static void mall_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct mall *mall = state;
    const struct meet *meet;
    const struct met *met;
    (void)self;

    if ((meet = rh_as(message, meet))) {
        receive_creature(mall, meet);
    } else if ((met = rh_as(message, met))) {
        mall->met += met->times;
        if (--mall->creatures == 0) {
            rh_check(mall->met == 2 * mall->meetings);
            rh_stop();
        }
    }
}

struct creature {
    rh_actor *mall;
    enum colour colour;
    long met;
};

static enum colour complement(enum colour one, enum colour other)
{
    return one == other ? one : (enum colour)(BLUE + RED + YELLOW - one - other);
}

static void creature_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct creature *creature = state;
    const struct meet *meet;
    const struct change *change;

    if ((meet = rh_as(message, meet))) {
        creature->colour = complement(creature->colour, meet->colour);
        creature->met++;
        rh_send(meet->creature, change, {.colour = creature->colour});
    } else if ((change = rh_as(message, change))) {
        creature->colour = change->colour;
        creature->met++;
    } else if (rh_as(message, leave)) {
        creature->colour = FADED;
        rh_send(creature->mall, met, {.times = creature->met});
        rh_stop();
        return;
    } else if (!rh_as(message, start)) {
        rh_unhandled(message);
    }
    rh_send(creature->mall, meet, {.colour = creature->colour, .creature = self});
}

static void open_mall(int creatures, long meetings)
{
    rh_actor *mall = rh_spawn(mall_behaviour, struct mall,
                              {.left = meetings, .meetings = meetings, .creatures = creatures});

    for (int i = 0; i < creatures; i++)
        rh_send(rh_spawn(creature_behaviour, struct creature,
                         {.mall = mall, .colour = (enum colour)(i % 3)}),
                start);
}

static void set_up(void *context)
{
    const long *meetings = context;

    open_mall(CREATURES, *meetings);
}

RH_TEST(small)
{
    open_mall(rh_parameter(int, creatures, 3), rh_parameter(int, meetings, 2));
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 200000, set_up);
}
