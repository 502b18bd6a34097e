#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs as they are, after `--`: with locks alone under control, and with their memory where they
# were compiled with -fsanitize=thread; schedules name program and arguments. Those that can't be
# are refused with a reason.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}
cp "$SOURCE/tests/threads/as_it_is.c" .
"$CC" -g as_it_is.c -o plain -pthread
"$CC" -g -DFIXED as_it_is.c -o plain_fixed -pthread
# gcc links these to libtsan.so.2, whose place is taken.
if gcc -g -fsanitize=thread as_it_is.c -o seen 2>/dev/null; then
    gcc -g -fsanitize=thread -DFIXED as_it_is.c -o seen_fixed
else
    echo "no libtsan to link to"
fi
unseen='not compiled with -fsanitize=thread'

for program in plain seen; do
    [ -e $program ] || continue
    rm -f ./*.schedule
    for reduction in none source optimal; do
        "$REHEARSE" explore --adapter threads --reduction $reduction -- ./$program 1 >out 2>&1
        [ $? = 1 ] && grep -q '^crash: assertion failed: argc > 2 .* total == 2 \* rounds   as_it_is.c:[0-9]* in main' out || wrong "$program $reduction: $(head -5 out)"
    done
    grep -q "$unseen" out
    [ $? = $([ $program = plain ] && echo 0 || echo 1) ] || wrong "$program: $(grep note out)"
    [ $program = plain ] || grep -q ' writes total = 1 ' out || wrong "$program: memory is not seen: $(cat out)"
    grep -q '^arguments 1$' main.schedule || wrong "$program: its schedule lacks the arguments"
    "$REHEARSE" replay main.schedule >out 2>&1
    [ $? = 1 ] && grep -q '^crash: assertion failed' out || wrong "$program: the schedule shows nothing: $(cat out)"
    "$REHEARSE" shrink main.schedule >out 2>&1
    grep -q '^shrunk:  the least' out && "$REHEARSE" replay main-shrunk.schedule 2>&1 | grep -q '^crash: assertion failed' || wrong "$program: shrunk: $(cat out)"
    "$REHEARSE" sample --adapter threads --runs 100 -- ./$program 1 >out 2>&1
    [ $? = 1 ] && grep -q '^crash: assertion failed' out || wrong "$program: samples: $(cat out)"
    "$REHEARSE" explore --adapter threads -- ./$program 1 signal >out 2>&1
    [ $? = 1 ] && grep -q '^deadlock: main waits for a signal' out || wrong "$program: no deadlock: $(head -5 out)"
    for words in 1 '1 signal'; do
        # shellcheck disable=SC2086
        "$REHEARSE" explore --adapter threads -- ./${program}_fixed $words >out 2>&1
        [ $? = 0 ] && grep -q ': passed, ' out || wrong "${program}_fixed $words: $(head -5 out)"
        grep -q ': passed, .*, complete' out
        [ $? = $([ $program = plain ] && echo 1 || echo 0) ] || wrong "${program}_fixed $words: $(head -1 out)"
    done
done

refuses() { # TEXT WORDS...
    local text=$1
    shift
    "$REHEARSE" explore --adapter threads "$@" >out 2>&1
    [ $? = 2 ] && grep -q "$text" out || wrong "$*: $(cat out)"
}
"$CC" -static as_it_is.c -o static -pthread 2>/dev/null && refuses 'is linked statically' -- ./static
echo 'void __tsan_init(void) {} int main(void) { __tsan_init(); return 0; }' >own.c
"$CC" -rdynamic own.c -o own && refuses 'has the run time of -fsanitize=thread in itself' -- ./own
refuses 'cannot read ./none' -- ./none
refuses 'is not a program' -- ./as_it_is.c
[ $failed -eq 0 ]
