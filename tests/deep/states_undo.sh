#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# tests/explore/states_undo.sh with every test of every subject.
SUBJECT_TESTS=1000 exec "$SOURCE/tests/explore/states_undo.sh"
