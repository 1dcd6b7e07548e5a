/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_scalar_test.c - every scalar operation, type and conversion on edge values, on every target
 * that runs here, against base/scalar.h and against values worked out by hand.
 *
 * Each operation is one task over all pairs of edge values, so the vectorised loop and its
 * scalar rest are both met.
 */
#include "target/code_run.h"

#include <string.h>

#include "support/check.h"
#include "target/edges.h"

/* One task: out[i] = op(a[i], b[i], c[i]). */
typedef struct probe {
    scalar_op op;
    scalar_type type, from, result;
} probe;

static scalar_type operand_type(const probe *p, uint32_t k)
{
    if (p->op == SCALAR_OP_select && k == 0)
        return SCALAR_bool;
    return p->op == SCALAR_OP_convert || p->op == SCALAR_OP_bitcast ? p->from : p->type;
}

static void probe_text(text *out, const probe *p, uint32_t symbol)
{
    uint32_t operands = scalar_ops[p->op].operands;

    text_add(out,
             "task void t%u {\n  info %u cells none {\n"
             "    task \"t\" block 48 predicate none partials 0 at none\n"
             "    axis i32 lo 0 none hi 1 none\n",
             symbol, symbol);
    for (uint32_t k = 0; k < operands + 1; k++)
        text_add(out, "    arg slot %u at %u bytes 8\n", 2 + k, 16 + 8 * k);
    text_add(out, "  }\n  %%i = param i32\n");
    for (uint32_t k = 0; k < operands; k++)
        text_add(out, "  %%p%u = param ptr.global %s\n", k, scalar_types[operand_type(p, k)].name);
    text_add(out, "  %%out = param ptr.global %s\n  %%w = convert i64 %%i\n",
             scalar_types[p->result].name);
    for (uint32_t k = 0; k < operands; k++) {
        const char *name = scalar_types[operand_type(p, k)].name;
        text_add(out, "  %%q%u = offset ptr.global %s %%p%u, %%w\n  %%v%u = load %s %%q%u\n", k,
                 name, k, k, name, k);
    }
    text_add(out, "  %%r = %s %s", scalar_ops[p->op].name, scalar_types[p->result].name);
    for (uint32_t k = 0; k < operands; k++)
        text_add(out, "%s%%v%u", k ? ", " : " ", k);
    text_add(out, "\n  %%o = offset ptr.global %s %%out, %%w\n  store %%o, %%r\n}\n",
             scalar_types[p->result].name);
}

/* All operations on one type; with conversions and bit casts from every type. */
static uint32_t probes_of(scalar_type type, bool imports, probe out[256])
{
    uint32_t count = 0;

    for (int op = 0; op < SCALAR_OP_COUNT; op++) {
        bool casts = op == SCALAR_OP_convert || op == SCALAR_OP_bitcast;
        if (scalar_types[type].is_float && op == SCALAR_OP_rem && !imports)
            continue; /* calls fmod */
        for (int from = 0; from < SCALAR_TYPE_COUNT; from++) {
            bool compares = op >= SCALAR_OP_eq && op <= SCALAR_OP_le;
            if ((!casts && from != (int)type) || (casts && from == (int)type) ||
                !scalar_allowed((scalar_op)op, type, (scalar_type)from))
                continue;
            out[count++] =
                (probe){ (scalar_op)op, type, (scalar_type)from, compares ? SCALAR_bool : type };
        }
    }
    return count;
}

static bool is_nan(scalar_type type, uint64_t bits)
{
    if (type == SCALAR_f32)
        return (bits & 0x7fffffff) > 0x7f800000;
    return type == SCALAR_f64 && (bits & INT64_MAX) > 0x7ff0000000000000;
}

static bool keeps_bits(scalar_op op)
{
    return op == SCALAR_OP_neg || op == SCALAR_OP_abs || op == SCALAR_OP_bitcast ||
           op == SCALAR_OP_select;
}

typedef struct placed {
    uint64_t at[4]; /* operands, then the result */
    uint32_t count;
} placed;

