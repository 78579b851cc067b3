"""Private texts in made-up session pages, sources and results: whatever they are, none stays."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpwright.cubin.elf import read_cubin
from warpwright.cubin.lines import call_chains, source_files
from warpwright.cubin.sections import read_elf
from warpwright.errors import BadReport
from warpwright.report.container import parse_frames
from warpwright.report.masks import masked
from warpwright.report.redact import redact

from .forge import TINY, field

CODE = b"__global__ void k(float* a) { a[0] /= 2; }"
NAME = st.text("abcdefghijklmnopqrstuvwyz0123456789_-é", min_size=8, max_size=90).filter(
    lambda text: text[0].isalpha() and text[-1].isalnum()
)


def message(*parts: tuple[int, bytes | str | int]) -> bytes:
    return b"".join(field(*part) for part in parts)


def sized(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def report(details: bytes, process: bytes, source: bytes, result: bytes) -> bytes:
    payload = sized(source) + sized(result)
    header = message(
        (1, 1), (2, 1), (3, details), (4, message((1, "m"))), (5, len(payload)), (6, process)
    )
    return b"NVR\0" + sized(message((1, 7))) + sized(header) + payload


def one_launch(*more: tuple[int, bytes | str | int]) -> bytes:
    metric = message((1, 0), (2, message((1, "/home/measured/x"))))
    return message((5, "k"), (6, "k"), (7, "k"), (13, metric), *more)


@settings(max_examples=60, deadline=None)
@given(st.lists(NAME, min_size=4, max_size=4, unique=True), st.sampled_from("/\\"))
def test_no_name_survives(names: list[str], slash: str) -> None:
    host, user, folder, secret = names
    home = f"/home/{user}" if slash == "/" else f"C:\\Users\\{user}"
    place = slash.join((home, folder))
    file = f"{place}{slash}k.cu"
    machine = message((1, "Linux"), (2, f"#1 {host}"), (5, host))
    machine += message((7, message((1, "10.11.12.13"), (2, 1))), (7, message((1, "fd12::34%eth0"))))
    details = message(
        (3, machine),
        (4, machine),
        (7, f"tried by {user}"),
        (9, message((1, file), (2, place), (3, f"--in {file}"), (4, f"A=1\nTOKEN={secret}"))),
        (10, message((1, 1), (4, "Profile"), (5, message((1, "k"))), (7, file))),
        (11, f"ncu -o {place}{slash}out --host=10.11.12.13 {secret}=x --user {user} {host}"),
        (99, message((1, 5), (2, f"{user}@{host}"))),
    )
    process = message((1, 7), (2, "10.11.12.13"), (3, f"{place}{slash}program"))
    ptx = f'.file 1 "{file}", 1, 2\n.loc 1 3'
    imported = message((1, file), (2, f'// {user} on {host}\n#include "{file}"\n{CODE.decode()}'))
    source = message((2, ptx), (3, ptx), (8, message((1, imported))), (9, message((1, b""))))
    frame = message((1, f"{place}{slash}lib.so"), (2, 5), (3, file), (4, "main"))
    rule = message(
        (1, "Rule"),
        (3, message((1, message((1, message((1, f"see {file}:3"), (2, 1))))))),
        (5, message((4, f"in {file}"), (6, file))),
    )
    nvtx = message((1, message((1, 0), (2, f"step {file}"))))
    more = ((12, f"by {user}"), (19, rule), (21, nvtx), (28, message((1, frame))))
    data = report(details, process, source, one_launch(*more, (32, message((1, frame)))))
    done = redact(data)
    assert not [text for text in names if text.encode() in done.data]
    assert b"10.11.12.13" not in done.data and b"fd12::34" not in done.data
    assert not done.left
    assert list(parse_frames(done.data, "r")) == list(parse_frames(data, "r"))
    assert CODE in done.data and b"k.cu" in done.data and b"/home/measured/x" in done.data
    assert redact(done.data).data == done.data


def texts(data: bytes, *also: str) -> bytes:
    return redact(data, everywhere=also).data


def test_what_is_the_same_on_every_machine_stays() -> None:
    kept = "/usr/local/cuda-13.0/bin/../include/x.h"
    source = message((8, message((1, message((1, kept), (2, "int a;"))))))
    process = message((1, 7), (3, "/usr/bin/python3.12"))
    data = report(
        message((8, message((1, "CUDA Version"), (2, "13.0")))), process, source, one_launch()
    )
    done = redact(data)
    assert not done.found and kept.encode() in done.data


def test_a_public_folder_is_no_way_out() -> None:
    way = "/usr/bin/../../opt/secret/tool"
    data = report(b"", message((3, way)), b"\x08\x01", one_launch())
    assert b"secret" not in redact(data).data


def test_short_names_and_words_do_no_harm() -> None:
    machine = message((5, "vm"))
    nvtx = message((1, message((2, "vm step"))))
    data = report(message((3, machine)), message((2, "vm")), b"\x08\x01", one_launch((21, nvtx)))
    done = redact(data)
    assert b"vm step" in done.data and done.found == {"host": 2}


def test_nvtx_and_kernel_names_go_when_asked_for() -> None:
    nvtx = message((2, message((2, message((3, message((1, "layer of project_z"))))))))
    data = report(b"", b"\x08\x01", b"\x08\x01", one_launch((21, nvtx), (31, "project_z_kernel")))
    assert redact(data).data == data
    assert b"project_z" not in texts(data, "project_z")
    assert texts(data, "project") != data


def test_sixteen_bits() -> None:
    wide = "/srv/private/build".encode("utf-16-le")
    process = message((3, "/srv/private/build/app"))
    data = report(b"", process, message((3, wide)), one_launch())
    done = redact(data)
    assert wide not in done.data and done.found["other"] == 1


def test_a_metric_that_names_a_private_folder_is_told() -> None:
    data = report(b"", message((3, "/home/measured/app")), b"\x08\x01", one_launch())
    done = redact(data)
    assert done.left == {"path": 1}


def test_a_mask_is_its_own_mask() -> None:
    assert masked(masked("é/Ab9".encode())) == masked("é/Ab9".encode()) == b"xx/xx0"


def test_cubins_lose_the_folders_of_their_lines_and_data_but_no_line() -> None:
    files = {path.encode() for path in source_files(TINY)}
    folder = next(path.rpartition(b"/")[0] for path in files if path.startswith(b"/"))
    private = b"/" + b"q" * (len(folder) - 1)
    cubin = TINY.replace(folder, private)
    data = report(b"", b"\x08\x01", message((4, cubin)), one_launch())
    out = redact(data).data
    start = data.index(cubin)
    after = out[start : start + len(cubin)]
    assert private not in out and len(out) == len(data)
    for name, section in read_elf(cubin).sections.items():
        if name.startswith((".text", ".symtab", ".strtab", ".nv.info")):
            assert read_elf(after).sections[name].data == section.data
    kernel = read_cubin(cubin).kernels[0].name
    lines = [chain[0].line for chain in call_chains(cubin, kernel).values()]
    assert lines and lines == [chain[0].line for chain in call_chains(after, kernel).values()]


def test_a_report_that_is_cut_off_is_refused() -> None:
    data = report(message((3, message((5, "host")))), message((2, "h")), b"\x08\x01", one_launch())
    for size in range(8, len(data)):
        if size != 10:  # a header alone is whole: it has no blocks
            with pytest.raises(BadReport):
                redact(data[:size])


@settings(max_examples=40, deadline=None)
@given(NAME)
def test_fields_that_are_newer_than_this_are_masked(name: str) -> None:
    """In the settings of the session, and in a result."""
    place = f"/home/{name}/k"
    details = message((10, message((3, place), (17, message((1, place))))))
    data = report(details, b"", message((1, 1)), one_launch((36, place), (24, message((2, place)))))
    done = redact(data)
    assert name.encode() not in done.data.replace(b"/home/measured", b"")
    assert b"/home/measured/x" in done.data


def test_words_of_a_command_that_tell_of_a_person() -> None:
    command = "ncu -o ~/secretdir/x --api-token ghp_12345678 s3://bucket/key app"
    done = redact(report(message((11, command)), b"", message((1, 1)), one_launch()))
    for word in ("secretdir", "ghp_12345678", "bucket", "key"):
        assert word.encode() not in done.data
    assert b"--api-token" in done.data


def test_names_leave_the_ranges_of_nvtx() -> None:
    details = message((3, message((5, "zoltans-box"))), (9, message((2, "/home/zoltan1/p"))))
    ranges = message((2, message((1, 1), (2, message((1, 0), (3, message((1, "zoltan1 warm"))))))))
    done = redact(report(details, b"", message((1, 1)), one_launch((21, ranges))))
    assert b"zoltan1" not in done.data and b" warm" in done.data
    assert not done.left
