"""An impact for people: as text, and as a page that opens from disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from domain.kernel.setup import Result

from .compare import FORM, KINDS, Difference, Ending
from .impact import Impact

SHOWN = 5
"""Differences that a text tells, those of form last."""

PAGE = 500
"""Differences that a page tells, at most."""


def head(impact: Impact) -> str:
    """One line: what was compared, and how much differs."""
    what = f"{impact.old} -> {impact.new}"
    if impact.option:
        what = f"{impact.old} with {impact.option}"
    games = len({each.file for each in impact.differences})
    differ = len(impact.differences)
    of = f"{_many(impact.decisions, 'decision')} in {_many(impact.games, 'game')}"
    return f"{what}: {of}; {differ} differ, in {_many(games, 'game')}"


def text(impact: Impact, shown: int = SHOWN) -> str:
    """The whole as lines; ``shown`` differences are told at length."""
    lines = [head(impact)]
    lines += [f"{impact.kinds[kind]:>7}  {kind}" for kind in KINDS if impact.kinds[kind]]
    named = [each for each in impact.by_rule if each.rule]
    lines += [f"{each.count:>7}  {each.kind} by {each.rule}" for each in named]
    lines += [f"ending   {_ending(each)}" for each in impact.endings]
    lines += [f"stopped  {each.file}: {each.why}" for each in impact.stopped]
    for each in gravest(impact)[:shown]:
        lines += ["", *difference_lines(each)]
    left = len(impact.differences) - shown
    return "\n".join([*lines, "", f"{left} more are not told here"] if left > 0 else lines)


def gravest(impact: Impact) -> list[Difference]:
    """The differences, those of form only last."""
    return sorted(impact.differences, key=lambda each: each.kind == FORM)


def difference_lines(each: Difference) -> Iterator[str]:
    """One difference: where, how, by which rules; sentences and fields of either side."""
    rules = f", {', '.join(each.rules)}" if each.rules else ""
    yield f"{each.file}:{each.at}  {each.kind}{rules}, {_asked(each)}"
    yield from (f"  old  {sentence}" for sentence in each.said[0])
    yield from (f"  new  {sentence}" for sentence in each.said[1])
    if each.why:
        yield f"  new  {each.why}"
    yield from (f"  {it.text()}" for it in each.fields)


def _asked(each: Difference) -> str:
    if each.command is None:
        return "the opening" if not each.seat else "dice"
    return f"{each.seat}: {bytes(each.command).decode()}"


def _ending(each: Ending) -> str:
    return f"{each.file}:{each.at}: {_result(each.old)} -> {_result(each.new)}"


def _result(result: Result | None) -> str:
    if result is None:
        return "goes on"
    rule = f" ({result.rule})" if result.rule else ""
    won = f"{', '.join(result.winners)} won" if result.winners else "a draw"
    return f"{won}, {result.reason}{rule}"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


# The page

STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#111;"
    "background:#fff}table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{border:1px solid"
    " #767676;padding:.3rem .6rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "td.number{text-align:right}"
)


def page(impact: Impact) -> str:
    """The whole as one HTML file without scripts or anything from elsewhere."""
    title = escape(head(impact))
    told = gravest(impact)[:PAGE]
    body = [
        f"<h1>{title}</h1>",
        _table(("kind", "decisions"), [(k, impact.kinds[k]) for k in KINDS if impact.kinds[k]]),
        _table(("kind", "rule", "decisions"), [
            (each.kind, each.rule, each.count) for each in impact.by_rule if each.rule
        ]),
        *_part("Games that end differently", [_ending(each) for each in impact.endings]),
        *_part("Not compared to the end", [f"{e.file}: {e.why}" for e in impact.stopped]),
        *_differences(told, len(impact.differences)),
    ]  # fmt: skip
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><main>\n"
        + "\n".join(part for part in body if part)
        + "\n</main></body></html>\n"
    )


def _part(title: str, lines: Iterable[str]) -> list[str]:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return [f"<h2>{title}</h2>", f"<ul>{items}</ul>"] if items else []


def _differences(told: list[Difference], of: int) -> list[str]:
    if not told:
        return []
    rest = f"<p>{of - len(told)} more are not told here.</p>" if of > len(told) else ""
    rows = "".join(map(_row, told))
    columns = "".join(f'<th scope="col">{each}</th>' for each in ("where", "old", "new"))
    return ["<h2>Decisions that differ</h2>", rest, f"<table><tr>{columns}</tr>{rows}</table>"]


def _row(each: Difference) -> str:
    where = [f"{each.file}:{each.at}", each.kind, *each.rules, _asked(each)]
    olds, news = list(each.said[0]), [*each.said[1], *([each.why] if each.why else [])]
    olds += [f"{it.pointer or '/'}: {it.old}" for it in each.fields]
    news += [f"{it.pointer or '/'}: {it.new}" for it in each.fields]
    cells = ("<br>".join(map(escape, cell)) for cell in (where, olds, news))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"


def _table(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    if not rows:
        return ""
    first = "".join(f'<th scope="col">{each}</th>' for each in columns)
    rest = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><tr>{first}</tr>{rest}</table>"


def _cell(value: Any) -> str:
    if isinstance(value, int):
        return f'<td class="number">{value}</td>'
    return f"<td>{escape(str(value))}</td>"
