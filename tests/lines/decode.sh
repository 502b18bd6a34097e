#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The lengths of instructions, beside a disassembler's: of a program of ours and of libc, by either compiler.
set -u
command -v objdump >/dev/null || { echo 'objdump is missing'; exit 77; }
cat >"$TMPDIR/lengths.c" <<'END'
// Reads instructions as hexadecimal bytes, a line each, and shows those whose length is not that of the line.
#include <stdio.h>
#include <string.h>

#include "lines/instruction.h"

int main(void)
{
    char line[256];
    unsigned long count = 0;
    while (fgets(line, sizeof line, stdin)) {
        uint8_t bytes[32] = {0};
        unsigned byte, length = 0;
        while (length < 16 && sscanf(line + 2 * length, "%2x", &byte) == 1 && line[2 * length] != '\n')
            bytes[length++] = (uint8_t)byte;
        unsigned found = rh_instruction_read(bytes, sizeof bytes).length;
        if (found != length)
            printf("FAIL %u bytes instead of %u: %s", found, length, line);
        // Behind its end an instruction is not known.
        if (length > 0 && rh_instruction_read(bytes, length - 1).length >= length)
            printf("FAIL longer than there is: %s", line);
        count++;
    }
    printf("%lu\n", count);
    return 0;
}
END
"$CC" -I"$SOURCE/src" "$TMPDIR/lengths.c" "$SOURCE/src/lines/instruction.c" -o "$TMPDIR/lengths" || exit 1
status=0
libc=$(ldd "$TMPDIR/lengths" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
for file in "$libc" "$REHEARSE"; do
    objdump -d --insn-width=16 "$file" | awk -F '\t' 'NF > 2 && $3 !~ /bad/ { gsub(/ /, "", $2); print $2 }' >"$TMPDIR/bytes"
    "$TMPDIR/lengths" <"$TMPDIR/bytes" >"$TMPDIR/said"
    if grep FAIL "$TMPDIR/said" | head; [ "$(tail -n 1 "$TMPDIR/said")" -lt 10000 ] || grep -q FAIL "$TMPDIR/said"; then
        echo "FAIL: instructions of $file"
        status=1
    fi
done
exit $status
