// SPDX-License-Identifier: MIT
// The judge, and what is inferred, against plain enumeration: random systems of actors, the diagrams that are inferred
// for them, and these with one to three changes. Each grade has to be what the words say: those of all executions of
// the system, and those of all partial orders of the diagram.
//
// JUDGE_SYSTEMS says how many systems, JUDGE_FIRST the first seed.
#include "diagram/fold.h"
#include "diagram/infer.h"
#include "diagram/judge.h"
#include "diagram/part.h"
#include "diagram/rules.h"
#include "mutant.h"
#include "system.h"
#include "test.h"

enum { MUTANTS = 12 };

static struct {
    unsigned systems, too_large, diagrams, mutants, equal, different, refused, unknown, undecided,
        not_enumerated, inferred_unsound, shared, rules;
    unsigned by_grade[RH_GRADE_EXACT + 1];
} counts;

struct trial {
    uint64_t seed;
    const struct system *system;
    struct rh_automaton *automaton;
    struct plain_words program;
    struct rh_judgement judgement;
    const struct rh_node *node;
};

static void complain(const struct trial *trial, const char *what)
{
    struct rh_text text = {0};
    rh_node_print(&text, trial->node);
    fflush(stdout);
    fprintf(stderr, "FAIL seed %llu%s: %s\n  graded %s (%s; %s)\n%s\n",
            (unsigned long long)trial->seed, trial->system->is_fifo ? "" : " (any)", what,
            rh_grade_name(trial->judgement.grade), rh_text_get(&trial->judgement.reason),
            rh_text_get(&trial->judgement.difference), rh_text_get(&text));
    for (size_t i = 0; i < trial->program.items.count && i < 5; i++)
        fprintf(stderr, "  %s\n", trial->program.items.items[i]);
    exit(1);
}

// --- What words say. ---

