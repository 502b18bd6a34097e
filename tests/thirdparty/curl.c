// SPDX-License-Identifier: MIT
// libcurl's parsers: URLs, escapes, MIME parts, dates; no transfer.
#include <string.h>

#include <curl/curl.h>

#include "library.h"

static void check_part(CURLU *url, CURLUPart part, const char *expected)
{
    char *text = NULL;
    rh_check(curl_url_get(url, part, &text, 0) == CURLUE_OK);
    rh_check(strcmp(text, expected) == 0);
    curl_free(text);
}

static void use(struct user *user, int number)
{
    CURLU *url = user->kept;
    if (!url) {
        rh_check(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
        user->kept = url = curl_url();
    }
    rh_check(curl_url_set(url, CURLUPART_URL, "https://user@host:8080/a/../b?c=d#e", 0) ==
             CURLUE_OK);
    check_part(url, CURLUPART_PATH, "/b");
    check_part(url, CURLUPART_PORT, "8080");
    CURL *handle = curl_easy_init();
    int length = 0;
    char *plain = curl_easy_unescape(handle, "a%20b", 0, &length);
    rh_check(length == 3 && strcmp(plain, "a b") == 0);
    curl_free(plain);
    curl_mime *mime = curl_mime_init(handle);
    curl_mime_name(curl_mime_addpart(mime), "name");
    curl_mime_free(mime);
    curl_easy_cleanup(handle);
    rh_check(curl_getdate("Thu, 01 Jan 1970 00:00:04 GMT", NULL) == 4);
    rh_check(user->sum >= number);
}
