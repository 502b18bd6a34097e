#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# component.h in C++, with gcc and clang; and with RH_OFF, where nothing is left of it.
set -u
failed=0
wrong() {
    echo "FAIL $*"
    failed=1
}
cp "$SOURCE"/tests/threads/{parts.cpp,marks.c,acted.c} .

kinds_of() {
    awk '/: test / { if (name) print name, kind; name = $3; sub(":", "", name); kind = "-" }
         /^(refinement|race|deadlock|check|crash|commit|commit-block|misuse): / { sub(":", "", $1); if (kind == "-") kind = $1 }
         END { print name, kind }' "$1" | sort
}
awk '/^\/\/ EACH:/ { kind = $3 } /^RH_THREADS/ { split($0, w, /[()]/); print w[2], kind }' parts.cpp | sort >wanted
for compiler in g++ clang++ clang++-14 clang++-19; do
    command -v $compiler >/dev/null || continue
    CXX=$compiler "$REHEARSE" refine parts.cpp >$compiler.out 2>&1
    kinds_of $compiler.out | diff wanted - || wrong "$compiler: $(head -20 $compiler.out)"
    grep -c ', complete$' $compiler.out | grep -qx 5 || wrong "$compiler: not complete"
    grep -q '^commits: .*book(' $compiler.out || wrong "$compiler: arguments are lost"
    CXX=$compiler "$REHEARSE" refine --cflags -DFIXED --test books parts.cpp >fixed.out 2>&1 || wrong "$compiler: $(cat fixed.out)"
done

# The programs of all marks, without Rehearse: they link with nothing of it, in C and in C++.
for source in marks acted; do
    { cat $source.c; [ $source = acted ] || echo 'int main(void) { return 0; }'; } >off.c
    "$CC" -std=gnu17 -Wall -Wno-unused-but-set-variable -Werror -DRH_OFF -I"$SOURCE/include" off.c -o off -pthread || wrong "$source.c with RH_OFF is not compiled"
    ./off || wrong "$source.c with RH_OFF ends with $?"
    nm off | grep -q ' rh__\(operation\|commit\|block\|action\)' && wrong "$source.c with RH_OFF has calls"
done
{ cat parts.cpp; echo 'int main() { setup(); return advance() == 1 && raise(1, 2) && book(1) && seats == 1 ? 0 : 1; }'; } >off.cpp
g++ -Wall -DRH_OFF -I"$SOURCE/include" off.cpp -o off || wrong 'parts.cpp with RH_OFF is not compiled'
./off || wrong 'parts.cpp with RH_OFF does not do what it says'
[ $failed -eq 0 ]
