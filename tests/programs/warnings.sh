#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The macros are free of warnings, with every compiler at hand, in every program of examples and tests.
set -u
failed=0
set -- "$SOURCE"/examples/*.c "$SOURCE"/tests/api/*.c "$SOURCE"/tests/kinds/*.c
# Programs that need a library's headers have theirs looked at where they are run (thirdparty/libraries.sh).
for program in "$SOURCE"/tests/thirdparty/*.c; do
    grep -q "^${program##*/} *[a-z]" "$SOURCE/tests/thirdparty/libraries.txt" || set -- "$@" "$program"
done
twins=$(grep -lw FIXED "$@")

# compile COMPILER FLAG PROGRAM...
compile() {
    "$1" -std=c17 -Wall -Wextra -Wshadow -Wpedantic -Werror -fsyntax-only -I"$SOURCE/include" "$2" "${@:3}" ||
        failed=$((failed + 1))
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    compile $compiler -UFIXED "$@"
    # shellcheck disable=SC2086
    compile $compiler -DFIXED $twins
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    $compiler -std=c++20 -Wall -Wextra -Wshadow -Wpedantic -Werror -fsyntax-only \
        -I"$SOURCE/include" "$SOURCE/tests/api/plus.cpp" || failed=$((failed + 1))
done
[ $failed -eq 0 ]
