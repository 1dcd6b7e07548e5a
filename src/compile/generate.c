/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generate.c - the C that a program compiles beside its own: NAME.slip.h and NAME.slip.c.
 *
 * Made from a module's bytes alone. The header is valid C11 and C++17 and holds no word of the kernel
 * language: standard types, arrays of any rank as pointers to their elements, the stream first, the
 * result last. The source embeds the module and packs each call's arguments for slip_call.
 */
#include <ctype.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/text.h"
#include "compile/compile.h"
#include "module/read.h"

/* Words a C++ compiler would not take as a name (C++17, and the alternative operators). */
static const char *const cxx_words[] = {
    "and", "and_eq", "asm", "bitand", "bitor", "catch", "char16_t", "char32_t", "class", "compl",
    "const_cast", "constexpr", "decltype", "delete", "dynamic_cast", "explicit", "export", "false",
    "friend", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "reinterpret_cast", "static_assert", "static_cast",
    "template", "this", "thread_local", "throw", "true", "try", "typeid", "typename", "using", "virtual",
    "wchar_t", "xor", "xor_eq", "bool", "slip_on", "slip_result",
};

static bool is_taken(const char *name)
{
    for (size_t i = 0; i < sizeof cxx_words / sizeof cxx_words[0]; i++)
        if (strcmp(cxx_words[i], name) == 0)
            return true;
    return false;
}

/* Is `other` the name with that many `_` behind it? */
static bool is_name_with(const char *other, const char *name, size_t behind)
{
    size_t length = strlen(name);

    return strlen(other) == length + behind && memcmp(other, name, length) == 0 &&
           strspn(other + length, "_") == behind;
}

/* A taken name gets a `_`, and more where a parameter or kernel beside it has that name. */
static void add_name(text *out, const char *name, size_t behind)
{
    text_add(out, "%s", name);
    for (size_t k = 0; k < behind; k++)
        text_add(out, "_");
}

static bool param_has(const mod_entry *e, const char *name, size_t behind)
{
    for (uint32_t k = 0; k < e->param_count; k++)
        if (is_name_with(e->params[k].name, name, behind))
            return true;
    return false;
}

static void add_param_name(text *out, const mod_entry *e, const mod_param *p)
{
    size_t behind = is_taken(p->name);

    while (behind && param_has(e, p->name, behind))
        behind++;
    add_name(out, p->name, behind);
}

static bool entry_has(const mod_module *m, const char *name, size_t behind)
{
    for (uint32_t k = 0; k < m->entry_count; k++)
        if (is_name_with(m->entries[k].name, name, behind))
            return true;
    return false;
}

static void add_entry_name(text *out, const mod_module *m, const mod_entry *e)
{
    size_t behind = is_taken(e->name);

    while (behind && entry_has(m, e->name, behind))
        behind++;
    add_name(out, e->name, behind);
}

static const char *type_of(const char *struct_name, scalar_type scalar)
{
    return struct_name ? struct_name : scalar_types[scalar].c_name;
}

static void add_param(text *out, const mod_entry *e, const mod_param *p)
{
    text_add(out, ", %s%s %s", p->kind == MOD_ARRAY && p->is_const ? "const " : "",
             type_of(p->struct_name, p->scalar), p->kind == MOD_ARRAY ? "*" : "");
    add_param_name(out, e, p);
}

static void add_signature(text *out, const mod_module *m, const mod_entry *e)
{
    text_add(out, "slip_status ");
    add_entry_name(out, m, e);
    text_add(out, "(slip_stream *slip_on");
    for (uint32_t p = 0; p < e->param_count; p++)
        add_param(out, e, &e->params[p]);
    if (e->result.kind != MOD_NO_RESULT)
        text_add(out, ", %s *slip_result", type_of(e->result.struct_name, e->result.scalar));
    text_add(out, ")");
}

/* What the header says of one kernel: its declaration in the source, and what the extents are. */
static void add_comment(text *out, const mod_module *m, const mod_entry *e)
{
    text_add(out, "\n/* %s", e->name);
    if (e->place.line > 0 && e->place.file < m->file_count) {
        const char *slash = strrchr(m->files[e->place.file], '/');
        text_add(out, ", %s line %u", slash ? slash + 1 : m->files[e->place.file], e->place.line);
    }
    for (uint32_t p = 0; p < e->param_count; p++) {
        const mod_param *param = &e->params[p];
        if (param->kind != MOD_ARRAY)
            continue;
        text_add(out, "\n *   %s  ", param->name);
        for (uint32_t d = 0; d < param->rank; d++)
            text_add(out, "[%s]", param->extent_text[d] ? param->extent_text[d] : "");
        if (param->rank == 0)
            text_add(out, "extent unknown: the memory must be known to the runtime");
        text_add(out, "%s", param->is_out     ? " only written, every element"
                            : param->is_const ? " only read"
                                              : "");
    }
    text_add(out, " */\n");
}

static void add_guard(text *out, const char *base)
{
    text_add(out, "SLIP_GENERATED_");
    for (const char *c = base; *c; c++)
        text_add(out, "%c", isalnum((unsigned char)*c) ? toupper((unsigned char)*c) : '_');
    text_add(out, "_H");
}

