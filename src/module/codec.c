/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec.c - see codec.h. docs/module-format.md describes the stream in the order of these routines.
 *
 * Numbers are little-endian and fixed in width; text is a u32 length (UINT32_MAX: no text) and its
 * bytes; a list is a u32 count and its items. Every list item takes at least one byte, so a count
 * is bounded by the bytes that are left before anything is made for it.
 */
#include "module/codec.h"

#include <string.h>

#include "base/fail.h"

static bool writing(const codec *c)
{
    return c->out != NULL;
}

static void refuse(codec *c, const char *what)
{
    if (c->status == SLIP_OK)
        c->status = SLIP_FAIL(SLIP_ERR_FORMAT, "module: %s at byte %zu of %zu", what,
                              (size_t)(c->at - c->start), (size_t)(c->end - c->start));
}

static uint64_t number(codec *c, uint64_t value, unsigned bytes)
{
    uint8_t raw[8] = { 0 };

    if (writing(c)) {
        for (unsigned i = 0; i < bytes; i++)
            raw[i] = (uint8_t)(value >> (8 * i));
        text_bytes(c->out, raw, bytes);
        return value;
    }
    if ((size_t)(c->end - c->at) < bytes) {
        refuse(c, "a number is cut off");
        c->at = c->end;
        return 0;
    }
    value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)c->at[i] << (8 * i);
    c->at += bytes;
    return value;
}

static void u32(codec *c, uint32_t *value)
{
    *value = (uint32_t)number(c, *value, 4);
}

static void u64(codec *c, uint64_t *value)
{
    *value = number(c, *value, 8);
}

static void flag(codec *c, bool *value)
{
    uint64_t raw = number(c, *value, 1);

    if (raw > 1)
        refuse(c, "a flag is neither 0 nor 1");
    *value = raw == 1;
}

/* A value of an enum with `count` rows. */
static uint32_t choice(codec *c, uint32_t value, uint32_t count, const char *what)
{
    value = (uint32_t)number(c, value, 1);
    if (value >= count) {
        refuse(c, what);
        return 0;
    }
    return value;
}

static void scalar(codec *c, scalar_type *type)
{
    *type = (scalar_type)choice(c, (uint32_t)*type, SCALAR_TYPE_COUNT, "an unknown scalar type");
}

static void string(codec *c, const char **value)
{
    uint32_t length = *value ? (uint32_t)strlen(*value) : UINT32_MAX;

    u32(c, &length);
    if (writing(c)) {
        if (*value)
            text_bytes(c->out, *value, length);
        return;
    }
    *value = NULL;
    if (length == UINT32_MAX || c->status != SLIP_OK)
        return;
    if (length > (size_t)(c->end - c->at) || memchr(c->at, 0, length)) {
        refuse(c, "a text is cut off or holds a zero byte");
        return;
    }
    *value = arena_copy(c->arena, (const char *)c->at, length);
    if (!*value && c->status == SLIP_OK)
        c->status = SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for a module's text of %u bytes", length);
    c->at += length;
}

/* The items of a list: those there are, when writing; fresh ones when reading. NULL when there are
 * none. */
static void *list(codec *c, const void *items, uint32_t *count, size_t item_bytes)
{
    u32(c, count);
    if (writing(c))
        return (void *)(uintptr_t)items;
    if (*count > (size_t)(c->end - c->at)) {
        refuse(c, "a list claims more items than there are bytes");
        *count = 0;
    }
    if (*count == 0 || c->status != SLIP_OK) {
        *count = 0;
        return NULL;
    }
    void *made = arena_new(c->arena, *count * item_bytes);
    if (!made) {
        c->status = SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for a module's list of %u items", *count);
        *count = 0;
    }
    return made;
}

/* Raw bytes: borrowed from the stream when reading, which the caller keeps. */
static const uint8_t *blob(codec *c, const uint8_t *bytes, uint64_t size)
{
    if (writing(c)) {
        text_bytes(c->out, bytes, size);
        return bytes;
    }
    if (size > (size_t)(c->end - c->at)) {
        refuse(c, "bytes are cut off");
        return NULL;
    }
    bytes = c->at;
    c->at += size;
    return bytes;
}

