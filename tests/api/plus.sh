#!/bin/sh
# SPDX-License-Identifier: MIT
# A test program in C++, compiled by its author: the golden line is that of plus.cpp.
. "$SOURCE/tests/programs/verdict.shlib"

command -v c++ >/dev/null || exit 77
DESTDIR=$PWD/installed cmake --install "$BUILD" --prefix / >/dev/null || exit 1
PKG_CONFIG_PATH=$(dirname "$(find "$PWD/installed" -name rehearse.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046,SC2086
c++ -std=c++20 -g -Wall -Wextra -Wshadow -Wpedantic -Werror ${CFLAGS:-} \
    "$SOURCE/tests/api/plus.cpp" -o plus $(pkg-config --cflags --libs rehearse) ${LDLIBS:-} || exit 1
explore_json plus --keep-going ./plus
expect plus.cpp plus 0 70 250 -
verdict_end
