// SPDX-License-Identifier: MIT
// The main of a test program that has none of its own.
#include <rehearse/test.h>

int main(int argc, char **argv)
{
    return rh_test_main(argc, argv);
}
