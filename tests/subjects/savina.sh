#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# The programs of subjects/savina show what savina.txt says, and docs/savina.md has the table of it.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so states can't be compared"
    exit 77
fi
"$SOURCE/bench/tables/savina" >table || exit 1
sed -n '/^## What goes wrong/,/^## How fast/p' "$SOURCE/docs/savina.md" | grep '^|' >documented
diff documented table || {
    echo 'FAIL docs/savina.md (<) does not have the table that make table-savina prints (>)'
    exit 1
}
