// The frame of a CUDA case: inputs, comparison, timing, and one profiled call.
//
// A case includes this file and defines
//     static void bad(const Data& d, cudaStream_t s);     // launches that have the planted cause
//     static void fixed(const Data& d, cudaStream_t s);   // the same function without it
//     static Case make();                                 // sizes, kinds and seeds of its buffers
// Its program: `CASE time` prints one JSON line with both medians and the largest difference;
// `CASE bad` and `CASE fixed` make one warm call, and then one between cudaProfilerStart and Stop.
#pragma once
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CUDA_CHECK(call)                                                                  \
  do {                                                                                    \
    cudaError_t error_ = (call);                                                          \
    if (error_ != cudaSuccess) {                                                          \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
      std::exit(3);                                                                       \
    }                                                                                     \
  } while (0)

enum class Fill { Zero, Uniform, Normal, Index, Random };  // Index: 0, 1, 2 ...; Random: integers below `range`

// One device buffer. `of`: 'f' float, 'd' double, 'h' half (2 bytes), 'i' int32, 'b' bytes.
struct Buffer {
  size_t count;
  char of;
  Fill fill;
  bool output = false;  // cleared before each call, and compared
  uint32_t range = 1;   // of Random
};

struct Case {
  std::vector<Buffer> buffers;
  double tolerance = 1e-5;  // of the largest difference, relative to the largest value
};

struct Data {
  std::vector<void*> at;
  std::vector<size_t> counts;
  template <typename T>
  T* get(int i) const {
    return static_cast<T*>(at[i]);
  }
  int count(int i) const { return static_cast<int>(counts[i]); }
};

static void bad(const Data& d, cudaStream_t s);
static void fixed(const Data& d, cudaStream_t s);
static Case make();

namespace suite {

inline size_t width(char of) { return of == 'd' ? 8 : of == 'h' ? 2 : of == 'b' ? 1 : 4; }

inline uint32_t next(uint64_t& state) {  // an LCG is random enough for inputs
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<uint32_t>(state >> 33);
}

inline uint16_t half_bits(float x) {  // of normal numbers, rounded toward zero
  uint32_t b;
  std::memcpy(&b, &x, 4);
  int e = static_cast<int>((b >> 23) & 255) - 127 + 15;
  if (e <= 0) return 0;
  return static_cast<uint16_t>((b >> 16 & 0x8000) | e << 10 | (b >> 13 & 1023));
}

inline double half_value(uint16_t h) {
  int e = h >> 10 & 31;
  double m = e ? 1.0 + (h & 1023) / 1024.0 : (h & 1023) / 512.0;
  return (h & 0x8000 ? -1 : 1) * std::ldexp(m, e - 15);
}

inline std::vector<char> filled(const Buffer& b, uint64_t seed) {
  std::vector<char> bytes(b.count * width(b.of), 0);
  if (b.fill == Fill::Zero) return bytes;
  uint64_t state = seed;
  for (size_t i = 0; i < b.count; ++i) {
    uint32_t r = next(state);
    double u = r / 2147483648.0;
    double x = b.fill == Fill::Index    ? static_cast<double>(i)
               : b.fill == Fill::Random ? static_cast<double>(r % b.range)
               : b.fill == Fill::Normal ? std::sqrt(-2 * std::log(1 - u)) * std::cos(6.283185307 * (next(state) / 2147483648.0))
                                        : u;
    char* to = bytes.data() + i * width(b.of);
    if (b.of == 'f') { float v = static_cast<float>(x); std::memcpy(to, &v, 4); }
    else if (b.of == 'd') std::memcpy(to, &x, 8);
    else if (b.of == 'h') { uint16_t v = half_bits(static_cast<float>(x)); std::memcpy(to, &v, 2); }
    else if (b.of == 'i') { int32_t v = static_cast<int32_t>(x); std::memcpy(to, &v, 4); }
    else *to = static_cast<char>(static_cast<int>(x));
  }
  return bytes;
}

inline double value(const char* at, char of) {
  if (of == 'f') { float v; std::memcpy(&v, at, 4); return v; }
  if (of == 'd') { double v; std::memcpy(&v, at, 8); return v; }
  if (of == 'h') { uint16_t v; std::memcpy(&v, at, 2); return half_value(v); }
  if (of == 'i') { int32_t v; std::memcpy(&v, at, 4); return v; }
  return static_cast<unsigned char>(*at);
}

typedef void (*Version)(const Data&, cudaStream_t);

inline void clear(const Case& c, const Data& d, cudaStream_t s) {
  for (size_t i = 0; i < c.buffers.size(); ++i)
    if (c.buffers[i].output) CUDA_CHECK(cudaMemsetAsync(d.at[i], 0, c.buffers[i].count * width(c.buffers[i].of), s));
}

inline std::vector<std::vector<char>> outputs(const Case& c, const Data& d, Version run, cudaStream_t s) {
  clear(c, d, s);
  run(d, s);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaStreamSynchronize(s));
  std::vector<std::vector<char>> found;
  for (size_t i = 0; i < c.buffers.size(); ++i) {
    if (!c.buffers[i].output) continue;
    std::vector<char> bytes(c.buffers[i].count * width(c.buffers[i].of));
    CUDA_CHECK(cudaMemcpy(bytes.data(), d.at[i], bytes.size(), cudaMemcpyDeviceToHost));
    found.push_back(bytes);
  }
  return found;
}

