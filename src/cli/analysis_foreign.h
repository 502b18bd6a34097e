// SPDX-License-Identifier: MIT
// Has the program call functions that are not in its sources (cli/foreign.h).
#ifndef REHEARSE_CLI_ANALYSIS_FOREIGN_H
#define REHEARSE_CLI_ANALYSIS_FOREIGN_H

#include <sys/types.h>

#include "result/foreign.h"

struct rh_analysis_foreign {
    struct rh_foreign_caller caller;
    const char *binary; // borrowed
    bool is_started;
    pid_t process; // 0: none
    int socket;    // -1: none
};

void rh_analysis_foreign_init(struct rh_analysis_foreign *foreign, const char *binary);
void rh_analysis_foreign_fini(struct rh_analysis_foreign *foreign);

#endif
