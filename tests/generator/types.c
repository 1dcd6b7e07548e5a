/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c - scalar types with C's conversions, literals, and structs with C's layout.
 */
#include <stdio.h>
#include <string.h>

#include "generator/make.h"

const gen_type_row gen_types[GEN_TYPE_COUNT] = {
#define GEN_ROW_(name, bytes, is_signed, is_float) { #name, bytes, is_signed, is_float },
    GEN_TYPES(GEN_ROW_)
#undef GEN_ROW_
};

gen_type any_type(maker *m)
{
    return (gen_type)pick(m, GEN_TYPE_COUNT);
}

gen_type any_integer(maker *m)
{
    return (gen_type)(GEN_i8 + pick(m, 8));
}

/* Half of what a program declares has one of three types, so that types meet. */
gen_type favourite(maker *m)
{
    return chance(m, 60) ? m->favourites[pick(m, 3)] : any_type(m);
}

bool is_float(gen_type type)
{
    return gen_types[type].is_float;
}

bool is_integer(gen_type type)
{
    return type != GEN_bool && !is_float(type);
}

gen_type promoted(gen_type type)
{
    return type < GEN_i32 ? GEN_i32 : type;
}

/* The usual arithmetic conversions: types stand in the order of their ranks. */
gen_type common(gen_type a, gen_type b)
{
    a = promoted(a);
    b = promoted(b);
    return a > b ? a : b;
}

static const char *float_literal(maker *m, gen_type type)
{
    static const char *const some[] = {
        "0.0",   "-0.0", "1.0",     "-1.0",   "0.5",      "2.0",     "3.25",  "-7.5",
        "0.1",   "1e-3", "100.0",   "-1e6",   "0x1.8p-3", "1e10",    "-3e9",  "255.5",
        "1e-30", "3e38", "65535.0", "0x1p31", "0x1p63",   "-0x1p15", "1e-45", "0.333"
    };
    const char *suffix = type == GEN_f32 ? "f" : "";

    if (chance(m, 4))
        return type == GEN_f32 ? "(f32)INFINITY" : "(f64)INFINITY";
    if (chance(m, 3))
        return type == GEN_f32 ? "(f32)NAN" : "(f64)NAN";
    if (chance(m, 30))
        return format(m, "%u.%u%s", pick(m, 40), pick(m, 1000), suffix);
    return format(m, "%s%s", some[pick(m, sizeof some / sizeof some[0])], suffix);
}

static const char *integer_literal(maker *m, gen_type type)
{
    static const char *const limits[GEN_TYPE_COUNT][3] = {
        [GEN_i8] = { "INT8_MIN", "INT8_MAX", "-1" },
        [GEN_u8] = { "UINT8_MAX", "128", "127" },
        [GEN_i16] = { "INT16_MIN", "INT16_MAX", "-1" },
        [GEN_u16] = { "UINT16_MAX", "32768", "255" },
        [GEN_i32] = { "INT32_MIN", "INT32_MAX", "-1" },
        [GEN_u32] = { "UINT32_MAX", "0x80000000u", "65536u" },
        [GEN_i64] = { "INT64_MIN", "INT64_MAX", "-1l" },
        [GEN_u64] = { "UINT64_MAX", "0x8000000000000000ul", "1ul" },
    };
    static const char *const suffixes[GEN_TYPE_COUNT] = {
        [GEN_u32] = "u", [GEN_i64] = "l", [GEN_u64] = "ul"
    };
    const char *suffix = suffixes[type] ? suffixes[type] : "";

    if (chance(m, 12))
        return format(m, "(%s)%s", gen_types[type].name, limits[type][pick(m, 3)]);
    if (type < GEN_i32)
        return format(m, "(%s)%u", gen_types[type].name, pick(m, 128));
    if (chance(m, 20))
        return format(m, "0x%x%s", pick(m, 0x7fffffff), suffix);
    if (chance(m, 15) && gen_types[type].is_signed)
        return format(m, "-%u%s", pick(m, 1000), suffix);
    return format(m, "%u%s", chance(m, 70) ? pick(m, 10) : pick(m, 100000), suffix);
}

