/* SPDX-License-Identifier: Apache-2.0 */
/*
 * facts.c - the table of driver facts. A fact without a clause to rest on does not hold.
 *
 * Sources: "sync" is the CUDA driver API page "API synchronization behavior"; "streams" the CUDA
 * driver API page "Stream synchronization behavior"; "HIP async" the HIP documentation's
 * "Asynchronous concurrent execution"; "VK" the Vulkan 1.3 specification by chapter. No AMD GPU has
 * run this code: the hip column rests on documents alone.
 */
#include "plan/facts.h"

#include <string.h>

const plan_fact_row plan_fact_rows[PLAN_FACT_COUNT] = {
#define PLAN_FACT_ROW_(name, contract, text) { #name, text, contract },
    PLAN_FACTS(PLAN_FACT_ROW_)
#undef PLAN_FACT_ROW_
};

#define YES(fact, clause) .holds[PLAN_FACT_##fact] = true, .source[PLAN_FACT_##fact] = clause
#define NO(fact, clause) .source[PLAN_FACT_##fact] = clause

static const plan_facts tables[] = {
    {
        .name = "cpu",
        .family = PLAN_FAMILY_CPU,
        .max_lanes = 1,
        YES(lane_in_order, "launch_cpu.c runs steps one after another"),
        YES(runs_before_return, "launch_cpu.c joins its workers before it goes on"),
        YES(host_is_device, "tasks are code of this process"),
        YES(wait_covers_earlier, "nothing is ever queued"),
        NO(blocking_upload_waits, "nothing is ever queued"),
        YES(event_rerecord, "an event is a time stamp"),
        YES(access_known, "ir/pass_access.c"),
        NO(host_mapped, "host_is_device says more"),
        NO(device_memory_mapped, "host_is_device says more"),
        NO(blocking_download_drains, "there are no downloads"),
        NO(copies_join_submission, "there are no copies"),
    },
    {
        .name = "cuda",
        .family = PLAN_FAMILY_STREAM,
        .max_lanes = 8,
        YES(lane_in_order, "CUDA: a stream is a queue of work that runs in order"),
        NO(runs_before_return, "sync: kernel launches are asynchronous"),
        NO(host_is_device, "attribute PAGEABLE_MEMORY_ACCESS is 0 where measured"),
        YES(wait_covers_earlier,
            "cuStreamSynchronize: waits until the stream's tasks are completed"),
        YES(blocking_upload_waits, "sync, memcpy 1: a stream sync precedes a pageable copy"),
        YES(event_rerecord, "cuEventRecord: earlier waits are not affected by later calls"),
        YES(access_known, "ir/pass_access.c"),
        YES(host_mapped, "cuMemHostAlloc: unified addressing maps pinned memory"),
        NO(device_memory_mapped, "cuMemAlloc: the host does not use device memory"),
        YES(blocking_download_drains, "sync, memcpy 3: returns only once the copy has completed; "
                                      "streams: the legacy stream is in order"),
        NO(copies_join_submission, "each driver call is its own"),
    },
    {
        .name = "hip",
        .family = PLAN_FAMILY_STREAM,
        .max_lanes = 8,
        YES(lane_in_order, "HIP async: operations of a stream run in order"),
        NO(runs_before_return, "HIP async: kernel launches are asynchronous"),
        NO(host_is_device, "only with XNACK, which is off by default"),
        YES(wait_covers_earlier, "hipStreamSynchronize: waits for all commands in the stream"),
        YES(blocking_upload_waits, "HIP async: hipMemcpy is synchronous with the host"),
        NO(event_rerecord, "hipEventRecord: undefined while the event is pending"),
        YES(access_known, "ir/pass_access.c"),
        YES(host_mapped, "hipHostMalloc: coherent memory is mapped"),
        NO(device_memory_mapped, "only with Resizable BAR, which nothing promises"),
        YES(blocking_download_drains, "HIP async: hipMemcpy on the null stream completes first"),
        NO(copies_join_submission, "each driver call is its own"),
    },
    {
        .name = "vulkan",
        .family = PLAN_FAMILY_QUEUE,
        .max_lanes = 1,
        NO(lane_in_order, "VK 7.2: batches begin in order and may complete out of order"),
        NO(runs_before_return, "vkQueueSubmit returns once the batch is queued"),
        NO(host_is_device, "host pointers need an extension that portability devices lack"),
        YES(wait_covers_earlier,
            "VK 7.4: a semaphore signal covers all earlier commands of the queue"),
        NO(blocking_upload_waits, "uploads are written to mapped memory"),
        YES(event_rerecord, "timeline values only grow"),
        YES(access_known, "ir/pass_access.c"),
        YES(host_mapped, "VK 11.2: a HOST_VISIBLE and HOST_COHERENT memory type always exists"),
        NO(device_memory_mapped, "only where the opened device says so: launch/queue_device.c"),
        NO(blocking_download_drains, "there is no blocking copy"),
        YES(copies_join_submission, "vkCmdCopyBuffer is recorded beside vkCmdDispatch"),
    },
};

const plan_facts *plan_facts_named(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (strcmp(tables[i].name, name) == 0)
            return &tables[i];
    return NULL;
}

bool plan_holds(const plan_facts *facts, plan_fact fact, bool conservative)
{
    return facts->holds[fact] && (plan_fact_rows[fact].contract || !conservative);
}

void plan_facts_print(text *out, const plan_facts *facts)
{
    for (uint32_t f = 0; f < PLAN_FACT_COUNT; f++)
        text_add(out, "%-25s %-3s  %-8s  %s (%s)\n", plan_fact_rows[f].name,
                 facts->holds[f] ? "yes" : "no",
                 plan_fact_rows[f].contract ? "contract" : "elision", plan_fact_rows[f].meaning,
                 facts->source[f] ? facts->source[f] : "no clause");
}
