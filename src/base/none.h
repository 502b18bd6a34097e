// SPDX-License-Identifier: MIT
// The one name for "no index": numbers of records, places in arrays and indexes of messages are 32
// bits wide everywhere, and this value is none of them.
#ifndef REHEARSE_BASE_NONE_H
#define REHEARSE_BASE_NONE_H

#include <stdint.h>

#define RH_NONE UINT32_MAX

#endif
