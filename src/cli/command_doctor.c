// SPDX-License-Identifier: MIT
#include <stdlib.h>

#include "cli/command.h"
#include "cli/doctor.h"

static void add_compiler(struct rh_doctor *doctor)
{
    struct rh_words words = {0};
    struct rh_text path = {0};
    const char *variable = getenv("CC");
    bool is_split = rh_words_split(&words, variable ? variable : "");
    const char *name = is_split && words.count ? words.items[0] : "cc";
    if (rh_doctor_find_command(name, &path))
        rh_doctor_add(doctor, true, "compiler", "%s", rh_text_get(&path));
    else
        rh_doctor_add(doctor, false, "compiler",
                      "%s was not found: sources cannot be compiled (apt install gcc, or set CC)",
                      name);
    rh_text_fini(&path);
    rh_words_fini(&words);
}

static void add_layout(struct rh_doctor *doctor)
{
    struct rh_layout layout = {0};
    struct rh_status status = rh_layout_find(&layout);
    if (rh_is_ok(&status)) {
        rh_doctor_add(doctor, true, "headers", "%s", layout.include_directory);
        rh_doctor_add(doctor, true, "library", "%s", layout.library);
    } else {
        rh_doctor_add(doctor, false, "library", "%s", status.text);
    }
    rh_layout_fini(&layout);
}

static void add_pkg_config(struct rh_doctor *doctor)
{
    struct rh_text path = {0};
    if (rh_doctor_find_command("pkg-config", &path))
        rh_doctor_add(doctor, true, "pkg-config", "%s", rh_text_get(&path));
    else
        rh_doctor_add(doctor, false, "pkg-config",
                      "not found: needed to compile tests by hand (apt install pkg-config)");
    rh_text_fini(&path);
}

// Only the verb `graph` needs LLVM, so it is no problem if the analysis is not there.
static void add_graph(struct rh_doctor *doctor)
{
    char *path = NULL;
    struct rh_text clang = {0};
    struct rh_status status = rh_analysis_find(&path);
    if (!rh_is_ok(&status))
        rh_doctor_add(doctor, true, "graph", "not available: %s", status.text);
    else if (!rh_doctor_find_command("clang-19", &clang))
        rh_doctor_add(doctor, true, "graph", "of bitcode only: sources need clang-19");
    else
        rh_doctor_add(doctor, true, "graph", "%s", path);
    rh_text_fini(&clang);
    free(path);
}

// Only what solves conditions needs Z3.
static void add_solver(struct rh_doctor *doctor)
{
#ifdef REHEARSE_HAS_Z3
    rh_doctor_add(doctor, true, "solver", "Z3");
#else
    rh_doctor_add(doctor, true, "solver",
                  "not available: Z3 was not there when Rehearse was built "
                  "(tools/install-deps symbolic, then make)");
#endif
}

int rh_command_doctor(void)
{
    struct rh_doctor doctor = {0};
    add_compiler(&doctor);
    add_layout(&doctor);
    add_pkg_config(&doctor);
    add_graph(&doctor);
    add_solver(&doctor);
    rh_doctor_add_machine(&doctor);
    return rh_doctor_finish(&doctor);
}