// Median over `rounds` of one call in ns, the L2 cache flushed before each by writing 256 MiB.
inline double median_ns(const Case& c, const Data& d, Version run, void* flush, cudaStream_t s, int rounds) {
  std::vector<float> times;
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  for (int i = 0; i < rounds; ++i) {
    clear(c, d, s);
    CUDA_CHECK(cudaMemsetAsync(flush, i, 256 << 20, s));
    CUDA_CHECK(cudaEventRecord(start, s));
    run(d, s);
    CUDA_CHECK(cudaEventRecord(stop, s));
    CUDA_CHECK(cudaStreamSynchronize(s));
    float ms;
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] * 1e6;
}

inline int run(const char* what) {
  Case c = make();
  Data d;
  for (size_t i = 0; i < c.buffers.size(); ++i) {
    std::vector<char> bytes = filled(c.buffers[i], 1 + i);
    void* at;
    CUDA_CHECK(cudaMalloc(&at, bytes.size()));
    CUDA_CHECK(cudaMemcpy(at, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    d.at.push_back(at);
    d.counts.push_back(c.buffers[i].count);
  }
  cudaStream_t s;
  CUDA_CHECK(cudaStreamCreate(&s));
  if (std::strcmp(what, "time") != 0) {
    Version version = std::strcmp(what, "fixed") == 0 ? fixed : bad;
    for (int i = 0; i < 2; ++i) {
      clear(c, d, s);
      CUDA_CHECK(cudaStreamSynchronize(s));
      if (i == 1) CUDA_CHECK(cudaProfilerStart());
      version(d, s);
      CUDA_CHECK(cudaGetLastError());
      CUDA_CHECK(cudaStreamSynchronize(s));
    }
    CUDA_CHECK(cudaProfilerStop());
    return 0;
  }
  auto one = outputs(c, d, bad, s), other = outputs(c, d, fixed, s);
  double largest = 0, difference = 0;
  size_t k = 0;
  for (const Buffer& b : c.buffers) {
    if (!b.output) continue;
    for (size_t i = 0; i < b.count; ++i) {
      double x = value(one[k].data() + i * width(b.of), b.of), y = value(other[k].data() + i * width(b.of), b.of);
      largest = std::max(largest, std::fabs(x));
      double apart = std::fabs(x - y);
      if (!(apart <= difference)) difference = apart;  // NaN stays
    }
    ++k;
  }
  void* flush;
  CUDA_CHECK(cudaMalloc(&flush, 256 << 20));
  median_ns(c, d, bad, flush, s, 3);
  median_ns(c, d, fixed, flush, s, 3);
  std::vector<double> bads, fixeds;
  for (int i = 0; i < 5; ++i) {  // in turn, so that a drift of clocks meets both
    bads.push_back(median_ns(c, d, bad, flush, s, 9));
    fixeds.push_back(median_ns(c, d, fixed, flush, s, 9));
  }
  std::sort(bads.begin(), bads.end());
  std::sort(fixeds.begin(), fixeds.end());
  double relative = largest > 0 ? difference / largest : difference;
  bool same = largest > 0 && relative <= c.tolerance;
  std::printf("{\"bad_ns\": %.0f, \"fixed_ns\": %.0f, \"difference\": %.3g, \"same\": %s}\n", bads[2], fixeds[2],
              relative, same ? "true" : "false");
  return same ? 0 : 1;
}

}  // namespace suite

int main(int count, char** words) { return suite::run(count > 1 ? words[1] : "time"); }
