/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print_task.c - the facts of a task function as text, and back.
 *
 *     info 0 cells none {
 *       task "heat:12" block 48 predicate none partials 0 at none @0:12:5
 *       axis i32 lo 3 none hi 4 none        slots, then cells
 *       arg slot 5 at 16 bytes 8
 *       reduce add f32 cell 8
 *       head "heat:12.head" 1: 0 @0:11:5     a helper, and the arguments that it takes
 *       tail "heat:12.tail" 2: 0 1 @0:14:5
 *       access 2 read write
 *       apart 1 2 same_ok @0:13:9
 *     }
 *
 * Writer and reader stand side by side so that a new fact is added to both. Must never check what
 * the numbers mean: the verifier and the module writer do.
 */
#include <inttypes.h>
#include <string.h>

#include "ir/form.h"

typedef struct access_word {
    uint32_t flag;
    const char *word;
} access_word;

static const access_word access_words[] = { { MOD_READ, "read" },
                                            { MOD_WRITE, "write" },
                                            { MOD_UPDATE, "update" },
                                            { MOD_SINGLE, "single" },
                                            { MOD_COVERS, "covers" } };

enum { ACCESS_WORDS = sizeof access_words / sizeof *access_words };

/* Before the word stands a space. */
static void print_u32(text *out, const char *word, uint32_t value)
{
    text_add(out, " %s%s", word, *word ? " " : "");
    if (value == MOD_NONE)
        text_add(out, "none");
    else
        text_add(out, "%" PRIu32, value);
}

static void print_mod_place(text *out, mod_place place)
{
    form_place(out, place.file, place.line, place.column);
    text_add(out, "\n");
}

static const char *const finish_words[IR_FINISH_CALLS] = { "head", "tail" };

static mod_place *finish_place(mod_task *t, int which)
{
    return which == IR_FINISH_HEAD ? &t->head : &t->tail;
}

static void print_finish(text *out, const ir_task_info *info, int which)
{
    const ir_finish_call *call = &info->calls[which];

    if (!call->func)
        return;
    text_add(out, "    %s ", finish_words[which]);
    form_name(out, call->func->name);
    text_add(out, " %" PRIu32 ":", call->arg_count);
    for (uint32_t i = 0; i < call->arg_count; i++)
        text_add(out, " %" PRIu32, call->args[i]);
    print_mod_place(out, *finish_place((mod_task *)info->task, which));
}

static void print_lists(text *out, const ir_task_info *info)
{
    const mod_task *t = info->task;

    for (uint32_t i = 0; i < t->arg_count; i++)
        text_add(out, "    arg %s %" PRIu32 " at %" PRIu32 " bytes %" PRIu32 "\n",
                 t->args[i].source == MOD_FROM_SLOT ? "slot" : "struct", t->args[i].index,
                 t->args[i].offset, t->args[i].bytes);
    for (uint32_t i = 0; i < t->reduce_count; i++)
        text_add(out, "    reduce %s %s cell %" PRIu32 "\n", scalar_ops[t->reduces[i].op].name,
                 scalar_types[t->reduces[i].type].name, t->reduces[i].cell);
    for (int which = 0; which < IR_FINISH_CALLS; which++)
        print_finish(out, info, which);
    for (uint32_t i = 0; i < t->access_count; i++) {
        text_add(out, "    access %" PRIu32, t->accesses[i].array);
        for (int w = 0; w < ACCESS_WORDS; w++)
            if (t->accesses[i].flags & access_words[w].flag)
                text_add(out, " %s", access_words[w].word);
        if (t->accesses[i].bytes)
            text_add(out, " at %" PRIu32 " bytes %" PRIu32, t->accesses[i].first,
                     t->accesses[i].bytes);
        text_add(out, "\n");
    }
    for (uint32_t i = 0; i < t->apart_count; i++) {
        text_add(out, "    apart %" PRIu32 " %" PRIu32 "%s", t->aparts[i].a, t->aparts[i].b,
                 t->aparts[i].same_ok ? " same_ok" : "");
        print_mod_place(out, t->aparts[i].place);
    }
}

void form_task_info(text *out, const ir_task_info *info)
{
    const mod_task *t = info->task;

    text_add(out, "  info %" PRIu32, info->index);
    print_u32(out, "cells", info->cells_param);
    text_add(out, " {\n    task ");
    form_quote(out, t->name ? t->name : "");
    print_u32(out, "block", t->block_bytes);
    print_u32(out, "predicate", t->predicate);
    print_u32(out, "partials", t->partial_bytes);
    print_u32(out, "at", t->partial_offset);
    print_mod_place(out, t->place);
    for (uint32_t i = 0; i < t->rank; i++) {
        const mod_axis *axis = &t->axes[i];
        text_add(out, "    axis %s", scalar_types[axis->type].name);
        print_u32(out, "lo", axis->lo);
        print_u32(out, "", axis->lo_cell);
        print_u32(out, "hi", axis->hi);
        print_u32(out, "", axis->hi_cell);
        text_add(out, "\n");
    }
    print_lists(out, info);
    text_add(out, "  }\n");
}

static mod_place read_mod_place(form_reader *r)
{
    ir_place place = form_read_place(r);

    return (mod_place){ place.file, place.line, place.column };
}

static uint32_t read_after(form_reader *r, const char *word)
{
    form_want(r, word);
    return form_read_u32(r);
}

static scalar_type read_scalar_type(form_reader *r)
{
    const ir_type *type = form_read_type(r);

    if (type->kind != IR_SCALAR)
        form_fail(r, "a scalar type is wanted here");
    return type->scalar;
}

