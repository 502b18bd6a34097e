#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The layers of this build are kept by what its objects need to be linked, and the check that says so notices when they are
# not.
set -eu

"$SOURCE/tools/check-layers" --links "$BUILD"

mkdir -p tree/tools
cp "$SOURCE/tools/check-layers" tree/tools/
printf 'base:\nworld: base\nexplore: +world\nexplore/run: +explore\n' >layers

# object SOURCE TEXT: a source of the small tree, and its object.
object() {
    mkdir -p "$(dirname "tree/$1")" "$(dirname "tree/build/CMakeFiles/core.dir/$1")"
    printf '%s\n' "$2" >"tree/$1"
    ${CC:-cc} -c "tree/$1" -o "tree/build/CMakeFiles/core.dir/$1.o"
}

# fine [EXCEPTION]: the small tree is as it should be, with this line in its table.
fine() {
    { cat layers; printf '%s\n' "${1:-}"; } >tree/tools/layers
    tree/tools/check-layers --links tree/build >output
}

# refused TEXT [EXCEPTION]: it is not, and this is said.
refused() {
    if fine "${2:-}"; then
        echo "not refused: $1"
        exit 1
    fi
    grep -qF "$1" output || { echo "not said: $1"; cat output; exit 1; }
}

object src/base/a.c 'int rh_low(void) { return 1; }'
object src/world/b.c 'int rh_low(void); int rh_high(void) { return rh_low(); }'
object src/explore/run/c.c 'int rh_high(void); int rh_low(void); int rh_top(void) { return rh_high() + rh_low(); }'
fine
object src/base/a.c 'int rh_high(void); int rh_low(void) { return rh_high(); }'
refused 'src/base/a.c: base must not need rh_high, which is in src/world/b.c'
fine 'except link base world/b.c'
refused 'nothing needs `except link world explore/run/c.c` any more' "except link base world/b.c
except link world explore/run/c.c"

# What is weak may be missing, what is not ours is libc's, and one definition that may be used is enough.
object src/base/a.c '__attribute__((weak)) int rh_high(void); int rh_low(void) { return rh_high ? rh_high() : 0; }'
fine
object src/base/a.c 'void free(void *block); int rh_low(void) { free(0); return 1; }'
object src/world/b.c 'void free(void *block) { (void)block; } int rh_high(void) { return 1; }'
fine
object src/base/a.c 'int rh_both(void); int rh_low(void) { return rh_both(); }'
object src/world/b.c 'int rh_both(void) { return 1; } int rh_high(void) { return 1; }'
refused 'base must not need rh_both'
object src/base/d.c 'int rh_both(void) { return 2; }'
fine

# An object that its source has left behind counts for nothing.
object src/base/a.c 'int rh_high(void); int rh_low(void) { return rh_high(); }'
rm tree/src/base/a.c
fine
