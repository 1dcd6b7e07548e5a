/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c - C types as the front sees them: without qualifiers, arrays flat, structs laid out.
 *
 * A type the language does not have is FT_BAD with the reason; it is refused where it is used,
 * never where it merely stands in a header.
 */
#include <string.h>

#include "front/tree.h"

typedef struct struct_name {
    struct struct_name *next;
    const char *name;
    const ftype *type;
} struct_name;

static ftype *new_type(front *f, ftype_kind kind)
{
    ftype *t = arena_new(f->arena, sizeof *t);
    t->kind = kind;
    t->ir = ir_type_void(f->m);
    return t;
}

const ftype *front_scalar(front *f, scalar_type s)
{
    static const enum CXTypeKind none = CXType_Invalid;
    CXType key = { none, { (void *)(uintptr_t)(s + 1), NULL } };
    type_entry **bucket = &f->types[s];
    for (type_entry *e = *bucket; e; e = e->next) {
        if (e->clang.kind == none && e->clang.data[0] == key.data[0])
            return e->type;
    }
    type_entry *e = arena_new(f->arena, sizeof *e);
    e->clang = key;
    e->type = new_type(f, FT_SCALAR);
    e->type->scalar = s;
    e->type->ir = ir_type_scalar(f->m, s);
    e->next = *bucket;
    *bucket = e;
    return e->type;
}

static bool scalar_kind(enum CXTypeKind kind, scalar_type *out)
{
    static const struct {
        enum CXTypeKind kind;
        scalar_type scalar;
    } rows[] = {
        { CXType_Bool, SCALAR_bool },     { CXType_Char_S, SCALAR_i8 },
        { CXType_SChar, SCALAR_i8 },      { CXType_UChar, SCALAR_u8 },
        { CXType_Char_U, SCALAR_u8 },     { CXType_Short, SCALAR_i16 },
        { CXType_UShort, SCALAR_u16 },    { CXType_Int, SCALAR_i32 },
        { CXType_UInt, SCALAR_u32 },      { CXType_Long, SCALAR_i64 },
        { CXType_ULong, SCALAR_u64 },     { CXType_LongLong, SCALAR_i64 },
        { CXType_ULongLong, SCALAR_u64 }, { CXType_Float, SCALAR_f32 },
        { CXType_Double, SCALAR_f64 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].kind == kind) {
            *out = rows[i].scalar;
            return true;
        }
    }
    return false;
}

const ftype *front_pointer(front *f, const ftype *array)
{
    ftype *p = new_type(f, FT_POINTER);
    p->elem = array->elem;
    p->const_elem = array->const_elem;
    return p;
}

const ftype *ftype_inner(const ftype *t)
{
    while (t->kind == FT_ARRAY)
        t = t->elem;
    return t;
}

uint64_t ftype_flat(const ftype *t)
{
    uint64_t n = 1;
    for (; t->kind == FT_ARRAY; t = t->elem)
        n *= t->count;
    return n;
}

const ir_type *front_storage(front *f, const ftype *t)
{
    switch (t->kind) {
    case FT_SCALAR:
    case FT_STRUCT:
        return t->ir;
    case FT_ARRAY:
        return ir_type_array(f->m, ftype_inner(t)->ir, ftype_flat(t));
    case FT_POINTER:
        return ir_type_ptr(f->m, IR_GLOBAL, ftype_inner(t->elem)->ir);
    case FT_BAD:
    case FT_VOID:
    case FT_FUNC:
        break;
    }
    return ir_type_void(f->m);
}

/* ---- structs --------------------------------------------------------------------------------- */

typedef struct field_walk {
    front *f;
    ftype *owner;
    ir_field *fields;
    uint32_t capacity, field_capacity;
    uint64_t end, align;
} field_walk;

static void refuse_struct(field_walk *w, const char *why)
{
    if (!w->owner->why)
        w->owner->why = why;
}

static enum CXVisitorResult visit_field(CXCursor c, CXClientData data)
{
    field_walk *w = data;
    front *f = w->f;
    ftype *s = w->owner;
    fdecl *d = front_decl(f, c);
    const ir_type *storage = front_storage(f, d->type);
    int64_t bits = clang_Cursor_getOffsetOfField(c);

    if (clang_Cursor_isBitField(c))
        refuse_struct(w, arena_text(f->arena, "the bit-field `%s`", d->name));
    else if (d->type->kind == FT_BAD)
        refuse_struct(w,
                      arena_text(f->arena, "the member `%s`, which is %s", d->name, d->type->why));
    else if (d->type->kind == FT_POINTER)
        refuse_struct(w, arena_text(f->arena, "the pointer member `%s`", d->name));
    else if (d->type->kind == FT_ARRAY && d->type->runtime)
        refuse_struct(w, arena_text(f->arena, "the flexible member `%s`", d->name));
    uint64_t align = storage->align ? storage->align : 1;
    uint64_t natural = (w->end + align - 1) / align * align;
    if (!s->why && (bits < 0 || (uint64_t)bits != natural * 8))
        refuse_struct(w, "a packed or over-aligned layout");
    w->end = natural + storage->size;
    w->align = align > w->align ? align : w->align;

    s->fields =
        arena_grow(f->arena, s->fields, &w->capacity, s->field_count + 1, sizeof *s->fields);
    w->fields =
        arena_grow(f->arena, w->fields, &w->field_capacity, s->field_count + 1, sizeof *w->fields);
    d->index = s->field_count;
    s->fields[s->field_count] = d;
    w->fields[s->field_count++] = (ir_field){
        .name = *d->name ? d->name : arena_text(f->arena, "anon%u", d->index),
        .type = storage,
        .offset = bits < 0 ? 0 : (uint64_t)bits / 8,
    };
    return CXVisit_Continue;
}

