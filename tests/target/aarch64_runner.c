/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aarch64_runner.c - runs a CPU image under qemu-aarch64: no C library, five system calls.
 *
 * Reads a job from its input (code_run.c, write_job) and writes the heap to its output. Ends with a
 * status other than 0 where anything fails.
 */
#include <stdint.h>

enum { SYS_READ = 63, SYS_WRITE = 64, SYS_EXIT = 93, SYS_MMAP = 222, SYS_MPROTECT = 226 };

static long call6(long n, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = n;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;

    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}

static void stop(long code)
{
    call6(SYS_EXIT, code, 0, 0, 0, 0, 0);
    for (;;)
        ;
}

static void read_all(void *to, uint64_t bytes)
{
    char *at = to;

    while (bytes) {
        long n = call6(SYS_READ, 0, (long)at, (long)bytes, 0, 0, 0);
        if (n <= 0)
            stop(2);
        at += n;
        bytes -= (uint64_t)n;
    }
}

static void write_all(const void *from, uint64_t bytes)
{
    const char *at = from;

    while (bytes) {
        long n = call6(SYS_WRITE, 1, (long)at, (long)bytes, 0, 0, 0);
        if (n <= 0)
            stop(3);
        at += n;
        bytes -= (uint64_t)n;
    }
}

static void *memory(uint64_t bytes)
{
    long at = call6(SYS_MMAP, 0, (long)((bytes | 1) + 65535) & ~65535L, 3, 0x22, -1, 0);

    if (at < 0 && at > -4096)
        stop(4);
    return (void *)at;
}

void _start(void);
void _start(void)
{
    uint64_t head[5];

    read_all(head, sizeof head);
    uint8_t *image = memory(head[0]), *heap = memory(head[2]);
    uint64_t *pointers = memory(head[3] * 8);
    read_all(image, head[0]);
    read_all(heap, head[2]);
    read_all(pointers, head[3] * 8);
    for (uint64_t k = 0; k < head[3]; k++)
        *(uint64_t *)(heap + pointers[k]) += (uint64_t)heap;
    if (call6(SYS_MPROTECT, (long)image, (long)((head[0] | 1) + 65535) & ~65535L, 5, 0, 0, 0) != 0)
        stop(5);
    for (uint64_t k = 0; k < head[4]; k++) {
        uint64_t row[4];
        read_all(row, sizeof row);
        ((void (*)(const void *, int64_t, int64_t))(image + row[0]))(heap + row[1], (int64_t)row[2],
                                                                     (int64_t)row[3]);
    }
    write_all(heap, head[2]);
    stop(0);
}
