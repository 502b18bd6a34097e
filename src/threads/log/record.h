// SPDX-License-Identifier: MIT
// The file that a program writes with REHEARSE_LOG: what its operations were called with and gave,
// and where they committed. A head, then segments, each of one thread: records one after another up
// to one without a number. Numbers are drawn from one counter, so that they say in which order
// things happened. A record is there as soon as its number is, which is written last: what a killed
// program has written is whole up to the first number that is missing.
#ifndef REHEARSE_THREADS_LOG_RECORD_H
#define REHEARSE_THREADS_LOG_RECORD_H

#include <stdint.h>

#define RH_LOG_MAGIC "rehearse log 1\n"
enum { RH_LOG_HEAD = 4096, RH_LOG_SEGMENT = 1 << 16, RH_LOG_SEGMENT_MAGIC = 0x676f6c72 };

enum rh_log_kind {
    RH_LOG_CALL = 1,
    RH_LOG_ARGUMENTS, // of the call before: it begins an operation that says them
    RH_LOG_COMMIT,
    RH_LOG_RETURN,
    RH_LOG_VIEW, // nothing happened between this and RH_LOG_END if no number lies between them
    RH_LOG_END,
    RH_LOG_ACTION, // what the program does to the component's state
    RH_LOG_NAME,   // a text, and the number that stands for it: it has no place in the order
};

enum rh_log_flag {
    RH_LOG_IS_TEXT = 1, // of a call: the arguments are in its text
    RH_LOG_HAS_RESULT = 2,
    RH_LOG_IS_TRUTH = 4,
    RH_LOG_OBSERVES = 8,
    RH_LOG_HAS_VIEW = 16,    // of a commit
    RH_LOG_IS_INTERNAL = 32, // of a commit, or of a return
    RH_LOG_AT_COMMIT = 64,   // of an action: it counts from its thread's next commit on
};

#define RH_LOG_NO_PLACE (UINT64_C(1) << 63) // instead of a number

struct rh_log_record {
    uint64_t number; // from 1; 0: there is none
    uint64_t name, file;
    uint32_t line;
    uint8_t kind;
    uint8_t flags;
    uint16_t
        count; // of values: arguments, a result, items of a view as (has_key, key, value), words
    int64_t values[];
};

struct rh_log_segment {
    uint32_t magic, thread; // 0: main
};

#endif
