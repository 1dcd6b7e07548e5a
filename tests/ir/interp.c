/* SPDX-License-Identifier: Apache-2.0 */
typedef int interp_nothing;
