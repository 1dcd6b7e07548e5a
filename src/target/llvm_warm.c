/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_warm.c - makes LLVM ready while something else is done.
 *
 * The first compile of a process pays for pages of LLVM that were never touched and for tables it builds once. A
 * small loop, compiled for one target and thrown away, pays that on another thread while the front
 * still parses. It may fail: the compile that follows then says why.
 */
#include "base/fail.h"
#include "target/llvm_code.h"
#include "target/target.h"

static const char loop[] =
    "define void @warm(ptr %p, i64 %n, float %a) {\n"
    "entry:\n  br label %body\n"
    "body:\n"
    "  %i = phi i64 [ 0, %entry ], [ %next, %body ]\n"
    "  %at = getelementptr inbounds float, ptr %p, i64 %i\n"
    "  %x = load float, ptr %at, align 4\n"
    "  %y = fmul float %x, %a\n"
    "  store float %y, ptr %at, align 4\n"
    "  %next = add nuw nsw i64 %i, 1\n"
    "  %more = icmp slt i64 %next, %n\n"
    "  br i1 %more, label %body, label %end\n"
    "end:\n  ret void\n}\n";

void target_warm(mod_target which, const target_options *options)
{
    text source = { 0 };
    llvm_object object = { 0 };

    text_add(&source, "%s", loop);
    if (source.status == SLIP_OK &&
        llvm_code_object(&target_rows[which], options, &source, &object) == SLIP_OK)
        llvm_object_free(&object);
    text_finish(&source);
    fail_clear();
}
