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

# A pointer to what is allocated once is a pointer, whichever compiler there is.
for compiler in gcc clang-14 clang-19; do
    command -v "$compiler" >/dev/null || continue
    CC=$compiler "$REHEARSE" refine "$SOURCE/subjects/threads/double_checked.c" >out 2>&1
    grep -q '^refinement: ' out || {
        echo "FAIL $compiler: the pointer that is published early is not found: $(cat out)"
        failed=1
    }
done

# What an object file does that was compiled without is not seen, and the search says so.
cat >beside.c <<'END'
int beside;
int step(void) { return ++beside; }
END
cat >calls.c <<'END'
#include <rehearse/component.h>
int step(void);
RH_THREADS(calls)
{
    rh_thread { RH_CALL(step()); }
    rh_thread { RH_CALL(step()); }
}
END
cc -g -O1 -c beside.c -o unseen.o
cc -g -O1 -fsanitize=thread -c beside.c -o seen.o
"$REHEARSE" refine calls.c unseen.o >out 2>&1
grep -q 'passed, 1 execution$' out && grep -q '^note:    not complete: object files' out || {
    echo "FAIL an object file without -fsanitize=thread: $(cat out)"
    failed=1
}
"$REHEARSE" refine calls.c seen.o >out 2>&1
grep -q '^race: ' out && ! grep -q 'not complete' out || {
    echo "FAIL an object file with -fsanitize=thread: $(cat out)"
    failed=1
}
[ $failed -eq 0 ]
