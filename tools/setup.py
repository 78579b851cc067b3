"""Set up a clone in its own `.venv` (once), then run one of the two main commands in it.

    python3 tools/setup.py demo     the main job: the live loop on a GPU, else the recorded run
    python3 tools/setup.py test     lint, types and tests

Needs nothing but Python 3.11 or newer. A second call finds the environment and downloads nothing.
torch is never downloaded: where the interpreter that runs this can import it, the environment is
told where it lies.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".warpwright-setup"
PROJECT = ROOT / "pyproject.toml"


def torch_home() -> Path | None:
    """The folder that this interpreter would import torch from."""
    spec = importlib.util.find_spec("torch")
    return Path(spec.origin).parent.parent if spec and spec.origin else None


def stamp(extras: str) -> str:
    """What the environment was made from: another interpreter or project file makes a new one."""
    parts = (sys.executable, sys.version, str(torch_home()), extras, str(ROOT))
    return hashlib.sha256("\n".join(parts).encode() + PROJECT.read_bytes()).hexdigest()


def set_up(extras: str) -> None:
    """Make `.venv` with this project and its extras, unless it is there already."""
    wanted = stamp(extras)
    have = STAMP.read_text().split() if STAMP.is_file() else []
    if wanted in have and PYTHON.is_file():
        return
    print(f"setting up {VENV.name} ({extras}) ...", file=sys.stderr)
    if not PYTHON.is_file() or not have:
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    # What lies beside torch must not count as installed here, so it is made visible only after pip.
    beside_torch = next((VENV / "lib").glob("python*/site-packages")) / "beside_torch.pth"
    beside_torch.unlink(missing_ok=True)
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--editable", f"{ROOT}[{extras}]"], check=True)
    home = torch_home()
    if home is not None:
        beside_torch.write_text(f"{home}\n")
    STAMP.write_text("\n".join([*have, wanted]))


def has_gpu() -> bool:
    """A CUDA device, ncu and torch: all that the live loop needs."""
    smi = shutil.which("nvidia-smi")
    if smi is None or torch_home() is None:
        return False
    listed = subprocess.run([smi, "-L"], capture_output=True, text=True, check=False)
    found = [str(PYTHON), "-c", "from warpwright.config import find_tool as f; print(f('ncu'))"]
    ncu = subprocess.run(found, capture_output=True, text=True, check=True).stdout.strip()
    return listed.returncode == 0 and "GPU" in listed.stdout and ncu != "None"


def call(*arguments: str) -> int:
    """Run one Warpwright command, shown as a user would type it."""
    print("\n$ warpwright " + " ".join(arguments), flush=True)
    command = [str(VENV / "bin" / "warpwright"), *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def demo() -> int:
    """The main job."""
    set_up("sass")
    candidates = "examples/kda/candidates"
    if not has_gpu():
        code = call("run", "replay", "examples/kda/runs/h200")
        if torch_home() is not None:
            code = code or call("evaluate", "examples/kda", f"{candidates}/portable.py")
        return code
    code = call("run", "start", "demo")
    for name in ("before", "after"):
        source = f"{candidates}/{name}.cu"
        code = code or call("build", "examples/kda", source)
        code = code or call("ncu", "profile", "examples/kda", source, "--force")
        code = code or call("ncu", "digest", f"{name}.ncu-rep")
        code = code or call("evaluate", "examples/kda", source)
    call("run", "show")
    call("run", "stop")
    return code


def test() -> int:
    """Lint, types, floors, tests; the first that fails ends it."""
    set_up("dev,sass")
    tools = VENV / "bin"
    for command in (
        [str(tools / "ruff"), "check", "."],
        [str(tools / "ruff"), "format", "--check", "."],
        [str(tools / "mypy")],
        [str(tools / "lint-imports")],
        [str(tools / "pytest"), "-q"],
    ):
        print("\n$ " + " ".join([Path(command[0]).name, *command[1:]]), flush=True)
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    os.environ.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    chosen = {"demo": demo, "test": test}.get(sys.argv[1] if len(sys.argv) == 2 else "")
    if chosen is None:
        sys.exit(__doc__)
    sys.exit(chosen())
