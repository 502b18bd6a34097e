// SPDX-License-Identifier: MIT
// Reads diagrams. The bytes may be anything.
#include "diagram/diagram.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/line.h"

enum { DEPTH_MOST = 500 };

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_BAD };

struct token {
    enum token_kind kind;
    const char *bytes;
    size_t length;
    int line, column;
};

struct parser {
    struct rh_arena *arena; // borrowed
    // Of the present diagram.
    RH_VECTOR(struct rh_definition *) definitions;
    RH_VECTOR(const struct rh_node *) calls;
    const char *path;
    const char *at, *end;
    int line, column;
    int depth; // of what is in parentheses
    struct token token;
    bool has_failed;
    struct rh_status status;
};

// --- Tokens. ---

static void step(struct parser *parser)
{
    bool is_newline = *parser->at++ == '\n';
    parser->line += is_newline;
    parser->column = is_newline ? 1 : parser->column + 1;
}

static void skip_blanks(struct parser *parser)
{
    while (parser->at < parser->end) {
        if (*parser->at == '#')
            while (parser->at < parser->end && *parser->at != '\n')
                step(parser);
        else if (strchr(" \t\r\n", *parser->at) && *parser->at)
            step(parser);
        else
            return;
    }
}

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t sign_length(const struct parser *parser)
{
    static const char *const signs[] = {"(+)", "->", "..", "]^", "]~", "]|", ";", "~",
                                        "|",   "(",  ")",  "[",  "]",  "{",  "}", ":",
                                        "=",   "+",  "-",  "*",  "/",  ","};
    size_t left = (size_t)(parser->end - parser->at);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t length = strlen(signs[i]);
        if (length <= left && !memcmp(parser->at, signs[i], length))
            return length;
    }
    return 0;
}

static void next(struct parser *parser)
{
    skip_blanks(parser);
    struct token *token = &parser->token;
    *token = (struct token){.bytes = parser->at, .line = parser->line, .column = parser->column};
    if (parser->at == parser->end)
        return;
    size_t length = 0, left = (size_t)(parser->end - parser->at);
    while (length < left && is_name_byte(parser->at[length]))
        length++;
    bool is_number = length && isdigit((unsigned char)*parser->at);
    token->kind = is_number ? TOKEN_NUMBER : length ? TOKEN_NAME : TOKEN_SIGN;
    if (!length)
        length = sign_length(parser);
    if (!length) {
        token->kind = TOKEN_BAD;
        length = 1;
    }
    token->length = length;
    for (size_t i = 0; i < length; i++)
        step(parser);
}

static bool is_at(const struct parser *parser, const char *word)
{
    const struct token *token = &parser->token;
    return token->kind != TOKEN_END && token->kind != TOKEN_BAD && token->length == strlen(word) &&
           !memcmp(token->bytes, word, token->length);
}

static void fail(struct parser *parser, const char *expected)
{
    const struct token *token = &parser->token;
    if (parser->has_failed)
        return;
    parser->has_failed = true;
    if (token->kind == TOKEN_END)
        parser->status = rh_bad_input("%s:%d:%d: expected %s, but the diagram ends here",
                                      parser->path, token->line, token->column, expected);
    else
        parser->status =
            rh_bad_input("%s:%d:%d: expected %s, not '%s'", parser->path, token->line,
                         token->column, expected, rh_excerpt_of(token->bytes, token->length).text);
}

