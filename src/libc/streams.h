// SPDX-License-Identifier: MIT
// Streams that are open in libc. Uses of a stream are not seen: functions write into its buffer in
// many ways, some of them inline. So whether handlers may use a stream has to be known without
// looking at what they call.
#ifndef REHEARSE_LIBC_STREAMS_H
#define REHEARSE_LIBC_STREAMS_H

#include <stdbool.h>
#include <stdio.h>

// The first stream of libc's list, which goes on at _chain; NULL if there is no list. Streams of
// open_memstream are not in the list.
FILE *rh_streams_first(void);
bool rh_streams_has(const FILE *file);

// Whether the list has another stream than standard input, output and error.
bool rh_streams_has_others(void);

#endif
