static texture<float, cudaTextureType2D, cudaReadModeElementType> source;
__global__ void Warp(float* out, int w) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * w + x] = tex2D(source, x + 0.5f, y + 0.5f);
}
void Bind(cudaArray* a) { cudaBindTextureToArray(source, a); }
