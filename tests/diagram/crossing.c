// SPDX-License-Identifier: MIT
// A state machine by switch, a timer that sets itself again, senders from outside, a relay that knows only senders.
#include <rehearse/actor.h>
#include <rehearse/test.h>

enum colour { RED, GREEN, YELLOW };
struct tick {
    int number;
};
RH_MESSAGE(tick);
RH_SIGNAL(press);
RH_SIGNAL(walk);
RH_SIGNAL(wait_now);
RH_SIGNAL(thanks);

struct light {
    enum colour colour;
    int ticks;
    rh_actor *walker;
};

static void light_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct light *light = state;
    const struct tick *tick = rh_as(message, tick);
    if (tick) {
        switch (light->colour) {
        case RED:
            light->colour = GREEN;
            if (light->walker)
                rh_send(light->walker, walk);
            light->walker = NULL;
            break;
        case GREEN:
            light->colour = YELLOW;
            break;
        case YELLOW:
            light->colour = RED;
            break;
        }
        if (++light->ticks < 4)
            rh_after(5, self, tick, {light->ticks});
    } else if (rh_as(message, press)) {
        rh_reply(message, wait_now);
        light->walker = rh_sender(message);
    } else if (rh_as(message, thanks)) {
        light->walker = NULL;
    }
}

struct person {
    rh_actor *light;
};
static void person_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct person *person = state;
    (void)self;
    if (rh_as(message, press))
        rh_send(person->light, press);
    else if (rh_as(message, walk))
        rh_reply(message, thanks);
    else
        rh_check(rh_as(message, wait_now));
}

RH_TEST(crossing)
{
    rh_actor *light = rh_spawn(light_behaviour, struct light, {.colour = RED});
    rh_actor *person = rh_spawn(person_behaviour, struct person, {light});
    rh_send(light, tick, {0});
    rh_send_from(rh_outside("ann"), person, press);
    rh_send_from(rh_outside("bob"), light, press);
}
