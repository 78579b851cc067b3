// The number of states is an argument, so the path metrics are indexed in local memory. The fix makes it a constant:
// unrolled, and the metrics in registers.
#include "../../suite.cuh"

constexpr int WORDS = 1 << 17, STEPS = 96, BLOCK = 256, STATES = 16;

// Add, compare, select for one received pair of soft bits; returns a bit for each state's survivor.
__device__ __forceinline__ unsigned advance(float* fresh, const float* old, float a, float b, unsigned one, unsigned two,
                                            int states) {
  unsigned chosen = 0;
#pragma unroll
  for (int s = 0; s < states; ++s) {
    float m = (one >> s & 1 ? -a : a) + (two >> s & 1 ? -b : b);
    float low = old[s >> 1] + m, high = old[(s + states) >> 1] - m;
    fresh[s] = fmaxf(low, high);
    chosen |= (high > low) << s;
  }
  return chosen;
}

__device__ __forceinline__ void decode(unsigned* out, const float* first, const float* second, unsigned one,
                                       unsigned two, int states) {
  int at = blockIdx.x * BLOCK + threadIdx.x;
  float metric[STATES] = {}, fresh[STATES];
  for (int t = 0; t < STEPS; t += 2) {
    int here = at + t * WORDS, after = here + WORDS;
    unsigned low = advance(fresh, metric, first[here], second[here], one, two, states);
    unsigned high = advance(metric, fresh, first[after], second[after], one, two, states);
    out[at + t / 2 * WORDS] = low | high << 16;
  }
}

__global__ void viterbi(unsigned* __restrict__ out, const float* __restrict__ first, const float* __restrict__ second,
                        unsigned one, unsigned two, int states) {
  decode(out, first, second, one, two, states);
}

__global__ void viterbi_after(unsigned* __restrict__ out, const float* __restrict__ first,
                              const float* __restrict__ second, unsigned one, unsigned two) {
  decode(out, first, second, one, two, STATES);
}

static Case make() {
  Buffer soft = {WORDS * STEPS, 'f', Fill::Normal};
  return {{{WORDS * STEPS / 2, 'i', Fill::Zero, true}, soft, soft}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  viterbi<<<WORDS / BLOCK, BLOCK, 0, s>>>(d.get<unsigned>(0), d.get<float>(1), d.get<float>(2), 0x5a96, 0x3c69, STATES);
}
static void fixed(const Data& d, cudaStream_t s) {
  viterbi_after<<<WORDS / BLOCK, BLOCK, 0, s>>>(d.get<unsigned>(0), d.get<float>(1), d.get<float>(2), 0x5a96, 0x3c69);
}
