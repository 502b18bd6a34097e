// SPDX-License-Identifier: MIT
// An actor whose state is a JSON tree of Jansson, edited in every order.
//
// Four senders with 1, 1, 1 and 2 edits: 5! / 2! = 60 executions. Nodes by depth: 4 first senders;
// then 12 ordered pairs of different senders and 1 of the same: 13; three of five with the two
// ordered: 24 without the second of the pair, 3 * 3 = 9 with it: 33; 60; 60. Together 170
// deliveries.
//
// rehearse: --libs -ljansson
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(set, {
    char key[8];
    int value;
});
RH_MESSAGE(append, { int value; });
RH_MESSAGE(remove_key, { char key[8]; });

struct document {
    json_t *root; // NULL before the first edit
    int edits;
};

static void open_document(struct document *document)
{
    if (document->root)
        return;
    document->root = json_object();
    json_object_set_new(document->root, "list", json_array());
    json_object_set_new(document->root, "title", json_string("edited in every order"));
}

// Every second edit the tree goes through text and back.
static void rewrite(struct document *document)
{
    json_error_t error;
    char *text = json_dumps(document->root, JSON_SORT_KEYS);

    json_decref(document->root);
    document->root = json_loads(text, 0, &error);
    rh_check(document->root != NULL);
    free(text);
}

static void judge_complete(const struct document *document)
{
    json_int_t sum = 0;
    size_t index;
    json_t *number;

    json_array_foreach(json_object_get(document->root, "list"), index, number) sum +=
        json_integer_value(number);
    rh_check(sum == 30);
    rh_check(json_integer_value(json_object_get(document->root, "a")) == 1);
    rh_check(json_object_get(document->root, "b") == NULL);
    rh_check(json_object_size(document->root) == 3);
}

static void document_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct document *document = state;
    const struct set *set;
    const struct append *append;
    const struct remove_key *remove_key;
    (void)self;

    open_document(document);
    if ((set = rh_as(message, set)))
        json_object_set_new(document->root, set->key, json_integer(set->value));
    else if ((append = rh_as(message, append)))
        json_array_append_new(json_object_get(document->root, "list"), json_integer(append->value));
    else if ((remove_key = rh_as(message, remove_key)))
        rh_check(json_object_del(document->root, remove_key->key) == 0);
    if (++document->edits % 2 == 0)
        rewrite(document);
    if (document->edits == 5)
        judge_complete(document);
}

RH_TEST(jansson_tree)
{
    rh_actor *document = rh_spawn(document_behaviour, struct document, {.root = NULL});
    rh_actor *editor = rh_outside("editor");

    rh_send(document, set, {.key = "a", .value = 1});
    rh_send_from(rh_outside("second"), document, append, {.value = 10});
    rh_send_from(rh_outside("third"), document, append, {.value = 20});
    rh_send_from(editor, document, set, {.key = "b", .value = 2});
    rh_send_from(editor, document, remove_key, {.key = "b"});
}
