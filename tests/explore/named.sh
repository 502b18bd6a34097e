#!/bin/sh
# SPDX-License-Identifier: MIT
# Judges that find actors by name: whatever leaves out orders or states finds what plain enumeration does.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/programs/reductions.shlib"

compile_once "$SOURCE/tests/explore/named.c" || exit 1
named=$verdict_binary
compare_reductions named "$named"
compare_modes -t "$SOURCE/tests/explore/named.txt" named "$named" <<END
--reduction none
--reduction none --undo verify : same
--reduction none --states exact : findings
--reduction none --states actors : findings
--reduction source --states exact : findings
END

# says STATUS TEXT COMMAND...
says() {
    wanted=$1 text=$2
    shift 2
    "$@" >out 2>&1
    status=$?
    [ $status -eq "$wanted" ] && grep -qF "$text" out || disagree "status $status, or no: $text" "$(cat out)"
}
compile_once "$SOURCE/tests/explore/named.c" -DMISUSE || exit 1
says 1 'check: rh_view of NULL: there is no such actor' "$REHEARSE" explore "$verdict_binary" --test no_such_actor
says 1 'check: rh_view_named outside of a judge' "$REHEARSE" explore "$verdict_binary" --test in_handler

# On threads actors have other names.
cat >threads.c <<'END'
#include <rehearse/run.h>
#include <rehearse/test.h>
static void look(const void *context)
{
    (void)context;
    rh_view_named("one#1");
}
static void set_up(void *context)
{
    (void)context;
    rh_finally(look, int, {0});
}
int main(void)
{
    return rh_run(0, set_up);
}
END
# shellcheck disable=SC2086
${CC:-cc} -g ${CFLAGS:-} -I"$SOURCE/include" threads.c "${LIBRARY:-$BUILD/librehearse.a}" -o threads -ldw -lelf -ljansson \
    -lm ${LDLIBS:-} || exit 1
says 134 'rh_view_named("one#1") on threads, where actors have other names' sh -c 'exec ./threads'
verdict_end
