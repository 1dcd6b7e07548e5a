/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu_rows.c - NVIDIA's and AMD's GPUs, as far as their texts differ.
 *
 * The functions that each prelude holds:
 *
 *     i32 thread()         of this group
 *     i64 block()          number of this group, one of MOD_REDUCE_LANES threads
 *     i64 invocation()     number of this thread in the grid
 *     i64 grid()           threads of the grid
 *     void barrier()       of the group; its accesses to memory are ordered by it
 *     i32 down(v, by)      v of the thread `by` further on; all of a group call it. Known for the
 *                          first half of 32 threads whose first is at a multiple of 32
 *
 * Threads and groups lie along x: of CUDA below 2^31 groups, of HIP below 2^32 threads.
 */
#include "target/llvm_gpu.h"

#define INLINE "alwaysinline nounwind"

/* LLVM 19, "User Guide for NVPTX Back-end"; PTX ISA 6.0, "Special Registers", "bar", "shfl.sync".
 */
static const char nvptx_prelude[] =
    "define internal i32 @slip.thread() " INLINE " {\n"
    "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret i32 %t\n}\n"
    "define internal i64 @slip.block() " INLINE " {\n"
    "  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
    "  %wide = zext i32 %x to i64\n  ret i64 %wide\n}\n"
    "define internal i64 @slip.invocation() " INLINE " {\n"
    "  %group = call i64 @slip.block()\n"
    "  %l = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n  %local = zext i32 %l to i64\n"
    "  %t = call i32 @slip.thread()\n  %thread = zext i32 %t to i64\n"
    "  %start = mul i64 %group, %local\n  %number = add i64 %start, %thread\n"
    "  ret i64 %number\n}\n"
    "define internal i64 @slip.grid() " INLINE " {\n"
    "  %x = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()\n  %groups = zext i32 %x to i64\n"
    "  %l = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n  %local = zext i32 %l to i64\n"
    "  %all = mul i64 %groups, %local\n  ret i64 %all\n}\n"
    "define internal void @slip.barrier() convergent " INLINE " {\n"
    "  call void @llvm.nvvm.barrier0()\n  ret void\n}\n"
    "define internal i32 @slip.down(i32 %v, i32 %by) convergent " INLINE " {\n"
    "  %far = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 %by, i32 31)\n"
    "  ret i32 %far\n}\n";

/*
 * LLVM 19, "User Guide for AMDGPU Backend": kernel arguments, address spaces, the memory model of a
 * barrier. Sizes are read from the dispatch packet (HSA Platform System Architecture 1.2, 2.9.6:
 * workgroup_size_x at 4, grid_size_x at 12, in threads), so that no hidden argument is needed.
 */
static const char amdgcn_prelude[] =
    "define internal i32 @slip.packet(i64 %at) " INLINE " {\n"
    "  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()\n"
    "  %p = getelementptr inbounds i8, ptr addrspace(4) %packet, i64 %at\n"
    "  %size = load i32, ptr addrspace(4) %p, align 4, !invariant.load !0\n  ret i32 %size\n}\n"
    "define internal i32 @slip.thread() " INLINE " {\n"
    "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  ret i32 %t\n}\n"
    "define internal i64 @slip.block() " INLINE " {\n"
    "  %x = call i32 @llvm.amdgcn.workgroup.id.x()\n"
    "  %wide = zext i32 %x to i64\n  ret i64 %wide\n}\n"
    "define internal i64 @slip.invocation() " INLINE " {\n"
    "  %x = call i32 @llvm.amdgcn.workgroup.id.x()\n"
    "  %sizes = call i32 @slip.packet(i64 4)\n  %local = and i32 %sizes, 65535\n"
    "  %t = call i32 @slip.thread()\n  %start = mul i32 %x, %local\n"
    "  %number = add i32 %start, %t\n  %wide = zext i32 %number to i64\n  ret i64 %wide\n}\n"
    "define internal i64 @slip.grid() " INLINE " {\n"
    "  %x = call i32 @slip.packet(i64 12)\n  %wide = zext i32 %x to i64\n  ret i64 %wide\n}\n"
    "define internal void @slip.barrier() convergent " INLINE " {\n"
    "  fence syncscope(\"workgroup\") release\n  call void @llvm.amdgcn.s.barrier()\n"
    "  fence syncscope(\"workgroup\") acquire\n  ret void\n}\n"
    "define internal i32 @slip.down(i32 %v, i32 %by) convergent " INLINE " {\n"
    "  %low = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)\n"
    "  %lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %low)\n"
    "  %other = add i32 %lane, %by\n  %byte = shl i32 %other, 2\n"
    "  %far = call i32 @llvm.amdgcn.ds.bpermute(i32 %byte, i32 %v)\n  ret i32 %far\n}\n";

static const struct llvm_gpu nvptx = {
    .kernel = "ptx_kernel",
    .params = "ptr noundef byval([%u x i8]) align 8 %%params",
    .threads = "",
    .annotation = "!{ptr @s%u, !\"maxntidx\", i32 %u}",
    .scope = " syncscope(\"device\")",
    .table_space = 1,
    .adds_floats = true,
    .prelude = nvptx_prelude,
    .flags = "",
};

static const struct llvm_gpu amdgcn = {
    .kernel = "amdgpu_kernel",
    .params = "ptr addrspace(4) noundef byref([%u x i8]) align 8 %%kernarg",
    .params_are = "%params = addrspacecast ptr addrspace(4) %kernarg to ptr",
    .threads = " \"amdgpu-flat-work-group-size\"=\"%u,%u\" \"amdgpu-implicitarg-num-bytes\"=\"0\"",
    .scope = " syncscope(\"agent\")",
    .table_space = 4,
    .private_space = 5,
    .prelude = amdgcn_prelude,
    .flags =
        "!llvm.module.flags = !{!3}\n!3 = !{i32 1, !\"amdhsa_code_object_version\", i32 500}\n",
};

const struct llvm_gpu *llvm_gpu_of(const target_row *row)
{
    switch (row->arch) {
    case TARGET_NVPTX:
        return &nvptx;
    case TARGET_AMDGCN:
        return &amdgcn;
    case TARGET_X86_64:
    case TARGET_AARCH64:
    case TARGET_SHADER:
        break;
    }
    return NULL;
}
