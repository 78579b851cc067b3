#include <cstdint>

extern "C" __global__ void softmax_rows(const float* x, float* y, int64_t rows, int64_t columns) {
  const int64_t r = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float* in = x + r * columns;
  float* out = y + r * columns;
  float top = in[0], sum = 0.f;
  for (int64_t c = 1; c < columns; ++c) top = fmaxf(top, in[c]);
  for (int64_t c = 0; c < columns; ++c) sum += expf(in[c] - top);
  for (int64_t c = 0; c < columns; ++c) out[c] = expf(in[c] - top) / sum;
}

extern "C" int softmax(const float* x, float* y, int64_t rows, int64_t columns, void* stream) {
  softmax_rows<<<(rows + 127) / 128, 128, 0, (cudaStream_t)stream>>>(x, y, rows, columns);
  return (int)cudaGetLastError();
}
