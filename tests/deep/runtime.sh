#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# The threaded run time for longer: random topologies, also with ThreadSanitizer and AddressSanitizer in the library and
# in the program, ten million actors one after another, and Spin on the model of mailboxes and sleeping threads.
set -u
. "$SOURCE/tests/runtime/build.shlib"
failed=0
complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}
seed=$(date +%s)
echo "seed $seed"

build_program stress "$SOURCE/tests/runtime/stress.c" || exit 1
timeout 180 ./stress 60 "$seed" || complain "stress 60 $seed: status $?"
REHEARSE_DELAY=5 timeout 180 ./stress 10 "$seed" || complain "stress 10 $seed with delays: status $?"

build_program limits "$SOURCE/tests/runtime/limits.c" || exit 1
for threads in 1 2; do
    REHEARSE_THREADS=$threads timeout 300 ./limits churn 10000000 >out || complain "churn: status $?"
    cat out
    grep -q '^10000100 spawned, 100 alive,' out || complain churn
    [ -n "${SANITIZE:-}" ] || [ "$(sed 's/.*, \([0-9]*\) kB$/\1/' out)" -lt 30000 ] || complain "churn: memory"
done
# A minute of producers that outrun their consumer, whose mailbox is limited.
build_program overload "$SOURCE/tests/runtime/overload.c" || exit 1
for how in block drop; do
    REHEARSE_THREADS=4 timeout 120 ./overload $how 60s >out 2>err || complain "a minute of $how: status $?: $(cat err)"
    cat out
    grep -q ' 0 out of order,' out || complain "a minute of $how: $(cat out)"
    [ -n "${SANITIZE:-}" ] || [ "$(sed 's/.*, \([0-9]*\) kB$/\1/' out)" -lt 30000 ] || complain "a minute of $how: memory"
done

timeout 60 ./limits idle 10 >out || complain "idle: status $?"
[ -n "${SANITIZE:-}" ] || awk '{ exit !($1 < 0.005) }' out || complain "idle: $(cat out) processor seconds in 10"

# sanitized NAME SANITIZER: a library of its own, and programs with it.
sanitized() {
    make -C "$SOURCE" --no-print-directory SANITIZE="$2" BUILD="$PWD/$1" >"$1.log" 2>&1 || {
        complain "the library with $2: $(tail -n 5 "$1.log")"
        return
    }
    for program in stress overload limits record; do
        BUILD=$PWD/$1 CFLAGS="${CFLAGS:-} -fsanitize=$2" \
            build_program "$program-$1" "$SOURCE/tests/runtime/$program.c" || complain "$program with $2"
    done
    timeout 300 "./stress-$1" 60 "$seed" >out 2>&1 || complain "stress with $2: $(head -n 40 out)"
    REHEARSE_RECORD=run.trace timeout 300 "./stress-$1" 20 "$seed" >out 2>&1 ||
        complain "stress with $2, recorded: $(head -n 40 out)"
    for threads in 1 3; do
        export REHEARSE_THREADS=$threads
        timeout 120 "./overload-$1" block 3000 >out 2>&1 || complain "overload with $2: $(head -n 40 out)"
        timeout 120 "./overload-$1" block 3000 outside >out 2>&1 || complain "overload with $2: $(head -n 40 out)"
        timeout 120 "./overload-$1" drop 3000 >out 2>&1 || complain "overload with $2: $(head -n 40 out)"
        timeout 120 "./limits-$1" timers 20000 >out 2>&1 || complain "timers with $2: $(head -n 40 out)"
        timeout 120 "./limits-$1" churn 100000 >out 2>&1 || complain "churn with $2: $(head -n 40 out)"
        for what in 'digest 12 60' 'guests 8 30' squeeze drop 'serve none' late; do
            # shellcheck disable=SC2086
            REHEARSE_RECORD=run.trace timeout 120 "./record-$1" $what >out 2>&1 ||
                complain "recording $what with $2: $(head -n 40 out)"
        done
    done
    unset REHEARSE_THREADS
}
if [ -z "${SANITIZE:-}" ]; then
    sanitized thread thread
    sanitized address address,undefined
fi

# compile_model STORE FLAGS...
compile_model() {
    spin -a "${@:2}" mailbox.pml && ${CC:-cc} -O2 -w -DSAFETY -DMEMLIM=8000 "$1" pan.c -o pan || complain "spin ${*:2}"
}
# model FLAGS...: no state in which it goes wrong.
model() {
    compile_model -DCOLLAPSE "$@"
    ./pan -m2000000 -w27 >out
    grep -q 'errors: 0$' out && ! grep -q 'Search not completed' out || complain "the model with $*: $(head -n 20 out)"
}
# model_partly FLAGS...: none among those that are found in five minutes, in a table of bits.
model_partly() {
    compile_model -DBITSTATE "$@"
    ./pan -m1000000 -w32 -Q5 >out
    grep -q 'errors: 0$' out || complain "the model with $*: $(head -n 20 out)"
}
if command -v spin >/dev/null; then
    cp "$SOURCE/tests/runtime/mailbox.pml" .
    model -DPRODUCERS=1 -DEACH=3
    model -DPRODUCERS=1 -DEACH=2 -DWATCH=2
    model -DPRODUCERS=2 -DEACH=1 -DALONE # 100 million states, 5 GB
    model_partly -DPRODUCERS=2 -DEACH=2
else
    echo "spin is not installed: the model was not checked"
fi
[ $failed -eq 0 ]
