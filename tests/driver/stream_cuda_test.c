/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_cuda_test.c - what only a CUDA device can show: refusals and losses as they really come,
 * captures and contexts of other code, threads.
 *
 * Other code is this test, calling the CUDA driver by itself.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/stream_case.h"
#include "driver/stream_device.h"
#include "support/check.h"

#define cuda (&cuda_driver_table)

enum { N = 1000, THREADS = 8, ROUNDS = 300, CAPTURE_GLOBAL = 0 };

/* An entry point of the library that the driver has loaded. */
static void *entry(const char *name)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *found = library ? dlsym(library, name) : NULL;

    if (!found)
        CHECK_FAIL("libcuda.so.1 has no %s", name);
    return found;
}

/* A call of other code: of a function that takes a pointer and, it may be, a number or another. */
static int call(const char *name, void *a, uintptr_t b)
{
    void *found = entry(name);
    int (*function)(void *, uintptr_t);

    memcpy(&function, &found, sizeof function);
    return function(a, b);
}

typedef struct session {
    void *self, *code, *stream;
    stream_guard guard;
    stream_kernel kernel;
    stream_memory x; /* pinned, N numbers, 0 */
} session;

static slip_status try_begin(session *s)
{
    uint64_t bytes = 0;
    const char *code = stream_case_code(STREAM_CUDA, &bytes);

    SLIP_TRY(cuda->enter(s->self, &s->guard));
    SLIP_TRY(cuda->code_load(s->self, (const uint8_t *)code, bytes, &s->code));
    SLIP_TRY(cuda->kernel_get(s->self, s->code, 0, &s->kernel));
    SLIP_TRY(cuda->stream_open(s->self, false, &s->stream));
    SLIP_TRY(cuda->alloc(s->self, N * 4, STREAM_MEMORY_PINNED, &s->x));
    memset(s->x.host, 0, N * 4);
    return SLIP_OK;
}

static session begin(void)
{
    session s = { .self = stream_case_hardware() };

    CHECK_STATUS(try_begin(&s), SLIP_OK);
    return s;
}

static void end(session *s)
{
    cuda->free(s->self, &s->x);
    cuda->stream_close(s->self, s->stream);
    cuda->code_drop(s->self, s->code);
    cuda->leave(s->self, &s->guard);
    cuda->close(s->self);
    stream_table_forget();
}

static slip_status launch(const session *s, void *stream, uint64_t x)
{
    const stream_case_params params = { .end = N, .count = N, .x = x, .k = 1 };

    return cuda->launch(s->self, stream, &s->kernel, &params, sizeof params,
                        (const uint32_t[]){ 4, 1, 1 }, 256);
}

/* ---- losses ---------------------------------------------------------------------------------- */

enum { CHILD_RIGHT = 40, CHILD_WITHOUT_DEVICE, CHILD_WRONG };

/* A task that writes to no memory. Nothing else of the process may use CUDA after it. */
static int lose_in_child(void)
{
    session s = { 0 };
    bool passed = false;

    if (cuda->missing())
        return CHILD_WITHOUT_DEVICE;
    fail_clear();
    if (cuda->open(0, &s.self) != SLIP_OK || try_begin(&s) != SLIP_OK)
        return CHILD_WRONG + 1;
    if (launch(&s, s.stream, 64) != SLIP_OK)
        return CHILD_WRONG + 2;
    fail_clear();
    if (cuda->stream_wait(s.self, s.stream) != SLIP_ERR_LOST ||
        !strstr(fail_last()->message, "the device is lost, as "))
        return CHILD_WRONG + 3;
    fail_clear();
    if (cuda->stream_passed(s.self, s.stream, &passed) != SLIP_ERR_LOST ||
        !strstr(fail_last()->message, "is lost: an earlier call gave CUDA_ERROR_"))
        return CHILD_WRONG + 4;
    fail_clear();
    end(&s); /* comes to an end */
    return fail_last()->code == SLIP_OK ? CHILD_RIGHT : CHILD_WRONG + 5;
}

