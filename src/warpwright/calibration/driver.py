"""The CUDA driver's own interface (libcuda), as far as a calibration needs it: no toolkit.

Names with `_v2` are those that cuda.h of CUDA 11 to 13 maps the plain ones to. Handles are
pointers, device addresses 64-bit numbers.
"""

from __future__ import annotations

import ctypes
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p
from dataclasses import dataclass

from warpwright.errors import EnvironmentFault, NoGpu

_SM_COUNT, _L2_BYTES, _MAJOR, _MINOR = 16, 38, 75, 76  # CUdevice_attribute
_ERROR_LOG, _ERROR_LOG_BYTES = 5, 6  # CUjit_option
_LOG_BYTES = 4096
_HINT = "`nvidia-smi` says whether a GPU and its driver are here; a container needs --gpus all"
_SIGNATURES = {
    "cuInit": [c_uint],
    "cuDriverGetVersion": [POINTER(c_int)],
    "cuDeviceGetCount": [POINTER(c_int)],
    "cuDeviceGet": [POINTER(c_int), c_int],
    "cuDeviceGetName": [c_char_p, c_int, c_int],
    "cuDeviceGetUuid_v2": [c_char_p, c_int],
    "cuDeviceGetAttribute": [POINTER(c_int), c_int, c_int],
    "cuDevicePrimaryCtxRetain": [POINTER(c_void_p), c_int],
    "cuDevicePrimaryCtxRelease_v2": [c_int],
    "cuCtxSetCurrent": [c_void_p],
    "cuMemGetInfo_v2": [POINTER(c_size_t), POINTER(c_size_t)],
    "cuMemAlloc_v2": [POINTER(c_uint64), c_size_t],
    "cuMemFree_v2": [c_uint64],
    "cuMemsetD32Async": [c_uint64, c_uint, c_size_t, c_void_p],
    "cuMemcpyDtoDAsync_v2": [c_uint64, c_uint64, c_size_t, c_void_p],
    "cuStreamCreate": [POINTER(c_void_p), c_uint],
    "cuStreamSynchronize": [c_void_p],
    "cuStreamDestroy_v2": [c_void_p],
    "cuEventCreate": [POINTER(c_void_p), c_uint],
    "cuEventRecord": [c_void_p, c_void_p],
    "cuEventSynchronize": [c_void_p],
    "cuEventElapsedTime": [POINTER(c_float), c_void_p, c_void_p],
    "cuEventDestroy_v2": [c_void_p],
    "cuModuleLoadDataEx": [
        POINTER(c_void_p),
        c_char_p,
        c_uint,
        POINTER(c_int),
        POINTER(c_void_p),
    ],
    "cuModuleGetFunction": [POINTER(c_void_p), c_void_p, c_char_p],
    "cuModuleUnload": [c_void_p],
    "cuLaunchKernel": [c_void_p] + [c_uint] * 7 + [c_void_p, POINTER(c_void_p), POINTER(c_void_p)],
    "cuGetErrorName": [c_int, POINTER(c_char_p)],
    "cuGetErrorString": [c_int, POINTER(c_char_p)],
}


class DriverError(Exception):
    """A call of the driver failed: its name, the error's, and what a compilation said."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a device is. `driver` is the CUDA version it supports, as 13.0."""

    name: str
    uuid: str
    compute_capability: tuple[int, int]
    sm_count: int
    l2_bytes: int
    driver: str


