#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The layers of this tree are kept, and the check that says so notices when they are not.
set -eu

"$SOURCE/tools/check-layers"

# Writes a file with a licence line and one more line into a small tree of its own.
write() {
    mkdir -p "$(dirname "tree/$1")"
    printf '// SPDX-License-Identifier: MIT\n%s\n' "$2" >"tree/$1"
}

expect_fine() {
    rm -rf tree
    write "$1" "$2"
    "$SOURCE/tools/check-layers" tree >output || { echo "refused: $1: $2"; cat output; exit 1; }
}

expect_refused() {
    rm -rf tree
    write "$1" "$2"
    if "$SOURCE/tools/check-layers" tree >output; then
        echo "not refused: $1: $2"
        exit 1
    fi
    grep -q "^$1:" output || { echo "the message does not name $1:"; cat output; exit 1; }
}

expect_fine src/result/a.c '#include "trace/schedule.h"'
expect_fine src/world/a.c '#include "result/event.h"'
expect_fine src/world/state/a.c '#include "memory/globals.h"'
expect_fine src/libc/a.c '#include "entry/process.h"'
expect_fine src/explore/reduce/a.c '#include "explore/strategy/strategy.h"'
expect_fine src/explore/reduce/a.c '#include "explore/run.h"'
expect_fine src/explore/run/a.c '#include "explore/shrink/shrink.h"'
expect_fine src/cover/a.c '#include "explore/strategy/strategy.h"'
expect_fine src/memory/a.c '#include "debug/debug.h"'
expect_fine src/world/a.c '#include "world/world.h"'
expect_fine src/cli/a.c '#include "explore/run.h"'
expect_fine src/debug/a.c '#include <elfutils/libdw.h>'
expect_fine src/report/a.c '#include <jansson.h>'
expect_fine src/bitcode/a.c '#include <llvm-c/Core.h>'
expect_fine src/flow/a.c '#include "bitcode/module.h"'
expect_fine src/flow/a.c '#include "libc/functions.def"'
expect_fine src/smt/z3.c '#include <z3.h>'
expect_fine src/adapters/native/a.c '#include "world/world.h"'
expect_fine src/world/a.c '#include <rehearse/actor.h>'
expect_fine src/world/a.c '#include <elf.h>'

expect_refused src/base/a.c '#include "trace/schedule.h"'
expect_refused src/trace/a.c '#include "result/finding.h"'
expect_refused src/entry/a.c '#include "memory/memory.h"'
expect_refused src/memory/a.c '#include "world/world.h"'
expect_refused src/memory/a.c '#include "trace/suppression.h"'
expect_refused src/libc/a.c '#include "world/world.h"'
expect_refused src/flow/a.c '#include "libc/functions.h"'
expect_refused include/rehearse/a.h '#include "libc/functions.def"'
expect_refused src/explore/strategy/a.c '#include "explore/process/shared.h"'
expect_refused src/explore/states/a.c '#include "explore/reduce/reduce.h"'
expect_refused src/explore/process/a.c '#include "explore/run/run_state.h"'
expect_refused src/explore/unknown/a.c '#include "explore/strategy/strategy.h"'
expect_refused src/cover/a.c '#include "explore/process/shared.h"'
expect_refused src/trace/a.h '  #  include "world/world.h"'
expect_refused src/world/a.c '#include "explore/run.h"'
expect_refused src/world/a.c '#include "adapters/native/native.h"'
expect_refused src/report/a.c '#include "explore/run.h"'
expect_refused src/explore/a.c '#include "cli/options.h"'
expect_refused src/world/a.c '#include "world.h"'
expect_refused src/unknown/a.c '#include "base/text.h"'
expect_refused src/trace/a.c '#include <rehearse/actor.h>'
expect_refused src/world/a.c '#include <jansson.h>'
expect_refused src/world/a.c '#include <xxhash.h>'
expect_refused src/base/text.c '#include <xxhash.h>'
expect_refused src/world/a.c '#include <libelf.h>'
expect_refused src/world/a.c '#include <dwarf.h>'
expect_refused src/smt/a.c '#include <z3.h>'
expect_refused src/symbolic/a.c '#include <llvm-c/Core.h>'
expect_refused src/flow/a.c '#include <llvm-c/Core.h>'
expect_refused src/bitcode/a.c '#include "flow/flow.h"'
expect_refused include/rehearse/a.h '#include "world/world.h"'

# An exception is by name, and in a whole tree one that nothing needs is refused.
rm -rf tree
mkdir -p tree/tools
cp "$SOURCE/tools/check-layers" tree/tools/
{
    cat "$SOURCE/tools/layers"
    echo 'except include src/memory/a.h world/world.h'
} >tree/tools/layers
write src/memory/a.h '#include "world/world.h"'
tree/tools/check-layers >output || { echo 'an exception is refused'; cat output; exit 1; }
write src/memory/a.h '#include "base/vector.h"'
if tree/tools/check-layers >output; then
    echo 'an exception that nothing needs is not refused'
    exit 1
fi
grep -q 'except include src/memory/a.h world/world.h' output

rm -rf tree
mkdir -p tree/src/base
echo 'int x;' >tree/src/base/a.c
if "$SOURCE/tools/check-layers" tree >output; then
    echo 'a source without its licence line is not refused'
    exit 1
fi
grep -q '^src/base/a.c:1:' output
