// SPDX-License-Identifier: MIT
// Files that are read. All of them are ordinary files: to open a FIFO would wait for somebody who
// writes to it, to read a device may never end, and to open one may do anything.
#ifndef REHEARSE_BASE_INPUT_FILE_H
#define REHEARSE_BASE_INPUT_FILE_H

#include <stdint.h>

#include "base/status.h"

struct rh_input_file {
    int descriptor; // -1: none
    uint64_t size;  // when the file was opened
};

// Refuses what is no ordinary file, without opening it. Close only what has been opened.
struct rh_status rh_input_open(struct rh_input_file *file, const char *path);
void rh_input_close(struct rh_input_file *file);

// Whether the file could be opened, for those that somebody else will read.
struct rh_status rh_input_check(const char *path);

#endif
