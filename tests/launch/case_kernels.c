/* SPDX-License-Identifier: Apache-2.0 */
/* case_kernels.c - the kernels whose bounds and branches the host knows; see case_kernels.h. */
#include "launch/case_kernels.h"

#include <string.h>

void case_span(const int32_t *array, int64_t first, int64_t last, bool writes)
{
    uint64_t bytes = (uint64_t)(last - first) * sizeof *array;

    if (writes)
        fake_writes(array + first, bytes);
    else
        fake_reads(array + first, bytes);
}

/* ---- saxpy, scale, cover --------------------------------------------------------------------- */

static void saxpy(const uint8_t *block, int64_t first, int64_t last)
{
    const int32_t *x = case_pointer(block, 1, 0);
    int32_t *y = case_pointer(block, 1, 1);
    int64_t a = case_number(block, 1, 2);

    case_span(x, first, last, false);
    case_span(y, first, last, true);
    plain_saxpy(last - first, a, x + first, y + first);
}

void plain_saxpy(int64_t n, int64_t a, const int32_t *x, int32_t *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = case_wrap(a * x[i] + y[i]);
}

void kernel_saxpy(case_kernel *k)
{
    case_begin(k, "saxpy", 0);
    uint32_t n = case_scalar(k, "n"), a = case_scalar(k, "a");
    uint32_t x = case_array(k, "x", MOD_READ), y = case_array(k, "y", MOD_READ | MOD_WRITE);
    uint32_t t = case_task(k, "saxpy:1", 1, &n, saxpy);
    case_arg(k, t, x);
    case_arg(k, t, y);
    case_arg(k, t, a);
    case_touches(k, t, x, MOD_READ);
    case_touches(k, t, y, MOD_READ | MOD_WRITE);
    case_node(k, MOD_TASK, t);
}

static void scale(const uint8_t *block, int64_t first, int64_t last)
{
    int32_t *x = case_pointer(block, 1, 0);

    case_span(x, first, last, true);
    plain_scale(last - first, x + first);
}

void plain_scale(int64_t n, int32_t *x)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = case_wrap(3 * (int64_t)x[i] + 1);
}

void kernel_scale(case_kernel *k)
{
    case_begin(k, "scale", 0);
    uint32_t n = case_scalar(k, "n"), x = case_array(k, "x", MOD_READ | MOD_WRITE | MOD_SINGLE);
    uint32_t t = case_task(k, "scale:1", 1, &n, scale);
    case_arg(k, t, x);
    case_touches(k, t, x, MOD_READ | MOD_WRITE | MOD_SINGLE);
    case_node(k, MOD_TASK, t);
}

static void cover(const uint8_t *block, int64_t first, int64_t last)
{
    const int32_t *x = case_pointer(block, 1, 0);
    int32_t *y = case_pointer(block, 1, 1);

    case_span(x, first, last, false);
    case_span(y, first, last, true);
    for (int64_t i = first; i < last; i++)
        y[i] = case_wrap((int64_t)x[i] + 5);
}

void kernel_cover(case_kernel *k)
{
    case_begin(k, "cover", 0);
    uint32_t n = case_scalar(k, "n"), x = case_array(k, "x", MOD_READ | MOD_SINGLE);
    uint32_t y = case_array(k, "y", MOD_WRITE | MOD_COVERS | MOD_SINGLE);
    uint32_t t = case_task(k, "cover:1", 1, &n, cover);
    case_arg(k, t, x);
    case_arg(k, t, y);
    case_touches(k, t, x, MOD_READ);
    case_touches(k, t, y, MOD_WRITE);
    case_node(k, MOD_TASK, t);
}

