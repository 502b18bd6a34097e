// SPDX-License-Identifier: MIT
// The parts of the command `rehearse` that the library does not have: finding, compiling and
// running the program under test.
#ifndef REHEARSE_CLI_COMMAND_H
#define REHEARSE_CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/options.h"
#include "cli/words.h"

// Where Rehearse's headers and library are.
struct rh_layout {
    char *include_directory; // owned
    char *library;           // owned; path of librehearse.a
    char *threads_library;   // owned; path of librehearse-threads.a, which may not be there
};

struct rh_status rh_layout_find(struct rh_layout *layout);
void rh_layout_fini(struct rh_layout *layout);
// Finds a file of Rehearse beside the command, or where the command's installation has it; false if
// it is not there.
bool rh_layout_find_beside(const char *name, struct rh_text *path);

// A private temporary directory; nothing in it outlives the command.
struct rh_folder {
    char *path; // owned; NULL until the directory is made
};

// Makes it, if it is not there yet.
struct rh_status rh_folder_make(struct rh_folder *folder);
void rh_folder_remove(struct rh_folder *folder);

// Processes that the command starts. From rh_children_init on, signals that would end the command
// are blocked, and looked at only while it waits for a child, so that it leaves nothing behind.
struct rh_children {
    sigset_t caught;   // signals that are blocked
    sigset_t original; // signals that were blocked before, and are in a child
    int interrupted;   // the last signal that asked the command to end; 0: none
    // How long a program may take to answer a request, as rh_patience counts; 0: as long as it
    // likes.
    uint32_t start_ms;
    bool is_late; // it took longer, and was killed
};

// What the dynamic linker ends a process with if a library is missing.
enum { RH_STATUS_NOT_LOADED = 127 };

void rh_children_init(struct rh_children *children);

// Runs a command and waits for its end. With `request` >= 0 the command finds the request in its
// environment. `wait_status` is as from waitpid.
// `output` >= 0: what the command prints goes there.
struct rh_status rh_children_run(struct rh_children *children, const struct rh_words *command,
                                 int request, int output, int *wait_status);

// What kind of file an operand is, by its name.
enum rh_file_kind { RH_FILE_C, RH_FILE_CXX, RH_FILE_LINK, RH_FILE_BINARY };
enum rh_file_kind rh_file_kind_of(const char *path);

// Refuses, without executing it, a file that is no test program of this version.
struct rh_status rh_program_check(const char *path);

// Adds the flag at words->items[*index] of the comment in line `line` of a source to `flags`, or
// refuses it. A value that is a word of its own is joined to it, and *index moved on.
struct rh_status rh_flags_take(struct rh_words *flags, const struct rh_words *words, size_t *index,
                               const char *path, int line);

// Compiles sources and links them into `folder`; `binary` receives the path, owned by the caller.
struct rh_status rh_compile(struct rh_children *children, const struct rh_folder *folder,
                            const struct rh_options *options, const struct rh_words *sources,
                            char **binary);

// Compiles C sources to bitcode in `folder`; files of bitcode are taken as they are. `bitcode`
// receives the paths.
struct rh_status rh_compile_bitcode(struct rh_children *children, const struct rh_folder *folder,
                                    const struct rh_options *options,
                                    const struct rh_words *sources, struct rh_words *bitcode);

// Finds the executable that looks at bitcode, which is built and installed only where LLVM is;
// `path` is owned by the caller.
struct rh_status rh_analysis_find(char **path);

// Compiles sources to bitcode and lets the executable that knows LLVM do what the verb asks for;
// gives the exit status. `more`: words for that executable besides the command line's; may be NULL.
int rh_look_at_sources(struct rh_children *children, struct rh_folder *folder,
                       const struct rh_options *options, const struct rh_words *more);
// Refuses files that are neither sources nor bitcode, and says which tool is missing.
struct rh_status rh_sources_check(const struct rh_options *options);

// Runs the verb `generate` or `reach`; gives the exit status.
int rh_command_generate(struct rh_children *children, struct rh_folder *folder,
                        struct rh_options *options);

// Finds out which operands of `replay` are the program and which is the schedule, and sets
// options->schedule. If no program was given, takes the one that the schedule names.
struct rh_status rh_replay_resolve(struct rh_options *options, struct rh_words *programs);

// With --adapter zmq, the program and its arguments come after `--`, and the only operand is the
// schedule: takes the program out of options->arguments, and sets options->schedule. Without a
// program, takes program and arguments from the schedule.
struct rh_status rh_adapted_resolve(struct rh_options *options, struct rh_words *programs);

// Gives the program's path for exec, owned by the caller, and makes all programs that are executed
// later load the library that takes the place of ZeroMQ's.
struct rh_status rh_adapted_find(const char *program, char **binary);

// With --adapter threads a program may come as it is, after `--`, with its arguments.
bool rh_threads_are_as_they_are(const struct rh_options *options);
void rh_threads_resolve(struct rh_options *options, struct rh_words *programs);
// As rh_adapted_find, for a program with threads.
struct rh_status rh_threads_find(const char *program, char **binary);

// Refuses, without executing it, a file that is no dynamically linked program, in which something
// takes the place of `replaced`.
struct rh_status rh_program_check_dynamic(const char *path, const char *replaced);
// Whether the program itself defines the symbol for its libraries.
bool rh_program_defines(const char *path, const char *symbol);

// Runs the verb `doctor` for the machine and the tools; gives the exit status.
int rh_command_doctor(void);

#endif
