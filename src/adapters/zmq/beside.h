// SPDX-License-Identifier: MIT
// ZeroMQ itself, beside the library in its place. A program that needs `libzmq.so.5` gets this
// library, wherever it would find that name (DT_RPATH, DT_RUNPATH, LD_LIBRARY_PATH): the dynamic
// linker takes a library of that name that is loaded already. Another name, a whole path given to
// dlopen, or a static copy in the program or in one of its libraries get past this, and calls there
// would not be under control.
#ifndef REHEARSE_ADAPTERS_ZMQ_BESIDE_H
#define REHEARSE_ADAPTERS_ZMQ_BESIDE_H

// The file that has ZeroMQ itself in it; the caller frees the name. NULL: none has.
char *rh__zmq_beside_find(void);
// Ends the search if ZeroMQ itself was loaded since the last look. Whoever uses ZeroMQ makes
// threads first, so a look before each new thread is enough.
void rh__zmq_beside_check(void);

#endif
