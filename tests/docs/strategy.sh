#!/bin/sh
# SPDX-License-Identifier: MIT
# The example in docs/adding-a-strategy.md compiles against the headers as they are.
set -u
{
    echo '#include "explore/strategy/strategy.h"'
    awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' \
        "$SOURCE/docs/adding-a-strategy.md"
    echo 'extern const struct rh_strategy_ops rh_strategy_newest;'
} >newest.c
grep -q rh_strategy_ops newest.c &&
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Wpedantic -Werror -fsyntax-only \
        -I"$SOURCE/src" -I"$SOURCE/include" newest.c
