// SPDX-License-Identifier: MIT
// Blocks in the memory of actors that a schedule creates, and the words that lead to them.
#include <string.h>

#include "base/line.h"
#include "trace/schedule.h"

bool rh_block_word_read(const char *word, struct rh_block_word *read)
{
    const char *plus = strrchr(word, '+');
    *read = (struct rh_block_word){.name = word + 1, .length = strlen(word + 1)};
    if (*word != '&' || word[1] == '\0')
        return false;
    if (!plus)
        return true;
    read->length = (size_t)(plus - word) - 1;
    return read->length > 0 && rh_line_number_of(plus + 1, strlen(plus + 1), 10, &read->offset);
}

bool rh_block_word_is(const struct rh_block_word *word, const char *name)
{
    return strlen(name) == word->length && !memcmp(name, word->name, word->length);
}

static const struct rh_schedule_block *find_block(const struct rh_schedule *schedule,
                                                  const struct rh_block_word *word)
{
    for (size_t i = 0; i < schedule->blocks.count; i++)
        if (rh_block_word_is(word, schedule->blocks.items[i].name))
            return &schedule->blocks.items[i];
    return NULL;
}

// Whether all blocks that the bytes lead to are there, and the actor's.
static const char *check_bytes(const struct rh_schedule *schedule, const char *bytes,
                               const char *actor)
{
    const char *fault = NULL;
    struct rh_line words;
    rh_line_init(&words, bytes, strlen(bytes));
    while (!fault && rh_line_next(&words)) {
        struct rh_block_word word;
        if (*rh_text_get(&words.word) != '&')
            continue;
        rh_block_word_read(rh_text_get(&words.word), &word);
        const struct rh_schedule_block *block = find_block(schedule, &word);
        if (!block)
            fault = "it leads to a block that no `block` line makes";
        else if (strcmp(block->actor, actor) != 0)
            fault = "it leads to a block in another actor's memory";
    }
    rh_line_fini(&words);
    return fault;
}

static bool is_created(const struct rh_schedule *schedule, const char *actor)
{
    for (size_t i = 0; i < schedule->sends.count; i++)
        if (schedule->sends.items[i].state_type &&
            !strcmp(schedule->sends.items[i].receiver, actor))
            return true;
    return false;
}

static const char *check_block(const struct rh_schedule *schedule, size_t index)
{
    const struct rh_schedule_block *block = &schedule->blocks.items[index];
    for (size_t i = 0; i < index; i++)
        if (!strcmp(schedule->blocks.items[i].name, block->name))
            return "there is a block of this name already";
    return is_created(schedule, block->actor)
               ? check_bytes(schedule, block->bytes, block->actor)
               : "no `created` line creates the actor that the block is in";
}

const char *rh_schedule_find_bad_block(const struct rh_schedule *schedule, int *line)
{
    for (size_t i = 0; i < schedule->sends.count; i++) {
        const struct rh_schedule_send *send = &schedule->sends.items[i];
        const char *fault = send->bytes ? check_bytes(schedule, send->bytes, send->receiver) : NULL;
        *line = send->line;
        if (fault)
            return fault;
    }
    for (size_t i = 0; i < schedule->blocks.count; i++) {
        const char *fault = check_block(schedule, i);
        *line = schedule->blocks.items[i].line;
        if (fault)
            return fault;
    }
    return NULL;
}

void rh_schedule_drop_blocks(struct rh_schedule *schedule)
{
    size_t kept = 0;
    for (size_t i = 0; i < schedule->blocks.count; i++) {
        struct rh_schedule_block *block = &schedule->blocks.items[i];
        if (is_created(schedule, block->actor))
            schedule->blocks.items[kept++] = *block;
        else
            rh_schedule_block_fini(block);
    }
    schedule->blocks.count = kept;
}
