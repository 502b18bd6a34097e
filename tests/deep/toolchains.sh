#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# The tool built by gcc and by clang, on programs built by gcc and by clang: the same results byte for
# byte, schedules included. A call that spans several lines has its source line at either end of it, as the
# compiler likes; the programs here have only calls for which both agree, or are named below.
set -u
command -v gcc >/dev/null && command -v clang >/dev/null || {
    echo "needs gcc and clang"
    exit 77
}
if [ -n "${SANITIZE:-}" ]; then
    echo "the run time of one compiler's sanitizers does not fit the other's programs"
    exit 77
fi
failed=0
compared=0

for compiler in gcc clang; do
    make -C "$SOURCE" --no-print-directory CC=$compiler BUILD="$PWD/$compiler" JOBS=2 >build.log 2>&1 || {
        tail -n 20 build.log
        exit 1
    }
done

# result NAME TOOL COMPILER ARGUMENTS...: what the tool that TOOL built says about a program that COMPILER
# built, and every file that it leaves, in NAME.all.
result() {
    name=$1
    tool=$PWD/$2/rehearse
    compiler=$3
    shift 3
    rm -rf run
    mkdir run
    (cd run && CC=$compiler "$tool" explore --keep-going --json --no-times --max-executions 200 "$@" \
        >out 2>err </dev/null; echo "status $?" >status)
    for file in run/*; do
        echo "== ${file#run/}"
        cat "$file"
    done >"$name.all"
}

# compare ARGUMENTS...: four ways to say the same.
compare() {
    result first gcc gcc "$@"
    compared=$((compared + 1))
    grep -q '^status [01]$' first.all || {
        echo "FAIL $*"
        head -n 20 first.all
        failed=$((failed + 1))
        return
    }
    for way in "gcc clang" "clang gcc" "clang clang"; do
        # shellcheck disable=SC2086
        result other $way "$@"
        cmp -s first.all other.all && continue
        echo "FAIL $*: tool and program by gcc, and by $way, differ"
        diff first.all other.all | head -n 10
        failed=$((failed + 1))
    done
}

for program in "$SOURCE"/examples/*.c "$SOURCE"/tests/thirdparty/*.c; do
    compare "$program"
done
for program in "$SOURCE"/tests/api/*.c "$SOURCE"/tests/kinds/*.c; do
    case $program in
    # Parts of others.
    */disagree_*.c | */shared_main.c | */shared_depot.c) continue ;;
    # Waiting is what these are about.
    */hang*.c) continue ;;
    # Different from run to run on purpose.
    */nondeterminism.c) continue ;;
    esac
    compare --max-length 20 "$program"
done
compare "$SOURCE/tests/api/shared_main.c" "$SOURCE/tests/api/shared_depot.c"
echo "$compared programs, $failed differences"
[ $failed -eq 0 ]
