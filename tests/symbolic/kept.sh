#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Which behaviours an unknown address may have: those that the program's test ever puts into the field, by the body or by a
# handler, and otherwise any that takes the message. One address in one field: NULL breaks, and each behaviour is a test.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
[ -z "${SANITIZE:-}" ] || {
    echo "a sanitizer replaces malloc, so whose a block is can't be told"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/kept.c" .

# tests MESSAGE OPTION...: who the address turns out to be, one a line, in order.
names() {
    local message=$1
    shift
    expect 1 "$REHEARSE" generate kept.c --behaviour writer --message "$message" --no-aliases --deliveries-each 1 \
        --actors-each 1 "$@"
    says "as predicted\$"
    found=$(sed -n 's/^ *[0-9]* if .*== \(NULL\|[a-z]*#[0-9]\)$/\1/p' "$capture/stdout" | LC_ALL=C sort | tr '\n' ' ')
}
one() {
    names "$1" "${@:3}"
    [ "$found" = "$2" ] || fail "$*: $found"
}
one tell 'NULL logger#1 '
one use 'NULL printer#1 '
one rest 'NULL printer#1 '
# Any that takes notes, and a writer is one that hands them on: to nobody, to one of the others, or to a second writer who
# has nobody.
one tell 'NULL NULL NULL logger#1 logger#1 printer#1 printer#1 ' --any-behaviour

# A deaf one gets what it does not take. Of a field in which the test keeps nobody nothing is known: a logger, a printer, or a
# writer whose own field holds nobody, since one actor comes of that field at most.
one note 'NULL NULL NULL deaf#1 logger#1 printer#1 '
says 'note is not handled'
