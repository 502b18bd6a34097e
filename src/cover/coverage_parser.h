// SPDX-License-Identifier: MIT
// The reader of coverage files, for the sources that make it up: coverage_words.c reads words,
// coverage_traffic.c the lines about traffic, coverage_reached.c those about lines and branches of
// the program, coverage_parse.c all others.
#ifndef REHEARSE_COVER_COVERAGE_PARSER_H
#define REHEARSE_COVER_COVERAGE_PARSER_H

#include "base/lines.h"
#include "cover/coverage_file.h"

struct rh__parser {
    struct rh_coverage_set *set;
    struct rh_lines lines;
    uint64_t version;                // of the file
    struct rh_coverage_head head;    // head of the present part, until its entry is opened
    uint64_t executions;             // executions of the present part
    bool has_begun;                  // a line of the present part has been read
    struct rh_coverage_entry *entry; // what the present part is about; NULL within its head
    uint32_t actor;                  // actor of the next event; RH_NONE: none yet
    RH_VECTOR(uint64_t) objects;     // what the coverage knows the object by, by number in the file
    RH_VECTOR(struct rh_touch) touches; // what the present event touches
    RH_VECTOR(uint32_t) events;         // number in the coverage, by number in the file
    RH_VECTOR(uint32_t) behaviours;     // number in the traffic, by number in the file less 1
    RH_VECTOR(uint32_t) passages;       // number in the traffic, by number in the file
    struct rh_line_coverage reached;    // lines and branches of the present part
    RH_VECTOR(struct rh_receive) execution;
    RH_VECTOR(uint32_t) last_execution; // by event: the number of the last execution that had it
    uint32_t execution_number;
    bool is_in_execution;
};

// Goes to the next word; false at the end of the line, and with a failure if the word can't be
// read.
bool rh__parser_next_word(struct rh__parser *parser);
bool rh__parser_need_line_end(struct rh__parser *parser);

// The next word must be there, and be of the kind that the function names; `form` is how the whole
// line should read.
bool rh__parser_need_word(struct rh__parser *parser, const char *form);
bool rh__parser_need_keyword(struct rh__parser *parser, const char *form, const char *keyword);
bool rh__parser_need_number(struct rh__parser *parser, const char *form, uint64_t *number);
bool rh__parser_need_identity(struct rh__parser *parser, const char *form, uint64_t *identity);
// Reads FILE:LINE, and adds FILE to `file`.
bool rh__parser_need_place(struct rh__parser *parser, const char *form, struct rh_text *file,
                           int *line);

// How to read the rest of a line such as `3: 4 6-9`, of numbers below `count`: `set` is called for
// each pair of the first number and one behind the colon.
struct rh__parser_list {
    const char *form, *item; // "pr EVENT: EVENT...", "event"
    size_t count;
    bool (*set)(struct rh__parser *parser, int what, uint32_t first, uint32_t second);
    int what; // handed to `set`
};
bool rh__parser_need_list(struct rh__parser *parser, const struct rh__parser_list *list);

// Counts memory for pairs, which short lines may name many of; fails if it is too much.
bool rh__parser_count_bytes(struct rh__parser *parser, size_t bytes);

// Opens the entry that the present part is about, at the first line behind the part's head.
bool rh__parser_open_entry(struct rh__parser *parser);

// Read a line about traffic, behind its keyword.
bool rh__parser_behaviour(struct rh__parser *parser);
bool rh__parser_created(struct rh__parser *parser);
bool rh__parser_became(struct rh__parser *parser);
bool rh__parser_sent(struct rh__parser *parser);
bool rh__parser_before(struct rh__parser *parser);

// The same for lines and branches.
bool rh__parser_source(struct rh__parser *parser);
bool rh__parser_function(struct rh__parser *parser);
bool rh__parser_source_lines(struct rh__parser *parser);
bool rh__parser_reached(struct rh__parser *parser);
bool rh__parser_branch(struct rh__parser *parser);
// The part ends: what it has is added to its entry.
bool rh__parser_end_reached(struct rh__parser *parser);

#endif
