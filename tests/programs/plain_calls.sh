#!/bin/sh
# SPDX-License-Identifier: MIT
# Where calls are served on the world's stack they do what they do elsewhere.
. "$SOURCE/tests/programs/verdict.shlib"

if [ -n "${SANITIZE:-}" ]; then
    echo "under a sanitizer the stacks of handlers are not ours"
    exit 77
fi
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in "-O0 -g" "-O0 -g0" -O2; do
        $compiler $level -I"$SOURCE/include" "$SOURCE/tests/programs/plain_calls.c" -o program \
            "$BUILD/librehearse.a" $(pkg-config --libs libdw libelf jansson) -lm ${LDLIBS:-} || exit 1
        while read -r test status executions deliveries kinds; do
            explore_json row --reduction none --keep-going --test "$test" ./program
            expect "$compiler $level $test" row "$status" "$executions" "$deliveries" "$kinds"
        done <<'end'
scans 0 2 5 -
looks_up 0 1 2 -
starts 0 1 2 -
computes 0 1 2 -
asks_in_between 1 1 1 check
end
        grep -q 'in a function that libc calls back' row.json || disagree "$compiler $level: another finding"
    done
done
verdict_end