void kernel_pair(case_kernel *k)
{
    case_begin(k, "pair", 0);
    uint32_t n = case_scalar(k, "n"), m = case_scalar(k, "m");
    uint32_t x = case_array(k, "x", MOD_READ | MOD_SINGLE);
    uint32_t r = case_array(k, "r", MOD_WRITE | MOD_COVERS);
    uint32_t y = case_array(k, "y", MOD_READ | MOD_WRITE);
    uint32_t first = case_task(k, "pair:1", 1, &n, cover);
    uint32_t second = case_task(k, "pair:2", 1, &m, scale);
    case_arg(k, first, x);
    case_arg(k, first, r);
    case_arg(k, second, y);
    case_touches(k, first, x, MOD_READ);
    case_touches(k, first, r, MOD_WRITE);
    case_touches(k, second, y, MOD_READ | MOD_WRITE);
    case_node(k, MOD_TASK, first);
    case_node(k, MOD_TASK, second);
}

/* ---- heat ------------------------------------------------------------------------------------ */

static void relax_range(int64_t n, const int32_t *u, int32_t *next, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i++) {
        int64_t l = i > 0 ? i - 1 : 0, r = i < n - 1 ? i + 1 : n - 1;
        next[i] = case_wrap((int64_t)u[l] + 2 * (int64_t)u[i] - u[r]);
    }
}

static void relax(const uint8_t *block, int64_t first, int64_t last)
{
    const int32_t *u = case_pointer(block, 1, 0);
    int32_t *next = case_pointer(block, 1, 1);
    int64_t n = case_number(block, 1, 2);

    case_span(u, first > 0 ? first - 1 : 0, last < n ? last + 1 : n, false);
    case_span(next, first, last, true);
    relax_range(n, u, next, first, last);
}

static void copy_back(const uint8_t *block, int64_t first, int64_t last)
{
    int32_t *u = case_pointer(block, 1, 0);
    const int32_t *next = case_pointer(block, 1, 1);

    case_span(next, first, last, false);
    case_span(u, first, last, true);
    memcpy(u + first, next + first, (size_t)(last - first) * sizeof *u);
}

void plain_heat(int64_t n, int64_t steps, int32_t *u)
{
    static int32_t next[1 << 16];

    for (int64_t s = 0; s < steps; s++) {
        relax_range(n, u, next, 0, n);
        memcpy(u, next, (size_t)n * sizeof *u);
    }
}

void kernel_heat(case_kernel *k)
{
    case_begin(k, "heat", 0);
    uint32_t n = case_scalar(k, "n"), steps = case_scalar(k, "steps");
    uint32_t u = case_array(k, "u", MOD_READ | MOD_WRITE);
    uint32_t next = case_scratch(k, "next", n);
    uint32_t s = case_variable(k), go = case_variable(k), zero = case_const(k, 0),
             one = case_const(k, 1);
    uint32_t relaxing = case_task(k, "heat:1", 1, &n, relax);
    uint32_t copying = case_task(k, "heat:2", 1, &n, copy_back);
    for (uint32_t t = relaxing; t <= copying; t++) {
        case_arg(k, t, u);
        case_arg(k, t, next);
        case_arg(k, t, n);
    }
    case_touches(k, relaxing, u, MOD_READ);
    case_touches(k, relaxing, k->entry.param_count, MOD_WRITE);
    case_touches(k, copying, k->entry.param_count, MOD_READ);
    case_touches(k, copying, u, MOD_WRITE);
    case_instr(k, SCALAR_OP_or, SCALAR_i64, s, zero, zero);
    case_instr(k, SCALAR_OP_lt, SCALAR_i64, go, s, steps);
    case_instr(k, SCALAR_OP_add, SCALAR_i64, s, s, one);
    case_node(k, MOD_EVAL, 0);
    case_node(k, MOD_TAKE, 0);
    uint32_t loop = case_node(k, MOD_LOOP, 0);
    case_node(k, MOD_EVAL, 1);
    k->nodes[case_node(k, MOD_BREAK, 0)].cond = go;
    case_node(k, MOD_TASK, relaxing);
    case_node(k, MOD_TASK, copying);
    case_node(k, MOD_EVAL, 2);
    case_end(k, loop);
}

