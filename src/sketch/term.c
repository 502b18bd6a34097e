// SPDX-License-Identifier: MIT
#include "sketch/term.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static uint64_t hash_of(const struct rh__term *term, const uint32_t *parts)
{
    uint64_t words[] = {(uint64_t)term->kind << 32 | term->leaf,
                        (uint64_t)term->least << 1 | term->is_parallel};
    return rh_hash64(parts, term->count * sizeof *parts, rh_hash64(words, sizeof words, 0));
}

static bool is_same(const struct rh__terms *terms, const struct rh__term *one,
                    const struct rh__term *other, const uint32_t *parts)
{
    return one->kind == other->kind && one->leaf == other->leaf && one->count == other->count &&
           one->least == other->least && one->is_parallel == other->is_parallel &&
           (one->count == 0 ||
            !memcmp(&terms->parts.items[one->first], parts, one->count * sizeof *parts));
}

static bool can_skip(const struct rh__terms *terms, const struct rh__term *term,
                     const uint32_t *parts)
{
    if (term->kind == RH__TERM_SKIP || (term->kind == RH__TERM_LOOP && term->least == 0))
        return true;
    bool is_choice = term->kind == RH__TERM_CHOICE, can = !is_choice && term->count > 0;
    for (uint32_t i = 0; i < term->count; i++)
        if (terms->items.items[parts[i]].can_skip == is_choice)
            can = is_choice;
    return can;
}

// `parts` are nobody's: those of the terms may move.
static uint32_t intern(struct rh__terms *terms, struct rh__term term, const uint32_t *parts)
{
    uint64_t hash = hash_of(&term, parts);
    struct rh_probe probe = rh_table_probe(&terms->table, hash);
    while (rh_probe_next(&probe))
        if (is_same(terms, &terms->items.items[probe.number], &term, parts))
            return probe.number;
    term.can_skip = can_skip(terms, &term, parts);
    term.first = (uint32_t)terms->parts.count;
    for (uint32_t i = 0; i < term.count; i++)
        *rh_vector_push(&terms->parts) = parts[i];
    uint32_t number = (uint32_t)terms->items.count;
    *rh_vector_push(&terms->items) = term;
    rh_table_add(&terms->table, NULL, hash, number);
    return number;
}

void rh__terms_init(struct rh__terms *terms)
{
    *terms = (struct rh__terms){0};
    intern(terms, (struct rh__term){.kind = RH__TERM_SKIP}, NULL);
}

void rh__terms_fini(struct rh__terms *terms)
{
    rh_vector_fini(&terms->items);
    rh_vector_fini(&terms->parts);
    rh_table_fini(&terms->table);
}

uint32_t rh__term_leaf(struct rh__terms *terms, uint32_t leaf)
{
    return intern(terms, (struct rh__term){.kind = RH__TERM_LEAF, .leaf = leaf}, NULL);
}

uint32_t rh__term_loop(struct rh__terms *terms, uint32_t body, uint32_t least, bool is_parallel)
{
    struct rh__term inner = rh__term_get(terms, body);
    if (body == RH__SKIP)
        return RH__SKIP;
    if (inner.can_skip)
        least = 0;
    if (inner.kind == RH__TERM_LOOP && inner.is_parallel == is_parallel) {
        body = rh__term_part(terms, body, 0);
        least = least && inner.least;
    }
    // Rounds in which nothing happens are no rounds.
    if (rh__term_get(terms, body).kind == RH__TERM_CHOICE) {
        struct rh__term_list ways = {0};
        struct rh__term choice = rh__term_get(terms, body);
        for (uint32_t i = 0; i < choice.count; i++)
            if (rh__term_part(terms, body, i) != RH__SKIP)
                rh__term_list_add(&ways, rh__term_part(terms, body, i));
        body = rh__term_join(terms, RH__TERM_CHOICE, &ways);
    }
    return intern(
        terms,
        (struct rh__term){
            .kind = RH__TERM_LOOP, .count = 1, .least = least, .is_parallel = is_parallel},
        &body);
}

static bool has(const struct rh__term_list *list, uint32_t term)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == term)
            return true;
    return false;
}

