// SPDX-License-Identifier: MIT
// Programs that are run as they are, with a library of ours in the place of one that they use.
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

#include "cli/command.h"

static const char zmq_library[] = "zmq/libzmq.so.5";
static const char threads_library[] = "threads/libtsan.so.2";

struct rh_status rh_adapted_resolve(struct rh_options *options, struct rh_words *programs)
{
    size_t operands = options->operands.count;
    const char *verb = rh_verb_name(options->verb);
    if (options->arguments.count == 0 && rh_verb_takes_schedule(options->verb))
        return rh_replay_resolve(options, programs);
    if (options->arguments.count == 0)
        return rh_bad_input("which program? as in rehearse %s --adapter %s -- ./program", verb,
                            options->adapter);
    if (rh_verb_takes_schedule(options->verb) && !options->schedule) {
        if (operands == 0)
            return rh_bad_input("which schedule? as in rehearse %s --adapter %s FILE -- ./program",
                                verb, options->adapter);
        options->schedule = options->operands.items[--operands];
    }
    if (operands > 0)
        return rh_bad_input("with --adapter %s the program comes after `--`, not before it as %s",
                            options->adapter, options->operands.items[0]);
    rh_words_add(programs, options->arguments.items[0]);
    options->arguments.count--;
    memmove(options->arguments.items, options->arguments.items + 1,
            options->arguments.count * sizeof *options->arguments.items);
    return rh_ok();
}

static struct rh_status find_library(const char *name, struct rh_text *path)
{
    if (rh_layout_find_beside(name, path))
        return rh_ok();
    return rh_failed("%s is not beside the command: install Rehearse again", name);
}

static struct rh_status preload(const char *name)
{
    struct rh_text path = {0};
    const char *others = getenv("LD_PRELOAD");
    struct rh_status status = find_library(name, &path);
    if (rh_is_ok(&status) && strpbrk(rh_text_get(&path), " :"))
        status = rh_bad_input("%s can't be loaded first: its path has blanks or colons",
                              rh_text_get(&path));
    if (others && *others)
        rh_text_addf(&path, ":%s", others);
    if (rh_is_ok(&status))
        setenv("LD_PRELOAD", rh_text_get(&path), 1);
    rh_text_fini(&path);
    return status;
}

// Programs make names of addresses: they are to be the same in every run. Where the system does not
// allow that, they are not.
static void fix_addresses(void)
{
    int before = personality(0xffffffff);
    if (before != -1)
        personality((unsigned)before | ADDR_NO_RANDOMIZE);
}

struct rh_status rh_adapted_find(const char *program, char **binary)
{
    fix_addresses();
    struct rh_status status = rh_program_check_dynamic(program, "ZeroMQ");
    if (rh_is_ok(&status))
        *binary = realpath(program, NULL);
    return rh_is_ok(&status) ? preload(zmq_library) : status;
}

// --- Programs with threads. ---

bool rh_threads_are_as_they_are(const struct rh_options *options)
{
    return options->threads && !options->adapter && options->arguments.count > 0 &&
           options->operands.count == 0;
}

void rh_threads_resolve(struct rh_options *options, struct rh_words *programs)
{
    rh_words_add(programs, options->arguments.items[0]);
    options->arguments.count--;
    memmove(options->arguments.items, options->arguments.items + 1,
            options->arguments.count * sizeof *options->arguments.items);
    options->is_as_it_is = true;
}

struct rh_status rh_threads_find(const char *program, char **binary)
{
    struct rh_status status = rh_program_check_dynamic(program, "threads");
    if (rh_is_ok(&status) && rh_program_defines(program, "__tsan_init"))
        return rh_bad_input(
            "%s has the run time of -fsanitize=thread in itself, as clang links it: "
            "link with -shared-libsan, or give its sources or object files",
            program);
    if (rh_is_ok(&status))
        *binary = realpath(program, NULL);
    return rh_is_ok(&status) ? preload(threads_library) : status;
}
