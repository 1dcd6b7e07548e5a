/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.h - the six kinds of memory that a call may be given. Included by slipway.h.
 *
 *     made by             the pointer is                       a call
 *     malloc, the stack   yours                                copies in and out (cpu: in place)
 *     slip_host_alloc     pinned host memory                   uses it in place, or copies it
 *     slip_host_register  yours, pinned where it is            as slip_host_alloc's
 *     slip_keep           yours, with a mirror on the device   uses the mirror, copies nothing
 *     slip_alloc          device memory; not for the host      copies nothing
 *     slip_wrap           device memory of another library     copies nothing
 *
 * Memory that none of them made known is taken for malloc's: also what other code has pinned, and
 * managed memory. Only where a driver says that it is a device's (cuda, hip) is it refused, with
 * ARGUMENT: the host cannot touch it, and slip_wrap makes it known. So is an address that stands for
 * memory of another device (vulkan), or did for some that slip_free has given back lately.
 *
 * Ranges of one device never overlap. An array may begin inside a range, but must lie in it whole;
 * one that lies in it partly is ARGUMENT naming both. An array may be kept on several devices.
 */
#ifndef SLIPWAY_MEMORY_H
#define SLIPWAY_MEMORY_H

#include <slipway/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * slip_alloc - make device memory.
 *
 *   bytes   may be 0: the address is then good for empty arrays only
 *   out     an address that stands for the memory: kernels take it, arithmetic on it works, and the
 *           host must not touch it (most devices fault, none need)
 *
 * Aligned to 64 bytes at least. Contents are undefined until written. All streams of the device may
 * use it. Where the device is full, unused memory is given back and the request tried again.
 *
 * Where host and device share no addresses (vulkan) the address is a range of this process's that
 * nobody may touch, with a page of nobody's after it: slip_native tells the device's address.
 *
 * Errors   ARGUMENT   device or out is NULL
 *          MEMORY     nothing was made
 *          LOST       the device is lost
 * Threads  any            Blocks  only where the device is full, for what was freed while in use
 * Allocates  from the device
 * See      runtime/memory.c, runtime/present.c, tests/runtime/memory_test.c
 */
SLIP_API SLIP_MUST_USE slip_status slip_alloc(slip_device *device, uint64_t bytes, void **out);

/*
 * slip_free - give device memory back.
 *
 * Does not block: the memory goes back when queued work that may use it has ended. Takes NULL; an
 * address that slip_alloc did not give is left alone and recorded for slip_last_error, with what
 * gave it and the function that takes it back.
 */
SLIP_API void slip_free(slip_device *device, void *memory);

/*
 * slip_host_alloc - make pinned host memory, which the host and kernels both use.
 *
 * Errors   as slip_alloc
 */
SLIP_API SLIP_MUST_USE slip_status slip_host_alloc(slip_device *device, uint64_t bytes, void **out);
/* As slip_free, for what slip_host_alloc gave. */
SLIP_API void slip_host_free(slip_device *device, void *memory);

/*
 * slip_host_register - pin a range of host memory where it is.
 *
 *   memory   [bytes] stays yours; must stay mapped, and where it is, until slip_host_unregister;
 *            free, realloc, munmap and a stack frame's end come after that              borrowed
 *
 * Calls then use the range in place or copy it without staging, as what slip_host_alloc gives. The
 * host may use it at any time outside calls. Where the device cannot pin it (vulkan; cuda, hip: what
 * other code has pinned, say) the call succeeds nevertheless, and the range is copied like any other
 * memory. Slipway pins no memory of yours unless it is told to.
 *
 * Errors   ARGUMENT   NULL, zero bytes, memory of a device, or the range touches one that the device
 *                     knows; the message names both
 *          MEMORY     nothing was registered
 *          LOST       the device is lost
 * Threads  any            Blocks  while pages are pinned; never for queued work
 * Allocates  a few bytes of host memory
 * See      runtime/memory.c, tests/runtime/memory_test.c, tests/native/foreign_test.c
 */
SLIP_API SLIP_MUST_USE slip_status slip_host_register(slip_device *device, void *memory,
                                                      uint64_t bytes);

