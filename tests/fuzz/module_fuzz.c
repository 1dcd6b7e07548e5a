/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module_fuzz.c - hostile module files: read, and everything that trusts what passed is run on
 * them.
 *
 * Each input is taken as it is, and again with a header that fits it, since no change of bytes by
 * chance makes a checksum. A module that is read is printed, planned for every family, loaded on a
 * device whose tasks do nothing, and each kernel without loops is called. Machine code is never
 * run: it is trusted as its file is.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fuzz/fuzz.h"
#include "launch/launch_cpu.h"
#include "module/codec.h"
#include "module/hash.h"
#include "module/print.h"
#include "module/read.h"
#include "module/write.h"
#include "plan/check.h"
#include "runtime/objects.h"

/* Above these a kernel is read and printed only: plans grow with nesting, and proofs double with
 * each loop. */
enum { MOST_NODES = 400, MOST_PROVED = 24, MOST_PARAMS = 24, MOST_ARRAY_BYTES = 1 << 16 };

static void must(bool claim, const char *what)
{
    if (!claim)
        fuzz_fail("%s: %s", what, fail_last()->message);
}

/* ---- a device whose tasks do nothing ---------------------------------------------------- */

static void nothing(const void *block, int64_t first, int64_t last)
{
    const volatile uint8_t *start = block;

    (void)*start;
    (void)first;
    (void)last;
}

static slip_status open_none(uint32_t index, void **out)
{
    static int self;

    (void)index;
    *out = &self;
    return SLIP_OK;
}

static void close_none(void *self)
{
    (void)self;
}

static slip_status alloc_some(void *self, uint64_t bytes, void **out)
{
    (void)self;
    if (bytes > 1 << 20)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "more than is given here");
    *out = aligned_alloc(64, (size_t)(bytes + 64) / 64 * 64);
    must(*out != NULL, "memory");
    memset(*out, 0xa5, (size_t)bytes);
    return SLIP_OK;
}

static void give_back(void *self, void *memory)
{
    (void)self;
    free(memory);
}

/* What a loader looks at. */
static slip_status load_none(void *self, const drv_code *code, void **out)
{
    static int loaded;

    (void)self;
    for (uint32_t i = 0; i < code->import_count; i++)
        must(strlen(code->imports[i]) > 0 && code->imports_offset >= code->size, "an import");
    *out = &loaded;
    return SLIP_OK;
}

static void drop_none(void *self, void *loaded)
{
    (void)self;
    (void)loaded;
}

static slip_status get_none(void *self, void *loaded, uint32_t main, uint32_t finish,
                            cpu_kernel *out)
{
    (void)self;
    (void)loaded;
    (void)main;
    out->main = nothing;
    out->finish = finish == DRV_NO_SYMBOL ? NULL : nothing;
    return SLIP_OK;
}

static slip_status run_none(void *self, cpu_kernel *kernel, const void *block, int64_t total)
{
    (void)self;
    must(total > 0 || kernel->finish, "an empty task is run that has nothing to finish");
    if (total > 0)
        kernel->main(block, 0, total);
    if (kernel->finish)
        kernel->finish(block, 0, total);
    return SLIP_OK;
}

static cpu_driver driver;

static slip_status open_family(uint32_t index, void **out)
{
    return launch_cpu_open(&driver, index, out);
}

static slip_device *open_device(void)
{
    static launcher family;
    slip_device *device = NULL;

    driver = cpu_driver_table;
    driver.open = open_none;
    driver.close = close_none;
    driver.alloc = alloc_some;
    driver.free = give_back;
    driver.code_load = load_none;
    driver.code_drop = drop_none;
    driver.kernel_get = get_none;
    driver.run = run_none;
    family = launch_cpu;
    family.open = open_family;
    must(device_open_with(&family, 0, &device) == SLIP_OK, "open");
    return device;
}

/* ---- what trusts a module --------------------------------------------------------------- */

static bool loops(const mod_entry *e)
{
    for (uint32_t n = 0; n < e->node_count; n++)
        if (e->nodes[n].kind == MOD_LOOP || e->nodes[n].kind == MOD_DEVICE_LOOP)
            return true;
    return false;
}

/* One family and shape a kernel, by chance of the input: every array in the same kind of home;
 * apart, or all the same bytes. */
