// SPDX-License-Identifier: MIT
// An actor that prints: buffered, unbuffered, formatted, with a width, a float and a long line.
//
// Four senders to one printer: 4! = 24 executions, 4 + 12 + 24 + 24 = 64 deliveries.
#include <stdio.h>
#include <string.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(line, { int number; });

struct printer {
    int printed;
};

static void printer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct printer *printer = state;
    const struct line *line = rh_as(message, line);
    char text[64];
    (void)self;

    if (line) {
        printf("line %d of %.3f and %*d\n", line->number, line->number / 3.0, 2000, 1);
        fprintf(stderr, "unbuffered %d\n", line->number);
        puts("and a word");
        putchar('.');
        if (line->number == 2)
            fflush(stdout);
        rh_check(snprintf(text, sizeof text, "%05d|%g", line->number, 0.5) == 9);
        rh_check(strcmp(text + 5, "|0.5") == 0);
        printer->printed++;
    }
}

RH_TEST(printing)
{
    rh_actor *printer = rh_spawn(printer_behaviour, struct printer, {.printed = 0});
    static const char *const names[] = {"a", "b", "c", "d"};

    for (int i = 0; i < 4; i++)
        rh_send_from(rh_outside(names[i]), printer, line, {.number = i});
}
