#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Third-party C inside actors, with --undo verify: golden.txt holds.
. "$SOURCE/tests/programs/verdict.shlib"

run_table "$SOURCE/tests/thirdparty" "$SOURCE/tests/thirdparty/golden.txt" replay --undo verify
verdict_end