class Gpu:
    """A device with a current context and a stream of its own (see `open_gpu`)."""

    def __init__(self, library: ctypes.CDLL, device: int) -> None:
        self._library = library
        self.facts = _facts(library, device)
        self._stream = c_void_p()
        call(library, "cuStreamCreate", byref(self._stream), 0)

    def free_bytes(self) -> int:
        """Device memory that is free."""
        free, total = c_size_t(), c_size_t()
        call(self._library, "cuMemGetInfo_v2", byref(free), byref(total))
        return free.value

    @contextmanager
    def memory(self, size: int) -> Iterator[int]:
        """The address of so many bytes (a multiple of 4), filled with a pattern."""
        address = c_uint64()
        call(self._library, "cuMemAlloc_v2", byref(address), size)
        try:
            words = size // 4
            call(self._library, "cuMemsetD32Async", address, 0x3F9D70A4, words, self._stream)
            self.wait()
            yield address.value
        finally:
            self._library.cuMemFree_v2(address)

    @contextmanager
    def kernel(self, text: str, name: str) -> Iterator[c_void_p]:
        """Compile PTX and find a kernel in it.

        Raises:
            DriverError: with the first line of what the compiler said.
        """
        log = ctypes.create_string_buffer(_LOG_BYTES)
        options = (c_int * 2)(_ERROR_LOG, _ERROR_LOG_BYTES)
        values = (c_void_p * 2)(ctypes.addressof(log), _LOG_BYTES)
        module, function = c_void_p(), c_void_p()
        try:
            load = (byref(module), text.encode(), 2, options, values)
            call(self._library, "cuModuleLoadDataEx", *load)
        except DriverError as error:
            said = log.value.decode(errors="replace").strip().partition("\n")[0]
            raise DriverError(f"{error}: {said}" if said else str(error)) from None
        try:
            call(self._library, "cuModuleGetFunction", byref(function), module, name.encode())
            yield function
        finally:
            self._library.cuModuleUnload(module)

    def launch(
        self, function: c_void_p, blocks: int, threads: int, first: int, second: int, loops: int
    ) -> None:
        """Enqueue a kernel of the three parameters that all of ours have."""
        parameters = (c_uint64(first), c_uint64(second), c_uint(loops))
        pointers = (c_void_p * 3)(*(ctypes.addressof(one) for one in parameters))
        shape = (blocks, 1, 1, threads, 1, 1, 0)
        call(self._library, "cuLaunchKernel", function, *shape, self._stream, pointers, None)

    def copy(self, target: int, source: int, size: int) -> None:
        """Enqueue the driver's own copy."""
        call(self._library, "cuMemcpyDtoDAsync_v2", target, source, size, self._stream)

    def wait(self) -> None:
        """Until all that was enqueued is done."""
        call(self._library, "cuStreamSynchronize", self._stream)

    def time_ns(self, work: Callable[[], None], before: Callable[[], None] | None = None) -> float:
        """Nanoseconds between two events around what `work` enqueues.

        Args:
            work: enqueues, and does not wait.
            before: enqueues what runs ahead of the first event.
        """
        start, end = c_void_p(), c_void_p()
        call(self._library, "cuEventCreate", byref(start), 0)
        try:
            call(self._library, "cuEventCreate", byref(end), 0)
            try:
                if before is not None:
                    before()
                call(self._library, "cuEventRecord", start, self._stream)
                work()
                call(self._library, "cuEventRecord", end, self._stream)
                call(self._library, "cuEventSynchronize", end)
                took_ms = c_float()
                call(self._library, "cuEventElapsedTime", byref(took_ms), start, end)
                return took_ms.value * 1e6
            finally:
                self._library.cuEventDestroy_v2(end)
        finally:
            self._library.cuEventDestroy_v2(start)

    def close(self) -> None:
        """Give the stream back."""
        self._library.cuStreamDestroy_v2(self._stream)


def call(library: ctypes.CDLL, name: str, *arguments: object) -> None:
    """Call the driver.

    Raises:
        DriverError: it did not answer CUDA_SUCCESS.
    """
    code = getattr(library, name)(*arguments)
    if code:
        text = c_char_p()
        library.cuGetErrorName(code, byref(text))
        raise DriverError(f"{name}: {(text.value or str(code).encode()).decode()}")


@contextmanager
def open_gpu(index: int) -> Iterator[Gpu]:
    """A device, its primary context made current and released at the end.

    Raises:
        NoGpu: there is no driver, no device, or none of this number.
    """
    library = _load()
    context = c_void_p()
    try:
        call(library, "cuInit", 0)
        device = _device(library, index)
        call(library, "cuDevicePrimaryCtxRetain", byref(context), device)
    except DriverError as error:
        raise NoGpu(f"no CUDA device can be used here ({error})", hint=_HINT) from None
    try:
        call(library, "cuCtxSetCurrent", context)
        gpu = Gpu(library, device)
        try:
            yield gpu
        finally:
            gpu.close()
    except DriverError as error:
        raise EnvironmentFault(f"the CUDA driver refuses: {error}", hint=_HINT) from None
    finally:
        library.cuDevicePrimaryCtxRelease_v2(device)


def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libcuda.so.1")
        for name, arguments in _SIGNATURES.items():
            function = getattr(library, name)
            function.argtypes, function.restype = arguments, c_int
    except OSError:
        raise NoGpu("no CUDA driver is here (libcuda.so.1)", hint=_HINT) from None
    except AttributeError as error:
        raise NoGpu(f"the CUDA driver is too old: {error}", hint="install a newer one") from None
    return library


def _device(library: ctypes.CDLL, index: int) -> int:
    count, device = c_int(), c_int()
    call(library, "cuDeviceGetCount", byref(count))
    if not 0 <= index < count.value:
        last = f"0 to {count.value - 1}" if count.value > 1 else "only 0"
        raise NoGpu(
            f"there is no CUDA device {index}" if count.value else "there is no CUDA device",
            hint=f"--device N: {last}" if count.value else _HINT,
        )
    call(library, "cuDeviceGet", byref(device), index)
    return device.value


def _facts(library: ctypes.CDLL, device: int) -> Facts:
    def attribute(number: int) -> int:
        value = c_int()
        call(library, "cuDeviceGetAttribute", byref(value), number, device)
        return value.value

    name, identity, version = ctypes.create_string_buffer(256), (ctypes.c_char * 16)(), c_int()
    call(library, "cuDeviceGetName", name, 256, device)
    call(library, "cuDeviceGetUuid_v2", identity, device)
    call(library, "cuDriverGetVersion", byref(version))
    return Facts(
        name=name.value.decode(errors="replace"),
        uuid=f"GPU-{uuid.UUID(bytes=identity.raw)}",
        compute_capability=(attribute(_MAJOR), attribute(_MINOR)),
        sm_count=attribute(_SM_COUNT),
        l2_bytes=attribute(_L2_BYTES),
        driver=f"{version.value // 1000}.{version.value % 1000 // 10}",
    )
