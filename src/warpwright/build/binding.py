"""The C++ that makes a Python extension of a candidate's C entry."""

from __future__ import annotations

from warpwright.model.task import Task

_TEMPLATE = """\
#include <ATen/core/Tensor.h>
#include <pybind11/stl.h>
#include <torch/csrc/utils/pybind.h>

#include <vector>

extern "C" int {symbol}({parameters});

static void call(const std::vector<at::Tensor>& inputs, const std::vector<at::Tensor>& outputs,
                 const std::vector<int64_t>& dims, int64_t stream) {{
  TORCH_CHECK(inputs.size() == {inputs} && outputs.size() == {outputs} && dims.size() == {dims},
              "{symbol} takes {inputs} inputs, {outputs} outputs and {dims} dimensions");
  for (const auto& tensor : inputs) TORCH_CHECK(tensor.is_contiguous(), "an input has strides");
  for (const auto& tensor : outputs) TORCH_CHECK(tensor.is_contiguous(), "an output has strides");
  const int status = {symbol}({arguments});
  TORCH_CHECK(status == 0, "{symbol} returned ", status);
}}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{ m.def("{symbol}", &call); }}
"""


def torch_binding(task: Task) -> str:
    """A module with one function: `SYMBOL(inputs, outputs, dims, stream)`, `stream` as an int.

    It includes no CUDA header, so it also compiles where there is none.
    """
    inputs, outputs, dims = len(task.inputs), len(task.outputs), len(task.entry.dims)
    parameters = [
        *(f"const void* {spec.name}_in" for spec in task.inputs),
        *(f"void* {spec.name}_out" for spec in task.outputs),
        *(f"int64_t {name}_dim" for name in task.entry.dims),
        "void* stream",
    ]
    arguments = [
        *(f"inputs[{i}].data_ptr()" for i in range(inputs)),
        *(f"outputs[{i}].data_ptr()" for i in range(outputs)),
        *(f"dims[{i}]" for i in range(dims)),
        "reinterpret_cast<void*>(stream)",
    ]
    return _TEMPLATE.format(
        symbol=task.entry.symbol,
        parameters=", ".join(parameters),
        arguments=", ".join(arguments),
        inputs=inputs,
        outputs=outputs,
        dims=dims,
    )
