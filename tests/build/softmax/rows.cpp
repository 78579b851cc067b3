#include <cmath>
#include <cstdint>

extern "C" int softmax(const float* x, float* y, int64_t rows, int64_t columns, void*) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* in = x + r * columns;
    float* out = y + r * columns;
    float top = in[0], sum = 0.f;
    for (int64_t c = 1; c < columns; ++c) top = std::fmax(top, in[c]);
    for (int64_t c = 0; c < columns; ++c) sum += out[c] = std::exp(in[c] - top);
    for (int64_t c = 0; c < columns; ++c) out[c] /= sum;
  }
  return 0;
}
