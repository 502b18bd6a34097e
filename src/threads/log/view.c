// SPDX-License-Identifier: MIT
// The same as under control, but compiled for a program that runs as it is.
#include "threads/view.c" // NOLINT(bugprone-suspicious-include)
