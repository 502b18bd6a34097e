# SPDX-License-Identifier: MIT
# For the tests of the command line: sourced, not run. Makes $TMPDIR/work the working directory.
# shellcheck shell=bash
set -u

capture=$TMPDIR/capture
mkdir "$capture" "$TMPDIR/work"
cd "$TMPDIR/work" || exit 1

fail() {
    echo "$0: line ${BASH_LINENO[1]}: $1"
    echo "standard output:"
    head -c 4000 "$capture/stdout"
    echo "standard error:"
    head -c 4000 "$capture/stderr"
    exit 1
}

# Runs a command with captured output. Gives its exit status.
run() {
    "$@" >"$capture/stdout" 2>"$capture/stderr" </dev/null
}

# All files here and their contents, and temporary directories of the command. Of a recording, which is a gigabyte that is
# mostly a hole, it is when it was written last that counts.
snapshot() {
    find . -type f \( -size +65536k -printf '%p %s %T@\n' -o -exec cksum {} + \) 2>/dev/null | LC_ALL=C sort
    find "$TMPDIR" -maxdepth 1 -name 'rehearse-*'
}

# expect STATUS COMMAND...: runs the command, which must end with this status and leave no temporary
# directory behind.
expect() {
    local wanted=$1 actual
    shift
    run "$@"
    actual=$?
    [ $actual -eq "$wanted" ] || fail "exit status $actual instead of $wanted: $*"
    [ -z "$(find "$TMPDIR" -maxdepth 1 -name 'rehearse-*')" ] || fail "left a directory behind: $*"
}

# refuses STATUS PATTERN COMMAND...: the same, and the command says one sentence that matches the pattern
# on standard error, nothing on standard output, and changes no file.
refuses() {
    local wanted=$1 pattern=$2 before after
    shift 2
    before=$(snapshot)
    expect "$wanted" "$@"
    after=$(snapshot)
    [ "$before" = "$after" ] || fail "files changed: $*"
    [ -s "$capture/stdout" ] && fail "something on standard output: $*"
    [ "$(wc -l <"$capture/stderr")" -eq 1 ] || fail "not one line on standard error: $*"
    grep -q '^rehearse: ' "$capture/stderr" || fail "not in the tool's name: $*"
    grep -qE -- "$pattern" "$capture/stderr" || fail "no '$pattern' in what it says: $*"
}

# says PATTERN, says_error PATTERN: about the last command.
says() {
    grep -qE -- "$1" "$capture/stdout" || fail "no '$1' on standard output"
}
says_error() {
    grep -qE -- "$1" "$capture/stderr" || fail "no '$1' on standard error"
}
silent() {
    [ ! -s "$capture/stdout" ] || fail "something on standard output"
}

cp "$SOURCE"/tests/cli/programs/* .
