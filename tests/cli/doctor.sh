#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Says what is there and what is missing.
. "$SOURCE/tests/cli/expect.bash"

run "$REHEARSE" doctor
for thing in compiler headers library pkg-config graph solver "actors' memory" ptrace gdb; do
    says "^(ok|problem) +$thing "
done
CC=no-such-compiler expect 1 "$REHEARSE" doctor
says '^problem +compiler +no-such-compiler was not found'
run "$REHEARSE" doctor till.c
says '^ok +program +till.c, built with Rehearse'
says '^ok +debug information'
says '^ok +tests +2$'
says '^ok +malloc '
[ -n "${SANITIZE:-}" ] || says '^ok +malloc +.*can be undone'
${CC:-cc} ${CFLAGS:-} -g0 -I"$SOURCE/include" till.c -o till "${LIBRARY:-$BUILD/librehearse.a}" -ldw -lelf -ljansson -lm ${LDLIBS:-}
expect 1 "$REHEARSE" doctor ./till
says '^problem +debug information +none: compile with -g'
run "$REHEARSE" doctor /bin/true
says_error 'not a Rehearse test program'
exit 0
