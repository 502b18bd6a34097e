#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Functions of libc that are known: what lies where strtol says that a number ends is anything that the text holds.
set -u
. "$SOURCE/tests/graph/compare.shlib"
need_analysis

cat >ends.c <<'END_OF_SOURCE'
#include <stdlib.h>
#include <rehearse/actor.h>
#include <rehearse/test.h>

long __isoc23_strtol(const char *text, char **end, int base);

RH_MESSAGE(line, { char text[8]; });
RH_MESSAGE(rest, { char from_double, from_long, from_newer; });

static void reader_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct line *line = rh_as(message, line);
    char *ends[3];
    (void)state;
    if (!line)
        return;
    strtod(line->text, &ends[0]);
    strtol(line->text, &ends[1], 10);
    __isoc23_strtol(line->text, &ends[2], 10);
    rh_send(self, rest, {*ends[0], *ends[1], *ends[2]});
}

RH_TEST(numbers)
{
    rh_send(rh_spawn(reader_behaviour), line, {"12+3"});
}
END_OF_SOURCE
"$REHEARSE" graph ends.c >shown || exit 1
grep -qF 'send rest {from_double = any, from_long = any, from_newer = any} to reader' shown &&
    ! grep -q 'Called without code' shown && exit 0
cat shown
exit 1
