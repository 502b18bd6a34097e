// SPDX-License-Identifier: MIT
// Judges that find actors by name. An actor that is not there yet is part of what they see.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_SIGNAL(make);
RH_SIGNAL(count);
RH_SIGNAL(stop);

struct counter {
    int value;
};

static void counter_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    if (rh_as(message, count))
        counter->value++;
    else if (rh_as(message, stop))
        rh_stop();
}

static void maker_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, make))
        rh_spawn(counter_behaviour, struct counter, {.value = 0});
}

static int value_of(const char *name)
{
    const rh_actor *actor = rh_view_named(name);
    const struct counter *counter = actor ? rh_view_state(actor) : NULL;
    return counter ? counter->value : -1;
}

static void begin(void)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {.value = 0});
    rh_actor *maker = rh_spawn(maker_behaviour);
    rh_send(counter, count);
    rh_send(maker, make);
}

// The deliveries go to different actors, and the invariant looks at one of them, which is there from
// the beginning: 2 executions, 4 deliveries; 1 execution with a reduction.
RH_TEST(independent)
{
    begin();
}
RH_INVARIANT(independent)
{
    rh_check(value_of("counter#1") >= 0);
}
RH_FINALLY(independent)
{
    rh_check(value_of("counter#1") == 1);
    rh_check(value_of("maker#1/counter#1") == 0);
    rh_check(!rh_view_named("maker#1/counter#2"));
    rh_check(!rh_view_named("counter#2"));
    rh_check(!rh_view_named("outside"));
    rh_check(!rh_view_named(""));
}

// Fails only if the counter counts before the maker makes: both deliveries depend on each other,
// though they go to different actors, and the judge looks at one of them only.
RH_TEST(made_first)
{
    begin();
}
RH_INVARIANT(made_first)
{
    rh_check(value_of("counter#1") == 0 || rh_view_named("maker#1/counter#1"));
}

// Fails only if the maker makes first. The name is looked for only once the counter has counted, and
// the actor may have been created before that.
RH_TEST(counted_first)
{
    begin();
}
RH_INVARIANT(counted_first)
{
    static const char name[] = "maker#1/counter#1";
    rh_check(value_of("counter#1") == 1 || !rh_view_named(name));
}

// Two makers: the judge looks at nothing but names. It fails only if the second is first.
RH_TEST(two_makers)
{
    rh_send(rh_spawn(maker_behaviour), make);
    rh_send(rh_spawn(maker_behaviour), make);
}
RH_INVARIANT(two_makers)
{
    rh_check(rh_view_named("maker#1/counter#1") || !rh_view_named("maker#2/counter#1"));
}

// An actor that has stopped keeps its name. What comes of the second message to the maker has the
// mark of its delivery in its name.
RH_TEST(stopped)
{
    rh_actor *counter = rh_spawn(counter_behaviour, struct counter, {.value = 0});
    rh_actor *maker = rh_spawn(maker_behaviour);
    rh_send(counter, stop);
    rh_send(maker, make);
    rh_send(maker, make);
}
RH_FINALLY(stopped)
{
    rh_check(rh_view_named("counter#1"));
    rh_check(!rh_view_alive(rh_view_named("counter#1")));
    rh_check(!rh_view_state(rh_view_named("counter#1")));
    rh_check(value_of("maker#1/counter#1") == 0);
    rh_check(!rh_view_named("maker#1/counter#2"));
}

// Two states that are the same up to the names of actors, of which one fails: 2 executions with 2
// deliveries each.
static void parent_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (!rh_as(message, make))
        return;
    rh_actor *first = rh_spawn(counter_behaviour, struct counter, {.value = 0});
    rh_actor *second = rh_spawn(counter_behaviour, struct counter, {.value = 0});
    rh_send(rh_choose(2) ? first : second, count);
}
RH_TEST(alike)
{
    rh_send(rh_spawn(parent_behaviour), make);
}
RH_FINALLY(alike)
{
    rh_check(value_of("parent#1/counter#1") == 0);
}

#ifdef MISUSE
RH_TEST(no_such_actor)
{
    begin();
}
RH_FINALLY(no_such_actor)
{
    rh_view_state(rh_view_named("counter#7"));
}

static void curious_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, make))
        rh_view_named("curious#1");
}
RH_TEST(in_handler)
{
    rh_send(rh_spawn(curious_behaviour), make);
}
#endif
