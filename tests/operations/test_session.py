from pathlib import Path

from warpwright.operations.moment import moment
from warpwright.operations.session import show_session
from warpwright.render.session import session_text


def test_a_session(shared_reports: Path) -> None:
    path = str(shared_reports / "scan.rtx3070.2020.3.ncu-rep")
    view = show_session(f"{path}#L0")
    assert (view.report, view.created) == (path, "2024-04-04T12:02:38Z")
    assert view.session.devices[0].name == "NVIDIA GeForce RTX 3070"
    assert view.session.versions["Display Driver Version"] == "470.223.02"
    text = session_text(view)
    assert "device 0: NVIDIA GeForce RTX 3070, cc 8.6, 46 SMs" in text
    assert f"warpwright ncu redact {path}" in text


def test_a_time_that_is_none() -> None:
    assert moment(None) is None
    assert moment(-1) is None
    assert moment(1 << 62) is None
    assert moment(0) == "1970-01-01T00:00:00Z"