static scalar_op read_scalar_op(form_reader *r)
{
    for (int k = 0; k < SCALAR_OP_COUNT; k++)
        if (form_take(r, scalar_ops[k].name))
            return (scalar_op)k;
    form_fail(r, "a scalar operation is wanted here");
    return SCALAR_OP_add;
}

/* Room for one more at the end of a list that is const in the finished task. */
static void *grow_list(form_reader *r, const void *list, uint32_t count, size_t bytes)
{
    void *made = arena_new(r->arena, (count + 1) * bytes);

    if (count)
        memcpy(made, list, count * bytes);
    return made;
}

static void read_axis(form_reader *r, mod_task *t)
{
    mod_axis axis = { .type = read_scalar_type(r) };

    axis.lo = read_after(r, "lo");
    axis.lo_cell = form_read_u32(r);
    axis.hi = read_after(r, "hi");
    axis.hi_cell = form_read_u32(r);
    if (t->rank == MOD_MAX_AXES)
        form_fail(r, "a task has at most %d axes", MOD_MAX_AXES);
    else
        t->axes[t->rank++] = axis;
}

static void read_arg(form_reader *r, mod_task *t)
{
    mod_arg *args = grow_list(r, t->args, t->arg_count, sizeof *args);
    mod_arg *arg = &args[t->arg_count++];

    arg->source = form_take(r, "struct") ? MOD_FROM_STRUCT : MOD_FROM_SLOT;
    if (arg->source == MOD_FROM_SLOT)
        form_want(r, "slot");
    arg->index = form_read_u32(r);
    arg->offset = read_after(r, "at");
    arg->bytes = read_after(r, "bytes");
    t->args = args;
}

static void read_reduce(form_reader *r, mod_task *t)
{
    mod_reduce *reduces = grow_list(r, t->reduces, t->reduce_count, sizeof *reduces);
    mod_reduce *reduce = &reduces[t->reduce_count++];

    reduce->op = read_scalar_op(r);
    reduce->type = read_scalar_type(r);
    reduce->cell = read_after(r, "cell");
    t->reduces = reduces;
}

static void read_access(form_reader *r, mod_task *t)
{
    mod_access *accesses = grow_list(r, t->accesses, t->access_count, sizeof *accesses);
    mod_access *access = &accesses[t->access_count++];

    access->array = form_read_u32(r);
    for (int w = 0; w < ACCESS_WORDS; w++)
        if (form_take(r, access_words[w].word))
            access->flags |= access_words[w].flag;
    if (form_take(r, "at")) {
        access->first = form_read_u32(r);
        access->bytes = read_after(r, "bytes");
    }
    t->accesses = accesses;
}

static void read_apart(form_reader *r, mod_task *t)
{
    mod_apart *aparts = grow_list(r, t->aparts, t->apart_count, sizeof *aparts);
    mod_apart *apart = &aparts[t->apart_count++];

    apart->a = form_read_u32(r);
    apart->b = form_read_u32(r);
    apart->same_ok = form_take(r, "same_ok");
    apart->place = read_mod_place(r);
    t->aparts = aparts;
}

static void read_finish(form_reader *r, ir_task_info *info, mod_task *t, ir_finish which)
{
    ir_finish_call *call = &info->calls[which];

    call->name = form_read_name(r);
    call->arg_count = (uint32_t)form_read_number(r, MOD_MAX_BLOCK_BYTES / 8);
    uint32_t *args = arena_new(r->arena, (call->arg_count + 1) * sizeof *args);
    form_want(r, ":");
    for (uint32_t i = 0; i < call->arg_count; i++)
        args[i] = form_read_u32(r);
    call->args = args;
    t->finishes_always = true;
    *finish_place(t, which) = read_mod_place(r);
}

static void read_row(form_reader *r, ir_task_info *info, mod_task *t)
{
    if (form_take(r, "axis"))
        read_axis(r, t);
    else if (form_take(r, "arg"))
        read_arg(r, t);
    else if (form_take(r, "reduce"))
        read_reduce(r, t);
    else if (form_take(r, finish_words[IR_FINISH_HEAD]))
        read_finish(r, info, t, IR_FINISH_HEAD);
    else if (form_take(r, finish_words[IR_FINISH_TAIL]))
        read_finish(r, info, t, IR_FINISH_TAIL);
    else if (form_take(r, "access"))
        read_access(r, t);
    else if (form_take(r, "apart"))
        read_apart(r, t);
    else
        form_fail(r, "a task has rows axis, arg, reduce, head, tail, access and apart");
    form_line_end(r);
}

ir_task_info *form_read_task_info(form_reader *r)
{
    ir_task_info *info = arena_new(r->arena, sizeof *info);
    mod_task *t = arena_new(r->arena, sizeof *t);

    info->task = t;
    info->index = form_read_u32(r);
    info->cells_param = read_after(r, "cells");
    form_want(r, "{");
    form_line_end(r);
    form_want(r, "task");
    t->name = form_read_name(r);
    t->block_bytes = read_after(r, "block");
    t->predicate = read_after(r, "predicate");
    t->partial_bytes = read_after(r, "partials");
    t->partial_offset = read_after(r, "at");
    t->place = read_mod_place(r);
    form_line_end(r);
    while (r->token.kind != FORM_END && !form_is(r, "}"))
        read_row(r, info, t);
    form_want(r, "}");
    form_line_end(r);
    return info;
}
