/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_words.h - what a plan's steps, reasons and omissions are called. Each adds to a line.
 */
#ifndef SLIPWAY_PLAN_PLAN_WORDS_H
#define SLIPWAY_PLAN_PLAN_WORDS_H

#include "plan/plan.h"

/* "plan of heat on cuda, default stream: 13 steps, 1 lane, 1 host wait" */
void plan_title_words(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape,
                      const plan_facts *facts);
/* "assumed: no range or loop is empty": what a plan with all its steps takes for granted */
void plan_assumed_words(text *out, const plan *p);
const char *plan_home_words(plan_home home);
/* "upload u, staged" */
void plan_step_words(text *out, const plan_step *s, const mod_entry *entry,
                     const plan_shape *shape);
/* "because a task may read it"; nothing where the kernel says so */
void plan_reason_words(text *out, const plan_step *s, const mod_entry *entry,
                       const plan_shape *shape);
/* "next, u": what two tasks, the earlier first, must be ordered for; false and nothing: nothing by
 * the entry alone. */
bool plan_shared_words(text *out, uint32_t first, uint32_t second, const mod_entry *entry,
                       const plan_shape *shape);
/* "upload a: every element is written first" */
void plan_omission_words(text *out, const plan_omission *o, const mod_entry *entry,
                         const plan_shape *shape);

/* Of a wrapped stream: what becomes of the call while other code captures the stream. */
void plan_capture_words(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape);

#endif
