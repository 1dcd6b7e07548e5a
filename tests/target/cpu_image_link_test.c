/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image_link_test.c - what an image cannot hold is refused by name or number, and a damaged
 * object never does harm.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "target/cpu_image_link.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "support/check.h"
#include "target/llvm_code.h"
#include "target/target.h"

#define HEAD_X86                                                                                   \
    "target triple = \"x86_64-unknown-linux-gnu\"\n"                                               \
    "@slip_imports = external hidden global [2 x ptr], align 8\n"
#define HEAD_ARM                                                                                   \
    "target triple = \"aarch64-unknown-linux-gnu\"\n"                                              \
    "@slip_imports = external hidden global [2 x ptr], align 8\n"
#define MAIN "define hidden void @slip.main.0(ptr %b, i64 %f, i64 %l) nounwind {\n"

static slip_status link_text(const char *source, mod_target which, mem_arena *arena, mod_code *code)
{
    target_options options = { .optimize = 1 };
    llvm_object object = { 0 };
    text t = { 0 };

    text_bytes(&t, source, strlen(source));
    CHECK_STATUS(llvm_code_object(&target_rows[which], &options, &t, &object), SLIP_OK);
    fail_clear();
    code->symbol_count = 1;
    cpu_object one = { object.bytes, object.size };
    slip_status status = cpu_image_link(&target_rows[which], &one, 1, arena, code);
    llvm_object_free(&object);
    text_finish(&t);
    return status;
}

static void refused(const char *source, mod_target which, const char *words)
{
    mod_code code = { 0 };
    mem_arena arena = { 0 };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_EQ_I64(link_text(source, which, &arena, &code), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, words);
    CHECK(code.bytes == NULL);
    mem_arena_finish(&arena);
}

static void what_an_image_cannot_hold_is_refused_by_name(void)
{
    refused(HEAD_X86 "declare void @abort_it()\n" MAIN "  call void @abort_it()\n  ret void\n}\n",
            MOD_TARGET_CPU_X86_64_V3, "`abort_it`");
    refused(HEAD_ARM "declare void @abort_it()\n" MAIN "  call void @abort_it()\n  ret void\n}\n",
            MOD_TARGET_CPU_AARCH64, "abort_it");
    refused(HEAD_X86 "@state = internal global i32 5\n" MAIN
                     "  %v = load volatile i32, ptr @state\n  store volatile i32 7, ptr @state\n"
                     "  ret void\n}\n",
            MOD_TARGET_CPU_X86_64_V3, "writable");
    refused(HEAD_X86 "define hidden void @slip.main.1(ptr %b, i64 %f, i64 %l) {\n  ret void\n}\n",
            MOD_TARGET_CPU_X86_64_V2, "task 1");
    refused(HEAD_X86 "define hidden void @other() {\n  ret void\n}\n", MOD_TARGET_CPU_X86_64_V2,
            "task 0 of 1 has no code");
}

/* A call through the second import: code lies at the start, the table past the end, by 65536. */
static void imports_lie_past_the_image(void)
{
    static const mod_target both[] = { MOD_TARGET_CPU_X86_64_V3, MOD_TARGET_CPU_AARCH64 };

    for (int k = 0; k < 2; k++) {
        mod_code code = { 0 };
        mem_arena arena = { 0 };
        text source = { 0 };
        text_add(&source, "%s%s%s", k ? HEAD_ARM : HEAD_X86, MAIN,
                 "  %p = load ptr, ptr getelementptr (ptr, ptr @slip_imports, i64 1)\n"
                 "  %v = call float %p(float 1.0)\n  store float %v, ptr %b\n  ret void\n}\n");
        CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
        CHECK_STATUS(link_text(text_get(&source), both[k], &arena, &code), SLIP_OK);
        CHECK_EQ_U64(code.imports_offset, 65536);
        CHECK_EQ_U64(code.symbols[0].main, 0);
        CHECK_EQ_U64(code.symbols[0].finish, MOD_NONE);
        CHECK(code.size > 8 && code.size < 4096);
        text_finish(&source);
        mem_arena_finish(&arena);
    }
}

