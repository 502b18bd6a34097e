// SPDX-License-Identifier: MIT
#include "runtime/mail.h"

#include <malloc.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/text.h"

enum { LEAST = 64, LINE = 64 };

struct rh_mail_chunk {
    struct rh_mail_chunk *next;
};

void rh_mail_office_init(struct rh_mail_office *office)
{
    extern void __asan_init(void) __attribute__((weak));
    for (int i = 0; i < RH_MAIL_CLASSES; i++)
        pthread_mutex_init(&office->depots[i].lock, NULL);
    pthread_mutex_init(&office->lock, NULL);
    office->is_plain = __asan_init != NULL;
}

void rh_mail_office_fini(struct rh_mail_office *office)
{
    while (office->chunks) {
        struct rh_mail_chunk *chunk = office->chunks;
        office->chunks = chunk->next;
        free(chunk);
    }
    for (int i = 0; i < RH_MAIL_CLASSES; i++)
        pthread_mutex_destroy(&office->depots[i].lock);
    pthread_mutex_destroy(&office->lock);
}

static char *new_chunk(struct rh_mail_office *office, size_t size)
{
    struct rh_mail_chunk *chunk = memalign(LINE, size + LINE);
    if (!chunk)
        rh_panic("no memory for messages");
    pthread_mutex_lock(&office->lock);
    chunk->next = office->chunks;
    office->chunks = chunk;
    pthread_mutex_unlock(&office->lock);
    return (char *)chunk + LINE;
}

static void fill(struct rh_mail_office *office, struct rh_magazine *magazine, int size_class)
{
    size_t size = (size_t)LEAST << size_class;
    char *memory = new_chunk(office, size * RH_SPARE_BATCH);
    for (int i = RH_SPARE_BATCH - 1; i >= 0; i--)
        rh_magazine_put(magazine, &office->depots[size_class],
                        (struct rh_spare *)(memory + (size_t)i * size));
}

static struct rh_mail *new_large(size_t size)
{
    struct rh_mail *mail = malloc(size);
    if (!mail)
        rh_panic("no memory for a message of %zu bytes", size);
    mail->size_class = RH_MAIL_LARGE;
    return mail;
}

static inline int class_of(size_t size)
{
    return size <= LEAST ? 0 : 64 - __builtin_clzl((size - 1) / LEAST);
}

struct rh_mail *rh_mail_new(struct rh_mail_office *office, struct rh_mail_cache *cache, size_t size)
{
    size_t whole = sizeof(struct rh_mail) + size;
    int size_class = class_of(whole);
    struct rh_mail *mail;
    if (size_class >= RH_MAIL_CLASSES || office->is_plain) {
        mail = new_large(whole);
    } else {
        struct rh_magazine *magazine = &cache->magazines[size_class];
        struct rh_spare *spare = rh_magazine_take(magazine, &office->depots[size_class]);
        if (!spare) {
            fill(office, magazine, size_class);
            spare = rh_magazine_take(magazine, &office->depots[size_class]);
        }
        mail = (struct rh_mail *)spare;
        mail->size_class = (uint8_t)size_class;
    }
    mail->size = (uint32_t)size;
    return mail;
}

void rh_mail_free(struct rh_mail_office *office, struct rh_mail_cache *cache, struct rh_mail *mail)
{
    int size_class = mail->size_class;
    if (size_class == RH_MAIL_LARGE)
        free(mail);
    else
        rh_magazine_put(&cache->magazines[size_class], &office->depots[size_class], &mail->spare);
}
