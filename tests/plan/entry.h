/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry.h - test entries from a line of text, so that a case reads as the kernel it stands for.
 *
 *     "u:rw x:r y:c | heat u=rw x=r next=w"
 *
 * Before the bar the arrays: r reads, w writes, u updates, c overwrites whole, s single pass; k
 * const, o slip_out. "result" gives the kernel a result. After it the program: a word with accesses
 * is a task (arrays not named before the bar are scratch, taken at first use; `cells` are the
 * cells, `cell2` is the third word of them; a bare word is a task that touches nothing), and loop {
 * } device { } if { } else { } sections { section { } } break break? return eval take NAME
 * (`bounds=cells` makes a task a reduction into the first word whose bounds are the first two;
 * break? is one with a condition; take makes a scratch array before its first use). The
 * result is the first word, as a device loop's condition is, and that of `device2 { }` the third.
 */
#ifndef SLIPWAY_TESTS_PLAN_ENTRY_H
#define SLIPWAY_TESTS_PLAN_ENTRY_H

#include "base/mem.h"
#include "plan/plan.h"

/* Ends the test case where the text is wrong. */
mod_entry *entry_of(mem_arena *arena, const char *program);

/* A shape in which each array has a class of its own and lives as `homes` says, a letter each:
 * h host, s host and small, p pinned, k kept, d device; a digit joins the class of that parameter,
 * at its own range; '=' followed by a digit is the same bytes as that parameter. Options after a
 * space: explicit, wrapped, conservative, result. */
plan_shape *shape_of(mem_arena *arena, const mod_entry *entry, const char *letters);

/* The facts of "cpu", "cuda", "hip", "vulkan", and of "vulkan, mapped": of a device whose memory
 * the host uses. */
enum { FACTS_COUNT = 5 };
const plan_facts *facts_of(int which);

#endif
