/* SPDX-License-Identifier: Apache-2.0 */
/* heat.cu - the two tasks of examples/heat.c, as CUDA C++. */
extern "C" __global__ void heat_step(int n, float k, const float *u, float *next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        int l = i > 0 ? i - 1 : 0;
        int r = i < n - 1 ? i + 1 : n - 1;
        next[i] = u[i] + k * (u[l] - 2 * u[i] + u[r]);
    }
}

extern "C" __global__ void heat_copy(int n, const float *next, float *u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        u[i] = next[i];
}
