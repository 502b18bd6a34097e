// SPDX-License-Identifier: MIT
// E-mail. A client asks the address book for a user, and hands its letters to the server, which
// keeps them and tells the receiver; the receiver fetches what there is. A receiver that is told
// twice may find nothing the second time.
#include <rehearse/actor.h>
#include <rehearse/test.h>

RH_MESSAGE(write_to, {
    int user;
    int letters;
});
RH_MESSAGE(look_up, {
    int user;
    int letters;
    rh_actor *from;
});
RH_MESSAGE(found, {
    rh_actor *receiver; // NULL: there is no such user
    int letters;
});
RH_MESSAGE(letter, { rh_actor *to; });
RH_MESSAGE(notify, { rh_actor *server; });
RH_MESSAGE(fetch, { rh_actor *to; });
RH_MESSAGE(mail, { int letters; });

struct book {
    int users; // the last number that a user has
};

struct server {
    int kept;
};

struct client {
    rh_actor *book;
    rh_actor *server;
    int refused;
    int read;
};

static void server_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct server *server = state;
    const struct letter *letter;
    const struct fetch *fetch;

    if ((letter = rh_as(message, letter))) {
        server->kept++;
        rh_send(letter->to, notify, {.server = self});
    } else if ((fetch = rh_as(message, fetch))) {
        rh_send(fetch->to, mail, {.letters = server->kept});
        server->kept = 0;
    }
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message);

static void book_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    const struct book *book = state;
    const struct look_up *look_up = rh_as(message, look_up);
    rh_actor *receiver = NULL;
    (void)self;

    if (!look_up)
        return;
    if (look_up->user >= 0 && look_up->user <= book->users)
        receiver = rh_spawn(client_behaviour, struct client, {.read = 0});
    rh_send(look_up->from, found, {.receiver = receiver, .letters = look_up->letters});
}

static void send_letters(struct client *client, const struct found *found)
{
    if (!found->receiver) {
        client->refused++;
        return;
    }
    client->server = rh_spawn(server_behaviour, struct server, {.kept = 0});
    for (int i = 0; i < found->letters; i++)
        rh_send(client->server, letter, {.to = found->receiver});
}

static void client_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct client *client = state;
    const struct write_to *write_to;
    const struct found *found;
    const struct notify *notify;
    const struct mail *mail;

    if ((write_to = rh_as(message, write_to))) {
        if (client->book)
            rh_send(client->book, look_up,
                    {.user = write_to->user, .letters = write_to->letters, .from = self});
    } else if ((found = rh_as(message, found))) {
        send_letters(client, found);
    } else if ((notify = rh_as(message, notify))) {
        rh_send(notify->server, fetch, {.to = self});
    } else if ((mail = rh_as(message, mail))) {
        client->read += mail->letters;
    }
}

RH_TEST(two_letters)
{
    rh_actor *book = rh_spawn(book_behaviour, struct book, {.users = 3});
    rh_actor *client = rh_spawn(client_behaviour, struct client, {.book = book});
    rh_send(client, write_to, {.user = 2, .letters = 2});
}
