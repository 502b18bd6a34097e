// SPDX-License-Identifier: MIT
#include "cli/progress.h"
#include "test.h"

static void expect_line(const struct rh_progress *progress, uint64_t bound, int width,
                        const char *wanted)
{
    struct rh_progress_line line = {.test = "overdraw", .max_executions = bound};
    struct rh_text text = {0};
    rh_progress_add(&text, &line, progress, width);
    EXPECT_TEXT(rh_text_get(&text), wanted);
    rh_text_fini(&text);
}

int main(void)
{
    struct rh_progress start = {.executions = 3, .seconds = 0.1, .done = -1};
    expect_line(&start, 0, 80, "overdraw: 3 executions, 0 found");
    struct rh_progress later = {.executions = 2000, .findings = 1, .seconds = 4, .done = 0.25};
    expect_line(&later, 0, 80,
                "overdraw: 2000 executions, 500/s, 1 found, about 25% done, 12 s left");
    expect_line(&later, 4000, 80,
                "overdraw: 2000 executions, 500/s, 1 found, about 50% done, 4 s left");
    expect_line(&later, 0, 20, "overdraw: 2000 exec");
    struct rh_progress hardly = {.executions = 2000, .seconds = 4, .done = 1e-9};
    expect_line(&hardly, 0, 80,
                "overdraw: 2000 executions, 500/s, 0 found, less than 1% done, days left");
    struct rh_progress states = {.executions = 3, .states = 800, .seconds = 4, .done = -1};
    expect_line(&states, 0, 80, "overdraw: 800 states, 200/s, 0 found");
    struct rh_progress goals = {.executions = 40,
                                .findings = 1,
                                .goals_covered = 7,
                                .goals_known = 12,
                                .seconds = 4,
                                .done = -1};
    expect_line(&goals, 0, 80, "overdraw: 40 executions, 10/s, 1 found, 7 of 12 goals covered");
    struct rh_progress only = {.executions = 12, .findings = 1, .done = -1, .shrinking = 1};
    expect_line(&only, 4000, 80, "overdraw: shrinking, 12 executions");
    struct rh_progress second = {.executions = 7, .findings = 3, .done = -1, .shrinking = 2};
    expect_line(&second, 0, 80, "overdraw: shrinking finding 2 of 3, 7 executions");
    return 0;
}
