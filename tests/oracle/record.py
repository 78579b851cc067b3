"""Write down what NVIDIA's ncu-report says of reports, for comparison without it.

    python -m venv oracle && oracle/bin/pip install ncu-report
    oracle/bin/python tests/oracle/record.py FOLDER REPORT...     # also .xz of one

writes FOLDER/NAME.json.xz for every report. The values themselves are not kept: digests are.
"""

from __future__ import annotations

import json
import lzma
import posixpath
import sys
import tempfile
from pathlib import Path
from typing import Any

import ncu_report  # NVIDIA's reader; for development only

sys.path.insert(0, str(Path(__file__).parent))
from facts import Facts, metric_digest, metric_facts, rule_digest, text_digest

_WORKLOADS = {0: "kernel", 1: "range", 2: "cmdlist", 3: "graph"}
_KINDS = {0: "none", 1: "ok", 2: "optimization", 3: "warning", 4: "error"}
_SCOPES = {0: "unknown", 1: "local", 2: "global"}
_SEVERITIES = {0: "default", 1: "low", 2: "high"}


def _value(metric: Any, index: int | None = None) -> Any:
    """A metric's value, or that of one instance; None where there is none."""
    if index is None and not metric.has_value():
        return None
    return metric.value() if index is None else metric.value(index)


def _metric(metric: Any) -> bytes:
    ids = metric.correlation_ids() if metric.has_correlation_ids() else None
    count = metric.num_instances()
    keys = [ids.value(i) if ids is not None else i for i in range(count)]
    instances = [(keys[i], _value(metric, i)) for i in range(count)]
    return metric_digest(metric.name(), _value(metric), instances, ids is not None and count > 0)


def _rule(result: dict[str, Any]) -> Facts:
    message = result.get("rule_message") or {}
    speedup = result.get("speedup_estimation")
    return {
        "rule": result["rule_identifier"],
        "name": result["name"],
        "section": result.get("section_identifier") or None,
        "kind": _KINDS[message.get("type", 0)],
        "title": message.get("title") or None,
        "message": message.get("message", ""),
        "speedup": speedup and [_SCOPES[speedup["type"]], speedup["speedup"]],
        "focus": [
            [one["name"], one["value"], _SEVERITIES[one["severity"]], one["info"] or None]
            for one in result.get("focus_metrics", ())
        ],
        "tables": [
            [table.get("title"), table.get("headers"), table.get("data")]
            for table in result.get("result_tables", ())
        ],
    }


def _section(section: Any) -> Facts:
    told = {
        "id": section.identifier(),
        "name": section.name(),
        "order": section.order(),
        "description": section.description() or None,
        "parent": section.parent_identifier() or None,
    }
    return {
        "id": told["id"],
        "digest": text_digest(told),
        "header": sorted(metric.name() for metric in section.header_metrics()),
        "body": sorted(metric.name() for metric in section.body_metrics()),
    }


def _markers(action: Any) -> list[str]:
    """A digest of every remark on an instruction or a source line."""
    found = []
    for marker in map(dict, action.source_markers()):
        place = marker.get("source_location") or {}
        file = place.get("file_name")
        told = {
            "rule": marker["rule_identifier"],
            "text": marker["message"],
            "severity": marker["message_type"],  # of which the number in the file is kept
            "pc": marker.get("source_address"),
            "file": file and posixpath.basename(file),
            "line": place.get("line"),
        }
        found.append(text_digest(told))
    return sorted(found)


def _lines(action: Any) -> list[list[Any]]:
    """Name of the file and line of every PC that the launch has executed instructions for."""
    names = set(action.metric_names())
    found = []
    for name in ("inst_executed", "smsp__pcsamp_sample_count"):
        if name in names:
            metric = action.metric_by_name(name)
            if not metric.has_correlation_ids():
                continue
            ids = metric.correlation_ids()
            for i in range(metric.num_instances()):
                info = action.source_info(ids.as_uint64(i))
                file = info and posixpath.basename(info.file_name())
                found.append([ids.as_uint64(i), file, info and info.line()])
            return found
    return found


def _nvtx(action: Any) -> list[list[Any]]:
    state = action.nvtx_state()
    if state is None:
        return []
    found = []
    for number in state.domains():
        domain = state.domain_by_id(number)
        found += [[domain.name(), "push_pop", name] for name in domain.push_pop_ranges()]
        found += [[domain.name(), "start_end", name] for name in domain.start_end_ranges()]
    return sorted(found)


def _launch(action: Any) -> Facts:
    digests = {name: _metric(action.metric_by_name(name)) for name in action.metric_names()}
    return {
        "function": action.name(action.NameBase_FUNCTION),
        "demangled": action.name(action.NameBase_DEMANGLED),
        "mangled": action.name(action.NameBase_MANGLED),
        "workload": _WORKLOADS.get(action.workload_type(), str(action.workload_type())),
        "metrics": metric_facts(digests),
        "rules": [rule_digest(_rule(result)) for result in action.rule_results_as_dicts()],
        "sections": [_section(section) for section in action.sections()],
        "markers": _markers(action),
        "lines": _lines(action),
        "nvtx": _nvtx(action),
        "files": sorted(posixpath.basename(name) for name in dict(action.source_files())),
    }


def record(path: Path) -> Facts:
    """Everything that is compared of one report."""
    if path.suffix == ".xz":
        with tempfile.NamedTemporaryFile(suffix=".ncu-rep") as plain:
            plain.write(lzma.decompress(path.read_bytes()))
            plain.flush()
            return record(Path(plain.name))
    context = ncu_report.load_report(str(path))
    ranges = [[_launch(action) for action in one] for one in context]
    return {
        "oracle": context.get_version() if hasattr(context, "get_version") else None,
        "ranges": [len(one) for one in ranges],
        "launches": [launch for one in ranges for launch in one],
    }


if __name__ == "__main__":
    for name in sys.argv[2:]:
        stem = Path(name).name.removesuffix(".xz").removesuffix(".ncu-rep")
        text = json.dumps(record(Path(name)), sort_keys=True, separators=(",", ":"))
        target = Path(sys.argv[1]) / f"{stem}.json.xz"
        target.write_bytes(lzma.compress(text.encode(), preset=9))
        sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")
