#!/bin/sh
# SPDX-License-Identifier: MIT
# What depends on what is a set: invariants, timers and names of actors that have nothing to do with each other make
# nothing depend on each other, and a delivery that changes nothing that an invariant looks at does not touch it.
. "$SOURCE/tests/programs/verdict.shlib"
. "$SOURCE/tests/lib/modes.shlib"
compile_once "$SOURCE/tests/explore/dependence.c"
compare_modes -t "$SOURCE/tests/explore/dependence.txt" dependence "$verdict_binary" --census --states none <<END
--reduction none
--reduction source : classes
--reduction dcute : classes
--reduction optimal : classes
END
# Where nothing can be left out the reason is said, and only there.
grep -q '3104 of 3104 deliveries changed one of the 3 actors that the invariant is_replicated looks at, and were taken' \
    "$modes_name.json" || disagree "servers_only: no note says why nothing is left out"
explore_json log --test replicated_log "$verdict_binary"
! grep -q 'were taken to depend' log.json || disagree "replicated_log: a note says that nothing is left out"
verdict_end
