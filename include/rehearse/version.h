// SPDX-License-Identifier: MIT
// The version of the library that a program was compiled against.
#ifndef REHEARSE_VERSION_H
#define REHEARSE_VERSION_H

#define REHEARSE_VERSION "0.1.0"

#endif
