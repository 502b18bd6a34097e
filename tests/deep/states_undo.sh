#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# tests/explore/states_undo.sh with more deliveries of every test, and all ways to go back with --states actors and for the subjects.
STATES_MOST=1000 exec "$SOURCE/tests/explore/states_undo.sh"
