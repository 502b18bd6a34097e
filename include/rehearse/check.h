// SPDX-License-Identifier: MIT
// What a condition that has to hold calls, in actors and in components.
#ifndef REHEARSE_CHECK_H
#define REHEARSE_CHECK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

void rh__check(bool holds, const char *condition, const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
