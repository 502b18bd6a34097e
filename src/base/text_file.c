// SPDX-License-Identifier: MIT
// Whole files in and out of a text.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/input_file.h"
#include "base/text.h"

static struct rh_status too_large(const char *path, size_t limit)
{
    return rh_bad_input(
        "%s: the file is larger than %zu bytes, the most that is read of such a file", path, limit);
}

static struct rh_status read_to_end(struct rh_text *text, const char *path, int descriptor,
                                    size_t limit)
{
    for (;;) {
        char block[1 << 16];
        ssize_t count = read(descriptor, block, sizeof block);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return rh_bad_input("cannot read %s: %s", path, strerror(errno));
        if (count == 0)
            return rh_ok();
        if ((size_t)count > limit - text->length)
            return too_large(path, limit);
        rh_text_add_bytes(text, block, (size_t)count);
    }
}

struct rh_status rh_text_read_file(struct rh_text *text, const char *path, size_t limit)
{
    struct rh_input_file file;
    rh_text_clear(text);
    struct rh_status status = rh_input_open(&file, path);
    if (!rh_is_ok(&status))
        return status;
    // A file that is too large is refused before a byte of it is read.
    status = file.size > limit ? too_large(path, limit)
                               : read_to_end(text, path, file.descriptor, limit);
    rh_input_close(&file);
    if (!rh_is_ok(&status))
        rh_text_clear(text);
    return status;
}

static struct rh_status cannot_write(const char *path, int error)
{
    return rh_failed("%s: can't be written: %s", path, strerror(error));
}

static bool write_all(int descriptor, const char *bytes, size_t count)
{
    while (count) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

// Some file systems and devices have nothing to flush, and answer with an error.
static bool flush(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

// Writes, flushes and closes. Gives 0 or the first error.
static int write_and_close(int descriptor, const struct rh_text *text)
{
    int error = 0;
    if (!write_all(descriptor, rh_text_get(text), text->length) || !flush(descriptor))
        error = errno;
    if (close(descriptor) < 0 && !error && errno != EINTR)
        error = errno;
    return error;
}

// A device or a pipe must not be replaced by a file, so it is written as it is. A pipe that nobody
// reads is not waited for.
static struct rh_status write_in_place(const struct rh_text *text, const char *path)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return cannot_write(path, errno);
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    int error = write_and_close(descriptor, text);
    return error ? cannot_write(path, error) : rh_ok();
}

// Creates a file beside `path` that did not exist before. Its name is left in `temporary`.
static int create_temporary(struct rh_text *temporary, const char *path)
{
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        rh_text_clear(temporary);
        rh_text_addf(temporary, "%s.tmp.%ld.%u", path, (long)getpid(), attempt);
        int descriptor =
            open(rh_text_get(temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

// `old` is the file at `path`, whose permissions the new file keeps; NULL if there is none.
static int replace(const struct rh_text *text, const char *path, const struct stat *old)
{
    struct rh_text temporary = {0};
    int descriptor = create_temporary(&temporary, path);
    int error = descriptor < 0 ? errno : 0;
    if (!error) {
        if (old && fchmod(descriptor, old->st_mode & 07777) < 0)
            error = errno;
        int write_error = write_and_close(descriptor, text);
        error = error ? error : write_error;
        if (!error && rename(rh_text_get(&temporary), path) < 0)
            error = errno;
        if (error)
            unlink(rh_text_get(&temporary));
    }
    rh_text_fini(&temporary);
    return error;
}

// Names such as /dev/stdout are links too, and nobody else makes them.
static bool is_device_name(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0;
}

// Whether there is a link at `path` that leads to a file which is not in the link's directory, nor
// below it.
static bool leads_out(const char *path)
{
    struct stat about;
    if (lstat(path, &about) < 0 || !S_ISLNK(about.st_mode) || is_device_name(path))
        return false;
    struct rh_text directory = {0};
    rh_text_add_bytes(&directory, path, (size_t)(rh_base_name(path) - path));
    rh_text_add(&directory, ".");
    bool leads_out = !rh_is_below(path, rh_text_get(&directory));
    rh_text_fini(&directory);
    return leads_out;
}

struct rh_status rh_text_write_file(const struct rh_text *text, const char *path)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && leads_out(path))
        return rh_failed("%s: is a link that leads out of its directory, and is not followed",
                         path);
    if (exists && (!S_ISREG(old.st_mode) || is_device_name(path)))
        return write_in_place(text, path);
    // A symbolic link stays: the file that it leads to is replaced.
    char *target = exists ? realpath(path, NULL) : NULL;
    int error = replace(text, target ? target : path, exists ? &old : NULL);
    free(target);
    return error ? cannot_write(path, error) : rh_ok();
}
