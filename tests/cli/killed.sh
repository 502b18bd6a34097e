#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What was found is not lost with the process that looks for more, nor with whoever reads what it says.
. "$SOURCE/tests/cli/expect.bash"
set -m # otherwise what runs in the background would ignore SIGQUIT

for program in kept till; do
    ${CC:-cc} ${CFLAGS:-} -g -I"$SOURCE/include" $program.c -o $program "${LIBRARY:-$BUILD/librehearse.a}" -ldw -lelf -ljansson -lm \
        ${LDLIBS:-}
done
mkfifo gate
search=(--reduction none --states none --keep-going --hang-limit 600000)

# until_gate COMMAND...: starts the command and waits until its search has come to the gate.
until_gate() {
    rm -f kept*.schedule
    trap 'kill -KILL "$started"' EXIT
    "$@" "${search[@]}" >"$capture/stdout" 2>"$capture/stderr" </dev/null &
    started=$!
    exec 3>gate
}

# all_kept STATUS: the search has ended with this status, and its three findings are in their files.
all_kept() {
    wait "$started"
    local status=$?
    trap - EXIT
    exec 3>&-
    [ "$status" -eq "$1" ] || fail "exit status $status instead of $1"
    [ "$(echo kept*.schedule)" = 'kept-2.schedule kept-3.schedule kept.schedule' ] ||
        fail "there are $(echo kept*.schedule)"
    for schedule in kept*.schedule; do
        "$REHEARSE" replay ./kept $schedule >"$capture/stdout" 2>"$capture/stderr"
        [ $? -eq 1 ] || fail "$schedule shows nothing"
        says 'FAILED again'
    done
}

until_gate ./kept explore
kill -KILL "$started"
all_kept 137

# Ctrl-\ ends a search as Ctrl-C does.
until_gate ./kept explore --no-shrink
kill -QUIT "$started"
all_kept 1
until_gate "$REHEARSE" explore ./kept --no-shrink
kill -QUIT "$started"
all_kept 1

# The command says what has become of the program.
until_gate "$REHEARSE" explore ./kept
kill -KILL "$(pgrep -P "$started")"
wait "$started"
says_error '^rehearse: ./kept was killed by SIGKILL while it ran its tests; what it had found by then is saved$'
all_kept 3

# Nobody has to listen to what is said on standard error, nor to be there at all.
expect 1 ./till explore --test overdraw --no-times --output
sed '/^asked/d' "$capture/stdout" >wanted.txt
cp overdraw.schedule wanted.schedule
mkfifo pipe
unheard() {
    rm -f overdraw.schedule
    "$@"
    local status=$?
    [ $status -eq 1 ] || fail "exit status $status: $*"
    cmp wanted.txt "$capture/stdout" || fail "another result: $*"
    cmp overdraw.schedule wanted.schedule || fail "another schedule: $*"
}
to_nobody() {
    exec 3<>pipe 4>pipe 3<&-
    "$@" >"$capture/stdout" 2>&4
    local status=$?
    exec 4>&-
    return $status
}
without() { "$@" >"$capture/stdout" 2>&-; }
without_input() { "$@" >"$capture/stdout" 2>&- <&-; }
for way in to_nobody without without_input; do
    unheard $way ./till explore --test overdraw --no-times --output
done
