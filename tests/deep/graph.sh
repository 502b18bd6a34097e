#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# Whatever executions of all examples and subjects, as explored, and of 300 random programs do is in their graphs, for the
# former also in those of optimized bitcode; as sampled by tests/graph/sound.sh, too; and a minute of damaged bitcode ends in a
# clear word each time.
set -u
. "$SOURCE/tests/graph/compare.shlib"
begin_comparing
ALSO_OPTIMIZED=1 check_sources explore --reduction optimal --max-executions 20000
SOUND_ALL=1 "$SOURCE/tests/graph/sound.sh" || failed=$((failed + 1))
for seed in $(seq 1 300); do
    check_sound_random "$seed" || failed=$((failed + 1))
    rm -f "random-$seed"*
done

clang-19 -g -O1 -Xclang -disable-llvm-passes -I"$SOURCE/include" -emit-llvm -c \
    "$SOURCE/examples/bank.c" -o whole.bc || exit 1
size=$(stat -c %s whole.bc)
RANDOM=7
count=0
end=$((SECONDS + 60))
while [ $SECONDS -lt $end ]; do
    cp whole.bc damaged.bc
    if [ $((count % 3)) -eq 0 ]; then
        truncate -s $((RANDOM * 32768 % size + RANDOM % 100)) damaged.bc
    fi
    for _ in 1 2 3; do
        # shellcheck disable=SC2059
        printf "\\x$(printf %x $((RANDOM % 256)))" |
            dd of=damaged.bc bs=1 seek=$(((RANDOM * 32768 + RANDOM) % size)) conv=notrunc 2>/dev/null
    done
    "$REHEARSE" graph damaged.bc >output 2>error
    status=$?
    if { [ $status -ne 0 ] && [ $status -ne 2 ]; } || { [ $status -eq 2 ] && [ ! -s error ]; }; then
        echo "FAIL damaged bitcode: exit status $status"
        cat error
        failed=$((failed + 1))
    fi
    count=$((count + 1))
done
[ $count -ge 20 ] || failed=$((failed + 1))
[ $failed -eq 0 ]
