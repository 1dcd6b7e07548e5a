/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case_device.c - the kernels that reduce, or whose loops and bounds the device decides; see
 * case_kernels.h.
 */
#include "launch/case_kernels.h"

#include <string.h>

/* ---- sum ------------------------------------------------------------------------------------- */

static void sum_block(const uint8_t *block, int64_t first, int64_t last)
{
    const int32_t *x = case_pointer(block, 1, 0);
    int64_t *partials = case_pointer(block, 1, 2);
    int64_t total = 0;

    case_span(x, first, last, false);
    for (int64_t i = first; i < last; i++)
        total += x[i];
    fake_writes(&partials[first / MOD_REDUCE_BLOCK], sizeof total);
    partials[first / MOD_REDUCE_BLOCK] = total;
}

static void sum_finish(const uint8_t *block, int64_t first, int64_t last)
{
    uint8_t *cells = case_pointer(block, 1, 1);
    const int64_t *partials = case_pointer(block, 1, 2);
    int64_t blocks = (last - 1) / MOD_REDUCE_BLOCK + 1, total;

    (void)first;
    fake_reads(partials, (uint64_t)blocks * sizeof *partials);
    fake_writes(cells, sizeof total);
    memcpy(&total, cells, sizeof total);
    for (int64_t b = 0; b < blocks; b++)
        total += partials[b];
    memcpy(cells, &total, sizeof total);
}

void kernel_sum(case_kernel *k)
{
    case_begin(k, "sum", 8);
    uint32_t n = case_scalar(k, "n"), x = case_array(k, "x", MOD_READ | MOD_SINGLE);
    uint32_t t = case_task(k, "sum:1", 1, &n, sum_block);
    case_arg(k, t, x);
    case_reduces(k, t, 0, sum_finish);
    case_touches(k, t, x, MOD_READ);
    case_touches(k, t, case_cells(k), MOD_READ | MOD_WRITE);
    k->entry.result = (mod_result){ MOD_SCALAR_RESULT, SCALAR_i64, NULL, 8, 0 };
    case_node(k, MOD_TASK, t);
}

int64_t plain_sum(int64_t n, const int32_t *x)
{
    int64_t total = 0;

    for (int64_t i = 0; i < n; i++)
        total += x[i];
    return total;
}

/* ---- sums into variables of their own -------------------------------------------------------- */

static void sums_finish(const uint8_t *block, int64_t last, uint32_t cell)
{
    int64_t *sum = (int64_t *)((uint8_t *)case_pointer(block, 1, 1) + cell);
    const int64_t *partials = case_pointer(block, 1, 2);
    int64_t blocks = (last - 1) / MOD_REDUCE_BLOCK + 1;

    fake_reads(partials, (uint64_t)blocks * sizeof *partials);
    fake_writes(sum, sizeof *sum);
    for (int64_t b = 0; b < blocks; b++)
        *sum += partials[b];
}

static void first_finish(const uint8_t *block, int64_t first, int64_t last)
{
    (void)first;
    sums_finish(block, last, 0);
}

static void second_finish(const uint8_t *block, int64_t first, int64_t last)
{
    (void)first;
    sums_finish(block, last, 8);
}

static void third_finish(const uint8_t *block, int64_t first, int64_t last)
{
    (void)first;
    sums_finish(block, last, 16);
}

static void give_sums(const uint8_t *block, int64_t first, int64_t last)
{
    const uint8_t *cells = case_pointer(block, 0, 0);
    uint8_t *z = case_pointer(block, 0, 1);

    (void)first;
    (void)last;
    fake_reads(cells, 8 * KERNEL_SUMS);
    fake_writes(z, 8 * KERNEL_SUMS);
    memcpy(z, cells, 8 * KERNEL_SUMS);
}

