#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# C that has nothing to do with actors, from source packages of the distribution: in their bitcode alone there are no
# actors, which is said; and an actor that works with such a library is analysed together with it.
set -u
. "$SOURCE/tests/graph/compare.shlib"
need_analysis
failed=0
packages='cjson zlib libyaml'

fail() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# Fetches and unpacks the sources, from where this machine gets its packages: with lists of our own, which name sources too.
fetch_sources() {
    mkdir -p parts lists/partial cache/archives/partial
    sed -E 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >parts/debian.sources 2>/dev/null
    sed -nE 's/^deb /deb-src /p' /etc/apt/sources.list >parts/debian.list 2>/dev/null
    local apt=(apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$PWD/parts"
        -o Dir::State::Lists="$PWD/lists" -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=root)
    # shellcheck disable=SC2086
    timeout 180 "${apt[@]}" update >fetched 2>&1 &&
        timeout 180 "${apt[@]}" source --download-only $packages >>fetched 2>&1 || return 1
    for archive in *.orig.tar.*; do
        tar -xf "$archive" || return 1
    done
}

# check_library NAME FLAGS FILE...: compiles the files, and looks at them alone.
check_library() {
    local name=$1 flags=$2 status
    shift 2
    mkdir -p "bitcode-$name"
    for file in "$@"; do
        # shellcheck disable=SC2086
        clang-19 -g -O1 -Xclang -disable-llvm-passes -fno-eliminate-unused-debug-types -w $flags -emit-llvm \
            -c "$file" -o "bitcode-$name/$(basename "$file" .c).bc" || fail "$file does not compile"
    done
    timeout 300 "$REHEARSE" graph "bitcode-$name"/*.bc >output 2>&1
    status=$?
    { [ $status -eq 2 ] && grep -q 'there is no test: nothing (RH_TEST) creates actors' output; } || {
        fail "$name alone: exit status $status"
        cat output
    }
    echo "$name: $# files"
}

# check_with_actor NAME FLAGS: looks at them together with libraries.c.
check_with_actor() {
    local name=$1 flags=$2 status
    timeout 60 "$REHEARSE" graph --cflags "$flags -DUSES_${name^^}" "$SOURCE/tests/graph/libraries.c" \
        "bitcode-$name"/*.bc >output 2>&1
    status=$?
    { [ $status -eq 0 ] && grep -q '^    send found {count = .*, by = worker} to keeper' output &&
        head -n 1 output | grep -q ': 3 nodes, 4 edges, 4 labels in 1 test$'; } || {
        fail "$name with an actor: exit status $status"
        head -n 30 output
    }
}

if ! command -v apt-get >/dev/null || ! fetch_sources; then
    echo 'the sources of packages cannot be fetched here'
    exit 77
fi
cjson=$(echo c[jJ][sS][oO][nN]-*/) zlib=$(echo zlib-*/) yaml=$(echo libyaml-*/)
check_library cjson "-I$PWD/$cjson" "$cjson"cJSON.c "$cjson"cJSON_Utils.c
check_with_actor cjson "-I$PWD/$cjson"
check_library zlib "-I$PWD/$zlib -DHAVE_UNISTD_H" "$zlib"*.c
check_with_actor zlib "-I$PWD/$zlib"
check_library yaml "-I$PWD/${yaml}include -DYAML_VERSION_STRING=\"0.2\" -DYAML_VERSION_MAJOR=0 \
    -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5" "$yaml"src/*.c
check_with_actor yaml "-I$PWD/${yaml}include"
[ $failed -eq 0 ]
