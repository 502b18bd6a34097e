#!/bin/sh
# SPDX-License-Identifier: MIT
# The macros are free of warnings, with every compiler at hand, in every program of examples and tests.
set -u
failed=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for program in "$SOURCE"/examples/*.c "$SOURCE"/tests/api/*.c "$SOURCE"/tests/kinds/*.c \
        "$SOURCE"/tests/thirdparty/*.c; do
        for twin in -UFIXED -DFIXED; do
            [ $twin = -UFIXED ] || grep -q '\bFIXED\b' "$program" || continue
            $compiler -std=c17 -Wall -Wextra -Wshadow -Wpedantic -Werror -fsyntax-only \
                -I"$SOURCE/include" $twin "$program" || failed=$((failed + 1))
        done
    done
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    $compiler -std=c++20 -Wall -Wextra -Wshadow -Wpedantic -Werror -fsyntax-only \
        -I"$SOURCE/include" "$SOURCE/tests/api/plus.cpp" || failed=$((failed + 1))
done
[ $failed -eq 0 ]
