/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.h - modules, the kernels in them, and calling those. Included by slipway.h.
 */
#ifndef SLIPWAY_MODULE_H
#define SLIPWAY_MODULE_H

#include <slipway/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- modules --------------------------------------------------------------------------------- */

/*
 * slip_module_load - load a module file's bytes on a device.
 *
 *   bytes   [size] a module file's; not trusted, every number in it is checked              copied
 *
 * Picks the best code that the device takes.
 *
 * Errors   FORMAT        the bytes are damaged, or of another version; the message says where
 *          UNSUPPORTED   they hold no code for this device; the message lists what they hold and
 *                        what it takes
 *          ARGUMENT      NULL
 *          MEMORY        nothing was loaded
 * Threads  any            Blocks  for the driver's loading
 * See      module/read.c, runtime/module.c, tests/runtime/module_test.c, docs/module-format.md
 */
SLIP_API SLIP_MUST_USE slip_status slip_module_load(slip_device *device, const void *bytes,
                                                    uint64_t size, slip_module **out);

/* The same from a file. NOT_FOUND where there is none, ARGUMENT where it cannot be read. */
SLIP_API SLIP_MUST_USE slip_status slip_module_load_file(slip_device *device, const char *path,
                                                         slip_module **out);

/*
 * slip_module_inspect - load a module's bytes to look at its kernels, without any code.
 *
 *   bytes   [size] as slip_module_load takes them                                       copied
 *
 * Kernels can be found, described and explained, also where the module holds no code for the device.
 * Calls of them are refused with UNSUPPORTED.
 *
 * Errors   FORMAT, ARGUMENT, MEMORY   as slip_module_load
 * Threads  any            Blocks  no
 * See      runtime/module.c, tests/runtime/explain_given_test.c
 */
SLIP_API SLIP_MUST_USE slip_status slip_module_inspect(slip_device *device, const void *bytes,
                                                       uint64_t size, slip_module **out);

/* Its kernels must not be called any more. Takes NULL. */
SLIP_API void slip_module_unload(slip_module *module);

SLIP_API uint32_t slip_module_entry_count(const slip_module *module); /* 0 for NULL */
/* Borrowed from the module; NULL past the last, and for NULL. */
SLIP_API slip_entry *slip_module_entry(slip_module *module, uint32_t index);

/*
 * slip_module_find - a kernel by name.
 *
 *   out   borrowed from the module
 *
 * Errors   NOT_FOUND     the message lists the kernels there are
 *          UNSUPPORTED   it needs what the device lacks; the message names the line
 */
SLIP_API SLIP_MUST_USE slip_status slip_module_find(slip_module *module, const char *name,
                                                    slip_entry **out);

/* ---- what a kernel takes and gives ----------------------------------------------------------- */

typedef enum slip_param_kind {
    SLIP_PARAM_SCALAR,
    SLIP_PARAM_STRUCT,
    SLIP_PARAM_ARRAY
} slip_param_kind;
enum { SLIP_MAX_RANK = 4 };

typedef struct slip_param_info {
    const char *name;
    slip_param_kind kind;
    const char *type;                   /* "i32", or a struct's name; arrays: of one element */
    uint32_t bytes;                     /* of the value, or of one element */
    uint32_t rank;                      /* arrays: extents in the signature */
    const char *extents[SLIP_MAX_RANK]; /* source text, slow first; NULL where unknown */
    bool is_const, is_out;
    bool is_read, is_written; /* by the kernel, as the compiler found */
} slip_param_info;

typedef struct slip_entry_info {
    const char *name;
    uint32_t param_count;
    const char *result; /* "f32", a struct's name, or NULL */
    uint32_t result_bytes;
    uint32_t task_count;
    uint32_t variable_count;
} slip_entry_info;

/* A variable of the kernel outside its tasks; a struct's members each their own. */
typedef struct slip_variable_info {
    const char *name, *type; /* "steps", "i32" */
    bool on_device;          /* tasks compute it; else the host does, for each launch */
    uint32_t line;           /* where it is declared */
} slip_variable_info;

