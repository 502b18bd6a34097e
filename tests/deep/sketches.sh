#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 1800
# Every execution keeps to the sketch of its sources: all programs of Savina, the protocols and 150 random programs.
SKETCHES_ALL=1 exec "$SOURCE/tests/diagram/sketches.sh"
