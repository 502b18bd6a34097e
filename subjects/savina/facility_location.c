// SPDX-License-Identifier: MIT
// Online facility location of Savina: customers come one by one, and go down a tree of quadrants. A
// leaf to whose customers the way is too long in sum opens a facility in its middle, and is divided
// into four. The others hear of the new facility.
//
// When all have come, the tree is told to end. Under `fifo` news of a facility may reach a quadrant that has
// ended. Under `any` the word to end may overtake customers too, which are lost. In the fixed twin that word
// says how many customers and news came before it, and waits for them, and a quadrant that was told to
// end sends no news down; who has ended says how many news it has sent up.
#include <math.h>
#include <string.h>

#include "savina.h"

enum { CUSTOMERS = 100000, GRID = 500, CHILDREN = 4 };

struct point {
    double x;
    double y;
};

RH_SIGNAL(start);
RH_MESSAGE(customer, { struct point at; });
RH_SIGNAL(next_customer);
RH_MESSAGE(facility, {
    bool is_from_child;
    int child; // which of the sender's siblings it is
    struct point at;
});
RH_MESSAGE(end, {
    long customers; // that were sent to this one
    long news;      // of facilities, too
});
RH_MESSAGE(ended, {
    long customers;
    long news; // that were sent up
});

// Set by the test's body, and only read afterwards.
static struct {
    bool is_fixed;
    long customers;
    double most_cost; // of a leaf
} land;

struct list {
    int count;
    int room;
    struct point *points;
};

static void append(struct list *list, struct point point)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->points = realloc(list->points, (size_t)list->room * sizeof *list->points);
    }
    list->points[list->count++] = point;
}

struct quadrant {
    rh_actor *parent; // NULL for the root
    int number;       // which child of its parent it is
    struct point low;
    struct point high;
    bool is_closing;
    double cost;
    struct list facilities;
    struct list customers;
    rh_actor *child[CHILDREN]; // NULL if it is a leaf
    long to_child[CHILDREN];   // customers
    long news_to_child[CHILDREN];
    long received; // customers
    long news_received;
    long news_from_children;
    long news_to_parent;
    int ended; // children
    long ended_customers;
    long ended_news;
    // What it inherits: so many facilities, followed by so many customers.
    int first_facilities;
    int first_customers;
    struct point first[];
};

static struct point middle_of(const struct quadrant *quadrant)
{
    return (struct point){(quadrant->low.x + quadrant->high.x) / 2,
                          (quadrant->low.y + quadrant->high.y) / 2};
}

static int child_at(const struct quadrant *quadrant, struct point point)
{
    struct point middle = middle_of(quadrant);

    return (point.x >= middle.x) + 2 * (point.y >= middle.y);
}

static double distance_to_facility(const struct quadrant *quadrant, struct point point)
{
    double least = INFINITY;

    for (int i = 0; i < quadrant->facilities.count; i++) {
        struct point facility = quadrant->facilities.points[i];
        least = fmin(least, hypot(point.x - facility.x, point.y - facility.y));
    }
    return least;
}

static void add_customer(struct quadrant *quadrant, struct point point)
{
    quadrant->cost += distance_to_facility(quadrant, point);
    append(&quadrant->customers, point);
}

static void inherit(struct quadrant *quadrant)
{
    if (quadrant->facilities.count > 0)
        return;
    for (int i = 0; i < quadrant->first_facilities; i++)
        append(&quadrant->facilities, quadrant->first[i]);
    for (int i = 0; i < quadrant->first_customers; i++)
        add_customer(quadrant, quadrant->first[quadrant->first_facilities + i]);
}

static rh_behaviour quadrant_behaviour;

static rh_actor *add_child(rh_actor *self, const struct quadrant *quadrant, int number)
{
    struct point middle = middle_of(quadrant);
    int most = quadrant->facilities.count + quadrant->customers.count;
    struct quadrant *child = calloc(1, sizeof *child + (size_t)most * sizeof(struct point));
    int points = quadrant->facilities.count;

    child->parent = self;
    child->number = number;
    child->low.x = number & 1 ? middle.x : quadrant->low.x;
    child->high.x = number & 1 ? quadrant->high.x : middle.x;
    child->low.y = number & 2 ? middle.y : quadrant->low.y;
    child->high.y = number & 2 ? quadrant->high.y : middle.y;
    child->first_facilities = points;
    memcpy(child->first, quadrant->facilities.points, (size_t)points * sizeof(struct point));
    for (int i = 0; i < quadrant->customers.count; i++)
        if (child_at(quadrant, quadrant->customers.points[i]) == number)
            child->first[points++] = quadrant->customers.points[i];
    child->first_customers = points - child->first_facilities;
    rh_actor *actor = rh_spawn_sized(quadrant_behaviour, child,
                                     sizeof *child + (size_t)points * sizeof(struct point));
    free(child);
    return actor;
}

static void tell_parent(struct quadrant *quadrant, struct point at)
{
    if (!quadrant->parent)
        return;
    quadrant->news_to_parent++;
    rh_send(quadrant->parent, facility,
            {.is_from_child = true, .child = quadrant->number, .at = at});
}