/* Texts live as long as the module. All three zero *out where the entry is NULL. */
SLIP_API void slip_entry_describe(const slip_entry *entry, slip_entry_info *out);
/* All zero past the last parameter. */
SLIP_API void slip_entry_param(const slip_entry *entry, uint32_t index, slip_param_info *out);

/* In source order; all zero past the last. */
SLIP_API void slip_entry_variable(const slip_entry *entry, uint32_t index, slip_variable_info *out);

/* One argument of slip_launch. */
typedef struct slip_arg {
    const void *data; /* scalar or struct: its bytes; array: the array */
    uint64_t
        bytes; /* of what data points to; arrays: of the whole array, checked against the extents */
} slip_arg;

/*
 * slip_entry_extents - the extents of an array parameter for these arguments.
 *
 *   args     [arg_count] in the order the kernel declares them; array data may be NULL
 *   index    of the array parameter
 *   out      elements, slow first; UINT64_MAX where the signature does not know, and past its rank
 *
 * Errors   ARGUMENT   count or size of an argument is wrong, the parameter is no array, or an
 *                     extent overflows, is negative or divides by zero; the message names the
 *                     expression and its values
 *          MEMORY
 */
SLIP_API SLIP_MUST_USE slip_status slip_entry_extents(const slip_entry *entry, const slip_arg *args,
                                                      uint32_t arg_count, uint32_t index,
                                                      uint64_t out[SLIP_MAX_RANK]);

/* ---- calls ----------------------------------------------------------------------------------- */

/*
 * slip_launch - call a kernel by a list of arguments.
 *
 *   stream   orders the call
 *   entry    loaded on the stream's device                                          borrowed
 *   args     [arg_count] in the order the kernel declares them                      copied
 *   result   [result_bytes] gets the kernel's result; NULL: it is not fetched
 *
 * Does what the generated function does, after checking count and sizes. Host arrays named in the
 * call, and the result, are complete on return; work on device memory may still be queued (cpu: all
 * has ended). Empty arrays and empty ranges run nothing and succeed.
 *
 * Shape    an array holds at least the bytes that its extents need; one whose extent the signature
 *          does not know is as large as args say, or as the known range it begins in
 * Errors   ARGUMENT      count, size or extent; NULL for an array that is not empty; an array
 *                        partly in a known range, or not aligned to its elements; arrays that
 *                        overlap where a task needs them apart (the message names both and the
 *                        line). Nothing ran, unless a bound that the device computed is at fault
 *          UNSUPPORTED   the device cannot run it; nothing ran
 *          MEMORY        nothing ran, or what ran before scratch memory was missing
 *          DEVICE        the driver refused; earlier tasks of the call may have run
 *          On every error the result is untouched, and host arrays are, except those used in place.
 * Threads  any; calls on one stream may come from any thread, and their tasks run one after another.
 *          One that waits for what it gives back keeps no other from being queued: calls that
 *          overlap must not share a host array that one of them writes (docs/launch.md)
 * Blocks   only for what the plan shows (slipway explain)
 * Allocates  nothing when repeated with arrays of the same kinds
 * See      runtime/call.c, plan/plan.c, launch/launch_cpu.c, tests/runtime/call_test.c
 */
SLIP_API SLIP_MUST_USE slip_status slip_launch(slip_stream *stream, slip_entry *entry,
                                               const slip_arg *args, uint32_t arg_count,
                                               void *result, uint64_t result_bytes);

typedef enum slip_memory_kind {
    SLIP_MEMORY_UNKNOWN, /* malloc, the stack */
    SLIP_MEMORY_PINNED,  /* slip_host_alloc, slip_host_register */
    SLIP_MEMORY_KEPT,    /* slip_keep */
    SLIP_MEMORY_DEVICE   /* slip_alloc, slip_wrap */
} slip_memory_kind;

typedef enum slip_explain_format { SLIP_EXPLAIN_TEXT, SLIP_EXPLAIN_SVG } slip_explain_format;

