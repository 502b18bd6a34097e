// SPDX-License-Identifier: MIT
// `rehearse generate` and `rehearse reach`: the tests are made by the executable that knows LLVM
// and Z3, which is given the compiled program besides, and has the tests run in the world: what was
// predicted must be what happens.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"

// Compiles the program, unless a part of it is there as bitcode only: then nothing can be run.
static struct rh_status make_program(struct rh_children *children, const struct rh_folder *folder,
                                     const struct rh_options *options, char **binary)
{
    struct rh_words sources = {0};
    struct rh_status status = rh_ok();
    bool has_all = true;
    for (size_t i = 0; i < options->operands.count; i++) {
        rh_words_add(&sources, options->operands.items[i]);
        has_all = has_all && rh_file_kind_of(options->operands.items[i]) == RH_FILE_C;
    }
    if (has_all)
        status = rh_compile(children, folder, options, &sources, binary);
    rh_words_fini(&sources);
    return status;
}

// Tells the executable what runs the tests.
static void add_runner(struct rh_words *words, const char *binary)
{
    char *command = realpath("/proc/self/exe", NULL);
    if (command && binary) {
        rh_words_addf(words, "--command=%s", command);
        rh_words_addf(words, "--binary=%s", binary);
    }
    free(command);
}

// Whether the operand is FILE:LINE.
static bool is_place(const char *operand)
{
    const char *colon = strrchr(operand, ':');
    return colon && colon != operand && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
}

// Takes the places that are to be reached out of the operands, where they may stand anywhere.
static struct rh_status take_places(struct rh_options *options, struct rh_words *words)
{
    size_t kept = 0, places = 0;
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *operand = options->operands.items[i];
        if (is_place(operand)) {
            rh_words_addf(words, "--place=%s", operand);
            places++;
        } else {
            options->operands.items[kept++] = operand;
        }
    }
    options->operands.count = kept;
    bool finds_places = options->reach.all_checks || options->reach.uncovered;
    if (places > 0 && finds_places)
        return rh_bad_input("--all-checks and --uncovered find their places themselves: leave out "
                            "FILE:LINE");
    return places > 0 || finds_places
               ? rh_ok()
               : rh_bad_input("where to? a line of the source is FILE:LINE, as in shop.c:132; see "
                              "rehearse reach --help");
}

// What goes out of bounds does harm only sometimes: the compiler's checks say so always. The
// executable hears of the flags, since a replay needs them too.
static void add_checks(struct rh_options *options, struct rh_words *words, struct rh_text *flags)
{
    if (options->verb != RH_VERB_REACH || !options->reach.dereference)
        return;
    rh_text_addf(flags, "-fsanitize=address,bounds%s%s", options->cflags ? " " : "",
                 options->cflags ? options->cflags : "");
    options->cflags = rh_text_get(flags);
    rh_words_addf(words, "--cflags=%s", options->cflags);
}

int rh_command_generate(struct rh_children *children, struct rh_folder *folder,
                        struct rh_options *options)
{
    char *binary = NULL;
    struct rh_words words = {0};
    struct rh_text flags = {0};
    struct rh_status status =
        options->verb == RH_VERB_REACH ? take_places(options, &words) : rh_ok();
    add_checks(options, &words, &flags);
    if (rh_is_ok(&status))
        status = rh_sources_check(options);
    if (rh_is_ok(&status))
        status = rh_folder_make(folder);
    if (rh_is_ok(&status))
        status = make_program(children, folder, options, &binary);
    add_runner(&words, binary);
    int exit_status = rh_is_ok(&status) ? rh_look_at_sources(children, folder, options, &words)
                      : children->interrupted ? RH_EXIT_INCONCLUSIVE
                                              : rh_print_status(&status);
    rh_words_fini(&words);
    rh_text_fini(&flags);
    free(binary);
    return exit_status;
}