void kernel_sums(case_kernel *k)
{
    static const char *const names[KERNEL_SUMS] = { "sums:1", "sums:2", "sums:3" };
    static const case_body finishes[KERNEL_SUMS] = { first_finish, second_finish, third_finish };

    case_begin(k, "sums", 8 * KERNEL_SUMS);
    uint32_t n = case_scalar(k, "n"), a = case_array(k, "a", MOD_READ);
    uint32_t b = case_array(k, "b", MOD_READ), z = case_array(k, "z", MOD_WRITE);
    uint32_t sections = case_node(k, MOD_SECTIONS, 0);
    for (uint32_t t = 0; t < KERNEL_SUMS; t++) {
        uint32_t task = case_task(k, names[t], 1, &n, sum_block);
        uint32_t section = case_node(k, MOD_SECTION, 0), from = t == 1 ? b : a;
        case_arg(k, task, from);
        case_reduces(k, task, 8 * t, finishes[t]);
        case_touches(k, task, from, MOD_READ);
        case_touches_cells(k, task, 8 * t, 8, MOD_READ | MOD_WRITE);
        case_node(k, MOD_TASK, task);
        case_end(k, section);
    }
    case_end(k, sections);
    uint32_t last = case_task(k, "sums:4", 0, NULL, give_sums);
    case_arg(k, last, k->entry.cells_slot);
    case_arg(k, last, z);
    case_touches_cells(k, last, 0, 8 * KERNEL_SUMS, MOD_READ);
    case_touches(k, last, z, MOD_WRITE);
    case_node(k, MOD_TASK, last);
}

/* ---- a loop decided on the device ------------------------------------------------------------ */

enum { GO = 0, PASSES = 8 }; /* cells */

static void start_count(const uint8_t *block, int64_t first, int64_t last)
{
    uint8_t *cells = case_pointer(block, 0, 0);
    int32_t one = 1;

    (void)first;
    (void)last;
    fake_writes(cells + GO, sizeof one);
    memcpy(cells + GO, &one, sizeof one);
}

static void add_one(const uint8_t *block, int64_t first, int64_t last)
{
    int32_t *x = case_pointer(block, 1, 0);

    case_span(x, first, last, true);
    for (int64_t i = first; i < last; i++)
        x[i] = case_wrap((int64_t)x[i] + 1);
}

static void end_count(const uint8_t *block, int64_t first, int64_t last)
{
    uint8_t *cells = case_pointer(block, 0, 0);
    int64_t limit = case_number(block, 0, 1), passes;
    int32_t go;

    (void)first;
    (void)last;
    fake_writes(cells, 16);
    memcpy(&passes, cells + PASSES, sizeof passes);
    passes++;
    go = passes < limit;
    memcpy(cells + PASSES, &passes, sizeof passes);
    memcpy(cells + GO, &go, sizeof go);
}

void kernel_count(case_kernel *k)
{
    case_begin(k, "count", 16);
    uint32_t n = case_scalar(k, "n"), limit = case_scalar(k, "limit");
    uint32_t x = case_array(k, "x", MOD_READ | MOD_WRITE);
    uint32_t start = case_task(k, "count:1", 0, NULL, start_count);
    uint32_t body = case_task(k, "count:2", 1, &n, add_one);
    uint32_t test = case_task(k, "count:3", 0, NULL, end_count);
    case_arg(k, start, k->entry.cells_slot);
    case_arg(k, body, x);
    case_arg(k, test, k->entry.cells_slot);
    case_arg(k, test, limit);
    case_touches(k, start, case_cells(k), MOD_WRITE);
    case_touches(k, body, x, MOD_READ | MOD_WRITE);
    case_touches(k, test, case_cells(k), MOD_READ | MOD_WRITE);
    k->tasks[body].predicate = k->tasks[test].predicate = GO;
    k->entry.result = (mod_result){ MOD_SCALAR_RESULT, SCALAR_i64, NULL, 8, PASSES };
    case_node(k, MOD_TASK, start);
    uint32_t loop = case_node(k, MOD_DEVICE_LOOP, GO);
    case_node(k, MOD_TASK, body);
    case_node(k, MOD_TASK, test);
    case_end(k, loop);
}

/* ---- bounds from the device ------------------------------------------------------------------ */

