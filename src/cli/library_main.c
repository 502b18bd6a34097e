// SPDX-License-Identifier: MIT
// The main of a test program that has none of its own.
#include "cli/runner.h"

// Says that the program's main is this one.
extern const char rh__library_has_main;
const char rh__library_has_main = 1;

int main(int argc, char **argv)
{
    return rh__library_main(argc, argv);
}