static void flatten(struct rh__terms *terms, enum rh__term_kind kind, uint32_t number,
                    struct rh__term_list *flat)
{
    struct rh__term term = rh__term_get(terms, number);
    bool is_choice = kind == RH__TERM_CHOICE;
    if (term.kind == kind)
        for (uint32_t i = 0; i < term.count; i++)
            flatten(terms, kind, rh__term_part(terms, number, i), flat);
    else if (is_choice ? !has(flat, number) : number != RH__SKIP)
        rh__term_list_add(flat, number);
}

// `a ; b ; [a ; b]^*` is a loop of one round or more.
static void join_rounds(struct rh__terms *terms, struct rh__term_list *list)
{
    for (size_t i = 1; i < list->count; i++) {
        struct rh__term loop = rh__term_get(terms, list->items[i]);
        if (loop.kind != RH__TERM_LOOP || loop.least || loop.is_parallel)
            continue;
        uint32_t body = rh__term_part(terms, list->items[i], 0);
        struct rh__term round = rh__term_get(terms, body);
        bool is_list = round.kind == RH__TERM_SEQUENCE;
        size_t length = is_list ? round.count : 1, first = i - length;
        bool is_same = length <= i;
        for (size_t k = 0; k < length && is_same; k++)
            is_same = list->items[first + k] ==
                      (is_list ? rh__term_part(terms, body, (uint32_t)k) : body);
        if (!is_same)
            continue;
        list->items[first] = rh__term_loop(terms, body, 1, false);
        memmove(&list->items[first + 1], &list->items[i + 1],
                (list->count - i - 1) * sizeof *list->items);
        list->count -= length;
        i = first;
    }
}

// Doing nothing is no way of its own where another way may be skipped, or may be a loop of no
// rounds.
static void drop_skip(struct rh__terms *terms, struct rh__term_list *ways)
{
    size_t kept = 0;
    bool is_needless = false;
    for (size_t i = 0; i < ways->count && has(ways, RH__SKIP); i++) {
        struct rh__term way = rh__term_get(terms, ways->items[i]);
        if (way.kind == RH__TERM_LOOP && way.least)
            ways->items[i] =
                rh__term_loop(terms, rh__term_part(terms, ways->items[i], 0), 0, way.is_parallel);
        is_needless |= ways->items[i] != RH__SKIP && rh__term_get(terms, ways->items[i]).can_skip;
    }
    bool has_skip = has(ways, RH__SKIP) && !is_needless;
    for (size_t i = 0; i < ways->count; i++)
        if (ways->items[i] != RH__SKIP)
            ways->items[kept++] = ways->items[i];
    ways->count = kept;
    if (has_skip)
        rh__term_list_add(ways, RH__SKIP);
}

// A way's first step, and what is behind it.
static uint32_t first_of(const struct rh__terms *terms, uint32_t way)
{
    bool is_sequence = rh__term_get(terms, way).kind == RH__TERM_SEQUENCE;
    return is_sequence ? rh__term_part(terms, way, 0) : way;
}

static uint32_t rest_of(struct rh__terms *terms, uint32_t way)
{
    struct rh__term term = rh__term_get(terms, way);
    struct rh__term_list rest = {0};
    for (uint32_t i = 1; i < term.count && term.kind == RH__TERM_SEQUENCE; i++)
        rh__term_list_add(&rest, rh__term_part(terms, way, i));
    return rh__term_join(terms, RH__TERM_SEQUENCE, &rest);
}

// `a ; b (+) a ; c` is `a ; (b (+) c)`, where a is one step.
static void join_beginnings(struct rh__terms *terms, struct rh__term_list *ways)
{
    for (size_t i = 0; i < ways->count; i++) {
        struct rh__term_list rests = {0};
        uint32_t first = first_of(terms, ways->items[i]);
        size_t kept = i + 1;
        if (rh__term_get(terms, first).kind != RH__TERM_LEAF)
            continue;
        rh__term_list_add(&rests, rest_of(terms, ways->items[i]));
        for (size_t k = i + 1; k < ways->count; k++)
            if (first_of(terms, ways->items[k]) == first)
                rh__term_list_add(&rests, rest_of(terms, ways->items[k]));
            else
                ways->items[kept++] = ways->items[k];
        ways->count = kept;
        bool is_joined = rests.count > 1;
        uint32_t rest = rh__term_join(terms, RH__TERM_CHOICE, &rests);
        if (is_joined)
            ways->items[i] = rh__term_pair(terms, RH__TERM_SEQUENCE, first, rest);
    }
}

