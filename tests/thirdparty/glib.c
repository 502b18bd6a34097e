// SPDX-License-Identifier: MIT
// GLib: tables that all share (quarks, interned strings, the slice allocator's magazines) are made in
// a handler, and grown, written and freed in those of other actors.
#include <glib.h>

#include "library.h"

static void intern(int number)
{
    char name[32];
    for (int i = 0; i < 8; i++) {
        g_snprintf(name, sizeof name, "name-%d-%d", number, i);
        GQuark quark = g_quark_from_string(name);
        rh_check(g_quark_try_string(name) == quark);
        rh_check(g_intern_string(name) == g_quark_to_string(quark));
    }
}

static void use(struct user *user, int number)
{
    GHashTable *table = user->kept;
    if (!table)
        user->kept = table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert(table, g_strdup_printf("%d", number), GINT_TO_POINTER(number));
    rh_check((int)g_hash_table_size(table) == user->count);
    GSList *list = NULL;
    for (int i = 0; i < 100; i++)
        list = g_slist_prepend(list, GINT_TO_POINTER(i));
    g_slist_free(list);
    GError *error = g_error_new(g_quark_from_string("errors"), number, "sum %d", user->sum);
    rh_check(g_str_has_prefix(error->message, "sum"));
    g_error_free(error);
    intern(number);
}
