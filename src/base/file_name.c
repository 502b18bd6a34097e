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

static const char *without_dots(const char *named)
{
    while (!strncmp(named, "./", 2) || !strncmp(named, "../", 3))
        named = strchr(named, '/') + 1;
    return named;
}

static bool is_end(const char *path, const char *end)
{
    size_t length = strlen(path), shorter = strlen(end);
    return shorter > 0 && length >= shorter && !strcmp(path + length - shorter, end) &&
           (length == shorter || path[length - shorter - 1] == '/');
}

bool rh_is_named(const char *path, const char *named)
{
    path = without_dots(path);
    named = without_dots(named);
    return is_end(path, named) || is_end(named, path);
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
