/* SPDX-License-Identifier: Apache-2.0 */
/* saxpy.cu - the task of examples/saxpy.c, as CUDA C++. */
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = a * x[i] + y[i];
}
