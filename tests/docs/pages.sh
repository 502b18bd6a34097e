#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 600
# The pages under docs/ tell the truth: their files compile, and their commands print what the page
# shows and end with the status it names.
#
# A block ```LANGUAGE file=NAME is written to that file. A block ```console status=N holds commands
# after `$ `, each with its output; a line `...` in it stands for any number of lines, and N is the
# status of the last command. `plain` marks a block that a program with sanitizers does not match.
# Times that a command took are left out of the comparison.
set -u
here=$PWD
failed=0
count=0
mkdir bin
ln -s "$REHEARSE" bin/rehearse
export PATH=$here/bin:$PATH
# As if installed, for pages that compile with pkg-config.
mkdir -p prefix/lib/pkgconfig
ln -s "$SOURCE/include" prefix/include
ln -s "$BUILD/librehearse.a" "$BUILD/librehearse-log.a" prefix/lib
ln -s "$BUILD/rehearse.pc" prefix/lib/pkgconfig
export PKG_CONFIG_PATH=$here/prefix/lib/pkgconfig

complain() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# Splits a page into files NAME, and NUMBER.block with a first line `status flags`.
extract() {
    awk '
        /^```[a-z]+ file=/ { split($2, word, "="); file = word[2]; printf "" >file; next }
        /^```console/ {
            status = 0; flags = "-"
            for (i = 2; i <= NF; i++) {
                if ($i ~ /^status=/) status = substr($i, 8)
                else flags = $i
            }
            file = sprintf("%03d.block", ++number); print status, flags, NR >file; next
        }
        /^```/ { if (file) close(file); file = ""; next }
        file { print >file }
    ' "$1"
}

without_times() {
    sed 's/, [0-9.]* s$//' "$1"
}

# Whether the lines of file 2 are those of file 1, in which `...` stands for any lines.
matches() {
    awk '
        NR == FNR { expected[++count] = $0; next }
        { got[++total] = $0 }
        function fits(e, g) {
            while (e <= count) {
                if (expected[e] == "...") {
                    if (e == count) return 1
                    for (; g <= total; g++)
                        if (got[g] == expected[e + 1] && fits(e + 1, g)) return 1
                    return 0
                }
                if (g > total || got[g] != expected[e]) return 0
                e++; g++
            }
            return g > total
        }
        END { exit !fits(1, 1) }
    ' "$1" "$2"
}

# Runs the command in the file `command` and compares with the file `expected`.
run_command() {
    local place=$1
    count=$((count + 1))
    bash -c "$(cat command)" >got 2>&1 </dev/null
    status=$?
    without_times expected >expected.plain
    without_times got >got.plain
    matches expected.plain got.plain || {
        complain "$place: $(cat command)"
        diff -u expected.plain got.plain
    }
}

run_block() {
    local page=$1 block=$2 wanted flags line place
    read -r wanted flags line <"$block"
    place="$page.md:$line"
    [ "$flags" = plain ] && [ -n "${SANITIZE:-}" ] && return
    status=0
    rm -f command
    while IFS= read -r text; do
        case $text in
        '$ '*)
            [ -f command ] && run_command "$place"
            printf '%s\n' "${text#\$ }" >command
            : >expected
            ;;
        *) printf '%s\n' "$text" >>expected ;;
        esac
    done < <(tail -n +2 "$block")
    [ -f command ] && run_command "$place"
    [ $status -eq "$wanted" ] || complain "$place: exit status $status instead of $wanted"
}

check_sources() {
    local source
    for source in *.c; do
        [ -e "$source" ] || continue
        ${CC:-cc} -std=c17 -Wall -Wextra -Wshadow -Wpedantic -Werror -fsyntax-only \
            -I"$SOURCE/include" "$source" || complain "$1.md: $source has warnings"
    done
}

# Whether what the page is about is there.
can_check() {
    [ "$1" != zmq ] || { [ -e "$BUILD/zmq/libzmq.so.5" ] && pkg-config --exists libzmq; }
}

for path in "$SOURCE"/docs/*.md; do
    page=$(basename "$path" .md)
    can_check "$page" || {
        echo "left out: $page.md, for which there is no libzmq"
        continue
    }
    mkdir "$page"
    cd "$page" || exit 1
    extract "$path"
    check_sources "$page"
    for block in *.block; do
        [ -e "$block" ] && run_block "$page" "$block"
    done
    cd "$here" || exit 1
done

echo "$count commands, $failed wrong"
[ $count -gt 20 ] && [ $failed -eq 0 ]
