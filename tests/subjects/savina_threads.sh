#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 300
# Every program of subjects/savina runs on one thread and on two, at a small size, and finds its results right.
. "$SOURCE/tests/programs/verdict.shlib"

# run_on_threads PROGRAM SIZE
run_on_threads() {
    compile_once "$SOURCE/subjects/savina/$1.c"
    for threads in 1 2; do
        verdict_count=$((verdict_count + 1))
        REHEARSE_THREADS=$threads "$verdict_binary" "$2" >said 2>&1 && grep -q '^[1-9][0-9]* messages ' said ||
            disagree "$1 on $threads threads" "$(cat said)"
    done
}

run_on_threads ping_pong 1000
run_on_threads counting 10000
run_on_threads fork_join_throughput 100
run_on_threads fork_join_creation 1000
run_on_threads thread_ring 1000
run_on_threads chameneos 1000
run_on_threads big 100
run_on_threads fibonacci 15
run_on_threads concurrent_dictionary 100
run_on_threads concurrent_sorted_list 100
run_on_threads bounded_buffer 10
run_on_threads philosophers 100
run_on_threads sleeping_barber 200
run_on_threads cigarette_smokers 100
run_on_threads logistic_map 100
run_on_threads bank_transaction 1000
run_on_threads shortest_paths 100
run_on_threads guided_search 10
run_on_threads nqueens 8
run_on_threads matrix_multiply 256
run_on_threads quicksort 20000
run_on_threads radix_sort 100
run_on_threads filter_bank 64
run_on_threads sieve 2000
run_on_threads cobwebbed_tree 2000
run_on_threads facility_location 2000
run_on_threads trapezoid 10000
run_on_threads precise_pi 200
run_on_threads relaxation 10
run_on_threads bitonic_sort 64

# A size that is none.
compile_once "$SOURCE/subjects/savina/ping_pong.c"
for size in none 0 -1 12x 99999999999999999999; do
    verdict_count=$((verdict_count + 1))
    "$verdict_binary" $size >said 2>&1
    [ $? -eq 2 ] && grep -q '^usage: .* SIZE is a positive number$' said || disagree "the size $size" "$(cat said)"
done
verdict_end
