#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# The reductions lose nothing on the tests of subjects/savina that plain enumeration completes.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so final states can't be compared"
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/reductions.shlib"
most=${SAVINA_MOST:-20000}

awk '!/^#/ && NF { print $1, $2 }' "$SOURCE/tests/subjects/savina.txt" | uniq >tests
completed=0
while read -r program test; do
    compile_once "$SOURCE/subjects/savina/$program.c"
    for rule in fifo any; do
        compare_reductions "$program $test $rule" "$verdict_binary" --test "$test" \
            --delivery $rule --environment closed --max-executions "$most" --max-length 100 &&
            completed=$((completed + 1))
    done
done <tests
echo "$completed completed"
[ $completed -ge 60 ] || disagree "only $completed were completed"
verdict_end
