// SPDX-License-Identifier: MIT
// A main for programs with tests that runs the named test on threads. Gives what rh_run gives.
#include <stdio.h>
#include <string.h>

#include <rehearse/run.h>
#include <rehearse/test.h>

extern const struct rh_test *const __start_rh_tests[];
extern const struct rh_test *const __stop_rh_tests[];

static void run_body(void *context)
{
    const struct rh_test *test = *(const struct rh_test *const *)context;
    test->body();
}

int main(int count, char **arguments)
{
    for (const struct rh_test *const *test = __start_rh_tests; test < __stop_rh_tests; test++)
        if (count > 1 && strcmp((*test)->name, arguments[1]) == 0) {
            const struct rh_test *chosen = *test;
            return rh_run(&(rh_options){.context = &chosen}, run_body);
        }
    fprintf(stderr, "there is no such test\n");
    return 2;
}