/* The struct's name, made unique: two structs of one name may stand in two scopes. */
static const char *struct_text(front *f, CXType t, ftype *type)
{
    const char *spelling = front_text(f, clang_getTypeSpelling(t));
    const char *name = strncmp(spelling, "struct ", 7) == 0 ? spelling + 7 : spelling;
    bool unnamed = strchr(name, '(') != NULL;
    type->tagless = name == spelling;
    uint32_t number = 0;

    if (unnamed)
        name = arena_text(f->arena, "anon.%u", f->struct_names++);
    for (struct_name *n = f->names; n; n = n->next) {
        if (strcmp(n->name, name) == 0)
            number++;
    }
    struct_name *n = arena_new(f->arena, sizeof *n);
    *n = (struct_name){ .next = f->names, .name = name, .type = type };
    f->names = n;
    return number ? arena_text(f->arena, "%s.%u", name, number + 1) : name;
}

static void fill_struct(front *f, CXType t, ftype *s)
{
    field_walk w = { .f = f, .owner = s, .align = 1 };
    CXCursor record = clang_getTypeDeclaration(t);
    int64_t size = clang_Type_getSizeOf(t);

    s->record = record;
    if (clang_getCursorKind(record) == CXCursor_UnionDecl) {
        s->kind = FT_BAD;
        s->why = "a union";
        return;
    }
    if (size < 0) {
        s->kind = FT_BAD;
        s->why = "a struct whose members are not known here";
        return;
    }
    clang_Type_visitFields(t, visit_field, &w);
    uint64_t natural = (w.end + w.align - 1) / w.align * w.align;
    if (natural != (uint64_t)size || w.align != (uint64_t)clang_Type_getAlignOf(t))
        refuse_struct(&w, "a packed or over-aligned layout");
    if (s->field_count == 0)
        refuse_struct(&w, "no members");
    if (s->why) {
        s->kind = FT_BAD;
        s->why = arena_text(f->arena, "a struct with %s", s->why);
        return;
    }
    s->ir = ir_type_struct(f->m, struct_text(f, t, s), w.fields, s->field_count, (uint64_t)size,
                           w.align);
}

/* ---- the map from clang's types
 * ------------------------------------------------------------------ */

static void fill_array(front *f, CXType t, ftype *a)
{
    CXType elem = clang_getArrayElementType(t);
    a->kind = FT_ARRAY;
    a->elem = front_type(f, elem);
    a->const_elem = clang_isConstQualifiedType(t) || clang_isConstQualifiedType(elem);
    a->runtime = t.kind != CXType_ConstantArray || (a->elem->kind == FT_ARRAY && a->elem->runtime);
    if (t.kind == CXType_ConstantArray)
        a->count = (uint64_t)clang_getArraySize(t);
    const ftype *inner = ftype_inner(a);
    if (inner->kind == FT_BAD || inner->kind == FT_POINTER) {
        a->kind = FT_BAD;
        a->why = inner->kind == FT_BAD ? inner->why : "an array of pointers";
    }
}

static void fill_type(front *f, CXType t, ftype *out)
{
    scalar_type s;

    if (scalar_kind(t.kind, &s)) {
        out->kind = FT_SCALAR;
        out->scalar = s;
        out->ir = ir_type_scalar(f->m, s);
    } else if (t.kind == CXType_Void) {
        out->kind = FT_VOID;
    } else if (t.kind == CXType_Enum) {
        *out = *front_type(f, clang_getEnumDeclIntegerType(clang_getTypeDeclaration(t)));
    } else if (t.kind == CXType_Pointer) {
        CXType to = clang_getPointeeType(t);
        out->kind = FT_POINTER;
        out->elem = front_type(f, to);
        out->const_elem = clang_isConstQualifiedType(clang_getCanonicalType(to)) ||
                          (out->elem->kind == FT_ARRAY && out->elem->const_elem);
    } else if (t.kind == CXType_ConstantArray || t.kind == CXType_VariableArray ||
               t.kind == CXType_IncompleteArray) {
        fill_array(f, t, out);
    } else if (t.kind == CXType_Record) {
        out->kind = FT_STRUCT;
        fill_struct(f, t, out);
    } else if (t.kind == CXType_FunctionProto || t.kind == CXType_FunctionNoProto) {
        out->kind = FT_FUNC;
    } else {
        out->kind = FT_BAD;
        out->why = arena_text(f->arena, "`%s`", front_text(f, clang_getTypeSpelling(t)));
    }
}

const ftype *front_type(front *f, CXType given)
{
    static const ftype none = { .kind = FT_BAD, .why = "an expression without a type" };

    if (given.kind == CXType_Invalid) /* libclang reads what it does not know as NULL */
        return &none;
    CXType canonical = clang_getCanonicalType(given);
    bool is_volatile = clang_isVolatileQualifiedType(canonical);
    bool is_array =
        canonical.kind == CXType_ConstantArray || canonical.kind == CXType_VariableArray ||
        canonical.kind == CXType_IncompleteArray; /* const arrays stay: it is their elements' */
    CXType t = is_volatile || is_array ? canonical : clang_getUnqualifiedType(canonical);
    uintptr_t hash = ((uintptr_t)t.data[0] >> 4) % TYPE_BUCKETS;

    for (type_entry *e = f->types[hash]; e; e = e->next) {
        if (e->clang.kind == t.kind && clang_equalTypes(e->clang, t))
            return e->type;
    }
    type_entry *e = arena_new(f->arena, sizeof *e);
    e->clang = t;
    e->type = new_type(f, FT_BAD);
    e->next = f->types[hash];
    f->types[hash] = e;
    if (is_volatile)
        e->type->why = "`volatile`";
    else
        fill_type(f, t, e->type);
    return e->type;
}
