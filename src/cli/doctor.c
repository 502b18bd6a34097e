// SPDX-License-Identifier: MIT
#include "cli/doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/native/native.h"
#include "cli/output.h"
#include "entry/process.h"
#include "explore/run.h"
#include "memory/memory.h"
#include "world/world.h"

void rh_doctor_add(struct rh_doctor *doctor, bool is_ok, const char *name, const char *format, ...)
{
    va_list arguments;
    rh_text_addf(&doctor->text, "%-8s %-20s ", is_ok ? "ok" : "problem", name);
    va_start(arguments, format);
    rh_text_addv(&doctor->text, format, arguments);
    va_end(arguments);
    rh_text_add(&doctor->text, "\n");
    doctor->has_problem = doctor->has_problem || !is_ok;
}

int rh_doctor_finish(struct rh_doctor *doctor)
{
    bool is_printed = rh_print(&doctor->text);
    rh_text_fini(&doctor->text);
    return !is_printed ? RH_EXIT_FAILED : doctor->has_problem ? RH_EXIT_FOUND : RH_EXIT_NOTHING;
}

bool rh_doctor_find_command(const char *name, struct rh_text *path)
{
    const char *variable = getenv("PATH");
    char *copy = rh_strdup(variable ? variable : "/usr/bin:/bin"), *rest = copy, *directory;
    bool is_found = false;
    if (strchr(name, '/')) {
        rh_text_add(path, name);
        is_found = access(name, X_OK) == 0;
    }
    while (!is_found && (directory = strsep(&rest, ":"))) {
        rh_text_clear(path);
        rh_text_addf(path, "%s/%s", *directory ? directory : ".", name);
        is_found = access(rh_text_get(path), X_OK) == 0;
    }
    free(copy);
    return is_found;
}

// Runs a trial in a process of its own, since its effect can't be taken back. Gives the trial's
// exit status, or -1 if it died.
static int try_in_child(int (*trial)(void))
{
    pid_t child = fork();
    if (child == 0)
        _exit(trial());
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static int map_region(void)
{
    return rh_region_map() ? 0 : 1;
}

static void add_memory(struct rh_doctor *doctor)
{
    if (try_in_child(map_region) == 0)
        rh_doctor_add(doctor, true, "actors' memory", "its fixed address range is free");
    else
        rh_doctor_add(
            doctor, false, "actors' memory",
            "its address range at %#llx cannot be mapped, so every execution is run from its "
            "start: look at ulimit -v and vm.overcommit_memory",
            (unsigned long long)RH_REGION_BASE);
}

static int trace_me(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : errno;
}

static void add_ptrace(struct rh_doctor *doctor)
{
    struct rh_text scope = {0};
    struct rh_status status = rh_text_read_file(&scope, "/proc/sys/kernel/yama/ptrace_scope", 16);
    int error = try_in_child(trace_me);
    if (error == 0)
        rh_doctor_add(doctor, true, "ptrace", "a debugger can run programs (ptrace_scope %.1s)",
                      rh_is_ok(&status) ? rh_text_get(&scope) : "0");
    else
        rh_doctor_add(doctor, false, "ptrace",
                      "not allowed (%s), so replay --gdb cannot work: run the container with "
                      "--cap-add SYS_PTRACE, or set kernel.yama.ptrace_scope below 3",
                      error > 0 ? strerror(error) : "the trial died");
    rh_text_fini(&scope);
}

static int fix_addresses(void)
{
    return personality(ADDR_NO_RANDOMIZE) == -1 ? errno : 0;
}

// Without fixed addresses nothing is wrong: programs that set all they use do not need them.
static void add_addresses(struct rh_doctor *doctor)
{
    int error = try_in_child(fix_addresses);
    if (error == 0)
        rh_doctor_add(doctor, true, "fixed addresses", "programs have them");
    else
        rh_doctor_add(doctor, true, "fixed addresses",
                      "not allowed (%s), so bytes that a program has not set differ from run to "
                      "run: let the container use personality",
                      error > 0 ? strerror(error) : "the trial died");
}

static void add_preload(struct rh_doctor *doctor)
{
    const char *preload = getenv("LD_PRELOAD");
    if (!preload || !*preload)
        rh_doctor_add(doctor, true, "preloaded libraries", "none");
    else
        rh_doctor_add(doctor, false, "preloaded libraries",
                      "LD_PRELOAD is %s, which may replace malloc before Rehearse does: unset it",
                      preload);
}

static void add_gdb(struct rh_doctor *doctor)
{
    struct rh_text path = {0};
    if (rh_doctor_find_command("gdb", &path))
        rh_doctor_add(doctor, true, "gdb", "%s", rh_text_get(&path));
    else
        rh_doctor_add(doctor, false, "gdb", "not found: replay --gdb needs it (apt install gdb)");
    rh_text_fini(&path);
}

void rh_doctor_add_machine(struct rh_doctor *doctor)
{
    add_memory(doctor);
    add_ptrace(doctor);
    add_gdb(doctor);
    add_addresses(doctor);
    add_preload(doctor);
}

static int own_malloc(void)
{
    struct rh_world_options options = {.adapter = &rh_native_adapter, .trace_output = -1};
    struct rh_status status;
    return rh_world_new(&options, &status) && rh__process.owns_malloc ? 0 : 1;
}

static void add_malloc(struct rh_doctor *doctor)
{
    // A sanitizer or another allocator in the program is no problem; executions only take longer.
    rh_doctor_add(doctor, true, "malloc", "%s",
                  try_in_child(own_malloc) == 0
                      ? "actors' memory is Rehearse's own: deliveries can be undone"
                      : "not Rehearse's own (a sanitizer, Valgrind or another allocator): "
                        "executions are run again instead of being undone");
}

static void add_tests(struct rh_doctor *doctor)
{
    size_t count = rh_test_count();
    struct rh_status status = rh_check_program();
    if (rh_is_ok(&status))
        status = rh_program_check_adapter();
    if (!rh_is_ok(&status))
        rh_doctor_add(doctor, false, "message types", "%s", status.text);
    if (count)
        rh_doctor_add(doctor, true, "tests", "%zu", count);
    else
        rh_doctor_add(doctor, false, "tests", "none: write one with RH_TEST(name) { ... }");
}

static void add_debug_information(struct rh_doctor *doctor)
{
    struct rh_debug *debug = rh_debug_open_self();
    if (debug && rh_run_knows_types(debug, rh_program_adapter()))
        rh_doctor_add(doctor, true, "debug information", "messages print with field names");
    else
        rh_doctor_add(doctor, false, "debug information",
                      "none: compile with -g to see fields and values");
    rh_debug_free(debug);
}

int rh_doctor_program(const char *program, bool with_machine)
{
    struct rh_doctor doctor = {0};
    if (with_machine)
        rh_doctor_add_machine(&doctor);
    rh_doctor_add(&doctor, true, "program", "%s, built with Rehearse %s", program,
                  REHEARSE_VERSION);
    add_debug_information(&doctor);
    add_tests(&doctor);
    add_malloc(&doctor);
    return rh_doctor_finish(&doctor);
}
