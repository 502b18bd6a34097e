#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each execution finds the working directory as it was, and leaves it as it was; what executions share is said.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/cli/expect.bash"

compile_once "$SOURCE/tests/explore/files.c"
program=$PWD/$verdict_binary
mkdir place schedules place/in
echo 4 >beside
cd place || exit 1
echo 1 >kept
echo 1 >gone
echo 1 >in/side
ln -s kept link
mkfifo fifo
chmod 640 kept
export START=$PWD
# Copies that lie in a directory change its time.
look() {
    find . \( -type d -printf '%p %m\n' -o -printf '%p %m %T@ %l\n' \) | sort
    cat kept gone in/side
}
look >../before

search() {
    expect "$1" "$program" explore --save ../schedules --reduction none --states none --keep-going --no-shrink "${@:2}"
    look >../after
    cmp ../before ../after || fail "files were changed: $*"
    [ -z "$(find "$TMPDIR" -maxdepth 1 -name 'rehearse-files-*')" ] || fail "a copy was left: $*"
}

# Six orders of three jobs. With undo and without.
for undo in on off verify; do
    for test in counts names body; do
        search 0 --test $test --undo $undo
        says "test $test: passed, all 6 executions"
        ! grep -q 'share files' "$capture/stdout" || fail "$test shares files"
    done
    search 1 --test fails --undo $undo
    says 'test fails: FAILED after 6 executions'
    says 'seen 3 times'
    expect 1 "$program" replay ../schedules/fails.schedule
    says 'FAILED again'
done
# What is found is shrunk to what replays.
expect 1 "$program" explore --save ../schedules --test fails
says '^shrunk:  from 3 deliveries to 2$'
expect 1 "$program" replay ../schedules/fails.schedule

# The copy may lie in the directory itself.
TMPDIR=$PWD/in search 0 --test counts
TMPDIR=$PWD search 0 --test names

here=$TMPDIR/work
# What is shared is said: files elsewhere, a directory that is too large to copy, and one for which there is no place.
search 0 --test elsewhere
says "^note: .*executions share files that are not in the working directory.*: $here/shared, $here/made-XXXXXX, $here/room-XXXXXX\$"
[ "$(cat ../shared)" -ge 18 ] || fail 'the file elsewhere is not shared'
truncate -s 300M ../large
for case in 'too much to copy' "cannot copy .* to $PWD/nowhere: No such file"; do
    if [ "$case" = 'too much to copy' ]; then mv ../large .; else export TMPDIR=$PWD/nowhere; fi
    expect 1 "$program" explore --save ../schedules --reduction none --keep-going --no-shrink --test counts
    says "^note: .*executions share files: .*$case"
    rm -f count large
done
export TMPDIR=${START%/work/place}

# --shared-files says that they are meant to be shared.
expect 1 "$program" explore --save ../schedules --test counts --shared-files
says '^replay: .* --shared-files'
! grep -q 'share files' "$capture/stdout" || fail 'said what was asked for'
[ -s count ] || fail 'the file is not here'
