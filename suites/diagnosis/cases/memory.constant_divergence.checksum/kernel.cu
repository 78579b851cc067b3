// Each lane's own byte selects an entry of a table in constant memory, a replay for each; shared memory has 32 banks.
#include "../../suite.cuh"

constexpr int RECORDS = 1 << 20, WORDS = 16, BLOCK = 256;  // word w of record r is at w * RECORDS + r

struct Table {
  uint32_t at[256];
  constexpr Table() : at() {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
      at[i] = c;
    }
  }
};
__constant__ Table table;
__device__ Table table_in_memory;

template <typename Lookup>
__device__ uint32_t crc_of(const uint32_t* records, int r, Lookup lookup) {
  uint32_t crc = 0xffffffffu;
#pragma unroll 4
  for (int w = 0; w < WORDS; ++w) {
    crc ^= records[w * RECORDS + r];
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) crc = crc >> 8 ^ lookup(crc & 255);
  }
  return ~crc;
}

__global__ void checksums(uint32_t* out, const uint32_t* records) {
  int r = blockIdx.x * BLOCK + threadIdx.x;
  out[r] = crc_of(records, r, [](uint32_t i) { return table.at[i]; });
}

__global__ void checksums_after(uint32_t* out, const uint32_t* records) {
  __shared__ uint32_t entries[256];
  entries[threadIdx.x] = table_in_memory.at[threadIdx.x];
  __syncthreads();
  int r = blockIdx.x * BLOCK + threadIdx.x;
  out[r] = crc_of(records, r, [&](uint32_t i) { return entries[i]; });
}

static Case make() {
  return {{{RECORDS, 'i', Fill::Zero, true}, {size_t(RECORDS) * WORDS, 'i', Fill::Random, false, 1u << 31}}, 0.0};
}
static void bad(const Data& d, cudaStream_t s) {
  checksums<<<RECORDS / BLOCK, BLOCK, 0, s>>>(d.get<uint32_t>(0), d.get<uint32_t>(1));
}
static void fixed(const Data& d, cudaStream_t s) {
  checksums_after<<<RECORDS / BLOCK, BLOCK, 0, s>>>(d.get<uint32_t>(0), d.get<uint32_t>(1));
}
