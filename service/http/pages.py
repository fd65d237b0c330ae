"""Pages for people: the documentation and the problems, plain HTML without a line of script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from domain.kernel.shown.rulebook import RuleText
from service.problems import MEDIA_TYPE, Explained, Kind

HTML = "text/html"

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Content-Security-Policy of every page: nothing is loaded from anywhere."""

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem; }
h1, h2, h3 { line-height: 1.2; } h2 { border-bottom: 1px solid #8888; margin-top: 3rem; }
code, pre { font: 14px/1.4 ui-monospace, monospace; } pre { overflow: auto; padding: .6rem;
background: #8881; border-radius: .3rem; } table { border-collapse: collapse; width: 100%; }
td, th { border-top: 1px solid #8884; padding: .3rem .6rem; text-align: left;
vertical-align: top; } .verb { font-weight: 700; } details { margin: .3rem 0; }
@media (prefers-color-scheme: dark) { body { background: #101418; color: #dde; }
a { color: #8cf; } }
"""


def page(title: str, body: str, head: str = "") -> bytes:
    """A whole page; ``head`` is HTML for its head."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>{head}</head>"
        f"<body>{body}</body></html>\n"
    ).encode()


def prose(text: str) -> str:
    """A description: `code` marks become code, blank lines paragraphs."""
    paragraphs = [escape(p) for p in re.split(r"\n\s*\n", text.strip()) if p]
    marked = (re.sub(r"`{1,2}([^`]+)`{1,2}", r"<code>\1</code>", p) for p in paragraphs)
    return "".join(f"<p>{p}</p>" for p in marked)


def row(*cells: str) -> str:
    """A table row of cells that are HTML already."""
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def table(head: Iterable[str], rows: Iterable[str]) -> str:
    """A table."""
    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def code(text: str) -> str:
    """Inline code."""
    return f"<code>{escape(text)}</code>"


def problems_page(kinds: Iterable[Kind], after: str, rules: Mapping[str, Iterable[str]]) -> bytes:
    """All refusals in order of precedence."""
    rows = []
    for kind in kinds:
        link = f'<a href="/problems/{escape(kind.code)}">{code(kind.code)}</a>'
        rows.append(row(link, str(kind.status), escape(kind.title), escape(kind.hint)))
        if kind.code == after:
            rows.extend(_rule_rows(rules))
    body = (
        "<h1>Problems</h1><p>What the service refuses, in order of precedence: of several refusals "
        "that fit a request, the one that stands first is given.</p>"
    )
    return page("Problems", body + table(("code", "status", "title", "what to do"), rows))


def _rule_rows(rules: Mapping[str, Iterable[str]]) -> Iterable[str]:
    for ruleset, codes in rules.items():
        links = ", ".join(f'<a href="/problems/{escape(c)}">{code(c)}</a>' for c in codes)
        yield row(f"rules of {escape(ruleset)}", "409, 422", links or "none", "the rule's own hint")


def problem_page(explained: Explained, example: Mapping[str, Any]) -> bytes:
    """One refusal."""
    kind = explained.kind
    body = (
        f'<p><a href="/problems">Problems</a></p><h1>{escape(kind.title)}</h1>'
        f"<p>{code(kind.code)}, HTTP status {kind.status}</p>"
        f"<h2>When</h2>{prose(kind.meaning)}{_rule_texts(explained.rules)}"
        f"<h2>What to do</h2>{prose(kind.hint)}"
        f"<h2>Example</h2>{block(example)}"
    )
    return page(kind.title, body)


def _rule_texts(rules: Iterable[RuleText]) -> str:
    """The rules that refuse so, in words."""
    rows = [row(code(each.id), f"<b>{escape(each.title)}</b>{prose(each.text)}") for each in rules]
    return table(("rule", "what it says"), rows) if rows else ""


def block(value: Any) -> str:
    """JSON, set out."""
    return f"<pre>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</pre>"


def docs_page(document: Mapping[str, Any], navigation: str = "") -> bytes:
    """The API from its own document: every operation in a line, each with a page of its own."""
    info = document["info"]
    parts = [navigation, f"<h1>{escape(info['title'])}</h1>", prose(info["description"])]
    parts.append(
        '<p><a href="/openapi.json">openapi.json</a> · <a href="/problems">problems</a></p>'
    )
    for tag in document["tags"]:
        parts.append(f"<h2>{escape(tag['name'])}</h2>{prose(tag['description'])}")
        rows = (
            _line(method, path, operation)
            for method, path, operation in _operations(document)
            if tag["name"] in operation.get("tags", ())
        )
        parts.append(table(("operation", "request", ""), rows))
    return page(info["title"], "".join(parts))


Operation = tuple[str, str, Mapping[str, Any]]
"""Method, path, and what the document says of it."""


def _operations(document: Mapping[str, Any]) -> Iterable[Operation]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


def _line(method: str, path: str, operation: Mapping[str, Any]) -> str:
    """An operation among others, with the way to its page."""
    name = escape(operation["operationId"])
    link = f'<a id="{name}" href="/docs/{name}">{code(operation["operationId"])}</a>'
    return row(link, code(f"{method.upper()} {path}"), escape(operation["summary"]))


def operation_page(document: Mapping[str, Any], name: str, navigation: str = "") -> bytes | None:
    """The page of an operation, by its id: None where there is none of that name."""
    for method, path, operation in _operations(document):
        if operation["operationId"] == name:
            body = _operation(document, method, path, operation)
            return page(f"{operation['summary']} · {document['info']['title']}", navigation + body)
    return None


def _operation(
    document: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any]
) -> str:
    name = escape(operation["operationId"])
    parameters = [
        row(code(p["name"]), escape(p["in"]), prose(p.get("description", "")))
        for p in (_itself(document, each) for each in operation.get("parameters", ()))
    ]
    return (
        f"<h1>{escape(operation['summary'])}</h1>"
        f'<p><span class="verb">{method.upper()}</span> {code(path)} ({name})</p>'
        + prose(operation["description"])
        + (table(("parameter", "in", ""), parameters) if parameters else "")
        + "".join(
            _answer(document, status, _itself(document, each))
            for status, each in operation["responses"].items()
        )
    )


def _answer(document: Mapping[str, Any], status: str, answer: Mapping[str, Any]) -> str:
    shown = []
    for media, form in answer.get("content", {}).items():
        examples = form.get("examples", {})
        if media == MEDIA_TYPE:
            shown.append(_problems(document, examples))
        else:
            shown += [_example(media, _itself(document, e)["value"]) for e in examples.values()]
    head = f"<summary>{status} {prose(answer['description'])[3:-4]}</summary>"
    return f"<details>{head}{''.join(shown)}</details>"


def _example(media: str, value: Any) -> str:
    text = f"<pre>{escape(value)}</pre>" if isinstance(value, str) else block(value)
    return f"<p>{code(media)}</p>{text}"


def _problems(document: Mapping[str, Any], examples: Mapping[str, Mapping[str, str]]) -> str:
    """The problems of one status: the first one in full, all of them with what they say."""
    found = {name: _pointed(document, each["$ref"])["value"] for name, each in examples.items()}
    rows = (
        row(f'<a href="/problems/{escape(name)}">{code(name)}</a>', escape(value["detail"]))
        for name, value in found.items()
    )
    first = [_example(MEDIA_TYPE, value) for value in list(found.values())[:1]]
    return "".join(first) + table(("code", "for example"), rows)


def _itself(document: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of the document, or what it refers to."""
    return _pointed(document, part["$ref"]) if "$ref" in part else part


def _pointed(document: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    """What a ``#/a/b`` inside the document leads to."""
    found: Any = document
    for name in reference.removeprefix("#/").split("/"):
        found = found[name]
    return dict(found)
