/* SPDX-License-Identifier: Apache-2.0 */
/* matvec.cu - the task of bench/cuda/matvec.c, as CUDA C++. */
extern "C" __global__ void matvec(int n, int m, const float *a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j < m; ++j)
        sum += a[(size_t)i * m + j] * x[j];
    y[i] = sum;
}
