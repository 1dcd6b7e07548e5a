/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen.h - well-typed random programs of the kernel language: one kernel each, with its structs,
 * tables and helpers.
 *
 * A program follows from its seed alone. It has no undefined behaviour as C with -fwrapv, once what
 * the language defines beyond C is printed through meaning.h; its tasks have no conflict, and what
 * they update together commutes exactly. So every order of iterations and every compiler must give
 * the same bits (NaN as a class).
 */
#ifndef SLIPWAY_GENERATOR_GEN_H
#define SLIPWAY_GENERATOR_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what a program is, for whoever runs it --------------------------------------------- */

/* name, bytes, signed, float; in the order of C's conversion ranks. */
#define GEN_TYPES(X)                                                                               \
    X(bool, 1, 0, 0)                                                                               \
    X(i8, 1, 1, 0) X(u8, 1, 0, 0) X(i16, 2, 1, 0) X(u16, 2, 0, 0) X(i32, 4, 1, 0) X(u32, 4, 0, 0)  \
        X(i64, 8, 1, 0) X(u64, 8, 0, 0) X(f32, 4, 1, 1) X(f64, 8, 1, 1)

typedef enum gen_type {
#define GEN_TYPE_(name, bytes, is_signed, is_float) GEN_##name,
    GEN_TYPES(GEN_TYPE_)
#undef GEN_TYPE_
        GEN_TYPE_COUNT
} gen_type;

typedef struct gen_type_row {
    const char *name;
    uint32_t bytes;
    bool is_signed, is_float;
} gen_type_row;

extern const gen_type_row gen_types[GEN_TYPE_COUNT];

enum { GEN_MEMBERS = 5, GEN_RECORDS = 3, GEN_PARAMS = 20, GEN_DIMS = 3 };
#define GEN_NO_RECORD (-1)

typedef struct gen_member {
    char name[8];
    gen_type type;
    int record;      /* of an earlier struct, or GEN_NO_RECORD */
    uint32_t length; /* 0: no array; else a power of two */
    uint32_t offset;
} gen_member;

typedef struct gen_record {
    char name[32];
    gen_member members[GEN_MEMBERS];
    uint32_t count, bytes, align;
} gen_record;

typedef enum gen_kind { GEN_SCALAR, GEN_STRUCT, GEN_ARRAY } gen_kind;

/* An extent: one of the kernel's sizes, or a constant. */
typedef enum gen_size { GEN_SIZE_N, GEN_SIZE_H, GEN_SIZE_W, GEN_SIZE_CONST } gen_size;

typedef struct gen_param {
    char name[8];
    gen_kind kind;
    gen_type type;
    int record;
    int is_size;   /* a gen_size that this scalar holds, or -1 */
    bool is_small; /* a scalar that counts passes: 0 to 3 */
    bool is_const, is_out;
    uint32_t rank;
    gen_size sizes[GEN_DIMS];
    uint32_t constants[GEN_DIMS];
} gen_param;

