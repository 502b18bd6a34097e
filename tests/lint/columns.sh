#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# No line of src and include is longer than 100 columns, and the check that says so notices one.
set -eu

"$SOURCE/tools/check-columns"

# line COLUMNS FILE: a tree with this one file, whose second line is a comment of so many columns.
line() {
    rm -rf tree
    mkdir -p "$(dirname "tree/$2")"
    words=$(printf "%$(($1 - 3))s" '' | tr ' ' x)
    printf '// SPDX-License-Identifier: MIT\n// %s\n' "$words" >"tree/$2"
}

expect_fine() {
    line "$@"
    "$SOURCE/tools/check-columns" tree >output || { echo "refused: $*"; cat output; exit 1; }
}

expect_refused() {
    line "$@"
    if "$SOURCE/tools/check-columns" tree >output 2>&1; then
        echo "not refused: $*"
        exit 1
    fi
    grep -q "^$2:2:" output || { echo "the message does not name $2:"; cat output; exit 1; }
}

expect_fine 100 src/world/a.c
expect_fine 100 include/rehearse/a.h
expect_fine 200 tests/a.c
expect_refused 101 src/world/a.c
expect_refused 101 src/world/state/a.h
expect_refused 101 src/entry/a.S
expect_refused 101 src/libc/functions.def
expect_refused 101 include/rehearse/a.h

# A column is a character, not a byte.
line 100 src/base/a.c
sed -i '2s/x/é/g' tree/src/base/a.c
"$SOURCE/tools/check-columns" tree
