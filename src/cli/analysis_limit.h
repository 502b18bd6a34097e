// SPDX-License-Identifier: MIT
// Limits on reading bitcode. LLVM believes what stands in a file: one that is damaged, or made so
// on purpose, can make it work for ever, or ask for any amount of memory.
#ifndef REHEARSE_CLI_ANALYSIS_LIMIT_H
#define REHEARSE_CLI_ANALYSIS_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#include "bitcode/module.h"

// From here on reading may take so many seconds of processor time (0: any number), and memory in
// proportion to the files. Beyond that the process ends, with a sentence and exit status 2 for
// time, and by SIGABRT for memory; with 3 if the machine has no more memory.
void rh_reading_begin(const struct rh_ir_file *files, size_t count, uint64_t seconds);
void rh_reading_end(void);

#endif
