"""Write the glossary's tables from what Nsight Compute itself says of its metrics.

Record, on any machine with Nsight Compute (no GPU needed), for each chip and once in full:

    ncu --query-metrics --chip gh100 > gh100.txt     # ga100 ad102 tu104 gb100 gb202 ...
    ncu --query-metrics --query-metrics-mode all --chip gh100 > gh100-all.txt

and, in an environment with NVIDIA's ncu_report, the units and labels of all metrics of reports,
the newest report first:

    python tools/write_glossary.py record REPORT... | xz -9e > tests/glossary/reports.tsv.xz

Then, with the `sections` folder of the same Nsight Compute for the labels:

    python tools/write_glossary.py tables --reports tests/glossary/reports.tsv.xz \
        --sections FOLDER gh100-all.txt gh100.txt ...

Only names, units and labels are kept; descriptions are not.
"""

from __future__ import annotations

import argparse
import lzma
import multiprocessing
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

TABLES = Path(__file__).resolve().parent.parent / "src" / "warpwright" / "glossary"
_ROW = re.compile(r"(\S+__\S+) +(Counter|Ratio|Throughput) +")
_UNIT_COLUMN = slice(16, 31)  # counted from the column of the type
_LABELED = re.compile(
    r'Label: "(?P<label>[^"]*)"\s+Name: "(?P<name>[^"]*)"'
    r'|Name: "(?P<name2>[^"]*)"\s+Label: "(?P<label2>[^"]*)"'
)
# Bars of a chart, members of a group, templates: their labels name no metric plainly.
_NO_LABEL = re.compile(r"^\.|^group_|^breakdown:|^regex:|Triage|executed_pipe_|__pipe_|__ops_path_")


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(required=True)
    recorder = verbs.add_parser("record")
    recorder.add_argument("paths", nargs="+")
    recorder.set_defaults(run=lambda given: record(given.paths))
    tables = verbs.add_parser("tables")
    tables.add_argument("--reports", type=Path, required=True)
    tables.add_argument("--sections", type=Path, required=True)
    tables.add_argument("paths", nargs="+", type=Path)
    tables.set_defaults(run=lambda given: write(given.paths, given.reports, given.sections))
    given = parser.parse_args()
    given.run(given)


def record(paths: list[str]) -> None:
    """Print `name <TAB> unit <TAB> label` of every metric of the reports, each row once.

    Each report is read in a process of its own: what the library says of a report's units
    depends on the reports that the process opened before.
    """
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        rows = dict.fromkeys(row for found in pool.map(_recorded, paths) for row in found)
    sys.stdout.writelines("\t".join(row) + "\n" for row in sorted(rows, key=lambda row: row[0]))


def _recorded(path: str) -> list[tuple[str, str, str]]:
    import ncu_report

    report = ncu_report.load_report(path)
    ranges = [report.range_by_idx(number) for number in range(report.num_ranges())]
    launches = [part.action_by_idx(i) for part in ranges for i in range(part.num_actions())]
    metrics = {name: launch.metric_by_name(name) for launch in launches for name in launch}
    return [(name, metric.unit(), metric.label()) for name, metric in metrics.items()]


def write(queries: list[Path], reports: Path, sections: Path) -> None:
    """Write units.tsv and labels.tsv beside the code that reads them."""
    with lzma.open(reports, "rt", encoding="utf-8") as lines:
        recorded = [line.rstrip("\n").split("\t") for line in lines]
    units = exceptions(queried(queries), recorded)
    _write_table(TABLES / "units.tsv", units)
    _write_table(TABLES / "labels.tsv", labels(recorded, sections))


def queried(paths: list[Path]) -> dict[str, str]:
    """The unit of every metric and base counter that the recorded queries list."""
    found: dict[str, str] = {}
    for path in paths:
        for line in path.read_text().splitlines():
            row = _ROW.match(line)
            if row and row[2] != "Throughput":
                unit = line[row.start(2) :][_UNIT_COLUMN].strip()
                found.setdefault(row[1], unit)
    return found


def exceptions(queried: dict[str, str], recorded: list[list[str]]) -> dict[str, str]:
    """What the words of names do not tell: base counters first, then what still differs."""
    from warpwright.glossary import units
    from warpwright.glossary.names import parts_of

    units.load_exceptions.cache_clear()
    table = units.load_exceptions()
    table.clear()
    for name, unit in queried.items():
        parts = parts_of(name)
        if parts.rollup or parts.submetric:
            continue
        exact = _exact(name, unit, queried)
        if exact != units.unit_by_words(parts.counter):
            known = units.unit_by_words(parts.counter)
            plain = "" if known == "1" else known.removesuffix("*cycle")
            if f"{name}.sum" in queried or plain != unit:
                table[parts.counter] = exact
    seen: set[str] = set()
    for name, unit, _ in recorded:
        parts = parts_of(name)
        if name not in seen and (units.unit_of(parts) or "") != unit:
            table[parts.name] = unit
        seen.add(name)
    return table


def _exact(name: str, unit: str, queried: dict[str, str]) -> str:
    """The unit of a base counter, with what its submetrics tell: "1", or `*cycle`."""
    if unit == "" and queried.get(f"{name}.sum.per_second") == "1/s":
        unit = "1"
    per_cycle = queried.get(f"{name}.sum.per_cycle_active", "/")
    return unit if unit in ("", "cycle") or "/" in per_cycle else f"{unit}*cycle"


def labels(recorded: list[list[str]], sections: Path) -> dict[str, str]:
    """The label of each metric: as a report shows it, else as a section file does."""
    found: dict[str, str] = {}
    for name, label in [*((name, label) for name, _, label in recorded), *_in_sections(sections)]:
        if label and "{" not in label and "[" not in label and not _NO_LABEL.search(name):
            found.setdefault(name, label)
    return found


def _in_sections(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*.section")):
        for pair in _LABELED.finditer(path.read_text()):
            yield pair["name"] or pair["name2"], pair["label"] or pair["label2"]


def _write_table(path: Path, rows: dict[str, str]) -> None:
    path.write_text("".join(f"{name}\t{rows[name]}\n" for name in sorted(rows)))


if __name__ == "__main__":
    main()
