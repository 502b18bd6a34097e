#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What functions of libc read and write is seen, whichever compiler the program is compiled by: each
# test of libc.c has a race, and with locks none. A program whose accesses are not seen would be
# complete after one execution.
set -u
failed=0
cp "$SOURCE/tests/threads/libc.c" .
count=$(grep -c '^EACH' libc.c)

look() { # COMPILER FLAGS PATTERN WANTED
    local got
    CC=$1 "$REHEARSE" refine --cflags "$2 -Wno-all" libc.c >out 2>&1
    got=$(awk -v pattern="$3" '/: test / { test = $3 } $0 ~ pattern && !seen[test]++ { count++ } END { print count + 0 }' out)
    [ "$got" = "$4" ] || {
        echo "FAIL $1 $2: $got tests are '$3', not $4"
        grep ': test' out
        failed=1
    }
}

for compiler in gcc clang-14 clang-19; do
    command -v "$compiler" >/dev/null || continue
    look "$compiler" '' '^race: ' "$count"
    look "$compiler" -DFIXED ': passed, 2 executions, complete$' "$count"
done
[ $failed -eq 0 ]