static void plan_entry(const mod_entry *e, uint64_t chance)
{
    static const char *const families[] = { "cpu", "cuda", "hip", "vulkan" };
    static const plan_home places[] = { PLAN_HOME_UNKNOWN, PLAN_HOME_PINNED, PLAN_HOME_KEPT,
                                        PLAN_HOME_RESIDENT };
    plan_home home = places[chance >> 2 & 3];
    bool same = chance >> 4 & 1;
    plan_home homes[MOST_PARAMS];
    uint32_t classes[MOST_PARAMS], ranges[MOST_PARAMS], arrays = 0;
    plan_shape shape = { .homes = homes,
                         .classes = classes,
                         .ranges = ranges,
                         .param_count = e->param_count,
                         .conservative = chance >> 5 & 1,
                         .stream = chance >> 6 & 1,
                         .wants_result = e->result.kind != MOD_NO_RESULT };
    const plan_facts *facts = plan_facts_named(families[chance & 3]);
    mem_arena arena = { 0 };
    text told = { 0 };
    plan *made = NULL;
    plan_proof proof;

    for (uint32_t p = 0; p < e->param_count; p++) {
        bool array = e->params[p].kind == MOD_ARRAY;
        homes[p] = array ? home : PLAN_HOME_NONE;
        classes[p] = ranges[p] = !array ? MOD_NONE : same ? 0 : arrays;
        arrays += array;
    }
    must(mem_arena_init(&arena) == SLIP_OK, "arena");
    if (plan_make(&arena, e, &shape, facts, &made) == SLIP_OK) {
        plan_print(&told, made, e, &shape, facts);
        if (e->node_count <= MOST_PROVED)
            plan_check(&arena, made, e, &shape, facts, &proof, &told);
    }
    text_finish(&told);
    mem_arena_finish(&arena);
}

/* Scalars and structs of small bytes, arrays where their extents are small: false where they are
 * not. */
static bool make_args(slip_entry *entry, const mod_entry *e, uint64_t seed, slip_arg *args,
                      void **made)
{
    for (uint32_t p = 0; p < e->param_count; p++) {
        size_t bytes = e->params[p].kind == MOD_ARRAY ? 0 : e->params[p].bytes;
        made[p] = bytes ? calloc(1, bytes) : NULL;
        if (bytes)
            memset(made[p], seed >> (8 * (p % 8)) & 1 ? 0xff : 0, bytes);
        if (bytes)
            *(uint8_t *)made[p] = (uint8_t)(seed >> (8 * (p % 8)));
        args[p] = (slip_arg){ made[p], bytes };
    }
    for (uint32_t p = 0; p < e->param_count; p++) {
        uint64_t extents[SLIP_MAX_RANK] = { 0 }, bytes = e->params[p].bytes;
        if (e->params[p].kind != MOD_ARRAY)
            continue;
        if (slip_entry_extents(entry, args, e->param_count, p, extents) != SLIP_OK)
            return false;
        for (uint32_t d = 0; d < e->params[p].rank; d++)
            if (extents[d] != UINT64_MAX &&
                (extents[d] > MOST_ARRAY_BYTES || (bytes *= extents[d]) > MOST_ARRAY_BYTES))
                return false;
        made[p] = calloc(1, bytes ? bytes : 1);
        args[p] = (slip_arg){ made[p], bytes };
    }
    return true;
}

static void call_entry(slip_device *device, slip_module *module, uint32_t index, const mod_entry *e,
                       uint64_t seed)
{
    slip_entry *entry = slip_module_entry(module, index);
    slip_arg args[MOST_PARAMS] = { { NULL, 0 } };
    void *made[MOST_PARAMS] = { NULL };
    char result[MOD_MAX_RESULT_BYTES];

    if (make_args(entry, e, seed, args, made))
        for (int twice = 0; twice < 2; twice++)
            (void)!slip_launch(slip_default(device), entry, args, e->param_count,
                               e->result.kind == MOD_NO_RESULT ? NULL : result,
                               e->result.kind == MOD_NO_RESULT ? 0 : e->result.bytes);
    for (uint32_t p = 0; p < e->param_count; p++)
        free(made[p]);
}

static void use_entry(slip_device *device, slip_module *module, const mod_entry *e, uint32_t index,
                      uint64_t chance)
{
    char *told = NULL;

    if (e->param_count > MOST_PARAMS || e->node_count > MOST_NODES || e->slot_count > 1 << 16)
        return;
    plan_entry(e, chance);
    if (!module)
        return;
    if (slip_explain(slip_module_entry(module, index), NULL, &told) == SLIP_OK)
        slip_text_free(told);
    if (!loops(e))
        for (uint64_t seed = 0; seed < 2; seed++)
            call_entry(device, module, index, e, seed ? chance : 0);
}

