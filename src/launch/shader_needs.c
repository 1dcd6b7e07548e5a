/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shader_needs.c - compares what a module's shaders need with what a device has.
 */
#include "launch/shader_needs.h"

#include <inttypes.h>

#include "base/fail.h"

static const char *const need_words[MOD_NEED_COUNT] = {
#define NEED_WORDS_(name, text) text,
    MOD_NEEDS(NEED_WORDS_)
#undef NEED_WORDS_
};

static slip_status refuse(const mod_module *module, const mod_entry *entry,
                          const mod_shader *shader, uint32_t need)
{
    const mod_place *at = &shader->need_places[need];

    if (at->line == 0 || at->file >= module->file_count)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "%s needs %s, which this device does not have",
                         entry->name, need_words[need]);
    return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                     "%s needs %s at %s:%" PRIu32 ":%" PRIu32 ", which this device does not have",
                     entry->name, need_words[need], module->files[at->file], at->line, at->column);
}

static slip_status check_shader(const mod_code *code, uint32_t has, uint32_t index,
                                const mod_module *module, const mod_entry *entry)
{
    const mod_shader *shader = &code->shaders[index];

    for (uint32_t need = 0; need < MOD_NEED_COUNT; need++)
        if ((shader->needs & ~has) >> need & 1)
            return refuse(module, entry, shader, need);
    return SLIP_OK;
}

slip_status shader_needs_check(const mod_code *code, uint32_t has, const mod_module *module,
                               const mod_entry *entry)
{
    for (uint32_t t = 0; t < entry->task_count; t++) {
        const mod_symbol *symbol = &code->symbols[entry->first_symbol + t];
        SLIP_TRY(check_shader(code, has, symbol->main, module, entry));
        if (symbol->finish != MOD_NONE)
            SLIP_TRY(check_shader(code, has, symbol->finish, module, entry));
    }
    return SLIP_OK;
}
