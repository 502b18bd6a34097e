#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A disk that is full while a finding is saved: the old file stays, the finding is shown, nothing is half
# written.
. "$SOURCE/tests/cli/expect.bash"

${CC:-cc} ${CFLAGS:-} -g -I"$SOURCE/include" till.c -o till "${LIBRARY:-$BUILD/librehearse.a}" -ldw -lelf -ljansson -lm ${LDLIBS:-}

# A device that is always full, where nothing can be mounted. Only root may make one in this directory.
expect 3 ./till cover --test calm --save-coverage /dev/full
says_error '^rehearse: /dev/full: can.t be written: No space left on device$'
if mknod overdraw.schedule c 1 7 2>"$capture/mknod" && : >>overdraw.schedule 2>"$capture/mknod"; then
    expect 3 ./till --test overdraw
    says 'FAILED'
    says '^saved:   no'
    says 'withdraw \{amount = 70\}'
    says_error '^rehearse: a finding of test overdraw could not be saved: .*No space left on device$'
    [ "$(wc -l <"$capture/stderr")" -eq 1 ] || fail 'not one sentence'
    expect 3 ./till --test overdraw --json
    says '"schedule": null'
fi

# A limit on the size of files: an error, not the end of a process, and nothing half written.
rm -f overdraw.schedule
echo 'what was there' >overdraw.schedule
cp overdraw.schedule before
for command in "$REHEARSE explore ./till" './till explore'; do
    bash -c "ulimit -f 0; $command --test overdraw 2>&1; echo status \$?" | cat >"$capture/stdout"
    says '^rehearse: .*File too large$'
    says '^status 3$'
    cmp overdraw.schedule before || fail 'the old file is gone'
    [ -z "$(find . -name '*.tmp*')" ] || fail 'something half written'
done
bash -c 'ulimit -f 0; ./till list 2>&1 >listed; echo status $?' | cat >"$capture/stdout"
says '^rehearse: cannot write to standard output: File too large$'
says '^status 3$'

# Standard output that takes nothing.
run bash -c '"$REHEARSE" list till.c >/dev/full'
[ $? -eq 3 ] || fail 'exit status of a list that could not be printed'
says_error '^rehearse: cannot write to standard output: No space left'
run bash -c './till --json --test calm >/dev/full'
[ $? -eq 3 ] || fail 'exit status of JSON that could not be printed'

# A real full disk.
mkdir small
own_mounts() { unshare --mount "$@"; }
[ "$(id -u)" -eq 0 ] || own_mounts() { unshare --user --map-root-user --mount "$@"; }
if own_mounts true 2>"$capture/stderr"; then
    cat >on_small <<'END'
mount -t tmpfs -o size=8k tmpfs small || exit 77
cd small || exit 1
echo 'what was there' >overdraw.schedule
cat /dev/zero >filler 2>/dev/null
../till explore --test overdraw
status=$?
[ "$(cat overdraw.schedule)" = 'what was there' ] || exit 98
[ "$(ls -A | wc -l)" -eq 2 ] || exit 99
exit $status
END
    run own_mounts bash on_small
    status=$?
    if [ $status -ne 77 ]; then
        [ $status -eq 3 ] || fail "exit status $status on a full disk"
        says 'FAILED'
        says_error 'could not be saved: .*No space left on device'
    fi
fi
exit 0
