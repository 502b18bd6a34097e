// SPDX-License-Identifier: MIT
#include "cli/foreign.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "result/foreign.h"

enum {
    PAGE = 4096,
    MAPPINGS_MOST = 1024,
    SECONDS_MOST = 5,
    FIRST_FILLER = 0,
    SECOND_FILLER = 0xa5
};

// What the calling process leaves for the one that waits for it.
struct shared {
    enum { NOT_BEGUN, BEGUN, DONE } progress;
    uint64_t bits;
    unsigned char bytes[RH_FOREIGN_BYTES];
};

// A call that is being made.
struct attempt {
    const struct rh_foreign_call *call;
    struct shared *shared;
    void *function;
    unsigned char filler; // of bytes that have no value, and of those beside arguments
    unsigned char *memory[RH_FOREIGN_ARGUMENTS];
    uint64_t integers[RH_FOREIGN_INTEGERS];
    double reals[RH_FOREIGN_REALS];
};

// --- Arguments. ---

// How far memory lies from where it would lie otherwise, in the second attempt: as far as its
// alignment allows, so that what depends on the address gives something else.
static size_t shift_of(const struct attempt *attempt, size_t size)
{
    size_t alignment = size & -size;
    return attempt->filler == FIRST_FILLER ? 0 : 5 * (alignment < 8 ? alignment : 8);
}

// Memory that ends where a page ends that can't be touched, so that nothing behind it is read.
static bool place_memory(struct attempt *attempt, uint32_t index)
{
    const struct rh_foreign_argument *argument = &attempt->call->arguments[index];
    size_t shift = shift_of(attempt, argument->size);
    size_t pages = ((size_t)argument->size + shift + PAGE - 1) / PAGE * PAGE;
    if (shift && mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        return false;
    unsigned char *base =
        mmap(NULL, pages + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + PAGE, pages, PROT_READ | PROT_WRITE))
        return false;
    memset(base + PAGE, attempt->filler, pages);
    attempt->memory[index] = base + PAGE + pages - argument->size - shift;
    for (uint32_t i = 0; i < argument->size; i++)
        attempt->memory[index][i] = attempt->call->is_unset[argument->first + i]
                                        ? attempt->filler
                                        : attempt->call->bytes[argument->first + i];
    return true;
}

static bool place_arguments(struct attempt *attempt)
{
    unsigned integers = 0, reals = 0;
    for (uint32_t i = 0; i < attempt->call->count; i++) {
        const struct rh_foreign_argument *argument = &attempt->call->arguments[i];
        if (argument->kind == RH_FOREIGN_REAL) {
            if (reals == RH_FOREIGN_REALS)
                return false;
            memcpy(&attempt->reals[reals++], &argument->bits, sizeof argument->bits);
            continue;
        }
        if (integers == RH_FOREIGN_INTEGERS ||
            (argument->kind == RH_FOREIGN_MEMORY && !place_memory(attempt, i)))
            return false;
        attempt->integers[integers++] =
            argument->kind == RH_FOREIGN_MEMORY
                ? (uint64_t)(uintptr_t)attempt->memory[i] + argument->offset
                : argument->bits;
    }
    return true;
}

// --- Nothing but the arguments. ---

struct mapping {
    uintptr_t from, to;
    bool is_gone; // the clock's, which is read without the kernel
};

static bool is_kept(const struct attempt *attempt, uintptr_t from, uintptr_t to)
{
    uintptr_t here = (uintptr_t)&from, shared = (uintptr_t)attempt->shared;
    if ((here >= from && here < to) || (shared >= from && shared < to))
        return true;
    for (uint32_t i = 0; i < attempt->call->count; i++) {
        uintptr_t memory = (uintptr_t)attempt->memory[i];
        if (memory >= from && memory < to && attempt->call->arguments[i].is_writable)
            return true;
    }
    return false;
}

// The next line of what is read, without its end; NULL: there is none.
static char *next_line(char **rest)
{
    char *line = *rest, *end = line ? strchr(line, '\n') : NULL;
    if (!end)
        return NULL;
    *end = '\0';
    *rest = end + 1;
    return line;
}

// All that must not be written, or not be there. Gives how many; -1: it can't be told. The text
// lies on the stack, which is not among them.
static int find_mappings(const struct attempt *attempt, struct mapping *mappings, char *text,
                         size_t size)
{
    int descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), count = 0;
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length<size - 1; length += got> 0 ? (size_t)got : 0)
        got = read(descriptor, text + length, size - 1 - length);
    text[length] = '\0';
    if (descriptor < 0 || length == size - 1)
        return -1;
    char *rest = text;
    for (char *line = next_line(&rest); line; line = next_line(&rest)) {
        char *end;
        struct mapping mapping = {.from = strtoul(line, &end, 16)};
        mapping.to = strtoul(end + 1, &end, 16);
        bool is_clock = strstr(line, "[vdso]") || strstr(line, "[vvar");
        bool is_writable = end[2] == 'w';
        mapping.is_gone = is_clock;
        if (count == MAPPINGS_MOST)
            return -1;
        if (is_clock || (is_writable && !is_kept(attempt, mapping.from, mapping.to)))
            mappings[count++] = mapping;
    }
    return count;
}

// The kernel writes to each thread's memory on which processor it runs, unless it is told not to.
static bool leave_processor(void)
{
    uintptr_t thread;
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    return __rseq_size == 0 || syscall(SYS_rseq, thread + (uintptr_t)__rseq_offset,
                                       sizeof(struct rseq), RSEQ_FLAG_UNREGISTER, RSEQ_SIG) == 0;
}

