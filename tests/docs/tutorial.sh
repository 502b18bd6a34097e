#!/bin/sh
# SPDX-License-Identifier: MIT
# Every whole program of the tutorial compiles without a warning and ends as the tutorial says. A code
# block that starts with ```c file=NAME status=N is such a program.
set -u
failed=0
count=0

awk '
    /^```c file=/ {
        split($2, name, "="); split($3, status, "=")
        file = name[2]; print file, status[2] >"programs"
        next
    }
    /^```/ { if (file) close(file); file = "" }
    file { print >file }
' "$SOURCE/docs/tutorial.md"

mkdir saved
while read -r file status; do
    count=$((count + 1))
    ${CC:-cc} -std=c17 -Wall -Wextra -Wshadow -Wpedantic -Werror -fsyntax-only -I"$SOURCE/include" \
        "$file" || failed=$((failed + 1))
    "$REHEARSE" explore "$file" --save saved >"$file.out" 2>&1 </dev/null
    got=$?
    if [ $got -ne "$status" ]; then
        echo "FAIL $file: exit status $got instead of $status"
        cat "$file.out"
        failed=$((failed + 1))
    fi
done <programs

for schedule in saved/*; do
    "$REHEARSE" replay "$schedule" >replay.out 2>&1 </dev/null
    got=$?
    if [ $got -ne 1 ]; then
        echo "FAIL replay of $schedule: exit status $got instead of 1"
        cat replay.out
        failed=$((failed + 1))
    fi
done

echo "$count programs, $failed wrong"
[ $count -ge 4 ] && [ $failed -eq 0 ]
