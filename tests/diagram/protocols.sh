#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of subjects/protocols have exactly the diagrams that were written for them (references/), at the sizes
# that these name and beyond; what is inferred for them is exact too, at sizes that were held out as well.
. "$SOURCE/tests/programs/verdict.shlib"

# judge PROGRAM [OPTIONS]: the reference is exact.
judge() {
    verdict_count=$((verdict_count + 1))
    program=$1
    shift
    "$REHEARSE" conform "$verdict_binary" "$SOURCE/tests/diagram/references/$program.diagram" --at-least exact "$@" >said ||
        disagree "$program $*: the reference is not exact" "$(cat said)"
}

# infer PROGRAM [OPTIONS]: what is inferred is exact.
infer() {
    verdict_count=$((verdict_count + 1))
    program=$1
    shift
    "$REHEARSE" diagram "$verdict_binary" "$@" >said || disagree "$program $*: status $?"
    if grep '^# .*: test ' said | grep -qv ': exact' || ! grep -q '^# .*: exact' said; then
        disagree "$program $*: not exact" "$(cat said)"
    fi
}

compile_once "$SOURCE/subjects/protocols/tcp.c"
judge tcp
judge tcp --set packets=8
infer tcp --vary packets=1..4
grep -q '\[ sender -> receiver: data \]~packets ~$' said || disagree 'tcp: packets are no loop' "$(cat said)"
compile_once "$SOURCE/subjects/protocols/sip.c"
judge sip
infer sip
compile_once "$SOURCE/subjects/protocols/master_worker.c"
judge master_worker
judge master_worker --set workers=6
infer master_worker --vary workers=1..4
# The figure says the same as what was inferred, in as many words.
sed '/^#/d' "$SOURCE/tests/diagram/references/master_worker.diagram" | tr -s ' \n' ' ' >figure
sed '/^#/d' said | tr -s ' \n' ' ' >inferred
cmp -s figure inferred || disagree 'master_worker: not the figure' "$(cat inferred)"
verdict_end
