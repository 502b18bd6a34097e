#!/bin/sh
# SPDX-License-Identifier: MIT
# What UndefinedBehaviorSanitizer finds and lets a program survive is a crash at its line, in the order that shows it.
. "$SOURCE/tests/programs/verdict.shlib"

cc=${CC:-cc}
DESTDIR=$PWD/installed cmake --install "$BUILD" --prefix / >/dev/null || exit 1
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/installed" -name rehearse.pc)")
export PKG_CONFIG_PATH
for sanitizers in undefined address,undefined; do
    # shellcheck disable=SC2046,SC2086
    $cc -g "$SOURCE/tests/kinds/undefined.c" -o program $(pkg-config --cflags --libs rehearse) ${LDLIBS:-} \
        -fsanitize=$sanitizers 2>compiler.err || {
        echo "no sanitizers here: $(head -n 1 compiler.err)"
        exit 77
    }
    verdict_count=$((verdict_count + 1))
    "$REHEARSE" explore ./program --reduction none --keep-going --no-times --save . >run.txt 2>run.err </dev/null
    verdict_status=$?
    [ $verdict_status = 1 ] || disagree "$sanitizers: status $verdict_status" "$(cat run.err)"
    grep -q 'FAILED after 2 executions, 3 deliveries' run.txt || disagree "$sanitizers: counts" "$(head -n 1 run.txt)"
    grep -q '^crash: .*undefined\.c:20 in sum#1' run.txt || disagree "$sanitizers: no crash" "$(cat run.txt)"
    grep -q 'runtime error: .*integer overflow: 1 + 2147483647' run.txt || disagree "$sanitizers: no words" "$(cat run.txt)"
    ! grep -q shared-state run.txt || disagree "$sanitizers: shared-state"
done
verdict_end