static void read_bounds(const uint8_t *block, int64_t first, int64_t last)
{
    const int32_t *b = case_pointer(block, 0, 0);
    uint8_t *cells = case_pointer(block, 0, 1);
    int64_t bounds[2];

    (void)first;
    (void)last;
    case_span(b, 0, 2, false);
    bounds[0] = b[0];
    bounds[1] = b[1];
    fake_writes(cells, sizeof bounds);
    memcpy(cells, bounds, sizeof bounds);
}

static void number(const uint8_t *block, int64_t first, int64_t last)
{
    int32_t *y = case_pointer(block, 1, 0);
    int64_t lo;

    memcpy(&lo, block, sizeof lo);
    case_span(y, lo + first, lo + last, true);
    for (int64_t i = lo + first; i < lo + last; i++)
        y[i] = case_wrap(i);
}

void kernel_bounds(case_kernel *k)
{
    case_begin(k, "bounds", 16);
    uint32_t n = case_scalar(k, "n"), b = case_array(k, "b", MOD_READ);
    uint32_t y = case_array(k, "y", MOD_WRITE);
    uint32_t reading = case_task(k, "bounds:1", 0, NULL, read_bounds);
    uint32_t writing = case_task(k, "bounds:2", 1, &n, number);
    case_arg(k, reading, b);
    case_arg(k, reading, k->entry.cells_slot);
    case_arg(k, writing, y);
    k->tasks[writing].axes[0] = (mod_axis){ SCALAR_i64, MOD_NONE, MOD_NONE, 0, 8 };
    k->shaders[k->symbols[writing].main].strided = true;
    case_touches(k, reading, b, MOD_READ);
    case_touches(k, reading, case_cells(k), MOD_WRITE);
    case_touches(k, writing, y, MOD_WRITE);
    case_node(k, MOD_TASK, reading);
    case_node(k, MOD_TASK, writing);
}

/* The sum of a part: cell 16 takes it. */
static void part_block(const uint8_t *block, int64_t first, int64_t last)
{
    const int32_t *x = case_pointer(block, 1, 0);
    int64_t *partials = case_pointer(block, 1, 2);
    int64_t lo, total = 0;

    memcpy(&lo, block, sizeof lo);
    case_span(x, lo + first, lo + last, false);
    for (int64_t i = lo + first; i < lo + last; i++)
        total += x[i];
    fake_writes(&partials[first / MOD_REDUCE_BLOCK], sizeof total);
    partials[first / MOD_REDUCE_BLOCK] = total;
}

static void part_finish(const uint8_t *block, int64_t first, int64_t last)
{
    int64_t *cell = (int64_t *)((uint8_t *)case_pointer(block, 1, 1) + 16);
    const int64_t *partials = case_pointer(block, 1, 2);
    int64_t blocks = (last - 1) / MOD_REDUCE_BLOCK + 1;

    (void)first;
    fake_reads(partials, (uint64_t)blocks * sizeof *partials);
    fake_writes(cell, sizeof *cell);
    for (int64_t b = 0; b < blocks; b++)
        *cell += partials[b];
}

void kernel_part_sum(case_kernel *k)
{
    case_begin(k, "part_sum", 24);
    uint32_t n = case_scalar(k, "n"), b = case_array(k, "b", MOD_READ);
    uint32_t x = case_array(k, "x", MOD_READ);
    uint32_t reading = case_task(k, "part_sum:1", 0, NULL, read_bounds);
    uint32_t summing = case_task(k, "part_sum:2", 1, &n, part_block);
    case_arg(k, reading, b);
    case_arg(k, reading, k->entry.cells_slot);
    case_arg(k, summing, x);
    case_reduces(k, summing, 16, part_finish);
    k->tasks[summing].axes[0] = (mod_axis){ SCALAR_i64, MOD_NONE, MOD_NONE, 0, 8 };
    k->entry.result = (mod_result){ MOD_SCALAR_RESULT, SCALAR_i64, NULL, 8, 16 };
    case_touches(k, reading, b, MOD_READ);
    case_touches(k, reading, case_cells(k), MOD_WRITE);
    case_touches(k, summing, x, MOD_READ);
    case_touches(k, summing, case_cells(k), MOD_READ | MOD_WRITE);
    case_node(k, MOD_TASK, reading);
    case_node(k, MOD_TASK, summing);
}
