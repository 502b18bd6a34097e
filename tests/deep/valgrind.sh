#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# Valgrind has nothing to say about the unit tests, about the command, or about the processes that run a
# program under test. Each process starts slowly there, so the programs are those with few executions.
set -u
command -v valgrind >/dev/null || {
    echo "valgrind is not installed"
    exit 77
}
if [ -n "${SANITIZE:-}" ]; then
    echo "a program runs under Valgrind or with a sanitizer, not both"
    exit 77
fi
failed=0

# watch STATUS LABEL COMMAND...: exits with STATUS, and Valgrind is silent. What libdw keeps in a tree of
# tagged pointers looks lost to it, so only blocks that nothing points to count.
watch() {
    wanted=$1
    label=$2
    shift 2
    valgrind -q --error-exitcode=9 --trace-children=yes --trace-children-skip='*/cc,*/ld,*/as,*/sh' \
        --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        --log-file=valgrind.%p.log "$@" >out 2>err </dev/null
    status=$?
    if { [ $status -ne "$wanted" ] && [ $status -ne 77 ]; } || [ -n "$(cat valgrind.*.log)" ]; then
        echo "FAIL $label: status $status"
        tail -n 5 err
        cat valgrind.*.log | head -n 40
        failed=$((failed + 1))
    fi
    rm -f valgrind.*.log
}

# A small one to damage: this one reads itself otherwise, which is large.
printf 'struct sample { int amount; } sample; int main(void) { return sample.amount; }\n' >small.c
${CC:-cc} -g small.c -o small || exit 1

for test in $(find "$BUILD/tests" -type f -name 'test_*' -perm -u+x | LC_ALL=C sort); do
    case $test in
    */test_broken) watch 0 "$test" "$test" 20 1 ./small ;;
    *) watch 0 "$test" "$test" ;;
    esac
done

# program NAME SOURCE: compiled here, so that no compiler runs under Valgrind.
program() {
    ${CC:-cc} -g -I"$SOURCE/include" "$2" "$BUILD/librehearse.a" -o "$1" -ldw -lelf -ljansson -lm
}
program check "$SOURCE/tests/kinds/check.c" || exit 1
program ask "$SOURCE/tests/api/ask.c" || exit 1

watch 0 list "$REHEARSE" list ./ask
watch 1 "explore check" "$REHEARSE" explore --keep-going --json --no-times ./check
watch 1 "replay check" "$REHEARSE" replay check.schedule
watch 0 "explore ask" "$REHEARSE" explore --test only_the_reply ./ask
watch 0 "sample ask" "$REHEARSE" sample --runs 2 --seed 7 --test ask_nested ./ask
watch 0 "the program itself" ./ask explore --test ask_once
watch 2 "a bad schedule" "$REHEARSE" replay ./ask "$SOURCE/tests/deep/valgrind.sh"
[ $failed -eq 0 ]
