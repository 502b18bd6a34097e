#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 600
# A search is killed a hundred times, at any moment. What executions have found before the last one that began is saved, and
# whole. When it was killed decides how much that is, and not whether the test passes.
. "$SOURCE/tests/cli/expect.bash"
set -m
cases=20

# Whoever comes first fails a check of its own. The log says who came.
{
    cat <<'END'
#include <stdio.h>
#include <stdlib.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(visit, { int who; });

static void host_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct visit *visit = rh_as(message, visit);
    (void)self;
    (void)state;
    FILE *log = fopen(getenv("VISITS"), "a");
    fprintf(log, "%d\n", visit->who);
    fclose(log);
END
    for ((i = 0; i < cases; i++)); do
        echo "    rh_check(visit->who != $i);"
    done
    cat <<END
}

RH_TEST(host)
{
    rh_actor *host = rh_spawn(host_behaviour);
    char name[16];
    for (int i = 0; i < $cases; i++) {
        snprintf(name, sizeof name, "visitor %d", i);
        rh_send_from(rh_outside(name), host, visit, {.who = i});
    }
}
END
} >host.c
cc ${CFLAGS:-} -g -I"$SOURCE/include" host.c -o host "$BUILD/librehearse.a" -ldw -lelf -ljansson -lm ${LDLIBS:-}

export VISITS=$TMPDIR/visits
saved_in_all=0
for ((kill = 1; kill <= 100; kill++)); do
    rm -f host*.schedule "$VISITS"
    touch "$VISITS"
    ./host explore --reduction none --states none --keep-going >"$capture/stdout" 2>"$capture/stderr" </dev/null &
    search=$!
    sleep "$(printf '0.%03d' $((kill * 5)))"
    kill -KILL $search
    wait $search 2>"$capture/wait"
    last=$(sort -n "$VISITS" | tail -n 1)
    saved=0
    for ((i = 1; i <= cases; i++)); do
        schedule=host.schedule
        [ $i -eq 1 ] || schedule=host-$i.schedule
        [ -e $schedule ] && saved=$((saved + 1))
    done
    [ $saved -ge "${last:-0}" ] || fail "$last visitors have come, and $saved findings are saved"
    saved_in_all=$((saved_in_all + saved))
    [ $saved -gt 0 ] || continue
    newest=host-$saved.schedule
    [ $saved -eq 1 ] && newest=host.schedule
    expect 1 ./host replay $newest
    says 'FAILED again'
done
[ $saved_in_all -gt 0 ] || fail 'no search has come to a finding'
echo "$saved_in_all saved"
