/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_case.c - a kernel and a device for a test.
 */
#define _GNU_SOURCE
#include "driver/stream_case.h"

#include <stdlib.h>

#include "driver/stream_device.h"
#include "support/check.h"

/* Written by hand. A group's number is x + y * groups.x + z * groups.x * groups.y. */
static const char ptx[] = ".version 6.0\n"
                          ".target sm_60\n"
                          ".address_size 64\n"
                          ".visible .entry s0(.param .align 8 .b8 p[56])\n"
                          "{\n"
                          "    .reg .pred %done;\n"
                          "    .reg .b32 %a, %b, %c, %group, %thread, %k;\n"
                          "    .reg .b64 %i, %end, %x, %wide;\n"
                          "    mov.u32 %group, %ctaid.z;\n"
                          "    mov.u32 %a, %nctaid.y;\n"
                          "    mov.u32 %b, %ctaid.y;\n"
                          "    mad.lo.u32 %group, %group, %a, %b;\n"
                          "    mov.u32 %a, %nctaid.x;\n"
                          "    mov.u32 %b, %ctaid.x;\n"
                          "    mad.lo.u32 %group, %group, %a, %b;\n"
                          "    mov.u32 %c, %ntid.x;\n"
                          "    mov.u32 %thread, %tid.x;\n"
                          "    cvt.u64.u32 %wide, %thread;\n"
                          "    mad.wide.u32 %i, %group, %c, %wide;\n"
                          "    ld.param.u64 %wide, [p];\n"
                          "    add.s64 %i, %i, %wide;\n"
                          "    ld.param.u64 %end, [p+8];\n"
                          "    setp.ge.s64 %done, %i, %end;\n"
                          "    @%done ret;\n"
                          "    ld.param.u64 %x, [p+40];\n"
                          "    ld.param.u32 %k, [p+48];\n"
                          "    shl.b64 %wide, %i, 2;\n"
                          "    add.s64 %x, %x, %wide;\n"
                          "    ld.global.u32 %a, [%x];\n"
                          "    add.s32 %a, %a, %k;\n"
                          "    st.global.u32 [%x], %a;\n"
                          "    ret;\n"
                          "}\n";
static const char elf[] = "\177ELF, for the stub";

const char *stream_case_code(stream_family family, uint64_t *out_bytes)
{
    *out_bytes = family == STREAM_CUDA ? sizeof ptx : sizeof elf;
    return family == STREAM_CUDA ? ptx : elf;
}

const stream_driver *stream_case_table(stream_family family)
{
    return family == STREAM_CUDA ? &cuda_driver_table : &hip_driver_table;
}

void *stream_case_open(stream_family family)
{
    void *self = NULL;

    CHECK_STATUS(stream_case_table(family)->open(0, &self), SLIP_OK);
    return self;
}

void *stream_case_hardware(void)
{
    void *self = NULL;

    unsetenv("SLIPWAY_CUDA_LIBRARY");
    stream_table_forget();
    const char *missing = cuda_driver_table.missing();
    if (missing)
        check_skip("cuda", missing);
    CHECK_STATUS(cuda_driver_table.open(0, &self), SLIP_OK);
    return self;
}
