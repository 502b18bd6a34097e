#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# A program without debug information, whose padding counts and is shown: the same result byte for byte over many runs
# with address randomisation on, and the same states however the search goes back.
set -u
if [ -n "${SANITIZE:-}" ]; then
    echo "under a sanitizer the stacks of handlers are not ours"
    exit 77
fi
failed=0

wrong() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# result NAME COMMAND...: everything that a search and a replay of what it found give; leaves NAME.all.
result() {
    name=$1
    shift
    rm -rf run
    mkdir run
    (
        cd run || exit
        "$@" explore --keep-going --json --no-times --max-executions 500 >out 2>err
        echo "status $?" >status
        "$@" replay --no-times --trace-states garbage.schedule >replay 2>&1
    ) </dev/null
    for file in run/*; do
        echo "== ${file#run/}"
        cat "$file"
    done >"$name.all"
}

# same_results LABEL TIMES COMMAND...
same_results() {
    label=$1
    times=$2
    shift 2
    result first "$@"
    grep -q '^status 1$' first.all || {
        wrong "$label: $(cat first.all)"
        return
    }
    run=1
    while [ $run -lt "$times" ]; do
        run=$((run + 1))
        result again "$@"
        cmp -s first.all again.all && continue
        wrong "$label: run $run differs: $(diff first.all again.all | head -n 20)"
        return
    done
}

# states PROGRAM OPTIONS...: how many there are.
states() {
    binary=$1
    shift
    "$binary" explore --states exact --keep-going --json --no-times --max-executions 0 "$@" |
        grep '"states":'
}

# build COMPILER FLAGS OUTPUT SOURCES...
build() {
    compiler=$1 flags=$2 output=$3
    shift 3
    "$compiler" $flags -g0 -I"$SOURCE/include" "$@" -o "$output" "$BUILD/librehearse.a" \
        $(pkg-config --libs libdw libelf jansson) -lm ${LDLIBS:-} || wrong "$output: not compiled"
}

here=$PWD
times=20
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in -O0 -O2; do
        program=$here/$compiler$level
        build $compiler $level "$program" "$SOURCE/tests/programs/garbage.c"
        same_results "$compiler $level" $times "$program"
        times=5
        "$program" explore --undo verify --keep-going --max-executions 200 >out 2>err
        [ $? -eq 1 ] || wrong "$compiler $level: --undo verify: $(cat out err)"
        on=$(states "$program") off=$(states "$program" --undo off)
        [ -n "$on" ] && [ "$on" = "$off" ] || wrong "$compiler $level: $on with undo, $off without"
    done
done
program=$here/plain
build cc -O1 "$program" "$SOURCE/tests/programs/garbage.c"
# A request of the command reaches the program that is executed again.
explore_by_command() {
    verb=$1
    shift
    case $verb in
    explore) "$REHEARSE" explore "$@" "$program" ;;
    replay) "$REHEARSE" replay "$@" ;;
    esac
}
same_results "by the command" 5 explore_by_command

# A main of the program's own is run once; what it has done before can't be done again.
cat >main.c <<'end'
#include <rehearse/test.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    fprintf(stderr, "main runs\n");
    return rh_test_main(argc, argv);
}
end
build cc -O1 own_main main.c "$SOURCE/tests/programs/garbage.c"
./own_main explore >out 2>err
[ $? -eq 1 ] && [ "$(grep -c 'main runs' err)" = 1 ] || wrong "own main: $(cat out err)"
grep -q 'padding counts, with bytes that differ in every run' out || wrong "own main: $(cat out)"

# Where addresses can't be fixed the search goes on without, and says so.
cc "$SOURCE/tests/programs/refuse_personality.c" -o refuse_personality
./refuse_personality "$program" explore >out 2>err
status=$?
if [ $status -ne 77 ]; then
    [ $status -eq 1 ] || wrong "personality refused: $(cat out err)"
    grep -q 'bytes that differ in every run' out || wrong "personality refused: $(cat out)"
    ./refuse_personality "$REHEARSE" doctor >out 2>err
    grep -q '^ok *fixed addresses *not allowed' out || wrong "doctor: $(cat out)"
fi
"$program" explore >out 2>err
grep -q 'padding counts: compile it with -g' out || wrong "$(cat out)"

# Compilers do not describe a message that its source never uses; that is no lack of debug information.
cat >unused.c <<'end'
#include <rehearse/test.h>
RH_MESSAGE(never, { char letter; long number; });
RH_MESSAGE(once, { char letter; long number; });
static void behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    (void)rh_as(message, once);
}
RH_TEST(unused)
{
    rh_send(rh_spawn(behaviour), once, {.letter = 'a', .number = 1});
}
end
"$REHEARSE" explore --no-times unused.c >out 2>err || wrong "unused.c: $(cat out err)"
! grep 'debug information' out || wrong "a message that is not used"
[ $failed -eq 0 ]
