#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every macro of the public headers is free of warnings in C17 and C++20, with gcc and clang, and message
# types may stand in a header that several files share.
set -eu

folder=$SOURCE/tests/headers
warnings=(-Wall -Wextra -Wshadow -Wpedantic -Werror)

# compile COMPILER OPTION...: both files, and one object of the two.
compile() {
    local compiler=$1
    shift
    if ! command -v "$compiler" >/dev/null; then
        echo "$compiler is not installed"
        return
    fi
    for optimize in -O0 -O2; do
        for file in every_macro other_file; do
            "$compiler" "$@" "${warnings[@]}" $optimize -g -I"$SOURCE/include" \
                -c "$folder/$file.c" -o $file.o
        done
        "$compiler" -r -nostdlib every_macro.o other_file.o -o both.o
    done
    # The descriptors of the types are in a section that the library walks over.
    objdump -h both.o >sections
    for section in rh_types rh_tests rh_guards rh_orders rh_judges; do
        grep -q " $section " sections || { echo "$compiler: no section $section"; exit 1; }
    done
}

compile gcc -std=c17
compile gcc -std=gnu17
compile clang -std=c17
compile g++ -std=c++20 -x c++
compile clang++ -std=c++20 -x c++

# Each public header stands on its own.
for header in "$SOURCE"/include/rehearse/*.h; do
    printf "#include <rehearse/%s>\nextern int unused;\n" "$(basename "$header")" >alone.c
    gcc -std=c17 "${warnings[@]}" -I"$SOURCE/include" -fsyntax-only alone.c
done