// From here on the process can do nothing but compute, and end.
static bool forbid_kernel(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0 &&
           prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

static bool forbid_all(const struct attempt *attempt)
{
    struct mapping mappings[MAPPINGS_MOST];
    char text[1 << 18];
    int count = find_mappings(attempt, mappings, text, sizeof text);
    bool is_done = count >= 0 && leave_processor();
    for (int i = 0; i < count && is_done; i++) {
        size_t size = mappings[i].to - mappings[i].from;
        void *from = (void *)mappings[i].from; // NOLINT(performance-no-int-to-ptr)
        is_done =
            mappings[i].is_gone ? munmap(from, size) == 0 : mprotect(from, size, PROT_READ) == 0;
    }
    return is_done && forbid_kernel();
}

// --- The call. ---

// Integers and reals are handed over in registers of their own, whatever their order is; a variadic
// function is told how many reals there are, which others do not look at.
static void call_now(struct attempt *attempt)
{
    const uint64_t *i = attempt->integers;
    const double *r = attempt->reals;
    if (attempt->call->result == RH_FOREIGN_REAL) {
        double (*function)(uint64_t, ...);
        memcpy(&function, &attempt->function, sizeof function);
        double result = function(i[0], i[1], i[2], i[3], i[4], i[5], r[0], r[1], r[2], r[3], r[4],
                                 r[5], r[6], r[7]);
        memcpy(&attempt->shared->bits, &result, sizeof result);
        return;
    }
    uint64_t (*function)(uint64_t, ...);
    memcpy(&function, &attempt->function, sizeof function);
    attempt->shared->bits = function(i[0], i[1], i[2], i[3], i[4], i[5], r[0], r[1], r[2], r[3],
                                     r[4], r[5], r[6], r[7]);
}

static void settle_signals(void)
{
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS_MOST, SECONDS_MOST});
}

// Runs in a process of its own.
static void attempt_call(struct attempt *attempt)
{
    settle_signals();
    if (!place_arguments(attempt))
        _exit(1);
    if (!forbid_all(attempt))
        _exit(1);
    attempt->shared->progress = BEGUN;
    call_now(attempt);
    for (uint32_t i = 0; i < attempt->call->count; i++) {
        const struct rh_foreign_argument *argument = &attempt->call->arguments[i];
        if (attempt->memory[i])
            memcpy(&attempt->shared->bytes[argument->first], attempt->memory[i], argument->size);
    }
    attempt->shared->progress = DONE;
    syscall(SYS_exit_group, 0);
}

static const char *reason_of(const struct shared *shared, int wait_status)
{
    if (shared->progress == NOT_BEGUN)
        return "which can't be made here";
    int signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    switch (signal) {
    case 0:
        return shared->progress == DONE ? NULL : "which ends the process";
    case SIGSYS:
        return "which asks the operating system";
    case SIGSEGV:
    case SIGBUS:
        return "which touches what is not among its arguments";
    case SIGXCPU:
    case SIGKILL:
        return "which goes on and on";
    default:
        return "which ends with a signal";
    }
}

// Why the call can't be taken over; NULL: it was made.
static const char *attempt_apart(const struct rh_foreign_call *call, void *function,
                                 unsigned char filler, struct shared *shared)
{
    int wait_status = 0;
    memset(shared, 0, sizeof *shared);
    pid_t child = fork();
    if (child == 0) {
        struct attempt attempt = {
            .call = call, .shared = shared, .function = function, .filler = filler};
        attempt_call(&attempt);
    }
    while (child > 0 && waitpid(child, &wait_status, 0) < 0 && errno == EINTR)
        ;
    return child < 0 ? "which can't be made here" : reason_of(shared, wait_status);
}

// Finds out what was written, from what two attempts have left. false: they do not agree.
static bool compare_bytes(const struct rh_foreign_call *call, const struct shared *second,
                          struct rh_foreign_answer *first)
{
    for (size_t i = 0; i < RH_FOREIGN_BYTES; i++) {
        bool is_left = call->is_unset[i] && first->bytes[i] == FIRST_FILLER &&
                       second->bytes[i] == SECOND_FILLER;
        if (first->bytes[i] != second->bytes[i] && !is_left)
            return false;
        first->is_written[i] = !is_left && (call->is_unset[i] || first->bytes[i] != call->bytes[i]);
    }
    return true;
}

static const char *make_call(const struct rh_foreign_call *call, struct shared *shared,
                             struct rh_foreign_answer *answer)
{
    void *function = dlsym(RTLD_DEFAULT, call->name);
    if (!function)
        return "which no shared library has";
    const char *reason = attempt_apart(call, function, FIRST_FILLER, shared);
    if (reason)
        return reason;
    answer->bits = shared->bits;
    memcpy(answer->bytes, shared->bytes, sizeof answer->bytes);
    reason = attempt_apart(call, function, SECOND_FILLER, shared);
    bool is_same = answer->bits == shared->bits || call->result == RH_FOREIGN_NOTHING;
    return !reason && (!is_same || !compare_bytes(call, shared, answer))
               ? "which does not always give the same"
               : reason;
}

int rh_foreign_serve(int descriptor)
{
    static struct rh_foreign_call call;
    static struct rh_foreign_answer answer;
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 3;
    while (recv(descriptor, &call, sizeof call, 0) == sizeof call) {
        memset(&answer, 0, sizeof answer);
        call.name[sizeof call.name - 1] = '\0';
        const char *refused = make_call(&call, shared, &answer);
        answer.is_made = !refused;
        snprintf(answer.refused, sizeof answer.refused, "%s", refused ? refused : "");
        if (send(descriptor, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer)
            return 3;
    }
    return 0;
}
