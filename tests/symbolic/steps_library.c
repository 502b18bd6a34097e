// SPDX-License-Identifier: MIT
// A function whose code `reach` does not see.
int checksum(int number);

int checksum(int number)
{
    unsigned sum = (unsigned)number * 2654435761u;
    return (int)((sum >> 16) % 7);
}