/* An address that is not the code's is seen here. */
static void look_at(const uint8_t *bytes, uint64_t from, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++)
        (void)((const volatile uint8_t *)bytes)[from + k];
}

/* What a driver takes out of a code with shaders, by the numbers in it. */
static void use_code(const mod_module *m, const mod_code *c)
{
    look_at(c->bytes, 0, c->size);
    if (!mod_has_shaders(c->target))
        return;
    look_at(c->bytes, c->data_offset, c->data_bytes);
    for (uint32_t s = 0; s < c->shader_count; s++) {
        look_at(c->bytes, c->shaders[s].offset, c->shaders[s].bytes);
        must(c->shaders[s].local >= 1 && c->shaders[s].local <= 1024, "a workgroup");
        must(c->shaders[s].bytes > 0 || c->shaders[s].needs != 0, "a shader left out without why");
    }
    for (uint32_t e = 0; e < m->entry_count; e++)
        for (uint32_t t = 0; t < m->entries[e].task_count; t++) {
            const mod_task *of = &m->entries[e].tasks[t];
            const mod_symbol *symbol = &c->symbols[m->entries[e].first_symbol + t];
            const mod_shader *s = &c->shaders[symbol->main];
            must(symbol->main < c->shader_count, "a task's shader");
            must((symbol->finish == MOD_NONE) == (of->reduce_count == 0), "a finish");
            must(symbol->finish == MOD_NONE || symbol->finish < c->shader_count, "its shader");
            must(!s->inline_block || mod_is_stream(c->target) ||
                     (uint64_t)mod_shader_header(of->rank) + of->block_bytes <=
                         MOD_SHADER_PUSH_BYTES,
                 "a block in line");
        }
}

/* What was read is written again as the same bytes: nothing is lost or made up. */
static void write_again(const mod_module *m, const uint8_t *bytes, size_t size)
{
    text again = { 0 };

    must(mod_write(m, &again) == SLIP_OK, "writing");
    must(again.bytes == size && memcmp(text_get(&again), bytes, size) == 0, "written bytes differ");
    text_finish(&again);
}

static void use(const uint8_t *bytes, size_t size)
{
    mem_arena arena = { 0 };
    const mod_module *m = NULL;
    slip_module *module = NULL;
    text told = { 0 };
    char *dumped = NULL;

    must(mem_arena_init(&arena) == SLIP_OK, "arena");
    fail_clear();
    slip_status status = mod_read(&arena, bytes, size, &m);
    if (status != SLIP_OK) {
        must(status == SLIP_ERR_FORMAT && fail_last()->code == status && !m, "refused badly");
        mem_arena_finish(&arena);
        return;
    }
    must(mod_check(m) == SLIP_OK, "read, but refused when looked at again");
    write_again(m, bytes, size);
    for (uint32_t k = 0; k < m->code_count; k++)
        use_code(m, &m->codes[k]);
    mod_print(&told, m);
    must(told.status == SLIP_OK, "printing");
    text_finish(&told);
    if (slip_dump_json(bytes, size, &dumped) == SLIP_OK)
        slip_text_free(dumped);
    slip_device *device = open_device();
    if (slip_module_load(device, bytes, size, &module) != SLIP_OK)
        module = NULL;
    uint64_t chance = mod_hash(bytes, size);
    for (uint32_t i = 0; i < m->entry_count && i < 16; i++)
        use_entry(device, module, &m->entries[i], i, chance >> i);
    slip_device_close(device);
    mem_arena_finish(&arena);
    must(mem_live() == 0, "memory is left");
}

int fuzz_one(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size + MOD_HEADER_BYTES);

    must(bytes != NULL, "memory");
    if (size) /* exactly as long as the data, so that a read past the end is seen */
        memcpy(bytes, data, size);
    bytes = realloc(bytes, size ? size : 1);
    use(bytes, size);
    if (size >= MOD_HEADER_BYTES) {
        uint64_t body = size - MOD_HEADER_BYTES, sum = mod_hash(bytes + MOD_HEADER_BYTES, body);
        memcpy(bytes, MOD_MAGIC "\1\0\0\0\0\0\0\0", 16);
        memcpy(bytes + 16, &body, 8);
        memcpy(bytes + 24, &sum, 8);
        use(bytes, size);
    }
    free(bytes);
    return 0;
}
