// SPDX-License-Identifier: MIT
// Initials, weak initials and wakeup trees. Labels are written as what they touch and a message: "a1 b1" is a delivery
// of message 1 at object a, then one of message 1 at object b; A1 touches x too, and so does B1. "a1/0" is a1 with
// outcome 0 of its choice, of two.
#include "reduce/wakeup.h"

#include <stddef.h>
#include <string.h>

#include "../test.h"

#include "base/text.h"

static struct rh_lists lists;
static struct rh_touched_sets sets;
static const struct rh_faults no_faults;

// What writes the object that is named by a small letter. A big letter stands for that object and x together.
static const struct rh_touched *touched_by(char name)
{
    bool is_big = name >= 'A' && name <= 'Z';
    struct rh_touch touches[] = {rh_touch_number((uint64_t)(name | 0x20), true),
                                 rh_touch_number('x', true)};
    return rh_touched_set(&sets, touches, 1 + is_big);
}

// The next label of the text, which is there.
static struct rh_label read_label(const char **text)
{
    while (**text == ' ')
        ++*text;
    struct rh_label label = {.touched = touched_by(**text),
                             .identity = (uint64_t) * *text << 8 | (uint64_t)(*text)[1],
                             .outcome = RH_ANY_OUTCOME};
    *text += 2;
    if (**text == '/') {
        label.outcome = rh_lists_add(&lists, &(uint32_t){(uint32_t)((*text)[1] - '0')}, 1);
        label.ways = rh_lists_add(&lists, &(uint32_t){2}, 1);
        *text += 2;
    }
    return label;
}

static rh_sequence read_sequence(const char *text)
{
    rh_sequence sequence = {0};
    while (*text != '\0')
        *rh_vector_push(&sequence) = read_label(&text);
    return sequence;
}

static struct rh_label label(const char *text)
{
    return read_label(&text);
}

static bool is_initial(const char *one, const char *of)
{
    rh_sequence sequence = read_sequence(of);
    struct rh_label first = label(one);
    bool is = rh_is_initial(&first, &sequence);
    rh_vector_fini(&sequence);
    return is;
}

static bool is_weak_initial(const char *one, const char *of)
{
    rh_sequence sequence = read_sequence(of);
    struct rh_label first = label(one);
    bool is = rh_is_weak_initial(&first, &sequence);
    rh_vector_fini(&sequence);
    return is;
}

// A tree as text: branches in brackets where there is more than one.
static void add_tree(const struct rh_wakeup *wakeup, uint32_t first, struct rh_text *text)
{
    for (uint32_t at = first; at != 0; at = wakeup->nodes[at].next) {
        const struct rh_label *here = &wakeup->nodes[at].label;
        rh_text_addf(text, "%s(%c%c", at == first ? "" : " ", (char)(here->identity >> 8),
                     (char)here->identity);
        if (here->outcome != RH_ANY_OUTCOME)
            rh_text_addf(text, "/%u", rh_lists_get(&lists, here->outcome, 0));
        add_tree(wakeup, wakeup->nodes[at].first, text);
        rh_text_addf(text, ")");
    }
}

static void expect_tree(const struct rh_wakeup *wakeup, uint32_t first, const char *expected)
{
    struct rh_text text = {0};
    add_tree(wakeup, first, &text);
    char *tree = rh_text_take(&text);
    EXPECT_TEXT(tree ? tree : "", expected);
    free(tree);
}

static void insert(struct rh_wakeup *wakeup, uint32_t *first, const char *text)
{
    rh_sequence sequence = read_sequence(text), asleep = {0};
    EXPECT(rh_wakeup_insert(wakeup, &lists, first, &asleep, &no_faults, &sequence));
    rh_vector_fini(&asleep);
    rh_vector_fini(&sequence);
}

