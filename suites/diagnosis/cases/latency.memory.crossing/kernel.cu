// The loop may stop at each row, so a row is only fetched when the one before has come; the fix fetches eight at once.
#include "../../suite.cuh"

constexpr int COLUMNS = 132 * 2048, ROWS = 256, BLOCK = 256, AHEAD = 8;
constexpr float LIMIT = 100.0f;  // reached after about 200 rows

__global__ void first_crossing(int* out, const float* steps, int rows, int columns) {
  int column = blockIdx.x * BLOCK + threadIdx.x, row = 0;
  float level = 0.0f;
  for (; row < rows; ++row) {
    level += steps[row * columns + column];
    if (level >= LIMIT) break;
  }
  out[column] = row;
}

__global__ void first_crossing_after(int* out, const float* steps, int rows, int columns) {
  int column = blockIdx.x * BLOCK + threadIdx.x, row = 0;
  float level = 0.0f;
  for (bool found = false; row < rows && !found;) {
    float ahead[AHEAD];
    for (int i = 0; i < AHEAD; ++i) ahead[i] = steps[(row + i) * columns + column];
    for (int i = 0; i < AHEAD; ++i) {
      level += found ? 0.0f : ahead[i];
      found |= level >= LIMIT;
      row += !found;
    }
  }
  out[column] = row;
}

static Case make() {
  return {{{COLUMNS, 'i', Fill::Zero, true}, {size_t(ROWS) * COLUMNS, 'f', Fill::Uniform}}, 0};
}
static void bad(const Data& d, cudaStream_t s) {
  first_crossing<<<COLUMNS / BLOCK, BLOCK, 0, s>>>(d.get<int>(0), d.get<float>(1), ROWS, COLUMNS);
}
static void fixed(const Data& d, cudaStream_t s) {
  first_crossing_after<<<COLUMNS / BLOCK, BLOCK, 0, s>>>(d.get<int>(0), d.get<float>(1), ROWS, COLUMNS);
}
