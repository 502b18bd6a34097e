// SPDX-License-Identifier: MIT
// Self-message overtaken: a change of state that is announced by a message to oneself.
//
// A display that is switched on sends itself word that it is ready, and only then can it show
// things. A picture from somebody else may come in between, under `--delivery fifo` already, also if
// that one sent it after the switch. In the fixed twin the change happens in the handler itself,
// which is enough as long as the switch comes first: under `--delivery fifo`.
//
// bug:     --test broken : unhandled
// cause:   show from outside reached display before ready from display
// bug:     --test fixed --delivery any : unhandled
// cause:   show from outside reached display before switch_on from outside
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(switch_on);
RH_SIGNAL(ready);
RH_MESSAGE(show, { int picture; });

struct display {
    int shown;
    bool at_once; // the fix
};

static void ready_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct display *display = state;
    const struct show *show;
    (void)self;

    if ((show = rh_as(message, show)))
        display->shown += show->picture;
    else
        rh_unhandled(message);
}

static void display_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct display *display = state;

    if (rh_as(message, switch_on) && !display->at_once)
        rh_send(self, ready);
    else if (rh_as(message, switch_on) || rh_as(message, ready))
        rh_become(ready_behaviour);
    else
        rh_unhandled(message);
}

struct watched {
    rh_actor *display;
};

static void picture_was_shown(const void *context)
{
    const struct watched *watched = context;
    const struct display *display = rh_view_state(watched->display);

    rh_check(display->shown == 7);
}

static void set_up(bool at_once)
{
    rh_actor *display = rh_spawn(display_behaviour, struct display, {.at_once = at_once});

    rh_finally(picture_was_shown, struct watched, {.display = display});
    rh_send(display, switch_on);
    rh_send(display, show, {.picture = 7});
}

RH_TEST(broken)
{
    set_up(false);
}

RH_TEST(fixed)
{
    set_up(true);
}
