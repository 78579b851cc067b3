from warpwright.datasheet.clock import flop_per_clock
from warpwright.datasheet.table import data_sheet_of, data_sheets
from warpwright.hardware import sm_limits


def test_published_rates_follow_from_sms_and_a_possible_clock() -> None:
    """Each is SMs x operations a clock x one clock, that of no two rates far apart."""
    checked = 0
    for sheet in data_sheets():
        major, minor = map(int, sheet.compute_capability.split("."))
        assert sm_limits((major, minor)) is not None
        clocks = {
            rate: value / (sheet.sm_count * each)
            for rate, value in sheet.rates.items()
            if (each := flop_per_clock(rate, (major, minor)))
        }
        checked += len(clocks)
        assert all(1.3e9 < clock < 2.7e9 for clock in clocks.values()), (sheet.device, clocks)
        if clocks:
            assert max(clocks.values()) < 1.2 * min(clocks.values()), (sheet.device, clocks)
    assert checked > 60


def test_every_device_is_there_once_and_tensor_rates_are_in_order() -> None:
    sheets = data_sheets()
    assert len({sheet.device for sheet in sheets}) == len(sheets) > 20
    for sheet in sheets:
        rates = sheet.rates
        assert "dram" in rates
        if "tensor.tf32" in rates:
            assert rates["tensor.fp16"] > 1.9 * rates["tensor.tf32"]
            assert rates["tensor.int8"] > 1.9 * rates["tensor.fp16"]


def test_a_part_of_a_device_is_another() -> None:
    assert data_sheet_of("NVIDIA H200", "9.0", 132) is not None
    assert data_sheet_of("A100-PCIE-40GB", "8.0", 108) is not None
    assert data_sheet_of("NVIDIA H200", "9.0", 16) is None
    assert data_sheet_of("NVIDIA H200 MIG 1g.18gb", "9.0", 132) is None
