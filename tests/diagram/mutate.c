// SPDX-License-Identifier: MIT
// Writes diagrams with one small change, and says of each whether its language is another one, by plain enumeration:
//
//     mutate FILE COUNT MUTANTS VERDICTS [CLASS=NUMBER...]
//
// The file has one diagram without parameters. MUTANTS gets the diagrams, and VERDICTS a line `same` or `other` for each.
// Changes that can't be enumerated, or change nothing in the text, are left out. How many actors a class has is said for
// `some`.
#include "mutant.h"
#include "plain.h"

struct original {
    struct rh_diagram_file file;
    struct rh_names names;
    struct plain_words words;
};

static bool enumerate(struct original *original, const struct rh_node *node,
                      struct plain_words *words)
{
    struct plain plain = {.names = &original->names, .is_fifo = true};
    plain_words_of(&plain, node, words, NULL, NULL);
    return !plain.is_full && !plain.is_bounded;
}

static bool are_equal(const struct plain_words *one, const struct plain_words *other)
{
    bool is_same = one->items.count == other->items.count;
    for (size_t i = 0; i < one->items.count && is_same; i++)
        is_same = !strcmp(one->items.items[i], other->items.items[i]);
    return is_same;
}

static void read_classes(struct rh_names *names, char **arguments)
{
    rh_names_actor(names, "outside", 1);
    for (; *arguments; arguments++) {
        char *number = strchr(*arguments, '=');
        EXPECT(number);
        *number = '\0';
        for (int64_t i = 1; i <= strtoll(number + 1, NULL, 10); i++)
            rh_names_actor(names, *arguments, i);
    }
}

static void write_mutant(struct original *original, const struct rh_node *node, FILE *mutants,
                         FILE *verdicts)
{
    struct plain_words words = {0};
    if (enumerate(original, node, &words)) {
        struct rh_diagram mutant = original->file.diagrams.items[0];
        struct rh_text text = {0};
        mutant.body = node;
        rh_diagram_print(&mutant, &text);
        fprintf(mutants, "%s\n", rh_text_get(&text));
        fprintf(verdicts, "%s\n", are_equal(&original->words, &words) ? "same" : "other");
        rh_text_fini(&text);
    }
    plain_words_fini(&words);
}

int main(int count, char **arguments)
{
    struct original original = {0};
    struct rh_arena arena = {0};
    struct rh_rng rng;
    EXPECT(count > 4);
    struct rh_status status = rh_diagram_read(&original.file, arguments[1]);
    EXPECT(rh_is_ok(&status));
    read_classes(&original.names, arguments + 5);
    const struct rh_node *body = original.file.diagrams.items[0].body;
    FILE *mutants = fopen(arguments[3], "w"), *verdicts = fopen(arguments[4], "w");
    EXPECT(mutants && verdicts);
    rh_rng_seed(&rng, 7);
    if (enumerate(&original, body, &original.words))
        for (long i = 0; i < strtol(arguments[2], NULL, 10); i++) {
            const struct rh_node *node = mutant_of(&arena, &rng, body);
            if (!rh_node_equals(node, body))
                write_mutant(&original, node, mutants, verdicts);
        }
    fclose(mutants);
    fclose(verdicts);
    plain_words_fini(&original.words);
    rh_names_fini(&original.names);
    rh_diagram_file_fini(&original.file);
    rh_arena_fini(&arena);
    return 0;
}
