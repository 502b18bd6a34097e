#!/bin/sh
# SPDX-License-Identifier: MIT
# Judges that look at waiting messages by index find the same whatever the search leaves out.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"

compile_once "$SOURCE/tests/explore/views.c"
for delivery in fifo any; do
    for options in '--reduction none' '--reduction source' '--reduction optimal' '--reduction dcute' \
        '--reduction none --states exact' '--reduction none --states actors' '--reduction source --states exact'; do
        echo "--delivery $delivery $options"
    done
done >modes
run_modes "$verdict_binary" "$SOURCE/tests/explore/views.txt" <modes
verdict_end
