// SPDX-License-Identifier: MIT
// The program's side of calls of functions that are not in its sources: `generate` needs to know
// what such a function gives for certain arguments, and has the program's own process call it.
//
// A call is taken over only if its result depends on nothing but its arguments and changes nothing
// but what they point to. So it is made in a process of its own where all other memory can't be
// written, the kernel can't be asked for anything, and neither can the clock; and it is made twice,
// with other bytes around the arguments.
#ifndef REHEARSE_CLI_FOREIGN_H
#define REHEARSE_CLI_FOREIGN_H

// The first word of such a request; the second is the descriptor of the socket.
#define RH_FOREIGN_REQUEST "foreign-calls"

// Answers calls until the other side is closed. Gives the exit status.
int rh_foreign_serve(int descriptor);

#endif
