#include <cstddef>
int quantize(const float* data, std::size_t n);
int main() { float x[4] = {1, 2, 3, 4}; return quantize(x, 4); }
