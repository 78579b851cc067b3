from dataclasses import replace

import pytest

from tests.query.test_places import LAUNCH
from warpwright.model.report import Launch, Metric
from warpwright.query.noise import Noise, is_exact, spread_of

TIME = "gpu__time_duration.sum"


def _launch(**values: float) -> Launch:
    return replace(LAUNCH, metrics={name: Metric(name, value) for name, value in values.items()})


@pytest.mark.parametrize(
    ("metric", "exact"),
    [
        ("smsp__inst_executed.sum", True),
        ("inst_executed", True),
        ("launch__registers_per_thread", True),
        ("sass__inst_executed_per_opcode", True),
        ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", True),
        ("smsp__thread_inst_executed_per_inst_executed.ratio", True),
        ("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", False),
        ("sm__inst_executed.max", False),  # how blocks fall on SMs differs from run to run
        ("smsp__inst_issued.sum", False),
        ("smsp__average_warps_active_per_inst_executed.ratio", False),
        ("lts__t_sectors.sum", False),
        (TIME, False),
    ],
)
def test_what_the_program_determines_has_no_noise(metric: str, exact: bool) -> None:
    assert is_exact(metric) is exact
    assert (Noise().of(metric, 1e9, 1e9) == 0.0) is exact


def test_floors_are_relative_and_at_least_something() -> None:
    assert Noise().of(TIME, 1e6, 2e6) == pytest.approx(60_000)
    assert Noise().of(TIME, 4_064.0, 4_224.0) == 500.0  # one kernel, twice in one report
    assert Noise().of("lts__throughput.avg.pct_of_peak_sustained_elapsed", 0.1, 0.4) == 0.5
    assert Noise(unlocked=True).of(TIME, 1e6, 2e6) == pytest.approx(120_000)


def test_a_given_noise_takes_the_place_of_the_default() -> None:
    assert Noise(unlocked=True, pct=1.0).of(TIME, 1e6, 2e6) == pytest.approx(20_000)
    assert Noise(pct=0.0).of(TIME, 4_064.0, 4_224.0) == 0.0


def test_a_measured_range_widens_every_floor() -> None:
    runs = [
        _launch(**{TIME: time, "inst_executed": count})
        for time, count in ((1e6, 7), (1.2e6, 7), (0.9e6, 9))
    ]
    noise = Noise(spreads=(spread_of(runs), spread_of([])))
    assert noise.of(TIME, 1e6, 1e6) == pytest.approx(3e5)
    assert noise.of("inst_executed", 7, 9) == 2
    assert spread_of(runs[:2])(TIME) == 0.0


def test_shares_of_few_samples_are_rough() -> None:
    few, many = (Noise().of_share(50.0, 50.0, (n, n)) for n in (100, 1_000_000))
    assert few == pytest.approx(3 * (2 * 50 * 50 / 100) ** 0.5)
    assert many == 1.0
