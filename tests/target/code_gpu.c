/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code_gpu.c - see code_gpu.h. Test code: ends the case at the first thing that fails.
 */
#include "target/code_gpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Target.h>

#include "support/check.h"
#include "target/llvm_gpu.h"

enum { MOST_THREADS = MOD_STREAM_FINISH, STACK_BYTES = 64 << 10, WARP = 32 };

struct code_gpu {
    LLVMOrcLLJITRef jit;
};

/* ---- a group ---- */

typedef enum state { READY, AT_BARRIER, AT_EXCHANGE, ENDED } state;

typedef struct fiber {
    ucontext_t context;
    state state;
} fiber;

static struct group {
    fiber fibers[MOST_THREADS];
    ucontext_t turn; /* where a fiber goes back to */
    uint8_t *stacks;
    uint32_t local, thread; /* the one whose turn it is */
    uint64_t number, all;   /* of the group; groups of the grid */
    uint32_t down[MOST_THREADS];
    void (*kernel)(const void *params);
    const void *params;
} group;

static uint32_t host_thread(void)
{
    return group.thread;
}

static uint64_t host_block(void)
{
    return group.number;
}

static uint64_t host_invocation(void)
{
    return group.number * group.local + group.thread;
}

static uint64_t host_grid(void)
{
    return group.all * group.local;
}

static void wait_at(state where)
{
    fiber *mine = &group.fibers[group.thread];

    mine->state = where;
    swapcontext(&mine->context, &group.turn);
}

static void host_barrier(void)
{
    wait_at(AT_BARRIER);
}

/* Threads that are not among the first 32 of 64 may be given anything. */
static uint32_t host_down(uint32_t value, uint32_t by)
{
    uint32_t thread = group.thread, seen;

    group.down[thread] = value;
    wait_at(AT_EXCHANGE);
    seen = thread % 64 + by < WARP ? group.down[thread + by] : 0xdeadbeef;
    wait_at(AT_EXCHANGE);
    return seen;
}

static void fiber_main(void)
{
    group.kernel(group.params);
    group.fibers[group.thread].state = ENDED;
}

/* A function of its own: gcc holds that getcontext returns twice, and that loops would suffer. */
static void fiber_start(fiber *f, uint8_t *stack)
{
    CHECK_EQ_I64(getcontext(&f->context), 0);
    f->context.uc_stack.ss_sp = stack;
    f->context.uc_stack.ss_size = STACK_BYTES;
    f->context.uc_link = &group.turn;
    f->state = READY;
    makecontext(&f->context, fiber_main, 0);
}

static void fibers_start(void)
{
    for (uint32_t t = 0; t < group.local; t++)
        fiber_start(&group.fibers[t], group.stacks + (size_t)t * STACK_BYTES);
}

/* Each thread of the warp once, up to where it waits: for all of them the same. */
static state run_warp_once(uint32_t first, uint32_t count)
{
    state where = READY;

    for (uint32_t t = first; t < first + count; t++) {
        group.thread = t;
        CHECK(swapcontext(&group.turn, &group.fibers[t].context) == 0);
        if (t > first && group.fibers[t].state != where)
            CHECK_FAIL("threads %u and %u of a group wait at different places", first, t);
        where = group.fibers[t].state;
    }
    return where;
}

/* Up to the next barrier of the group: what threads exchange holds up their own warp alone. */
static state run_warp(uint32_t first)
{
    uint32_t left = group.local - first;
    state where;

    do
        where = run_warp_once(first, left < WARP ? left : WARP);
    while (where == AT_EXCHANGE);
    return where;
}

/* All warps, in rising order and in falling order by turns: what one takes from another without a
 * barrier between is seen too early or too late. */
static state run_warps(bool rising)
{
    uint32_t warps = (group.local + WARP - 1) / WARP;
    state where = READY;

    for (uint32_t k = 0; k < warps; k++) {
        state now = run_warp(WARP * (rising ? k : warps - 1 - k));
        if (k > 0 && now != where)
            CHECK_FAIL("of a group of %u some threads ended while others wait", group.local);
        where = now;
    }
    return where;
}

