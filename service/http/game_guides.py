"""A page of the guide for each ruleset: phases, questions and commands, from the game's own values.

Nothing of it is written by hand: questions are those that the ruleset's package defines, their
rules are in its rulebook, and what a command takes is in the document of the API.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from domain.kernel.finder import home_of
from domain.kernel.game import Game
from domain.kernel.question import Question

AnyGame = Game[Any, Any, Any]
AnyQuestion = Question[Any, Any, Any]
Schemas = Mapping[str, Mapping[str, Any]]

NONE = "none"
SAMPLE = "rules/sample.jsonl"
"""Where a ruleset's package has its sample game (``service.engines.sample``)."""
PHASES = """## Phases

Of each turn, in order; `state.step.phase` of a view says which one it is."""

QUESTIONS = """## Questions

`toMove` of a game and of a moment names the seats that are asked, each with its `question`. The
list of commands has all that the seat may answer, ready to post; what is too much to be listed has
a template there as well, with the closed set of each parameter."""

COMMANDS = """## Commands

The body of `POST /v1/games/{game}/commands`. `type` is always there; what has a default, or none,
may be left out. An example is a command of the ruleset's own sample game, which every copy of its
rules is tried by: it was accepted there, and shows how what a template describes is built."""


def markdown(game: AnyGame, document: Mapping[str, Any]) -> str:
    """The page; ``document`` describes the API with this ruleset."""
    schemas = document["components"]["schemas"]
    asked, given = questions(game), examples(game)
    parts = [
        f"# {game.title}",
        f"`{game.ruleset}`, editions: {_codes(game.editions)}; seats: {_codes(game.seat_counts)}.",
        PHASES,
        "\n".join(f"{number}. `{phase}`" for number, phase in enumerate(game.phases, 1)),
        QUESTIONS,
        *(_question(game, key, each) for key, each in asked.items()),
        COMMANDS,
        *(
            _command(command, schemas) + _example(given.get(tag_of(command)))
            for command in game.commands
        ),
    ]
    return "\n\n".join(parts) + "\n"


def questions(game: AnyGame) -> dict[str, list[AnyQuestion]]:
    """What the ruleset asks, by key: one key may be asked by several rules."""
    home, found = home_of(game), dict[str, dict[int, AnyQuestion]]()
    for name, module in [*sys.modules.items()]:
        if name == home or name.startswith(f"{home}."):
            for question in _in(vars(module).values()):
                found.setdefault(question.key, {})[id(question)] = question
    return {key: [*each.values()] for key, each in found.items()}


def _in(values: Iterable[object]) -> Iterator[AnyQuestion]:
    for value in [*values]:
        if isinstance(value, Question):
            yield value
        elif isinstance(value, tuple | list):
            yield from (each for each in value if isinstance(each, Question))


def examples(game: AnyGame) -> dict[str, Mapping[str, Any]]:
    """The longest command of each type in the ruleset's sample game; none where it has none."""
    spec = find_spec(home_of(game))
    if spec is None or not spec.submodule_search_locations:
        return {}
    file = Path(spec.submodule_search_locations[0]) / SAMPLE
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    given = [each["command"] for each in map(json.loads, lines) if "command" in each]
    return {each["type"]: each for each in sorted(given, key=lambda one: len(json.dumps(one)))}


def tag_of(command: type) -> str:
    """The ``type`` of a command on the wire."""
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]


def _question(game: AnyGame, key: str, asked: list[AnyQuestion]) -> str:
    titles = {rule.id: rule.title for rule in game.catalogue.rules()}
    rules = dict.fromkeys(each.rule for each in asked)
    takes = dict.fromkeys(tag_of(act.command) for each in asked for act in each.acts)
    lines = [
        f"### `{key}`",
        "\n".join(f"- Rule `{rule}`: {titles.get(rule, 'of the ruleset')}." for rule in rules),
        f"Takes {_codes(takes)}{_nature(asked)}",
    ]
    return "\n\n".join(lines)


def _nature(asked: list[AnyQuestion]) -> str:
    may_pass = any(each.optional for each in asked)
    said = [
        "the seat may pass" if may_pass else "the seat may not pass",
        "others are asked together with it" if any(each.together for each in asked) else "",
        "some answers are built by a template" if any(map(_built, asked)) else "",
        f"when its time is over {_in_absence(asked, may_pass=may_pass)}",
    ]
    return "; " + "; ".join(filter(None, said)) + "."


def _built(question: AnyQuestion) -> bool:
    """Whether the ruleset says more of templates than the kernel does of every question."""
    return question.templates is not vars(Question)["templates"]


def _in_absence(asked: list[AnyQuestion], *, may_pass: bool) -> str:
    """What the service answers for a seat whose time is over (``Question.usual``)."""
    if any(each.usual for each in asked):
        return "the ruleset names an answer of its own"
    return "it passes" if may_pass else "the first of its list is given"


def _command(command: type, schemas: Schemas) -> str:
    tag = tag_of(command)
    schema = next((each for each in schemas.values() if _type_of(each) == tag), {})
    fields = {k: v for k, v in schema.get("properties", {}).items() if k != "type"}
    head = f"### `{tag}`\n\n{schema.get('description', '')}"
    if not fields:
        return f"{head}\n\nIt takes nothing more."
    needed = schema.get("required", ())
    rows = (
        f"| `{name}` | {_kind(value, schemas)} | {_default(name, value, needed)} | "
        f"{_cell(value.get('description', ''))} |"
        for name, value in fields.items()
    )
    return f"{head}\n\n| field | takes | without it | |\n|---|---|---|---|\n" + "\n".join(rows)


def _example(command: Mapping[str, Any] | None) -> str:
    if command is None:
        return ""
    return f"\n\nFor example:\n\n```json\n{json.dumps(command, ensure_ascii=False)}\n```"


def _type_of(schema: Mapping[str, Any]) -> str:
    kind = schema.get("properties", {}).get("type", {})
    return kind.get("const", "") if isinstance(kind, dict) else ""


def _default(name: str, schema: Mapping[str, Any], needed: Iterable[str]) -> str:
    if name in needed:
        return "refused"
    value = schema.get("default", "")
    return f"`{value}`" if value not in ("", [], None) else NONE


def _kind(schema: Mapping[str, Any], schemas: Schemas) -> str:
    """What a value is, in words."""
    if "$ref" in schema:
        return _kind(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "enum" in schema:
        return "one of " + _codes(schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    for branches in ("oneOf", "anyOf"):
        if branches in schema:
            return _cell(" or ".join(_kind(each, schemas) for each in schema[branches]))
    return _plain(schema, schemas)


def _plain(schema: Mapping[str, Any], schemas: Schemas) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(_plain({**schema, "type": each}, schemas) for each in kind)
    if kind == "array":
        most = f" (at most {schema['maxItems']})" if "maxItems" in schema else ""
        return f"a list{most}, each {_kind(schema.get('items') or {}, schemas)}"
    if kind == "object":
        fields = schema.get("properties", {})
        return "an object" + (f" of {_codes(fields)}" if fields else "")
    words = {
        "string": "text",
        "integer": "a whole number",
        "boolean": "`true` or `false`",
        "null": "null",
    }
    return words.get(str(kind), "a value")


def _codes(names: Iterable[object]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())