static void fail_at(struct parser *parser, const struct rh_node *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void fail_at(struct parser *parser, const struct rh_node *place, const char *format, ...)
{
    struct rh_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    rh_text_addv(&text, format, arguments);
    va_end(arguments);
    if (!parser->has_failed)
        parser->status = rh_bad_input("%s:%d:%d: %s", parser->path, place->line, place->column,
                                      rh_text_get(&text));
    parser->has_failed = true;
    rh_text_fini(&text);
}

static bool take(struct parser *parser, const char *word)
{
    if (parser->has_failed || !is_at(parser, word))
        return false;
    next(parser);
    return true;
}

static void expect(struct parser *parser, const char *word, const char *expected)
{
    if (!take(parser, word))
        fail(parser, expected);
}

static bool is_word(const struct parser *parser)
{
    static const char *const words[] = {"all",     "for",  "some",  "in",  "skip", "asks",
                                        "answers", "sets", "loses", "mod", "min",  "max"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_at(parser, words[i]))
            return true;
    return false;
}

static const char *take_any_name(struct parser *parser, const char *expected)
{
    const struct token *token = &parser->token;
    if (parser->has_failed || token->kind != TOKEN_NAME) {
        fail(parser, expected);
        return "";
    }
    const char *name = rh_arena_text(parser->arena, token->bytes, token->length);
    next(parser);
    return name;
}

// A name that is no word of the language. Messages may have those.
static const char *take_name(struct parser *parser, const char *expected)
{
    if (is_word(parser))
        fail(parser, expected);
    return take_any_name(parser, expected);
}

// --- Expressions. ---

static const struct rh_expression *parse_sum(struct parser *parser);

static const struct rh_expression *zero(struct parser *parser)
{
    return rh_expression_number(parser->arena, 0);
}

static const struct rh_expression *parse_number(struct parser *parser)
{
    uint64_t number = 0;
    const struct token *token = &parser->token;
    if (!rh_line_number_of(token->bytes, token->length, 10, &number) || number > INT32_MAX) {
        fail(parser, "a number up to 2147483647");
        return zero(parser);
    }
    next(parser);
    return rh_expression_number(parser->arena, (int64_t)number);
}

static bool enter(struct parser *parser)
{
    if (parser->depth++ < DEPTH_MOST)
        return true;
    fail(parser, "fewer parentheses within each other");
    return false;
}

static const struct rh_expression *parse_atom(struct parser *parser)
{
    if (parser->token.kind == TOKEN_NUMBER)
        return parse_number(parser);
    if (take(parser, "-"))
        return rh_expression_make(parser->arena, RH_EXPRESSION_SUBTRACT, zero(parser),
                                  parse_atom(parser));
    if (!is_at(parser, "("))
        return rh_expression_variable(parser->arena, take_name(parser, "a number or a variable"));
    const struct rh_expression *inner = zero(parser);
    next(parser);
    if (enter(parser))
        inner = parse_sum(parser);
    parser->depth--;
    expect(parser, ")", "')'");
    return inner;
}

static const struct rh_expression *parse_product(struct parser *parser)
{
    static const struct {
        const char *word;
        enum rh_expression_kind kind;
    } operations[] = {{"*", RH_EXPRESSION_MULTIPLY},
                      {"/", RH_EXPRESSION_DIVIDE},
                      {"mod", RH_EXPRESSION_MODULO},
                      {"min", RH_EXPRESSION_LEAST},
                      {"max", RH_EXPRESSION_MOST}};
    const struct rh_expression *left = parse_atom(parser);
    for (size_t i = 0; i < sizeof operations / sizeof operations[0] && !parser->has_failed;) {
        if (!take(parser, operations[i].word)) {
            i++;
            continue;
        }
        left = rh_expression_make(parser->arena, operations[i].kind, left, parse_atom(parser));
        i = 0;
    }
    return left;
}

static const struct rh_expression *parse_sum(struct parser *parser)
{
    const struct rh_expression *left = parse_product(parser);
    while (!parser->has_failed) {
        if (take(parser, "+"))
            left =
                rh_expression_make(parser->arena, RH_EXPRESSION_ADD, left, parse_product(parser));
        else if (take(parser, "-"))
            left = rh_expression_make(parser->arena, RH_EXPRESSION_SUBTRACT, left,
                                      parse_product(parser));
        else
            return left;
    }
    return left;
}

// --- Diagrams. ---

static const struct rh_node *parse_choice(struct parser *parser);

static struct rh_node *new_node(struct parser *parser, enum rh_node_kind kind)
{
    struct rh_node *node = rh_arena_take(parser->arena, sizeof *node);
    node->kind = kind;
    node->line = parser->token.line;
    node->column = parser->token.column;
    return node;
}

static void set_part(struct parser *parser, struct rh_node *node, const struct rh_node *part)
{
    node->parts = rh_arena_take(parser->arena, sizeof *node->parts);
    node->parts[0] = part;
    node->count = 1;
}

static const struct rh_node *parse_inner(struct parser *parser)
{
    const struct rh_node *inner = NULL;
    if (enter(parser))
        inner = parse_choice(parser);
    parser->depth--;
    return inner ? inner : rh_node_skip(parser->arena);
}

static void parse_bound(struct parser *parser, struct rh_node *node)
{
    node->first = zero(parser);
    if (take(parser, "*"))
        return;
    node->first = node->last = parse_sum(parser);
    if (!take(parser, ".."))
        return;
    node->last = NULL;
    if (!take(parser, "*"))
        node->last = parse_sum(parser);
}

static const struct rh_node *parse_loop(struct parser *parser)
{
    struct rh_node *node = new_node(parser, RH_NODE_LOOP);
    next(parser);
    set_part(parser, node, parse_inner(parser));
    node->is_weak = is_at(parser, "]~");
    node->is_parallel = is_at(parser, "]|");
    if (!take(parser, "]^") && !take(parser, "]|"))
        expect(parser, "]~", "']^', ']~' or ']|' and how many times");
    parse_bound(parser, node);
    return node;
}

static const struct rh_node *parse_family(struct parser *parser, enum rh_node_kind kind)
{
    struct rh_node *node = new_node(parser, kind);
    next(parser);
    node->is_weak = kind == RH_NODE_EACH && take(parser, "~");
    node->variable = take_name(parser, "a name for the index");
    expect(parser, "in", "'in'");
    if (kind == RH_NODE_SOME) {
        node->class = take_name(parser, "a class of actors");
    } else {
        node->first = parse_sum(parser);
        expect(parser, "..", "'..' and the last index");
        node->last = parse_sum(parser);
    }
    expect(parser, "{", "'{'");
    set_part(parser, node, parse_inner(parser));
    expect(parser, "}", "'}'");
    return node;
}

static struct rh_party parse_party_of(struct parser *parser, const char *class)
{
    struct rh_party party = {.class = class};
    if (take(parser, "[")) {
        party.index = parse_sum(parser);
        expect(parser, "]", "']'");
    }
    return party;
}

static struct rh_party parse_party(struct parser *parser)
{
    return parse_party_of(parser, take_name(parser, "an actor"));
}

// Parts may be called before they are defined.
static struct rh_definition *find_definition(struct parser *parser, const char *name,
                                             const struct rh_node *place)
{
    for (size_t i = 0; i < parser->definitions.count; i++)
        if (!strcmp(parser->definitions.items[i]->name, name))
            return parser->definitions.items[i];
    struct rh_definition *definition = rh_arena_take(parser->arena, sizeof *definition);
    *definition =
        (struct rh_definition){.name = name, .line = place->line, .column = place->column};
    *rh_vector_push(&parser->definitions) = definition;
    return definition;
}

// Behind the name.
static const struct rh_node *parse_call(struct parser *parser, struct rh_node *node,
                                        const char *name)
{
    node->kind = RH_NODE_CALL;
    node->definition = find_definition(parser, name, node);
    node->arguments = rh_arena_take(parser->arena, RH_PARAMETERS_MOST * sizeof *node->arguments);
    bool has_arguments = take(parser, "(");
    while (has_arguments && !parser->has_failed && !is_at(parser, ")")) {
        if (node->argument_count == RH_PARAMETERS_MOST)
            fail(parser, "no more than 8 numbers");
        else
            node->arguments[node->argument_count++] = parse_sum(parser);
        if (!take(parser, ","))
            break;
    }
    if (has_arguments)
        expect(parser, ")", "',' or ')'");
    *rh_vector_push(&parser->calls) = node;
    return node;
}

static bool take_sending(struct parser *parser, struct rh_node *node)
{
    for (int kind = RH_JOURNAL_PLAIN; kind <= RH_JOURNAL_TIMER; kind++) {
        node->sending = (enum rh_journal_kind)kind;
        if (take(parser, rh_sending_word(node->sending)))
            return true;
    }
    node->sending = RH_JOURNAL_PLAIN;
    node->is_lost = take(parser, "loses");
    return node->is_lost;
}

// Whether what follows can't belong to an arrow any more.
static bool ends_item(const struct parser *parser)
{
    static const char *const words[] = {";",  "~",  "|",    "(+)",     ")",      "}",  "]^",
                                        "]~", "]|", "vary", "diagram", "sketch", "def"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_at(parser, words[i]))
            return true;
    return parser->token.kind == TOKEN_END;
}

static const struct rh_node *parse_arrow(struct parser *parser)
{
    struct rh_node *node = new_node(parser, RH_NODE_ARROW);
    const char *name = take_name(parser, "an actor");
    if (is_at(parser, "(") || ends_item(parser))
        return parser->has_failed ? node : parse_call(parser, node, name);
    node->from = parse_party_of(parser, name);
    if (!take_sending(parser, node))
        fail(parser, "'->', 'asks', 'answers', 'sets' or 'loses'");
    node->to = parse_party(parser);
    expect(parser, ":", "':' and a message");
    node->type = take_any_name(parser, "a message");
    return node;
}

static const struct rh_node *parse_item(struct parser *parser)
{
    if (take(parser, "skip"))
        return rh_node_skip(parser->arena);
    if (is_at(parser, "["))
        return parse_loop(parser);
    if (is_at(parser, "all"))
        return parse_family(parser, RH_NODE_ALL);
    if (is_at(parser, "for"))
        return parse_family(parser, RH_NODE_EACH);
    if (is_at(parser, "some"))
        return parse_family(parser, RH_NODE_SOME);
    if (!is_at(parser, "("))
        return parse_arrow(parser);
    next(parser);
    const struct rh_node *inner = parse_inner(parser);
    expect(parser, ")", "')'");
    return inner;
}

static void add_node(struct rh_nodes *nodes, const struct rh_node *node)
{
    *rh_vector_push(nodes) = node;
}

static const struct rh_node *join(struct parser *parser, enum rh_node_kind kind,
                                  struct rh_nodes *nodes)
{
    const struct rh_node *node = rh_node_join(parser->arena, kind, nodes->items, nodes->count);
    rh_vector_fini(nodes);
    return node;
}

// `;` and `~` are equally tight and go from left to right.
static const struct rh_node *parse_sequence(struct parser *parser)
{
    struct rh_nodes nodes = {0};
    enum rh_node_kind kind = RH_NODE_SEQUENCE;
    add_node(&nodes, parse_item(parser));
    while (!parser->has_failed && (is_at(parser, ";") || is_at(parser, "~"))) {
        enum rh_node_kind own = is_at(parser, ";") ? RH_NODE_SEQUENCE : RH_NODE_WEAK;
        if (own != kind && nodes.count > 1) {
            const struct rh_node *left = join(parser, kind, &nodes);
            add_node(&nodes, left);
        }
        kind = own;
        next(parser);
        add_node(&nodes, parse_item(parser));
    }
    return join(parser, kind, &nodes);
}

static const struct rh_node *parse_parallel(struct parser *parser)
{
    struct rh_nodes nodes = {0};
    do
        add_node(&nodes, parse_sequence(parser));
    while (take(parser, "|"));
    return join(parser, RH_NODE_PARALLEL, &nodes);
}

static const struct rh_node *parse_choice(struct parser *parser)
{
    struct rh_nodes nodes = {0};
    do
        add_node(&nodes, parse_parallel(parser));
    while (take(parser, "(+)"));
    return join(parser, RH_NODE_CHOICE, &nodes);
}

static struct rh_range parse_range(struct parser *parser)
{
    struct rh_range range = {.variable = take_name(parser, "the name of a parameter")};
    const char *unknown;
    expect(parser, "=", "'='");
    struct token token = parser->token;
    const struct rh_expression *first = parse_sum(parser);
    expect(parser, "..", "'..' and the largest value");
    const struct rh_expression *last = parse_sum(parser);
    if (!parser->has_failed && (!rh_expression_evaluate(first, NULL, &range.first, &unknown) ||
                                !rh_expression_evaluate(last, NULL, &range.last, &unknown))) {
        parser->token = token;
        fail(parser, "numbers");
    }
    return range;
}

static bool is_defined(const struct parser *parser)
{
    for (size_t i = 0; i < parser->definitions.count; i++)
        if (parser->definitions.items[i]->body && is_at(parser, parser->definitions.items[i]->name))
            return true;
    return false;
}

static void parse_definition(struct parser *parser)
{
    struct rh_node *place = new_node(parser, RH_NODE_CALL);
    if (is_defined(parser))
        fail(parser, "a name that no definition before has");
    const char *name = take_name(parser, "the name of the definition");
    struct rh_definition *definition = find_definition(parser, name, place);
    definition->parameters =
        rh_arena_take(parser->arena, RH_PARAMETERS_MOST * sizeof *definition->parameters);
    bool has_parameters = take(parser, "(");
    while (has_parameters && !parser->has_failed && !is_at(parser, ")")) {
        if (definition->count == RH_PARAMETERS_MOST)
            fail(parser, "no more than 8 parameters");
        else
            definition->parameters[definition->count++] = take_name(parser, "a parameter");
        if (!take(parser, ","))
            break;
    }
    if (has_parameters)
        expect(parser, ")", "',' or ')'");
    expect(parser, "=", "'='");
    definition->body = parse_choice(parser);
}

static void check_calls(struct parser *parser)
{
    for (size_t i = 0; i < parser->calls.count; i++) {
        const struct rh_node *call = parser->calls.items[i];
        if (!call->definition->body)
            fail_at(parser, call, "there is no definition %s", call->definition->name);
        else if (call->argument_count != call->definition->count)
            fail_at(parser, call, "%s has %zu parameters, not %zu", call->definition->name,
                    call->definition->count, call->argument_count);
    }
    parser->calls.count = 0;
}

static struct rh_diagram parse_diagram(struct parser *parser)
{
    struct rh_diagram diagram = {.path = parser->path};
    RH_VECTOR(struct rh_range) ranges = {0};
    while (take(parser, "vary"))
        *rh_vector_push(&ranges) = parse_range(parser);
    while (take(parser, "def"))
        parse_definition(parser);
    diagram.range_count = ranges.count;
    diagram.ranges = rh_arena_take(parser->arena, ranges.count * sizeof *ranges.items + 1);
    if (ranges.count)
        memcpy(diagram.ranges, ranges.items, ranges.count * sizeof *ranges.items);
    rh_vector_fini(&ranges);
    diagram.is_sketch = take(parser, "sketch");
    if (!diagram.is_sketch)
        expect(parser, "diagram", "'diagram' or 'sketch' and its name");
    diagram.name = take_any_name(parser, "the name of the diagram");
    expect(parser, "=", "'='");
    diagram.body = parse_choice(parser);
    check_calls(parser);
    diagram.definition_count = parser->definitions.count;
    diagram.definitions =
        rh_arena_take(parser->arena, (parser->definitions.count + 1) * sizeof *diagram.definitions);
    for (size_t i = 0; i < parser->definitions.count; i++)
        diagram.definitions[i] = parser->definitions.items[i];
    parser->definitions.count = 0;
    return diagram;
}

static struct parser begin(struct rh_diagram_file *file, const char *path, const char *bytes,
                           size_t length)
{
    return (struct parser){.arena = &file->arena,
                           .path = rh_arena_text(&file->arena, path, strlen(path)),
                           .at = bytes,
                           .end = bytes + length,
                           .line = 1,
                           .column = 1,
                           .status = rh_ok()};
}

static struct rh_status end(struct parser *parser)
{
    rh_vector_fini(&parser->definitions);
    rh_vector_fini(&parser->calls);
    return parser->status;
}

static bool begins_diagram(const struct parser *parser)
{
    return is_at(parser, "vary") || is_at(parser, "def") || is_at(parser, "diagram") ||
           is_at(parser, "sketch");
}

struct rh_status rh_diagram_parse(struct rh_diagram_file *file, const char *path, const char *bytes,
                                  size_t length)
{
    struct parser parser = begin(file, path, bytes, length);
    next(&parser);
    do
        *rh_vector_push(&file->diagrams) = parse_diagram(&parser);
    while (!parser.has_failed && begins_diagram(&parser));
    if (!parser.has_failed && parser.token.kind != TOKEN_END)
        fail(&parser, "';', '~', '|', '(+)' or the end");
    return end(&parser);
}

struct rh_status rh_node_parse(struct rh_diagram_file *file, const char *path, const char *bytes,
                               size_t length, const struct rh_node **node)
{
    struct parser parser = begin(file, path, bytes, length);
    next(&parser);
    *node = parse_choice(&parser);
    if (!parser.has_failed && parser.token.kind != TOKEN_END)
        fail(&parser, "';', '~', '|', '(+)' or the end");
    check_calls(&parser);
    return end(&parser);
}
