#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Flags that a comment in a source may give to the compiler, and those that would make it run, read or write something
# else.
. "$SOURCE/tests/cli/expect.bash"

# comment WORDS: makes commented.c, with the comment in its second line, and tests that print what is defined.
comment() {
    { echo; printf '// rehearse: %s\n' "$1"; cat till.c; } >commented.c
}
marker=$TMPDIR/work/was-run
printf '#!/bin/sh\ntouch %s\nexec "$@"\n' "$marker" >wrap
chmod +x wrap
echo "-wrapper $PWD/wrap" >response
cp response @response
# What is refused of --cflags is refused of --libs: the two take turns, with graph for one of them.
row=0
while read -r words; do
    row=$((row + 1))
    if [ $((row % 2)) -eq 0 ] && [ -x "$BUILD/rehearse-analysis" ]; then
        comment "--cflags $words"
        expect 2 "$REHEARSE" graph commented.c
    else
        comment "--libs $words"
        expect 2 "$REHEARSE" list commented.c
    fi
    says_error '^rehearse: commented.c:2: '
    silent
done <<END
-wrapper $PWD/wrap
-wrapper=$PWD/wrap
-fplugin=./plugin.so
-fplugin ./plugin.so
-fpass-plugin=./plugin.so
-fplugin-arg-x-y=z
-Xclang -load
-Xlinker -plugin
-Xassembler x
-Xpreprocessor x
-mllvm -load=./plugin.so
-B.
-B .
-specs=response
--specs=response
-include /etc/passwd
-imacros /etc/passwd
-isystem .
-iquote .
-idirafter .
-x assembler
-o $PWD/elsewhere
-o
-E
-S
-M
-MD
-MF$PWD/made
-save-temps
-dumpdir x
-fdump-tree-all
-fprofile-generate
--coverage
-flto
-fuse-ld=./wrap
-fopenmp
-ftime-trace
-gcc-toolchain=.
-gsplit-dwarf
-Wa,-a=made
-Wl,-plugin=./plugin.so
-Wp,-MD,made
-Wno-all,-x
-T response
-T/etc/passwd
-z execstack
-static
-shared
-nostdlib
-rdynamic
-Tresponse
-I@response
-I @response
-I -wrapper
-I
-D@response
-D @response
-D -wrapper
-D1
-D
-U@response
-L@response
-L @response
-L-wrapper
-L
-l@response
-l:plugin.so
-l:../plugin.so
-l/etc/passwd
-l../plugin
-l
-l -wrapper
-O@response
-Ox
-std=@response
-std=
-std
-pthread=x
-march=@response
-march=a/b
@response
plugin.so
plugin.o
helper.c
\`touch\ $marker\`
\$(touch\ $marker)
-D\`touch
--cflags=-DX
-
''
'-wrapper' ./wrap
-wra"pper" ./wrap
-wra\\pper ./wrap
END
[ ! -e "$marker" ] || fail 'a comment has run something'
[ ! -e made ] && [ ! -e elsewhere ] || fail 'a comment has written something'

# What the message shows is printable, whatever the comment holds.
comment "--cflags -x$(printf '\033')[31m"
refuses 2 "commented.c:2: .*-x\\?\\[31m" "$REHEARSE" list commented.c

mkdir -p 'some dir' && echo 'int from_header;' >'some dir/header.h'
taken=$(tr '\n' ' ' <<'END'
-DNAME
-D NAME=1 -U NAME -UOTHER
-DTEXT='"a b"' "-DCALL(x)=x"
-I. -I 'some dir' -I"some dir" -Ibelow/..
-L. -L . -lm -l m -lpthread
-O0 -O1 -O2 -O3 -Os -Og -O
-g -g3 -ggdb -gdwarf-4
-std=gnu17
-pthread
-W -Wall -Wextra -Wno-unused-parameter -Werror=return-type -Wformat=2
-fno-strict-aliasing -fwrapv -fPIC -fno-omit-frame-pointer -fstack-protector-strong
-m64 -march=x86-64 -mtune=generic -msse4.2 -mno-avx2
END
)
comment "--cflags $taken --libs $taken"
printf '#include "header.h"\nconst char *text = TEXT CALL("");\n' >>commented.c
expect 0 "$REHEARSE" list commented.c
expect 0 "$REHEARSE" list till.c --cflags '-include stdio.h' --libs '-Wl,--no-as-needed'
CFLAGS="${CFLAGS:-} -include stdio.h" LDLIBS="${LDLIBS:-} -Wl,--no-as-needed" expect 0 "$REHEARSE" list till.c
exit 0