/* What occurs in programs, so that a generator that lost something is seen. name, what */
#define GEN_COUNTS(X)                                                                              \
    X(programs, "programs")                                                                        \
    X(tasks, "slip_for") X(tasks2, "slip_for2") X(tasks3, "slip_for3") X(                          \
        ranges,                                                                                    \
        "slip_for_range") X(device_bounds,                                                         \
                            "bound from the device") X(sections,                                   \
                                                       "slip_sections") X(host_if,                 \
                                                                          "if around tasks, by "   \
                                                                          "the host")              \
        X(device_if, "if around tasks, by the device") X(host_loop, "loop around tasks, by the "   \
                                                                    "host") X(                     \
            device_loop,                                                                           \
            "loop around tasks, by the device") X(kernel_jump,                                     \
                                                  "break, continue, return at kernel level")       \
            X(serial, "serial statement") X(launch_scalar, "kernel-level scalar") X(               \
                scratch,                                                                           \
                "kernel-level array of run-time extent") X(fixed_scratch,                          \
                                                           "kernel-level array with initialiser")  \
                X(task_helper, "helper with a task") X(                                            \
                    swap, "pointers swapped at kernel level") X(reduction, "reduction")            \
                    X(flag, "same value by all") X(shared, "shared update") X(                     \
                        shared_atomic,                                                             \
                        "slip_atomic_min/max of an element") X(own, "array read and written at "   \
                                                                    "its own index")               \
                        X(row, "row of an array, run-time inner index") X(gather, "array read at " \
                                                                                  "any index") X(  \
                            out, "slip_out") X(record_array,                                       \
                                               "array of structs") X(record_param,                 \
                                                                     "struct parameter")           \
                            X(nested, "struct in a struct") X(record_local, "struct variable") X(  \
                                record_copy,                                                       \
                                "struct assignment") X(compound_literal,                           \
                                                       "compound literal") X(designated,           \
                                                                             "designator")         \
                                X(result, "scalar result") X(record_result, "struct result") X(    \
                                    helper, "call of a helper") X(helper_pointer,                  \
                                                                  "array passed to a helper")      \
                                    X(helper_write, "array written by a helper") X(                \
                                        helper_record,                                             \
                                        "struct through a helper") X(table, "constant table")      \
                                        X(local_array, "local array, run-time index") X(           \
                                            if_, "if") X(else_,                                    \
                                                         "else") X(for_, "for") X(while_,          \
                                                                                  "while") X(do_,  \
                                                                                             "do") \
                                            X(switch_, "switch") X(fallthrough, "fallthrough") X(  \
                                                break_,                                            \
                                                "break") X(continue_,                              \
                                                           "continue") X(return_,                  \
                                                                         "return in a helper")     \
                                                X(shadow, "shadowed name") X(ternary, "?:") X(     \
                                                    logic, "&& and ||") X(compare, "comparison")   \
                                                    X(compound, "compound assignment") X(          \
                                                        mixed,                                     \
                                                        "compound assignment, integer and float")  \
                                                        X(step_value, "++ or -- for its value") X( \
                                                            assign_value,                          \
                                                            "= for its value") X(division,         \
                                                                                 "integer / or %") \
                                                            X(shift, "shift") X(cast, "cast") X(   \
                                                                float_to_integer,                  \
                                                                "float to integer")                \
                                                                X(math, "math function") X(        \
                                                                    min_max, "slip_min, slip_max") \
                                                                    X(bits, "bits of a float") X(  \
                                                                        float_arith,               \
                                                                        "float arithmetic")        \
                                                                        X(wide,                    \
                                                                          "64-bit arithmetic")     \
                                                                            X(memory,              \
                                                                              "memset, memcpy")

typedef struct gen_counts {
#define GEN_COUNT_(name, what) uint32_t name;
    GEN_COUNTS(GEN_COUNT_)
#undef GEN_COUNT_
} gen_counts;

typedef struct gen_program {
    uint64_t seed;
    char name[32]; /* the kernel's; everything else in the source begins with it too */
    char *source;  /* without the include of meaning.h; freed by gen_free */
    gen_record records[GEN_RECORDS];
    uint32_t record_count;
    gen_param params[GEN_PARAMS];
    uint32_t param_count;
    bool has_result;
    gen_type result;
    int result_record;
    gen_counts counts; /* occurrences in this program */
} gen_program;

void gen_make(uint64_t seed, gen_program *out);
void gen_free(gen_program *program);

/* A plain wrapper for a C compiler: `void NAME_call(void **args, void *result)`. Freed by the
 * caller. */
char *gen_wrapper(const gen_program *program);

/* Scalars of a struct, in order: calls visit(offset, type, path, user) for each. */
typedef void (*gen_leaf_visit)(uint32_t offset, gen_type type, const char *path, void *user);
void gen_leaves(const gen_program *program, int record, gen_leaf_visit visit, void *user);

#endif