static void place(codec *c, mod_place *p)
{
    u32(c, &p->file);
    u32(c, &p->line);
    u32(c, &p->column);
}

static void param(codec *c, mod_param *p)
{
    string(c, &p->name);
    p->kind = (mod_param_kind)choice(c, (uint32_t)p->kind, 3, "an unknown kind of parameter");
    scalar(c, &p->scalar);
    string(c, &p->struct_name);
    u32(c, &p->bytes);
    u32(c, &p->align);
    flag(c, &p->is_const);
    flag(c, &p->is_out);
    p->rank = choice(c, p->rank, MOD_MAX_RANK + 1, "a rank above 4");
    flag(c, &p->outer_unknown);
    for (uint32_t d = 0; d < MOD_MAX_RANK; d++) {
        u32(c, &p->extents[d]);
        string(c, &p->extent_text[d]);
    }
    u32(c, &p->access);
    place(c, &p->place);
}

static void result(codec *c, mod_result *r)
{
    r->kind = (mod_result_kind)choice(c, (uint32_t)r->kind, 3, "an unknown kind of result");
    scalar(c, &r->scalar);
    string(c, &r->struct_name);
    u32(c, &r->bytes);
    u32(c, &r->cell);
}

static void instr(codec *c, mod_instr *i)
{
    i->op = (uint8_t)choice(c, i->op, MOD_OP_DATA + 1, "an unknown instruction");
    scalar(c, &i->type);
    scalar(c, &i->from);
    flag(c, &i->exact);
    u32(c, &i->dst);
    u32(c, &i->a);
    u32(c, &i->b);
    u32(c, &i->c);
    string(c, &i->text);
    place(c, &i->place);
}

static void node(codec *c, mod_node *n)
{
    n->kind =
        (mod_node_kind)choice(c, (uint32_t)n->kind, MOD_DEVICE_LOOP + 1, "an unknown kind of node");
    u32(c, &n->first);
    u32(c, &n->count);
    u32(c, &n->cond);
    u32(c, &n->other);
    u32(c, &n->end);
    place(c, &n->place);
}

static void scratch(codec *c, mod_scratch *s)
{
    string(c, &s->name);
    u32(c, &s->slot);
    u32(c, &s->bytes);
    u32(c, &s->align);
    s->rank = choice(c, s->rank, MOD_MAX_RANK + 1, "a rank above 4");
    for (uint32_t d = 0; d < MOD_MAX_RANK; d++)
        u32(c, &s->extents[d]);
    place(c, &s->place);
}

static void variable(codec *c, mod_variable *v)
{
    string(c, &v->name);
    string(c, &v->type);
    v->kind = (mod_variable_kind)choice(c, (uint32_t)v->kind, 2, "an unknown kind of variable");
    u32(c, &v->at);
    place(c, &v->place);
}

static void axis(codec *c, mod_axis *a)
{
    scalar(c, &a->type);
    u32(c, &a->lo);
    u32(c, &a->hi);
    u32(c, &a->lo_cell);
    u32(c, &a->hi_cell);
}

static void arg(codec *c, mod_arg *a)
{
    a->source = (mod_source)choice(c, (uint32_t)a->source, 2, "an unknown source of an argument");
    u32(c, &a->index);
    u32(c, &a->offset);
    u32(c, &a->bytes);
}

static void reduce(codec *c, mod_reduce *r)
{
    r->op = (scalar_op)choice(c, (uint32_t)r->op, SCALAR_OP_COUNT, "an unknown operation");
    scalar(c, &r->type);
    u32(c, &r->cell);
}

static void apart(codec *c, mod_apart *a)
{
    u32(c, &a->a);
    u32(c, &a->b);
    flag(c, &a->same_ok);
    place(c, &a->place);
}

static void access(codec *c, mod_access *a)
{
    u32(c, &a->array);
    u32(c, &a->flags);
    u32(c, &a->first);
    u32(c, &a->bytes);
}

static void constant(codec *c, mod_const *k)
{
    u32(c, &k->slot);
    u64(c, &k->bits);
}

