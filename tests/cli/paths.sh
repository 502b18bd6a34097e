#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Paths that can't be read or written. Root may do everything, so root tries as somebody else.
. "$SOURCE/tests/cli/expect.bash"

refuses 2 'absent.schedule.*No such file' "$REHEARSE" replay absent.schedule
refuses 2 'absent.*No such file' "$REHEARSE" explore till.c --suppressions absent
refuses 2 '--save absent: No such file' "$REHEARSE" explore till.c --save absent
refuses 2 '--save till.c: not a directory' "$REHEARSE" explore till.c --save till.c
refuses 2 'directory' "$REHEARSE" explore till.c --suppressions "$TMPDIR"
refuses 2 'has no files NAME.schedule' "$REHEARSE" replay till.c "$TMPDIR"
refuses 3 'cannot make a temporary directory in /absent' env TMPDIR=/absent "$REHEARSE" list till.c

as_somebody() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then
    # Somebody else must reach the command and a directory of his own.
    as_somebody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    TMPDIR=$(mktemp -d /tmp/paths.XXXXXX) || exit 1
    trap 'chmod -R u+rwx "$TMPDIR"; rm -rf "$TMPDIR"' EXIT
    mkdir "$TMPDIR/work"
    cp -- * "$TMPDIR/work"
    chmod 777 "$TMPDIR" "$TMPDIR/work"
    cd "$TMPDIR/work" || exit 1
    as_somebody test -x "$REHEARSE" && as_somebody test -r "$SOURCE/include/rehearse/test.h" ||
        { echo 'nobody else can reach the build here'; exit 77; }
fi

expect 1 as_somebody "$REHEARSE" explore till.c --test overdraw
cp overdraw.schedule secret.schedule
echo 'shared-state x' >secret.suppressions
cp till.c secret.c
mkdir closed
cp till.c closed
chmod 000 secret.*
chmod 555 closed

refuses 2 'secret.schedule.*Permission denied' as_somebody "$REHEARSE" replay secret.schedule
refuses 2 'secret.c.*Permission denied' as_somebody "$REHEARSE" list secret.c
refuses 2 'secret.suppressions.*Permission denied' \
    as_somebody "$REHEARSE" explore till.c --suppressions secret.suppressions
refuses 2 '--save closed: cannot be written' as_somebody "$REHEARSE" explore till.c --save closed

# The current directory is only needed once there is something to save: then the finding is still shown.
cd closed || exit 1
expect 0 as_somebody "$REHEARSE" explore till.c --test calm
expect 3 as_somebody "$REHEARSE" explore till.c --test overdraw
says 'FAILED'
says 'withdraw \{amount = 70\}'
says_error '^rehearse: a finding of test overdraw could not be saved: overdraw.schedule.*Permission denied'
[ "$(ls -A)" = till.c ] || fail 'something was written'
