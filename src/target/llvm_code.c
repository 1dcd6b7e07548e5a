/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_code.c - the only file that calls LLVM.
 *
 * One context per call, so that targets compile on threads. LLVM's diagnostics never reach stderr:
 * an error becomes a failure record, the rest is dropped. No flag may allow contraction.
 */
#include "target/llvm_code.h"

#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/fail.h"
#include "target/llvm_emit.h"

typedef struct session {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    char message[200]; /* the first error LLVM reported */
} session;

#define INIT_TARGET_(name)                                                                         \
    static void init_##name(void)                                                                  \
    {                                                                                              \
        LLVMInitialize##name##TargetInfo();                                                        \
        LLVMInitialize##name##Target();                                                            \
        LLVMInitialize##name##TargetMC();                                                          \
        LLVMInitialize##name##AsmPrinter();                                                        \
    }
INIT_TARGET_(X86)
INIT_TARGET_(AArch64)
INIT_TARGET_(NVPTX)
INIT_TARGET_(AMDGPU)

/* What is not compiled for is not made ready: each takes a while. */
static void init_arch(target_arch arch)
{
    static once_flag x86 = ONCE_FLAG_INIT, aarch64 = ONCE_FLAG_INIT, nvptx = ONCE_FLAG_INIT,
                     amdgpu = ONCE_FLAG_INIT;

    switch (arch) {
    case TARGET_X86_64:
        call_once(&x86, init_X86);
        break;
    case TARGET_AARCH64:
        call_once(&aarch64, init_AArch64);
        break;
    case TARGET_NVPTX:
        call_once(&nvptx, init_NVPTX);
        break;
    case TARGET_AMDGCN:
        call_once(&amdgpu, init_AMDGPU);
        break;
    case TARGET_SHADER:
        break;
    }
}

static void keep_message(session *s, const char *words)
{
    if (s->message[0])
        return;
    size_t length = strcspn(words, "\n");
    if (length >= sizeof s->message)
        length = sizeof s->message - 1;
    memcpy(s->message, words, length);
    s->message[length] = '\0';
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *words = LLVMGetDiagInfoDescription(info);
    keep_message(user, words);
    LLVMDisposeMessage(words);
}

static slip_status refused(session *s, const char *what, char *words)
{
    if (words)
        keep_message(s, words);
    LLVMDisposeMessage(words);
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "LLVM %s: %s", what,
                     s->message[0] ? s->message : "no reason given");
}

static slip_status make_machine(session *s, const target_row *row, const target_options *options)
{
    static const LLVMCodeGenOptLevel levels[4] = { LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                                   LLVMCodeGenLevelDefault,
                                                   LLVMCodeGenLevelDefault };
    LLVMTargetRef target;
    char *words = NULL;

    if (LLVMGetTargetFromTriple(row->triple, &target, &words))
        return refused(s, "has no such target", words);
    s->machine = LLVMCreateTargetMachine(target, row->triple, row->cpu, row->features,
                                         levels[options->optimize > 3 ? 3 : options->optimize],
                                         LLVMRelocPIC, LLVMCodeModelSmall);
    if (!s->machine)
        return refused(s, "made no target machine", NULL);
    return SLIP_OK;
}

static slip_status parse(session *s, const text *source, bool verify)
{
    char *words = NULL;
    /* The reader takes the buffer, also when it fails. */
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(text_get(source), source->bytes, "slipway", 1);

    if (LLVMParseIRInContext(s->context, buffer, &s->module, &words))
        return refused(s, "refused the text", words);
    if (verify && LLVMVerifyModule(s->module, LLVMReturnStatusAction, &words))
        return refused(s, "found the module wrong", words);
    LLVMDisposeMessage(words);
    return SLIP_OK;
}

static slip_status run_passes(session *s, const char *pipeline)
{
    LLVMPassBuilderOptionsRef passes = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(s->module, pipeline, s->machine, passes);

    LLVMDisposePassBuilderOptions(passes);
    if (error) {
        char *words = LLVMGetErrorMessage(error);
        keep_message(s, words);
        LLVMDisposeErrorMessage(words);
        return refused(s, "stopped in its passes", NULL);
    }
    return s->message[0] ? refused(s, "reported", NULL) : SLIP_OK;
}

static void session_finish(session *s)
{
    if (s->module)
        LLVMDisposeModule(s->module);
    if (s->machine)
        LLVMDisposeTargetMachine(s->machine);
    if (s->context)
        LLVMContextDispose(s->context);
}

static slip_status session_start(session *s, const target_row *row, const target_options *options)
{
    init_arch(row->arch);
    s->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(s->context, on_diagnostic, s);
    return make_machine(s, row, options);
}

static slip_status emit(session *s, LLVMCodeGenFileType kind, LLVMMemoryBufferRef *out)
{
    char *words = NULL;

    if (LLVMTargetMachineEmitToMemoryBuffer(s->machine, s->module, kind, &words, out))
        return refused(s, "made no code", words);
    if (s->message[0]) {
        LLVMDisposeMemoryBuffer(*out);
        *out = NULL;
        return refused(s, "reported", NULL);
    }
    return SLIP_OK;
}

static void object_of(LLVMMemoryBufferRef buffer, llvm_object *out)
{
    *out = (llvm_object){ (const uint8_t *)LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer),
                          buffer };
}

void llvm_object_free(llvm_object *object)
{
    if (object->buffer)
        LLVMDisposeMemoryBuffer(object->buffer);
    *object = (llvm_object){ 0 };
}

