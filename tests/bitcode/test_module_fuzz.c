// SPDX-License-Identifier: MIT
// Damages bitcode. Each input is read by a process of its own, since LLVM may crash over it, which is no fault of ours: a
// crash counts if our code is on the stack before LLVM's.
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "cli/analysis_limit.h"
#include "flow/flow.h"
#include "fuzz.h"

enum {
    COUNT = 60,
    SECONDS = 20,
    MEGABYTES = 2000,
    CRASH_OF_LLVM = 40,
    CRASH_OF_OURS = 41,
    ANSWER = 50
};

// What the limit on memory is without a sanitizer.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=1000";
}

static const char source[] =
    "#include <rehearse/actor.h>\n"
    "#include <rehearse/test.h>\n"
    "RH_MESSAGE(put, { int amount; const char *words[2]; });\n"
    "RH_SIGNAL(stop);\n"
    "struct till { int balance; long sums[4]; };\n"
    "static const int limits[] = {1, 2, 3};\n"
    "static void till(rh_actor *self, void *state, const rh_message *message)\n"
    "{\n"
    "    struct till *t = state;\n"
    "    const struct put *put = rh_as(message, put);\n"
    "    if (put && put->amount > limits[1])\n"
    "        t->sums[put->amount & 3] += put->amount;\n"
    "    else if (rh_as(message, stop))\n"
    "        rh_stop();\n"
    "    switch (t->balance) { case 1: case 7: rh_send(self, stop); }\n"
    "}\n"
    "RH_TEST(fill)\n"
    "{\n"
    "    rh_actor *actor = rh_spawn(till, struct till, {.balance = 1});\n"
    "    for (int i = 0; i < 3; i++)\n"
    "        rh_send(actor, put, {.amount = i, .words = {\"a\", \"b\"}});\n"
    "}\n";

// Whose code an address is: NULL for libc's and what is not known.
static const char *owner_of(void *address)
{
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_fname || strstr(info.dli_fname, "libc.so") ||
        strstr(info.dli_fname, "libstdc++") || strstr(info.dli_fname, "linux-vdso") ||
        strstr(info.dli_fname, "san.so"))
        return NULL;
    return info.dli_fname;
}

static void on_crash(int signal)
{
    void *frames[100];
    int count = backtrace(frames, 100);
    (void)signal;
    // The first two are this function and what the kernel calls it by.
    for (int i = 2; i < count; i++)
        if (owner_of(frames[i]))
            _exit(strstr(owner_of(frames[i]), "libLLVM") ? CRASH_OF_LLVM : CRASH_OF_OURS);
    _exit(CRASH_OF_OURS);
}

static void catch_crashes(void)
{
    static char stack[1 << 16];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    for (size_t i = 0; i < FUZZ_COUNT(signals); i++)
        sigaction(
            signals[i],
            &(struct sigaction){.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND},
            NULL);
}

static void read_bitcode(const char *path)
{
    static const struct rh_ir_preparation preparation = {
        .promote = true, .inline_calls = true, .rotate_loops = true};
    struct rh_ir_module module = {0};
    struct rh_flow_graph graph = {0};
    struct rh_flow_options options = {0};
    struct rh_ir_file file = {path, "fuzz.bc"};
    rh_reading_begin(&file, 1, SECONDS);
    catch_crashes();
    struct rh_status status = rh_ir_module_read(&module, &file, 1, &preparation);
    rh_reading_end();
    if (rh_is_ok(&status))
        status = rh_flow_build(&module, &options, &graph);
    rh_flow_graph_fini(&graph);
    rh_ir_module_fini(&module);
    // A sanitizer ends with 1.
    _exit(ANSWER + (int)status.code);
}

// In a process of its own, with a limit on time. Gives its exit status.
static int try_reading(const char *path, long *megabytes)
{
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
        EXPECT(freopen("/dev/null", "w", stderr));
        read_bitcode(path);
    }
    int wait_status;
    struct rusage usage;
    EXPECT(wait4(child, &wait_status, 0, &usage) == child);
    *megabytes = usage.ru_maxrss / 1024;
    if (WIFSIGNALED(wait_status) &&
        (WTERMSIG(wait_status) == SIGXCPU || WTERMSIG(wait_status) == SIGKILL))
        return CRASH_OF_LLVM; // the command has a limit for this
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : CRASH_OF_OURS;
}

static void compile(struct rh_text *bitcode)
{
    struct rh_text text = {0};
    rh_text_add(&text, source);
    struct rh_status status = rh_text_write_file(&text, "fuzz.c");
    EXPECT_TEXT(status.text, "");
    if (system("clang-19 -w -g -O1 -Xclang -disable-llvm-passes -fno-eliminate-unused-debug-types "
               "-I\"$SOURCE/include\" -emit-llvm -c fuzz.c -o fuzz.bc") != 0) {
        puts("no clang-19 here");
        exit(77);
    }
    status = rh_text_read_file(bitcode, "fuzz.bc", 1 << 24);
    EXPECT_TEXT(status.text, "");
    rh_text_fini(&text);
}

static void damage(struct rh_text *bytes, struct rh_rng *rng)
{
    for (uint64_t count = 1 + rh_rng_below(rng, 3); count; count--) {
        size_t at = 16 + rh_rng_below(rng, bytes->length - 16);
        bytes->bytes[at] ^= (char)(1 << rh_rng_below(rng, 8));
    }
    if (rh_rng_below(rng, 20) == 0)
        bytes->length = rh_rng_below(rng, bytes->length);
}

static void expect_answer(int status, long megabytes, const struct rh_text *input)
{
    bool is_answer = (status >= ANSWER && status <= ANSWER + RH_FAILED) || status == CRASH_OF_LLVM;
    if (is_answer && megabytes < MEGABYTES)
        return;
    struct rh_status kept = rh_text_write_file(input, "crash.bc");
    EXPECT_TEXT(kept.text, "");
    printf("crash.bc: status %d, %ld MB\n", status, megabytes);
    EXPECT(!"an answer");
}

int main(int argc, char **argv)
{
    struct rh_rng rng;
    double end;
    long made = 0, taken = 0, crashes = 0;
    struct rh_text bitcode = {0};
    void *frame;
    backtrace(&frame, 1); // what it needs is loaded now
    compile(&bitcode);
    bool is_timed = fuzz_arguments(argc, argv, &rng, &end);
    for (; is_timed ? fuzz_now() < end : made < COUNT; made++) {
        struct rh_text input = {0};
        char path[40];
        long megabytes;
        rh_text_add_bytes(&input, bitcode.bytes, bitcode.length);
        damage(&input, &rng);
        int descriptor = fuzz_file(input.bytes, input.length, path);
        int status = try_reading(path, &megabytes);
        expect_answer(status, megabytes, &input);
        taken += status == ANSWER + RH_OK;
        crashes += status == CRASH_OF_LLVM;
        close(descriptor);
        rh_text_fini(&input);
    }
    printf("%ld inputs, %ld taken, %ld too much for LLVM\n", made, taken, crashes);
    rh_text_fini(&bitcode);
    return 0;
}
