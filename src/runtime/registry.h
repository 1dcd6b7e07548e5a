/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry.h - the devices that are open in this process, and what a fork does to them.
 */
#ifndef SLIPWAY_RUNTIME_REGISTRY_H
#define SLIPWAY_RUNTIME_REGISTRY_H

#include "runtime/objects.h"

/* Gives the device its id and lists it; the first call installs the handlers for fork. MEMORY
 * where they cannot be. */
slip_status registry_add(slip_device *device) SLIP_MUST_USE;
void registry_remove(slip_device *device);

#endif
