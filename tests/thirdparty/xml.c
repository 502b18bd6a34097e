// SPDX-License-Identifier: MIT
// libxml2: it sets itself up in the first handler that calls it, keeps settings and errors by
// thread, and a dictionary for each document.
#include <stdlib.h>
#include <string.h>

#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "library.h"

static double evaluate(xmlDocPtr document, const char *path)
{
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathObjectPtr result = xmlXPathEvalExpression(BAD_CAST path, context);
    rh_check(result != NULL);
    double number = xmlXPathCastToNumber(result);
    xmlXPathFreeObject(result);
    xmlXPathFreeContext(context);
    return number;
}

static void fail(void)
{
    const char *wrong = "<open>";
    int options = XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    rh_check(!xmlReadMemory(wrong, (int)strlen(wrong), "wrong.xml", NULL, options));
    rh_check(xmlGetLastError() && xmlGetLastError()->code != XML_ERR_OK);
    xmlResetLastError();
}

static void use(struct user *user, int number)
{
    xmlDocPtr document = user->kept;
    if (!document)
        user->kept = document = xmlReadMemory("<all/>", 6, "all.xml", NULL, 0);
    xmlChar text[] = "0";
    text[0] += (xmlChar)number;
    xmlNewChild(xmlDocGetRootElement(document), NULL, BAD_CAST "item", text);
    rh_check(evaluate(document, "sum(//item)") == user->sum);
    rh_check(evaluate(document, "count(//item)") == user->count);
    fail();
}
