// SPDX-License-Identifier: MIT
// Writes down, while executions run, which blocks of the program's code and which ways between them
// are taken. The marks are in memory that processes share and that undo leaves alone: an execution
// that is taken back, or that ends in a crash, keeps what it has reached.
//
// A way is known by the block that the same call of a function was in before. So the recorder knows
// which calls are under way, by the addresses of their frames. Handlers have a stack of their own;
// what one that waits for a reply had under way is kept with its delivery, and found again with the
// reply.
#ifndef REHEARSE_LINES_RECORD_H
#define REHEARSE_LINES_RECORD_H

#include "lines/code.h"

struct rh_lines_record;

// NULL if there is no address space. Takes the code.
struct rh_lines_record *rh_lines_record_new(struct rh_code *code);
void rh_lines_record_free(struct rh_lines_record *record);
// Forgets what was taken.
void rh_lines_record_clear(struct rh_lines_record *record);
const uint8_t *rh_lines_record_marks(const struct rh_lines_record *record);
const struct rh_code *rh_lines_record_code(const struct rh_lines_record *record);

// For the process that runs the program. From now on hooks write into this record; NULL: none.
void rh_lines_start(struct rh_lines_record *record);

// The receiver's handler is about to run in this delivery; `goes_on`: it has waited, and goes on.
void rh_lines_begin(uint32_t delivery, uint32_t receiver, bool goes_on);

// What has run since the last call is over: it has come to its end, or was left.
void rh_lines_end(bool has_returned);
// It waits for a reply, in a call of rh_ask that will return to this address.
void rh_lines_wait(uint32_t delivery, uintptr_t back);

// The program has crashed while code ran, or called, at these addresses; the innermost comes first.
void rh_lines_crash(const uint64_t *frames, int count);

#endif
