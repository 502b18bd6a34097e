// SPDX-License-Identifier: MIT
// Says what is missing or in the way, one line for each thing, and what to do about it.
#ifndef REHEARSE_CLI_DOCTOR_H
#define REHEARSE_CLI_DOCTOR_H

#include <stdbool.h>

#include "base/text.h"

struct rh_doctor {
    struct rh_text text;
    bool has_problem;
};

void rh_doctor_add(struct rh_doctor *doctor, bool is_ok, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Adds what concerns the machine and the environment: memory, ptrace, preloaded libraries, gdb.
void rh_doctor_add_machine(struct rh_doctor *doctor);

// Prints the lines and frees the doctor; gives the exit status: 1 if there is a problem.
int rh_doctor_finish(struct rh_doctor *doctor);

// Examines the test program that this process is; with `with_machine` the machine too.
int rh_doctor_program(const char *program, bool with_machine);

// Whether a command of this name can be run. `path` receives the command's path.
bool rh_doctor_find_command(const char *name, struct rh_text *path);

#endif
