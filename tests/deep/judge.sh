#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 1800
# The judge of diagrams against plain enumeration on five thousand random systems and a hundred thousand mutants.
JUDGE_FIRST=100000 JUDGE_SYSTEMS=${JUDGE_SYSTEMS:-5000} "$BUILD/tests/diagram/test_judge_random"
