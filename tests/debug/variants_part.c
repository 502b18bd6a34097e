// SPDX-License-Identifier: MIT
// A library that is built together with a program.
struct part {
    char mark;
    long weight;
};

struct part part_stock[4] = {{'a', 1}};
static int part_hidden[3];

long *part_weight(int index)
{
    return &part_stock[index].weight;
}

int *part_static(void)
{
    return &part_hidden[2];
}
