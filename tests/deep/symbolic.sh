#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
# Rows of symbolic/counts.txt with any number of states, by the tool and by the oracle, and more of them run in the world;
# three hundred random programs with a larger domain; all subjects with reductions and without.
COUNTS_STATES=100000 COUNTS_RUN=${COUNTS_RUN:-6000} "$SOURCE/tests/symbolic/counts.sh" || exit
ORACLE_STATES=100000 "$SOURCE/tests/symbolic/oracle.sh" || exit
REDUCTIONS_SUBJECTS='[abmps]*/*' REDUCTIONS_TESTS=2000 REDUCTIONS_SECONDS=60 REDUCTIONS_LEAST=150 \
    "$SOURCE/tests/symbolic/reductions.sh" || exit
SYMBOLIC_FIRST=1000 SYMBOLIC_COUNT=300 SYMBOLIC_DOMAIN=2 "$SOURCE/tests/symbolic/random.sh"
