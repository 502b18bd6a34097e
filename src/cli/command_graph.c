// SPDX-License-Identifier: MIT
// Verbs that look at sources: these are compiled to bitcode, and the executable that knows LLVM
// looks at it. `rehearse graph` is that and nothing else.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_name.h"
#include "base/input_file.h"
#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/output.h"
#include "cli/request.h"

static const char analysis_name[] = "rehearse-analysis";

static bool is_bitcode_name(const char *path)
{
    const char *dot = strrchr(rh_base_name(path), '.');
    return dot && !strcmp(dot, ".bc");
}

static struct rh_status check_file(const char *verb, const char *path)
{
    if (rh_file_kind_of(path) != RH_FILE_C && !is_bitcode_name(path))
        return rh_bad_input("%s looks at C sources (.c) and bitcode (.bc), not at %s", verb, path);
    return rh_input_check(path);
}

struct rh_status rh_analysis_find(char **path)
{
    struct rh_text found = {0};
    bool is_there = rh_layout_find_beside(analysis_name, &found);
    *path = is_there ? rh_text_take(&found) : NULL;
    rh_text_fini(&found);
    if (is_there)
        return rh_ok();
    return rh_failed("this needs LLVM 19, which was not there when Rehearse was built: "
                     "tools/install-deps graph (apt install clang-19 llvm-19-dev graphviz), then "
                     "make");
}

// Refuses if a tool that the verb needs is missing, and names its package.
static struct rh_status need_tool(const char *name, const char *package, const char *purpose)
{
    struct rh_text path = {0};
    bool is_there = rh_doctor_find_command(name, &path);
    rh_text_fini(&path);
    return is_there ? rh_ok()
                    : rh_failed("%s needs %s, which is not there: apt install %s", purpose, name,
                                package);
}

static struct rh_status check_files(const struct rh_options *options)
{
    const char *verb = rh_verb_name(options->verb);
    if (options->operands.count == 0)
        return rh_bad_input("which program? see rehearse %s --help", verb);
    struct rh_status status = rh_ok();
    for (size_t i = 0; rh_is_ok(&status) && i < options->operands.count; i++)
        status = check_file(verb, options->operands.items[i]);
    return status;
}

static struct rh_status check_tools(const struct rh_options *options)
{
    struct rh_status status = rh_ok();
    bool has_source = false;
    for (size_t i = 0; i < options->operands.count; i++)
        has_source = has_source || !is_bitcode_name(options->operands.items[i]);
    if (has_source)
        status = need_tool("clang-19", "clang-19", rh_verb_name(options->verb));
    if (rh_is_ok(&status) && options->svg && !options->abstract)
        status = need_tool("dot", "graphviz", "--svg");
    return status;
}

struct rh_status rh_sources_check(const struct rh_options *options)
{
    char *path = NULL;
    struct rh_status status = check_files(options);
    if (rh_is_ok(&status))
        status = rh_analysis_find(&path);
    free(path);
    return rh_is_ok(&status) ? check_tools(options) : status;
}

// Whether the analysis ends with this status itself. LLVM ends its process with others.
static bool is_own_status(int status)
{
    return status == RH_EXIT_NOTHING || status == RH_EXIT_BAD_INPUT || status == RH_EXIT_FAILED ||
           status == RH_EXIT_FOUND || status == RH_EXIT_INCONCLUSIVE;
}

static int exit_status_of(const struct rh_options *options, int interrupted, int wait_status)
{
    // SIGPIPE: whoever read our output has seen enough.
    if (interrupted || (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGPIPE))
        return RH_EXIT_INCONCLUSIVE;
    if (WIFEXITED(wait_status) && is_own_status(WEXITSTATUS(wait_status)))
        return WEXITSTATUS(wait_status);
    struct rh_text end = {0};
    if (WIFEXITED(wait_status))
        rh_text_addf(&end, "exit status %d", WEXITSTATUS(wait_status));
    else
        rh_text_addf(&end, "SIG%s", sigabbrev_np(WTERMSIG(wait_status)));
    struct rh_status status =
        rh_failed("looking at %s ended with %s", options->operands.items[0], rh_text_get(&end));
    bool is_loaded = !WIFEXITED(wait_status) || WEXITSTATUS(wait_status) != RH_STATUS_NOT_LOADED;
    for (size_t i = 0; i < options->operands.count && is_loaded; i++)
        if (is_bitcode_name(options->operands.items[i]))
            status = rh_bad_input("%s cannot be read: LLVM ended with %s; is it damaged?",
                                  options->operands.items[i], rh_text_get(&end));
    rh_text_fini(&end);
    return rh_print_status(&status);
}

static struct rh_status analyse(struct rh_children *children, const char *path,
                                const struct rh_options *options, const struct rh_words *bitcode,
                                const struct rh_words *more, int *wait_status)
{
    struct rh_words command = {0};
    rh_words_add(&command, path);
    for (size_t i = 0; i < options->words.count; i++)
        rh_words_add(&command, options->words.items[i]);
    for (size_t i = 0; more && i < more->count; i++)
        rh_words_add(&command, more->items[i]);
    for (size_t i = 0; i < bitcode->count; i++)
        rh_words_addf(&command, "--as=%s", options->operands.items[i]);
    for (size_t i = 0; i < bitcode->count; i++)
        rh_words_add(&command, bitcode->items[i]);
    struct rh_status status = rh_children_run(children, &command, -1, -1, wait_status);
    rh_words_fini(&command);
    return status;
}

int rh_look_at_sources(struct rh_children *children, struct rh_folder *folder,
                       const struct rh_options *options, const struct rh_words *more)
{
    struct rh_words sources = {0}, bitcode = {0};
    char *path = NULL;
    int wait_status = 0;
    struct rh_status status = rh_sources_check(options);
    if (rh_is_ok(&status))
        status = rh_analysis_find(&path);
    for (size_t i = 0; i < options->operands.count; i++)
        rh_words_add(&sources, options->operands.items[i]);
    if (rh_is_ok(&status))
        status = rh_folder_make(folder);
    if (rh_is_ok(&status))
        status = rh_compile_bitcode(children, folder, options, &sources, &bitcode);
    if (rh_is_ok(&status))
        status = analyse(children, path, options, &bitcode, more, &wait_status);
    free(path);
    rh_words_fini(&sources);
    rh_words_fini(&bitcode);
    if (rh_is_ok(&status) || children->interrupted)
        return exit_status_of(options, children->interrupted, wait_status);
    return rh_print_status(&status);
}