/* Pairs of edges; the third operand goes round in its own step. */
static uint64_t value_at(const probe *p, uint32_t k, uint32_t i)
{
    uint64_t edges[EDGES_MOST];
    uint32_t count = edges_of_type(operand_type(p, k), edges);

    if (k == 0)
        return edges[i % count];
    if (k == 1) {
        uint64_t before[EDGES_MOST];
        uint32_t inner = edges_of_type(operand_type(p, 0), before);
        return edges[i / inner % count];
    }
    return edges[i * 7 % count];
}

static uint32_t pairs_of(const probe *p)
{
    uint64_t edges[EDGES_MOST];
    uint32_t count = edges_of_type(operand_type(p, 0), edges);

    if (scalar_ops[p->op].operands > 1)
        count *= edges_of_type(operand_type(p, 1), edges);
    return count < 67 ? 67 : count;
}

static placed place(code_job *j, const probe *p, uint32_t symbol)
{
    uint32_t operands = scalar_ops[p->op].operands, n = pairs_of(p);
    int64_t axis[2] = { 0, n };
    placed made = { .count = n };
    uint64_t block = code_block(j, 48, 1, axis);

    for (uint32_t k = 0; k <= operands; k++) {
        scalar_type type = k < operands ? operand_type(p, k) : p->result;
        made.at[k] = code_put(j, NULL, (uint64_t)n * scalar_types[type].bytes);
        code_pointer(j, block + 16 + 8 * k, made.at[k]);
        for (uint32_t i = 0; i < n && k < operands; i++)
            scalar_store(type, j->heap + made.at[k] + (uint64_t)i * scalar_types[type].bytes,
                         value_at(p, k, i));
    }
    code_add_call(j, symbol, 0, block, 0, n);
    return made;
}

