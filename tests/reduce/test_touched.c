// SPDX-License-Identifier: MIT
// What deliveries touch, and what depends on what. Sets are written as touches: "r5" reads the object
// with number 5, "w5" writes it, "r10-19" reads the bytes from 10 to 19.
#include "reduce/touched.h"

#include "../test.h"

static struct rh_touched_sets sets;

static const struct rh_touched *set(const char *text)
{
    struct rh_touch touches[16];
    uint32_t count = 0;
    while (*text) {
        bool writes = *text == 'w';
        char *end;
        uint64_t first = strtoull(text + 1, &end, 10);
        bool is_range = *end == '-';
        uint64_t last = is_range ? strtoull(end + 1, &end, 10) : first;
        touches[count++] =
            is_range ? rh_touch_bytes(first, last, writes) : rh_touch_number(first, writes);
        text = *end == ' ' ? end + 1 : end;
    }
    return rh_touched_set(&sets, touches, count);
}

static bool depend(const char *one, const char *other)
{
    bool is = rh_depends(set(one), set(other));
    EXPECT(rh_depends(set(other), set(one)) == is);
    return is;
}

static void test_once(void)
{
    EXPECT(set("w5 r7") == set("r7 w5"));
    EXPECT(set("w5 r5") == set("w5"));
    EXPECT(set("r5") != set("w5"));
    EXPECT(set("r10-19 r12-15") == set("r10-19"));
    EXPECT(set("w10-19 r12-15") == set("w10-19"));
    EXPECT(set("r10-19 w12-15") != set("r10-19"));
    EXPECT(set("r10-19 w12-15")->count == 2);
    EXPECT(set("r5") != set("r5-5"));
    EXPECT(set("w18446744073709551615 w3") == set("w3 w18446744073709551615"));
    EXPECT(set("w18446744073709551615 w3")->count == 2);
}

static void test_depends(void)
{
    EXPECT(depend("w5", "w5"));
    EXPECT(depend("w5", "r5"));
    EXPECT(!depend("r5", "r5"));
    EXPECT(!depend("w5", "w6"));
    EXPECT(depend("w5 r6", "w7 w6"));
    EXPECT(!depend("w5 r6", "w7 r6"));
    // Not transitive.
    EXPECT(depend("w1 w9", "w2 w9") && depend("w2 w9", "w2") && !depend("w1 w9", "w2"));
    // A number is no address.
    EXPECT(!depend("w5", "w5-5"));
    EXPECT(depend("w10-19", "r19-30"));
    EXPECT(!depend("w10-19", "r20-30"));
    EXPECT(!depend("r10-19 w12-15", "r16-19"));
    EXPECT(depend("r10-19 w12-15", "r0-12"));
    EXPECT(!rh_depends(NULL, set("w5")) && !rh_depends(NULL, NULL));
}

static void test_union(void)
{
    EXPECT(rh_touched_union(&sets, set("w5"), set("r5 r7")) == set("w5 r7"));
    EXPECT(rh_touched_union(&sets, set("r10-19"), set("w0-30 r3")) == set("w0-30 r3"));
    EXPECT(rh_touched_union(&sets, NULL, set("r5")) == set("r5"));
    EXPECT(rh_touched_union(&sets, set("r5"), NULL) == set("r5"));
    EXPECT(!rh_touched_union(&sets, NULL, NULL));
}

// The sets of many objects have bits in common, and are told apart all the same.
static void test_many(void)
{
    for (uint64_t i = 0; i < 1000; i++) {
        struct rh_touch one = rh_touch_number(i, true), next = rh_touch_number(i + 1, true);
        const struct rh_touched *first = rh_touched_set(&sets, &one, 1);
        EXPECT(first == rh_touched_set(&sets, &one, 1));
        EXPECT(rh_depends(first, first));
        EXPECT(!rh_depends(first, rh_touched_set(&sets, &next, 1)));
    }
}

int main(void)
{
    EXPECT(rh_touched_init(&sets));
    test_once();
    test_depends();
    test_union();
    test_many();
    rh_touched_fini(&sets);
    return 0;
}
