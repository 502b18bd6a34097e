// SPDX-License-Identifier: MIT
#include "cli/gdb.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "cli/request.h"
#include "cli/restart.h"
#include "cli/words.h"

// The script takes the delivery's number and the handler's address from the registers that carry
// the arguments of rh_debug_stop_here: that works without debug information for the library.
static const char stop_in_handler[] =
    "break *rh_debug_stop_here if (unsigned)$edi == %u\n"
    "commands\n"
    "silent\n"
    "end\n"
    "%s\n"
    "if $_isvoid($_exitcode)\n"
    "  if (unsigned long)$pc == (unsigned long)&rh_debug_stop_here\n"
    "    delete\n"
    "    tbreak *(long)$rsi\n"
    "    commands\n"
    "    silent\n"
    "    end\n"
    "    continue\n"
    "    echo \\nRehearse: this is the handler of delivery %u. Try: next, print, bt, continue.\\n\n"
    "  else\n"
    "    echo \\nRehearse: the program stopped before delivery %u.\\n\n"
    "  end\n"
    "else\n"
    "  echo \\nRehearse: the program ended before delivery %u.\\n\n"
    "end\n";

// A program that is run as it is must have our library loaded; the debugger and its shell must not.
static const char load_library[] = "set startup-with-shell off\n"
                                   "set environment LD_PRELOAD %s\n"
                                   "tcatch load libzmq\n"
                                   "commands\n"
                                   "silent\n"
                                   "end\n"
                                   "run\n";

// At the first instruction of a function its arguments are not yet where the debugger looks for
// them. A breakpoint on the function's name stops behind the prologue; only Python can tell the
// name. A handler that goes on after an rh_ask is in the middle of a function and stays where it
// is.
static const char skip_prologue[] =
    "python\n"
    "def rehearse_skip_prologue():\n"
    "    try:\n"
    "        frame = gdb.selected_frame()\n"
    "        block = frame.block()\n"
    "        while block.function is None:\n"
    "            block = block.superblock\n"
    "        if block.start == frame.pc():\n"
    "            name = block.function.name\n"
    "            source = block.function.symtab.filename\n"
    "            gdb.execute('tbreak -source \"%s\" -function %s' % (source, name), False, True)\n"
    "            gdb.execute('continue')\n"
    "        else:\n"
    "            gdb.execute('frame')\n"
    "    except (gdb.error, RuntimeError, AttributeError):\n"
    "        pass\n"
    "rehearse_skip_prologue()\n"
    "end\n";

// The shared library that this code is in; false if it is linked into the program.
static bool find_library(const struct rh_options *options, Dl_info *info)
{
    return options->adapter && dladdr(load_library, info);
}

static void add_script(struct rh_text *script, const struct rh_options *options,
                       const struct rh_schedule *schedule, unsigned delivery)
{
    Dl_info library;
    bool is_library = find_library(options, &library);
    rh_text_add(script, "set confirm off\nset pagination off\nset breakpoint pending on\n"
                        "set print thread-events off\n");
    if (delivery == 0) {
        rh_text_addf(script, "break rh__test_body_%s\nrun\n", schedule->test);
        return;
    }
    if (is_library)
        rh_text_addf(script, load_library, library.dli_fname);
    rh_text_addf(script, stop_in_handler, delivery, is_library ? "continue" : "run", delivery,
                 delivery, delivery);
    rh_text_add(script, skip_prologue);
    // A failed assertion of a program as it is ends the execution without a signal.
    if (is_library)
        rh_text_add(script, "break __assert_fail\n");
}

// The script lives in memory; the debugger reads it through its inherited descriptor.
static int make_script(const struct rh_options *options, const struct rh_schedule *schedule,
                       unsigned delivery)
{
    struct rh_text script = {0};
    add_script(&script, options, schedule, delivery);
    int descriptor = rh_descriptor_raise(memfd_create("rehearse-gdb", 0));
    if (descriptor >= 0 &&
        write(descriptor, script.bytes, script.length) != (ssize_t)script.length) {
        close(descriptor);
        descriptor = -1;
    }
    rh_text_fini(&script);
    return descriptor;
}

// Makes the same request again, but to follow the schedule in the process that is debugged.
static struct rh_status make_request(const struct rh_options *options, int *descriptor)
{
    struct rh_words words = {0};
    for (size_t i = 0; i < options->words.count; i++)
        if (strcmp(options->words.items[i], "--gdb") != 0)
            rh_words_add(&words, options->words.items[i]);
    rh_words_add(&words, "--here");
    if (options->schedule)
        rh_words_addf(&words, "--schedule=%s", options->schedule);
    if (!options->tool.is_request)
        for (size_t i = 0; i < options->names.count; i++)
            rh_words_addf(&words, "--as=%s", options->names.items[i]);
    struct rh_status status = rh_request_make(&words, descriptor);
    rh_words_fini(&words);
    return status;
}

// $GDB may be another debugger, or gdb with further options, which come after our script.
static struct rh_status make_command(const struct rh_options *options, int script,
                                     const char *program, struct rh_words *command)
{
    struct rh_words debugger = {0};
    const char *variable = getenv("GDB");
    bool is_split = rh_words_split(&debugger, variable && *variable ? variable : "gdb -q");
    if (is_split && debugger.count) {
        rh_words_add(command, debugger.items[0]);
        rh_words_add(command, "-x");
        rh_words_addf(command, "/proc/self/fd/%d", script);
        for (size_t i = 1; i < debugger.count; i++)
            rh_words_add(command, debugger.items[i]);
        rh_words_add(command, "--args");
        rh_words_add(command, program);
        for (size_t i = 0; i < options->arguments.count; i++)
            rh_words_add(command, options->arguments.items[i]);
    }
    rh_words_fini(&debugger);
    if (!command->count)
        return rh_bad_input("the environment variable GDB is '%s', which is no command", variable);
    return rh_ok();
}

static struct rh_status become(const struct rh_options *options, const struct rh_words *command,
                               int request)
{
    char **arguments = rh_words_arguments(command);
    rh_request_export(request, false);
    if (!options->adapter)
        rh_restart_prepare();
    execvp(arguments[0], arguments);
    int error = errno;
    unsetenv(RH_REQUEST_VARIABLE);
    struct rh_status status =
        error == ENOENT
            ? rh_bad_input("%s was not found: install gdb, or set GDB to its command", arguments[0])
            : rh_failed("cannot run %s: %s", arguments[0], strerror(error));
    free(arguments);
    return status;
}

struct rh_status rh_gdb_exec(const struct rh_options *options, const struct rh_schedule *schedule,
                             unsigned delivery)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return rh_failed("cannot find the program's own file: %s", strerror(errno));
    program[length] = '\0';
    int script = make_script(options, schedule, delivery);
    if (script < 0)
        return rh_failed("cannot make a script for gdb: %s", strerror(errno));
    int request = -1;
    struct rh_status status = make_request(options, &request);
    struct rh_words command = {0};
    if (rh_is_ok(&status))
        status = make_command(options, script, program, &command);
    if (rh_is_ok(&status))
        status = become(options, &command, request);
    rh_words_fini(&command);
    close(script);
    if (request >= 0)
        close(request);
    return status;
}
