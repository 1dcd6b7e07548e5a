/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_push.c - the push constants as an array of words, and the task's block, wherever it lies.
 *
 * The layout is mod_shader's (module/module.h). Words are put together to 64 bits by a bit cast,
 * low word first, so that nothing but 32-bit loads is asked of push constants.
 */
#include "target/spirv_emit.h"

static uint32_t header_bytes(const spirv_emit *e)
{
    return mod_shader_header(spirv_task_row(e)->rank);
}

/* An array of words with a layout: not interned, since local arrays have none. */
static void declare(spirv_emit *e)
{
    spirv_words *w = &e->words[SPIRV_IN_GLOBALS];
    uint32_t bytes = header_bytes(e) +
                     (e->shader->inline_block ? (spirv_task_row(e)->block_bytes + 3) / 4 * 4 : 8);
    spirv_id array = spirv_new(e), block = spirv_new(e);
    uint32_t of_array[3] = { array, spirv_type(e, SPIRV_U32), spirv_u32(e, bytes / 4) };
    uint32_t of_block[2] = { block, array };
    uint32_t offset[4] = { block, 0, SPIRV_DECORATE_OFFSET, 0 };

    spirv_words_put(w, SPIRV_TypeArray, of_array, 3);
    spirv_words_put(w, SPIRV_TypeStruct, of_block, 2);
    spirv_decorate(e, array, SPIRV_DECORATE_ARRAY_STRIDE, 4);
    spirv_decorate(e, block, SPIRV_DECORATE_BLOCK, 0);
    spirv_words_put(&e->words[SPIRV_IN_ANNOTATIONS], SPIRV_MemberDecorate, offset, 4);
    e->push = spirv_global(e, SPIRV_PUSH_CONSTANT, block, 0);
    e->block_at = header_bytes(e);
}

spirv_id spirv_push_word(spirv_emit *e, spirv_id index)
{
    spirv_id word = spirv_type(e, SPIRV_U32), place;

    if (e->push == 0)
        declare(e);
    place = spirv_make3(e, SPIRV_AccessChain, spirv_type_ptr(e, SPIRV_PUSH_CONSTANT, word), e->push,
                        spirv_u32(e, 0), index);
    return spirv_make1(e, SPIRV_Load, word, place);
}

spirv_id spirv_push_u32(spirv_emit *e, uint32_t at)
{
    return spirv_push_word(e, spirv_u32(e, at / 4));
}

spirv_id spirv_join(spirv_emit *e, spirv_id low, spirv_id high)
{
    spirv_id pair = spirv_make2(e, SPIRV_CompositeConstruct, spirv_type(e, SPIRV_PAIR), low, high);

    return spirv_make1(e, SPIRV_Bitcast, spirv_type(e, SPIRV_U64), pair);
}

spirv_id spirv_push_u64(spirv_emit *e, uint32_t at)
{
    spirv_id low = spirv_push_u32(e, at);

    return spirv_join(e, low, spirv_push_u32(e, at + 4));
}

spirv_id spirv_add_bytes(spirv_emit *e, spirv_id address, uint64_t bytes)
{
    if (bytes == 0)
        return address;
    return spirv_make2(e, SPIRV_IAdd, spirv_type(e, SPIRV_U64), address, spirv_u64(e, bytes));
}

/* The block's address, where it is not in line. */
spirv_id spirv_block_address(spirv_emit *e)
{
    return spirv_push_u64(e, header_bytes(e));
}

spirv_id spirv_block_u64(spirv_emit *e, uint32_t offset)
{
    if (e->shader->inline_block)
        return spirv_push_u64(e, header_bytes(e) + offset);
    return spirv_load_at(e, SCALAR_u64, spirv_add_bytes(e, spirv_block_address(e), offset), false);
}

spirv_id spirv_cells(spirv_emit *e)
{
    return spirv_push_u64(e, 16);
}

/* Two specialisation constants, which the driver sets to the two words of the address. */
spirv_id spirv_data_address(spirv_emit *e)
{
    spirv_id *both[2] = { &e->data_low, &e->data_high };

    for (uint32_t k = 0; k < 2; k++)
        if (*both[k] == 0) {
            uint32_t operands[3] = { spirv_type(e, SPIRV_U32), spirv_new(e), 0 };
            spirv_words_put(&e->words[SPIRV_IN_GLOBALS], SPIRV_SpecConstant, operands, 3);
            spirv_decorate(e, operands[1], SPIRV_DECORATE_SPEC_ID, SPEC_DATA_LOW + k);
            *both[k] = operands[1];
        }
    return spirv_join(e, e->data_low, e->data_high);
}

uint32_t spirv_data_offset(const ir_module *m, const ir_table *table)
{
    uint64_t at = 0;

    for (const ir_table *t = m->tables; t && t != table; t = t->next)
        if (t->type->size > SPIRV_SMALL_TABLE)
            at += (t->type->size + 15) / 16 * 16;
    return (uint32_t)at;
}
