// SPDX-License-Identifier: MIT
#include "cli/analysis_limit.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/output.h"

// LLVM takes some forty bytes for each of a file.
static const rlim_t LEAST_MEMORY = (rlim_t)1 << 30;
enum { MEMORY_FOR_BYTE = 256 };

// What is said when reading takes too long, while LLVM is in the middle of something.
static struct rh_text too_long;

static void on_too_long(int signal)
{
    (void)signal;
    rh_print_error_text(rh_text_get(&too_long));
    _exit(RH_EXIT_BAD_INPUT);
}

// Processor time counts, so that other work on the machine does not matter. 0: no limit.
static void limit_time(uint64_t seconds)
{
    struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
    sigaction(SIGPROF, &(struct sigaction){.sa_handler = on_too_long}, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}

static rlim_t memory_for(const struct rh_ir_file *files, size_t count)
{
    rlim_t most = LEAST_MEMORY;
    struct stat about;
    for (size_t i = 0; i < count; i++)
        if (stat(files[i].path, &about) == 0)
            most += (rlim_t)about.st_size * MEMORY_FOR_BYTE;
    return most;
}

// The memory of a sanitizer would count too.
static bool has_sanitizer(void)
{
    extern void __asan_init(void) __attribute__((weak));
    return __asan_init != NULL;
}

static void limit_memory(rlim_t most)
{
    struct rlimit limit;
    if (has_sanitizer() || getrlimit(RLIMIT_DATA, &limit) < 0)
        return;
    limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

// LLVM aborts when it can't go on: a file is damaged, or memory is out. Where memory is out without
// our limit, there is no room of this size any more. After the handler abort ends the process.
static void on_abort(int signal)
{
    enum { ROOM = 1 << 28 };
    static const char text[] = "rehearse: out of memory while LLVM read bitcode\n";
    (void)signal;
    limit_memory(RLIM_INFINITY);
    if (mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        return;
    rh_print_error_text(text);
    _exit(RH_EXIT_FAILED);
}

void rh_reading_begin(const struct rh_ir_file *files, size_t count, uint64_t seconds)
{
    rh_text_addf(&too_long,
                 "rehearse: reading %s takes longer than %llu s: is it damaged? --read-limit sets "
                 "another limit\n",
                 files[0].name, (unsigned long long)seconds);
    sigaction(SIGABRT, &(struct sigaction){.sa_handler = on_abort}, NULL);
    limit_memory(memory_for(files, count));
    limit_time(seconds);
}

void rh_reading_end(void)
{
    limit_time(0);
    limit_memory(RLIM_INFINITY);
    rh_text_fini(&too_long);
}
