"""Which finding comes first. Pure functions of drafts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from warpwright.advice.draft import Draft

# A finding that is less sure counts for less of its promise (as a power of the factor).
_WEIGHT = {"high": 1.0, "medium": 0.8, "low": 0.5}
_SMALL = 1.06  # a gain that measurement hardly tells from none
_MEMORY, _CHAIN = "latency.memory", "latency.dependency"
# Waiting that is there because of the cause, and goes with it: what else would shorten it is
# no better first step than the cause, where that takes away at least half of it (as factors go).
_HALF_OF = {
    "memory.uncoalesced": (_MEMORY,),
    "memory.narrow": (_MEMORY,),
    "memory.local": (_MEMORY,),
    "memory.reuse": (_MEMORY,),
    "memory.atomics": (_MEMORY,),
    "balance.blocks": (_MEMORY,),
    "launch.block_size": (_MEMORY, _CHAIN),
    "launch.overhead": (_MEMORY, _CHAIN),
    "latency.no_overlap": (_MEMORY, "sync.barrier"),
    "compute.fp64": (_CHAIN,),
    "compute.integer_math": (_CHAIN,),
    "compute.special_functions": (_CHAIN,),
    "compute.tensor_cores_unused": (_CHAIN,),
    "compute.tensor_cores_legacy": (_MEMORY, _CHAIN),
}
# The same where the cause takes away all of it.
_ALL_OF = {
    "occupancy.registers": (_MEMORY, _CHAIN, "memory.reuse"),
    "occupancy.shared_memory": (_MEMORY, _CHAIN, "latency.no_overlap"),
    "compute.tensor_cores_unused": ("memory.bank_conflicts", "memory.reuse"),
}


def ranked(drafts: Sequence[Draft]) -> list[Draft]:
    """By promise, the logarithm of the expected factor times confidence; causes before symptoms.

    A roof that is reached comes before gains that hardly matter.
    """
    order = sorted(drafts, key=_promise, reverse=True)
    for cause in sorted(drafts, key=_promise):
        place = order.index(cause)
        over = [index for index in range(place) if _explains(cause, order[index])]
        if over:
            order.remove(cause)
            order.insert(over[0], cause)
    return order


def _promise(draft: Draft) -> float:
    if draft.id.startswith("roofline."):
        return math.log(_SMALL)
    return math.log(draft.speedup.expected) * _WEIGHT[draft.confidence]


def _explains(cause: Draft, symptom: Draft) -> bool:
    gains = math.log(cause.speedup.expected), math.log(symptom.speedup.expected)
    if symptom.id in _HALF_OF.get(cause.id, ()):
        return gains[0] >= gains[1] / 2
    return symptom.id in _ALL_OF.get(cause.id, ()) and gains[0] >= gains[1]