/* First, while this process has not used CUDA yet: its children may. */
static void a_task_that_faults_loses_the_device(void)
{
    int status = 0;

    unsetenv("SLIPWAY_CUDA_LIBRARY");
    pid_t child = fork();
    if (child == 0)
        _exit(lose_in_child());
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == CHILD_WITHOUT_DEVICE)
        check_skip("cuda", "there is no CUDA device");
    CHECK_EQ_I64(WEXITSTATUS(status), CHILD_RIGHT);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void too_much_memory_is_refused_and_less_works(void)
{
    session s = begin();
    stream_memory x = { 0 };

    CHECK_STATUS(cuda->alloc(s.self, UINT64_C(1) << 44, STREAM_MEMORY_DEVICE, &x), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(fail_last()->message, "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2), ");
    CHECK_STATUS(cuda->alloc(s.self, 1 << 20, STREAM_MEMORY_DEVICE, &x), SLIP_OK);
    CHECK_EQ_U64(x.address % 256, 0);
    cuda->free(s.self, &x);
    end(&s);
}

static void a_launch_that_is_refused_harms_nothing(void)
{
    session s = begin();
    const stream_case_params params = { .end = N, .count = N, .x = s.x.address, .k = 1 };

    CHECK_STATUS(cuda->launch(s.self, s.stream, &s.kernel, &params, sizeof params,
                              (const uint32_t[]){ 1, 1, 1 }, 4096),
                 SLIP_ERR_DEVICE);
    CHECK_CONTAINS(fail_last()->message, "cuLaunchKernel: CUDA_ERROR_INVALID_VALUE (1), ");
    CHECK_STATUS(launch(&s, s.stream, s.x.address), SLIP_OK);
    CHECK_STATUS(cuda->stream_wait(s.self, s.stream), SLIP_OK);
    CHECK_EQ_I64(((const int32_t *)(const void *)s.x.host)[N - 1], 1);
    end(&s);
}

static void ptx_that_is_wrong_is_refused_with_what_its_compiler_says(void)
{
    static const char wrong[] = ".version 6.0\n.target sm_60\n.address_size 64\n"
                                ".visible .entry s0()\n{\n    wrong.u32 %r1;\n    ret;\n}\n";
    session s = begin();
    void *code = NULL;

    CHECK_STATUS(cuda->code_load(s.self, (const uint8_t *)wrong, sizeof wrong, &code),
                 SLIP_ERR_FORMAT);
    CHECK_CONTAINS(fail_last()->message, "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218), ");
    CHECK_CONTAINS(fail_last()->message, "ptxas");
    CHECK_CONTAINS(fail_last()->message, "line 6");
    CHECK(code == NULL);
    end(&s);
}

/* ---- other code -------------------------------------------------------------------------------
 */

static void the_context_that_was_current_is_current_again(void)
{
    void *self = stream_case_hardware(), *now = NULL;
    stream_guard guard;

    CHECK_EQ_I64(call("cuCtxSetCurrent", NULL, 0), 0);
    CHECK_STATUS(cuda->enter(self, &guard), SLIP_OK);
    CHECK_EQ_I64(call("cuCtxGetCurrent", &now, 0), 0);
    CHECK(now == ((stream_device *)self)->context);
    cuda->leave(self, &guard);
    CHECK_EQ_I64(call("cuCtxGetCurrent", &now, 0), 0);
    CHECK(now == NULL);
    cuda->close(self);
    stream_table_forget();
}

static void a_stream_of_other_code_is_used_in_its_order(void)
{
    session s = begin();
    void *foreign = NULL, *wrapped = NULL;

    CHECK_EQ_I64(call("cuStreamCreate", &foreign, 0), 0);
    CHECK_STATUS(cuda->stream_wrap(s.self, foreign, &wrapped), SLIP_OK);
    for (int k = 0; k < 10; k++)
        CHECK_STATUS(launch(&s, wrapped, s.x.address), SLIP_OK);
    CHECK_EQ_I64(call("cuStreamSynchronize", foreign, 0), 0);
    CHECK_EQ_I64(((const int32_t *)(const void *)s.x.host)[0], 10);
    cuda->stream_close(s.self, wrapped);
    CHECK_EQ_I64(call("cuStreamDestroy_v2", foreign, 0), 0); /* it is still there */
    end(&s);
}

/* A thread that captures a stream in the global mode until it is told to end. */
typedef struct capturer {
    const session *s;
    unsigned flags; /* of the stream: 1 is non-blocking */
    sem_t begun, enough;
    int began, ended;
    void *graph;
} capturer;

static void *capture(void *user)
{
    capturer *c = user;
    stream_guard guard = { 0 };
    void *stream = NULL;

    c->began = cuda->enter(c->s->self, &guard) != SLIP_OK;
    c->began += call("cuStreamCreate", &stream, c->flags);
    c->began += call("cuStreamBeginCapture_v2", stream, CAPTURE_GLOBAL);
    sem_post(&c->begun);
    sem_wait(&c->enough);
    c->ended = call("cuStreamEndCapture", stream, (uintptr_t)&c->graph);
    if (c->graph)
        (void)call("cuGraphDestroy", c->graph, 0);
    (void)call("cuStreamDestroy_v2", stream, 0);
    cuda->leave(c->s->self, &guard);
    return NULL;
}

static void begin_capture(capturer *c, const session *s, unsigned flags, pthread_t *out)
{
    *c = (capturer){ .s = s, .flags = flags };
    sem_init(&c->begun, 0, 0);
    sem_init(&c->enough, 0, 0);
    CHECK(pthread_create(out, NULL, capture, c) == 0);
    sem_wait(&c->begun);
    CHECK_EQ_I64(c->began, 0);
}

static void end_capture(capturer *c, pthread_t thread)
{
    sem_post(&c->enough);
    pthread_join(thread, NULL);
    sem_destroy(&c->begun);
    sem_destroy(&c->enough);
}

/* Each slot that synchronises or allocates; the capture comes to a good end. */
static void a_capture_elsewhere_neither_hinders_nor_suffers(void)
{
    session s = begin(), inner = { .self = s.self };
    stream_memory x = { 0 };
    void *event = NULL;
    bool passed = false;
    static int32_t host[N];
    capturer c;
    pthread_t thread;

    begin_capture(&c, &s, 1, &thread);
    CHECK_STATUS(try_begin(&inner), SLIP_OK);
    CHECK_STATUS(cuda->alloc(s.self, sizeof host, STREAM_MEMORY_DEVICE, &x), SLIP_OK);
    CHECK_STATUS(cuda->event_new(s.self, &event), SLIP_OK);
    CHECK_STATUS(cuda->upload_blocking(s.self, x.address, host, sizeof host), SLIP_OK);
    CHECK_STATUS(launch(&inner, inner.stream, x.address), SLIP_OK);
    CHECK_STATUS(cuda->record(s.self, inner.stream, event), SLIP_OK);
    CHECK_STATUS(cuda->event_passed(s.self, event, &passed), SLIP_OK);
    CHECK_STATUS(cuda->event_wait(s.self, event), SLIP_OK);
    CHECK_STATUS(cuda->stream_passed(s.self, inner.stream, &passed), SLIP_OK);
    CHECK(passed);
    CHECK_STATUS(cuda->stream_wait(s.self, inner.stream), SLIP_OK);
    CHECK_STATUS(cuda->download_blocking(s.self, host, x.address, sizeof host), SLIP_OK);
    CHECK_EQ_I64(host[N - 1], 1);
    cuda->event_drop(s.self, event);
    cuda->free(s.self, &x);
    cuda->free(s.self, &inner.x);
    cuda->stream_close(s.self, inner.stream);
    cuda->code_drop(s.self, inner.code);
    cuda->leave(s.self, &inner.guard);
    end_capture(&c, thread);
    CHECK_EQ_I64(c.ended, 0);
    CHECK(c.graph != NULL);
    end(&s);
}

static void a_blocking_stream_that_captures_takes_the_default_stream(void)
{
    session s = begin();
    void *legacy = NULL;
    capturer c;
    pthread_t thread;

    CHECK_STATUS(cuda->stream_open(s.self, true, &legacy), SLIP_OK);
    begin_capture(&c, &s, 0, &thread);
    CHECK_STATUS(launch(&s, legacy, s.x.address), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(fail_last()->message, "another stream of this process is being captured");
    CHECK_STATUS(launch(&s, s.stream, s.x.address), SLIP_OK);
    CHECK_STATUS(cuda->stream_wait(s.self, s.stream), SLIP_OK);
    end_capture(&c, thread);
    CHECK_STATUS(launch(&s, legacy, s.x.address), SLIP_OK);
    CHECK_STATUS(cuda->stream_wait(s.self, legacy), SLIP_OK);
    CHECK_EQ_I64(((const int32_t *)(const void *)s.x.host)[5], 2);
    cuda->stream_close(s.self, legacy);
    end(&s);
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct worker {
    const session *s;
    int32_t wrong; /* numbers that are not what they must be; -1: a call failed */
} worker;

static slip_status add_often(worker *w)
{
    session own = *w->s;

    own.x = (stream_memory){ 0 };
    SLIP_TRY(cuda->enter(own.self, &own.guard));
    SLIP_TRY(cuda->stream_open(own.self, false, &own.stream));
    SLIP_TRY(cuda->alloc(own.self, N * 4, STREAM_MEMORY_PINNED, &own.x));
    memset(own.x.host, 0, N * 4);
    for (int round = 0; round < ROUNDS; round++) {
        SLIP_TRY(launch(&own, own.stream, own.x.address));
        if (round % 16 == 0)
            SLIP_TRY(cuda->stream_wait(own.self, own.stream));
    }
    SLIP_TRY(cuda->stream_wait(own.self, own.stream));
    for (int k = 0; k < N; k++)
        w->wrong += ((const int32_t *)(const void *)own.x.host)[k] != ROUNDS;
    cuda->free(own.self, &own.x);
    cuda->stream_close(own.self, own.stream);
    cuda->leave(own.self, &own.guard);
    return SLIP_OK;
}

static void *work(void *user)
{
    worker *w = user;

    if (add_often(w) != SLIP_OK)
        w->wrong = -1;
    return NULL;
}

static void threads_use_one_device_on_their_own_streams(void)
{
    session s = begin();
    pthread_t threads[THREADS];
    worker workers[THREADS];

    for (int k = 0; k < THREADS; k++) {
        workers[k] = (worker){ .s = &s };
        CHECK(pthread_create(&threads[k], NULL, work, &workers[k]) == 0);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < THREADS; k++)
        CHECK_EQ_I64(workers[k].wrong, 0);
    end(&s);
}

static const check_case cases[] = {
    CASE(a_task_that_faults_loses_the_device), /* first */
    CASE(too_much_memory_is_refused_and_less_works),
    CASE(a_launch_that_is_refused_harms_nothing),
    CASE(ptx_that_is_wrong_is_refused_with_what_its_compiler_says),
    CASE(the_context_that_was_current_is_current_again),
    CASE(a_stream_of_other_code_is_used_in_its_order),
    CASE(a_capture_elsewhere_neither_hinders_nor_suffers),
    CASE(a_blocking_stream_that_captures_takes_the_default_stream),
    CASE(threads_use_one_device_on_their_own_streams),
};

CHECK_MAIN(cases)
