// SPDX-License-Identifier: MIT
#include "base/sender_name.h"
#include "test.h"

int main(void)
{
    EXPECT(!rh_sender_name_fault("ann"));
    EXPECT(!rh_sender_name_fault("sender 2"));
    EXPECT(!rh_sender_name_fault("outsider"));
    EXPECT(!rh_sender_name_fault("J\xc3\xbcrgen"));
    EXPECT(rh_sender_name_fault(NULL));
    EXPECT(rh_sender_name_fault(""));
    EXPECT(rh_sender_name_fault("outside"));
    EXPECT(rh_sender_name_fault("sink#1"));
    EXPECT(rh_sender_name_fault("two\nlines"));
    EXPECT(rh_sender_name_fault("a\x7f"));
    EXPECT(rh_sender_name_fault("a\"b"));
    EXPECT(rh_sender_name_fault("it's"));
    return 0;
}
