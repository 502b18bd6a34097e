/* SPDX-License-Identifier: MIT */
/* bench/programs/senders.c: processes send their number to one that keeps the last. */
#ifndef SENDERS
#define SENDERS 8
#endif

chan mailbox = [SENDERS] of { byte };

active [SENDERS] proctype sender()
{
    mailbox!_pid + 1
}

active proctype receiver()
{
    byte last = 0;

end:
    do
    :: mailbox?last
    od
}
