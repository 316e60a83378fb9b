__global__ void Scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
void LaunchScale(float* x, float by, int n) { Scale<<<(n + 255) / 256, 256>>>(x, by, n); }
