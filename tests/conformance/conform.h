/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conform.h - one kernel file, compiled by slipc and by the C compiler, must give the same bits.
 *
 *     CONFORM(saxpy_agrees)
 *     {
 *         SIZES (n) {
 *             const void *x = IN(f32, WILD, n);
 *             conform_pair y = PAIR(f32, WILD, n);
 *             BOTH(saxpy, n, 2.0f, x, S(y));
 *             SAME(y);
 *         }
 *     }
 *
 * A case runs once per device, on the stack of slip_reference_run, because the reference's
 * kernel-level arrays live there. So it must never leave by longjmp: checks record the first
 * failure, later ones do nothing, and the runner ends the case with the record.
 *
 * Every block handed out lies between guards that are looked at when it is given back: a device
 * that writes outside an array fails its case even where it works on host memory in place.
 */
#ifndef SLIPWAY_TESTS_CONFORM_H
#define SLIPWAY_TESTS_CONFORM_H

#include <slipway/kernel.h>
#include <slipway/slipway.h>

#include "support/check.h"

typedef enum conform_type {
    TYPE_i8,
    TYPE_u8,
    TYPE_i16,
    TYPE_u16,
    TYPE_i32,
    TYPE_u32,
    TYPE_i64,
    TYPE_u64,
    TYPE_f32,
    TYPE_f64,
    TYPE_bool,
    TYPE__Bool = TYPE_bool /* what stdbool.h makes of it */
} conform_type;

typedef enum conform_fill {
    ZERO,
    EXACT, /* small whole numbers: sums and products of a few stay exact in every type */
    PLAIN, /* all bits of an integer; finite floats of moderate size with full mantissas */
    WILD   /* PLAIN, and each fourth a special: extremes, -0, denormals, infinities, NaN */
} conform_fill;

typedef struct conform_block conform_block;

typedef struct conform {
    slip_device *device;
    slip_stream *on;
    int side;             /* 0: the device is being called, 1: the reference */
    int64_t size;         /* of the current round, for messages; -1 outside SIZES */
    uint64_t seed;
    conform_block *blocks, *before_rounds;
    char failure[640];    /* empty: none so far */
} conform;

/* An array as the device and as the reference see it. Both start with the same bytes. */
typedef struct conform_pair {
    void *side[2];
    size_t count; /* of scalars; for bytes: of bytes */
    conform_type type;
} conform_pair;

/* One scalar member of a struct, or an array of them. */
typedef struct conform_field {
    const char *name;
    size_t offset, count;
    conform_type type;
} conform_field;

#define FIELD(record, member, T) { #member, offsetof(record, member), 1, TYPE_##T }
#define FIELDS(record, member, T, n) { #member, offsetof(record, member), (n), TYPE_##T }

#define CONFORM(name)                                                                             \
    static void name##_body(conform *c);                                                          \
    static void name(void)                                                                        \
    {                                                                                             \
        conform_run(name##_body);                                                                 \
    }                                                                                             \
    static void name##_body(conform *c)

/* n runs through 0, 1, 7, 64, 1000, 1025, 5000; memory of a round is given back at its end.
 * Loops of sizes do not nest. */
#define SIZES(n) for (int32_t n, n##_at = 0; conform_round(c, n##_at++, &n);)
/* The same through the sizes named. */
#define EACH(n, ...)                                                                              \
    for (int64_t n, n##_at = 0; conform_each(c, n##_at++, (const int64_t[]){ __VA_ARGS__ },       \
         sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), &n);)

#define IN(T, fill, count) conform_values(c, TYPE_##T, (fill), (size_t)(count))
#define PAIR(T, fill, count) conform_pair_make(c, TYPE_##T, (fill), (size_t)(count))
/* A pair of the scalars given. */
#define PAIR_OF(T, ...)                                                                           \
    conform_pair_copy(c, TYPE_##T, (const T[]){ __VA_ARGS__ },                                    \
                      sizeof((const T[]){ __VA_ARGS__ }) / sizeof(T))
/* A pair of `bytes` bytes, a copy of `from`. */
#define PAIR_BYTES(from, bytes) conform_pair_copy(c, TYPE_u8, (from), (size_t)(bytes))
/* The pair's array for the side being called. */
#define S(pair) ((pair).side[c->side])