// Which deliveries can come first in an order that is equivalent to the sequence.
static void test_initials(void)
{
    EXPECT(is_initial("a1", "a1"));
    EXPECT(is_initial("a1", "a1 b1 a2"));
    EXPECT(is_initial("b1", "a1 b1 a2"));
    EXPECT(!is_initial("a2", "a1 b1 a2"));
    EXPECT(!is_initial("c1", "a1 b1 a2"));
    EXPECT(!is_initial("a1", ""));
    // A weak initial may also be what does not occur, where nothing depends on it.
    EXPECT(is_weak_initial("a1", "a1 b1 a2"));
    EXPECT(is_weak_initial("b1", "a1 b1 a2"));
    EXPECT(is_weak_initial("c1", "a1 b1 a2"));
    EXPECT(is_weak_initial("a1", ""));
    EXPECT(!is_weak_initial("a2", "a1 b1 a2"));
    EXPECT(!is_weak_initial("a3", "a1 b1 a2"));
    // Dependence is not transitive: a1 and b1 depend on A1 and on nothing of b, or of a.
    EXPECT(is_initial("b1", "A1 b1"));
    EXPECT(!is_initial("B1", "A1 B1"));
    EXPECT(!is_initial("a1", "A1 a1"));
    EXPECT(is_weak_initial("b1", "A1 a1"));
    EXPECT(!is_weak_initial("B2", "A1 a1"));
}

static void test_outcomes(void)
{
    EXPECT(is_initial("a1", "a1/0 b1"));
    EXPECT(is_initial("a1/0", "a1/0 b1"));
    EXPECT(!is_initial("a1/1", "a1/0 b1"));
    EXPECT(!is_initial("a1/1", "a1 b1"));
    EXPECT(!is_weak_initial("a1/1", "b1 a1/0"));
    // The other outcome could follow as well.
    EXPECT(!is_weak_initial("c1/1", "a1/0 b1"));
}

// Insertion as in the paper: no two branches begin the same class.
static void test_insertion(struct rh_wakeup *wakeup)
{
    uint32_t tree = 0;
    insert(wakeup, &tree, "");
    expect_tree(wakeup, tree, "");
    insert(wakeup, &tree, "a1 b1");
    expect_tree(wakeup, tree, "(a1(b1))");
    // The same, and what is equivalent to it.
    insert(wakeup, &tree, "a1 b1");
    insert(wakeup, &tree, "b1 a1");
    // A part of it: whatever runs a1 b1 begins with something equivalent.
    insert(wakeup, &tree, "a1");
    insert(wakeup, &tree, "b1");
    // What does not depend on it and could follow it.
    insert(wakeup, &tree, "c1");
    // A longer one of which the branch is a beginning: a leaf will be gone on from in every way.
    insert(wakeup, &tree, "a1 b1 a2");
    insert(wakeup, &tree, "b1 c1 a1 b2");
    expect_tree(wakeup, tree, "(a1(b1))");
    // In conflict with it at the first, and at the second delivery. The later branch comes behind.
    insert(wakeup, &tree, "a2 a1");
    expect_tree(wakeup, tree, "(a1(b1)) (a2(a1))");
    insert(wakeup, &tree, "a1 b2");
    expect_tree(wakeup, tree, "(a1(b1) (b2)) (a2(a1))");
    // It goes along with the first branch that it does not conflict with, and leaves it where it does.
    insert(wakeup, &tree, "c1 a1 b3 b1");
    expect_tree(wakeup, tree, "(a1(b1) (b2) (c1(b3(b1)))) (a2(a1))");
    rh_wakeup_drop(wakeup, tree);
}

// Three writers of one variable, as reductions find them: w1 w2 w3 is run first; each race leads to one more branch.
static void test_writers(struct rh_wakeup *wakeup)
{
    uint32_t before_first = 0, before_second = 0, rest = 0;
    insert(wakeup, &before_first, "x2 x1");
    insert(wakeup, &before_second, "x3 x2");
    struct rh_label taken = rh_wakeup_take(wakeup, &before_second, &rest);
    EXPECT(taken.identity == label("x3").identity);
    EXPECT(before_second == 0);
    expect_tree(wakeup, rest, "(x2)");
    rh_wakeup_drop(wakeup, rest);
    insert(wakeup, &before_first, "x3 x1");
    insert(wakeup, &before_first, "x2 x1");
    expect_tree(wakeup, before_first, "(x2(x1)) (x3(x1))");
    rh_wakeup_drop(wakeup, before_first);
}

// A race whose other order has a reader in front: the reader that comes first anyway is shared.
static void test_readers(struct rh_wakeup *wakeup)
{
    uint32_t tree = 0;
    insert(wakeup, &tree, "y1 z1 x2");
    insert(wakeup, &tree, "z1 y1 x2");
    insert(wakeup, &tree, "y1 x2");
    insert(wakeup, &tree, "z1 x3");
    expect_tree(wakeup, tree, "(y1(z1(x2) (x3)))");
    rh_wakeup_drop(wakeup, tree);
}

