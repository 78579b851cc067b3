"""A run as one static page: no script, nothing loaded, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from warpwright.model.run import RunStory, Step
from warpwright.operations.chapters import Chapter
from warpwright.render.numbers import time_text
from warpwright.render.run import headline_lines, step_name, time_columns
from warpwright.render.run_html_step import state_tag, step_section
from warpwright.render.run_style import CSS
from warpwright.render.run_words import change_text, factor, outcome


def run_page(story: RunStory, told: Iterable[Chapter]) -> str:
    """The page of a run; `told`: the chapter of each of the story's steps."""
    title, *facts = headline_lines(story)
    sections = [
        step_section(step, chapter) for step, chapter in zip(story.steps, told, strict=True)
    ]
    cautions = [f'<p class="warn">caution: {escape(caution)}</p>' for caution in story.cautions]
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{CSS}\n</style>\n</head>\n<body>\n<main>",
            f"<header><h1>Run {escape(story.name)}</h1>",
            f"<p>{escape(title.partition(': ')[2])}</p>",
            *(f'<p class="soft">{escape(fact)}</p>' for fact in facts),
            *cautions,
            "</header>",
            _story_table(story),
            *sections,
            "</main>\n</body>\n</html>\n",
        ]
    )


def _story_table(story: RunStory) -> str:
    times = time_columns(story)
    titles = [("step", ""), ("lines", "k"), ("verdict", "k")]
    titles += [(name, "n") for name, _ in times] + [("speedup", "n"), ("finding acted on", "")]
    head = "".join(f'<th class="{kind}">{name}</th>' for name, kind in titles)
    rows = []
    for step in story.steps:
        link = f'<a href="#step{step.number}">{step.number}. {escape(step_name(step, True))}</a>'
        cells = [link, escape(change_text(step.change)), state_tag(step)]
        cells += [_measured(getattr(step, field)) for _, field in times]
        cells.append(_speedup(step))
        cells.append(_acted_on(step))
        rows.append(
            "<tr>"
            + "".join(
                f'<td class="{kind}" data-name="{name}">{cell}</td>'
                for (name, kind), cell in zip(titles, cells, strict=True)
            )
            + "</tr>"
        )
    table = f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody>"
    return f'<section class="card"><table class="story">{table}</table>{_legend(story)}</section>'


def _legend(story: RunStory) -> str:
    shapes = ", ".join(sorted({step.shape for step in story.steps if step.shape}))
    if not shapes:
        return ""
    text = f"Times are medians at shape {shapes}; lines against the candidate evaluated before."
    return f'<p class="soft">{escape(text)}</p>'


def _measured(ns: float | None) -> str:
    return "" if ns is None else time_text(ns)


def _speedup(step: Step) -> str:
    if step.speedup is None:
        return ""
    over = f'<br><span class="soft">over {escape(step.speedup.baseline)}</span>'
    return f"<span>{factor(step.speedup.ratio)}{over}</span>"


def _acted_on(step: Step) -> str:
    if step.prediction is None:
        return escape(step.because or "")
    text = f"{step.prediction.finding}: {outcome(step.prediction)}"
    return f"<span>{escape(text)}</span>"
