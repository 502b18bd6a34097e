#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# Ten thousand random components: what refine finds is what plain enumeration by other code finds.
set -u
COMPONENTS_COUNT=10000 COMPONENTS_FIRST=1000 exec "$SOURCE/tests/threads/components.sh"
