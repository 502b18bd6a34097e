/* SPDX-License-Identifier: MIT */
/*
 * subjects/basset/leader.c, test whole_ring, with --delivery fifo. What was taken out of a message is cleared at the end
 * of each step, so that it is no part of the state: a state here is a state there.
 */
#ifndef PROCESSES
#define PROCESSES 3
#endif

#define right to[(_pid + 1) % PROCESSES]

mtype = { first, second };

chan to[PROCESSES] = [PROCESSES] of { mtype, byte, byte };

active [PROCESSES] proctype process()
{
    byte value = _pid + 1, left = 0, round = 0;
    bool is_active = true, elected = false, has_first = false;
    byte got = 0, got_round = 0;

end_before:
    d_step { right!first(_pid + 1, 0) }
end:
    do
    :: d_step {
        to[_pid]?first(got, got_round) ->
        if
        :: !is_active -> right!first(got, got_round)
        :: else ->
            if
            :: got != value ->
                right!second(got, round);
                left = got;
                has_first = true
            :: else -> elected = true
            fi
        fi;
        got = 0;
        got_round = 0
       }
    :: d_step {
        to[_pid]?second(got, got_round) ->
        if
        :: !is_active -> right!second(got, got_round)
        :: else ->
            if
            :: left > got && left > value ->
                value = left;
                has_first = false;
                round++;
                right!first(value, round)
            :: else -> is_active = false
            fi
        fi;
        got = 0;
        got_round = 0
       }
    od
}
