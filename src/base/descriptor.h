// SPDX-License-Identifier: MIT
// File descriptors of the tool's own, which exist in the process of the program under test. They
// have high numbers, so that files of the program get the numbers that they would get without the
// tool, in a search as in a replay.
#ifndef REHEARSE_BASE_DESCRIPTOR_H
#define REHEARSE_BASE_DESCRIPTOR_H

#include <stdbool.h>

// Takes a descriptor, and gives one with a high number for the same file; the descriptor itself if
// there is no such number, or if it is negative.
int rh_descriptor_raise(int descriptor);
// Makes a pipe of two descriptors with high numbers, to read from and to write to, which are closed
// on exec.
bool rh_descriptor_pipe(int ends[2]);

// Whether what is written to a descriptor goes anywhere: it is open, and is no pipe whose reader
// has gone.
bool rh_descriptor_has_reader(int descriptor);

#endif
