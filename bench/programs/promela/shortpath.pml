/* SPDX-License-Identifier: MIT */
/*
 * subjects/basset/shortpath.c, test detours, with --delivery fifo: a channel for each arc, whose weight both ends know.
 * What was taken out of a message is cleared at the end of each step, so that it is no part of the state: a state here
 * is a state there.
 */
#ifndef MOST_NODES
#define MOST_NODES 5
#endif

#define UNKNOWN 255
#define ROOM 8

chan near[MOST_NODES] = [ROOM] of { byte };
chan far[MOST_NODES] = [ROOM] of { byte };
bool is_sent = true; /* what starts it all is on its way */

#define hear(weight) \
    got = got + weight; \
    if \
    :: got < distance -> \
        distance = got; \
        near[(_pid + 1) % MOST_NODES]!distance; \
        far[(_pid + 2) % MOST_NODES]!distance \
    :: else \
    fi; \
    got = 0

active proctype root()
{
    byte distance = UNKNOWN, got = 0;

end:
    do
    :: d_step { is_sent -> is_sent = false; hear(0) }
    :: d_step { near[_pid]?got -> hear(1) }
    :: d_step { far[_pid]?got -> hear(3) }
    od
}

active [MOST_NODES - 1] proctype node()
{
    byte distance = UNKNOWN, got = 0;

end:
    do
    :: d_step { near[_pid]?got -> hear(1) }
    :: d_step { far[_pid]?got -> hear(3) }
    od
}
