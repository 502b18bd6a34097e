#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# A program compiled by gcc and by clang, with and without optimization: equal executions, deliveries,
# findings and schedules.
set -u
if [ -n "${SANITIZE:-}" ]; then
    echo "the run time of one compiler's sanitizers does not fit the other's programs"
    exit 77
fi
command -v gcc >/dev/null && command -v clang >/dev/null || exit 77
failed=0

# result NAME COMPILER FLAGS PROGRAM
result() {
    rm -rf run
    mkdir run
    (cd run && CC=$2 "$REHEARSE" explore --keep-going --json --no-times --cflags "$3" "$4" \
        >out 2>err </dev/null; echo "status $?" >status)
    for file in run/*; do
        echo "== ${file#run/}"
        cat "$file"
    done >"$1.all"
}

for program in examples/bank.c examples/leader.c examples/retry.c examples/buffer.c tests/api/ask.c \
    tests/api/spawn.c tests/kinds/deadlock_two.c tests/thirdparty/jansson_tree.c; do
    result first gcc -O0 "$SOURCE/$program"
    grep -q '^status [01]$' first.all || {
        echo "FAIL $program"
        cat first.all
        failed=$((failed + 1))
        continue
    }
    for other in "gcc -O2" "clang -O0" "clang -O2"; do
        result other "${other% *}" "${other#* }" "$SOURCE/$program"
        cmp -s first.all other.all && continue
        echo "FAIL $program: gcc -O0 and $other differ"
        diff first.all other.all | head -n 10
        failed=$((failed + 1))
    done
done
[ $failed -eq 0 ]