static void divide(rh_actor *self, struct quadrant *quadrant)
{
    struct point middle = middle_of(quadrant);

    append(&quadrant->facilities, middle);
    tell_parent(quadrant, middle);
    for (int i = 0; i < CHILDREN; i++)
        quadrant->child[i] = add_child(self, quadrant, i);
    quadrant->customers.count = 0;
}

static void take_customer(rh_actor *self, struct quadrant *quadrant, struct point point)
{
    quadrant->received++;
    if (quadrant->child[0]) {
        int number = child_at(quadrant, point);
        quadrant->to_child[number]++;
        rh_send(quadrant->child[number], customer, {.at = point});
        return;
    }
    add_customer(quadrant, point);
    if (quadrant->cost > land.most_cost)
        divide(self, quadrant);
}

static void tell_child(struct quadrant *quadrant, int number, struct point at)
{
    if (!quadrant->child[0] || (land.is_fixed && quadrant->is_closing))
        return;
    quadrant->news_to_child[number]++;
    rh_send(quadrant->child[number], facility, {.at = at});
}

static void take_news(struct quadrant *quadrant, const struct facility *facility)
{
    append(&quadrant->facilities, facility->at);
    if (facility->is_from_child) {
        quadrant->news_from_children++;
        tell_parent(quadrant, facility->at);
        tell_child(quadrant, CHILDREN - 1 - facility->child, facility->at);
    } else {
        quadrant->news_received++;
        for (int i = 0; i < CHILDREN; i++)
            tell_child(quadrant, i, facility->at);
    }
}

static void finish(struct quadrant *quadrant, long customers)
{
    if (quadrant->parent)
        rh_send(quadrant->parent, ended,
                {.customers = customers, .news = quadrant->news_to_parent});
    else
        rh_check(customers == land.customers);
    free(quadrant->facilities.points);
    free(quadrant->customers.points);
    rh_stop();
}

static void begin_to_close(struct quadrant *quadrant)
{
    quadrant->is_closing = true;
    if (!quadrant->child[0]) {
        finish(quadrant, quadrant->customers.count);
        return;
    }
    for (int i = 0; i < CHILDREN; i++)
        rh_send(quadrant->child[i], end,
                {.customers = quadrant->to_child[i], .news = quadrant->news_to_child[i]});
}

static void close_if_complete(struct quadrant *quadrant)
{
    if (quadrant->ended == CHILDREN &&
        (!land.is_fixed || quadrant->ended_news == quadrant->news_from_children))
        finish(quadrant, quadrant->ended_customers);
}

static void quadrant_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct quadrant *quadrant = state;
    const struct customer *customer;
    const struct facility *facility;
    const struct ended *ended;

    inherit(quadrant);
    if ((customer = rh_as(message, customer))) {
        take_customer(self, quadrant, customer->at);
        if (!quadrant->parent)
            rh_reply(message, next_customer);
    } else if ((facility = rh_as(message, facility))) {
        take_news(quadrant, facility);
        close_if_complete(quadrant);
    } else if (rh_as(message, end)) {
        begin_to_close(quadrant);
    } else if ((ended = rh_as(message, ended))) {
        quadrant->ended++;
        quadrant->ended_customers += ended->customers;
        quadrant->ended_news += ended->news;
        close_if_complete(quadrant);
    }
}

static bool quadrant_guard(const void *state, const rh_message *message)
{
    const struct quadrant *quadrant = state;
    const struct end *end = rh_as(message, end);

    return !land.is_fixed || !end ||
           (quadrant->received == end->customers && quadrant->news_received == end->news);
}
RH_GUARD(quadrant_behaviour, quadrant_guard);

struct producer {
    rh_actor *root;
    long left;
    struct random random;
};

static void producer_behaviour(rh_actor *self, void *state, const rh_message *message)
{
    struct producer *producer = state;
    (void)self;

    if (!rh_as(message, start) && !rh_as(message, next_customer))
        return;
    if (producer->left-- > 0) {
        double x = next_random(&producer->random, 65536) * (double)GRID / 65536;
        double y = next_random(&producer->random, 65536) * (double)GRID / 65536;
        rh_send(producer->root, customer, {.at = {x, y}});
    } else {
        rh_send(producer->root, end, {.customers = land.customers});
        rh_stop();
    }
}

static void locate(bool is_fixed, long customers, double most_cost)
{
    struct quadrant *root = calloc(1, sizeof *root + sizeof(struct point));

    land.is_fixed = is_fixed;
    land.customers = customers;
    land.most_cost = most_cost;
    root->high = (struct point){GRID, GRID};
    root->first_facilities = 1;
    root->first[0] = middle_of(root);
    rh_actor *actor = rh_spawn_sized(quadrant_behaviour, root, sizeof *root + sizeof(struct point));
    free(root);
    rh_send(rh_spawn(producer_behaviour, struct producer,
                     {.root = actor, .left = customers, .random = {SAVINA_SEED}}),
            start);
}

static void set_up(void *context)
{
    const long *customers = context;

    locate(true, *customers, 2 * sqrt(2) * GRID);
}

RH_TEST(small)
{
    locate(false, 2, 1);
}

RH_TEST(fixed)
{
    locate(true, 2, 1);
}

int main(int count, char **arguments)
{
    return savina_run(count, arguments, CUSTOMERS, set_up);
}
