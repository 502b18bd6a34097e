// SPDX-License-Identifier: MIT
// Two actors, each with a database of its own in memory, and inserts and updates in every order.
//
// Each database gets insert(1), insert(2), update from three senders: 3! orders each, no order
// between the two: all 6! = 720 orders of six messages. Deliveries: 6 + 30 + 120 + 360 + 720 + 720
// = 1956.
//
// rehearse: --libs -lsqlite3
#include <sqlite3.h>

#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(insert, {
    int key;
    int value;
});
RH_MESSAGE(add, { int amount; });

struct database {
    sqlite3 *connection; // NULL before the first message
    int added;           // by the updates that the rows inserted later have missed
    int handled;
};

static void run(struct database *database, const char *sql)
{
    rh_check(sqlite3_exec(database->connection, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static void open_database(struct database *database)
{
    if (database->connection)
        return;
    rh_check(sqlite3_open(":memory:", &database->connection) == SQLITE_OK);
    run(database, "create table item (key integer primary key, value integer, note text)");
    run(database, "create index by_value on item (value)");
}

static void run_with(struct database *database, const char *sql, int first, int second)
{
    sqlite3_stmt *statement = NULL;

    rh_check(sqlite3_prepare_v2(database->connection, sql, -1, &statement, NULL) == SQLITE_OK);
    sqlite3_bind_int(statement, 1, first);
    sqlite3_bind_int(statement, 2, second);
    rh_check(sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_finalize(statement);
}

static int number_of(struct database *database, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    rh_check(sqlite3_prepare_v2(database->connection, sql, -1, &statement, NULL) == SQLITE_OK);
    rh_check(sqlite3_step(statement) == SQLITE_ROW);
    int number = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

// What holds whatever the order was.
static void judge_complete(struct database *database)
{
    rh_check(number_of(database, "select count(*) from item") == 2);
    rh_check(number_of(database, "select sum(key * value) from item") == 1 * 107 + 2 * 207);
    rh_check(number_of(database, "select sum(length(note)) from item") == 2000);
    rh_check(number_of(database, "select integrity_check = 'ok' from pragma_integrity_check") == 1);
    sqlite3_close(database->connection);
    database->connection = NULL;
}

static void database_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct database *database = state;
    const struct insert *insert;
    const struct add *add;
    (void)self;

    open_database(database);
    if ((insert = rh_as(message, insert))) {
        run_with(database, "insert into item values (?1, ?2, hex(zeroblob(500)))", insert->key,
                 insert->value + database->added);
    } else if ((add = rh_as(message, add))) {
        run(database, "begin");
        run_with(database, "update item set value = value + ?1 where key > ?2", add->amount, 0);
        run(database, "commit");
        database->added += add->amount;
    }
    if (++database->handled == 3)
        judge_complete(database);
}

RH_TEST(sqlite_two)
{
    rh_actor *senders[] = {rh_outside("first"), rh_outside("second"), rh_outside("third")};

    for (int i = 0; i < 2; i++) {
        rh_actor *database = rh_spawn(database_behaviour, struct database, {.handled = 0});
        rh_send_from(senders[0], database, insert, {.key = 1, .value = 100});
        rh_send_from(senders[1], database, insert, {.key = 2, .value = 200});
        rh_send_from(senders[2], database, add, {.amount = 7});
    }
}
