#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 7200
# Damaged input for every reader under sanitizers: schedules, recordings, suppressions, coverage, requests, bitcode. Each for
# FUZZ_SECONDS, ten minutes if that is not set. What they do with a fixed number of inputs is part of `make check`.
set -u
failed=0
seed=${FUZZ_SEED:-$(date +%s)}
echo "seed $seed"
fuzzers='trace/test_schedule_fuzz trace/test_recording_fuzz trace/test_suppression_fuzz cover/test_coverage_fuzz
    cli/test_request_fuzz bitcode/test_module_fuzz'

build=$BUILD
if [ -z "${SANITIZE:-}" ]; then
    build=$PWD/sanitized
    make -C "$SOURCE" --no-print-directory SANITIZE=address,undefined BUILD="$build" >build.log 2>&1 &&
        cmake --build "$build" --target unit-tests -j"$(nproc)" >>build.log 2>&1 || {
        echo "FAIL the fuzzers do not build: $(tail -n 5 build.log)"
        exit 1
    }
fi
for fuzzer in $fuzzers; do
    "$build/tests/$fuzzer" "${FUZZ_SECONDS:-600}" "$seed" >said 2>&1
    status=$?
    echo "$fuzzer: $(tail -n 1 said)"
    [ $status -eq 0 ] || [ $status -eq 77 ] || {
        echo "FAIL $fuzzer with seed $seed: exit status $status: $(head -n 40 said)"
        failed=$((failed + 1))
    }
done
[ $failed -eq 0 ]