static void test_outcomes_in_trees(struct rh_wakeup *wakeup)
{
    uint32_t tree = 0;
    insert(wakeup, &tree, "a1/0 b2");
    insert(wakeup, &tree, "a1/1 b2");
    insert(wakeup, &tree, "b2 a1/1");
    expect_tree(wakeup, tree, "(a1/0(b2)) (a1/1(b2))");
    rh_wakeup_drop(wakeup, tree);
    // Each outcome could follow it, so that it goes with none of them.
    tree = 0;
    insert(wakeup, &tree, "a1/0 b1");
    insert(wakeup, &tree, "b1 b2");
    expect_tree(wakeup, tree, "(a1/0(b1)) (b1(b2))");
    rh_wakeup_drop(wakeup, tree);
    // But one of both will: all that begins with it is run behind them.
    tree = 0;
    insert(wakeup, &tree, "a1/0 b1");
    insert(wakeup, &tree, "a1/1 b1");
    insert(wakeup, &tree, "b2");
    insert(wakeup, &tree, "b3 a1");
    expect_tree(wakeup, tree, "(a1/0(b1)) (a1/1(b1))");
    rh_wakeup_drop(wakeup, tree);
    tree = 0;
    insert(wakeup, &tree, "a1 b2");
    insert(wakeup, &tree, "a1/1 b2");
    expect_tree(wakeup, tree, "(a1(b2))");
    rh_wakeup_drop(wakeup, tree);
}

// Outcomes in branches that are run earlier are asleep in a later one. All of them together keep a sequence out of it,
// also if it has some itself.
static void test_outcomes_in_order(struct rh_wakeup *wakeup)
{
    uint32_t tree = 0;
    insert(wakeup, &tree, "a1/0 b1");
    insert(wakeup, &tree, "c1 b1 a2");
    insert(wakeup, &tree, "a1/1 c2");
    insert(wakeup, &tree, "c1 b2");
    expect_tree(wakeup, tree, "(a1/0(b1)) (c1(b1(a2)) (b2)) (a1/1(c2))");
    rh_wakeup_drop(wakeup, tree);
    tree = 0;
    insert(wakeup, &tree, "a1/0 b1");
    insert(wakeup, &tree, "a1/1 b1");
    insert(wakeup, &tree, "c1 b1 a2");
    insert(wakeup, &tree, "c1 b2");
    expect_tree(wakeup, tree, "(a1/0(b1)) (a1/1(b1)) (c1(b1(a2)))");
    rh_wakeup_drop(wakeup, tree);
    tree = 0;
    insert(wakeup, &tree, "a1/0 b1");
    insert(wakeup, &tree, "c1 b1 a2");
    insert(wakeup, &tree, "c1 a1/1 b3");
    insert(wakeup, &tree, "c1 b2");
    expect_tree(wakeup, tree, "(a1/0(b1)) (c1(b1(a2)) (a1/1(b3)))");
    rh_wakeup_drop(wakeup, tree);
    // What touches the same wakes them up.
    tree = 0;
    insert(wakeup, &tree, "a1/0 b1");
    insert(wakeup, &tree, "a2 a1/1 b1");
    insert(wakeup, &tree, "a2 b2");
    expect_tree(wakeup, tree, "(a1/0(b1)) (a2(a1/1(b1)) (b2))");
    rh_wakeup_drop(wakeup, tree);
}

static void test_taking(struct rh_wakeup *wakeup)
{
    uint32_t tree = 0, rest = 0;
    insert(wakeup, &tree, "a1 b1");
    insert(wakeup, &tree, "a1 b2");
    insert(wakeup, &tree, "a2");
    struct rh_label taken = rh_wakeup_take(wakeup, &tree, &rest);
    EXPECT(taken.identity == label("a1").identity);
    expect_tree(wakeup, rest, "(b1) (b2)");
    expect_tree(wakeup, tree, "(a2)");
    rh_wakeup_graft(wakeup, &tree, rest);
    expect_tree(wakeup, tree, "(a2) (b1) (b2)");
    rh_wakeup_graft(wakeup, &tree, 0);
    rest = 0;
    rh_wakeup_graft(wakeup, &rest, tree);
    expect_tree(wakeup, rest, "(a2) (b1) (b2)");
    rh_wakeup_drop(wakeup, rest);
}

