// SPDX-License-Identifier: MIT
// libyaml: a document that grows with each message, written and read again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "library.h"

static int sum_document(const char *text)
{
    yaml_parser_t parser;
    yaml_document_t document;
    int sum = 0;
    rh_check(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    rh_check(yaml_parser_load(&parser, &document));
    const yaml_node_t *root = yaml_document_get_root_node(&document);
    rh_check(root && root->type == YAML_SEQUENCE_NODE);
    for (yaml_node_item_t *item = root->data.sequence.items.start;
         item < root->data.sequence.items.top; item++)
        sum += atoi((char *)yaml_document_get_node(&document, *item)->data.scalar.value);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    return sum;
}

static void use(struct user *user, int number)
{
    char *text = user->kept ? user->kept : calloc(1, 256);
    snprintf(text + strlen(text), 16, "- %d\n", number);
    user->kept = text;
    rh_check(sum_document(text) == user->sum);
}