const char *literal(maker *m, gen_type type)
{
    if (type == GEN_bool)
        return chance(m, 50) ? "true" : "false";
    return is_float(type) ? float_literal(m, type) : integer_literal(m, type);
}

/* ---- structs ---------------------------------------------------------------------------- */

static void member_layout(const gen_program *p, const gen_member *member, uint32_t *bytes,
                          uint32_t *align)
{
    *bytes = member->record != GEN_NO_RECORD ? p->records[member->record].bytes
                                             : gen_types[member->type].bytes;
    *align = member->record != GEN_NO_RECORD ? p->records[member->record].align : *bytes;
    if (member->length)
        *bytes *= member->length;
}

static void lay_out(const gen_program *p, gen_record *r)
{
    r->bytes = 0;
    r->align = 1;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t bytes, align;
        member_layout(p, &r->members[i], &bytes, &align);
        r->members[i].offset = (r->bytes + align - 1) / align * align;
        r->bytes = r->members[i].offset + bytes;
        r->align = align > r->align ? align : r->align;
    }
    r->bytes = (r->bytes + r->align - 1) / r->align * r->align;
}

static void print_record(maker *m, const gen_record *r)
{
    line(m, "struct %s {", r->name);
    for (uint32_t i = 0; i < r->count; i++) {
        const gen_member *member = &r->members[i];
        line(m, member->length ? "%s %s[%u];" : "%s %s;",
             type_text(m, member->type, member->record), member->name, member->length);
    }
    line(m, "};");
    line(m, "#ifndef __SLIPC__");
    line(m, "_Static_assert(sizeof(struct %s) == %u, \"the generator's layout\");", r->name,
         r->bytes);
    line(m, "#endif");
}

void make_records(maker *m)
{
    gen_program *p = m->p;

    for (uint32_t k = 0, count = pick(m, GEN_RECORDS + 1); k < count; k++) {
        gen_record *r = &p->records[k];
        snprintf(r->name, sizeof r->name, "%.20s_S%u", p->name, k % 100);
        r->count = 1 + pick(m, GEN_MEMBERS);
        for (uint32_t i = 0; i < r->count; i++) {
            gen_member *member = &r->members[i];
            snprintf(member->name, sizeof member->name, "f%u", i % 10);
            member->type = favourite(m);
            member->record = k > 0 && chance(m, 25) ? (int)pick(m, k) : GEN_NO_RECORD;
            member->length = chance(m, 25) ? 2u << pick(m, 2) : 0;
            if (member->record != GEN_NO_RECORD)
                COUNT(m, nested);
        }
        lay_out(p, r);
        p->record_count = k + 1;
        print_record(m, r);
    }
}

const char *type_text(const maker *m, gen_type type, int record)
{
    return record == GEN_NO_RECORD
               ? gen_types[type].name
               : format((maker *)(uintptr_t)m, "struct %s", m->p->records[record].name);
}

static void leaves(const gen_program *p, int record, uint32_t at, const char *path,
                   gen_leaf_visit visit, void *user)
{
    const gen_record *r = &p->records[record];

    for (uint32_t i = 0; i < r->count; i++) {
        const gen_member *member = &r->members[i];
        uint32_t bytes, align;
        member_layout(p, member, &bytes, &align);
        uint32_t count = member->length ? member->length : 1;
        for (uint32_t k = 0; k < count; k++) {
            char below[96];
            uint32_t offset = at + member->offset + bytes / count * k;
            if (member->length)
                snprintf(below, sizeof below, "%.60s.%s[%u]", path, member->name, k);
            else
                snprintf(below, sizeof below, "%.60s.%s", path, member->name);
            if (member->record != GEN_NO_RECORD)
                leaves(p, member->record, offset, below, visit, user);
            else
                visit(offset, member->type, below, user);
        }
    }
}

void gen_leaves(const gen_program *p, int record, gen_leaf_visit visit, void *user)
{
    leaves(p, record, 0, "", visit, user);
}
