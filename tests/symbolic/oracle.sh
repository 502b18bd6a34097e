#!/bin/sh
# SPDX-License-Identifier: MIT
# The numbers of counts.txt without the tool: oracle.py. ORACLE_STATES is how many states a row may have at most.
command -v python3 >/dev/null || {
    echo "no python3 here: tools/install-deps test"
    exit 77
}
PYTHONDONTWRITEBYTECODE=1 python3 "$SOURCE/tests/symbolic/oracle.py" "$SOURCE/tests/symbolic/counts.txt" "${ORACLE_STATES:-150}"
