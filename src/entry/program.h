// SPDX-License-Identifier: MIT
// What a program declares in sections of its own: message types, guards and judges of tests.
#ifndef REHEARSE_ENTRY_PROGRAM_H
#define REHEARSE_ENTRY_PROGRAM_H

#include <rehearse/actor.h>
#include <rehearse/adapter.h>
#include <rehearse/test.h>

#include "base/status.h"
#include "entry/request_variable.h"

// Whether any behaviour of the program has a guard.
bool rh_world_has_guards(void);
// The guard of a behaviour; NULL if it has none.
rh_guard *rh_program_find_guard(rh_behaviour *behaviour);

// The message type of this name that the program declares; NULL if there is none.
const struct rh_type *rh_program_find_type(const char *name);

// All types that the program declares; a type may be there more than once, see
// rh_program_repeats_types.
const struct rh_type *const *rh_program_types(size_t *count);

// All judges that the program declares with RH_FINALLY and RH_INVARIANT.
const struct rh_test_judge *const *rh_program_judges(size_t *count);

// The adapter for programs of this library.
const struct rh_adapter_ops *rh_program_adapter(void);
// Whether the adapter can control this program.
struct rh_status rh_program_check_adapter(void);

// How the program would have started, if a request had not come first.
struct rh_program_start {
    int (*main)(int argc, char **argv, char **environment);
    int argc;
    char **argv;
    char **environment;
};
extern struct rh_program_start rh__program_start;
// Does what the request in the environment wants, without main, which may not be known yet; gives
// the exit status.
int rh_program_serve(int argc, char **argv, char **environment);

// How far the executable lies from the addresses that are written in its file.
uintptr_t rh_program_base(void);

// Two sources that disagree on the size of a message type are refused.
struct rh_status rh_program_check_types(void);
// Whether a message type is described at more than one address: in each source that includes its
// header.
bool rh_program_repeats_types(void);

#endif