typedef enum slip_explain_stream {
    SLIP_EXPLAIN_DEFAULT,
    SLIP_EXPLAIN_EXPLICIT, /* from slip_stream_create */
    SLIP_EXPLAIN_WRAPPED   /* from slip_stream_wrap: also told is what a capture makes of the call */
} slip_explain_stream;

/* A zeroed one asks for the text of a call on the entry's device whose arrays are unknown memory.
 */
typedef struct slip_explain_options {
    const char *facts;    /* "cpu", "cuda", "hip" or "vulkan", also one not here; NULL: the entry's
                           * device's */
    const slip_arg *args; /* [arg_count] where memory is to be classed as in a call; NULL: no array
                           * overlaps another */
    uint32_t arg_count;
    const slip_memory_kind
        *memory;          /* [the kernel's parameters] what an array's memory is taken for. UNKNOWN,
                           * and NULL for all: what it is in args, or else unknown. Those of
                           * parameters that are no arrays, or of empty ones, are ignored */
    slip_explain_stream stream;
    slip_explain_format format;
    slip_sync sync; /* 0: the policy of the entry's device */
} slip_explain_options;

/*
 * slip_explain - the plan of a call.
 *
 *   options    NULL: a zeroed one
 *   out_text   free with slip_text_free
 *
 * Steps with their reasons, then each wait, copy and edge that is left out with the fact that
 * allows it. Runs nothing. SLIPWAY_WITHOUT is read: for facts that are not the entry's device's now,
 * for that one's when it was opened.
 *
 * Errors   NOT_FOUND     no facts of that name
 *          ARGUMENT      the arguments would be refused by a call; a stream, policy or kind of memory
 *                        that there is not; arrays that overlap said to be in memory of two kinds;
 *                        SLIPWAY_WITHOUT names what is no fact
 *          UNSUPPORTED   the family cannot run it, or wraps no streams
 *          MEMORY
 */
SLIP_API SLIP_MUST_USE slip_status slip_explain(const slip_entry *entry,
                                                const slip_explain_options *options,
                                                char **out_text);

/*
 * slip_dump, slip_dump_json - what is in a module, from its bytes alone, as text and as one JSON
 * object.
 *
 *   bytes      [size] a module file's; no device is needed
 *   out_text   free with slip_text_free
 *
 * Errors   FORMAT   the bytes are damaged
 *          MEMORY
 */
SLIP_API SLIP_MUST_USE slip_status slip_dump(const void *bytes, uint64_t size, char **out_text);
SLIP_API SLIP_MUST_USE slip_status slip_dump_json(const void *bytes, uint64_t size,
                                                  char **out_text);
SLIP_API void slip_text_free(char *text); /* takes NULL */

/* ---- what generated code uses ---------------------------------------------------------------- */

/* A module embedded in a program: one per generated file, loaded on first use per device. */
typedef struct slip_embedded {
    const void *bytes;
    uint64_t size;
    void *runtime; /* the runtime's own; starts NULL */
} slip_embedded;

/* One kernel of it. */
typedef struct slip_site {
    slip_embedded *module;
    uint32_t entry; /* index in the module */
    void *runtime;  /* the runtime's own; starts NULL */
} slip_site;

/*
 * slip_call - what each generated function does.
 *
 *   site     lives as long as the program; may be used by all threads and devices at once
 *   args     [param_count] 64 bits each: a scalar's bits (integers sign- or zero-extended, f32 in
 *            the low half), an array's address, a struct's address                  copied
 *   result   gets the kernel's result; NULL: it is not fetched
 *
 * Errors   as slip_launch, and as slip_module_load on the first call of a module on a device. The
 *          size of an array whose extent the signature does not know must be known from slip_alloc,
 *          slip_keep, slip_host_alloc, slip_host_register or slip_wrap, else ARGUMENT
 * Threads  any; the first call may come from all of them at once
 */
SLIP_API SLIP_MUST_USE slip_status slip_call(slip_stream *stream, slip_site *site,
                                             const uint64_t *args, void *result);

#ifdef __cplusplus
}
#endif
#endif
