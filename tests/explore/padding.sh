#!/bin/sh
# SPDX-License-Identifier: MIT
# Padding does not count, also in messages of variable length: two messages that differ in nothing else lead to one
# state. The start, one state after go whatever was chosen there, two after the messages.
set -u
if [ -n "${SANITIZE:-}" ]; then
    echo "states are not compared where malloc is a sanitizer's"
    exit 77
fi
"$REHEARSE" explore --states exact --json --no-times "$SOURCE/tests/explore/padding.c" >out || exit 1
grep -q '"complete": true' out && grep -q '"states": 4,' out && exit 0
cat out
exit 1
