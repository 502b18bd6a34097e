#!/bin/sh
# SPDX-License-Identifier: MIT
# The transcript in README.md is what the command prints, but for the time that it took.
set -u
mkdir examples
cp "$SOURCE/examples/bank.c" examples/
awk '/^\$ build\/rehearse explore/ { inside = 1; next } /^```/ { inside = 0 } inside' \
    "$SOURCE/README.md" | sed 's/, [0-9.]* s$//' >expected
"$REHEARSE" explore --no-times examples/bank.c >printed
[ $? -eq 1 ] && [ -s expected ] && diff expected printed
