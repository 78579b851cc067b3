"""KDA in chunks of 16 steps, for any device that torch runs on.

The state enters a chunk as S. Within it, row i of the state after step t is

    d_t S[i] + sum_{s <= t} w_{s,t} k_s

with d_t the product of the row's gates since the chunk began, and w_{s,t} the write of step s,
decayed by the gates after it. So each row needs only S[i].k and S[i].q (two matrix products a
chunk) and the keys' and queries' inner products; the state itself is touched once a chunk.
Nothing is divided by a product of gates, so a gate of 0 is as good as any other.
"""

from __future__ import annotations

import torch

CHUNK = 16


def kda(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, a: torch.Tensor, beta: torch.Tensor
) -> torch.Tensor:
    """q, k, v, a: [B, T, H, D]; beta: [B, T, H]. Returns o [B, T, H, D]."""
    batch, steps, heads, channels = k.shape
    q, k, v, a = (x.transpose(1, 2) for x in (q, k, v, a))  # B H T D
    beta = beta.transpose(1, 2)[..., None]  # B H T 1
    state = k.new_zeros(batch, heads, channels, channels)
    output = torch.empty_like(v)
    for start in range(0, steps, CHUNK):
        part = slice(start, start + CHUNK)
        inputs = (x[:, :, part] for x in (q, k, v, a, beta))
        output[:, :, part], state = chunk(state, *inputs)
    return output.transpose(1, 2).contiguous()


def chunk(
    state: torch.Tensor,
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    a: torch.Tensor,
    beta: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Some steps from a state [B, H, D, D]: their outputs [B, H, C, D], and the state after."""
    from_state_k = k @ state.mT  # B H C D: S k_t of the state that came in
    from_state_q = q @ state.mT
    k_dot_k = k @ k.mT  # B H C C
    q_dot_k = q @ k.mT
    decay = torch.ones_like(v[:, :, 0])  # B H D
    writes = torch.zeros_like(v)  # B H C D: step s's write, decayed up to now
    outputs = torch.empty_like(v)
    for t in range(k.shape[2]):
        recalled = decay * from_state_k[:, :, t] + _mix(k_dot_k[:, :, t], writes)
        decay = decay * a[:, :, t]
        writes = writes * a[:, :, t, None]
        writes[:, :, t] = beta[:, :, t] * (v[:, :, t] - recalled)
        outputs[:, :, t] = decay * from_state_q[:, :, t] + _mix(q_dot_k[:, :, t], writes)
    return outputs, decay[..., None] * state + writes.mT @ k


def _mix(weights: torch.Tensor, writes: torch.Tensor) -> torch.Tensor:
    return (weights[:, :, None] @ writes).squeeze(2)
