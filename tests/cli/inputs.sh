#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Input that never ends, or that says how much memory it needs; and exit statuses: 1 is said of findings and of nothing
# else, 3 of what is missing.
. "$SOURCE/tests/cli/expect.bash"

build() {
    ${CC:-cc} ${CFLAGS:-} -g -I"$SOURCE/include" "$1" -o "$2" "${LIBRARY:-$BUILD/librehearse.a}" -ldw -lelf -ljansson -lm ${LDLIBS:-} ||
        fail "$1 does not compile"
}
build till.c till
expect 1 "$REHEARSE" explore ./till --test overdraw

# --- FIFOs and devices. ---

# Whatever is read: nothing waits for somebody who writes.
for kind in c o a so bc schedule suppressions coverage trace; do
    mkfifo "fifo.$kind"
done
mkfifo fifo
ln -s fifo.schedule linked.schedule
# refuses_at_once PATTERN ARGUMENTS...: refused at once.
refuses_at_once() {
    local pattern=$1
    shift
    expect 2 timeout 20 "$REHEARSE" "$@"
    silent
    says_error "^rehearse: $pattern"
}
refuses_at_once 'cannot read fifo.c: it is a FIFO' list fifo.c
refuses_at_once 'cannot read fifo.o: it is a FIFO' list till.c fifo.o
refuses_at_once 'cannot read fifo.a: it is a FIFO' list till.c fifo.a
refuses_at_once 'cannot read fifo.so: it is a FIFO' list till.c fifo.so
refuses_at_once 'cannot read fifo: it is a FIFO' list fifo
refuses_at_once 'cannot read fifo.schedule: it is a FIFO' replay fifo.schedule
refuses_at_once 'cannot read linked.schedule: it is a FIFO' replay linked.schedule
refuses_at_once 'cannot read fifo.schedule: it is a FIFO' replay ./till fifo.schedule
refuses_at_once 'cannot read fifo.schedule: it is a FIFO' shrink ./till fifo.schedule
refuses_at_once 'cannot read fifo.schedule: it is a FIFO' explore ./till --schedule fifo.schedule
refuses_at_once 'cannot read fifo.schedule: it is a FIFO' cover ./till --schedule fifo.schedule
refuses_at_once 'cannot read fifo.trace: it is a FIFO' replay ./till fifo.trace
refuses_at_once 'cannot read fifo.suppressions: it is a FIFO' explore ./till --suppressions fifo.suppressions
refuses_at_once 'cannot read fifo.coverage: it is a FIFO' coverage fifo.coverage
refuses_at_once 'cannot read /dev/zero: it is a device' coverage /dev/zero
refuses_at_once 'cannot read /dev/zero: it is a device' replay /dev/zero
refuses_at_once 'cannot read /dev/zero: it is a device' explore ./till --suppressions /dev/zero
refuses_at_once 'cannot read /dev/full: it is a device' list /dev/full
for program in fifo fifo.c; do
    sed "s/^program .*/program $program/" overdraw.schedule >of-fifo.schedule
    refuses_at_once "cannot read $program: it is a FIFO" replay of-fifo.schedule
done
if [ -e "$BUILD/zmq/libzmq.so.5" ]; then
    refuses_at_once 'cannot read ./fifo: it is a FIFO' explore --adapter zmq -- ./fifo
fi
if [ -x "$BUILD/rehearse-analysis" ]; then
    refuses_at_once 'cannot read fifo.c: it is a FIFO' graph fifo.c
    refuses_at_once 'cannot read fifo.bc: it is a FIFO' graph fifo.bc
    refuses_at_once 'cannot read fifo.coverage: it is a FIFO' graph till.c --coverage fifo.coverage
    expect 2 timeout 20 "$BUILD/rehearse-analysis" graph fifo.bc
    says_error 'cannot read fifo.bc: it is a FIFO'
fi
# What is written does not wait for a reader.
expect 3 timeout 20 "$REHEARSE" cover ./till --test calm --save-coverage fifo.coverage
says_error 'fifo.coverage: can.t be written'
mkdir saved
mkfifo saved/overdraw.schedule
expect 3 timeout 20 "$REHEARSE" explore ./till --test overdraw --save saved
says_error 'could not be saved'
says 'FAILED'

# --- Memory. ---

# Of many events of one actor there are tables, which grow with the square of their number.
awk 'BEGIN {
    print "rehearse coverage 1\nprogram a.c\ntest t\nexecutions 1\nactor a#1 @0000000000000001"
    for (i = 2; i < 60000; i++) printf "event m from b @%016x at a.c:1\n", i
    print "end" }' >large.coverage
# A sanitizer reserves more than the limit by itself.
[ -n "${SANITIZE:-}" ] || data='ulimit -d 600000;'
refuses 2 'large.coverage:16390: there are too many events: one actor has at most 16384' \
    bash -c "${data:-}"' exec "$REHEARSE" coverage large.coverage'
# The same for many actors and parts, which take as much together.
awk 'BEGIN {
    print "rehearse coverage 1"
    for (part = 0; part < 9; part++) {
        print "program a.c\ntest t" part "\nexecutions 1\nactor a#1 @0000000000000001"
        for (i = 2; i < 16000; i++) printf "event m from b @%016x at a.c:1\n", i
        print "end"
    } }' >parts.coverage
