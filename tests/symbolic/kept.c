// SPDX-License-Identifier: MIT
// Three behaviours take a note. What the test ever puts into a field are not all of them.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(note, { int number; });
RH_MESSAGE(use, { rh_actor *writer; });
RH_SIGNAL(tell);
RH_SIGNAL(rest);

struct counter {
    int notes;
};

static void logger_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    if (rh_as(message, note))
        counter->notes++;
}

static void quiet_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}

static void printer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    if (rh_as(message, note))
        counter->notes += 2;
    else if (rh_as(message, rest))
        rh_become(quiet_behaviour);
}

static void deaf_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct counter *counter = state;
    (void)self;
    if (rh_as(message, rest))
        counter->notes = 0;
}

struct writers {
    rh_actor *fixed;   // the body puts a logger there
    rh_actor *used;    // a handler puts there what a message has: a printer, which may become quiet
    rh_actor *unheard; // one that does not take notes
    rh_actor *empty;   // nobody, ever
};

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct writers *writers = state;
    const struct use *use = rh_as(message, use);
    (void)self;
    if (use) {
        writers->used = use->writer;
        rh_send(use->writer, note, {.number = 1});
    } else if (rh_as(message, tell)) {
        rh_send(writers->fixed, note, {.number = 2});
    } else if (rh_as(message, rest)) {
        rh_send(writers->used, note, {.number = 3});
    } else {
        const struct note *note = rh_as(message, note);
        if (note)
            rh_send(note->number > 0 ? writers->unheard : writers->empty, note,
                    {.number = note->number});
    }
}

RH_TEST(all)
{
    rh_actor *logger = rh_spawn(logger_behaviour, struct counter, {0});
    rh_actor *printer = rh_spawn(printer_behaviour, struct counter, {0});
    rh_actor *deaf = rh_spawn(deaf_behaviour, struct counter, {0});
    rh_actor *writer =
        rh_spawn(writer_behaviour, struct writers, {.fixed = logger, .unheard = deaf});
    rh_send(writer, use, {.writer = printer});
    rh_send(writer, tell);
}
