#!/bin/sh
# SPDX-License-Identifier: MIT
# A crash is found at its line, however the stack looks and wherever the source lies; in each run again.
. "$SOURCE/tests/programs/verdict.shlib"

# A folder with the name of one of the library's own.
mkdir -p src/world
cp "$SOURCE/tests/explore/crash_places.c" src/world/places.c

for level in -O0 -O2; do
    ${CC:-cc} -g $level ${CFLAGS:-} -I"$SOURCE/include" src/world/places.c "$BUILD/librehearse.a" \
        -o places -ldw -lelf -ljansson -lm ${LDLIBS:-} || exit 1
    for name in $(sed -n 's/^RH_TEST(\(.*\))$/\1/p' src/world/places.c); do
        # A sanitizer's own version of libc's function finds it, and has frames of its own.
        [ -n "${SANITIZE:-}" ] && [ "$name" = in_libc ] && continue
        verdict_count=$((verdict_count + 1))
        explore_json "$name" --test "$name" ./places
        place="$(json_kinds "$name.json") $(json_strings "$name.json" file):$(json_number "$name.json" line)"
        expected="crash src/world/places.c:$(grep -n "// $name\$" src/world/places.c | cut -d: -f1)"
        [ "$place" = "$expected" ] ||
            disagree "$name $level: $place, not $expected" "$(head -c 900 "$name.json")"
    done
    verdict_count=$((verdict_count + 1))
    grep -q '"actor": "dying#1"' killed.json || disagree "killed $level: in which actor?" "$(cat killed.json)"
done
verdict_end
