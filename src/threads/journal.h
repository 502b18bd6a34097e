// SPDX-License-Identifier: MIT
// What the program writes for a while, so that it can be taken back: operations that fail without
// an effect, and what is asked of a specification. Stacks are left as they are, and blocks are not
// freed meanwhile.
#ifndef REHEARSE_THREADS_JOURNAL_H
#define REHEARSE_THREADS_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

void rh__journal_start(void);
void rh__journal_begin(void);
// These bytes are about to be written.
void rh__journal_note(uintptr_t address, size_t size);
void rh__journal_undo(void);

#endif
