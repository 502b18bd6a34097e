// SPDX-License-Identifier: MIT
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"

void rh_layout_fini(struct rh_layout *layout)
{
    free(layout->include_directory);
    free(layout->library);
    free(layout->threads_library);
}

// Takes both strings; they become the layout if the files are there.
static bool accept(struct rh_layout *layout, char *include_directory, char *library)
{
    struct rh_text header = {0};
    rh_text_addf(&header, "%s/rehearse/actor.h", include_directory);
    bool is_there = access(rh_text_get(&header), R_OK) == 0 && access(library, R_OK) == 0;
    rh_text_fini(&header);
    if (!is_there) {
        free(include_directory);
        free(library);
        return false;
    }
    struct rh_text threads = {0};
    rh_text_addf(&threads, "%.*s-threads.a", (int)(strlen(library) - strlen(".a")), library);
    *layout = (struct rh_layout){include_directory, library, rh_text_take(&threads)};
    return true;
}

static char *join(const char *directory, const char *rest)
{
    struct rh_text path = {0};
    rh_text_addf(&path, "%s%s", directory, rest);
    return rh_text_take(&path);
}

static bool accept_build(struct rh_layout *layout)
{
    return accept(layout, rh_strdup(REHEARSE_BUILD_INCLUDE_DIR),
                  join(REHEARSE_BUILD_LIB_DIR, "/librehearse.a"));
}

// PREFIX/bin/rehearse has PREFIX/include and PREFIX/lib.
static bool accept_installed(struct rh_layout *layout, const char *prefix)
{
    return accept(layout, join(prefix, "/include"), join(prefix, "/lib/librehearse.a"));
}

static bool is_build_directory(const char *directory)
{
    char *build = realpath(REHEARSE_BUILD_LIB_DIR, NULL);
    bool is_equal = build && !strcmp(build, directory);
    free(build);
    return is_equal;
}

struct rh_status rh_layout_find(struct rh_layout *layout)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        return rh_failed("cannot find the command's own file: %s", strerror(errno));
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    bool is_found = is_build_directory(path) && accept_build(layout);
    if (!is_found) {
        char *prefix = join(path, "/..");
        is_found = accept_installed(layout, prefix) || accept_build(layout);
        free(prefix);
    }
    if (!is_found)
        return rh_failed("Rehearse's headers and librehearse.a are not beside the command in "
                         "../include and ../lib: install it again");
    return rh_ok();
}

bool rh_layout_find_beside(const char *name, struct rh_text *path)
{
    static const char *const places[] = {"", "/../lib/rehearse"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        rh_text_clear(path);
        rh_text_addf(path, "%s%s/%s", self, places[i], name);
        if (access(rh_text_get(path), R_OK) == 0)
            return true;
    }
    return false;
}
