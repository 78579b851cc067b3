// An optimizer's step, tensor by tensor: each launch moves 1.3 MB and lasts as long as a launch takes. The fix gives
// the list of tensors to one launch.
#include "../../suite.cuh"

constexpr int TENSORS = 32, EACH = 1 << 16, THREADS = 256;
constexpr float RATE = 0.01f, MOMENTUM = 0.9f, DECAY = 1e-4f;

struct Tensor {
  float *out, *velocity_out;
  const float *weight, *velocity, *gradient;
};
struct Tensors {
  Tensor of[TENSORS];
};

__device__ void step(const Tensor& t, int i) {
  float w = t.weight[i], v = MOMENTUM * t.velocity[i] + t.gradient[i] + DECAY * w;
  t.velocity_out[i] = v;
  t.out[i] = w - RATE * v;
}

__global__ void momentum_step(Tensor t) { step(t, blockIdx.x * THREADS + threadIdx.x); }

__global__ void momentum_step_after(__grid_constant__ const Tensors t) {
  step(t.of[blockIdx.y], blockIdx.x * THREADS + threadIdx.x);
}

static Tensor tensor(const Data& d, int k) {
  size_t at = size_t(k) * EACH;
  return {d.get<float>(0) + at, d.get<float>(1) + at, d.get<float>(2) + at, d.get<float>(3) + at, d.get<float>(4) + at};
}

static Case make() {
  size_t all = size_t(TENSORS) * EACH;
  return {{{all, 'f', Fill::Zero, true},
           {all, 'f', Fill::Zero, true},
           {all, 'f', Fill::Normal},
           {all, 'f', Fill::Normal},
           {all, 'f', Fill::Normal}},
          1e-6};
}
static void bad(const Data& d, cudaStream_t s) {
  for (int k = 0; k < TENSORS; ++k) momentum_step<<<EACH / THREADS, THREADS, 0, s>>>(tensor(d, k));
}
static void fixed(const Data& d, cudaStream_t s) {
  Tensors all;
  for (int k = 0; k < TENSORS; ++k) all.of[k] = tensor(d, k);
  momentum_step_after<<<dim3(EACH / THREADS, TENSORS), THREADS, 0, s>>>(all);
}
