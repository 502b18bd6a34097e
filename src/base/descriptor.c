// SPDX-License-Identifier: MIT
#include "base/descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

// The kernel's table of descriptors ends with the highest one, and each fork copies it.
enum { END = 1024, ROOM = 64 };

int rh_descriptor_raise(int descriptor)
{
    struct rlimit limit;
    if (descriptor < 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < 2 * ROOM)
        return descriptor;
    int least = (limit.rlim_cur < END ? (int)limit.rlim_cur : END) - ROOM;
    bool closes = fcntl(descriptor, F_GETFD) & FD_CLOEXEC;
    int raised = fcntl(descriptor, closes ? F_DUPFD_CLOEXEC : F_DUPFD, least);
    if (raised < 0)
        return descriptor;
    close(descriptor);
    return raised;
}

bool rh_descriptor_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    ends[0] = rh_descriptor_raise(ends[0]);
    ends[1] = rh_descriptor_raise(ends[1]);
    return true;
}

bool rh_descriptor_has_reader(int descriptor)
{
    struct pollfd look = {.fd = descriptor};
    return poll(&look, 1, 0) >= 0 && !(look.revents & (POLLERR | POLLNVAL));
}
