/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_case.c - see reduce_case.h. */
#include "target/reduce_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* ---- the rule ---- */

uint64_t reduce_op(reduce_rule r, uint64_t a, uint64_t b)
{
    if (r.type == SCALAR_bool) /* || && ^ of truth values */
        return r.op == SCALAR_OP_and ? a & b : r.op == SCALAR_OP_or ? a | b : a ^ b;
    return scalar_eval(r.op, r.type, r.type, a, b, 0);
}

/* -0.0 for float sums, 1 for products, NaN for float min/max, the type's own bounds for integers.
 */
uint64_t reduce_identity(reduce_rule r)
{
    bool f32 = r.type == SCALAR_f32, f64 = r.type == SCALAR_f64;

    switch ((int)r.op) {
    case SCALAR_OP_add:
        return f32 ? 0x80000000 : f64 ? 0x8000000000000000 : 0;
    case SCALAR_OP_mul:
        return f32 ? 0x3f800000 : f64 ? 0x3ff0000000000000 : 1;
    case SCALAR_OP_and:
        return r.type == SCALAR_bool ? 1 : scalar_canonical(r.type, UINT64_MAX);
    case SCALAR_OP_min:
        return f32                    ? 0x7fc00000
               : f64                  ? 0x7ff8000000000000
               : r.type == SCALAR_i32 ? 0x7fffffff
               : r.type == SCALAR_u8  ? 255
               : r.type == SCALAR_i64 ? INT64_MAX
                                      : UINT64_MAX;
    case SCALAR_OP_max:
        return f32                    ? 0x7fc00000
               : f64                  ? 0x7ff8000000000000
               : r.type == SCALAR_i32 ? (uint64_t)INT32_MIN
               : r.type == SCALAR_i64 ? (uint64_t)INT64_MIN
                                      : 0;
    }
    return 0;
}

uint64_t reduce_fold(reduce_rule r, uint64_t *parts, uint64_t count)
{
    uint64_t lanes[64];

    for (;;) {
        uint64_t blocks = (count + 1023) / 1024;
        for (uint64_t b = 0; b < blocks; b++) {
            for (int l = 0; l < 64; l++)
                lanes[l] = reduce_identity(r);
            for (uint64_t k = 1024 * b; k < 1024 * (b + 1) && k < count; k++)
                lanes[k % 64] = reduce_op(r, lanes[k % 64], parts[k]);
            for (int half = 32; half; half /= 2)
                for (int l = 0; l < half; l++)
                    lanes[l] = reduce_op(r, lanes[l], lanes[l + half]);
            parts[b] = lanes[0];
        }
        count = blocks;
        if (count == 1)
            return parts[0];
    }
}

/* ---- kernels ---- */

void reduce_text(text *ir, const reduce_kernel *k)
{
    uint32_t base = 16 * k->rank;

    text_add(ir,
             "module\ntask void r {\n  info 0 cells %u {\n"
             "    task \"r\" block %u predicate none partials %u at %u\n",
             k->rank + 1, base + 64, 8 * k->reduces, base + 48);
    for (uint32_t a = 0; a < k->rank; a++)
        text_add(ir, "    axis %s lo 0 none hi 1 none\n", k->index);
    text_add(ir, "    arg slot 0 at %u bytes 8\n    arg slot 1 at %u bytes 8\n", base, base + 8);
    text_add(ir, "    arg slot 2 at %u bytes 8\n    arg slot 3 at %u bytes 8\n", base + 16,
             base + 24);
    for (uint32_t r = 0; r < k->reduces; r++)
        text_add(ir, "    reduce %s %s cell %u\n", scalar_ops[k->rules[r].op].name,
                 scalar_types[k->rules[r].type].name, 16 * r);
    text_add(ir, "  }\n");
    for (uint32_t a = 0; a < k->rank; a++)
        text_add(ir, "  %%i%u = param %s\n", a, k->index);
    text_add(ir,
             "  %%x = param ptr.global %s\n  %%cells = param ptr.global u8\n  %%n1 = param i64\n"
             "  %%n2 = param i64\n",
             scalar_types[k->array].name);
    for (uint32_t a = 0; a < k->rank; a++)
        if (strcmp(k->index, "i64") == 0)
            text_add(ir, "  %%z%u = const i64 0\n  %%c%u = add i64 %%i%u, %%z%u\n", a, a, a, a);
        else
            text_add(ir, "  %%c%u = convert i64 %%i%u\n", a, a);
    if (k->rank == 1)
        text_add(ir, "  %%zero = const i64 0\n  %%w = add i64 %%c0, %%zero\n");
    if (k->rank >= 2)
        text_add(ir, "  %%m1 = mul i64 %%c0, %%n1\n  %%w1 = add i64 %%m1, %%c1\n");
    if (k->rank == 2)
        text_add(ir, "  %%zero = const i64 0\n  %%w = add i64 %%w1, %%zero\n");
    if (k->rank == 3)
        text_add(ir, "  %%m2 = mul i64 %%w1, %%n2\n  %%w = add i64 %%m2, %%c2\n");
    text_add(ir, "  %%p = offset ptr.global %s %%x, %%w\n  %%v = load %s %%p\n%s}\n",
             scalar_types[k->array].name, scalar_types[k->array].name, k->body);
}

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 30;
}

