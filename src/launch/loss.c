/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loss.c - puts together what is told of a lost device, and tells it.
 */
#include "launch/loss.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char unexplained[] = "the device is lost";
static const char heading[] = "not known to have ended, oldest first: ";

enum { TAIL_BYTES = 32 }; /* for ", and N more", and what separates notes */

void loss_list_begin(loss_list *list)
{
    size_t used = strlen(fail_last()->message) + strlen(heading) + TAIL_BYTES;

    *list = (loss_list){ 0 };
    list->room = used < sizeof list->text ? sizeof list->text - used : 0;
}

/* All of the piece, or nothing of it. */
static bool put(loss_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool put(loss_list *list, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int bytes = vsnprintf(list->text + list->used, sizeof list->text - list->used, format, args);
    va_end(args);
    if (bytes < 0 || list->used + (size_t)bytes > list->room) {
        list->text[list->used] = '\0';
        return false;
    }
    list->used += (size_t)bytes;
    return true;
}

/* What leads from the piece before to the next. */
static const char *lead(const loss_list *list)
{
    if (list->used == 0)
        return "";
    return list->other_stream ? "; on another stream " : ", ";
}

/* After one that did not fit nothing is named: what is named is the oldest. */
static void end_name(loss_list *list)
{
    bool fits = false;

    if (!list->last)
        return;
    if (list->omitted == 0 && list->times == 1)
        fits = put(list, "%s%s", lead(list), list->last);
    else if (list->omitted == 0)
        fits = put(list, "%s%s (%" PRIu64 " times)", lead(list), list->last, list->times);
    if (fits)
        list->other_stream = false;
    else
        list->omitted += list->times;
    list->last = NULL;
}

void loss_list_stream(loss_list *list)
{
    end_name(list);
    list->other_stream = true;
}

void loss_list_before(loss_list *list, uint64_t count)
{
    bool fits = false;

    if (count == 0)
        return;
    if (list->omitted == 0 && count == UINT64_MAX)
        fits = put(list, "%searlier ones", lead(list));
    else if (list->omitted == 0)
        fits = put(list, "%s%" PRIu64 " before", lead(list), count);
    if (fits)
        list->other_stream = false;
}

void loss_list_add(loss_list *list, const char *name)
{
    if (list->last && strcmp(list->last, name) == 0) {
        list->times++;
        return;
    }
    end_name(list);
    list->last = name;
    list->times = 1;
}

void loss_note(loss *l, loss_list *list)
{
    bool keep = strcmp(fail_last()->message, unexplained) != 0;
    char more[TAIL_BYTES] = "";

    if (loss_whole(l)) {
        fail_restore(&l->record);
        return;
    }
    end_name(list);
    if (list->omitted > 0)
        snprintf(more, sizeof more, "%s%" PRIu64 " more", list->used > 0 ? ", and " : "",
                 list->omitted);
    if (list->used > 0 || list->omitted > 0)
        fail_note("%s%s%s", heading, list->text, more);
    if (!keep)
        return;
    l->record = *fail_last();
    atomic_store_explicit(&l->whole, true, memory_order_release);
}

slip_status loss_tell(const loss *l)
{
    if (!loss_whole(l))
        return SLIP_FAIL(SLIP_ERR_LOST, "%s", unexplained);
    if (fail_last()->code == SLIP_OK)
        fail_restore(&l->record);
    return SLIP_ERR_LOST;
}
