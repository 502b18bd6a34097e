// SPDX-License-Identifier: MIT
#include "libc/streams.h"

#include <dlfcn.h>

// libc's list of streams has no other name. A reference by name would be to a copy of the list in
// the executable, if that is linked at a fixed address.
FILE *rh_streams_first(void)
{
    FILE **list = dlsym(RTLD_NEXT, "_IO_list_all");
    return list ? *list : NULL;
}

bool rh_streams_has(const FILE *file)
{
    const FILE *next = rh_streams_first();
    while (next && next != file)
        next = next->_chain;
    return next != NULL;
}

// libc's own three streams, by their own names whatever the program has put into stdin, stdout and
// stderr.
static bool is_standard(const FILE *file)
{
    return file == dlsym(RTLD_NEXT, "_IO_2_1_stdin_") ||
           file == dlsym(RTLD_NEXT, "_IO_2_1_stdout_") ||
           file == dlsym(RTLD_NEXT, "_IO_2_1_stderr_");
}

bool rh_streams_has_others(void)
{
    const FILE *file = rh_streams_first();
    while (file && is_standard(file))
        file = file->_chain;
    return file != NULL;
}
