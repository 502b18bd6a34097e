// SPDX-License-Identifier: MIT
// The lengths follow from the opcode maps of the architecture's manual (Intel, volume 2, appendix
// A). tests/lines/decode.sh compares them with what a disassembler says.
#include "lines/instruction.h"

#include <stdbool.h>
#include <string.h>

struct reading {
    const uint8_t *bytes;
    size_t room;
    size_t at;
    bool is_short;    // prefix 0x66: words of 16 bits
    bool is_narrow;   // prefix 0x67: addresses of 32 bits
    bool is_wide;     // REX.W: operands of 64 bits
    bool is_extended; // VEX or EVEX
    unsigned map;     // of the opcode: 0 (one byte), 1 (0f), 2 (0f 38), 3 (0f 3a), or above
    uint8_t opcode;
    uint8_t operands; // the ModRM byte; 0 if there is none
};

// A bit for each opcode of a map, the first in the lowest bit of the first word.
typedef uint32_t opcodes[8];

// Of the map of one byte: with a ModRM byte; with an immediate byte; with an immediate word; and
// those that are no instructions, or begin longer ones.
static const opcodes with_operands = {0x0f0f0f0f, 0x0f0f0f0f, 0x00000000, 0x00000a08,
                                      0x0000fffb, 0x00000000, 0xff0f00c3, 0xc0c00000};
static const opcodes with_byte = {0x10101010, 0x10101010, 0x00000000, 0xffff0c00,
                                  0x00000009, 0x00ff0100, 0x00002043, 0x000008ff};
static const opcodes with_word = {0x20202020, 0x20202020, 0x00000000, 0x00000300,
                                  0x00000002, 0x00000200, 0x00000080, 0x00000000};
static const opcodes no_instruction = {0xc0c0c0c0, 0xc0c0c0c0, 0x0000ffff, 0x000000f7,
                                       0x04000004, 0x00000000, 0x00704030, 0x000d0400};
// Of the map behind 0f: without a ModRM byte; and with an immediate byte.
static const opcodes without_operands = {0x00004be0, 0x00ff0000, 0x00000000, 0x00800000,
                                         0x0000ffff, 0x00000707, 0x0000ff00, 0x00000000};
static const opcodes with_byte_behind_0f = {0x00008000, 0x00000000, 0x00000000, 0x000f0000,
                                            0x00000000, 0x04001010, 0x00000074, 0x00000000};

static bool has(const opcodes set, uint8_t opcode)
{
    return set[opcode / 32] >> opcode % 32 & 1;
}

// Behind the end everything is 0; whoever has read too much notices it when the length is known.
static uint8_t take(struct reading *reading)
{
    size_t at = reading->at++;
    return at < reading->room ? reading->bytes[at] : 0;
}

static bool take_prefix(struct reading *reading, uint8_t byte)
{
    static const uint8_t others[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0xf0, 0xf2, 0xf3};
    reading->is_short |= byte == 0x66;
    reading->is_narrow |= byte == 0x67;
    return byte == 0x66 || byte == 0x67 || memchr(others, byte, sizeof others);
}

static void take_escaped(struct reading *reading)
{
    reading->opcode = take(reading);
    reading->map = reading->opcode == 0x38 ? 2 : reading->opcode == 0x3a ? 3 : 1;
    if (reading->map > 1)
        reading->opcode = take(reading);
}

// Reads prefixes and opcode.
static void take_opcode(struct reading *reading)
{
    uint8_t byte;
    while (take_prefix(reading, byte = take(reading)) && reading->at < 15)
        ;
    if (byte >= 0x40 && byte <= 0x4f) {
        reading->is_wide = byte & 8;
        byte = take(reading);
    }
    reading->opcode = byte;
    reading->is_extended = byte == 0xc4 || byte == 0xc5 || byte == 0x62;
    if (byte == 0x0f)
        take_escaped(reading);
    if (!reading->is_extended)
        return;
    uint8_t first = take(reading);
    reading->map = byte == 0xc5 ? 1 : byte == 0xc4 ? first & 0x1f : first & 7;
    reading->at += byte == 0xc5 ? 0 : byte == 0xc4 ? 1 : 2;
    reading->opcode = take(reading);
}

static bool is_known(const struct reading *reading)
{
    if (reading->map == 0)
        return !reading->is_extended && !has(no_instruction, reading->opcode);
    return reading->map <= 6;
}

static bool has_operands(const struct reading *reading)
{
    if (reading->is_extended)
        return reading->map != 1 || reading->opcode != 0x77;
    return reading->map == 0   ? has(with_operands, reading->opcode)
           : reading->map == 1 ? !has(without_operands, reading->opcode)
                               : true;
}

