// SPDX-License-Identifier: MIT
#include "explore/run/order.h"

// Made by RH_TEST_ORDER.
extern const struct rh_test_order *const __start_rh_orders[] __attribute__((weak));
extern const struct rh_test_order *const __stop_rh_orders[] __attribute__((weak));

const struct rh_test_order *rh_order_find(const struct rh_test *test)
{
    for (const struct rh_test_order *const *order = __start_rh_orders; order < __stop_rh_orders;
         order++)
        if ((*order)->test->body == test->body)
            return *order;
    return NULL;
}

static void do_nothing(void)
{
}

struct rh_test rh_order_generated(const struct rh_schedule *schedule)
{
    return (struct rh_test){schedule->test, do_nothing, schedule->path, 0};
}

static struct rh_status parse(const struct rh_test_order *order, struct rh_schedule *schedule)
{
    struct rh_text path = {0};
    rh_text_addf(&path, "order of %s", order->test->name);
    struct rh_status status = rh_schedule_parse_order(schedule, rh_text_get(&path), order->steps);
    rh_text_fini(&path);
    if (rh_is_ok(&status))
        schedule->test = rh_strdup(order->test->name);
    return status;
}

static struct rh_status check(const struct rh_test_order *order)
{
    struct rh_schedule schedule;
    struct rh_status status = parse(order, &schedule);
    if (!rh_is_ok(&status))
        return rh_bad_input("%s:%d: %.900s", order->file, order->line, status.text);
    rh_schedule_fini(&schedule);
    const struct rh_test_order *first = rh_order_find(order->test);
    return first == order ? rh_ok()
                          : rh_bad_input("test %s has two orders, at %s:%d and at %s:%d: it has "
                                         "one execution",
                                         order->test->name, first->file, first->line, order->file,
                                         order->line);
}

struct rh_status rh_order_check_all(void)
{
    struct rh_status status = rh_ok();
    for (const struct rh_test_order *const *order = __start_rh_orders;
         order < __stop_rh_orders && rh_is_ok(&status); order++)
        status = check(*order);
    return status;
}

void rh_order_read(const struct rh_test_order *order, struct rh_schedule *schedule)
{
    struct rh_status status = parse(order, schedule);
    rh_assert(rh_is_ok(&status));
}

void rh_order_set_options(struct rh_run_options *options, const struct rh_schedule *schedule)
{
    options->strategy = "order";
    options->own_strategy = NULL;
    options->schedule = schedule;
    options->is_order = true;
    options->order_rule = schedule->order_rule;
    options->time = schedule->time;
    options->environment = schedule->environment;
    options->reduction = "none";
    options->states = RH_STATES_NONE;
    options->max_executions = 0;
    options->automatic = options->commuting = options->census = false;
    options->shortest = options->shrink = false;
}
