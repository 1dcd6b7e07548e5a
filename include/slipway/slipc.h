/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slipc.h - the compiler as a library: kernel C in, module bytes and generated C out.
 *
 * Needs libclang and LLVM, which the runtime does not. Calls from several threads at once are allowed;
 * each has its own result. NULL is taken as slipway.h says: refused by what returns a status, where no
 * comment allows it; what returns something else returns NULL or 0.
 */
#ifndef SLIPWAY_SLIPC_H
#define SLIPWAY_SLIPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <slipway/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slipc_options {
    const char *const *include_dirs; /* -I, in order */
    uint32_t include_dir_count;
    const char *const *defines;      /* -D: "NAME" or "NAME=VALUE" */
    uint32_t define_count;
    const char *targets;   /* "cpu,ptx,spirv" (the default, NULL): all levels of this machine's kind
                            * of processor, PTX and shaders; also "cpu-all", "cpu-x86-64", "host",
                            * "cuda", "hip", and single ones: "cpu-x86-64-v3,gfx90a" */
    uint32_t optimize;     /* 0..3; the tool's default is 2 */
    bool optimize_given;
    bool debug;            /* -g */
    bool fma;              /* --fma */
    const char *dump;      /* a stage whose text is wanted: "front", a pass name, "launch", "llvm" ...; NULL */
} slipc_options;

typedef enum slipc_severity { SLIPC_NOTE, SLIPC_WARNING, SLIPC_ERROR } slipc_severity;

typedef struct slipc_diagnostic {
    slipc_severity severity;
    const char *file; /* NULL: no place */
    uint32_t line, column;
    const char *message;
    const char *advice; /* NULL if none */
    const char *text;   /* all of it as the tool prints it, with source line and caret */
} slipc_diagnostic;

typedef struct slipc_result slipc_result;

/*
 * slipc_compile - compile one kernel file.
 *
 *   path      named in diagnostics and searched for relative includes; read unless source is given
 *   source    the text, or NULL                                                      borrowed for the call
 *   options   NULL: defaults
 *   out       always set (unless MEMORY, or NULL): diagnostics are there on failure too
 *                                                                                    taken: slipc_result_free
 *
 * Errors   COMPILE   the source was refused; see the diagnostics
 *          NOT_FOUND the file cannot be read      ARGUMENT an option is wrong; the record says which
 * Threads  any
 */
SLIP_API SLIP_MUST_USE slip_status slipc_compile(const char *path, const char *source,
                                                 const slipc_options *options, slipc_result **out);
SLIP_API void slipc_result_free(slipc_result *result); /* takes NULL */

/* What follows is the result's: texts, diagnostics, the record and the module's bytes live until
 * slipc_result_free. */
SLIP_API uint32_t slipc_diagnostic_count(const slipc_result *result);
SLIP_API const slipc_diagnostic *slipc_diagnostic_at(const slipc_result *result, uint32_t index);
/* The failure record of the compile: slipc's own, not the runtime's. NULL: that of this thread's last
 * slipc_compile or slipc_generate, until its next. */
SLIP_API const slip_error *slipc_result_error(const slipc_result *result);
/* NULL and 0 bytes where the compile failed. */
SLIP_API const void *slipc_module_bytes(const slipc_result *result, size_t *out_size);
/* Files the compile read, the source first; for dependency files. */
SLIP_API uint32_t slipc_dependency_count(const slipc_result *result);
SLIP_API const char *slipc_dependency_at(const slipc_result *result, uint32_t index);
SLIP_API const char *slipc_dump_text(const slipc_result *result); /* "" unless options.dump, and for NULL */

/* The generated header and source for a module: from its bytes alone. `base` is the file name without
 * ".slip.h". Both texts are the caller's: each lives until it is given to slipc_text_free, whatever
 * becomes of the module's bytes and of the result that they came from.
 * Errors: FORMAT for what is no module, ARGUMENT for NULL, MEMORY; neither text is made then. */
SLIP_API SLIP_MUST_USE slip_status slipc_generate(const void *module_bytes, size_t size, const char *base,
                                                  char **out_header, char **out_source);
SLIP_API void slipc_text_free(char *text); /* takes NULL */

#ifdef __cplusplus
}
#endif
#endif
