#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# The tool built by gcc and by clang, on programs built by gcc and by clang: the same results byte for
# byte, schedules included. The compilers give a call that spans several lines different lines, so the calls
# of these programs stand on one.
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
    (cd run && CC=$compiler "$tool" explore --keep-going --json --no-times --max-executions 200 \
        --max-length 50 "$@" \
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

# compare_table DIRECTORY TABLE: the programs of its lines and their twins, each once with all its tests.
compare_table() {
    sed -n 's/#.*//;s/:.*//p' "$2" | awk '{ print $1, $2 ~ /^-D/ ? $2 : "" }' | LC_ALL=C sort -u >programs
    while read -r program twin; do
        case $program in
        hang*.c) continue ;; # only waits
        shared_depot.c) continue ;; # a part of shared_main.c
        shared_main.c)
            compare "$1/$program" "$1/shared_depot.c"
            continue
            ;;
        esac
        compare "$1/$program" --cflags "$twin"
    done <programs
}

compare_table "$SOURCE/examples" "$SOURCE/tests/programs/examples.txt"
compare_table "$SOURCE/tests/api" "$SOURCE/tests/api/golden.txt"
compare_table "$SOURCE/tests/kinds" "$SOURCE/tests/kinds/errors.txt"
compare_table "$SOURCE/tests/kinds" "$SOURCE/tests/kinds/crashes.txt"
compare_table "$SOURCE/tests/thirdparty" "$SOURCE/tests/thirdparty/golden.txt"
LEAVINGS_BUILDS=$PWD "$SOURCE/tests/programs/same_leavings.sh" || failed=$((failed + 1))
echo "$compared programs, $failed differences"
[ $failed -eq 0 ]
