// SPDX-License-Identifier: MIT
// The files of an execution. Before a program makes, changes or removes a file in its working
// directory for the first time, the execution gets a copy of that directory and goes on there: each
// execution, and each repetition of it, finds the directory as it was, and the files that were
// there before stay as they are. An execution that alters no file has no copy and costs nothing.
//
// The copy is in a directory that is named after the execution's process. The keeper removes it.
// Files elsewhere are shared by all executions.
//
// Thread rule: one execution in a process, one thread at a time.
#ifndef REHEARSE_WORLD_FILES_H
#define REHEARSE_WORLD_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { RH_FILES_PATH_MOST = 4096, RH_FILES_TOLD_MOST = 512 };

// What executions share, and the result has to say; in memory that outlives them. All zeros: they
// share nothing.
struct rh_files_told {
    struct rh_status refusal;         // why the working directory is not copied, if so
    char outside[RH_FILES_TOLD_MOST]; // files elsewhere that were altered
};

// Called in an execution, at its begin. With is_shared there is no copy.
void rh_files_begin(bool is_shared);
// Called in the keeper, when the execution in this process has ended.
void rh_files_tidy(int process);

// The program is about to alter the file of this name, which counts from `directory` as for openat:
// makes the copy if there is none yet. A failure says why there can't be one; then, or with a name
// elsewhere, the file is shared.
struct rh_status rh_files_prepare(int directory, const char *path);
// The name to use for a file, for any call: `path` itself, or one that is valid until the call
// after the next.
const char *rh_files_name(int directory, const char *path);
// Whether the file of this name is shared since it is not in the working directory; `whole`
// receives its absolute name, and has RH_FILES_PATH_MOST bytes.
bool rh_files_is_outside(int directory, const char *path, char *whole);
// Where the program is, for programs that ask: NULL if there is no copy, and the system knows.
const char *rh_files_directory(void);
// Whether a call comes from here: then its path is not to be changed.
bool rh_files_is_busy(void);
// From now on this execution shares its files.
void rh_files_share(void);

#endif
