/* SPDX-License-Identifier: Apache-2.0 */
#include "front/lower.h"
void front_check_order(front *f, fdecl *func) { (void)f; (void)func; }
void front_check_pragmas(front *f) { (void)f; }
void front_header_items(front *f, fdecl *kernel) { (void)f; (void)kernel; }
