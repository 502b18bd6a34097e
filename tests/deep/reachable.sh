#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# What reach calls unreachable in random programs, plain enumeration does not come to. REACHABLE_FIRST and REACHABLE_COUNT
# say which programs.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
cd "$TMPDIR" || exit 1
REHEARSE=$BUILD/rehearse PYTHONDONTWRITEBYTECODE=1 python3 "$SOURCE/tests/symbolic/reachable.py" "${REACHABLE_FIRST:-1}" \
    "${REACHABLE_COUNT:-150}"
