#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 7200
# The subjects with the checks of a build with VERIFY=1 around every delivery (src/world/verify.h,
# src/explore/dependence/footprint_verify.h), in plain enumeration, with --undo verify and reduced. A check
# that fails ends its worker, and shows as a crash that the table does not have.
if [ -n "${SANITIZE:-}" ]; then
    echo "a sanitizer replaces malloc, so there is no memory of actors to check"
    exit 77
fi
make -C "$SOURCE" --no-print-directory VERIFY=1 CC="${TEST_CC:-cc}" BUILD="$PWD/verify" JOBS=2 >build.log 2>&1 || {
    tail -n 20 build.log
    exit 1
}
export BUILD="$PWD/verify" REHEARSE="$PWD/verify/rehearse" LIBRARY="$PWD/verify/librehearse.a"
. "$SOURCE/tests/subjects/table.shlib"

run_subjects "$SOURCE/tests/subjects/golden.txt" 20000
run_subjects "$SOURCE/tests/subjects/golden.txt" 4000 --undo verify
run_subjects "$SOURCE/tests/subjects/optimal.txt" 3000 --reduction optimal
verdict_end
