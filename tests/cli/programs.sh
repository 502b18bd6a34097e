#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that are none, or that do not compile, or of another version: refused without running them.
. "$SOURCE/tests/cli/expect.bash"

# The compiler's own words are shown.
echo 'int main(void) { return undeclared_thing; }' >wrong.c
before=$(snapshot)
expect 2 "$REHEARSE" explore wrong.c
silent
says_error 'undeclared_thing'
says_error '^rehearse: wrong.c does not compile$'
[ "$before" = "$(snapshot)" ] || fail 'files changed'
echo 'int missing_function(void); int main(void) { return missing_function(); }' >unlinked.c
expect 2 "$REHEARSE" explore unlinked.c
says_error 'missing_function'
says_error '^rehearse: unlinked.c does not link$'
CC=no-such-compiler refuses 2 'till.c does not compile: cannot run no-such-compiler' \
    "$REHEARSE" list till.c
echo '// rehearse: -lm' >comment.c
refuses 2 'comment.c:1: a rehearse comment has --cflags or --libs' "$REHEARSE" list comment.c

refuses 2 'cannot read absent.c: No such file' "$REHEARSE" list absent.c
refuses 2 'cannot read absent: No such file' "$REHEARSE" list absent
refuses 2 'it is a directory, not a file' "$REHEARSE" list "$TMPDIR"
echo 'hello' >words.txt
refuses 2 'words.txt is not a program: it is neither' "$REHEARSE" explore words.txt
: >empty
refuses 2 'empty is not a program' "$REHEARSE" explore empty
printf '#!/bin/sh\ntouch was-run\n' >script
chmod +x script
refuses 2 'script is not a program' "$REHEARSE" explore script
mkfifo pipe
refuses 2 'cannot read pipe: it is a FIFO, not a file' timeout 10 "$REHEARSE" explore pipe

# A binary that is no test program must not run.
cat >plain.c <<'END'
#include <stdio.h>
int main(void) { fclose(fopen("was-run", "w")); return 0; }
END
cc -o plain plain.c
refuses 2 'plain is not a Rehearse test program: link it with librehearse' \
    "$REHEARSE" explore ./plain
expect 2 "$REHEARSE" explore plain.c
says_error "plain.c has no tests: write one"

# A test program of another version, and one whose file is damaged.
${CC:-cc} ${CFLAGS:-} -g -I"$SOURCE/include" till.c -o till "${LIBRARY:-$BUILD/librehearse.a}" -ldw -lelf -ljansson -lm ${LDLIBS:-}
expect 0 "$REHEARSE" list ./till
says '^overdraw +till.c:'
printf '0.0.9\0' >version
objcopy --update-section .rehearse_version=version till old
refuses 2 './old was built with Rehearse 0.0.9, this is .*: rebuild it' "$REHEARSE" list ./old
printf '\377\033\0' >version
objcopy --update-section .rehearse_version=version till strange
refuses 2 'unknown version' "$REHEARSE" list ./strange
objcopy --remove-section .rehearse_version till removed 2>objcopy.txt
refuses 2 'not a Rehearse test program' "$REHEARSE" list ./removed
for size in 3 20 64 1000 100000; do
    head -c $size till >cut
    chmod +x cut
    refuses 2 'cut is not a (program|Rehearse test program)' "$REHEARSE" list ./cut
done
# Offsets of the section table and of its entries that lead out of the file.
for offset in 40 58 60 62; do
    cp till damaged
    printf '\377\377\377\377' | dd of=damaged bs=1 seek=$offset conv=notrunc 2>dd.txt
    expect 2 "$REHEARSE" list ./damaged
    says_error '^rehearse: ./damaged is not a Rehearse test program'
done
cp till locked
chmod 644 locked
[ -x locked ] || refuses 2 'locked cannot be executed' "$REHEARSE" list ./locked
refuses 2 'till is a program already: it cannot be combined with own_main.c' \
    "$REHEARSE" list own_main.c till

[ ! -e was-run ] || fail 'a program that is none was run'
