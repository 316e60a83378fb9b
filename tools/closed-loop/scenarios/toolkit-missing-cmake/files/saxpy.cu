#include <cstdio>
#include <cstring>
__global__ void Saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main(int argc, char** argv) {
  if (argc > 1 && !std::strcmp(argv[1], "--version")) return std::puts("saxpy 1"), 0;
  Saxpy<<<1, 32>>>(0, 1.0f, nullptr, nullptr);
  return 0;
}
