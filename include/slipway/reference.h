/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.h - runs kernels as plain C, on a stack that holds their kernel-level arrays.
 *
 * A kernel-level array is a variable length array under a C compiler; a few million elements
 * overflow an ordinary stack. Each run here gets a thread whose stack is reserved address space
 * (SLIP_REFERENCE_STACK_BYTES), of which only touched pages take memory. Needs pthreads; must
 * never be included by a kernel file.
 */
#ifndef SLIPWAY_REFERENCE_H
#define SLIPWAY_REFERENCE_H

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>

/* A program may define it smaller before including this page. */
#ifndef SLIP_REFERENCE_STACK_BYTES
#define SLIP_REFERENCE_STACK_BYTES ((size_t)64 << 30)
#endif
#define SLIP_REFERENCE_GUARD_BYTES_ ((size_t)64 << 10)

/* -std=c11 hides these from glibc's pages; they are part of its interface all the same. */
#if defined(__GLIBC__) && !defined(__USE_XOPEN2K) && !defined(__cplusplus)
int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t bytes);
#endif
#if defined(MAP_ANONYMOUS)
#define SLIP_REFERENCE_ANONYMOUS_ MAP_ANONYMOUS
#else
#define SLIP_REFERENCE_ANONYMOUS_ 0x20 /* Linux */
#endif
#if defined(MAP_NORESERVE)
#define SLIP_REFERENCE_NORESERVE_ MAP_NORESERVE
#else
#define SLIP_REFERENCE_NORESERVE_ 0x4000 /* Linux */
#endif

typedef struct slip_reference_call_ {
    void (*run)(void *arg);
    void *arg;
} slip_reference_call_;

static inline void *slip_reference_enter_(void *call)
{
    slip_reference_call_ *c = (slip_reference_call_ *)call;

    c->run(c->arg);
    return NULL;
}

/*
 * slip_reference_run - call run(arg) on a thread with a very large stack and wait for it to end.
 *
 * Returns 0, or the errno value of the system call that failed; then run was not called. EINVAL where
 * run is NULL.
 * `run` must not leave by longjmp. A stack that is used up ends the program with SIGSEGV.
 *
 * Threads  any            Blocks  until run returns
 */
static inline int slip_reference_run(void (*run)(void *arg), void *arg)
{
    slip_reference_call_ call = { run, arg };
    pthread_attr_t attr;
    pthread_t thread;
    int failed;

    if (!run)
        return EINVAL;
    void *stack = mmap(NULL, SLIP_REFERENCE_STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | SLIP_REFERENCE_ANONYMOUS_ | SLIP_REFERENCE_NORESERVE_, -1, 0);

    if (stack == MAP_FAILED)
        return errno;
    failed = mprotect(stack, SLIP_REFERENCE_GUARD_BYTES_, PROT_NONE) ? errno : 0;
    if (!failed)
        failed = pthread_attr_init(&attr);
    if (!failed) {
        failed = pthread_attr_setstack(&attr, stack, SLIP_REFERENCE_STACK_BYTES);
        if (!failed)
            failed = pthread_create(&thread, &attr, slip_reference_enter_, &call);
        if (!failed)
            failed = pthread_join(thread, NULL);
        pthread_attr_destroy(&attr);
    }
    munmap(stack, SLIP_REFERENCE_STACK_BYTES);
    return failed;
}

#endif
