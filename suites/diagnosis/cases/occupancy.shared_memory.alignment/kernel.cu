// A warp aligns a pair of sequences along the anti-diagonals, eight rows to a lane, and keeps the direction of each cell
// in shared memory for the way back. The fix packs four directions into a byte.
#include "../../suite.cuh"

constexpr int PAIRS = 132 * 39, LENGTH = 256, ROWS = LENGTH / 32, MATCH = 2, OTHER = -1, GAP = -2;

struct Bytes {  // a direction to a byte
  static constexpr int SIZE = LENGTH * LENGTH;
  static __device__ void put(char* at, int column, int lane, const int (&way)[ROWS]) {
    uint2 w = {0, 0};
#pragma unroll
    for (int r = 0; r < ROWS / 2; ++r) w.x |= way[r] << 8 * r, w.y |= way[r + 4] << 8 * r;
    reinterpret_cast<uint2*>(at)[column * 32 + lane] = w;
  }
  static __device__ int get(const char* at, int column, int row) { return at[column * LENGTH + row]; }
};

struct Pairs {  // two bits to a direction
  static constexpr int SIZE = LENGTH * LENGTH / 4;
  static __device__ void put(char* at, int column, int lane, const int (&way)[ROWS]) {
    int w = 0;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) w |= way[r] << 2 * r;
    reinterpret_cast<uint16_t*>(at)[column * 32 + lane] = w;
  }
  static __device__ int get(const char* at, int column, int row) {
    return at[column * (LENGTH / 4) + row / 4] >> row % 4 * 2 & 3;
  }
};

template <typename Ways>
__global__ __launch_bounds__(32) void align(int* out, const unsigned char* left, const unsigned char* right) {
  extern __shared__ char ways[];
  int lane = threadIdx.x;
  const unsigned char *a = left + blockIdx.x * LENGTH, *b = right + blockIdx.x * LENGTH;
  int letter[ROWS], score[ROWS], way[ROWS], corner = lane * ROWS * GAP, coming = 0;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) letter[r] = a[lane * ROWS + r], score[r] = (lane * ROWS + r + 1) * GAP;
#pragma unroll 1
  for (int step = 0; step < LENGTH + 31; ++step) {
    int column = step - lane, above = __shfl_up_sync(0xffffffffu, coming, 1);
    if (lane == 0) above = (column + 1) * GAP;
    if (column < 0 || column >= LENGTH) continue;
    int across = corner, other = b[column];
    corner = above;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      int both = across + (letter[r] == other ? MATCH : OTHER), best = max(both, max(above, score[r]) + GAP);
      way[r] = best == both ? 0 : best == above + GAP ? 1 : 2;
      across = score[r];
      score[r] = above = best;
    }
    coming = above;
    Ways::put(ways, column, lane, way);
  }
  __syncwarp();
  if (lane != 31) return;
  int row = LENGTH - 1, column = LENGTH - 1, same = 0, length = 0;
  while (row >= 0 && column >= 0) {
    int w = Ways::get(ways, column, row);
    if (w == 0) same += a[row] == b[column];
    if (w != 2) --row;
    if (w != 1) --column;
    ++length;
  }
  out[blockIdx.x * 3] = score[ROWS - 1];
  out[blockIdx.x * 3 + 1] = same;
  out[blockIdx.x * 3 + 2] = length + row + column + 2;
}

template <typename Ways>
static void launch(const Data& d, cudaStream_t s) {
  CUDA_CHECK(cudaFuncSetAttribute(align<Ways>, cudaFuncAttributeMaxDynamicSharedMemorySize, Ways::SIZE));
  align<Ways><<<PAIRS, 32, Ways::SIZE, s>>>(d.get<int>(0), d.get<unsigned char>(1), d.get<unsigned char>(2));
}

static Case make() {
  size_t letters = size_t(PAIRS) * LENGTH;
  return {{{PAIRS * 3, 'i', Fill::Zero, true}, {letters, 'b', Fill::Random, false, 4}, {letters, 'b', Fill::Random, false, 4}}, 0};
}
static void bad(const Data& d, cudaStream_t s) { launch<Bytes>(d, s); }
static void fixed(const Data& d, cudaStream_t s) { launch<Pairs>(d, s); }
