#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The man page is well formed and shows its main sections.
set -u
man=$SOURCE/docs/rehearse.1
if ! command -v groff >/dev/null; then
    echo 'groff is not installed'
    exit 77
fi
groff -mdoc -Tutf8 -ww -z "$man" 2>warnings
if [ -s warnings ]; then
    cat warnings
    exit 1
fi
groff -mdoc -Tascii -P-cbou "$man" >page || exit 1
for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' FILES EXAMPLES ENVIRONMENT; do
    grep -q "$section" page || {
        echo "the page has no section $section"
        exit 1
    }
done
version=$("$REHEARSE" version)
grep -q "${version##* }" page || {
    echo "the page is not of version ${version##* }"
    exit 1
}
