// SPDX-License-Identifier: MIT
// ZeroMQ itself, beside the library in its place. A program that needs `libzmq.so.5` gets ours, wherever it would find
// that name (DT_RPATH, DT_RUNPATH, LD_LIBRARY_PATH): the dynamic linker takes what is loaded already and has the name.
// Another name, a whole path given to dlopen, or a static copy in the program or in one of its libraries get past that,
// and what is called there would not be under control.
#ifndef REHEARSE_ADAPTERS_ZMQ_BESIDE_H
#define REHEARSE_ADAPTERS_ZMQ_BESIDE_H

// The file that has it; the caller frees it. NULL: none.
char *rh__zmq_beside_find(void);
// Ends the search if it was loaded since. Whoever uses it makes threads first, so it is enough to ask before each of
// them.
void rh__zmq_beside_check(void);

#endif
