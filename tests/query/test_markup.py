from warpwright.query.markup import RawMention, plain_text


def test_mentions_become_labels_and_are_kept() -> None:
    text, mentions = plain_text(
        "See @section:LaunchStats:Launch Statistics@ and the "
        "@url:Guide:https://example.com/a:b#c@, at @source:7f00:0x7f00@ "
        "of @source:kda.cu:77:kda.cu, line 78@."
    )
    assert (
        text == "See Launch Statistics (LaunchStats) and the Guide, at 0x7f00 of kda.cu, line 78."
    )
    assert mentions == (
        RawMention("section", "Launch Statistics", "LaunchStats"),
        RawMention("url", "Guide", "https://example.com/a:b#c"),
        RawMention("pc", "0x7f00", "7f00"),
        RawMention("line", "kda.cu, line 78", "kda.cu:78"),
    )


def test_a_mention_is_listed_once() -> None:
    text, mentions = plain_text("@section:A:A@, again @section:A:A@")
    assert text == "A, again A"
    assert len(mentions) == 1


def test_what_is_no_markup_stays() -> None:
    for text in ("a@b.example", "@section:@", "@section:Occupancy", "50% @ 3:2", "@other:a:b@"):
        assert plain_text(text) == (text, ())
