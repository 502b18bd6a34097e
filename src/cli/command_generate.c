// SPDX-License-Identifier: MIT
// `rehearse generate`: the tests are made by the executable that knows LLVM and Z3, and then run in
// the world: what was predicted must be what happens.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"

static const char breaks[] = "_breaks";

// How the tests have run.
struct confirmation {
    size_t as_predicted, otherwise;
    struct rh_text first; // a test that ran otherwise
};

static bool is_to_break(const char *name)
{
    size_t length = strlen(name), end = sizeof breaks - 1;
    return length > end && !strcmp(name + length - end, breaks);
}

// A line of `explore` about a test: `FILE: test NAME: passed, ...`.
static void count_line(char *line, struct confirmation *confirmation)
{
    static const char before[] = ": test ";
    char *name = strstr(line, before);
    char *end = name ? strchr(name + sizeof before - 1, ':') : NULL;
    if (!end || *line == ' ')
        return;
    name += sizeof before - 1;
    *end = '\0';
    bool has_failed = !strncmp(end + 1, " FAILED", 7);
    if (has_failed == is_to_break(name)) {
        confirmation->as_predicted++;
        return;
    }
    if (!confirmation->otherwise++)
        rh_text_add(&confirmation->first, name);
}

static void count(char *output, struct confirmation *confirmation)
{
    char *rest = NULL;
    for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        count_line(line, confirmation);
}

static int show(const struct confirmation *confirmation, const char *file)
{
    struct rh_text text = {0};
    size_t all = confirmation->as_predicted + confirmation->otherwise;
    rh_text_addf(&text, "run:    %zu of %zu tests, as predicted\n", confirmation->as_predicted,
                 all);
    if (confirmation->otherwise)
        rh_text_addf(&text, "REFUTED: %zu tests end otherwise, %s first\n", confirmation->otherwise,
                     rh_text_get(&confirmation->first));
    if (file)
        rh_text_addf(&text, "next:   rehearse explore %s\n", file);
    bool is_printed = rh_print(&text);
    rh_text_fini(&text);
    return is_printed && !confirmation->otherwise ? RH_EXIT_NOTHING : RH_EXIT_FAILED;
}

// Lets `rehearse explore FILE` run the tests; what it says goes to `output`.
static struct rh_status run_tests(struct rh_children *children, const struct rh_options *options,
                                  const char *file, const char *folder, const char *output)
{
    struct rh_words command = {0};
    rh_words_add(&command, "/proc/self/exe");
    rh_words_add(&command, "explore");
    rh_words_add(&command, file);
    rh_words_add(&command, "--no-shrink");
    rh_words_add(&command, "--color=never");
    rh_words_addf(&command, "--save=%s", folder);
    rh_words_addf(&command, "--cflags=%s", options->cflags ? options->cflags : "");
    rh_words_addf(&command, "--libs=%s", options->libs ? options->libs : "");
    int descriptor = open(output, O_RDWR | O_CREAT | O_CLOEXEC, 0600), wait_status = 0;
    struct rh_status status =
        descriptor < 0 ? rh_failed("cannot write %s", output)
                       : rh_children_run(children, &command, -1, descriptor, &wait_status);
    if (descriptor >= 0)
        close(descriptor);
    rh_words_fini(&command);
    bool has_run = WIFEXITED(wait_status) && (WEXITSTATUS(wait_status) == RH_EXIT_NOTHING ||
                                              WEXITSTATUS(wait_status) == RH_EXIT_FOUND);
    if (rh_is_ok(&status) && !has_run)
        status = rh_failed("the generated tests could not be run");
    return status;
}

// Whether a test could be written as C.
static bool has_tests(const char *file)
{
    enum { FILE_MOST = 1 << 30 };
    struct rh_text text = {0};
    struct rh_status status = rh_text_read_file(&text, file, FILE_MOST);
    bool has_one = rh_is_ok(&status) && strstr(rh_text_get(&text), "\nRH_TEST(");
    rh_text_fini(&text);
    return has_one;
}

static int confirm(struct rh_children *children, const struct rh_folder *folder,
                   const struct rh_options *options, const char *file)
{
    enum { OUTPUT_MOST = 1 << 30 };
    struct rh_text path = {0}, output = {0};
    if (!has_tests(file))
        return RH_EXIT_NOTHING;
    rh_text_addf(&path, "%s/run.txt", folder->path);
    struct rh_status status = run_tests(children, options, file, folder->path, rh_text_get(&path));
    if (rh_is_ok(&status))
        status = rh_text_read_file(&output, rh_text_get(&path), OUTPUT_MOST);
    struct confirmation confirmation = {0};
    int exit_status;
    if (rh_is_ok(&status)) {
        count(output.bytes, &confirmation);
        exit_status = show(&confirmation, options->generate.file);
    } else {
        exit_status = rh_print_status(&status);
    }
    rh_text_fini(&confirmation.first);
    rh_text_fini(&output);
    rh_text_fini(&path);
    return exit_status;
}

int rh_command_generate(struct rh_children *children, struct rh_folder *folder,
                        const struct rh_options *options)
{
    struct rh_status status = rh_folder_make(folder);
    if (!rh_is_ok(&status))
        return rh_print_status(&status);
    struct rh_text file = {0};
    if (options->generate.file)
        rh_text_add(&file, options->generate.file);
    else
        rh_text_addf(&file, "%s/generated.c", folder->path);
    int exit_status = rh_look_at_sources(children, folder, options, rh_text_get(&file));
    bool is_made = exit_status != RH_EXIT_BAD_INPUT && exit_status != RH_EXIT_FAILED &&
                   options->generate.behaviour && options->generate.message;
    if (is_made && !children->interrupted) {
        int confirmed = confirm(children, folder, options, rh_text_get(&file));
        exit_status = confirmed == RH_EXIT_NOTHING ? exit_status : confirmed;
    }
    rh_text_fini(&file);
    return exit_status;
}
