#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What must come out: a hundred messages back and forth, two actors of one behaviour with different numbers, a message to
# nobody, the overdraft through tellers that keep their order.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/symbolic/must.c" "$SOURCE/examples/bank.c" "$SOURCE"/subjects/savina/{thread_ring.c,savina.h} .

place() {
    grep -n -- "// $1" must.c | tail -1 | sed 's/:.*//; s/^/must.c:/'
}

expect 0 "$REHEARSE" reach must.c --test match "$(place 'the last')"
says '^ \* *200 '
says '^found: *by a search forward'

expect 0 "$REHEARSE" reach must.c --test vote "$(place 'two voters')"
says 'start to voter#3'
says 'start to voter#1'
says 'claim \{id = 7\}'

expect 1 "$REHEARSE" reach must.c --test ring "$(place 'to nobody')" --dereference
says '^a bad pointer or index on must.c:[0-9]+ is used in test ring$'
says 'rh_send to NULL'

expect 1 "$REHEARSE" reach bank.c bank.c:29 --check --delivery fifo
says 'teller#2 -> server#1  withdraw'

# ThreadRing's messages to NULL: a link that nobody has told its successor.
for line in $(grep -n 'rh_send(link->next' thread_ring.c | cut -d: -f1); do
    expect 1 "$REHEARSE" reach thread_ring.c "thread_ring.c:$line" --dereference --test short_way
    says 'rh_send to NULL'
done