#define ON_DEVICE(kernel, ...)                                                                    \
    (c->side = 0, conform_status(c, kernel(c->on, __VA_ARGS__), #kernel))
/* Arguments are evaluated once a side: IN and PAIR stand before the call. */
#define BOTH(kernel, ...)                                                                         \
    do {                                                                                          \
        ON_DEVICE(kernel, __VA_ARGS__);                                                           \
        c->side = 1;                                                                              \
        kernel##_reference(__VA_ARGS__);                                                          \
        c->side = 0;                                                                              \
    } while (0)
/* A kernel that returns a value: declares `got` and `want`. */
#define RETURN(T, got, want, kernel, ...)                                                         \
    T got = { 0 }, want = { 0 };                                                                  \
    ON_DEVICE(kernel, __VA_ARGS__, &got);                                                         \
    c->side = 1;                                                                                  \
    want = kernel##_reference(__VA_ARGS__);                                                       \
    c->side = 0
#define SAME_RETURN(T, kernel, ...)                                                               \
    do {                                                                                          \
        RETURN(T, got_, want_, kernel, __VA_ARGS__);                                              \
        conform_same(c, #kernel "()", TYPE_##T, &got_, &want_, 1);                                \
    } while (0)
/* The call is refused with this status and a message that contains `part`. */
#define REFUSED(status, part, kernel, ...)                                                        \
    conform_refused(c, kernel(c->on, __VA_ARGS__), (status), (part), #kernel)

#define SAME(pair) conform_same(c, #pair, (pair).type, (pair).side[0], (pair).side[1], (pair).count)
#define SAME_VALUE(T, got, want) conform_same(c, #got, TYPE_##T, &(T){ got }, &(T){ want }, 1)
#define SAME_STRUCTS(pair, record, fields)                                                        \
    conform_same_fields(c, #pair, (pair).side[0], (pair).side[1], sizeof(record),                 \
                        (pair).count / sizeof(record), fields,                                    \
                        sizeof(fields) / sizeof((fields)[0]))
/* What the device left in the pair is this list, worked out by hand. */
#define WANT(T, pair, ...)                                                                        \
    conform_same(c, #pair, TYPE_##T, (pair).side[0], (const T[]){ __VA_ARGS__ },                  \
                 sizeof((const T[]){ __VA_ARGS__ }) / sizeof(T))
#define EXPECT(claim) conform_true(c, (claim), #claim, __FILE__, __LINE__)
#define EXPECT_I64(got, want)                                                                     \
    conform_i64(c, (int64_t)(got), (int64_t)(want), #got, __FILE__, __LINE__)
/* |got - want| <= bound */
#define EXPECT_NEAR(got, want, bound)                                                             \
    conform_near(c, (got), (want), (bound), #got, __FILE__, __LINE__)

/*
 * Runs a case on every device present. A family that SLIPWAY_REQUIRE names and that is not here
 * fails the case; no device at all skips it.
 */
void conform_run(void (*body)(conform *c));
/* Gives back what was handed out since the block `until`, and looks at the guards. */
void conform_release(conform *c, const conform_block *until);

size_t conform_bytes(conform_type type);
void *conform_values(conform *c, conform_type type, conform_fill fill, size_t count);
conform_pair conform_pair_make(conform *c, conform_type type, conform_fill fill, size_t count);
conform_pair conform_pair_copy(conform *c, conform_type type, const void *from, size_t count);
/* Memory of slip_alloc holding a copy of `from`; freed at the end of the round. */
void *conform_resident(conform *c, const void *from, size_t bytes);
/* Copies it back. */
void conform_fetch(conform *c, void *to, const void *resident, size_t bytes);

bool conform_round(conform *c, int at, int32_t *out_size);
bool conform_each(conform *c, int64_t at, const int64_t *sizes, size_t count, int64_t *out_size);

void conform_status(conform *c, slip_status status, const char *kernel);
void conform_refused(conform *c, slip_status got, slip_status want, const char *part,
                     const char *kernel);
void conform_same(conform *c, const char *name, conform_type type, const void *got,
                  const void *want, size_t count);
void conform_same_fields(conform *c, const char *name, const void *got, const void *want,
                         size_t stride, size_t count, const conform_field *fields,
                         size_t field_count);
void conform_true(conform *c, bool claim, const char *text, const char *file, int line);
void conform_i64(conform *c, int64_t got, int64_t want, const char *text, const char *file,
                 int line);
void conform_near(conform *c, double got, double want, double bound, const char *text,
                  const char *file, int line);
void conform_fail(conform *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
