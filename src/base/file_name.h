// SPDX-License-Identifier: MIT
// Names of files.
#ifndef REHEARSE_BASE_FILE_NAME_H
#define REHEARSE_BASE_FILE_NAME_H

#include <stdbool.h>

// The last part of a path. Borrows.
const char *rh_base_name(const char *path);

// Whether the last parts of both paths are the same up to their last dots: bank.c and build/bank,
// which was made of it, are.
bool rh_has_same_stem(const char *left, const char *right);

// Whether `named`, as a user says it, is the file at the path that a compiler has noted: one of the
// two is the end of the other, behind a slash. `../` and `./` at the beginning do not count.
bool rh_is_named(const char *path, const char *named);

// Whether the file lies in the directory or below it, wherever links and `..` on the way lead.
// False if one of them is not there.
bool rh_is_below(const char *path, const char *directory);

#endif
