// SPDX-License-Identifier: MIT
// Runs the test of a class of CZMQ that its library exports, by name: see selftests.sh.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    void (*test)(bool verbose) = NULL;
    if (argc > 1)
        *(void **)&test = dlsym(RTLD_DEFAULT, argv[1]);
    if (!test)
        return 2;
    test(false);
    return 0;
}