// Reads the ModRM byte, and what it says that follows.
static void take_operands(struct reading *reading)
{
    uint8_t byte = reading->operands = take(reading);
    unsigned mode = byte >> 6, base = byte & 7;
    if (mode == 3)
        return;
    if (base == 4)
        base = take(reading) & 7;
    else if (base == 5 && mode == 0)
        base = 8; // relative to the next instruction
    reading->at += mode == 1 ? 1 : mode == 2 || base == 8 || (base == 5 && mode == 0) ? 4 : 0;
}

static size_t size_of_word(const struct reading *reading)
{
    return reading->is_short && !reading->is_wide ? 2 : 4;
}

// What is behind the operands of an opcode of one byte that the tables do not tell.
static size_t size_of_special(const struct reading *reading)
{
    uint8_t opcode = reading->opcode;
    unsigned which = reading->operands >> 3 & 7;
    if (opcode >= 0xa0 && opcode <= 0xa3)
        return reading->is_narrow ? 4 : 8;
    if (opcode >= 0xb8 && opcode <= 0xbf)
        return reading->is_wide ? 8 : size_of_word(reading);
    if (opcode == 0xf6 || opcode == 0xf7)
        return which > 1 ? 0 : opcode == 0xf6 ? 1 : size_of_word(reading);
    return opcode == 0xc2 || opcode == 0xca   ? 2
           : opcode == 0xc8                   ? 3
           : opcode == 0xe8 || opcode == 0xe9 ? 4
                                              : 0;
}

// How many bytes stand behind the operands.
static size_t size_of_rest(const struct reading *reading)
{
    if (reading->map == 0)
        return (has(with_byte, reading->opcode) ? 1 : 0) +
               (has(with_word, reading->opcode) ? size_of_word(reading) : 0) +
               size_of_special(reading);
    bool is_branch = reading->map == 1 && !reading->is_extended && (reading->opcode & 0xf0) == 0x80;
    bool has_byte =
        reading->map == 3 || (reading->map == 1 && has(with_byte_behind_0f, reading->opcode));
    return is_branch ? 4 : has_byte ? 1 : 0;
}

static enum rh_instruction_kind kind_of_group(const struct reading *reading)
{
    unsigned which = reading->operands >> 3 & 7;
    return which == 2 || which == 3   ? RH_INSTRUCTION_CALL
           : which == 4 || which == 5 ? RH_INSTRUCTION_UNKNOWN
                                      : RH_INSTRUCTION_OTHER;
}

static enum rh_instruction_kind kind_of(const struct reading *reading)
{
    uint8_t opcode = reading->opcode;
    if (reading->is_extended || reading->map > 1)
        return RH_INSTRUCTION_OTHER;
    if (reading->map == 1)
        return (opcode & 0xf0) == 0x80 ? RH_INSTRUCTION_BRANCH
               : opcode == 0x0b        ? RH_INSTRUCTION_TRAP
                                       : RH_INSTRUCTION_OTHER;
    if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3))
        return RH_INSTRUCTION_BRANCH;
    switch (opcode) {
    case 0xe8:
        return RH_INSTRUCTION_CALL;
    case 0xe9:
    case 0xeb:
        return RH_INSTRUCTION_JUMP;
    case 0xc2:
    case 0xc3:
    case 0xca:
    case 0xcb:
        return RH_INSTRUCTION_RETURN;
    case 0xcc:
    case 0xf4:
        return RH_INSTRUCTION_TRAP;
    case 0xff:
        return kind_of_group(reading);
    default:
        return RH_INSTRUCTION_OTHER;
    }
}

// Where the bytes behind the opcode lead, counted from the next instruction.
static uintptr_t target_of(const uint8_t *next, size_t size)
{
    int32_t distance = (next[-1] ^ 0x80) - 0x80; // a signed byte
    if (size == 4)
        memcpy(&distance, next - 4, sizeof distance);
    return (uintptr_t)next + (uintptr_t)(intptr_t)distance;
}

struct rh_instruction rh_instruction_read(const uint8_t *bytes, size_t room)
{
    struct reading reading = {.bytes = bytes, .room = room};
    take_opcode(&reading);
    if (!is_known(&reading))
        return (struct rh_instruction){RH_INSTRUCTION_UNKNOWN, 0, 0};
    if (has_operands(&reading))
        take_operands(&reading);
    size_t rest = size_of_rest(&reading);
    reading.at += rest;
    if (reading.at > room || reading.at > 15)
        return (struct rh_instruction){RH_INSTRUCTION_UNKNOWN, 0, 0};
    struct rh_instruction read = {.kind = kind_of(&reading), .length = (uint32_t)reading.at};
    bool leads = read.kind == RH_INSTRUCTION_JUMP || read.kind == RH_INSTRUCTION_BRANCH ||
                 (read.kind == RH_INSTRUCTION_CALL && reading.opcode == 0xe8);
    if (leads)
        read.target = target_of(bytes + reading.at, rest);
    return read;
}
