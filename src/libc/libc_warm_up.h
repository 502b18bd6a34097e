// SPDX-License-Identifier: MIT
// Memory that libc sets up at first use, and keeps, must not be set up in an actor's memory.
#ifndef REHEARSE_LIBC_LIBC_WARM_UP_H
#define REHEARSE_LIBC_LIBC_WARM_UP_H

// Makes libc do now what it would do at first use. Called once, before the first delivery and
// before globals are protected; streams that the program has opened by then get their buffers too.
void rh_libc_warm_up(void);

#endif
