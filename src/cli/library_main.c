// SPDX-License-Identifier: MIT
// The main of a test program that has none of its own.
#include "cli/runner.h"

int main(int argc, char **argv)
{
    return rh__library_main(argc, argv);
}
