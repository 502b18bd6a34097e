// SPDX-License-Identifier: MIT
#include "cli/request.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rehearse/version.h>

#include "base/descriptor.h"
#include "cli/output.h"

enum { LARGEST_REQUEST = 1 << 24 };

static bool write_text(int descriptor, const struct rh_text *text)
{
    for (size_t written = 0; written < text->length;) {
        ssize_t count = write(descriptor, text->bytes + written, text->length - written);
        if (count < 0)
            return false;
        written += (size_t)count;
    }
    return true;
}

// The program may do something to every descriptor that it has: the file keeps its size.
struct rh_status rh_request_make(const struct rh_words *words, int *descriptor)
{
    struct rh_text text = {0};
    rh_text_addf(&text, "?%s\n", REHEARSE_VERSION);
    for (size_t i = 0; i < words->count; i++)
        rh_text_add_bytes(&text, words->items[i], strlen(words->items[i]) + 1);
    *descriptor = rh_descriptor_raise(memfd_create("rehearse-request", MFD_ALLOW_SEALING));
    bool is_written = *descriptor >= 0 && write_text(*descriptor, &text) &&
                      fcntl(*descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0;
    int error = errno;
    rh_text_fini(&text);
    if (is_written)
        return rh_ok();
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
    return rh_failed("cannot pass the request to the program: %s", strerror(error));
}

void rh_request_export(int descriptor, bool hides_output)
{
    struct rh_text numbers = {0};
    rh_text_addf(&numbers, "%d", descriptor);
    int output = hides_output ? rh_output_hide() : -1;
    if (output >= 0)
        rh_text_addf(&numbers, ",%d", output);
    setenv(RH_REQUEST_VARIABLE, rh_text_get(&numbers), 1);
    rh_text_fini(&numbers);
}

void rh_request_take_output(const char *variable)
{
    const char *comma = strchr(variable, ',');
    if (comma)
        rh_output_show((int)strtol(comma + 1, NULL, 10));
}

// '?' if there is none.
static char first_byte(int descriptor)
{
    char first;
    return pread(descriptor, &first, 1, 0) == 1 ? first : '?';
}

static bool is_status(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool rh_request_is_answered(int descriptor)
{
    char first = first_byte(descriptor);
    return first == '!' || is_status(first);
}

void rh_request_finish(const char *variable, int status)
{
    char digit = (char)('0' + status);
    // If it is not written the command takes the program for one that died.
    ssize_t written = pwrite((int)strtol(variable, NULL, 10), &digit, 1, 0);
    (void)written;
}

int rh_request_status(int descriptor)
{
    char first = first_byte(descriptor);
    return is_status(first) ? first - '0' : -1;
}

static struct rh_status refuse(const char *variable)
{
    return rh_bad_input("the environment variable %s is '%s', which is no request of Rehearse; "
                        "unset it",
                        RH_REQUEST_VARIABLE, variable);
}

// Reads the whole file without moving its offset, which other processes share.
static bool read_whole(int descriptor, struct rh_text *text)
{
    struct stat stat;
    if (fstat(descriptor, &stat) < 0 || stat.st_size <= 0 || stat.st_size > LARGEST_REQUEST)
        return false;
    char *bytes = rh_alloc((size_t)stat.st_size);
    ssize_t count = pread(descriptor, bytes, (size_t)stat.st_size, 0);
    if (count == stat.st_size)
        rh_text_add_bytes(text, bytes, (size_t)count);
    free(bytes);
    return count == stat.st_size;
}

static struct rh_status parse(const char *variable, const struct rh_text *text,
                              struct rh_words *words)
{
    const char *bytes = rh_text_get(text);
    const char *line_end = memchr(bytes, '\n', text->length);
    bool is_one = bytes[0] == '?' || bytes[0] == '!' || is_status(bytes[0]);
    if (!line_end || !is_one || bytes[text->length - 1] != '\0')
        return refuse(variable);
    size_t version_length = (size_t)(line_end - bytes) - 1;
    if (version_length != strlen(REHEARSE_VERSION) ||
        strncmp(bytes + 1, REHEARSE_VERSION, version_length) != 0)
        return rh_bad_input("the program was built with Rehearse %s, the command is %.*s: rebuild "
                            "the program",
                            REHEARSE_VERSION, (int)version_length, bytes + 1);
    for (const char *word = line_end + 1; word < bytes + text->length; word += strlen(word) + 1)
        rh_words_add(words, word);
    return rh_ok();
}

struct rh_status rh_request_read(const char *variable, struct rh_words *words)
{
    char *end;
    errno = 0;
    long descriptor = strtol(variable, &end, 10);
    if (errno || end == variable || (*end && *end != ',') || descriptor < 0 || descriptor > 1 << 20)
        return refuse(variable);
    struct rh_text text = {0};
    struct rh_status status =
        read_whole((int)descriptor, &text) ? parse(variable, &text, words) : refuse(variable);
    rh_text_fini(&text);
    if (rh_is_ok(&status) && pwrite((int)descriptor, "!", 1, 0) != 1)
        return refuse(variable);
    return status;
}
