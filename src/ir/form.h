/* SPDX-License-Identifier: Apache-2.0 */
/*
 * form.h - what the writers and readers of the text form share; for files of ir/ only.
 *
 * The form, by lines (a `;` starts a comment; a place may follow any head):
 *
 *     module [fma]
 *     file "heat.c"                               in order: @0:12:9 is line 12, column 9 of it
 *     header "C text" [as name]
 *     struct body size 16 align 4 { at 0 f32 as mass ... }
 *     table weights [4 x f32] { 0x1p+0 ... }      the scalars in memory order
 *     kernel | helper | task  TYPE NAME [place] {
 *       info [N] { ... }                          tasks only: print_task.c
 *       %0 = param TYPE [array] [const] [out] [outer_unknown] [as name] [place] EXTENTS
 *       [%1 =] OP [TYPE] [attribute] %a, %b [as name] [place] [regions]
 *     }
 *
 * EXTENTS is any number of `extent ["text"] [{ ... yield %n }]`. A region is
 * `[(%2 i64 as i, ...)] { ... }`. An if's second region follows `else`, a loop's `next`; both are
 * left out when empty. A switch's are `case 1, 2 {...} ... default {...}`. Values may have
 * any name after %; printing numbers them. Names that are no plain word stand in quotes.
 */
#ifndef SLIPWAY_IR_FORM_H
#define SLIPWAY_IR_FORM_H

#include "ir/ir.h"
#include "ir/launch.h"

/* ---- writing --------------------------------------------------------------------------------- */

void form_quote(text *out, const char *value);
void form_name(text *out, const char *name);            /* bare or in quotes */
/* " @f:l:c", or nothing where all three are 0. */
void form_place(text *out, uint32_t file, uint32_t line, uint32_t column);
void form_task_info(text *out, const ir_task_info *info);

/* ---- reading --------------------------------------------------------------------------------- */

typedef enum form_kind {
    FORM_END,
    FORM_LINE, /* one or more line ends */
    FORM_WORD, /* letters, digits, _ and . */
    FORM_STRING,
    FORM_VALUE, /* % and a word; the word alone is kept */
    FORM_MARK   /* any other character */
} form_kind;

typedef struct form_token {
    form_kind kind;
    const char *start; /* WORD, VALUE: `length` bytes; MARK: one; STRING: `string` */
    uint32_t length;
    const char *string;
} form_token;

typedef struct form_value {
    const char *name;
    ir_op *op;
} form_value;

typedef struct form_call { /* a call whose function is found at the end */
    struct form_call *next;
    ir_op *op;
    const char *name;
    uint32_t line;
} form_call;

/* A reader with one token of foresight and a sticky status: after a failure only END is seen. */
typedef struct form_reader {
    mem_arena *arena;
    ir_module *module;
    const char *at;
    uint32_t at_line, line; /* of `at`; of the token at hand */
    form_token token;
    slip_status status;
    form_value *values; /* of the function being read: open addressing */
    uint32_t value_slots, value_count;
    form_call *calls;
    uint32_t depth;
} form_reader;

void form_fail(form_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void form_next(form_reader *r);
bool form_is(const form_reader *r, const char *word); /* the word or mark at hand */
bool form_take(form_reader *r, const char *word);     /* the same, and steps over it */
void form_want(form_reader *r, const char *word);
void form_line_end(form_reader *r);
void form_skip_lines(form_reader *r);
const char *form_read_name(form_reader *r); /* a word or string, copied; "" after a failure */
uint64_t form_read_number(form_reader *r, uint64_t most);
uint32_t form_read_u32(form_reader *r); /* also `none`: UINT32_MAX */
uint64_t form_read_scalar(form_reader *r, scalar_type type);
ir_place form_read_place(form_reader *r); /* nowhere if none stands here */
const ir_type *form_read_type(form_reader *r);
void form_read_body(form_reader *r, ir_func *f); /* from `{` to `}` */
ir_task_info *form_read_task_info(form_reader *r);

#endif
