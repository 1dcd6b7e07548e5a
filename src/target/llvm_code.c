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
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/fail.h"

typedef struct session {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine;
    char message[200]; /* the first error LLVM reported */
} session;

static once_flag once = ONCE_FLAG_INIT;

static void init_targets(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
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

static slip_status run_passes(session *s, const target_options *options)
{
    static const char *const pipelines[4] = { "default<O0>", "default<O1>", "default<O2>",
                                              "default<O3>" };
    uint32_t level = options->optimize > 3 ? 3 : options->optimize;
    LLVMPassBuilderOptionsRef passes = LLVMCreatePassBuilderOptions();

    LLVMPassBuilderOptionsSetSLPVectorization(passes, level == 3);
    LLVMErrorRef error = LLVMRunPasses(s->module, pipelines[level], s->machine, passes);
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

static slip_status session_start(session *s, const target_row *row, const target_options *options,
                                 const text *source)
{
    call_once(&once, init_targets);
    s->context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(s->context, on_diagnostic, s);
    SLIP_TRY(make_machine(s, row, options));
    SLIP_TRY(parse(s, source, options->verify));
    return run_passes(s, options);
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

slip_status llvm_code_object(const target_row *row, const target_options *options,
                             const text *source, llvm_object *out)
{
    session s = { 0 };
    LLVMMemoryBufferRef buffer = NULL;
    slip_status status = session_start(&s, row, options, source);

    if (status == SLIP_OK)
        status = emit(&s, LLVMObjectFile, &buffer);
    if (status == SLIP_OK)
        *out = (llvm_object){ (const uint8_t *)LLVMGetBufferStart(buffer),
                              LLVMGetBufferSize(buffer), buffer };
    session_finish(&s);
    return status;
}

void llvm_object_free(llvm_object *object)
{
    if (object->buffer)
        LLVMDisposeMemoryBuffer(object->buffer);
    *object = (llvm_object){ 0 };
}

slip_status llvm_code_text(const target_row *row, const target_options *options, const text *source,
                           bool assembly, text *out)
{
    session s = { 0 };
    LLVMMemoryBufferRef buffer = NULL;
    slip_status status = session_start(&s, row, options, source);

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
