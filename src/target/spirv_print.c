/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_print.c - shaders as text: a line an instruction, `%3 = IAdd %2 %1 %1`, the result's type
 * first among the operands, numbers in decimal. Reads any words: lengths are checked before use.
 */
#include <string.h>

#include "module/print.h"
#include "target/spirv_code.h"
#include "target/spirv_spec.h"

typedef struct row {
    uint32_t opcode;
    const char *name, *operands;
} row;

static const row rows[] = {
#define SPIRV_ROW_(name, number, operands) { number, #name, operands },
    SPIRV_OPS(SPIRV_ROW_)
#undef SPIRV_ROW_
};

static const row *row_of(uint32_t opcode)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].opcode == opcode)
            return &rows[k];
    return NULL;
}

/* Prints a text; gives how many words it took. */
static uint32_t print_text(text *out, const uint32_t *words, uint32_t count)
{
    text_add(out, " \"");
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t b = 0; b < 4; b++) {
            char c = (char)(words[k] >> (8 * b) & 0xff);
            if (c == 0) {
                text_add(out, "\"");
                return k + 1;
            }
            text_add(out, c >= ' ' && c < 127 && c != '"' ? "%c" : "?", c);
        }
    text_add(out, "\"");
    return count;
}

static void print_operands(text *out, const char *letters, const uint32_t *words, uint32_t count)
{
    const char *letter = letters;

    for (uint32_t k = 0; k < count;) {
        if (*letter == 'r') { /* stands in front already */
            k++;
        } else if (*letter == 's') {
            k += print_text(out, words + k, count - k);
        } else {
            text_add(out, *letter == 'i' || *letter == 't' ? " %%%u" : " %u", words[k]);
            k++;
        }
        if (letter[0] && letter[1] && letter[1] != '*')
            letter++;
        else if (!letter[0] || !letter[1])
            letter = "n"; /* whatever follows are numbers */
    }
}

static void print_line(text *out, const uint32_t *words, uint32_t count)
{
    const row *r = row_of(words[0] & 0xffff);
    const char *result = r ? strchr(r->operands, 'r') : NULL;
    uint32_t at = result ? (uint32_t)(result - r->operands) + 1 : 0;
    bool indented = r && r->opcode != SPIRV_Label && r->opcode != SPIRV_Function &&
                    r->opcode != SPIRV_FunctionEnd && r->opcode != SPIRV_FunctionParameter;

    text_add(out, indented ? "  " : "");
    if (at && at < count)
        text_add(out, "%%%u = ", words[at]);
    if (r)
        text_add(out, "%s", r->name);
    else
        text_add(out, "opcode %u", words[0] & 0xffff);
    print_operands(out, r ? r->operands : "n*", words + 1, count - 1);
    text_add(out, "\n");
}

void spirv_print(text *out, const uint32_t *words, size_t count)
{
    if (count < 5 || words[0] != SPIRV_MAGIC) {
        text_add(out, "; no SPIR-V\n");
        return;
    }
    text_add(out, "; SPIR-V %u.%u, ids below %u\n", words[1] >> 16 & 0xff, words[1] >> 8 & 0xff,
             words[3]);
    for (size_t k = 5; k < count;) {
        uint32_t length = words[k] >> 16;
        if (length == 0 || length > count - k) {
            text_add(out, "; an instruction is cut off\n");
            return;
        }
        print_line(out, words + k, length);
        k += length;
    }
}

void spirv_print_code(text *out, const mod_code *code)
{
    for (uint32_t s = 0; s < code->shader_count; s++) {
        const mod_shader *shader = &code->shaders[s];
        size_t count = shader->bytes / 4;

        mod_print_shader(out, code->target, shader, s);
        if (count == 0)
            continue;
        /* The words lie at a multiple of 4 in memory that is aligned to 16. */
        spirv_print(out, (const uint32_t *)(const void *)(code->bytes + shader->offset), count);
    }
}
