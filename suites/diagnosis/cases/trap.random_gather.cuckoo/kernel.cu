// Keys looked up in a cuckoo table of 16 one-byte fingerprints to a bucket, two random buckets to a key: inherent. The
// tempting change has two keys to a thread.
#include "../../suite.cuh"

constexpr int BUCKETS = 1 << 24, KEYS = 1 << 23, BLOCK = 256;

__device__ unsigned hash(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ int matches(uint4 bucket, unsigned print) {  // a bit for each byte that equals it
  return __vcmpeq4(bucket.x, print) & 0x01010101 | __vcmpeq4(bucket.y, print) & 0x02020202 |
         __vcmpeq4(bucket.z, print) & 0x04040404 | __vcmpeq4(bucket.w, print) & 0x08080808;
}

template <int EACH>
__global__ void probe(int* __restrict__ out, const uint4* __restrict__ table, const unsigned* __restrict__ keys) {
  int at = blockIdx.x * BLOCK * EACH + threadIdx.x;
  unsigned print[EACH];
  uint4 one[EACH], two[EACH];
#pragma unroll
  for (int u = 0; u < EACH; ++u) {
    unsigned h = hash(keys[at + u * BLOCK]), first = h % BUCKETS;
    print[u] = (h >> 24) * 0x01010101u;
    one[u] = table[first];
    two[u] = table[(first ^ hash(print[u])) % BUCKETS];
  }
#pragma unroll
  for (int u = 0; u < EACH; ++u) out[at + u * BLOCK] = matches(one[u], print[u]) | matches(two[u], print[u]) << 4;
}

static Case make() {
  return {{{KEYS, 'i', Fill::Zero, true}, {size_t(BUCKETS) * 16, 'b', Fill::Random, false, 256},
           {KEYS, 'i', Fill::Random, false, 1u << 31}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  probe<1><<<KEYS / BLOCK, BLOCK, 0, s>>>(d.get<int>(0), d.get<uint4>(1), d.get<unsigned>(2));
}
static void fixed(const Data& d, cudaStream_t s) {
  probe<2><<<KEYS / BLOCK / 2, BLOCK, 0, s>>>(d.get<int>(0), d.get<uint4>(1), d.get<unsigned>(2));
}
