#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/transform_reduce.h>
struct Square : public thrust::unary_function<float, float> {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
float Norm(const thrust::device_vector<float>& v) { return thrust::transform_reduce(v.begin(), v.end(), Square(), 0.0f, thrust::plus<float>()); }
