// SPDX-License-Identifier: MIT
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"

struct rh_status rh_folder_make(struct rh_folder *folder)
{
    const char *base = getenv("TMPDIR");
    if (folder->path)
        return rh_ok();
    struct rh_text path = {0};
    rh_text_addf(&path, "%s/rehearse-XXXXXX", base && *base ? base : "/tmp");
    folder->path = rh_text_take(&path);
    if (mkdtemp(folder->path))
        return rh_ok();
    int error = errno;
    free(folder->path);
    folder->path = NULL;
    return rh_failed("cannot make a temporary directory in %s: %s; set TMPDIR to another place",
                     base && *base ? base : "/tmp", strerror(error));
}

// The folder has no folders in it: the compiler writes into it by name.
static void remove_entries(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
}

void rh_folder_remove(struct rh_folder *folder)
{
    if (!folder->path)
        return;
    remove_entries(folder->path);
    rmdir(folder->path);
    free(folder->path);
    folder->path = NULL;
}