/* ---- sections -------------------------------------------------------------------------------- */

static void add_number(const uint8_t *block, int64_t first, int64_t last)
{
    int32_t *x = case_pointer(block, 1, 0);
    int64_t more = case_number(block, 1, 1);

    case_span(x, first, last, true);
    for (int64_t i = first; i < last; i++)
        x[i] = case_wrap(x[i] + more);
}

static void add_arrays(const uint8_t *block, int64_t first, int64_t last)
{
    const int32_t *a = case_pointer(block, 1, 0), *b = case_pointer(block, 1, 1);
    int32_t *c = case_pointer(block, 1, 2);

    case_span(a, first, last, false);
    case_span(b, first, last, false);
    case_span(c, first, last, true);
    for (int64_t i = first; i < last; i++)
        c[i] = case_wrap((int64_t)a[i] + b[i]);
}

void kernel_sections(case_kernel *k)
{
    case_begin(k, "sections", 0);
    uint32_t n = case_scalar(k, "n"), arrays[3], more[2];
    arrays[0] = case_array(k, "a", MOD_READ | MOD_WRITE);
    arrays[1] = case_array(k, "b", MOD_READ | MOD_WRITE);
    arrays[2] = case_array(k, "c", MOD_WRITE);
    more[0] = case_const(k, 1);
    more[1] = case_const(k, 2);
    uint32_t sections = case_node(k, MOD_SECTIONS, 0);
    for (uint32_t t = 0; t < 2; t++) {
        uint32_t task = case_task(k, t ? "sections:2" : "sections:1", 1, &n, add_number);
        uint32_t section = case_node(k, MOD_SECTION, 0);
        case_arg(k, task, arrays[t]);
        case_arg(k, task, more[t]);
        case_touches(k, task, arrays[t], MOD_READ | MOD_WRITE);
        case_node(k, MOD_TASK, task);
        case_end(k, section);
    }
    case_end(k, sections);
    uint32_t last = case_task(k, "sections:3", 1, &n, add_arrays);
    for (uint32_t a = 0; a < 3; a++) {
        case_arg(k, last, arrays[a]);
        case_touches(k, last, arrays[a], a < 2 ? MOD_READ : MOD_WRITE);
    }
    case_node(k, MOD_TASK, last);
}

/* ---- three axes ------------------------------------------------------------------------------ */

static void cube(const uint8_t *block, int64_t first, int64_t last)
{
    int32_t *y = case_pointer(block, 3, 0);
    int64_t axes[6];

    memcpy(axes, block, sizeof axes);
    case_span(y, first, last, true);
    for (int64_t i = first; i < last; i++) {
        int64_t x = i % axes[5], row = i / axes[5] % axes[3], z = i / axes[5] / axes[3];
        y[i] = case_wrap(y[i] + 10000 * z + 100 * row + x);
    }
}

void plain_cube(const int64_t extents[3], int32_t *y)
{
    for (int64_t z = 0; z < extents[0]; z++)
        for (int64_t row = 0; row < extents[1]; row++)
            for (int64_t x = 0; x < extents[2]; x++, y++)
                *y = case_wrap(*y + 10000 * z + 100 * row + x);
}

void kernel_cube(case_kernel *k)
{
    case_begin(k, "cube", 0);
    uint32_t extents[3] = { case_scalar(k, "p"), case_scalar(k, "q"), case_scalar(k, "r") };
    uint32_t y = case_array(k, "y", MOD_READ | MOD_WRITE);
    uint32_t t = case_task(k, "cube:1", 3, extents, cube);
    case_arg(k, t, y);
    for (int more = 0; more < 8; more++) /* too many for push constants */
        case_arg(k, t, extents[more % 3]);
    case_touches(k, t, y, MOD_READ | MOD_WRITE);
    case_block_by_address(k, t);
    case_node(k, MOD_TASK, t);
}
