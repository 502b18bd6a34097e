// SPDX-License-Identifier: MIT
// zlib: each actor keeps a stream open over its messages.
#include <stdlib.h>

#include <zlib.h>

#include "library.h"

struct packer {
    z_stream stream;
    unsigned char packed[256];
};

static struct packer *new_packer(void)
{
    struct packer *packer = calloc(1, sizeof *packer);
    rh_check(deflateInit(&packer->stream, 9) == Z_OK);
    packer->stream.next_out = packer->packed;
    packer->stream.avail_out = sizeof packer->packed;
    return packer;
}

// Ends a copy of the stream, and unpacks what there is.
static void check_whole(struct packer *packer, int count)
{
    unsigned char text[256] = {0};
    uLongf length = sizeof text;
    z_stream copy;
    rh_check(deflateCopy(&copy, &packer->stream) == Z_OK);
    rh_check(deflate(&copy, Z_FINISH) == Z_STREAM_END);
    rh_check(uncompress(text, &length, packer->packed, copy.total_out) == Z_OK);
    rh_check(length == 8 * (uLongf)count && text[length - 8] == 'n');
    deflateEnd(&copy);
}

static void use(struct user *user, int number)
{
    unsigned char line[] = {'n', 'u', 'm', 'b', 'e', 'r', ' ', (unsigned char)('0' + number)};
    struct packer *packer = user->kept;
    if (!packer)
        user->kept = packer = new_packer();
    packer->stream.next_in = line;
    packer->stream.avail_in = sizeof line;
    rh_check(deflate(&packer->stream, Z_NO_FLUSH) == Z_OK);
    check_whole(packer, user->count);
}
