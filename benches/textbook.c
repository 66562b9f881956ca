/* The textbook count to measure against: three bit masks, a queen a row, the mirrored half
 * doubled. One thread, nothing clever.
 *
 *   cc -O3 -march=native -o textbook textbook.c && ./textbook 16
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t all_columns;

/* Ways to fill the remaining rows. */
static uint64_t fill(uint32_t taken, uint32_t rising, uint32_t falling)
{
    uint64_t ways = 0;
    uint32_t open = all_columns & ~(taken | rising | falling);

    if (taken == all_columns)
        return 1;
    while (open) {
        uint32_t queen = open & (0 - open);
        open ^= queen;
        ways += fill(taken | queen, (rising | queen) >> 1, (falling | queen) << 1);
    }
    return ways;
}

int main(int argc, char **argv)
{
    int n = argc == 2 ? atoi(argv[1]) : 0;
    uint64_t ways = 0;

    if (n < 2 || n > 31) {
        fprintf(stderr, "usage: textbook N, with N from 2 to 31\n");
        return 2;
    }
    all_columns = ((uint32_t)1 << n) - 1;
    for (int column = 0; column < n / 2; column++) {
        uint32_t first = (uint32_t)1 << column;
        ways += fill(first, first >> 1, first << 1);
    }
    if (n % 2) {
        uint32_t first = (uint32_t)1 << n / 2;
        for (int column = 0; column < n / 2 - 1; column++) {
            uint32_t second = (uint32_t)1 << column;
            ways += fill(first | second, (first >> 1 | second) >> 1, (first << 1 | second) << 1);
        }
    }
    printf("%" PRIu64 "\n", 2 * ways);
    return 0;
}
