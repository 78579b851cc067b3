from warpwright.query.matching import Matching, Ran, match_launches


def _ran(index: int, name: str, mangled: str = "", grid: int = 1, demangled: str = "") -> Ran:
    return Ran(index, name, demangled, mangled, (grid, 1, 1), (32, 1, 1), 1.0)


def _told(matching: Matching) -> list[tuple[int, int, str]]:
    return [(match.before.index, match.after.index, match.by) for match in matching.matches]


def test_the_strictest_name_wins() -> None:
    before = [
        _ran(0, "gemm", "_Z4gemmILi64EEv", demangled="gemm<64>()"),
        _ran(1, "copy", "_Z4copyv"),
    ]
    after = [
        _ran(0, "copy", "_Z4copyv"),
        _ran(1, "gemm", "_Z4gemmILi128EEv", demangled="gemm<128>()"),
        _ran(2, "gemm", "_Z4gemmILi64EEv", demangled="gemm<64>()"),
    ]
    matching = match_launches(before, after)
    assert _told(matching) == [(0, 2, "mangled name"), (1, 0, "mangled name")]
    assert [one.index for one in matching.only_after] == [1]


def test_demangled_then_base_name() -> None:
    before = [
        _ran(0, "k", "_Zold", demangled="ns::k<1>()"),
        _ran(1, "m", "_Zm1", demangled="m<1>()"),
    ]
    after = [
        _ran(0, "m", "_Zm2", demangled="m<2>()"),
        _ran(1, "k", "_Znew", demangled="ns::k<1>()"),
    ]
    assert _told(match_launches(before, after)) == [(0, 1, "demangled name"), (1, 0, "base name")]


def test_equal_numbers_of_one_kernel_keep_their_order_whatever_their_grids() -> None:
    before = [_ran(0, "k", grid=1), _ran(1, "k", grid=2)]
    after = [_ran(0, "k", grid=2), _ran(1, "k", grid=4)]
    assert _told(match_launches(before, after)) == [(0, 0, "base name"), (1, 1, "base name")]


def test_of_unequal_numbers_the_same_grid_comes_first() -> None:
    before = [_ran(0, "k", grid=1), _ran(1, "k", grid=2), _ran(2, "k", grid=3)]
    after = [_ran(0, "k", grid=3), _ran(1, "k", grid=9)]
    matching = match_launches(before, after)
    assert _told(matching) == [(0, 1, "base name"), (2, 0, "base name")]
    assert [one.index for one in matching.only_before] == [1]


def test_a_renamed_kernel_is_matched_by_order() -> None:
    before = [_ran(0, "same"), _ran(1, "old"), _ran(2, "old")]
    after = [_ran(0, "new"), _ran(1, "new"), _ran(2, "same")]
    expected = [(0, 2, "base name"), (1, 0, "order"), (2, 1, "order")]
    assert _told(match_launches(before, after)) == expected


def test_several_unknown_kernels_are_not_guessed_at() -> None:
    matching = match_launches([_ran(0, "a"), _ran(1, "b")], [_ran(0, "c"), _ran(1, "d")])
    assert matching.matches == ()
    assert (len(matching.only_before), len(matching.only_after)) == (2, 2)
    fused = match_launches([_ran(0, "a"), _ran(1, "a")], [_ran(0, "ab")])
    assert fused.matches == ()
    assert match_launches([], []) == Matching((), (), ())
