"""The contracts: every model that leaves the program, by its schema's name."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, TypeAdapter

from warpwright.model.build import BuildReport
from warpwright.model.calibration import Calibration, CalibrationFile, DeviceList
from warpwright.model.difference import Difference
from warpwright.model.event import EVENT
from warpwright.model.explanation import Explanation
from warpwright.model.finding_view import FindingView
from warpwright.model.launch_list import LaunchList
from warpwright.model.launch_view import LaunchView
from warpwright.model.ledger import DigestWithLedger, LedgerEntry, LedgerView
from warpwright.model.metric_list import MetricList
from warpwright.model.metric_view import MetricView
from warpwright.model.profile import Profile
from warpwright.model.query_result import ExportNotice, QueryResult, TableList
from warpwright.model.redaction import Redaction
from warpwright.model.report_tables import ReportExport
from warpwright.model.report_view import ReportView
from warpwright.model.roofline import Roofline
from warpwright.model.rule_list import RuleList
from warpwright.model.run import Replay, RunList, RunNotice, RunStory
from warpwright.model.scoreboard import Scoreboard, SuiteCase
from warpwright.model.section_view import SectionView
from warpwright.model.session_view import SessionView
from warpwright.model.source_view import SourceView
from warpwright.model.task import Task
from warpwright.model.task_summary import TaskSummary
from warpwright.model.verdict import Evaluation, Verdict
from warpwright.model.what_if import WhatIf

CONTRACTS: dict[str, type[BaseModel] | TypeAdapter[Any]] = {
    "build": BuildReport,
    "calibration": Calibration,
    "calibrations": CalibrationFile,
    "devices": DeviceList,
    "difference": Difference,
    "digest": DigestWithLedger,
    "evaluation": Evaluation,
    "event": EVENT,
    "explanation": Explanation,
    "export-notice": ExportNotice,
    "launches": TypeAdapter(LaunchList),
    "ledger": LedgerView,
    "ledger-entry": LedgerEntry,
    "metrics": MetricList,
    "profile": Profile,
    "query": QueryResult,
    "redaction": Redaction,
    "replay": Replay,
    "report-export": ReportExport,
    "roofline": Roofline,
    "rules": RuleList,
    "run": RunStory,
    "run-notice": RunNotice,
    "runs": RunList,
    "scoreboard": Scoreboard,
    "session": SessionView,
    "source": SourceView,
    "suite-case": SuiteCase,
    "tables": TableList,
    "task": Task,
    "task-summary": TaskSummary,
    "verdict": Verdict,
    "view-finding": FindingView,
    "view-launch": LaunchView,
    "view-metric": MetricView,
    "view-report": TypeAdapter(ReportView),
    "view-section": SectionView,
    "what-if": WhatIf,
}


def schema_text(name: str) -> str:
    """The JSON schema of one contract, as it stands in schemas/NAME.json."""
    model = CONTRACTS[name]
    schema = (
        model.json_schema(mode="serialization")
        if isinstance(model, TypeAdapter)
        else model.model_json_schema(mode="serialization" if name != "task" else "validation")
    )
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"