/* Each object's names are its own, but for the table of imports and the tasks. */
static void several_objects_become_one_image(void)
{
    static const char *const sources[2] = {
        HEAD_X86
        "@c = internal constant [3 x i32] [i32 1, i32 2, i32 3], align 16\n"
        "define hidden i64 @own(i64 %x) noinline {\n  %y = add i64 %x, 1\n  ret i64 %y\n}\n"
        "define hidden void @slip.main.1(ptr %b, i64 %f, i64 %l) {\n"
        "  %i = call i64 @own(i64 %f)\n  %p = getelementptr i32, ptr @c, i64 %i\n"
        "  %v = load i32, ptr %p\n  store i32 %v, ptr %b\n  ret void\n}\n",
        HEAD_X86
        "@c = internal constant [3 x i32] [i32 7, i32 8, i32 9], align 16\n"
        "define hidden i64 @own(i64 %x) noinline {\n  %y = add i64 %x, 2\n  ret i64 %y\n}\n" MAIN
        "  %i = call i64 @own(i64 %f)\n  %p = getelementptr i32, ptr @c, i64 %i\n"
        "  %v = load i32, ptr %p\n  store i32 %v, ptr %b\n  ret void\n}\n",
    };
    static const uint32_t constants[] = { 1, 2, 3, 0, 7, 8, 9 };
    target_options options = { .optimize = 1 };
    const target_row *row = &target_rows[MOD_TARGET_CPU_X86_64_V2];
    mod_code code = { .symbol_count = 2 }, again = { .symbol_count = 2 };
    llvm_object made[2] = { 0 };
    cpu_object objects[2], twice[2];
    mem_arena arena = { 0 };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    for (int k = 0; k < 2; k++) {
        text t = { 0 };
        text_bytes(&t, sources[k], strlen(sources[k]));
        CHECK_STATUS(llvm_code_object(row, &options, &t, &made[k]), SLIP_OK);
        objects[k] = (cpu_object){ made[k].bytes, made[k].size };
        twice[k] = (cpu_object){ made[0].bytes, made[0].size };
        text_finish(&t);
    }
    CHECK_STATUS(cpu_image_link(row, objects, 2, &arena, &code), SLIP_OK);
    CHECK(code.symbols[1].main < code.symbols[0].main);
    CHECK(code.size > sizeof constants &&
          memcmp(code.bytes + code.size - sizeof constants, constants, sizeof constants) == 0);
#if defined(__x86_64__)
    void *at = mmap(NULL, code.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    memcpy(at, code.bytes, code.size);
    CHECK(mprotect(at, code.size, PROT_READ | PROT_EXEC) == 0);
    for (int k = 0; k < 2; k++) {
        int32_t value = 0;
        void (*run)(int32_t *, int64_t, int64_t);
        uint8_t *entry = (uint8_t *)at + code.symbols[k].main;
        memcpy(&run, &entry, sizeof run);
        run(&value, 0, 0);
        CHECK_EQ_I64(value, k == 0 ? 9 : 2); /* c[0 + 2] of its own, and c[0 + 1] */
    }
    munmap(at, code.size);
#endif
    CHECK_STATUS(cpu_image_link(row, twice, 2, &arena, &again), SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, "second code of task 1");
    fail_clear();
    mem_arena_finish(&arena);
    llvm_object_free(&made[0]);
    llvm_object_free(&made[1]);
}

/* Cut short at every length, and with every byte of its headers changed: an error or an image,
 * never more. */
static void a_damaged_object_does_no_harm(void)
{
    static const char source[] =
        HEAD_X86 "@c = internal constant [3 x i32] [i32 1, i32 2, i32 3]\n" MAIN
                 "  %p = getelementptr i32, ptr @c, i64 %f\n  %v = load i32, ptr %p\n  store i32 "
                 "%v, ptr %b\n"
                 "  ret void\n}\n";
    const target_row *row = &target_rows[MOD_TARGET_CPU_X86_64_V2];
    target_options options = { .optimize = 1 };
    llvm_object object = { 0 };
    uint32_t errors = 0;
    text t = { 0 };

    text_bytes(&t, source, strlen(source));
    CHECK_STATUS(llvm_code_object(row, &options, &t, &object), SLIP_OK);
    for (size_t k = 0; k < 2 * object.size; k++) {
        size_t size = k < object.size ? k : object.size;
        uint8_t *copy =
            malloc(size ? size : 1); /* exact, so that a sanitizer sees a step outside */
        mod_code code = { .symbol_count = 1 };
        mem_arena arena = { 0 };
        CHECK(copy != NULL);
        memcpy(copy, object.bytes, size);
        if (k >= object.size)
            copy[k - object.size] ^= (uint8_t)(1 + k * 7 % 255);
        CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
        fail_clear();
        cpu_object one = { copy, size };
        errors += cpu_image_link(row, &one, 1, &arena, &code) != SLIP_OK;
        mem_arena_finish(&arena);
        free(copy);
    }
    CHECK(errors > object.size / 2);
    llvm_object_free(&object);
    text_finish(&t);
}

static const check_case cases[] = {
    CASE(what_an_image_cannot_hold_is_refused_by_name),
    CASE(imports_lie_past_the_image),
    CASE(several_objects_become_one_image),
    CASE(a_damaged_object_does_no_harm),
};
CHECK_MAIN(cases)
