#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Wherever a program would find libzmq.so.5, it gets the one that is under control; where ZeroMQ itself would be loaded
# beside that, the program is refused, or stops before it uses it.
. "$SOURCE/tests/zmq/zmq.shlib"
. "$SOURCE/tests/cli/expect.bash"
compile_zmq tests/zmq/beside -ldl
real=$(ldd ./beside | sed -n 's/.*libzmq\.so\.5 => \([^ ]*\).*/\1/p')
mkdir own other schedules
cp "$real" own/libzmq.so.5

explore() {
    local status=$1
    shift
    expect "$status" "$REHEARSE" explore --adapter zmq --output --save schedules -- "$@"
}

# By DT_RPATH, of the program or of a library that it needs.
compile_zmq tests/zmq/beside -ldl -Wl,--disable-new-dtags,-rpath,"$PWD/own"
ldd ./beside | grep -q "$PWD/own/libzmq" || fail 'the library is not found by DT_RPATH'
explore 0 ./beside use libzmq.so.5
says_error '^the same$'
echo 'void *zmq_ctx_new(void); void *make(void); void *make(void) { return zmq_ctx_new(); }' >make.c
echo 'void *make(void); int zmq_ctx_term(void *); int main(void) { return zmq_ctx_term(make()); }' >indirect.c
${CC:-cc} -shared -fPIC make.c -o own/libmake.so -Wl,--disable-new-dtags,-rpath,"$PWD/own" -lzmq &&
    ${CC:-cc} indirect.c -o indirect -Lown -lmake -lzmq -Wl,-rpath,"$PWD/own" || exit 1
ldd ./indirect | grep -q "$PWD/own/libzmq" || fail 'the library is not found by DT_RPATH of a library'
explore 0 ./indirect
says 'the only execution'

# A whole path is another library: it stops when that is used.
compile_zmq tests/zmq/beside -ldl
explore 3 ./beside use "$real"
says_error "^rehearse: dlopen has loaded $real, which has ZeroMQ itself in it: "
explore 3 ./beside use "$PWD/own/libzmq.so.5"
says_error 'which has ZeroMQ itself in it: '
explore 0 ./beside keep "$real"
says_error '^another one$'
explore 0 ./beside use libzmq.so.5
says_error '^the same$'

# Another name.
sed 's/libzmq\.so\.5/libzmx.so.5/g' "$real" >other/libzmx.so.5
${CC:-cc} indirect.c make.c -o renamed -Lother -l:libzmx.so.5 -Wl,-rpath,"$PWD/other" || exit 1
./renamed || fail 'the library by another name does not work'
refuses 2 "$PWD/other/libzmx.so.5 has ZeroMQ itself in it, .* under another name than libzmq.so.5" \
    "$REHEARSE" explore --adapter zmq -- ./renamed
${CC:-cc} indirect.c make.c -o both -Lother -lzmq -Wl,--no-as-needed -l:libzmx.so.5 -Wl,-rpath,"$PWD/other" || exit 1
refuses 2 "$PWD/other/libzmx.so.5 has ZeroMQ itself in it" "$REHEARSE" explore --adapter zmq -- ./both

# A static copy in the program, beside a library that needs the shared one.
archive=$(pkg-config --variable=libdir libzmq)/libzmq.a
if [ -e "$archive" ] && command -v readelf >/dev/null; then
    libraries=$(readelf -d "$real" | sed -n 's/.*NEEDED.*\[\(.*\)\]/-l:\1/p')
    # shellcheck disable=SC2086
    ${CC:-cc} indirect.c -o static -Lown -lmake -Wl,-rpath,"$PWD/own" "$archive" $libraries || exit 1
    refuses 2 'static has ZeroMQ itself in it, linked statically' "$REHEARSE" explore --adapter zmq -- ./static
fi
