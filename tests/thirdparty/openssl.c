// SPDX-License-Identifier: MIT
// OpenSSL: it sets itself up in the first handler that calls it (or in the test's body, with
// EARLY), fetches algorithms into tables that all share, keeps errors and random numbers by thread.
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#ifdef EARLY
static void set_up(void)
{
    unsigned char bytes[32];
    unsigned length;
    RAND_bytes(bytes, sizeof bytes);
    EVP_Digest("a", 1, bytes, &length, EVP_sha256(), NULL);
}
#define BODY set_up()
#endif
#include "library.h"

static void digest(struct user *user, int number)
{
    EVP_MD_CTX *context = user->kept;
    if (!context) {
        user->kept = context = EVP_MD_CTX_new();
        rh_check(EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1);
    }
    rh_check(EVP_DigestUpdate(context, &number, sizeof number) == 1);
    unsigned char once[EVP_MAX_MD_SIZE], again[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    EVP_MD_CTX_copy_ex(copy, context);
    rh_check(EVP_DigestFinal_ex(copy, once, &length) == 1 && length == 32);
    EVP_MD_CTX_copy_ex(copy, context);
    rh_check(EVP_DigestFinal_ex(copy, again, &length) == 1);
    rh_check(memcmp(once, again, length) == 0);
    EVP_MD_CTX_free(copy);
}

static void fail(void)
{
    rh_check(EVP_MD_fetch(NULL, "no such digest", NULL) == NULL);
    rh_check(ERR_peek_error() != 0);
    ERR_clear_error();
    rh_check(ERR_peek_error() == 0);
}

static void use(struct user *user, int number)
{
    unsigned char bytes[16] = {0}, zeros[16] = {0};
    digest(user, number);
    rh_check(RAND_bytes(bytes, sizeof bytes) == 1);
    rh_check(memcmp(bytes, zeros, sizeof bytes) != 0);
    fail();
}
