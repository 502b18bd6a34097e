// SPDX-License-Identifier: MIT
// Numbers of any width at any bit of a little-endian value.
#include "debug/internal.h"

#include <string.h>

static rh__uint128 low_bits(unsigned count)
{
    return count >= 128 ? ~(rh__uint128)0 : ((rh__uint128)1 << count) - 1;
}

static size_t byte_count(unsigned bit_offset, unsigned bit_size)
{
    return (bit_offset + bit_size + 7) / 8;
}

rh__uint128 rh__bits_read(const void *bytes, size_t offset, unsigned bit_offset, unsigned bit_size)
{
    const unsigned char *from = (const unsigned char *)bytes + offset;
    rh__uint128 value = 0;
    for (size_t i = byte_count(bit_offset, bit_size); i-- > 0;) {
        // A shifted number of 128 bits has a seventeenth byte, of which only the low bits count.
        if (i == 16)
            value = (rh__uint128)from[16] << (128 - bit_offset);
        else
            value |= 8 * i >= bit_offset ? (rh__uint128)from[i] << (8 * i - bit_offset)
                                         : (rh__uint128)from[i] >> (bit_offset - 8 * i);
    }
    return value & low_bits(bit_size);
}

void rh__bits_write(void *bytes, size_t offset, unsigned bit_offset, unsigned bit_size,
                    rh__uint128 value)
{
    unsigned char *to = (unsigned char *)bytes + offset;
    for (unsigned bit = 0; bit < bit_size; bit++) {
        unsigned place = bit + bit_offset;
        unsigned char mask = (unsigned char)(1u << place % 8);
        if (value >> bit & 1)
            to[place / 8] |= mask;
        else
            to[place / 8] &= (unsigned char)~mask;
    }
}

rh__int128 rh__bits_extend(rh__uint128 value, unsigned bit_size)
{
    if (bit_size < 128 && value >> (bit_size - 1) & 1)
        value |= ~low_bits(bit_size);
    return (rh__int128)value;
}

bool rh__is_number(const struct rh_debug_type *type)
{
    return type->kind == RH__SIGNED || type->kind == RH__UNSIGNED || type->kind == RH__CHARACTER ||
           type->kind == RH__BOOL || type->kind == RH__ENUM;
}

bool rh__is_signed(const struct rh_debug_type *type)
{
    return type->kind == RH__SIGNED || type->kind == RH__CHARACTER ||
           (type->kind == RH__ENUM && type->is_signed);
}