refuses 2 'parts.coverage:[0-9]*: what is read takes more than 1073741824 bytes' "$REHEARSE" coverage parts.coverage
rm -- *.coverage

# --- Exit statuses. ---

# A program whose destructor, or what it has registered, ends it with another status.
cat >ends.c <<'END'
#include <stdlib.h>
#include <unistd.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_TEST(fine)
{
}

__attribute__((destructor)) static void end_late(void)
{
    _exit(atoi(getenv("LATE")));
}
END
build ends.c ends
for status in 0 1; do
    LATE=$status expect 0 "$REHEARSE" explore ./ends
    LATE=$status expect 0 "$REHEARSE" list ./ends
    LATE=$status refuses 2 'no test' "$REHEARSE" explore ./ends --test none
done

# A debugger that fails has found nothing.
GDB=false expect 3 "$REHEARSE" replay --gdb overdraw.schedule
GDB=true expect 0 "$REHEARSE" replay --gdb overdraw.schedule

# A shared library that is missing, of the program and of the analysis.
echo 'int shared(void); int shared(void) { return 1; }' >shared.c
cc -shared -fPIC shared.c -o libshared.so
{ echo 'int shared(void);'; cat till.c; echo 'RH_TEST(uses) { rh_check(shared()); }'; } >uses.c
LDLIBS="-L. -lshared ${LDLIBS:-}" build uses.c uses
expect 0 env LD_LIBRARY_PATH=. "$REHEARSE" explore ./uses --test uses
expect 3 "$REHEARSE" explore ./uses --test uses
says_error 'before its tests could run.*is a shared library missing'
if [ -x "$BUILD/rehearse-analysis" ] && [ -z "${SANITIZE:-}" ]; then
    library=$(ldd "$BUILD/rehearse-analysis" | sed -n 's/.*\(libLLVM[^ ]*\) =>.*/\1/p' | head -n 1)
    mkdir broken
    echo 'no library' >"broken/$library"
    expect 3 env LD_LIBRARY_PATH=broken "$REHEARSE" graph till.c
    says_error "^rehearse: till.c does not compile to bitcode: clang-19 can't be loaded"
    clang-19 -g -I"$SOURCE/include" -emit-llvm -c till.c -o till.bc
    expect 0 "$REHEARSE" graph till.bc
    expect 3 env LD_LIBRARY_PATH=broken "$REHEARSE" graph till.bc
    says_error '^rehearse: looking at till.bc ended with exit status 127'
    # Functions that are made of each other take for ever to be put together.
    {
        echo 'static inline __attribute__((always_inline)) int f0(int x) { return x + 1; }'
        for level in {1..30}; do
            before=f$((level - 1))
            echo "static inline __attribute__((always_inline)) int f$level(int x) { return $before($before($before(x))); }"
        done
        cat till.c
        echo 'int all(int x); int all(int x) { return f30(x); }'
    } >tower.c
    refuses 2 'reading tower.c takes longer than 1 s: is it damaged' timeout 60 "$REHEARSE" graph tower.c --read-limit 1
    # Memory that LLVM does not get.
    {
        cat till.c
        for i in {1..2000}; do echo "int g$i(int x); int g$i(int x) { return x > $i ? g$i(x * $i) : 3; }"; done
    } >wide.c
    clang-19 -g -I"$SOURCE/include" -emit-llvm -c wide.c -o wide.bc
    status=3
    for ((limit = 150000; limit < 2000000 && status; limit += 25000)); do
        run bash -c "ulimit -v $limit; exec \"\$REHEARSE\" graph wide.bc"
        status=$?
        [ $status -eq 0 ] || [ $status -eq 3 ] || fail "graph with ulimit -v $limit: exit status $status instead of 3"
        [ $status -eq 0 ] || cp "$capture/stderr" last
    done
    grep -q 'out of memory\|Cannot allocate memory' last || fail "not said that memory is out: $(cat last)"
fi

# Address space that is not to be had. A sanitizer has taken it before.
if [ -z "${SANITIZE:-}" ]; then
    # In the middle of a search: a worker that has no memory has not found an exit of the program.
    cat >starve.c <<'END'
#include <sys/resource.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(go, { int left; });

static void eater(rh_actor *self, void *state, const rh_message *message)
{
    const struct go *go = rh_as(message, go);
    (void)state;
    setrlimit(RLIMIT_AS, &(struct rlimit){1, 1});
    if (go && go->left > 0) {
        rh_send(self, go, {.left = go->left - 1});
        rh_send(rh_spawn(eater), go, {.left = go->left - 1});
    }
}

RH_TEST(starve)
{
    rh_send(rh_spawn(eater), go, {.left = 16});
}
END
    build starve.c starve
    refuses 3 'out of memory: [0-9]+ bytes could not be had' "$REHEARSE" explore ./starve --max-executions 300
    for limit in 100000 1000000 20000000; do
        run bash -c "ulimit -v $limit; exec \"\$REHEARSE\" explore ./till --test calm"
        status=$?
        [ $status -eq 3 ] || fail "ulimit -v $limit: exit status $status instead of 3"
        says_error '^rehearse: '
        run bash -c "ulimit -v $limit; exec \"\$REHEARSE\" replay ./till overdraw.schedule"
        status=$?
        [ $status -eq 3 ] || fail "replay with ulimit -v $limit: exit status $status instead of 3"
    done
fi
exit 0
