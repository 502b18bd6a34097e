#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bad input gets a clear word and the exit status 2; several files are linked; bitcode is taken as it is.
set -u
. "$SOURCE/tests/graph/compare.shlib"
need_analysis
failed=0

# expect STATUS WORDS ARGUMENTS...: `rehearse graph ARGUMENTS` ends so, and says WORDS.
expect() {
    local status=$1 words=$2
    shift 2
    "$REHEARSE" graph "$@" >output 2>&1
    local got=$?
    if [ $got -ne "$status" ] || ! grep -qF -- "$words" output; then
        echo "FAIL rehearse graph $*: exit status $got, not $status, or without: $words"
        cat output
        failed=$((failed + 1))
    fi
}

to_bitcode() {
    clang-19 -g -O1 -Xclang -disable-llvm-passes -fno-eliminate-unused-debug-types \
        -I"$SOURCE/include" -emit-llvm -c "$1" -o "$2"
}

expect 2 'which program?'
# Whoever reads no more has seen enough.
mkfifo pipe
exec 3<>pipe 4>pipe 3<&-
"$REHEARSE" graph "$SOURCE/examples/bank.c" >&4 2>output
got=$?
exec 4>&-
if [ $got -ne 4 ] || [ -s output ]; then
    echo "FAIL rehearse graph without a reader: exit status $got: $(cat output)"
    failed=$((failed + 1))
fi
expect 2 'cannot read missing.c: No such file or directory' missing.c
expect 2 'cannot read missing.bc: No such file or directory' missing.bc
mkdir folder.c
expect 2 'cannot read folder.c: it is a directory, not a file' folder.c
echo 'int main(void) { return 0; }' >plain.cpp
expect 2 'graph looks at C sources (.c) and bitcode (.bc), not at plain.cpp' plain.cpp
echo 'this is not C' >words.c
expect 2 'words.c does not compile to bitcode' words.c
echo 'int answer(void) { return 42; }' >none.c
expect 2 'there is no test' none.c
expect 2 'no test of the name never' --test never "$SOURCE/examples/bank.c"
expect 2 '--dot, --svg and --json exclude each other' --dot --json "$SOURCE/examples/bank.c"
echo 'these are no bits' >words.bc
expect 2 'words.bc cannot be read as bitcode' words.bc
: >empty.bc
expect 2 'empty.bc cannot be read as bitcode' empty.bc

to_bitcode "$SOURCE/examples/bank.c" bank.bc
expect 0 'send deposit {amount = 50} to client' bank.bc
head -c 2000 bank.bc >half.bc
expect 2 'half.bc' half.bc
# Bitcode of a later LLVM may differ in the epoch that the first block names, in one bit of these.
found=no
for bit in $(seq 220 263); do
    cp bank.bc later.bc
    byte=$(od -A n -j $((bit / 8)) -N 1 -t u1 bank.bc)
    # shellcheck disable=SC2059
    printf "\\x$(printf %x $((byte ^ 1 << bit % 8)))" | dd of=later.bc bs=1 seek=$((bit / 8)) conv=notrunc 2>/dev/null
    "$REHEARSE" graph later.bc 2>&1 | grep -q 'later.bc cannot be read as bitcode of LLVM 19 or older: Incompatible epoch' &&
        found=yes && break
done
[ $found = yes ] || {
    echo 'FAIL bitcode of another epoch is read'
    failed=$((failed + 1))
}
for version in 14; do
    command -v clang-$version >/dev/null || continue
    clang-$version -g -O1 -Xclang -disable-llvm-passes -I"$SOURCE/include" -emit-llvm -c \
        "$SOURCE/examples/bank.c" -o older.bc
    # Without the option that keeps all types the names of fields are not known.
    expect 0 'send deposit to client' older.bc
done
# For another machine.
if to_bitcode none.c none.bc && clang-19 --target=i386-linux-gnu -ffreestanding -emit-llvm -c none.c -o small.bc; then
    expect 2 'is for another machine' small.bc
fi

