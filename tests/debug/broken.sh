#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Small programs of both compilers, damaged thousands of times: see test_broken.c.
set -eu
echo 'int main(void) { return 0; }' >main.c
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -g -o small main.c "$SOURCE/tests/debug/variants_part.c"
    "$BUILD/tests/debug/test_broken" 2000 1 small
    "$compiler" -g -gdwarf-4 -O2 -o small main.c "$SOURCE/tests/debug/variants_part.c"
    "$BUILD/tests/debug/test_broken" 2000 2 small
done
