// SPDX-License-Identifier: MIT
// Where the program's memory lies: its stacks and what it allocates are at the same addresses in
// every run of the same schedule, so that names that are made of addresses are the same too.
//
// The system gives out memory from above. What the tool has mapped before an execution begins is
// different for each verb, so all that is free above a fixed address is taken then, and never used.
// The tool's own blocks are kept apart from the program's (own_memory.c).
#ifndef REHEARSE_ADAPTERS_ZMQ_ADDRESSES_H
#define REHEARSE_ADAPTERS_ZMQ_ADDRESSES_H

// Called in an execution, before its first thread.
void rh__zmq_addresses_fix(void);

#endif