# A behaviour and an address that are integers or texts for a while are followed; those that are made of numbers are not, and
# that is said.
cat >integers.c <<'END'
#include <rehearse/actor.h>
#include <rehearse/test.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
RH_SIGNAL(ping);
static void quiet_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}
RH_TEST(casts)
{
    uintptr_t number = (uintptr_t)quiet_behaviour;
    rh_send(rh_spawn((rh_behaviour *)number), ping);
}
RH_TEST(words)
{
    char words[32];
    snprintf(words, sizeof words, "%lx", (unsigned long)(uintptr_t)quiet_behaviour);
    rh_send(rh_spawn((rh_behaviour *)strtoul(words, NULL, 16)), ping);
}
static uintptr_t read_number(const char *words)
{
    uintptr_t number = 0;
    for (; *words; words++)
        number = 16 * number + (uintptr_t)(*words < 'a' ? *words - '0' : *words - 'a' + 10);
    return number;
}
RH_TEST(digits)
{
    char words[32];
    snprintf(words, sizeof words, "%lx", (unsigned long)(uintptr_t)quiet_behaviour);
    rh_actor *quiet = rh_spawn((rh_behaviour *)read_number(words));
    rh_send(quiet, ping);
    rh_send((rh_actor *)read_number(words), ping);
}
END
expect 0 'send ping to quiet  (integers.c:15)' --test casts integers.c
grep -q 'Not in the graph' output && {
    echo 'FAIL a behaviour in an integer is not followed'
    failed=$((failed + 1))
}
expect 0 'send ping to quiet  (integers.c:21)' --test words integers.c
expect 0 'Not in the graph, since whom it names is made of numbers:' --test digits integers.c
expect 0 'integers.c:34: spawn' --test digits integers.c
expect 0 'integers.c:36: send' --test digits integers.c
expect 0 '"integers.c:34: spawn"' --test digits --json integers.c

# Several files, one of them bitcode; functions of the same name in two of them.
cat >first.c <<'END'
#include <rehearse/test.h>
#include "both.h"
static void helper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    rh_ignore(message);
}
RH_TEST(both)
{
    rh_actor *first = rh_spawn(helper_behaviour);
    rh_actor *second = make_second();
    rh_send(first, ping);
    rh_send(second, ping);
}
END
cat >second.c <<'END'
#include "both.h"
static void helper_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    (void)self, (void)state;
    if (rh_as(message, ping))
        rh_stop();
}
rh_actor *make_second(void)
{
    return rh_spawn(helper_behaviour);
}
END
cat >both.h <<'END'
#include <rehearse/actor.h>
RH_SIGNAL(ping);
rh_actor *make_second(void);
END
expect 0 'send ping to helper (second.c)' first.c second.c
expect 0 'send ping to helper (first.c)' first.c second.c
to_bitcode second.c second.bc
expect 0 'send ping to helper (second.c)' first.c second.bc
# Without the second file what it does is not known, and that is said.
expect 0 'make_second' first.c
expect 2 'second.c does not link with the others' first.c second.c second.c

# A comment in a source, and flags.
sed '1i // rehearse: --cflags -DEXTRA=3' first.c | sed 's/rh_send(first, ping);/rh_send(first, ping); _Static_assert(EXTRA == 3 \&\& MORE == 4, "");/' >flags.c
expect 0 'helper (flags.c)' --cflags -DMORE=4 flags.c second.c

# Formats.
"$REHEARSE" graph --dot "$SOURCE/examples/bank.c" >bank.dot || failed=$((failed + 1))
dot -Tplain bank.dot >plain || failed=$((failed + 1))
[ "$(grep -c '^node' plain)" -eq 4 ] && [ "$(grep -c '^edge' plain)" -eq 6 ] || {
    echo 'FAIL dot does not see 4 nodes and 6 edges'
    failed=$((failed + 1))
}
grep -q 'style=dashed, label="{balance = 100}' bank.dot || failed=$((failed + 1))
expect 0 '</svg>' --svg "$SOURCE/examples/bank.c"
expect 0 '"verb": "graph"' --json "$SOURCE/examples/bank.c"

# The same every time.
"$REHEARSE" graph --json "$SOURCE/subjects/basset/server.c" >one
"$REHEARSE" graph --json "$SOURCE/subjects/basset/server.c" >two
cmp one two || failed=$((failed + 1))

# Without the executable that knows LLVM.
mkdir -p alone
cp "$REHEARSE" alone/rehearse
REHEARSE=$PWD/alone/rehearse expect 3 'apt install clang-19 llvm-19-dev graphviz' "$SOURCE/examples/bank.c"
[ $failed -eq 0 ]
