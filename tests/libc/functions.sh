#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whoever defines functions of libc defines those that src/libc/functions.def says it does, and no others.
set -eu
failed=0

# The list: where each function is defined, and its name.
cat >list.c <<'END'
#include <features.h>
#define FUNCTION(where, how, name, ...) ROW where name END
#include "libc/functions.def"
END
${CC:-cc} -E -P -D_GNU_SOURCE -I "$SOURCE/src" list.c | tr '\n' ' ' | grep -o 'ROW [a-z]* [A-Za-z0-9_]* END' |
    cut -d ' ' -f 2,3 >rows.txt
[ "$(wc -l <rows.txt)" -gt 600 ] || { echo 'the list is not read'; exit 1; }

# same WHAT ONE OTHER: two files of names, sorted.
same() {
    if ! diff "$2" "$3" >difference; then
        echo "FAIL $1"
        cat difference
        failed=1
    fi
}

for where in $(cut -d ' ' -f 1 rows.txt | sort -u); do
    [ $where != libc ] || continue
    sed -n "s/^$where //p" rows.txt | LC_ALL=C sort >listed
    nm -P -g "$BUILD/CMakeFiles/rehearse.dir/src/libc/interpose_$where.c.o" |
        awk '$2 == "T" && $1 !~ /^rh_/ { print $1 }' | LC_ALL=C sort >defined
    same "interpose_$where.c defines what the list says" listed defined
done

# What programs as they are see of libc: all but the start of a program is in the list.
cut -d ' ' -f 2 rows.txt | LC_ALL=C sort >listed
sed -n 's/^ *\([A-Za-z0-9_]*\);$/\1/p' "$SOURCE/src/adapters/zmq/exports.map" |
    grep -v '^uuid_\|^__libc_start_main$' | LC_ALL=C sort >exported
[ "$(wc -l <exported)" -gt 100 ] || { echo 'the exports are not read'; exit 1; }
LC_ALL=C comm -12 listed exported >known
same 'what the library for ZeroMQ exports is in the list' known exported

# A definition of a function that the list lacks does not compile, nor a use of the real one.
compiles() {
    { echo '#include "libc/real.h"'; echo '#include "adapters/zmq/real.h"'; echo "int $1(void);"; echo "$2"; } >one.c
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -I "$SOURCE/src" -I "$SOURCE/include" -fsyntax-only one.c 2>errors
}
for name in pause unheard_of; do
    compiles $name "RH_ENTRY(int, $name, (void)) { return 0; }" && entry=fine || entry=refused
    compiles $name "int call(void) { return RH_ZMQ_REAL($name)(); }" && real=fine || real=refused
    echo "$name $entry $real"
done >checked
printf '%s\n' 'pause fine fine' 'unheard_of refused refused' >wanted
same 'a function that is not in the list is refused' wanted checked
exit $failed
