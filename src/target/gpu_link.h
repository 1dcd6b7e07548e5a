/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpu_link.h - an AMD object linked into the code object that a driver loads.
 */
#ifndef SLIPWAY_TARGET_GPU_LINK_H
#define SLIPWAY_TARGET_GPU_LINK_H

#include "target/llvm_code.h"

/*
 * gpu_link - turns *object into what ld.lld links of it.
 *
 * ld.lld runs as a process: the one that SLIPWAY_LLD names, else the one beside LLVM, else
 * ld.lld-19 or ld.lld of the PATH. Files lie in TMPDIR for as long.
 *
 * Errors   NOT_FOUND  there is no ld.lld: the message names the package; *object is as it was
 *          INTERNAL   ld.lld refused the object, or a file could not be written
 * Threads  any, at once
 */
slip_status gpu_link(llvm_object *object) SLIP_MUST_USE;

#endif