slip_status llvm_object_read(const char *path, llvm_object *out)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *words = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &words)) {
        LLVMDisposeMessage(words);
        return SLIP_ERR_NOT_FOUND;
    }
    object_of(buffer, out);
    return SLIP_OK;
}

/* ---- the two halves of optimisation level 2 ---- */

/* What simplifies for all levels, whichever of them are made: the first of the architecture. */
static const target_row *lowest_level(const target_row *row)
{
    for (int t = 0; t < MOD_TARGET_COUNT; t++)
        if (target_rows[t].arch == row->arch)
            return &target_rows[t];
    return row;
}

slip_status llvm_code_simplify(const target_row *row, const target_options *options,
                               const text *source, llvm_object *out)
{
    session s = { 0 };
    slip_status status = session_start(&s, lowest_level(row), options);

    if (status == SLIP_OK)
        status = parse(&s, source, options->verify);
    if (status == SLIP_OK)
        status = run_passes(&s, llvm_simplify);
    if (status == SLIP_OK)
        object_of(LLVMWriteBitcodeToMemoryBuffer(s.module), out);
    session_finish(&s);
    return status;
}

static slip_status read(session *s, const llvm_object *simplified)
{
    if (LLVMParseBitcodeInContext2(s->context, simplified->buffer, &s->module))
        return refused(s, "refused its own bitcode", NULL);
    return SLIP_OK;
}

/* Drops what is for other levels only; what is for this one gets the name it has in a text of its
 * own. The width of vectors is set on all functions alike: LLVM describes the processor anew for
 * each set of attributes. */
static void keep_level(session *s, const target_row *row)
{
    LLVMValueRef next;

    for (LLVMValueRef f = LLVMGetFirstFunction(s->module); f; f = next) {
        char name[LLVM_NAME];
        size_t length;
        const char *full = LLVMGetValueName2(f, &length);
        const char *mark = memchr(full, LLVM_LEVEL_MARK, length);
        next = LLVMGetNextFunction(f);
        if (mark && !(strtoul(mark + 1, NULL, 10) >> row->id & 1)) {
            LLVMDeleteFunction(f);
            continue;
        }
        if (mark && (size_t)(mark - full) < sizeof name) {
            memcpy(name, full, (size_t)(mark - full));
            LLVMSetValueName2(f, name, (size_t)(mark - full));
        }
        if (row->vector_bits && !LLVMIsDeclaration(f))
            LLVMAddTargetDependentFunctionAttr(f, "prefer-vector-width", row->vector_bits);
    }
}

static slip_status start_level(session *s, const target_row *row, const target_options *options,
                               const llvm_object *simplified)
{
    SLIP_TRY(session_start(s, row, options));
    SLIP_TRY(read(s, simplified));
    keep_level(s, row);
    return run_passes(s, row->is_brief ? llvm_optimize_briefly : llvm_optimize);
}

/* Levels of GPUs share nothing, and LLVM's own list knows what they lack: vectors. */
bool llvm_code_halves(const target_row *row, const target_options *options)
{
    return options->optimize == 2 && !mod_is_stream(row->id);
}

/* Level 2 goes through bitcode also where nothing is shared: the order of uses, which it does not
 * keep, decides between equal choices, and a target's code is not to depend on which others are
 * made. */
static slip_status optimize(session *s, const target_row *row, const target_options *options,
                            const text *source)
{
    static const char *const pipelines[4] = { "default<O0>", "default<O1>", "default<O2>",
                                              "default<O3>" };
    const char *pipeline = pipelines[options->optimize > 3 ? 3 : options->optimize];
    llvm_object simplified = { 0 };

    if (!llvm_code_halves(row, options)) {
        SLIP_TRY(session_start(s, row, options));
        SLIP_TRY(parse(s, source, options->verify));
        return run_passes(s, pipeline);
    }
    SLIP_TRY(llvm_code_simplify(row, options, source, &simplified));
    slip_status status = start_level(s, row, options, &simplified);
    llvm_object_free(&simplified);
    return status;
}

/* ---- objects and texts ---- */

static slip_status finish_object(session *s, const target_row *row, slip_status status,
                                 llvm_object *out)
{
    bool is_text = row->arch == TARGET_NVPTX; /* which has no other form */
    LLVMMemoryBufferRef buffer = NULL;

    if (status == SLIP_OK)
        status = emit(s, is_text ? LLVMAssemblyFile : LLVMObjectFile, &buffer);
    if (status == SLIP_OK)
        object_of(buffer, out);
    session_finish(s);
    return status;
}

slip_status llvm_code_object(const target_row *row, const target_options *options,
                             const text *source, llvm_object *out)
{
    session s = { 0 };

    return finish_object(&s, row, optimize(&s, row, options, source), out);
}

slip_status llvm_code_level(const target_row *row, const target_options *options,
                            const llvm_object *simplified, llvm_object *out)
{
    session s = { 0 };

    return finish_object(&s, row, start_level(&s, row, options, simplified), out);
}

slip_status llvm_code_text(const target_row *row, const target_options *options, const text *source,
                           bool assembly, text *out)
{
    session s = { 0 };
    LLVMMemoryBufferRef buffer = NULL;
    slip_status status = optimize(&s, row, options, source);

    if (status == SLIP_OK && assembly) {
        status = emit(&s, LLVMAssemblyFile, &buffer);
        if (status == SLIP_OK) {
            text_bytes(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
            LLVMDisposeMemoryBuffer(buffer);
        }
    } else if (status == SLIP_OK) {
        char *printed = LLVMPrintModuleToString(s.module);
        text_bytes(out, printed, strlen(printed));
        LLVMDisposeMessage(printed);
    }
    session_finish(&s);
    return status;
}
