#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is installed works by itself: the command on sources, and the library through pkg-config, from
# a prefix that was moved after installation too.
set -eu

test -x "$REHEARSE" || { echo 'the command is not built'; exit 77; }

DESTDIR=$TMPDIR/stage cmake --install "$BUILD" --prefix /usr >/dev/null
mv "$TMPDIR/stage/usr" "$TMPDIR/moved"
prefix=$TMPDIR/moved
for file in bin/rehearse lib/librehearse.a lib/librehearse-log.a lib/pkgconfig/rehearse.pc include/rehearse/actor.h include/rehearse/run.h \
    include/rehearse/check.h include/rehearse/test.h include/rehearse/version.h; do
    test -f "$prefix/$file" || { echo "$file was not installed"; exit 1; }
done
version=$(sed -n 's/^#define REHEARSE_VERSION "\(.*\)"$/\1/p' "$prefix/include/rehearse/version.h")
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
test "$(pkg-config --modversion rehearse)" = "$version"

# expect STATUS COMMAND...
expect() {
    local expected=$1 status=0
    shift
    "$@" >output 2>&1 || status=$?
    if [ $status -ne "$expected" ]; then
        echo "exit status $status instead of $expected: $*"
        cat output
        exit 1
    fi
}

cp "$SOURCE/examples/bank.c" .
# shellcheck disable=SC2046,SC2086
expect 0 "${CC:-cc}" -std=c17 -g -Wall -Wextra -Werror ${CFLAGS:-} bank.c -o bank \
    $(pkg-config --cflags --libs rehearse) ${LDLIBS:-}
expect 1 ./bank
expect 1 "$prefix/bin/rehearse" explore ./bank
expect 1 "$prefix/bin/rehearse" explore bank.c
