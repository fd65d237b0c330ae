"""The operator's page as HTML: no script, nothing from elsewhere, every value escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

STYLE = b"""
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 1rem;
background: #fff; color: #16202a; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #8a94a0; }
nav a { margin-right: 1rem; } a { color: #0a4f8f; }
table { border-collapse: collapse; width: 100%; }
td, th { border-top: 1px solid #b8c0c8; padding: .25rem .6rem; text-align: left;
vertical-align: top; overflow-wrap: anywhere; }
fieldset { border: 1px solid #8a94a0; margin: .8rem 0; } label { display: block; margin: .3rem 0; }
input { font: inherit; width: 24rem; max-width: 100%; } input[type=checkbox] { width: auto; }
button { font: inherit; margin: .3rem .5rem .3rem 0; padding: .2rem .8rem; }
p[role=status] { border-left: .3rem solid #0a4f8f; padding: .5rem 1rem; background: #eef3f8; }
@media (prefers-color-scheme: dark) { body { background: #101418; color: #e4e8ec; }
a { color: #9cd0ff; } p[role=status] { background: #1b2630; border-color: #9cd0ff; } }
"""

PLACES = {"/": "Overview", "/games": "Games", "/log": "Log of acts"}


class Field(NamedTuple):
    """Something to fill in.

    need  whether it may not be left empty
    kind  of the input: "text", "password", or "checkbox"
    """

    name: str
    label: str
    need: bool = False
    kind: str = "text"


class Form(NamedTuple):
    """Something to do.

    acts   button by button: what is asked for, and what the button says
    fixed  what is said besides, and shown nowhere
    """

    title: str
    acts: Mapping[str, str]
    fields: Sequence[Field] = ()
    fixed: Mapping[str, str] = {}


WHY = Field("why", "Why, for the operator's log", need=True)


def page(title: str, body: str, said: str = "", *, known: bool = True) -> bytes:
    """A whole page.

    said   what came of the last act
    known  whether it is shown to somebody who has shown the token
    """
    status = f'<p role="status">{escape(said)}</p>' if said else ""
    links = "".join(f'<a href="{href}">{name}</a>' for href, name in PLACES.items())
    nav = f"<nav aria-label='Pages'>{links}</nav>" if known else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)} - Decklog's operator</title>"
        '<link rel="stylesheet" href="/style.css"></head>'
        f"<body>{nav}<main><h1>{escape(title)}</h1>{status}{body}</main></body></html>\n"
    ).encode()


def section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """``rows`` hold HTML. What is empty says so."""
    body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    if not body:
        return "<p>None.</p>"
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def plain(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The same of texts."""
    return table(head, ([escape(str(cell)) for cell in row] for row in rows))


def game_link(game: str) -> str:
    return f'<a href="/game/{escape(game)}">{escape(game)}</a>'


def form(told: Form, secret: str, back: str) -> str:
    """Of somebody who is known by ``secret``; afterwards the page ``back`` is shown."""
    prefix = "-".join((*told.acts, *told.fixed.values()))
    hidden = {**told.fixed, "secret": secret, "back": back}
    inputs = "".join(
        f'<input type="hidden" name="{escape(n)}" value="{escape(v)}">' for n, v in hidden.items()
    )
    fields = "".join(_field(each, prefix) for each in (*told.fields, WHY))
    buttons = "".join(
        f'<button name="act" value="{escape(act)}">{escape(text)}</button>'
        for act, text in told.acts.items()
    )
    return (
        f'<form method="post" action="/act"><fieldset><legend>{escape(told.title)}</legend>'
        f"{inputs}{fields}{buttons}</fieldset></form>"
    )


def _field(field: Field, prefix: str) -> str:
    id_ = escape(f"{prefix}-{field.name}".replace(" ", "-"))
    need = " required" if field.need else ""
    box = f'<input id="{id_}" name="{escape(field.name)}" type="{field.kind}"{need}'
    if field.kind == "checkbox":
        return f'<label for="{id_}">{box} value="yes"> {escape(field.label)}</label>'
    return f'<label for="{id_}">{escape(field.label)}</label>{box} autocomplete="off">'


def entrance() -> str:
    """Where whoever comes shows the token."""
    return (
        '<form method="post" action="/login">'
        f"{_field(Field('by', 'Your name, for the operator’s log', need=True), 'login')}"
        f"{_field(Field('token', 'The operator’s token', need=True, kind='password'), 'login')}"
        "<p><button>Come in</button></p></form>"
    )
