/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry.c - what a module's kernels are called and take.
 *
 * Everything told is of the module and lives as long as it. Must never ask a device for more than
 * whether it can run a kernel.
 */
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/text.h"
#include "driver/cpu_mode.h"
#include "runtime/bind.h"
#include "runtime/entry.h"

uint32_t slip_module_entry_count(const slip_module *module)
{
    return module ? module->module->entry_count : 0;
}

slip_entry *slip_module_entry(slip_module *module, uint32_t index)
{
    return module && index < module->module->entry_count ? &module->entries[index] : NULL;
}

slip_status slip_module_find(slip_module *module, const char *name, slip_entry **out)
{
    text names = { 0 };

    runtime_enter();
    if (!module || !name || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_module_find: the %s is NULL",
                         !module ? "module"
                         : !name ? "name"
                                 : "place for the kernel");
    for (uint32_t k = 0; k < module->module->entry_count; k++) {
        if (strcmp(module->module->entries[k].name, name) == 0) {
            text_finish(&names);
            SLIP_TRY(bind_check(&module->entries[k]));
            *out = &module->entries[k];
            return SLIP_OK;
        }
        text_add(&names, "%s%s", k ? ", " : "", module->module->entries[k].name);
    }
    slip_status status =
        SLIP_FAIL(SLIP_ERR_NOT_FOUND, "no kernel \"%s\" in the module; there is %s", name,
                  names.bytes ? text_get(&names) : "none");
    text_finish(&names);
    return status;
}

static const char *type_name(const char *struct_name, scalar_type scalar)
{
    return struct_name ? struct_name : scalar_types[scalar].name;
}

void slip_entry_describe(const slip_entry *entry, slip_entry_info *out)
{
    if (out)
        *out = (slip_entry_info){ 0 };
    if (!out || !entry)
        return;
    const mod_entry *e = entry->entry;
    *out = (slip_entry_info){ .name = e->name,
                              .param_count = e->param_count,
                              .task_count = e->task_count,
                              .variable_count = e->variable_count };
    if (e->result.kind != MOD_NO_RESULT) {
        out->result = type_name(e->result.struct_name, e->result.scalar);
        out->result_bytes = e->result.bytes;
    }
}

void slip_entry_param(const slip_entry *entry, uint32_t index, slip_param_info *out)
{
    if (out)
        *out = (slip_param_info){ 0 };
    if (!out || !entry || index >= entry->entry->param_count)
        return;
    const mod_entry *e = entry->entry;
    const mod_param *param = &e->params[index];
    out->name = param->name;
    out->kind = param->kind == MOD_SCALAR   ? SLIP_PARAM_SCALAR
                : param->kind == MOD_STRUCT ? SLIP_PARAM_STRUCT
                                            : SLIP_PARAM_ARRAY;
    out->type = type_name(param->struct_name, param->scalar);
    out->bytes = param->bytes;
    if (param->kind != MOD_ARRAY)
        return;
    out->rank = param->rank;
    for (uint32_t k = 0; k < param->rank; k++)
        out->extents[k] = param->extents[k] == MOD_NONE ? NULL : param->extent_text[k];
    out->is_const = param->is_const;
    out->is_out = param->is_out;
    out->is_read = (param->access & MOD_READ) != 0;
    out->is_written = (param->access & MOD_WRITE) != 0;
}

void slip_entry_variable(const slip_entry *entry, uint32_t index, slip_variable_info *out)
{
    if (out)
        *out = (slip_variable_info){ 0 };
    if (!out || !entry || index >= entry->entry->variable_count)
        return;
    const mod_entry *e = entry->entry;
    const mod_variable *v = &e->variables[index];
    *out = (slip_variable_info){ .name = v->name,
                                 .type = v->type,
                                 .on_device = v->kind == MOD_DEVICE_VARIABLE,
                                 .line = v->place.line };
}

/* Extents of one parameter, once the extent instructions have run. */
static slip_status read_extents(const program_state *state, const mod_param *param, uint64_t *out)
{
    uint64_t bytes = 0;
    uint32_t known = param->rank > 0 && param->outer_unknown ? 1 : 0;

    for (uint32_t k = 0; k < SLIP_MAX_RANK; k++)
        out[k] = k < param->rank && param->extents[k] != MOD_NONE ? state->slots[param->extents[k]]
                                                                  : UINT64_MAX;
    return program_bytes(state, param->name, param->place, param->extents + known,
                         param->extent_text + known, param->rank - known, param->bytes, &bytes);
}

slip_status slip_entry_extents(const slip_entry *entry, const slip_arg *args, uint32_t arg_count,
                               uint32_t index, uint64_t out[SLIP_MAX_RANK])
{
    uint64_t *packed = NULL, *slots = NULL, found[SLIP_MAX_RANK];

    runtime_enter();
    if (!entry || !out || (arg_count > 0 && !args))
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_entry_extents: the %s is NULL",
                         !entry ? "entry"
                         : !out ? "place for the extents"
                                : "list of arguments");
    const mod_entry *e = entry->entry;
    if (index >= e->param_count || e->params[index].kind != MOD_ARRAY)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "parameter %" PRIu32 " of %s is no array", index,
                         e->name);
    slip_status status = entry_pack(entry, args, arg_count, &packed);
    if (status != SLIP_OK)
        goto done;
    status = mem_new((e->slot_count + 1) * sizeof *slots, (void **)&slots);
    if (status != SLIP_OK)
        goto done;
    program_state state = {
        .module = entry->module->module, .entry = e, .slots = slots, .args = packed
    };
    uint64_t mode = cpu_mode_enter();
    program_begin(&state);
    status = program_eval(&state, 0, e->extent_instrs);
    if (status == SLIP_OK)
        status = read_extents(&state, &e->params[index], found);
    cpu_mode_leave(mode);
    if (status == SLIP_OK)
        memcpy(out, found, sizeof found);

done:
    mem_free(packed);
    mem_free(slots);
    return status;
}
