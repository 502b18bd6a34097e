#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# tests/explore/states_undo.sh with more deliveries of every test.
STATES_MOST=1000 exec "$SOURCE/tests/explore/states_undo.sh"
