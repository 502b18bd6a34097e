// SPDX-License-Identifier: MIT
// Fibonacci of Savina: an actor for each call of the recursive function.
//
// Nothing goes wrong under any order rule: which of two answers comes first makes no difference.
#include "savina.h"

RH_MESSAGE(request, { long index; });
RH_MESSAGE(response, { long value; });

struct call {
    rh_actor *parent; // NULL for the root
    long index;
    long sum;
    int responses;
};

static long fibonacci(long index)
{
    long last = 0, value = 1;

    for (long i = 1; i < index; i++) {
        long next = last + value;
        last = value;
        value = next;
    }
    return value;
}

static void answer(const struct call *call, long value)
{
    if (call->parent)
        rh_send(call->parent, response, {.value = value});
    else
        rh_check(value == fibonacci(call->index));
    rh_stop();
}

static void call_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct call *call = state;
    const struct request *request;
    const struct response *response;

    if ((request = rh_as(message, request)) && request->index <= 2) {
        call->index = request->index;
        answer(call, 1);
    } else if (request) {
        call->index = request->index;
        for (int back = 1; back <= 2; back++) {
            rh_actor *child = rh_spawn(call_behaviour, struct call, {.parent = self});
            rh_send(child, request, {.index = request->index - back});
        }
    } else if ((response = rh_as(message, response))) {
        call->sum += response->value;
        if (++call->responses == 2)
            answer(call, call->sum);
    }
}

static void set_up(void *context)
{
    const long *index = context;

    rh_send(rh_spawn(call_behaviour, struct call, {.parent = NULL}), request, {.index = *index});
}

RH_TEST(small)
{
    set_up(&(long){rh_parameter(int, index, 5)});
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, 25, set_up);
}
