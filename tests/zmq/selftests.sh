#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 300
# The tests that CZMQ's library has of its own classes end and print under control as they do on the real ZeroMQ, or are
# refused with the reason: selftests.txt says which. SELFTESTS=deep runs those that take long on the real one.
. "$SOURCE/tests/zmq/zmq.shlib"
pkg-config --exists libczmq || {
    echo 'no libczmq here: tools/install-deps zmq'
    exit 77
}
compile_zmq tests/zmq/selftests -Wl,--no-as-needed -lczmq -ldl
table=$SOURCE/tests/zmq/selftests.txt
library=$(ldd ./selftests | sed -n 's/.*libczmq\.so\.4 => \([^ ]*\).*/\1/p')
nm -D --defined-only "$library" | sed -n 's/.* T \(z[a-z0-9_]*_test\)$/\1/p' | sort >exported
sed -n 's/^\(z[a-z0-9_]*_test\) .*/\1/p' "$table" | sort >listed
[ -s exported ] || {
    echo 'the library has no tests of its classes'
    exit 77
}
failed=0

# A test works in src/selftest-rw, or in the current directory.
prepare() {
    rm -rf work
    mkdir -p work/src/selftest-ro work/src/selftest-rw
    cd work || exit 1
}

# same NAME: the same status and output.
same() {
    (prepare && timeout -s KILL 60 ../selftests "$1" >../real.txt 2>&1)
    local real=$?
    (prepare && timeout -s KILL 60 "$REHEARSE" sample --adapter zmq --runs 1 --output --save .. -- ../selftests "$1" \
        >../report.txt 2>../controlled.txt)
    local status=$?
    [ $real -eq $status ] && cmp -s real.txt controlled.txt && return
    echo "FAIL $1: exit status $status, and $real on the real library"
    diff real.txt controlled.txt
    cat report.txt
    failed=1
}

# refused NAME PATTERN: ends with this sentence, and is no finding.
refused() {
    (prepare && timeout -s KILL 60 "$REHEARSE" sample --adapter zmq --runs 1 --save .. -- ../selftests "$1" \
        >../report.txt 2>&1)
    local status=$?
    [ $status -eq 3 ] && grep -qE "$2" report.txt && return
    echo "FAIL $1: exit status $status, or no '$2'"
    cat report.txt
    failed=1
}

while read -r name size verdict pattern; do
    case $name in '' | '#'*) continue ;; esac
    [ "$size" = "${SELFTESTS:-quick}" ] && grep -qx "$name" exported || continue
    case $verdict in
    same) same "$name" ;;
    refused) refused "$name" "$pattern" ;;
    *) echo "FAIL $name: what is '$verdict'?"; failed=1 ;;
    esac
done <"$table"

# Debian's version has no test that is not listed.
if pkg-config --exact-version=4.2.1 libczmq && ! diff exported listed; then
    echo 'FAIL the list of tests'
    failed=1
fi
[ $failed -eq 0 ]
