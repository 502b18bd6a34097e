// SPDX-License-Identifier: MIT
// The last of three names at the end of a message lies in the sender's memory. 1 execution, 1 delivery.
// FIXED: All names at the end of a message are constants. 1 execution, 2 deliveries.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

enum { NAMES = 3 };

RH_SIGNAL(go);
RH_MESSAGE(list, {
    int count;
    const char *names[];
});

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct list *list = rh_as(message, list);
    (void)self;
    (void)state;

    if (list)
        rh_check(strcmp(list->names[list->count - 1], "cat") == 0);
}

static void writer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    rh_actor *reader = *(rh_actor **)state;
    struct list *list;
    char *name;
    (void)self;

    if (rh_as(message, go)) {
        list = calloc(1, sizeof *list + NAMES * sizeof list->names[0]);
        name = strdup("cat");
        list->count = NAMES;
        list->names[0] = "ann";
        list->names[1] = "bob";
#ifndef FIXED
        list->names[2] = name;
#else
        list->names[2] = "cat";
#endif
        rh_send_sized(reader, list, list, sizeof *list + NAMES * sizeof list->names[0]);
        free(name);
        free(list);
    }
}

RH_TEST(private_pointer_names)
{
    rh_actor *reader = rh_spawn(reader_behaviour);

    rh_send(rh_spawn(writer_behaviour, rh_actor *, {reader}), go);
}
