// SPDX-License-Identifier: MIT
// Compares functions.def with libc's headers: each function has the types of its declaration
// there, and each effect names arguments that it can be about. This file makes no code.
#include "libc/real.h"

#include <alloca.h>
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <fstab.h>
#include <getopt.h>
#include <grp.h>
#include <iconv.h>
#include <libintl.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <mntent.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <resolv.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <shadow.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <syslog.h>
#include <threads.h>
#include <time.h>
#include <ttyent.h>
#include <unistd.h>
#include <utime.h>
#include <utmp.h>
#include <utmpx.h>
#include <wchar.h>

#include "libc/undeclared.h"

#define FUNCTION(where, how, name, result, parameters, ...)                                        \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), result parameters),              \
                   "functions.def has the types of " #name);
#include "libc/functions.def"

// The effects of a function are statements about its parameters.
#define POINTER(a)                                                                                 \
    (void)(const volatile void *)                                                                  \
    {                                                                                              \
        a                                                                                          \
    }
#define NUMBER(n)                                                                                  \
    (void)(size_t)                                                                                 \
    {                                                                                              \
        (size_t)(n)                                                                                \
    }
#define READS(a, length) POINTER(a), LENGTH_##length
#define NAMES(directory, a) POINTER(a), NUMBER(directory)
#define ALTERS(directory, a) POINTER(a), NUMBER(directory)
#define WRITES(a, length) POINTER(a), LENGTH_##length
#define FILLS(a, length) POINTER(a), LENGTH_##length
#define SETS(a, byte, length) POINTER(a), NUMBER(byte), LENGTH_##length
#define CLEARS(a, length) POINTER(a), LENGTH_##length
#define COPIES(to, from, length) POINTER(to), POINTER(from), LENGTH_##length
#define SENDS(a, length) POINTER(a), LENGTH_##length
#define RECEIVES(a, length) POINTER(a), LENGTH_##length
#define OPENS(a, length) POINTER(a), LENGTH_##length
#define PARSES(a) POINTER(a)
#define SHOWS(format) POINTER(format)
#define SCANS(format) POINTER(format)
#define PUTS_NEW(a) POINTER(a)
#define PUTS_INTO(a, b) POINTER(a), POINTER(b)
#define GIVES(a) POINTER(a)
#define GIVES_INTO(a) POINTER(a)
#define GIVES_OWN (void)0
#define ALLOCATES(length) LENGTH_##length
#define DUPLICATES(a, length) POINTER(a), LENGTH_##length
#define REALLOCATES(a, length) POINTER(a), LENGTH_##length
#define FREES(a) POINTER(a)
#define SORTS(array, count, size, compare)                                                         \
    POINTER(array), NUMBER(count), NUMBER(size), (void)compare
#define SEARCHES(key, array, count, size, compare) POINTER(key), SORTS(array, count, size, compare)
#define CALLS(a) (void)a
#define KEEPS(a) (void)a
#define RUNS (void)0
#define FINDS(a) POINTER(a)
#define MORE (void)0
#define NONE (void)0
#define LENGTH_OBJECT (void)0
#define LENGTH_TEXT (void)0
#define LENGTH_TEXTS (void)0
#define LENGTH_BYTES(n) NUMBER(n)
#define LENGTH_ITEMS(n) NUMBER(n)
#define LENGTH_BLOCKS(n, m) NUMBER(n), NUMBER(m)
#define LENGTH_COUNTED(n) NUMBER(*n)

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define FUNCTION(where, how, name, result, parameters, arguments, outside, ...)                    \
    __attribute__((unused)) static void rh__effects_of_##name parameters                           \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#include "libc/functions.def"
