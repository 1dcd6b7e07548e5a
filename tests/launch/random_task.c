/* SPDX-License-Identifier: Apache-2.0 */
/* random_task.c - see random_task.h. */
#include "launch/random_task.h"

#include <string.h>

static int32_t mix(int32_t a, int32_t b)
{
    uint32_t h = (uint32_t)a * 2654435761u ^ ((uint32_t)b + 0x9e3779b9u);

    return (int32_t)(h ^ h >> 15);
}

void random_work(int64_t id, int32_t *const arrays[], const int64_t flags[], int count)
{
    int32_t value = (int32_t)id;

    for (int k = 0; k < count; k++)
        for (int i = 0; i < RANDOM_WORDS && (flags[k] & MOD_READ); i++)
            value = mix(value, arrays[k][i]);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < RANDOM_WORDS && (flags[k] & MOD_WRITE); i++)
            if ((flags[k] & (MOD_READ | MOD_COVERS)) || i % 2 == 0) /* else part of it stays */
                arrays[k][i] = mix(value, i);
}

void random_task(const uint8_t *block, int64_t first, int64_t last)
{
    int64_t count = case_number(block, 0, 1), flags[RANDOM_TOUCHED];
    int32_t *arrays[RANDOM_TOUCHED];

    (void)first;
    (void)last;
    for (uint32_t k = 0; k < count; k++) {
        arrays[k] = case_pointer(block, 0, 2 + 2 * k);
        flags[k] = case_number(block, 0, 3 + 2 * k);
        if (flags[k] & MOD_READ)
            fake_reads(arrays[k], RANDOM_WORDS * 4);
        if (flags[k] & MOD_WRITE)
            fake_writes(arrays[k], RANDOM_WORDS * 4);
    }
    random_work(case_number(block, 0, 0), arrays, flags, (int)count);
}

void random_start(const uint8_t *block, int64_t first, int64_t last)
{
    uint8_t *cells = case_pointer(block, 0, 0);
    int32_t one = 1;
    int64_t left = case_number(block, 0, 1);

    (void)first;
    (void)last;
    fake_writes(cells, RANDOM_CELL_BYTES);
    memcpy(cells, &one, sizeof one);
    memcpy(cells + 8, &left, sizeof left);
}

void random_test(const uint8_t *block, int64_t first, int64_t last)
{
    uint8_t *cells = case_pointer(block, 0, 0);
    int64_t left;
    int32_t go;

    (void)first;
    (void)last;
    fake_writes(cells, RANDOM_CELL_BYTES);
    memcpy(&left, cells + 8, sizeof left);
    go = --left > 0;
    memcpy(cells, &go, sizeof go);
    memcpy(cells + 8, &left, sizeof left);
}
