"""Python source in one form: without comments, docstrings and layout, equal under every Python.

It works on tokens, since what ``ast`` writes differs from one Python to the next. Whether a comma
or a pair of parentheses only serves the layout is asked of the parser: it does if the line means
the same without it. So a formatter may break lines elsewhere, and the text stays.
"""

from __future__ import annotations

import ast
import io
import keyword
import tokenize
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
_PARTS_BEGIN = getattr(tokenize, "FSTRING_START", None)
_PARTS_END = getattr(tokenize, "FSTRING_END", None)

_OPENING, _CLOSING = "([{", ")]}"
_CLINGS = set("([{,)]};")
"""Needs no blank beside it, whatever stands there."""

_BEFORE = {"elif": "if 0:pass\n", "case": "match 0:\n ", "except": "try:pass\n"}
"""What has to stand before a clause, so that it can be read alone."""

_AFTER = {"@": "\ndef f():pass", "match": "\n case 0:pass"}
"""What has to stand after it; after all others that end with a colon: pass."""


class Line(NamedTuple):
    """A logical line: its level of indentation, and its tokens."""

    level: int
    tokens: list[str]


def normal(source: str) -> str:
    """The source with one line for each logical line, and one blank for each level."""
    return "".join(map(written, lines(source)))


def written(line: Line) -> str:
    """A logical line as text."""
    return f"{' ' * line.level}{_joined(line.tokens)}\n"


def lines(source: str) -> Iterator[Line]:
    """The logical lines without docstrings, each in its shortest form."""
    for level, tokens in _without_docstrings(list(_logical(source))):
        yield Line(level, _shortest(tokens))


# --- tokens ---------------------------------------------------------------------------------------


def _logical(source: str) -> Iterator[Line]:
    level = 0
    tokens: list[str] = []
    for kind, text in _tokens(source):
        if kind == tokenize.INDENT:
            level += 1
        elif kind == tokenize.DEDENT:
            level -= 1
        elif kind == tokenize.NEWLINE:
            yield Line(level, tokens)
            tokens = []
        else:
            tokens.append(text)