static void make_header(text *out, const mod_module *m, const char *base)
{
    text_add(out, "/* Made by %s; changes are lost. */\n#ifndef ", m->producer);
    add_guard(out, base);
    text_add(out, "\n#define ");
    add_guard(out, base);
    text_add(out, "\n\n#include <stdbool.h>\n#include <stdint.h>\n\n#include <slipway/slipway.h>\n\n");
    if (m->header_text && m->header_text[0])
        text_add(out, "%s\n", m->header_text);
    text_add(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (uint32_t e = 0; e < m->entry_count; e++) {
        add_comment(out, m, &m->entries[e]);
        text_add(out, "SLIP_MUST_USE ");
        add_signature(out, m, &m->entries[e]);
        text_add(out, ";\n");
    }
    text_add(out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

static void add_value(text *out, const mod_entry *e, const mod_param *p)
{
    const char *open = "(uint64_t)", *close = "";

    if (p->kind == MOD_ARRAY)
        open = "(uint64_t)(uintptr_t)";
    else if (p->kind == MOD_STRUCT)
        open = "(uint64_t)(uintptr_t)&";
    else if (p->scalar == SCALAR_f32)
        open = "slip_f32_argument(", close = ")";
    else if (p->scalar == SCALAR_f64)
        open = "slip_f64_argument(", close = ")";
    else if (scalar_types[p->scalar].is_signed)
        open = "(uint64_t)(int64_t)";
    text_add(out, "\n        %s", open);
    add_param_name(out, e, p);
    text_add(out, "%s,", close);
}

/* Its own names begin with slip_: a parameter may have any other. */
static void add_stub(text *out, const mod_module *m, uint32_t index)
{
    const mod_entry *e = &m->entries[index];

    text_add(out, "\n");
    add_signature(out, m, e);
    text_add(out, "\n{\n    static slip_site slip_site_ = { &slip_embedded_module, %u, 0 };\n", index);
    if (e->param_count > 0) {
        text_add(out, "    const uint64_t slip_args_[%u] = {", e->param_count);
        for (uint32_t p = 0; p < e->param_count; p++)
            add_value(out, e, &e->params[p]);
        text_add(out, "\n    };\n");
    }
    text_add(out, "\n    return slip_call(slip_on, &slip_site_, %s, %s);\n}\n",
             e->param_count ? "slip_args_" : "0", e->result.kind != MOD_NO_RESULT ? "slip_result" : "0");
}

static bool passes_float(const mod_module *m, scalar_type type)
{
    for (uint32_t e = 0; e < m->entry_count; e++)
        for (uint32_t p = 0; p < m->entries[e].param_count; p++)
            if (m->entries[e].params[p].kind == MOD_SCALAR && m->entries[e].params[p].scalar == type)
                return true;
    return false;
}

static void add_float_argument(text *out, const char *name, const char *type, const char *bits)
{
    text_add(out,
             "\nstatic uint64_t slip_%s_argument(%s value)\n{\n    %s bits;\n\n"
             "    memcpy(&bits, &value, sizeof bits);\n    return bits;\n}\n",
             name, type, bits);
}

/* " 0x1fu,", without zeros in front; returns where it ends. By hand: modules are long. */
static char *put_word(char *at, uint64_t word)
{
    int digits = 1;

    while (digits < 16 && word >> (4 * digits))
        digits++;
    memcpy(at, " 0x", 3);
    at += 3;
    while (digits-- > 0)
        *at++ = "0123456789abcdef"[word >> (4 * digits) & 15];
    memcpy(at, "u,", 2);
    return at + 2;
}

static void add_bytes(text *out, const uint8_t *bytes, size_t size)
{
    char line[5 + 8 * (sizeof " 0x0123456789abcdefu,")], *end = line;

    text_add(out, "\nstatic const uint64_t slip_module_bytes[] = {");
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && i + k < size; k++)
            word |= (uint64_t)bytes[i + k] << (8 * k);
        if (i % 64 == 0) {
            memcpy(line, "\n   ", 4);
            end = line + 4;
        }
        end = put_word(end, word);
        if (i % 64 == 56 || i + 8 >= size)
            text_bytes(out, line, (size_t)(end - line));
    }
    text_add(out, "\n};\n\nstatic slip_embedded slip_embedded_module = { slip_module_bytes, %zuu, 0 };\n",
             size);
}

static void make_source(text *out, const mod_module *m, const char *base, const uint8_t *bytes, size_t size)
{
    text_add(out, "/* Made by %s; changes are lost. */\n#include \"%s.slip.h\"\n\n#include <string.h>\n",
             m->producer, base);
    add_bytes(out, bytes, size);
    if (passes_float(m, SCALAR_f32))
        add_float_argument(out, "f32", "float", "uint32_t");
    if (passes_float(m, SCALAR_f64))
        add_float_argument(out, "f64", "double", "uint64_t");
    for (uint32_t e = 0; e < m->entry_count; e++)
        add_stub(out, m, e);
    if (m->entry_count == 0)
        text_add(out, "\nslip_embedded *slip_unused_module(void);\n"
                      "slip_embedded *slip_unused_module(void) { return &slip_embedded_module; }\n");
}

slip_status slipc_generate(const void *module_bytes, size_t size, const char *base, char **out_header,
                           char **out_source)
{
    mem_arena arena = { 0 };
    text header = { 0 }, source = { 0 };
    const mod_module *m;
    slip_status status;

    fail_clear();
    if (!module_bytes || !base || !out_header || !out_source)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slipc_generate: the %s is NULL",
                         !module_bytes ? "module"
                         : !base       ? "name of the file"
                         : !out_header ? "place for the header"
                                       : "place for the source");
    status = mem_arena_init(&arena);
    if (status == SLIP_OK)
        status = mod_read(&arena, module_bytes, size, &m);
    if (status == SLIP_OK) {
        make_header(&header, m, base);
        make_source(&source, m, base, module_bytes, size);
        status = header.status != SLIP_OK ? header.status : source.status;
    }
    mem_arena_finish(&arena);
    if (status != SLIP_OK) {
        text_finish(&header);
        text_finish(&source);
        return status;
    }
    *out_header = header.data;
    *out_source = source.data;
    return SLIP_OK;
}

void slipc_text_free(char *made)
{
    mem_free(made);
}