// Whether some word of the list begins with these bytes.
static bool has_prefix(const struct plain_words *words, const char *bytes, size_t length)
{
    size_t low = 0, high = words->items.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strncmp(words->items.items[middle], bytes, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < words->items.count && !strncmp(words->items.items[low], bytes, length);
}

// How far the program can follow the word: the place behind the last step that some execution has too.
static size_t followed(const struct plain_words *program, const char *word)
{
    size_t place = 0;
    for (size_t i = 0; word[i]; i++)
        if (word[i] == '.') {
            if (!has_prefix(program, word, i + 1))
                break;
            place = i + 1;
        }
    return place;
}

// Whether the program has another order of receives than the word: not even the next receive is the program's.
static bool is_other_order(const struct plain_words *program, const char *word)
{
    size_t place = followed(program, word);
    if (!word[place])
        return false;
    return place > 0 && !has_prefix(program, word, (size_t)(strchr(word + place, '>') - word) + 1);
}

struct truth {
    bool is_sound, allows_more, allows_order;
};

static struct truth compare(const struct plain_words *program, const struct plain_words *words)
{
    struct truth truth = {.is_sound = true};
    for (size_t i = 0; i < program->items.count; i++)
        truth.is_sound &= plain_words_have(words, program->items.items[i]);
    for (size_t i = 0; i < words->items.count; i++) {
        const char *word = words->items.items[i];
        truth.allows_more |= !plain_words_have(program, word);
        truth.allows_order |= is_other_order(program, word);
    }
    return truth;
}

static bool is_used_within(const struct plain_sites *used, const struct rh_node *node)
{
    bool all = node->kind != RH_NODE_ARROW;
    for (size_t i = 0; i < used->count && !all; i++)
        all = used->items[i] == node;
    for (size_t i = 0; i < node->count && all; i++)
        all = is_used_within(used, node->parts[i]);
    return all;
}

static bool is_used(const struct plain_sites *used, const struct rh_node *node)
{
    struct rh_definitions definitions = {0};
    bool all = is_used_within(used, node);
    rh_definitions_add(&definitions, node);
    for (size_t i = 0; i < definitions.count && all; i++)
        all = is_used_within(used, definitions.items[i]->body);
    rh_vector_fini(&definitions);
    return all;
}

// --- One diagram. ---

static void check_grade(struct trial *trial, const struct truth *truth, bool is_bounded,
                        bool uses_all)
{
    enum rh_grade grade = trial->judgement.grade;
    counts.by_grade[grade]++;
    if (grade == RH_GRADE_UNKNOWN) {
        counts.unknown++;
        return;
    }
    if (grade != RH_GRADE_UNSOUND && !truth->is_sound && !is_bounded)
        complain(trial, "some execution is no word of the diagram");
    if (grade == RH_GRADE_UNSOUND && truth->is_sound)
        complain(trial, "all executions are words of the diagram");
    if (grade == RH_GRADE_EXACT && truth->allows_more)
        complain(trial, "the diagram has a word that is no execution");
    if (grade == RH_GRADE_ORDER_EXACT && truth->allows_order)
        complain(trial, "the diagram has another order of receives");
    if (grade == RH_GRADE_ORDER_EXACT && !uses_all)
        complain(trial, "no execution takes some arrow");
    if (grade != RH_GRADE_SOUND && grade != RH_GRADE_ORDER_EXACT)
        return;
    if (trial->judgement.reason.length)
        counts.undecided++;
    else if (!truth->allows_more && !is_bounded)
        complain(trial, "the diagram has no word that is no execution");
    else if (grade == RH_GRADE_SOUND && !truth->allows_order && uses_all && !is_bounded)
        complain(trial, "it is order-exact");
}

static bool enumerate(struct trial *trial, struct plain_words *words, struct plain_sites *used,
                      bool *is_bounded)
{
    struct plain plain = {.names = &trial->automaton->names, .is_fifo = trial->system->is_fifo};
    plain_words_of(&plain, trial->node, words, &trial->program, used);
    rh_names_restore(&trial->automaton->names);
    *is_bounded = plain.is_bounded;
    return !plain.is_full;
}

static void count_mutant(const struct trial *trial, const struct truth *truth)
{
    bool is_same = truth->is_sound && !truth->allows_more;
    counts.mutants++;
    counts.equal += is_same;
    counts.different += !is_same;
    counts.refused += !is_same && trial->judgement.grade != RH_GRADE_EXACT;
}

static void try_diagram(struct trial *trial, bool is_mutant, bool by_causes)
{
    struct plain_words words = {0};
    struct plain_sites used = {0};
    bool is_bounded;
    struct rh_diagram diagram = {.name = "random", .body = trial->node};
    if (enumerate(trial, &words, &used, &is_bounded)) {
        struct rh_status status = rh_diagram_judge(trial->automaton, &diagram, NULL,
                                                   trial->system->is_fifo, true, &trial->judgement);
        EXPECT(rh_is_ok(&status));
        struct truth truth = compare(&trial->program, &words);
        check_grade(trial, &truth, is_bounded, is_used(&used, trial->node));
        // By types alone it is not always known what a handler has received that sends a message.
        counts.inferred_unsound += !is_mutant && !truth.is_sound;
        if (!is_mutant && !truth.is_sound && by_causes)
            complain(trial, "what was inferred misses an execution");
        if (is_mutant && !is_bounded)
            count_mutant(trial, &truth);
        rh_judgement_fini(&trial->judgement);
    } else {
        counts.not_enumerated++;
    }
    plain_words_fini(&words);
    rh_vector_fini(&used);
}

// --- One system. ---

static void try_mutants(struct trial *trial, struct rh_arena *arena, struct rh_rng *rng,
                        const struct rh_node *original)
{
    for (int i = 0; i < MUTANTS; i++) {
        trial->node = original;
        for (uint64_t changes = 1 + rh_rng_below(rng, 8) / 6; changes > 0; changes--)
            trial->node = mutant_of(arena, rng, trial->node);
        if (!rh_node_equals(trial->node, original))
            try_diagram(trial, true, false);
    }
}

// What is printed is what was inferred when it is read again.
static void read_again(const struct rh_node *node)
{
    struct rh_text text = {0}, again = {0};
    struct rh_diagram diagram = {.name = "random", .body = node};
    struct rh_diagram_file file = {0};
    rh_diagram_print(&diagram, &text);
    struct rh_status status = rh_diagram_parse(&file, "random", rh_text_get(&text), text.length);
    EXPECT(rh_is_ok(&status) && file.diagrams.count == 1);
    rh_diagram_print(&file.diagrams.items[0], &again);
    EXPECT_TEXT(rh_text_get(&again), rh_text_get(&text));
    rh_diagram_file_fini(&file);
    rh_text_fini(&text);
    rh_text_fini(&again);
}

// Parts that are written once change nothing.
static void try_shared(struct trial *trial, struct rh_arena *arena)
{
    struct plain_words words = {0}, shared_words = {0};
    bool is_bounded;
    if (enumerate(trial, &words, NULL, &is_bounded)) {
        const struct rh_node *node = trial->node, *shared = rh_share(arena, node, 2);
        counts.shared += shared != node;
        read_again(shared);
        trial->node = shared;
        EXPECT(enumerate(trial, &shared_words, NULL, &is_bounded));
        bool is_same = words.items.count == shared_words.items.count;
        for (size_t i = 0; i < words.items.count && is_same; i++)
            is_same = !strcmp(words.items.items[i], shared_words.items.items[i]);
        if (!is_same)
            complain(trial, "with parts that are written once it has other words");
        if (shared != node)
            try_diagram(trial, false, false);
    }
    plain_words_fini(&words);
    plain_words_fini(&shared_words);
}

// What is made of handlers misses no execution, as long as nothing but the order of messages matters.
static void try_rules(struct trial *trial, struct rh_arena *arena, const struct rh_journal *classes)
{
    const struct rh_rules_view view = {classes, trial->automaton};
    const struct rh_points point = {.count = 1};
    trial->node = rh_infer_rules(arena, &view, &point, false);
    if (!trial->node)
        return;
    counts.rules++;
    read_again(trial->node);
    try_diagram(trial, false, true);
}

static void try_system(uint64_t seed, struct rh_journal *states, struct rh_journal *classes)
{
    struct rh_rng rng;
    rh_rng_seed(&rng, seed);
    struct system system = system_random(&rng);
    struct trial trial = {.seed = seed, .system = &system};
    counts.systems++;
    if (system_explore(&system, true, states, NULL) &&
        system_explore(&system, false, classes, &trial.program)) {
        struct rh_automaton automaton;
        struct rh_arena arena = {0};
        rh_automaton_init(&automaton, states);
        trial.automaton = &automaton;
        for (int by_causes = 0; by_causes < 2; by_causes++) {
            const struct rh_node *node =
                rh_infer(&arena, classes, &automaton, by_causes, RH_INFER_PLAIN);
            if (!node)
                continue;
            counts.diagrams++;
            read_again(node);
            trial.node = node;
            try_diagram(&trial, false, by_causes);
            try_shared(&trial, &arena);
            try_mutants(&trial, &arena, &rng, node);
        }
        try_rules(&trial, &arena, classes);
        rh_arena_fini(&arena);
        rh_automaton_fini(&automaton);
    } else {
        counts.too_large++;
    }
    plain_words_fini(&trial.program);
}

static unsigned long long number_of(const char *name, unsigned long long otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(void)
{
    struct rh_journal *states = rh_journal_new(), *classes = rh_journal_new();
    unsigned long long systems = number_of("JUDGE_SYSTEMS", 100),
                       first = number_of("JUDGE_FIRST", 1);
    EXPECT(states && classes);
    for (unsigned long long i = 0; i < systems; i++)
        try_system(first + i, states, classes);
    printf("%u systems (%u too large), %u diagrams (%u by types are unsound), %u not enumerated\n",
           counts.systems, counts.too_large, counts.diagrams, counts.inferred_unsound,
           counts.not_enumerated);
    printf("grades: %u unsound, %u unknown, %u sound (%u undecided), %u order-exact, %u exact\n",
           counts.by_grade[RH_GRADE_UNSOUND], counts.unknown, counts.by_grade[RH_GRADE_SOUND],
           counts.undecided, counts.by_grade[RH_GRADE_ORDER_EXACT],
           counts.by_grade[RH_GRADE_EXACT]);
    printf("%u with parts, %u made of handlers\n", counts.shared, counts.rules);
    printf("mutants: %u, %u with the same words, %u with others, of which %u refused\n",
           counts.mutants, counts.equal, counts.different, counts.refused);
    // Otherwise the comparison says little.
    EXPECT(counts.shared * 50 > counts.diagrams && counts.rules > 0);
    EXPECT(counts.too_large * 2 < counts.systems &&
           counts.unknown * 50 < counts.mutants + counts.diagrams);
    EXPECT(counts.equal > 0 && counts.refused * 100 >= counts.different * 99);
    rh_journal_free(states);
    rh_journal_free(classes);
    return 0;
}
