// One applicant per thread, complete trees of depth 11. A level loads the node, then the feature that it names, then
// knows the child: nothing overlaps. The fix walks eight trees side by side.
#include "../../suite.cuh"

constexpr int APPLICANTS = 264 * 64, TREES = 64, DEPTH = 11, NODES = 1 << DEPTH, FEATURES = 128;

template <int TOGETHER>
__global__ void score(float* out, const float* features, const int* names, const float* limits, const float* leaves) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int tree = 0; tree < TREES; tree += TOGETHER) {
    int node[TOGETHER];
    for (int u = 0; u < TOGETHER; ++u) node[u] = 1;
#pragma unroll 1
    for (int level = 0; level < DEPTH; ++level) {
#pragma unroll
      for (int u = 0; u < TOGETHER; ++u) {
        int at = (tree + u) * NODES + node[u];
        node[u] = 2 * node[u] + (features[names[at] * APPLICANTS + i] > limits[at]);
      }
    }
    for (int u = 0; u < TOGETHER; ++u) sum += leaves[(tree + u) * NODES + node[u] - NODES];
  }
  out[i] = sum;
}

static Case make() {
  size_t nodes = size_t(TREES) * NODES;
  return {{{APPLICANTS, 'f', Fill::Zero, true},
           {size_t(FEATURES) * APPLICANTS, 'f', Fill::Uniform},
           {nodes, 'i', Fill::Random, false, FEATURES},
           {nodes, 'f', Fill::Uniform},
           {nodes, 'f', Fill::Normal}},
          1e-5};
}
static void bad(const Data& d, cudaStream_t s) {
  score<1><<<APPLICANTS / 64, 64, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<int>(2), d.get<float>(3), d.get<float>(4));
}
static void fixed(const Data& d, cudaStream_t s) {
  score<8><<<APPLICANTS / 64, 64, 0, s>>>(d.get<float>(0), d.get<float>(1), d.get<int>(2), d.get<float>(3), d.get<float>(4));
}
