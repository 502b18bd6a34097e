#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Memory as C programs use it: how many tests there are, how many of them break something, how often a limit cuts, and what
# is not followed. All end as predicted, as schedules and as C, which both compilers take without a warning.
[ -x "$BUILD/rehearse-analysis" ] || {
    echo "no LLVM 19 here: tools/install-deps symbolic"
    exit 77
}
. "$SOURCE/tests/cli/expect.bash"

# program FILE STATUS ROW...: "BEHAVIOUR MESSAGE TESTS BROKEN CUT NOT-FOLLOWED" of each pair in the file.
program() {
    local file=$1 status=$2 breaks
    shift 2
    cp "$SOURCE/tests/symbolic/memory/$file" .
    expect "$status" "$REHEARSE" generate "$file" --write "tests_of_$file"
    awk 'NR > 2 && NF >= 7 && $3 ~ /^[0-9]+$/ { print $1, $2, $3, $4, $6, $7 }' "$capture/stdout" >found
    printf '%s\n' "$@" >wanted
    cmp -s wanted found || fail "$file: $(diff wanted found)"
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        expect 0 "$compiler" -Wall -Wextra -Werror -I"$SOURCE/include" -fsyntax-only "tests_of_$file"
    done
    breaks=$(grep -c '^RH_TEST(.*_breaks)' "tests_of_$file")
    expect "$((breaks > 0))" "$REHEARSE" explore "tests_of_$file" --keep-going --no-times --quiet
    [ "$(grep -c '_breaks: ' "$capture/stdout")" = "$breaks" ] || fail "$file: tests in C that break something"
    [ "$(grep -c ': test ' "$capture/stdout")" = "$breaks" ] || fail "$file: tests in C that break nothing"
}

program rows.c 1 \
    'vec push 14 7 3 0' 'vec pop 2 1 0 0' 'vec shrink 6 0 2 0' 'vec empty 2 0 0 0' 'vec sort 6 0 1 0' 'vec at 3 0 1 0' \
    'shop sum_items 4 0 1 0' 'shop buy 3 0 1 0' 'shop add 2 0 1 0' 'shop order 4 0 1 0' 'holder append 3 0 1 0' \
    'holder sum_bytes 4 0 1 0' 'holder parcel 2 0 0 0' 'sizes resize 6 0 2 0' 'sizes zero 1 0 0 0' 'sizes none 2 0 0 0' \
    'sizes again 0 0 0 1' 'sizes same 3 0 1 0'

program gifts.c 1 \
    'owner take 2 0 0 0' 'owner take_raw 1 0 0 1' 'owner give_head 7 3 0 0' 'owner give_cut 5 1 0 0' \
    'owner give_raw 7 1 0 0' 'owner give_twice 3 3 0 0' 'owner give_use 3 3 0 0' 'owner give_keep 5 1 0 0' \
    'owner lend_inside 5 3 0 0' 'owner give_new 3 3 0 0' 'owner forward 6 2 0 0' 'parent make_given 1 1 0 0' \
    'parent make_lent 2 1 0 0' 'parent make_plain 2 0 0 0' 'child look 2 0 0 0' 'keeper die 5 0 0 0' \
    'keeper die_clean 4 0 1 0' 'keeper lose 1 0 0 0' 'keeper inherit 1 0 0 0'

# A node that leads to itself is given away: whose memory it leads to is not known any more.
expect 1 "$REHEARSE" generate gifts.c --behaviour owner --message give_head --block-aliases
says '^run: *7 of 7 tests, as predicted$'
says '^not followed, [0-9]+ times: a pointer to memory that is gone  *at '

program kinds.c 1 \
    'kinds use_config 3 0 0 0' 'kinds use_bits 4 0 0 0' 'kinds use_number 2 0 0 0' 'kinds use_point 3 0 0 0' \
    'kinds use_nested 3 0 0 0' 'kinds use_flag 3 0 0 0' 'kinds use_colours 3 0 0 0' 'kinds use_real 3 0 0 0' \
    'kinds use_reals 3 0 0 0' 'kinds use_words 2 0 0 0' 'kinds use_rows 1 0 0 1' 'kinds use_opaque 1 0 0 1' \
    'kinds use_friends 11 0 0 0' 'kinds use_fixed 3 0 0 0' 'kinds note 1 0 0 0' 'queue unlink_first 5 0 0 0' \
    'queue check_ring 4 2 0 0' 'queue add 2 0 0 0' 'cursor next 3 0 0 0' 'cursor point_at 2 0 0 0' 'cursor make 1 0 0 0' \
    'cursor own 1 0 0 0' 'mixed_holder set 2 0 0 0' 'mixed_holder swap 3 0 0 0' 'hidden_holder local 1 0 0 0' \
    'hidden_holder anon 3 0 0 0' 'number_holder tag 1 0 0 0' 'number_holder hash_address 0 0 0 1' \
    'number_holder put_either 1 0 0 0' 'number_holder order_blocks 0 0 0 1' 'grid set_cell 4 0 0 0' \
    'tagged look_up 1 0 0 1'

