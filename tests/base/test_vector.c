// SPDX-License-Identifier: MIT
#include "base/vector.h"

#include <stdint.h>

#include "test.h"

struct item {
    int number;
    char name[37];
};

int main(void)
{
    RH_VECTOR(struct item) items = {0};
    for (int i = 0; i < 1000; i++) {
        struct item *item = rh_vector_push(&items);
        EXPECT(item == &items.items[i]);
        EXPECT(item->number == 0 && item->name[0] == 0 && item->name[36] == 0);
        *item = (struct item){.number = i, .name = "x"};
        item->name[36] = 1;
    }
    EXPECT(items.count == 1000 && items.capacity >= 1000);
    for (int i = 0; i < 1000; i++)
        EXPECT(items.items[i].number == i);

    // A place that was used before is zeroed again.
    items.count = 500;
    EXPECT(rh_vector_push(&items)->number == 0);
    EXPECT(items.items[500].name[36] == 0 && items.items[501].number == 501);

    rh_vector_fini(&items);
    EXPECT(!items.items && items.count == 0 && items.capacity == 0);
    rh_vector_fini(&items);

    RH_VECTOR(char *) names = {0};
    *rh_vector_push(&names) = rh_strdup("one");
    EXPECT_TEXT(names.items[0], "one");
    free(names.items[0]);
    rh_vector_fini(&names);
    return 0;
}
