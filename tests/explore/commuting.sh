#!/bin/sh
# SPDX-License-Identifier: MIT
# --commuting: orders of deliveries to one actor that can't differ are left out, and nothing else is.
if [ -n "${SANITIZE:-}" ]; then
    echo 'what commutes is found out by taking deliveries back, which a sanitizer prevents'
    exit 77
fi
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"
compile_once "$SOURCE/tests/explore/commuting.c"
compare_modes -t "$SOURCE/tests/explore/commuting.txt" commuting "$verdict_binary" --census <<END
--reduction none
--reduction source --commuting : final_states_digest
--reduction optimal --commuting : final_states_digest
END
verdict_end
