// Each element's source is found by dividing a 64-bit index by run-time sizes; the fix multiplies by reciprocals.
#include "../../suite.cuh"

constexpr int DIMS = 5, TOTAL = 4 * 16 * 64 * 64 * 64;

struct Layout {
  int64_t size[DIMS], stride[DIMS];
};
struct Layout32 {
  uint32_t size[DIMS], stride[DIMS], multiplier[DIMS], shift[DIMS];
};

__global__ void permuted(float* out, const float* in, Layout layout) {
  int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, rest = i, offset = 0;
  for (int d = DIMS - 1; d >= 0; --d) {
    offset += rest % layout.size[d] * layout.stride[d];
    rest /= layout.size[d];
  }
  out[i] = in[offset];
}

__global__ void permuted_after(float* out, const float* in, Layout32 layout) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, rest = i, offset = 0;
  for (int d = DIMS - 1; d >= 0; --d) {
    uint32_t quotient = (__umulhi(rest, layout.multiplier[d]) + rest) >> layout.shift[d];
    offset += (rest - quotient * layout.size[d]) * layout.stride[d];
    rest = quotient;
  }
  out[i] = in[offset];
}

// From [batch, time, height, width, channel] to [batch, height, width, time, channel].
static Layout layout() { return {{4, 64, 64, 16, 64}, {1 << 22, 4096, 64, 1 << 18, 1}}; }

static Case make() { return {{{TOTAL, 'f', Fill::Zero, true}, {TOTAL, 'f', Fill::Uniform}}, 0}; }
static void bad(const Data& d, cudaStream_t s) {
  permuted<<<TOTAL / 256, 256, 0, s>>>(d.get<float>(0), d.get<float>(1), layout());
}
static void fixed(const Data& d, cudaStream_t s) {
  Layout wide = layout();
  Layout32 l;
  for (int i = 0; i < DIMS; ++i) {
    l.size[i] = wide.size[i], l.stride[i] = wide.stride[i], l.shift[i] = 0;
    while ((1u << l.shift[i]) < l.size[i]) ++l.shift[i];
    l.multiplier[i] = uint32_t((uint64_t(1) << 32) * ((uint64_t(1) << l.shift[i]) - l.size[i]) / l.size[i] + 1);
  }
  permuted_after<<<TOTAL / 256, 256, 0, s>>>(d.get<float>(0), d.get<float>(1), l);
}
