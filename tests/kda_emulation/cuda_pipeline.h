// The copies are made at once: see cuda_runtime.h.
#pragma once
#include <cuda_runtime.h>