uint32_t rh__term_join(struct rh__terms *terms, enum rh__term_kind kind, struct rh__term_list *list)
{
    struct rh__term_list flat = {0};
    for (size_t i = 0; i < list->count; i++)
        flatten(terms, kind, list->items[i], &flat);
    if (kind == RH__TERM_CHOICE) {
        join_beginnings(terms, &flat);
        drop_skip(terms, &flat);
    }
    if (kind == RH__TERM_SEQUENCE)
        join_rounds(terms, &flat);
    uint32_t result =
        flat.count == 0 ? (uint32_t)RH__SKIP
        : flat.count == 1
            ? flat.items[0]
            : intern(terms, (struct rh__term){.kind = kind, .count = (uint32_t)flat.count},
                     flat.items);
    rh_vector_fini(&flat);
    rh_vector_fini(list);
    return result;
}

uint32_t rh__term_pair(struct rh__terms *terms, enum rh__term_kind kind, uint32_t left,
                       uint32_t right)
{
    struct rh__term_list list = {0};
    rh__term_list_add(&list, left);
    rh__term_list_add(&list, right);
    return rh__term_join(terms, kind, &list);
}

static int compare_numbers(const void *one, const void *other)
{
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

struct mapping {
    struct rh__terms *terms;
    rh__term_replace *replace; // NULL: leaves stay
    void *context;
    bool is_sorting;
    RH_VECTOR(uint32_t) known; // by term, plus 1
};

static uint32_t map(struct mapping *mapping, uint32_t number)
{
    struct rh__terms *terms = mapping->terms;
    while (mapping->known.count <= number)
        *rh_vector_push(&mapping->known) = 0;
    if (mapping->known.items[number])
        return mapping->known.items[number] - 1;
    struct rh__term term = rh__term_get(terms, number);
    uint32_t result = number;
    if (term.kind == RH__TERM_LEAF && mapping->replace) {
        result = mapping->replace(mapping->context, term.leaf);
    } else if (term.kind == RH__TERM_LOOP) {
        uint32_t body = map(mapping, rh__term_part(terms, number, 0));
        result = rh__term_loop(terms, body, term.least, term.is_parallel);
    } else if (term.count) {
        struct rh__term_list parts = {0};
        for (uint32_t i = 0; i < term.count; i++)
            rh__term_list_add(&parts, map(mapping, rh__term_part(terms, number, i)));
        bool has_order = term.kind == RH__TERM_SEQUENCE || term.kind == RH__TERM_WEAK;
        if (mapping->is_sorting && !has_order)
            qsort(parts.items, parts.count, sizeof *parts.items, compare_numbers);
        result = rh__term_join(terms, term.kind, &parts);
    }
    mapping->known.items[number] = result + 1;
    return result;
}

uint32_t rh__term_map(struct rh__terms *terms, uint32_t term, rh__term_replace *replace,
                      void *context)
{
    struct mapping mapping = {.terms = terms, .replace = replace, .context = context};
    uint32_t result = map(&mapping, term);
    rh_vector_fini(&mapping.known);
    return result;
}

uint32_t rh__term_sorted(struct rh__terms *terms, uint32_t term)
{
    struct mapping mapping = {.terms = terms, .is_sorting = true};
    uint32_t result = map(&mapping, term);
    rh_vector_fini(&mapping.known);
    return result;
}

size_t rh__term_size(const struct rh__terms *terms, uint32_t number)
{
    struct rh__term term = rh__term_get(terms, number);
    size_t size = term.kind == RH__TERM_LEAF;
    for (uint32_t i = 0; i < term.count; i++)
        size += rh__term_size(terms, rh__term_part(terms, number, i));
    return size;
}
