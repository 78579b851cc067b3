"""Kimi Delta Attention, bench flavour: inputs, the definition, and the compiled baseline.

Everything is [B, T, H, D] (T steps of time, H heads) and computed in the inputs' own dtype.
Each batch and head has a state S of [D, D], zero at first; its rows are value channels:

    e_t = S_{t-1} k_t - v_t
    S_t = diag(a_t) S_{t-1} - beta_t e_t k_t^T
    o_t = S_t q_t
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import torch
import torch.nn.functional as F

BLOCK = 16  # steps that torch.compile is given at once; all 2048 do not compile in decent time


def make_inputs(
    dims: dict[str, int], distribution: str, generator: torch.Generator, device: str | torch.device
) -> dict[str, torch.Tensor]:
    """Draw q, k, v, a [B, T, H, D] and beta [B, T, H], float32."""
    per_head = (dims["B"], dims["T"], dims["H"])
    per_channel = (*per_head, dims["D"])

    def normal(*size: int) -> torch.Tensor:
        return torch.randn(size, generator=generator, device=device)

    def uniform(*size: int) -> torch.Tensor:
        return torch.rand(size, generator=generator, device=device)

    q, k, v = (F.silu(normal(*per_channel)) for _ in range(3))
    k = k * dims["D"] ** -0.5
    a = torch.sigmoid(0.58 * normal(*per_channel))
    beta = torch.sigmoid(normal(*per_head))
    if distribution in ("slow", "large-keys"):
        a = 0.95 + 0.049 * uniform(*per_channel)
    if distribution == "large-keys":
        k = 0.9 * F.normalize(normal(*per_channel), dim=-1)
    if distribution == "hard-gates":
        a = torch.sigmoid(12.0 * normal(*per_channel))
    return {"q": q, "k": k, "v": v, "a": a, "beta": beta}


def reference(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, a: torch.Tensor, beta: torch.Tensor
) -> torch.Tensor:
    """The definition, one step at a time. Returns o [B, T, H, D]."""
    return _steps(_no_history(k), q, k, v, a, beta)[0]


def compiled(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, a: torch.Tensor, beta: torch.Tensor
) -> torch.Tensor:
    """`torch.compile` of 16 steps, applied in a loop; steps left over run eagerly."""
    state, outputs = _no_history(k), []
    for t in range(0, q.shape[1], BLOCK):
        block = [x[:, t : t + BLOCK] for x in (q, k, v, a, beta)]
        steps = _compiled_steps() if block[0].shape[1] == BLOCK else _steps
        o, state = steps(state, *block)
        outputs.append(o)
    return torch.cat(outputs, dim=1)


def _no_history(k: torch.Tensor) -> torch.Tensor:
    batch, _, heads, channels = k.shape
    return k.new_zeros(batch, heads, channels, channels)


def _steps(
    state: torch.Tensor,
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    a: torch.Tensor,
    beta: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """All steps of q ... beta from a state [B, H, D, D]. Returns o and the state after them."""
    outputs = []
    for q_t, k_t, v_t, a_t, beta_t in zip(*(x.unbind(1) for x in (q, k, v, a, beta)), strict=True):
        error = (state @ k_t[..., None]).squeeze(-1) - v_t
        write = (beta_t[..., None] * error)[..., None] * k_t[..., None, :]
        state = a_t[..., None] * state - write
        outputs.append((state @ q_t[..., None]).squeeze(-1))
    return torch.stack(outputs, dim=1), state


@cache
def _compiled_steps() -> Callable[..., tuple[torch.Tensor, torch.Tensor]]:
    return torch.compile(_steps, dynamic=False)