def _tokens(source: str) -> Iterator[tuple[int, str]]:
    """Kind and text of each token; an f-string is one, as it was before Python 3.12."""
    rows = source.splitlines(keepends=True)
    open_parts: list[tuple[int, int]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == _PARTS_BEGIN:
            open_parts.append(token.start)
        elif token.type == _PARTS_END:
            start = open_parts.pop()
            if not open_parts:
                yield tokenize.STRING, _between(rows, start, token.end)
        elif not open_parts and token.type not in _SKIPPED:
            yield token.type, token.string


def _between(rows: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The source from one place to another; tokenize counts columns in characters."""
    if start[0] == end[0]:
        return rows[start[0] - 1][start[1] : end[1]]
    whole = rows[start[0] : end[0] - 1]
    return "".join((rows[start[0] - 1][start[1] :], *whole, rows[end[0] - 1][: end[1]]))


def _without_docstrings(found: list[Line]) -> Iterator[Line]:
    """Every line but those that are a string and nothing else; no block is left empty."""
    kept = [line for line in found if not all(map(_is_plain, line.tokens))]
    for number, line in enumerate(kept):
        yield line
        after = kept[number + 1].level if number + 1 < len(kept) else 0
        if line.tokens[-1] == ":" and after <= line.level:
            yield Line(line.level + 1, ["pass"])


# --- the shortest form of a line ------------------------------------------------------------------


def _shortest(tokens: list[str]) -> list[str]:
    """The line without every comma and pair of parentheses that it can do without."""
    whole = _with_whole_texts(tokens)
    gone: set[int] = set()
    meaning = ""
    for place, partner in _spare(whole):
        meaning = meaning or _meaning(whole)
        more = gone | {place, place if partner is None else partner}
        if meaning and _meaning(_but(whole, more)) == meaning:
            gone = more
    return _but(whole, gone)


def _but(tokens: list[str], gone: set[int]) -> list[str]:
    return [text for number, text in enumerate(tokens) if number not in gone]


def _spare(tokens: list[str]) -> Iterator[tuple[int, int | None]]:
    """What may only serve the layout: a comma before a bracket closes, a pair of parentheses.

    Commas come first, since `from x import (a, b,)` needs its parentheses for the comma alone.
    """
    for number, text in enumerate(tokens[:-1]):
        if text == "," and tokens[number + 1] in _CLOSING:
            yield number, None
    for opens, closes in sorted(_pairs(tokens).items()):
        if tokens[opens] == "(" and not _is_needed(tokens, opens, closes):
            yield opens, closes


def _is_needed(tokens: list[str], opens: int, closes: int) -> bool:
    """Whether parentheses hold arguments, or several exceptions, which Python 3.14 does without."""
    if tokens[0] == "except" and "," in tokens[opens:closes]:
        return True
    clause = opens == 1 and tokens[-1] == ":" and tokens[0] in ("case", "match")
    return opens > 0 and not clause and _is_called(tokens[opens - 1])


def _pairs(tokens: list[str]) -> dict[int, int]:
    """By the place of each opening bracket, that of the one which closes it."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for number, text in enumerate(tokens):
        if text in _OPENING:
            opened.append(number)
        elif text in _CLOSING:
            pairs[opened.pop()] = number
    return pairs


def _is_called(before: str) -> bool:
    """Whether a parenthesis after this token begins the arguments of a call, and no group."""
    if keyword.iskeyword(before):
        return False
    return before.isidentifier() or before in _CLOSING or _is_text(before)


def _meaning(tokens: list[str]) -> str:
    """The syntax tree of a line as text, or "" where it is none."""
    text = _BEFORE.get(tokens[0], "") + _joined(tokens)
    if tokens[-1] == ":" or tokens[0] == "@":
        text += _AFTER.get(tokens[0], "pass")
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return ""


# --- texts ----------------------------------------------------------------------------------------


def _is_text(token: str) -> bool:
    """Whether it is a string of any sort."""
    return token[-1:] in ("'", '"')


def _is_plain(token: str) -> bool:
    """Whether it is a string without parts, and not of bytes."""
    return _is_text(token) and token.lower().startswith(("'", '"', "r'", 'r"', "u'", 'u"'))


def _with_whole_texts(tokens: list[str]) -> list[str]:
    """Strings that stand side by side are one; each that has no parts is written in ASCII."""
    whole: list[str] = []
    for text in tokens:
        if _is_text(text) and whole and _is_text(whole[-1]):
            whole[-1:] = _together(whole[-1], text)
        else:
            whole.append(text)
    return [ascii(ast.literal_eval(t)) if _is_plain(t) else t for t in whole]


def _together(one: str, two: str) -> Iterable[str]:
    """Two strings as one that means the same, where that can be written."""
    if _is_plain(one) and _is_plain(two):
        return (ascii(ast.literal_eval(one) + ast.literal_eval(two)),)
    meaning = _meaning([one, two])
    for quote in "\"'":
        joined = f"f{quote}{_body(one, quote)}{_body(two, quote)}{quote}"
        if meaning and _meaning([joined]) == meaning:
            return (joined,)
    return (one, two)


def _body(token: str, quote: str) -> str:
    """What stands between the quotes of a string, as it stands in an f-string."""
    if not _is_plain(token):
        return token.partition(token[-1])[2][:-1]
    text = ascii(ast.literal_eval(token))[1:-1]
    return (
        text.replace("\\'", "'").replace(quote, "\\" + quote).replace("{", "{{").replace("}", "}}")
    )


def _joined(tokens: Iterable[str]) -> str:
    """The tokens with a blank only where two of them would become another one."""
    text = ""
    for token in tokens:
        if text and token:
            ends, begins = text[-1], token[0]
            bound = ends in _CLINGS or begins in _CLINGS or _is_word(ends) != _is_word(begins)
            if not bound or (ends.isdigit() and begins == "."):
                text += " "
        text += token
    return text


def _is_word(char: str) -> bool:
    """Whether a character is of a name, a number or a string."""
    return char.isalnum() or char in "_'\"" or not char.isascii()
