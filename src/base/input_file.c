// SPDX-License-Identifier: MIT
#include "base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct rh_status check_kind(const char *path, mode_t mode)
{
    if (S_ISREG(mode))
        return rh_ok();
    return rh_bad_input("cannot read %s: it is %s, not a file", path,
                        S_ISDIR(mode)    ? "a directory"
                        : S_ISFIFO(mode) ? "a FIFO"
                        : S_ISSOCK(mode) ? "a socket"
                                         : "a device");
}

static struct rh_status cannot_read(const char *path)
{
    return rh_bad_input("cannot read %s: %s", path, strerror(errno));
}

// Between the first look and the opening the name may come to mean another file. That must not
// block either, and is looked at again.
static struct rh_status open_file(struct rh_input_file *file, const char *path)
{
    struct stat about;
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->descriptor < 0 || fstat(file->descriptor, &about) < 0)
        return cannot_read(path);
    file->size = (uint64_t)about.st_size;
    return check_kind(path, about.st_mode);
}

struct rh_status rh_input_open(struct rh_input_file *file, const char *path)
{
    struct stat about;
    *file = (struct rh_input_file){.descriptor = -1};
    if (stat(path, &about) < 0)
        return cannot_read(path);
    struct rh_status status = check_kind(path, about.st_mode);
    if (rh_is_ok(&status))
        status = open_file(file, path);
    if (!rh_is_ok(&status))
        rh_input_close(file);
    return status;
}

void rh_input_close(struct rh_input_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    file->descriptor = -1;
}

struct rh_status rh_input_check(const char *path)
{
    struct rh_input_file file;
    struct rh_status status = rh_input_open(&file, path);
    if (rh_is_ok(&status))
        rh_input_close(&file);
    return status;
}