// What is given back is used again: a long search takes no more than its trees of one moment.
static void test_room(struct rh_wakeup *wakeup)
{
    uint32_t used = wakeup->count;
    for (int i = 0; i < 1000; i++) {
        uint32_t tree = 0;
        insert(wakeup, &tree, "a1 b1 c1");
        insert(wakeup, &tree, "a1 b2");
        rh_wakeup_drop(wakeup, tree);
    }
    EXPECT(wakeup->count <= used + 4);
    wakeup->most = wakeup->count;
    uint32_t tree = 0;
    rh_sequence sequence =
        read_sequence("a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3 b4 b5 b6 b7 b8 b9 c1 c2");
    rh_sequence asleep = {0};
    EXPECT(!rh_wakeup_insert(wakeup, &lists, &tree, &asleep, &no_faults, &sequence));
    rh_vector_fini(&asleep);
    rh_vector_fini(&sequence);
}

// A delivery that sends twice, with what is chosen for each message: '-' nothing, 'd' a drop, 'c' a copy.
static struct rh_label sending(const char *text)
{
    uint32_t outcomes[4], ways[4], count = 0;
    for (; *text != '\0'; text++) {
        outcomes[count] = *text == 'd';
        ways[count++] = rh_choice_pack(2, RH_FAULT_DROP);
        if (*text == 'd') // what is lost has no copies
            continue;
        outcomes[count] = *text == 'c';
        ways[count++] = rh_choice_pack(2, RH_FAULT_DUPLICATE);
    }
    return (struct rh_label){.identity = 1,
                             .touched = touched_by('a'),
                             .outcome = rh_lists_add(&lists, outcomes, count),
                             .ways = rh_lists_add(&lists, ways, count)};
}

// Whether these outcomes, separated by spaces, are all that there are with so many faults left.
static bool are_all(const char *text, uint16_t drops, uint16_t duplicates)
{
    const struct rh_faults left = {.drops = drops, .duplicates = duplicates};
    rh_sequence labels = {0};
    for (; *text != '\0'; text += strspn(text, " ")) {
        char word[3] = {text[0], text[1], '\0'};
        *rh_vector_push(&labels) = sending(word);
        text += 2;
    }
    rh_outcomes none = {0};
    bool all = rh_labels_cover(&lists, &labels, &left, &none);
    rh_vector_fini(&labels);
    rh_vector_fini(&none);
    return all;
}

static struct rh_faults left_behind(const char *text, uint16_t drops, uint16_t duplicates)
{
    struct rh_faults left = {.drops = drops, .duplicates = duplicates};
    struct rh_label made = sending(text);
    rh_use_faults(&lists, &made, rh_lists_length(&lists, made.outcome), &left);
    return left;
}

// Which outcomes there are depends on the faults that are left.
static void test_faults(void)
{
    EXPECT(are_all("--", 0, 0));
    EXPECT(!are_all("--", 1, 0));
    EXPECT(!are_all("-- d-", 1, 0));
    EXPECT(are_all("-- d- -d", 1, 0));
    EXPECT(!are_all("-- d- -d", 2, 0));
    EXPECT(are_all("-- d- -d dd", 2, 0));
    EXPECT(are_all("-- d- -d dd", 1, 0));
    EXPECT(!are_all("d- -d", 1, 0));
    EXPECT(are_all("-- c- -c", 0, 1));
    EXPECT(!are_all("-- c- -c d- -d", 1, 1));
    EXPECT(are_all("-- c- -c d- -d cd dc", 1, 1));
    EXPECT(left_behind("--", 1, 1).drops == 1);
    EXPECT(left_behind("d-", 1, 1).drops == 0);
    EXPECT(left_behind("d-", 1, 1).duplicates == 1);
    EXPECT(left_behind("dc", 2, 1).drops == 1);
    EXPECT(left_behind("dc", 2, 1).duplicates == 0);
}

int main(void)
{
    struct rh_wakeup wakeup;
    EXPECT(rh_wakeup_init(&wakeup));
    EXPECT(rh_lists_init(&lists));
    EXPECT(rh_touched_init(&sets));
    test_initials();
    test_outcomes();
    test_insertion(&wakeup);
    test_writers(&wakeup);
    test_readers(&wakeup);
    test_outcomes_in_trees(&wakeup);
    test_outcomes_in_order(&wakeup);
    test_taking(&wakeup);
    test_room(&wakeup);
    test_faults();
    rh_wakeup_fini(&wakeup);
    rh_lists_fini(&lists);
    rh_touched_fini(&sets);
    return 0;
}