/*
 * slip_host_unregister - forget a registered range; its contents stay.
 *
 *   memory   where the range begins
 *
 * Arrays that a call named are complete when it returned, so nothing queued uses the range by then.
 * It is pinned no longer when this returns.
 *
 * Errors   ARGUMENT   no registered range begins there
 * Threads  any            Blocks  where the driver waits for the device before it unpins (hip may)
 */
SLIP_API SLIP_MUST_USE slip_status slip_host_unregister(slip_device *device, void *memory);

/*
 * slip_keep - mirror a range of host memory on the device.
 *
 *   memory   [bytes] stays yours; must stay mapped, and where it is, until slip_unkeep  borrowed
 *
 * Its contents go to the mirror now. Calls use the mirror and copy nothing; slip_push and
 * slip_fetch move the contents when you say. A range whose lifetime ends while it is kept is the
 * caller's fault.
 *
 * Errors   ARGUMENT   NULL, zero bytes, memory of a device, or the range touches one that the device
 *                     knows; the message names both
 *          MEMORY     no room for the mirror; nothing was kept
 * Threads  any            Blocks  for the copy            Allocates  from the device
 */
SLIP_API SLIP_MUST_USE slip_status slip_keep(slip_device *device, void *memory, uint64_t bytes);

/*
 * slip_unkeep - drop the mirror, without copying it back.
 *
 *   memory   where the range begins
 *
 * Errors   ARGUMENT   no kept range begins there
 * Threads  any            Blocks  no
 */
SLIP_API SLIP_MUST_USE slip_status slip_unkeep(slip_device *device, void *memory);

/*
 * slip_push, slip_fetch - copy a kept range from host to mirror, and from mirror to host.
 *
 *   memory   any address in the range; the whole range is copied
 *
 * Ordered on the stream: after the calls made on it before. Complete on return.
 *
 * Errors   ARGUMENT   the address lies in no kept range
 * Threads  any            Blocks  for the copy and earlier work of the stream
 */
SLIP_API SLIP_MUST_USE slip_status slip_push(slip_stream *stream, const void *memory);
SLIP_API SLIP_MUST_USE slip_status slip_fetch(slip_stream *stream, void *memory);

/*
 * slip_wrap - use device memory that another library owns.
 *
 *   native   [bytes] its native device address (cpu: its address)      borrowed until slip_unwrap
 *   out      the address to pass to kernels
 *
 * Errors   ARGUMENT      NULL, the range touches one that the device knows, or it passes the end of
 *                        the address space
 *          UNSUPPORTED   vulkan: an address alone does not name memory to its copies. Make it with
 *                        slip_alloc, and give slip_native's address to the other library
 *          MEMORY        nothing was wrapped
 */
SLIP_API SLIP_MUST_USE slip_status slip_wrap(slip_device *device, void *native, uint64_t bytes,
                                             void **out);
/* As slip_free, for what slip_wrap gave; the memory itself is left as it is. */
SLIP_API void slip_unwrap(slip_device *device, void *memory);

/*
 * slip_native - the native device address of known memory.
 *
 *   memory   in memory of slip_alloc or slip_wrap, or in a kept range, whose mirror is then meant
 *
 * Errors   ARGUMENT   memory of another kind
 */
SLIP_API SLIP_MUST_USE slip_status slip_native(slip_device *device, void *memory, void **out);

/*
 * slip_upload, slip_download - copy between the host and device memory.
 *
 *   to, from   [bytes] one is host memory, the other lies in memory of slip_alloc or slip_wrap
 *
 * Ordered on the stream. Both are complete on return as far as the host can see. Zero bytes copy
 * nothing, whatever the addresses.
 *
 * Errors   ARGUMENT   the device's side is not device memory, or lies in it only partly; or the
 *                     host's side is device memory too, also other code's
 * Threads  any            Blocks  as far as the stream's order needs
 */
SLIP_API SLIP_MUST_USE slip_status slip_upload(slip_stream *stream, void *to, const void *from,
                                               uint64_t bytes);
SLIP_API SLIP_MUST_USE slip_status slip_download(slip_stream *stream, void *to, const void *from,
                                                 uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
