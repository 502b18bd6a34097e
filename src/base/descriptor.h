// SPDX-License-Identifier: MIT
// File descriptors of the tool's own, which a program under test has too. They lie high, so that what the program opens
// gets the numbers that it would get without the tool: the same ones while a search runs and when it is replayed.
#ifndef REHEARSE_BASE_DESCRIPTOR_H
#define REHEARSE_BASE_DESCRIPTOR_H

#include <stdbool.h>

// Takes a descriptor, and gives the one that takes its place; the same if there is no room, or if it is negative.
int rh_descriptor_raise(int descriptor);
// Makes a pipe of such descriptors, to read from and to write to, which are closed on exec.
bool rh_descriptor_pipe(int ends[2]);

#endif
