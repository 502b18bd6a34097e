// SPDX-License-Identifier: MIT
// Request-reply with lazy retry: a depositor that gets no reply in time closes its socket, opens another, and sends its
// request again. A bank serves one request at a time, and a report takes longer than a depositor is patient.
//
// If the report comes to the bank before the deposit, the deposit waits behind it, is sent again, and is made twice.
// Fixed: the request has a number, and the bank does not make a deposit again that it has made.
#include <czmq.h>

enum { PATIENCE_MS = 40, REPORT_MS = 60, RETRIES = 3 };

struct bank {
    int balance;
    int newest; // number of the newest deposit
};

static void deposit(struct bank *bank, int number, int amount)
{
#ifdef FIXED
    if (number == bank->newest)
        return;
#endif
    bank->newest = number;
    bank->balance += amount;
}

// Serves until it is told to stop.
static void run_bank(zsock_t *pipe, void *arguments)
{
    struct bank *bank = arguments;
    zsock_t *requests = zsock_new_rep("@inproc://bank");
    zpoller_t *poller = zpoller_new(requests, pipe, NULL);
    zsock_signal(pipe, 0);
    while (zpoller_wait(poller, -1) == requests) {
        char *what;
        int number, amount;
        zsock_recv(requests, "sii", &what, &number, &amount);
        if (streq(what, "report"))
            zclock_sleep(REPORT_MS);
        else
            deposit(bank, number, amount);
        zsock_send(requests, "i", bank->balance);
        zstr_free(&what);
    }
    zpoller_destroy(&poller);
    zsock_destroy(&requests);
}

// Sends a request once. false if there was no reply in time.
static bool request(const char *what, int number, int amount, int timeout_ms)
{
    int balance;
    zsock_t *socket = zsock_new_req(">inproc://bank");
    zsock_set_linger(socket, 0);
    zsock_set_rcvtimeo(socket, timeout_ms);
    zsock_send(socket, "sii", what, number, amount);
    bool is_done = zsock_recv(socket, "i", &balance) == 0;
    zsock_destroy(&socket);
    return is_done;
}

static void run_depositor(zsock_t *pipe, void *arguments)
{
    (void)arguments;
    zsock_signal(pipe, 0);
    for (int i = 0; i < RETRIES; i++)
        if (request("deposit", 1, 100, PATIENCE_MS))
            return;
}

static void run_reporter(zsock_t *pipe, void *arguments)
{
    (void)arguments;
    zsock_signal(pipe, 0);
    request("report", 0, 0, -1);
}

int main(void)
{
    struct bank account = {0};
    zactor_t *bank = zactor_new(run_bank, &account);
    zactor_t *depositor = zactor_new(run_depositor, NULL);
    zactor_t *reporter = zactor_new(run_reporter, NULL);
    zactor_destroy(&depositor);
    zactor_destroy(&reporter);
    zactor_destroy(&bank);
    return account.balance == 100 ? 0 : 1;
}
