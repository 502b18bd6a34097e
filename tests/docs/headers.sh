#!/bin/sh
# SPDX-License-Identifier: MIT
# Every operation in the public headers has a comment with an example that uses it.
set -u
awk '
    /^\/\/     / { example = example $0; next }
    /^\/\// { comment = 1; next }
    /--- What the macros call/ { nextfile }
    function check(name) {
        count++
        if (index(example, name "(") || example ~ (name "[^a-z_]")) return
        printf "%s:%d: %s has no example\n", FILENAME, FNR, name
        bad = 1
    }
    /^#define (rh|RH)_[a-zA-Z]/ && !/RH__/ || /^#define (rh_[a-z_]+|RH_[A-Z]+)\(/ {
        name = $2; sub(/\(.*/, "", name)
        if (name !~ /^RH__/) check(name)
    }
    /^[a-z].*[ *]rh_[a-z_]+\(.*\);$/ && !/^typedef/ {
        match($0, /rh_[a-z_]+\(/); name = substr($0, RSTART, RLENGTH - 1)
        if (name !~ /^rh__/) check(name)
    }
    { example = "" }
    END { printf "%d operations\n", count; exit bad || count < 30 }
' "$SOURCE/include/rehearse/actor.h" "$SOURCE/include/rehearse/test.h" "$SOURCE/include/rehearse/run.h"
