/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - performs operations. Device memory can be touched by the operation that is to touch it,
 * in the way that it is to, and by nobody else: the rest faults.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "fake/stream/core.h"

static __thread const fake_op *running;
static const int faults[2] = { SIGSEGV, SIGBUS };
static struct sigaction before[2]; /* who hears of faults that are none of ours */

static bool in_range(uint64_t address)
{
    for (const fake_range *r = fake.ranges; r; r = r->next)
        if (r->pages && address - (uint64_t)(uintptr_t)r->pages < r->page_bytes)
            return true;
    return false;
}

/* Does the instruction that faulted write? Where that is not told: it does not. */
static bool writes(const void *user)
{
#if defined(__x86_64__)
    return ((const ucontext_t *)user)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    return user == NULL;
#endif
}

/* Ends the process by the signal, since the code that faulted cannot go on. */
static void on_fault(int number, siginfo_t *info, void *user)
{
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    char line[400], where[160];

    if (!running && guard_touched(address, writes(user)))
        return; /* and goes on */
    if (!running && !in_range(address)) {
        sigaction(number, &before[number == SIGBUS], NULL);
        return; /* faults again, there */
    }
    if (running)
        snprintf(line, sizeof line,
                 "slipfake: fault: %s touches what its facts, or its lane, do not let it: %s\n",
                 running->name, memory_describe(address, where));
    else
        snprintf(line, sizeof line, "slipfake: fault: the host touches %s\n",
                 memory_describe(address, where));
    if (write(2, line, strlen(line)) < 0 || !user)
        _exit(3);
    signal(number, SIG_DFL);
}

/* Test programs install handlers of their own at any time: ours is put before them again. */
void fault_listen(void)
{
    struct sigaction ours = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER }, now;

    for (int k = 0; k < 2; k++)
        if (sigaction(faults[k], NULL, &now) == 0 && now.sa_sigaction != on_fault) {
            before[k] = now;
            sigaction(faults[k], &ours, NULL);
        }
}

int op_rights(const fake_op *op, const fake_range *r)
{
    uint32_t flags = 0;

    for (uint32_t k = 0; k < op->access_count; k++)
        if (op->accesses[k].range == r)
            flags |= op->accesses[k].flags;
    return flags & FAKE_WRITES ? PROT_READ | PROT_WRITE : flags ? PROT_READ : PROT_NONE;
}

static void perform(const fake_op *op)
{
    switch (op->kind) {
    case FAKE_COPY:
        memmove(op->to, op->own ? op->own : op->from, op->bytes);
        break;
    case FAKE_FILL:
        memset(op->to, op->value, op->bytes);
        break;
    case FAKE_TASK:
        cells_hide(op);
        task_run(op);
        cells_show(op);
        break;
    case FAKE_MARK:
        break;
    }
}

void op_run(const fake_op *op)
{
    for (uint32_t k = 0; k < op->access_count; k++) {
        fake_range *r = op->accesses[k].range;
        if (r && r->kind == FAKE_DEVICE)
            memory_rights(r, op_rights(op, r));
        else if (r && r->kind == FAKE_PINNED && op->kind == FAKE_TASK && r->device == r->at)
            guard_open(r);
    }
    running = op;
    perform(op);
    running = NULL;
    for (uint32_t k = 0; k < op->access_count; k++) {
        fake_range *r = op->accesses[k].range;
        if (r && r->kind == FAKE_DEVICE)
            memory_rights(r, PROT_NONE);
    }
}
