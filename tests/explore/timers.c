// SPDX-License-Identifier: MIT
// A timer that a guard refuses has fired: it holds later timers back no longer, under either rule of time.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(go);
RH_SIGNAL(early);
RH_SIGNAL(late);

struct door {
    bool is_open;
    bool is_strict; // late must not come
};

static void door_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct door *door = state;
    (void)self;
    if (rh_as(message, go))
        door->is_open = true;
    else if (rh_as(message, late))
        rh_check(!door->is_strict);
    else
        (void)rh_as(message, early);
}

static bool door_guard(const void *state, const rh_message *message)
{
    const struct door *door = state;
    return door->is_open || !rh_as(message, early);
}
RH_GUARD(door_behaviour, door_guard);

// `early` is never taken, and `late` comes.
RH_TEST(passes_by)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {.is_strict = true});
    rh_after(1, door, early);
    rh_after(2, door, late);
}

// Only `early` is refused for ever.
RH_TEST(one_is_refused)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {0});
    rh_after(1, door, early);
    rh_after(2, door, late);
}

// `late` comes while `early` is refused, or after it: go early late, late go early.
RH_TEST(opens)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {0});
    rh_after(1, door, early);
    rh_after(2, door, late);
    rh_send(door, go);
}

static void opener_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor **door = state;
    (void)self;
    (void)rh_as(message, go);
    rh_after(1, *door, early);
    rh_send(*door, go);
}

// Another sets the early timer and opens the door: late may come before each of them, or after early. Orders of go at the
// opener (O), go at the door (D), early (E), late (L), where O comes before D and E, D before E, and L not behind D while E
// waits: L O D E, O L D E, O D E L. Where L comes before D the order of L and O matters, since O sets a timer of L's
// receiver.
RH_TEST(is_opened)
{
    rh_actor *door = rh_spawn(door_behaviour, struct door, {0});
    rh_after(2, door, late);
    rh_send(rh_spawn(opener_behaviour, rh_actor *, {door}), go);
}
