#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The same answers however a program was compiled, as far as it still contains them.
set -u
if [ -n "${SANITIZE:-}" ]; then
    echo "the run time of one compiler's sanitizers does not fit the other's programs"
    exit 77
fi
failed=0

cat >full.txt <<'END'
types: yes
struct account: {kind = 's', balance = 10, owner = "ann", action = greet} v...vvvvvvvvvvvvvvvvvvvv
struct part: {mark = '\0', weight = 0} v.......vvvvvvvv
int: 10 vvvv
global: accounts+28 variants_program.c:18
static: hidden_counter+4 variants_program.c:19
inside: main.calls variants_program.c:69
library: part_stock+40 variants_part.c:8
library static: part_hidden+8 variants_part.c:9
code: greet variants_program.c:line
END

cat >symbols.txt <<'END'
types: no
struct account: unknown 
struct part: unknown 
int: 10 vvvv
global: accounts+28 -:0
static: hidden_counter+4 -:0
library: part_stock+40 -:0
library static: part_hidden+8 -:0
code: greet -:none
END

cat >stripped.txt <<'END'
types: no
struct account: unknown 
struct part: unknown 
int: 10 vvvv
global: unknown -:0
static: unknown -:0
library: part_stock+40 -:0
library static: unknown -:0
code: unknown -:none
END

# compile COMPILER FLAGS...: leaves ./program and its library.
compile() {
    compiler=$1
    shift
    rm -f program libpart.so
    # shellcheck disable=SC2086
    $compiler ${CFLAGS:-} "$@" -fPIC -shared -o libpart.so "$SOURCE/tests/debug/variants_part.c" &&
        $compiler ${CFLAGS:-} "$@" -I"$SOURCE/src" -o program \
            "$SOURCE/tests/debug/variants_program.c" "$BUILD/librehearse.a" ./libpart.so \
            -Wl,-rpath,"$PWD" -ldw -lelf -ljansson -lm
}

# expect WHAT FILE PATTERN: two runs, at two places in memory, say what the file says. Lines that
# match the pattern do not count.
expect() {
    if ./program >first.txt && ./program >second.txt && cmp first.txt second.txt; then
        grep -v "$3" first.txt | diff -u "$2" - && return
    fi
    echo "variants.sh: $1" >&2
    failed=1
}

check() {
    what="$*"
    if compile "$@" 2>compile.txt; then
        expect "$what" full.txt '^$'
    else
        cat compile.txt >&2
        echo "variants.sh: cannot compile with $what" >&2
        failed=1
    fi
}

compilers=gcc
if command -v clang >/dev/null; then
    compilers='gcc clang'
fi

for compiler in $compilers; do
    for optimization in -O0 -O2; do
        check "$compiler" -g $optimization
    done
    check "$compiler" -g -O1 -no-pie
    check "$compiler" -gdwarf-4
    check "$compiler" -gdwarf-4 -gstrict-dwarf -O2 -no-pie
    check "$compiler" -g -gz
    check "$compiler" -g -gsplit-dwarf

    # How a static variable of a function is called in the symbols is the compiler's choice.
    compile "$compiler" -O2 || failed=1
    expect "$compiler without -g" symbols.txt '^inside: '
    compile "$compiler" -O2 -no-pie || failed=1
    expect "$compiler without -g, -no-pie" symbols.txt '^inside: '
    strip program libpart.so
    ./program >first.txt
    grep -v '^inside: ' first.txt | diff -u stripped.txt - || failed=1
done

# A library with sanitizers cannot be linked statically, and not every system has the archives.
archives='-ldw -lelf -ljansson -lm -lz -llzma -lbz2'
if [ -z "${CFLAGS:-}" ] &&
    gcc -g -static-pie -I"$SOURCE/src" -o program "$SOURCE/tests/debug/variants_program.c" \
        "$SOURCE/tests/debug/variants_part.c" "$BUILD/librehearse.a" $archives 2>/dev/null; then
    expect 'gcc -g -static-pie' full.txt '^$'
fi
exit $failed
