/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_image_test.c - images are mapped, their imports filled in, and bad numbers refused before anything
 * is touched.
 */
#include "driver/cpu_image.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "driver/cpu_driver.h"
#include "driver/cpu_math.h"
#include "support/check.h"

/* main stores the low half of `first` at block; the second entry returns what lies at the imports' start. */
#if defined(__x86_64__)
static const uint8_t code_bytes[] = {
    0x89, 0x37, 0xc3,                                     /* mov [rdi], esi; ret */
    0x48, 0x8b, 0x05, 0xf6, 0xff, 0x00, 0x00,             /* mov rax, [rip + 65536 - 10] */
    0x48, 0x89, 0x07, 0xc3,                               /* mov [rdi], rax; ret */
};
enum { SECOND = 3 };
#elif defined(__aarch64__)
static const uint32_t code_words[] = {
    0xb9000001, 0xd65f03c0,                         /* str w1, [x0]; ret */
    0x90000082, 0xf9400042, 0xf9000002, 0xd65f03c0, /* adrp x2, +16 pages; ldr x2, [x2]; str x2, [x0]; ret */
};
#define code_bytes ((const uint8_t *)code_words)
enum { SECOND = 8 };
#endif

static const char *const names[] = { "erff", "fmod" };

static drv_code good(void)
{
    return (drv_code){ code_bytes, sizeof code_bytes, 65536, names, 2 };
}

static void code_runs_and_imports_are_the_functions(void)
{
    drv_code code = good();
    cpu_image *image = NULL;
    uint64_t cell[2] = { 0 };

    CHECK_STATUS(cpu_image_load(&code, &image), SLIP_OK);
    cpu_task_run((cpu_task)(uintptr_t)cpu_image_at(image, 0), cell, 4711, 0);
    CHECK_EQ_U64(cell[0], 4711);
    cpu_task_run((cpu_task)(uintptr_t)cpu_image_at(image, SECOND), cell, 0, 0);
    CHECK_EQ_U64(cell[0], (uintptr_t)cpu_math_named("erff"));
    CHECK(cpu_image_at(image, sizeof code_bytes) == NULL);
    CHECK(cpu_image_at(image, UINT32_MAX) == NULL);
    cpu_image_drop(image);
    cpu_image_drop(NULL);
}

static void refuse(drv_code code, slip_status status, const char *words)
{
    cpu_image *image = NULL;

    CHECK_STATUS(cpu_image_load(&code, &image), status);
    CHECK_CONTAINS(fail_last()->message, words);
    CHECK(image == NULL);
    CHECK_EQ_U64(mem_live(), 0);
}

static void numbers_out_of_their_bounds_are_refused(void)
{
    static const char *const unknown[] = { "erff", "sin" };
    drv_code code = good();

    code.size = 0;
    refuse(code, SLIP_ERR_FORMAT, "0 bytes");
    code.size = UINT64_MAX;
    refuse(code, SLIP_ERR_FORMAT, "18446744073709551615 bytes");
    code = good();
    code.bytes = NULL;
    refuse(code, SLIP_ERR_FORMAT, "a CPU image");
    code = good();
    code.imports_offset = 0;
    refuse(code, SLIP_ERR_FORMAT, "imports lie at 0");
    code.imports_offset = 65536 + 8;
    refuse(code, SLIP_ERR_FORMAT, "65544");
    code.imports_offset = UINT64_MAX - 65535;
    refuse(code, SLIP_ERR_FORMAT, "18446744073709486080");
    code = good();
    code.import_count = 5000;
    refuse(code, SLIP_ERR_FORMAT, "5000 imports");
    code = good();
    code.imports = unknown;
    refuse(code, SLIP_ERR_NOT_FOUND, "`sin`");
}

/* 0 if storing there is stopped by a signal. */
static int can_store(uint8_t *at)
{
    int status;
    pid_t child = fork();

    CHECK(child >= 0);
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        *(volatile uint8_t *)at = 1;
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void neither_code_nor_table_can_be_written(void)
{
    drv_code code = good();
    cpu_image *image = NULL;

    CHECK_STATUS(cpu_image_load(&code, &image), SLIP_OK);
    CHECK(!can_store(cpu_image_at(image, 0)));
    CHECK(!can_store((uint8_t *)cpu_image_at(image, 0) + 65536));
    cpu_image_drop(image);
}

static void an_image_without_imports_maps_no_table(void)
{
    drv_code code = good();
    cpu_image *image = NULL;

    code.imports = NULL;
    code.import_count = 0;
    CHECK_STATUS(cpu_image_load(&code, &image), SLIP_OK);
    CHECK(cpu_image_at(image, 0) != NULL);
    cpu_image_drop(image);
}

static void memory_that_runs_out_leaves_nothing(void)
{
    drv_code code = good();
    cpu_image *image = NULL;

    mem_fail_at(1);
    CHECK_STATUS(cpu_image_load(&code, &image), SLIP_ERR_MEMORY);
    mem_fail_at(0);
    CHECK(image == NULL);
    CHECK_EQ_U64(mem_live(), 0);
}

static const check_case cases[] = {
    CASE(code_runs_and_imports_are_the_functions),
    CASE(numbers_out_of_their_bounds_are_refused),
    CASE(neither_code_nor_table_can_be_written),
    CASE(an_image_without_imports_maps_no_table),
    CASE(memory_that_runs_out_leaves_nothing),
};
CHECK_MAIN(cases)
