// SPDX-License-Identifier: MIT
// Actors that become another behaviour: what waits, and what may come, matters in another way then.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(ready);
RH_SIGNAL(go);
RH_SIGNAL(twice);
RH_MESSAGE(show, { int picture; });

struct display {
    int shown;
};

static void ready_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct display *display = state;
    const struct show *show;
    (void)self;
    if ((show = rh_as(message, show)))
        display->shown += show->picture;
    else if (rh_as(message, twice))
        display->shown = 2 * display->shown + 1;
}

static void display_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, ready))
        rh_become(ready_behaviour);
}

struct source {
    rh_actor *display;
};

static void source_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct source *source = state;
    (void)self;
    if (rh_as(message, go))
        rh_send(source->display, show, {.picture = 7});
}

static void sleeper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, ready))
        rh_become(source_behaviour);
    else
        rh_ignore(message);
}

// A picture that comes before the display is ready is not handled; otherwise 7 is shown.
RH_TEST(picture_too_early)
{
    rh_actor *display = rh_spawn(display_behaviour, struct display, {0});
    rh_actor *source = rh_spawn(source_behaviour, struct source, {.display = display});
    rh_send(display, ready);
    rh_send(source, go);
}

// The sleeper sends a picture only if it wakes before it has to go, and the doubling comes before or behind: 1, 8 or 15.
RH_TEST(sleeper_wakes)
{
    rh_actor *display = rh_spawn(ready_behaviour, struct display, {0});
    rh_actor *sleeper = rh_spawn(sleeper_behaviour, struct source, {.display = display});
    rh_send(display, twice);
    rh_send_from(rh_outside("ann"), sleeper, ready);
    rh_send_from(rh_outside("ben"), sleeper, go);
}