/* Each list of a structure: its items go through `each`. Reading, the list is stored where it
 * belongs; writing, a copy of each item goes, since what is written may be constant. */
#define LIST(c, owner, items, item_count, type, each)                                              \
    do {                                                                                           \
        type *made_ = list(c, (owner)->items, &(owner)->item_count, sizeof *made_);                \
        for (uint32_t i_ = 0; i_ < (owner)->item_count && made_; i_++) {                           \
            type item_ = made_[i_];                                                                \
            each(c, &item_);                                                                       \
            if (!writing(c))                                                                       \
                made_[i_] = item_;                                                                 \
        }                                                                                          \
        if (!writing(c))                                                                           \
            (owner)->items = made_;                                                                \
    } while (0)

static void task(codec *c, mod_task *t)
{
    string(c, &t->name);
    t->rank = choice(c, t->rank, MOD_MAX_AXES + 1, "a task of more than 3 axes");
    for (uint32_t a = 0; a < t->rank; a++)
        axis(c, &t->axes[a]);
    LIST(c, t, args, arg_count, mod_arg, arg);
    u32(c, &t->block_bytes);
    u32(c, &t->predicate);
    LIST(c, t, reduces, reduce_count, mod_reduce, reduce);
    u32(c, &t->partial_bytes);
    u32(c, &t->partial_offset);
    flag(c, &t->finishes_always);
    place(c, &t->head);
    place(c, &t->tail);
    LIST(c, t, accesses, access_count, mod_access, access);
    LIST(c, t, aparts, apart_count, mod_apart, apart);
    place(c, &t->place);
}

static void entry(codec *c, mod_entry *e)
{
    string(c, &e->name);
    LIST(c, e, params, param_count, mod_param, param);
    result(c, &e->result);
    LIST(c, e, instrs, instr_count, mod_instr, instr);
    u32(c, &e->extent_instrs);
    LIST(c, e, nodes, node_count, mod_node, node);
    LIST(c, e, consts, const_count, mod_const, constant);
    u32(c, &e->slot_count);
    LIST(c, e, scratch, scratch_count, mod_scratch, scratch);
    LIST(c, e, variables, variable_count, mod_variable, variable);
    u32(c, &e->cells_bytes);
    u32(c, &e->cells_slot);
    LIST(c, e, tasks, task_count, mod_task, task);
    u32(c, &e->first_symbol);
    place(c, &e->place);
}

static void symbol(codec *c, mod_symbol *s)
{
    u32(c, &s->main);
    u32(c, &s->finish);
}

static void shader(codec *c, mod_shader *s)
{
    u32(c, &s->offset);
    u32(c, &s->bytes);
    flag(c, &s->inline_block);
    flag(c, &s->strided);
    flag(c, &s->local_fixed);
    u32(c, &s->local);
    u32(c, &s->needs);
    for (uint32_t n = 0; n < MOD_NEED_COUNT; n++)
        if (s->needs >> n & 1)
            place(c, &s->need_places[n]);
}

static void code(codec *c, mod_code *k)
{
    k->target = (mod_target)choice(c, (uint32_t)k->target, MOD_TARGET_COUNT, "an unknown target");
    LIST(c, k, symbols, symbol_count, mod_symbol, symbol);
    u64(c, &k->imports_offset);
    LIST(c, k, imports, import_count, const char *, string);
    if (mod_has_shaders(k->target)) {
        LIST(c, k, shaders, shader_count, mod_shader, shader);
        u32(c, &k->data_offset);
        u32(c, &k->data_bytes);
    }
    u64(c, &k->size);
    k->bytes = blob(c, k->bytes, k->size);
}

void codec_module(codec *c, mod_module *m)
{
    string(c, &m->producer);
    string(c, &m->options);
    LIST(c, m, files, file_count, const char *, string);
    string(c, &m->header_text);
    u32(c, &m->data_bytes);
    m->data = blob(c, m->data, m->data_bytes);
    u32(c, &m->symbol_count);
    LIST(c, m, entries, entry_count, mod_entry, entry);
    LIST(c, m, codes, code_count, mod_code, code);
    if (!writing(c) && c->at != c->end)
        refuse(c, "bytes follow the end");
}
