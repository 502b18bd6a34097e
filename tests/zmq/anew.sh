#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# Programs whose libraries have threads before main: each execution starts them anew, these threads are under control too,
# and it is said. The executable's own constructors and destructors are part of each execution, whatever they do.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
mkdir -p schedules
${CC:-cc} -std=gnu17 -Wall -Wextra -g -shared -fPIC -DLIBRARY "$SOURCE/tests/zmq/anew.c" -o libhelper.so -pthread || exit 1
compile_zmq tests/zmq/anew
mv anew whole
compile_zmq tests/zmq/anew -DUSER -Wl,--no-as-needed -L. -lhelper -Wl,-rpath,"$PWD"
note='^note: +its libraries start threads before main: each execution starts the program anew'

explore() {
    local status=$1 what=$2
    shift 2
    expect "$status" "$REHEARSE" explore --adapter zmq --save schedules "$@" -- ./anew "$what"
    says "$note"
}

# The same as without Rehearse, in every execution: constructors run once in each, destructors too.
timeout 20 ./anew >real.txt || fail 'on ZeroMQ'
expect 0 "$REHEARSE" sample --adapter zmq --runs 3 --output -- ./anew
cat real.txt real.txt real.txt | diff - "$capture/stderr" || fail 'another output'
expect 0 "$REHEARSE" sample --adapter zmq --runs 200 -- ./anew
says "$note"

# A thread that the executable begins is one like all others.
timeout 20 ./whole | cmp - real.txt || fail 'on ZeroMQ'
expect 0 "$REHEARSE" sample --adapter zmq --runs 3 --output -- ./whole
cat real.txt real.txt real.txt | diff - "$capture/stderr" || fail 'another output'
grep -q '^note' "$capture/stdout" && fail 'a note'
expect 1 "$REHEARSE" explore --adapter zmq --save schedules --reduction optimal -- ./whole exit
says '^exit: the program ended with exit status 3 '
expect 1 "$REHEARSE" replay schedules/main.schedule
says '^exit: the program ended with exit status 3 '

# Findings, schedules and the debugger work as in other programs.
explore 1 exit --reduction optimal
says '^exit: the program ended with exit status 3 '
says 'main#1 +-> main#1/helper#1 +start'
says '-> main#1/helper#1 +wake condition variable changed'
expect 1 "$REHEARSE" replay schedules/main.schedule
says '^exit: the program ended with exit status 3 '
expect 1 "$REHEARSE" cover --adapter zmq --save schedules -- ./anew exit
says '^exit: '
rm schedules/*
explore 1 crash --reduction optimal
says '^crash: abort\(\) was called in main  at .*/anew\.c:[0-9]+ in main#1 '
if command -v gdb >/dev/null; then
    GDB='gdb -q -batch -ex continue -ex bt' expect 0 "$REHEARSE" replay --gdb schedules/main.schedule
    says '^#[0-9]+ .* in main \(argc=2'
fi
expect 0 "$REHEARSE" explore --adapter zmq --shared-files --max-executions 20 -- ./anew
says "$note"
expect 0 "$REHEARSE" explore --adapter zmq --json --max-executions 20 -- ./anew
says '"its libraries start threads before main'

# A thread of a library that nobody ends.
cat >library.c <<'END'
#include <pthread.h>
#include <unistd.h>
int answer(void);
int answer(void) { return 0; }
static void *run(void *argument) { for (;;) pause(); return argument; }
__attribute__((constructor)) static void begin(void) { pthread_t thread; pthread_create(&thread, NULL, run, NULL); }
END
cat >user.c <<'END'
#include <zmq.h>
int answer(void);
int main(void) { return answer() + zmq_ctx_term(zmq_ctx_new()); }
END
${CC:-cc} -shared -fPIC library.c -o libearly.so -pthread || exit 1
${CC:-cc} user.c -o user -L. -learly -Wl,-rpath,"$PWD" -lzmq || exit 1
expect 0 "$REHEARSE" explore --adapter zmq -- ./user
says '^\./user: test main: passed, the only execution, '
says "$note"

# The executable's constructors and destructors.
compile_zmq tests/zmq/constructors
for when in BEFORE AFTER; do
    while IFS=: read -r what status finding; do
        expect "$status" env $when="$what" setsid -w "$REHEARSE" explore --adapter zmq --hang-limit 20 --save schedules --json \
            -- ./constructors
        [ "$(head -n 1 "$capture/stdout")$(tail -n 1 "$capture/stdout")" = '{}' ] || fail "$when=$what: more than one object"
        says "$finding"
    done <<'END'
prints:0:"findings": \[\]
writes:0:"findings": \[\]
vanishes:0:"findings": \[\]
aborts:1:"message": "abort\(\) was called in act"
exits:1:"message": "the program ended with exit status 3"
kills:1:"message": "killed \(SIGKILL\)
loops:1:"message": "the handler does not end"
END
    [ ! -e written ] || fail "$when: a file is left"
done
