#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An execution has nothing from those before it: random numbers are the same, the working directory is a copy, processes
# that it leaves are ended. What is not under control is said once.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
pkg-config --exists uuid || {
    echo 'no libuuid here: tools/install-deps zmq'
    exit 77
}
mkdir kept
echo inner >kept/inner
compile_zmq tests/zmq/outside -luuid

sample() {
    local status=$1 runs=$2
    shift 2
    expect "$status" "$REHEARSE" sample --adapter zmq --save "$capture" --runs "$runs" "$@"
}

# Two runs print the same lines, and different ones: no two draws are alike.
sample 0 2 --output -- ./outside random
head -n 11 "$capture/stderr" >first
tail -n 11 "$capture/stderr" >second
[ "$(wc -l <"$capture/stderr")" -eq 22 ] && cmp -s first second || fail 'random numbers differ'
[ "$(sed 's/^[a-z]* //' first | sort -u | wc -l)" -eq 11 ] || fail 'the same number twice'
./outside random | sed -n 's/^main //p' >real
sed -n 's/^main //p' first | cmp -s real - || fail "not what libc's generator gives"

# A seed gives others, but not those of rand in main, which libc seeds; the schedule says which, and replays.
sample 0 1 --seed 7 --output -- ./outside random
cmp -s "$capture/stderr" first && fail 'the seed makes no difference'
sed -n 's/^main //p' "$capture/stderr" | cmp -s real - || fail "not what libc's generator gives, with a seed"
cp "$capture/stderr" seeded
sample 1 1 --seed 7 --no-shrink -- ./outside drawn
grep -q '^random 7$' "$capture/main.schedule" || fail 'no seed in the schedule'
expect 1 "$REHEARSE" replay --adapter zmq "$capture/main.schedule" -- ./outside drawn
sed -n 's/^ *prints   | //p' "$capture/stdout" | cmp -s - seeded || fail 'other random numbers in the replay'

# Files.
sample 0 5 -- ./outside files "$PWD"
! compgen -G 'temporary*' && [ ! -e relative ] && [ ! -e absolute ] && [ ! -e made ] && [ -e kept/inner ] || fail 'files were changed'
sample 1 5 --shared-files -- ./outside files "$PWD"
says '^replay:  rehearse replay .*--shared-files'
[ -e absolute ] && [ -e made ] || fail 'files were not shared'
rm -r made absolute temporary*

# What is not under control.
sample 0 3 -- ./outside descriptors
[ "$(grep -c '^note: .* not under control.*: socket, pipe$' "$capture/stdout")" -eq 1 ] || fail 'not said once'
sample 0 3 --json -- ./outside descriptors
says 'not under control'
sample 0 3 -- ./outside random
! grep -q 'not under control' "$capture/stdout" || fail 'random numbers are'

# Processes. One that was killed may wait for its parent to notice.
PIDS=$capture/pids sample 0 3 -- ./outside process
[ "$(wc -l <"$capture/pids")" -eq 3 ] || fail 'not three processes'
is_gone() {
    ! kill -0 "$1" 2>/dev/null || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null || ! kill -0 "$1" 2>/dev/null
}
while read -r pid; do
    # To be killed takes a while where all processors are busy.
    for ((i = 0; i < 100; i++)); do
        is_gone "$pid" && continue 2
        sleep 0.1
    done
    fail "process $pid is still there"
done <"$capture/pids"

sample 0 1 --output -- ./outside signal
says_error '^caught$'
