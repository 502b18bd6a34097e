// SPDX-License-Identifier: MIT
// SQLite: it sets itself up in the first handler that calls it, and a cache in memory is shared by
// both actors.
#include <sqlite3.h>

#include "library.h"

static int collect(void *sum, int count, char **values, char **names)
{
    (void)count;
    (void)names;
    *(int *)sum = values[0] ? values[0][0] - '0' : -1;
    return 0;
}

static void run(sqlite3 *database, const char *sql, int *result)
{
    rh_check(sqlite3_exec(database, sql, collect, result, NULL) == SQLITE_OK);
}

static void use(struct user *user, int number)
{
    int result = 0;
    sqlite3 *database = user->kept;
    if (!database) {
        int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
        rh_check(sqlite3_open_v2("file:all?mode=memory&cache=shared", &database, flags, NULL) ==
                 SQLITE_OK);
        user->kept = database;
        run(database, "create table if not exists seen (number integer primary key)", NULL);
    }
    char *insert = sqlite3_mprintf("insert into seen values (%d)", number);
    run(database, insert, NULL);
    sqlite3_free(insert);
    run(database, "select sum(number) from seen", &result);
    rh_check(result >= user->sum);
}
