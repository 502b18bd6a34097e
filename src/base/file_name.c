// SPDX-License-Identifier: MIT
#include "base/file_name.h"

#include <stdlib.h>
#include <string.h>

const char *rh_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static size_t stem_length(const char *base)
{
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? (size_t)(dot - base) : strlen(base);
}

bool rh_has_same_stem(const char *left, const char *right)
{
    left = rh_base_name(left);
    right = rh_base_name(right);
    size_t length = stem_length(left);
    return length == stem_length(right) && !strncmp(left, right, length);
}

bool rh_is_below(const char *path, const char *directory)
{
    char *file = realpath(path, NULL), *above = realpath(directory, NULL);
    size_t length = above ? strlen(above) : 0;
    // The root's path ends in a slash itself.
    if (length == 1)
        length = 0;
    bool is_below = file && above && !strncmp(file, above, length) && file[length] == '/';
    free(file);
    free(above);
    return is_below;
}
