/* SPDX-License-Identifier: MIT */
/*
 * subjects/basset/spinsort.c, test most, with --delivery fifo. What was taken out of a message is cleared at the end of
 * each step, so that it is no part of the state: a state here is a state there.
 */
#ifndef MOST
#define MOST 4
#endif

chan to[MOST] = [MOST] of { byte };

active proctype source()
{
    byte i = 0;

    d_step {
        do
        :: i < MOST -> to[0]!((i + 1) * 3 % (MOST + 1)); i++
        :: else -> break
        od;
        i = 0
    }
}

active [MOST] proctype stage()
{
    byte values = 0, kept = 0, last = 0, value = 0;

end:
    do
    :: d_step {
        to[_pid - 1]?value ->
        last = value;
        if
        :: values == 0 -> kept = value
        :: else ->
            if
            :: value < kept -> to[_pid]!kept; kept = value
            :: else -> to[_pid]!value
            fi
        fi;
        values++;
        value = 0
       }
    od
}
