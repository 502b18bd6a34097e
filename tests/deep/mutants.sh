#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 1800
# Forty mutants of each exact diagram: see tests/diagram/mutants.sh.
MUTANTS_ALL=1 exec "$SOURCE/tests/diagram/mutants.sh"
