#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A changed program has a changed diagram, and does not conform to the old one; a program that is only written in another
# way has the same diagram, byte for byte.
. "$SOURCE/tests/cli/expect.bash"
cp "$SOURCE/tests/diagram/crew.c" original.c
cc() {
    "$CC" -g -I"$SOURCE/include" "$1.c" -o "$1" "$LIBRARY" -ldw -lelf -ljansson -lm || exit 1
}
cc original
expect 0 "$REHEARSE" diagram ./original --save .
grep -v '^#' crew.diagram >original.text

# change SED: the program with this change.
change() {
    sed "$1" original.c >changed.c
    cmp -s original.c changed.c && fail "nothing has changed: $1"
    cc changed
    run "$REHEARSE" diagram ./changed
    grep -v '^#' "$capture/stdout" >changed.text
}

differs() {
    change "$1"
    cmp -s original.text changed.text && fail "the same diagram with $1"
    expect 1 "$REHEARSE" conform ./changed crew.diagram --at-least exact
    expect 1 "$REHEARSE" diagram ./changed --diff crew.diagram
    says ': not as in crew.diagram$'
}

stays() {
    change "$1"
    cmp -s original.text changed.text || fail "another diagram with $1: $(cat changed.text)"
    expect 0 "$REHEARSE" conform ./changed crew.diagram --at-least exact
    expect 0 "$REHEARSE" diagram ./changed --diff crew.diagram
    says ': as in crew.diagram$'
}

differs 's/rh_send(master->client, response)/(void)master->client/'              # one message less
differs 's/rh_reply(message, result);/&\n    rh_reply(message, result);/'        # one more
differs 's/== master->workers)/== 1)/'                                           # at another time
differs 's/== master->workers)/>= master->workers - 1)/'                         # twice
differs 's/rh_reply(message, result);/if (rh_choose(2))\n        rh_reply(message, result);/' # or not
differs 's/rh_parameter(int, workers, 3)/rh_parameter(int, workers, 2)/'         # others
differs 's/i < master->workers \&\& rh_as(message, request)/(rh_as(message, request) ? i < 1 : i == 0 \&\& master->results + 1 < master->workers)/' # one after the other
stays 's/++master->results == master->workers/--master->workers == 0/'
stays 's/int results;/&\n    int messages;/; s/(void)self;/&\n    (void)sizeof(int);/'
stays 's/rh_send(rh_spawn(worker_behaviour), work);/{ rh_actor *hand = rh_spawn(worker_behaviour); rh_send(hand, work); }/'
stays 's/rh_reply(message, result);/rh_send(rh_sender(message), result);/'
