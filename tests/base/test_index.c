// SPDX-License-Identifier: MIT
#include "base/index.h"

#include "test.h"

int main(void)
{
    struct rh_index index = {0};
    EXPECT(rh_index_find(&index, 0) == RH_NONE);
    for (uint32_t i = 0; i < 20000; i++)
        rh_index_add(&index, (uint64_t)i * 4096, i * 3);
    for (uint32_t i = 0; i < 20000; i++) {
        EXPECT(rh_index_find(&index, (uint64_t)i * 4096) == i * 3);
        EXPECT(rh_index_find(&index, (uint64_t)i * 4096 + 1) == RH_NONE);
    }
    EXPECT(index.entries.count == 20000);
    rh_index_fini(&index);
    EXPECT(rh_index_find(&index, 4096) == RH_NONE);
    return 0;
}