uint64_t reduce_element(scalar_type type, uint64_t *state)
{
    uint64_t r = random_next(state);
    double value = ((double)(r % 20011) - 10005) / 10005 * (r % 7 == 0 ? 1e5 : 1);
    float narrow = (float)value;
    uint32_t bits;

    if (type == SCALAR_bool)
        return r % 2;
    if (type == SCALAR_f64) {
        memcpy(&r, &value, 8);
        return r;
    }
    if (type == SCALAR_f32) {
        memcpy(&bits, &narrow, 4);
        return bits;
    }
    return scalar_canonical(type, r);
}

static void run_and_compare(const reduce_kernel *k, reduce_extents n, int64_t step,
                            reduce_parts make, code *c)
{
    uint64_t total = 1, base = 16 * k->rank, seed = 99, bytes = scalar_types[k->array].bytes;
    int64_t axes[6] = { 0 };
    uint64_t *parts[3], cells, block, x;

    for (uint32_t a = 0; a < k->rank; a++) {
        axes[2 * a + 1] = n.n[a];
        total *= (uint64_t)n.n[a];
    }
    code_job *j = code_job_new(total * bytes + (total / 1024 + 2) * 24 + 8192);
    block = code_block(j, base + 64, k->rank, axes);
    x = code_put(j, NULL, total * bytes);
    cells = code_put(j, NULL, 64);
    code_pointer(j, block + base, x);
    code_pointer(j, block + base + 8, cells);
    code_u64(j, block + base + 16, (uint64_t)n.n[1]);
    code_u64(j, block + base + 24, (uint64_t)n.n[2]);
    code_pointer(j, block + base + 48, code_put(j, NULL, (total / 1024 + 1) * 8 * k->reduces));
    for (uint32_t r = 0; r < 3; r++)
        CHECK((parts[r] = calloc(total, 8)) != NULL);
    for (uint64_t i = 0; i < total; i++) {
        uint64_t v = reduce_element(k->array, &seed), made[3] = { 0 };
        scalar_store(k->array, j->heap + x + i * bytes, v);
        make(k, v, made);
        for (uint32_t r = 0; r < k->reduces; r++)
            parts[r][i] = made[r];
    }
    for (uint32_t r = 0; r < k->reduces; r++) /* the old value comes last */
        scalar_store(k->rules[r].type, j->heap + cells + 16 * r, 1);
    for (int64_t at = 0; at < (int64_t)total; at += step * 1024)
        code_add_call(j, 0, 0, block, at,
                      at + step * 1024 < (int64_t)total ? at + step * 1024 : (int64_t)total);
    code_add_call(j, 0, CODE_FINISH, block, 0, (int64_t)total);
    code_run(c, j);
    for (uint32_t r = 0; r < k->reduces; r++) {
        uint64_t want = reduce_op(k->rules[r], 1, reduce_fold(k->rules[r], parts[r], total));
        uint64_t got = scalar_load(k->rules[r].type, j->heap + cells + 16 * r);
        if (got != want)
            CHECK_FAIL("%s: reduction %u (%s %s) of %llu x %lld x %lld gives %#llx, not %#llx",
                       target_rows[c->image.target].name, r, scalar_ops[k->rules[r].op].name,
                       scalar_types[k->rules[r].type].name, (unsigned long long)n.n[0],
                       (long long)n.n[1], (long long)n.n[2], (unsigned long long)got,
                       (unsigned long long)want);
        free(parts[r]);
    }
    for (uint32_t r = k->reduces; r < 3; r++)
        free(parts[r]);
    code_job_free(j);
}

void reduce_check(const reduce_kernel *k, const reduce_extents *shapes, size_t count,
                  reduce_parts make)
{
    text ir = { 0 };

    reduce_text(&ir, k);
    CODE_EACH_TARGET(which)
    {
        code c;
        code_compile(&c, text_get(&ir), (mod_target)which, NULL);
        for (size_t s = 0; s < count; s++)
            run_and_compare(k, shapes[s], s % 2 ? 1 : 1000000, make, &c);
        code_finish(&c);
    }
    text_finish(&ir);
}