static void run_group(void)
{
    uint64_t turn = group.number;

    fibers_start();
    while (run_warps(turn & 1) != ENDED)
        turn++;
}

/* ---- the text ---- */

static void replace(text *t, const char *from, const char *to)
{
    text made = { 0 };
    const char *at = text_get(t), *next;

    for (; (next = strstr(at, from)) != NULL; at = next + strlen(from)) {
        text_bytes(&made, at, (size_t)(next - at));
        text_bytes(&made, to, strlen(to));
    }
    text_bytes(&made, at, strlen(at));
    CHECK_EQ_I64(made.status, SLIP_OK);
    text_finish(t);
    *t = made;
}

/* Drops all that begins with `from` and ends with the next `end`. */
static void drop(text *t, const char *from, char end)
{
    text made = { 0 };
    const char *at = text_get(t), *next;

    for (; (next = strstr(at, from)) != NULL; at = strchr(next, end) + 1)
        text_bytes(&made, at, (size_t)(next - at));
    text_bytes(&made, at, strlen(at));
    CHECK_EQ_I64(made.status, SLIP_OK);
    text_finish(t);
    *t = made;
}

static void host_function(text *out, const char *type, const char *name, const char *params,
                          const char *args, uint64_t address)
{
    bool gives = strcmp(type, "void") != 0;

    text_add(out,
             "define internal %s @slip.%s(%s) {\n  %scall %s inttoptr (i64 %" PRIu64
             " to ptr)(%s)\n  ret %s%s\n}\n",
             type, name, params, gives ? "%r = " : "", type, address, args, type,
             gives ? " %r" : "");
}

static void host_prelude(text *out)
{
    host_function(out, "i32", "thread", "", "", (uint64_t)(uintptr_t)host_thread);
    host_function(out, "i64", "block", "", "", (uint64_t)(uintptr_t)host_block);
    host_function(out, "i64", "invocation", "", "", (uint64_t)(uintptr_t)host_invocation);
    host_function(out, "i64", "grid", "", "", (uint64_t)(uintptr_t)host_grid);
    host_function(out, "void", "barrier", "", "", (uint64_t)(uintptr_t)host_barrier);
    host_function(out, "i32", "down", "i32 %v, i32 %by", "i32 %v, i32 %by",
                  (uint64_t)(uintptr_t)host_down);
}

static void make_hosts(text *t, const struct llvm_gpu *gpu)
{
    text prelude = { 0 };

    host_prelude(&prelude);
    CHECK_CONTAINS(text_get(t), gpu->prelude);
    replace(t, gpu->prelude, text_get(&prelude));
    text_finish(&prelude);
    drop(t, "target datalayout", '\n');
    drop(t, "target triple", '\n');
    drop(t, ", addrspace(", ')');
    drop(t, " addrspace(", ')');
    replace(t, "addrspacecast", "bitcast");
    replace(t, ".p5(", ".p0(");
    replace(t, "ptx_kernel ", "");
    replace(t, "amdgpu_kernel ", "");
    drop(t, "noundef byval(", ')');
    drop(t, "noundef byref(", ')');
}

/* ---- running it ---- */

static void no_error(LLVMErrorRef error)
{
    if (!error)
        return;
    char *words = LLVMGetErrorMessage(error);
    CHECK_FAIL("LLVM: %s", words);
}

static void add_text(code_gpu *g, const text *t)
{
    LLVMOrcThreadSafeContextRef context = LLVMOrcCreateNewThreadSafeContext();
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text_get(t), t->bytes, "gpu");
    LLVMModuleRef module = NULL;
    char *words = NULL;

    if (LLVMParseIRInContext(LLVMOrcThreadSafeContextGetContext(context), buffer, &module, &words))
        CHECK_FAIL("LLVM: %s", words);
    no_error(LLVMOrcLLJITAddLLVMIRModule(g->jit, LLVMOrcLLJITGetMainJITDylib(g->jit),
                                         LLVMOrcCreateNewThreadSafeModule(module, context)));
    LLVMOrcDisposeThreadSafeContext(context);
}