static void compare(const code_job *j, const probe *p, const placed *at, const char *target)
{
    uint32_t operands = scalar_ops[p->op].operands, bytes = scalar_types[p->result].bytes;

    for (uint32_t i = 0; i < at->count; i++) {
        uint64_t v[3] = { 0 }, got = 0, want;
        for (uint32_t k = 0; k < operands; k++)
            v[k] = value_at(p, k, i);
        memcpy(&got, j->heap + at->at[operands] + (uint64_t)i * bytes, bytes);
        if (p->result == SCALAR_bool)
            CHECK(got <= 1);
        got = scalar_canonical(p->result, got);
        want = scalar_eval(p->op, p->type, p->from, v[0], v[1], v[2]);
        if (got == want ||
            (is_nan(p->result, got) && is_nan(p->result, want) && !keeps_bits(p->op)))
            continue;
        CHECK_FAIL("%s: %s %s of %s on %#llx %#llx %#llx gives %#llx, not %#llx", target,
                   scalar_ops[p->op].name, scalar_types[p->type].name, scalar_types[p->from].name,
                   (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
                   (unsigned long long)got, (unsigned long long)want);
    }
}

static void check_type(scalar_type type, mod_target which)
{
    static probe probes[256];
    static placed at[256];
    uint32_t count = probes_of(type, which < MOD_TARGET_CPU_AARCH64, probes);
    text ir = { 0 };
    code c;

    text_add(&ir, "module\n");
    for (uint32_t k = 0; k < count; k++)
        probe_text(&ir, &probes[k], k);
    code_compile(&c, text_get(&ir), which, NULL);
    code_job *j = code_job_new(8 << 20);
    for (uint32_t k = 0; k < count; k++)
        at[k] = place(j, &probes[k], k);
    code_run(&c, j);
    for (uint32_t k = 0; k < count; k++)
        compare(j, &probes[k], &at[k], target_rows[which].name);
    code_job_free(j);
    code_finish(&c);
    text_finish(&ir);
}

static void every_operation_has_the_languages_value_at_the_edges(void)
{
    CODE_EACH_TARGET(which)
    for (int type = 0; type < SCALAR_TYPE_COUNT; type++)
        if (which != MOD_TARGET_GFX90A) /* whose text of them is that of ptx */
            check_type((scalar_type)type, (mod_target)which);
}

/* Values from LANGUAGE rules 3, 20 and 26, worked out by hand. */
typedef struct known {
    probe p;
    uint64_t a, b, want;
} known;

#define I32_(v) ((uint64_t)(int64_t)(int32_t)(v))
#define OP_(op, type)                                                                              \
    {                                                                                              \
        SCALAR_OP_##op, SCALAR_##type, SCALAR_##type, SCALAR_##type                                \
    }
#define CAST_(type, from)                                                                          \
    {                                                                                              \
        SCALAR_OP_convert, SCALAR_##type, SCALAR_##from, SCALAR_##type                             \
    }

static void what_c_leaves_open_has_the_values_of_the_rules(void)
{
    static const known rows[] = {
        { OP_(div, i32), 7, 0, 0 },
        { OP_(rem, i32), 7, 0, 7 },
        { OP_(div, i32), I32_(0x80000000), I32_(-1), I32_(0x80000000) },
        { OP_(rem, i32), I32_(0x80000000), I32_(-1), 0 },
        { OP_(div, i32), I32_(-7), 2, I32_(-3) },
        { OP_(div, u64), 5, 0, 0 },
        { OP_(rem, u8), 200, 0, 200 },
        { OP_(div, i8), (uint64_t)-128, (uint64_t)-1, (uint64_t)-128 },
        { OP_(shl, i32), 1, 33, 2 },
        { OP_(shr, i32), I32_(-8), 34, I32_(-2) },
        { OP_(shl, u16), 1, 17, 2 },
        { OP_(add, i32), 0x7fffffff, 1, I32_(0x80000000) },
        { OP_(mul, i64), INT64_MAX, 2, (uint64_t)-2 },
        { CAST_(i32, f32), 0x4f32d05e, 0, 0x7fffffff }, /* 3e9 */
        { CAST_(i32, f32), 0x7fc00000, 0, 0 },
        { CAST_(i32, f32), 0xcf32d05e, 0, I32_(0x80000000) },
        { CAST_(u8, f32), 0x43960000, 0, 255 },                    /* 300 */
        { CAST_(u8, f32), 0xc0a00000, 0, 0 },                      /* -5 */
        { CAST_(i8, f64), 0xc080000000000000, 0, (uint64_t)-128 }, /* -512 */
        { CAST_(u32, f32), 0x7fc00000, 0, 0 },
        { CAST_(u64, f64), 0x43f0000000000000, 0, UINT64_MAX }, /* 2^64 */
        { CAST_(i64, f64), 0x43e0000000000000, 0, INT64_MAX },  /* 2^63 */
        { CAST_(bool, f32), 0x7fc00000, 0, 1 },
        { CAST_(bool, f32), 0x80000000, 0, 0 },
        { OP_(min, f32), 0x80000000, 0, 0x80000000 },
        { OP_(min, f32), 0, 0x80000000, 0x80000000 },
        { OP_(max, f32), 0x80000000, 0, 0 },
        { OP_(max, f32), 0, 0x80000000, 0 },
        { OP_(min, f32), 0x7fc00000, 0x3f800000, 0x3f800000 },
        { OP_(max, f32), 0x3f800000, 0x7fc00000, 0x3f800000 },
        { OP_(min, f32), 0x7f800001, 0x3f800000, 0x3f800000 },
        { OP_(add, f32), 1, 1, 2 }, /* denormals are kept */
        { OP_(mul, f64), 0x3cb0000000000000, 0x0010000000000000, 1 },
        { OP_(sub, f32), 0x3f800000, 0x3f800000, 0 },
    };
    enum { COUNT = sizeof rows / sizeof *rows };
    text ir = { 0 };

    text_add(&ir, "module\n");
    for (uint32_t k = 0; k < COUNT; k++)
        probe_text(&ir, &rows[k].p, k);
    CODE_EACH_TARGET(which)
    {
        code c;
        uint64_t result[COUNT];
        code_compile(&c, text_get(&ir), (mod_target)which, NULL);
        code_job *j = code_job_new(1 << 16);
        for (uint32_t k = 0; k < COUNT; k++) {
            int64_t axis[2] = { 0, 1 };
            uint64_t block = code_block(j, 48, 1, axis);
            uint32_t operands = scalar_ops[rows[k].p.op].operands;
            const uint64_t values[2] = { rows[k].a, rows[k].b };
            for (uint32_t i = 0; i < operands; i++)
                code_pointer(j, block + 16 + 8 * i, code_put(j, &values[i], 8));
            result[k] = code_put(j, NULL, 8);
            code_pointer(j, block + 16 + 8 * operands, result[k]);
            code_add_call(j, k, 0, block, 0, 1);
        }
        code_run(&c, j);
        for (uint32_t k = 0; k < COUNT; k++)
            CHECK_EQ_U64(scalar_load(rows[k].p.result, j->heap + result[k]), rows[k].want);
        code_job_free(j);
        code_finish(&c);
    }
    text_finish(&ir);
}

/* a * b + c with a rounding that contraction would leave out: (1 + 2^-12)^2 - 1 - 2^-11 is 0 in two
 * steps, 2^-24 in one. */
static const char contract[] =
    "module\n"
    "task void two {\n  info 0 cells none {\n"
    "    task \"two\" block 48 predicate none partials 0 at none\n"
    "    axis i32 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes 8\n    arg slot 3 at 24 bytes 8\n"
    "  }\n  %i = param i32\n  %a = param f32\n  %out = param ptr.global f32\n"
    "  %one = const f32 1.0\n  %step = const f32 0x1p-11\n  %sum = add f32 %one, %step\n"
    "  %minus = neg f32 %sum\n  %m = mul f32 %a, %a\n  %r = add f32 %m, %minus\n"
    "  %w = convert i64 %i\n  %o = offset ptr.global f32 %out, %w\n  store %o, %r\n}\n"
    "task void fused {\n  info 1 cells none {\n"
    "    task \"fused\" block 48 predicate none partials 0 at none\n"
    "    axis i32 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes 8\n    arg slot 3 at 24 bytes 8\n"
    "  }\n  %i = param i32\n  %a = param f32\n  %out = param ptr.global f32\n"
    "  %one = const f32 1.0\n  %step = const f32 0x1p-11\n  %sum = add f32 %one, %step\n"
    "  %minus = neg f32 %sum\n  %r = fma f32 %a, %a, %minus\n"
    "  %w = convert i64 %i\n  %o = offset ptr.global f32 %out, %w\n  store %o, %r\n}\n";

static void multiply_and_add_are_never_fused_and_fma_always_is(void)
{
    enum { N = 70 };
    CODE_EACH_TARGET(which)
    {
        code c;
        code_compile(&c, contract, (mod_target)which, NULL);
        code_job *j = code_job_new(1 << 14);
        int64_t axis[2] = { 0, N };
        uint64_t out[2];
        for (uint32_t k = 0; k < 2; k++) {
            uint64_t block = code_block(j, 48, 1, axis);
            code_u64(j, block + 16, edge_f32(1.0f + 0x1p-12f));
            out[k] = code_put(j, NULL, 4 * N);
            code_pointer(j, block + 24, out[k]);
            code_add_call(j, k, 0, block, 0, N);
        }
        code_run(&c, j);
        for (uint32_t i = 0; i < N; i++) {
            CHECK_EQ_U64(scalar_load(SCALAR_f32, j->heap + out[0] + 4 * i), 0);
            CHECK_EQ_U64(scalar_load(SCALAR_f32, j->heap + out[1] + 4 * i), edge_f32(0x1p-24f));
        }
        code_job_free(j);
        code_finish(&c);
    }
}

static const check_case cases[] = {
    CASE(every_operation_has_the_languages_value_at_the_edges),
    CASE(what_c_leaves_open_has_the_values_of_the_rules),
    CASE(multiply_and_add_are_never_fused_and_fma_always_is),
};
CHECK_MAIN(cases)