code_gpu *code_gpu_new(const ir_module *m, mod_target which)
{
    static const target_options options = { .optimize = 2 };
    LLVMOrcDefinitionGeneratorRef process = NULL;
    code_gpu *g = calloc(1, sizeof *g);
    text t = { 0 };

    CHECK(g != NULL);
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    CHECK_STATUS(target_text(m, which, &options, TARGET_STAGE_LLVM, &t), SLIP_OK);
    make_hosts(&t, llvm_gpu_of(&target_rows[which]));
    no_error(LLVMOrcCreateLLJIT(&g->jit, NULL));
    no_error(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        &process, LLVMOrcLLJITGetGlobalPrefix(g->jit), NULL, NULL));
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(g->jit), process);
    add_text(g, &t);
    text_finish(&t);
    return g;
}

void code_gpu_free(code_gpu *g)
{
    if (!g)
        return;
    no_error(LLVMOrcDisposeLLJIT(g->jit));
    free(g);
    free(group.stacks);
    group.stacks = NULL;
}

void code_gpu_launch(code_gpu *g, uint32_t number, const void *params, const uint32_t groups[3],
                     uint32_t local)
{
    LLVMOrcExecutorAddress at = 0;
    char name[16];

    CHECK(local > 0 && local <= MOST_THREADS);
    snprintf(name, sizeof name, "s%u", number);
    no_error(LLVMOrcLLJITLookup(g->jit, &at, name));
    if (!group.stacks)
        CHECK((group.stacks = malloc((size_t)MOST_THREADS * STACK_BYTES)) != NULL);
    group.kernel = (void (*)(const void *))(uintptr_t)at;
    group.params = params;
    group.local = local;
    group.all = (uint64_t)groups[0] * groups[1] * groups[2];
    for (group.number = 0; group.number < group.all; group.number++)
        run_group();
}

/* ---- parameters ---- */

/* The least magic and shift with x / count = x * magic >> 32 + shift for all x below 2^31: one more
 * than the quotient of 2^(32 + shift), where that is close enough (Granlund and Montgomery, 1994,
 * theorem 4.2, of 31 bits). */
static void reciprocal(uint64_t count, uint32_t *magic, uint32_t *shift)
{
    *magic = 0;
    for (*shift = 0; (UINT64_C(1) << *shift) < count; ++*shift)
        ;
    if ((count & (count - 1)) == 0)
        return;
    --*shift;
    *magic = (uint32_t)((UINT64_C(1) << (32 + *shift)) / count + 1);
}

uint32_t code_gpu_params(uint8_t to[MOD_STREAM_PARAM_BYTES], const mod_task *task,
                         const mod_shader *shader, const void *block, const void *cells,
                         int64_t first, int64_t end, bool divides)
{
    uint32_t at = MOD_SHADER_HEADER_BYTES;

    memset(to, 0xee, MOD_STREAM_PARAM_BYTES);
    memcpy(to, &first, 8);
    memcpy(to + 8, &end, 8);
    memcpy(to + 16, &cells, 8);
    for (uint32_t k = task->rank; k-- > 1; at += 8) {
        uint32_t magic = 0, shift = 255;
        uint64_t count;
        memcpy(&count, (const uint8_t *)block + 16 * k + 8, 8);
        if (!divides && !shader->strided)
            reciprocal(count, &magic, &shift);
        memcpy(to + at, &magic, 4);
        memcpy(to + at + 4, &shift, 4);
    }
    if (shader->inline_block)
        memcpy(to + at, block, task->block_bytes);
    else
        memcpy(to + at, &block, 8);
    return at + (shader->inline_block ? task->block_bytes : 8);
}
