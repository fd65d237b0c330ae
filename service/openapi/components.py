"""Named schemas: the service's own bodies, and per ruleset its commands, events and state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Union

import msgspec
from msgspec import UnsetType

from domain.kernel import chance, chances, fork, options, setup, tally, values
from domain.kernel.commands import tag_of
from domain.kernel.event import Event
from domain.kernel.fork import NAME as FORKED
from domain.kernel.forked import fork_rules
from domain.kernel.game import Game
from domain.kernel.setup import Setup
from domain.kernel.shown import catalogue, rulebook
from domain.kernel.shown.option_texts import described
from domain.kernel.values import Part
from projections.rolls import RollRecord
from service.evidence.records import RECORDS
from service.http.operation import Operation
from service.http.wire import (
    CheckPassed,
    CommandDone,
    CommandList,
    EntryShown,
    Page,
    ReadyCommand,
    ViewAnswer,
    WireEvent,
)
from service.models import Request
from service.problems import Problem
from service.webhooks.messages import FORMS as MESSAGES

from .catalogued import figures, whence
from .shape import (
    REF,
    Schema,
    bounded,
    closure,
    dated,
    inherited,
    opened,
    reference,
    references,
    tidy,
)
from .usual import usual_words

AnyGame = Game[Any, Any, Any]
Components = dict[str, Schema]

KERNEL = frozenset(
    thing
    for module in (catalogue, chance, chances, fork, options, rulebook, setup, tally, values)
    for thing in vars(module).values()
    if isinstance(thing, type) and issubclass(thing, values.Value)
)
"""Types that mean the same in every ruleset: a ruleset may have another of the same name."""


def components_for(games: Mapping[str, AnyGame], operations: Iterable[Operation]) -> Components:
    """Every component schema of the document, tidy, by name."""
    every = tuple(operations)
    found = _own(every)
    unions: Unions = {name: {} for name in UNIONS}
    _add_events(found, unions, "Decklog", RECORDS)
    agreed = found["Setup"]["properties"]
    agreed["customs"]["additionalProperties"] = reference("CustomContent")
    for name, words in AGREED.items():
        agreed[name]["description"] = words
    for name, ruleset in games.items():
        _add_ruleset(found, unions, pascal(name), ruleset)
    newer = _newer(found)
    found["RollResult"] = _by_type(unions["Event"], found)
    for name, (tag, meaning) in UNIONS.items():
        found[name] = one_of(tag, unions[name], meaning)
        if name in newer:
            _leave_open(found, name, newer[name])
    _name_values(found)
    _place(found)
    usual_words(found)
    bodies = [reference(each.body) for each in every if each.body]
    return _split(found, references([*bodies, reference("Command")]))


AGREED = {
    "edition": "edition of the rules",
    "scenario": "id of a scenario of the ruleset",
    "seats": "ids of the seats, in their order",
}
"""Words for what every set-up has."""

POSITION: dict[str, Any] = {
    "type": ["object", "null"],
    "description": "the `state` of the view, without the fields that are at their defaults",
}
"""The position in a fork's opening. Not the schema of the view's state, which shows every field."""


Unions = dict[str, dict[str, str]]
"""Branches of the unions that span rulesets: tag to component names."""

UNIONS = {
    "Command": ("type", "A command of some ruleset, by its `type`."),
    "Event": ("type", "An event, by its `type`: new ones may come."),
    "View": ("ruleset", "The state of a game, by its `ruleset`."),
    "NewGame": ("ruleset", "A game to be created, by its `ruleset`."),
    "GameOptions": ("ruleset", "The options of a game, by its `ruleset`."),
    "Odds": ("ruleset", "A ruleset's own account of an attack before its dice, by its `ruleset`."),
    "Preview": ("ruleset", "The course of an order by itself, by its `ruleset`."),
    "Worthwhile": ("ruleset", "The reasons why an offer is worth a look, by its `ruleset`."),
    "Setup": ("ruleset", "The agreement before a game, by its `ruleset`."),
    "Entry": ("kind", "One thing of a catalogue, by its `kind`: its ruleset, and which list."),
}
"""Their tags, and what they are."""


def pascal(name: str) -> str:
    """``war-at-sea`` becomes ``WarAtSea``; names of generic types lose their punctuation. Of those
    that others share msgspec tells the modules, whose last words stay."""
    short = re.sub(r"^(?:[a-z0-9_]+\.)*([a-z0-9_]+)\.(\w+)$", r"\1-\2", name)
    short = re.sub(r"_(?:[a-z0-9_]+\.)+", "_", f"_{short}")
    words = re.findall(r"[A-Za-z0-9]+", short)
    return "".join(one[0].upper() + one[1:] for one in words if one not in ("typing", "Literal"))


def _own(operations: Iterable[Operation]) -> Components:
    """Schemas of the structs that operations take and give."""
    structs: list[Any] = [Problem, WireEvent, ReadyCommand, CommandList, CommandDone, CheckPassed]
    structs += [ViewAnswer, RollRecord, Page, EntryShown, Setup, *MESSAGES.values()]
    for operation in operations:
        given = [schema for answer in operation.answers for _, schema in answer.forms]
        named = (operation.body, *given, *operation.data)
        structs += [each for each in named if isinstance(each, type)]
    made = _generate([*dict.fromkeys(structs)], "")
    return {name: dated(schema) for name, schema in made.items()}


def _generate(types: list[Any], prefix: str, *requests: Any) -> Components:
    """Components of ``types`` and all they contain; names outside the kernel get a prefix."""
    _, raw = msgspec.json.schema_components(types, ref_template=REF + "{name}")
    shared = {struct.__name__ for struct in _structs(types) & KERNEL}
    names = {name: name if name in shared else prefix + pascal(name) for name in raw}
    if len(set(names.values())) < len(names):
        raise ValueError(f"two types have one name in the document: {sorted(names)}")
    found: Components = {names[name]: tidy(_rename(each, names)) for name, each in raw.items()}
    _require(found, types, names, _structs(requests))
    for struct in _structs(types):
        if name := _named(struct, names):
            inherited(found[name], struct)
    return found


def _add(found: Components, made: Components) -> None:
    for name, schema in made.items():
        if found.setdefault(name, schema) != schema:
            raise ValueError(f"two different schemas are called {name}")


def _named(struct: type[msgspec.Struct], names: Mapping[str, str]) -> str | None:
    """Its component: msgspec calls it by its own name, with its module where two share that."""
    own = re.sub(r"[^\w.\-]", "_", struct.__name__, flags=re.ASCII)
    return names.get(own, names.get(f"{struct.__module__}.{own}"))


def _rename(schema: Any, names: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_rename(item, names) for item in schema]
    if isinstance(schema, dict):
        return {name: _rename(value, names) for name, value in schema.items()}
    if isinstance(schema, str) and schema.startswith(REF):
        return REF + names[schema.removeprefix(REF)]
    return schema


def _require(
    found: Components, types: list[Any], names: Mapping[str, str], asked: set[type[msgspec.Struct]]
) -> None:
    """An answer always has all fields, defaults too, unless its struct says otherwise."""
    told = _structs(each for each in types if _tells(each))
    viewed = _structs(each for each in types if isinstance(each, type) and issubclass(each, Part))
    for struct in _structs(types) - asked:
        name, lean = _named(struct, names), struct.__struct_config__.omit_defaults
        if lean and issubclass(struct, Part) and struct not in told:
            lean = False  # a view shows all of a state
        if name is not None and lean and struct not in viewed:
            _absent_and_never_null(found[name])
        if name is None or issubclass(struct, Request) or lean:
            continue
        tag = struct.__struct_config__.tag_field
        fields = msgspec.structs.fields(struct)
        always = [f.encode_name for f in fields if not _may_be_absent(f)]
        found[name]["required"] = ([tag] if tag else []) + always
        for field in found[name]["properties"].values():
            if "$ref" not in field:
                field.pop("default", None)


def _absent_and_never_null(schema: Schema) -> None:
    """What is as usual is left out of it: a field is never sent as null that may be absent."""
    for name, field in schema["properties"].items():
        if name in schema.get("required", ()) or field.get("default", ...) is not None:
            continue
        words = {key: field[key] for key in ("description",) if key in field}
        if isinstance(field.get("type"), list):
            kinds = [kind for kind in field["type"] if kind != "null"]
            field["type"] = kinds[0] if len(kinds) == 1 else kinds
        elif {"type": "null"} in field.get("oneOf", ()):
            rest = [each for each in field["oneOf"] if each != {"type": "null"}]
            if len(rest) > 1:
                field["oneOf"] = rest
            else:
                schema["properties"][name] = rest[0] if "$ref" in rest[0] else rest[0] | words
                continue
        del field["default"]


def _tells(type_: Any) -> bool:
    """Whether it is an event whose data say what they hold; a fork's opening does not."""
    return isinstance(type_, type) and issubclass(type_, Event) and FORKED != type_.NAME


def _may_be_absent(field: msgspec.structs.FieldInfo) -> bool:
    return UnsetType in getattr(field.type, "__args__", ())


def _structs(types: Iterable[Any]) -> set[type[msgspec.Struct]]:
    """Every struct in ``types``, however deep."""
    seen: set[type[msgspec.Struct]] = set()
    waiting: list[Any] = list(msgspec.inspect.multi_type_info(types))
    while waiting:
        info = waiting.pop()
        if isinstance(info, msgspec.inspect.StructType):
            struct = getattr(info.cls, "__origin__", info.cls)
            if struct in seen:
                continue
            seen.add(struct)
            waiting.extend(field.type for field in info.fields)
        elif isinstance(info, msgspec.inspect.Type):
            for part in msgspec.structs.asdict(info).values():
                parts = part if isinstance(part, tuple | list) else (part,)
                waiting.extend(p for p in parts if isinstance(p, msgspec.inspect.Type))
    return seen


def _add_ruleset(found: Components, unions: Unions, prefix: str, ruleset: AnyGame) -> None:
    """The ruleset's own types, the view of its state, and its branches of the unions."""
    ruleset = fork_rules(ruleset)  # its forks have one more event
    commands: Any = Union[ruleset.commands]  # noqa: UP007
    made = _generate([commands, ruleset.state, *ruleset.events], prefix, commands)
    _add(found, made | _options(prefix, ruleset))
    for command in ruleset.commands:
        unions["Command"][tag_of(command)] = prefix + pascal(command.__name__)
    found[prefix + FORKED.capitalize()]["properties"]["state"] = POSITION
    view = f"{prefix}View"
    found[view] = _with(
        found["ViewAnswer"],
        ruleset={"type": "string", "const": ruleset.ruleset},
        state=reference(prefix + pascal(ruleset.state.__name__)),
    )
    unions["View"][ruleset.ruleset] = view
    unions["NewGame"][ruleset.ruleset] = f"{prefix}NewGame"
    found[f"{prefix}NewGame"] = _with(
        found["NewGame"],
        ruleset={"type": "string", "const": ruleset.ruleset},
        edition={"type": "string", "enum": list(ruleset.editions)},
        options=reference(prefix + WISHED),
    )
    unions["GameOptions"][ruleset.ruleset] = f"{prefix}GameOptions"
    for union in ("Odds", "Preview", "Worthwhile"):
        form = getattr(ruleset, f"{union.lower()}_form")
        if form is not None:
            name = prefix + pascal(form.__name__)
            _add(found, _generate([form], prefix))
            found[name] = _with(found[name], ruleset={"type": "string", "const": ruleset.ruleset})
            found[name]["required"] = ["ruleset", *found[name]["required"]]
            unions[union][ruleset.ruleset] = name
    _add_setup(found, unions, prefix, ruleset)
    _add_entries(found, unions, prefix, ruleset)
    types = {f"{ruleset.ruleset}.{event.NAME}": event for event in ruleset.events}
    _add_events(found, unions, prefix, types)


def _add_setup(found: Components, unions: Unions, prefix: str, ruleset: AnyGame) -> None:
    """The agreement before its games: its options as they were named then, which may be few."""
    options = found[f"{prefix}GameOptions"]
    found[f"{prefix}AgreedOptions"] = _without(options, "ruleset") | {
        "description": f"The options that were agreed on; `{prefix}{WISHED}` says what they mean."
    }
    found[f"{prefix}Setup"] = _with(
        found["Setup"],
        ruleset={"type": "string", "const": ruleset.ruleset},
        options=reference(f"{prefix}AgreedOptions"),
    )
    unions["Setup"][ruleset.ruleset] = f"{prefix}Setup"


def _add_entries(found: Components, unions: Unions, prefix: str, ruleset: AnyGame) -> None:
    """Entries of its catalogue, as far as it says what their figures are."""
    for kind, form in ruleset.catalogue.forms.items():
        own = prefix + pascal(kind)
        data, provenance = figures(kind, form), whence(kind, form)
        made = _generate([data, provenance], prefix)
        if f"{prefix}EffectTold" in made:  # said, for who closes whatever does not say so
            made[f"{prefix}EffectTold"]["additionalProperties"] = True
        _add(found, made)
        tag = f"{ruleset.ruleset}.{kind}"
        found[f"{own}Entry"] = _with(
            found["EntryShown"],
            kind={"type": "string", "const": tag},
            data=reference(f"{own}Figures"),
            provenance=reference(f"{own}Provenance"),
        )
        unions["Entry"][tag] = f"{own}Entry"


WISHED = "NewOptions"
"""Names the options of a new game, of which any may be left out."""


def _options(prefix: str, ruleset: AnyGame) -> Components:
    """The options of a new game, and those of a game that was created: one from before there was
    an option does not tell it."""
    kind = ruleset.options
    asked = _generate([kind], f"{prefix}New", kind)
    wished = described(asked.pop(f"{prefix}New{pascal(kind.__name__)}"), ruleset.option_texts)
    tag = {"ruleset": {"type": "string", "const": ruleset.ruleset}}
    told = {
        name: {key: value for key, value in schema.items() if key in TELLING}
        for name, schema in wished["properties"].items()
    }
    return {
        **asked,
        f"{prefix}{WISHED}": wished,
        f"{prefix}GameOptions": {
            "description": f"The options of a game; `{prefix}{WISHED}` says what they mean.",
            "type": "object",
            "properties": {**tag, **told},
            "required": ["ruleset"],
        },
    }


TELLING = ("type", "enum", "const", "items", "oneOf", "$ref", "additionalProperties")
"""What an answer says of a field whose meaning and bounds stand at the request."""

NEWER = "Unknown"
"""Begins the name of the branch of a union for what is newer than the document."""


def _newer(found: Components) -> Components:
    """What every later branch of a union will have, by the union. What hangs on the tag is left
    out: so a reader of TypeScript comes to one branch by ``"data" in event``."""
    event, view = found["WireEvent"], found["ViewAnswer"]
    tag: Schema = {"type": "object", "properties": {}, "required": []}
    return {
        "Event": _without(event, "data"),
        "View": _without(view, "state"),
        "GameOptions": {**tag, "required": ["ruleset"]},
        "Odds": {**tag, "required": ["ruleset"]},
        "Preview": {**tag, "required": ["ruleset"]},
        "Worthwhile": {**tag, "required": ["ruleset"]},
        "Setup": _without(found["Setup"], "options"),
        "Entry": _without(_without(found["EntryShown"], "data"), "provenance"),
        "Command": {**tag, "required": ["type"], "additionalProperties": True},
    }


def _without(schema: Schema, name: str) -> Schema:
    """A copy of an object's schema without one of its properties."""
    properties = {key: value for key, value in schema["properties"].items() if key != name}
    required = [key for key in schema["required"] if key != name]
    return {**schema, "properties": properties, "required": required}


def _leave_open(found: Components, name: str, newer: Schema) -> None:
    """A last branch for what is newer than the document. A pattern keeps every tag that is known
    out of it, or a judge who counts the branches that fit would find two."""
    union, branch = found[name], f"{NEWER}{name}"
    tag = union["discriminator"]["propertyName"]
    known = "|".join(
        re.escape(each).replace(r"\-", "-") for each in union["discriminator"]["mapping"]
    )
    left = {
        "type": "string",
        "description": "newer than all that are known",
        "pattern": f"^(?!(?:{known})$)",
    }
    found[branch] = _with(newer, **{tag: left}) | {
        "description": f"Anything newer than this document: its `{tag}` is none of those above."
    }
    union["oneOf"].append(reference(branch))


def _add_events(
    found: Components, unions: Unions, prefix: str, types: Mapping[str, type[Any]]
) -> None:
    """An envelope for each type of event, with its own data."""
    if not all(prefix + pascal(event.__name__) in found for event in types.values()):
        made = _generate(list(types.values()), prefix)
        found.update({name: dated(schema) for name, schema in made.items()})
    envelope = found["WireEvent"]
    for type_, event in types.items():
        name = prefix + pascal(event.__name__)
        found[f"{name}Event"] = _with(
            envelope,
            type={"type": "string", "const": type_},
            data=reference(name),
        ) | {"description": _of_event(type_, found[name].get("description", ""))}
        unions["Event"][type_] = f"{name}Event"


def _of_event(type_: str, text: str) -> str:
    """The first sentence of what its data say of themselves."""
    first = re.split(r"(?<=\.)\s", text.replace("\n", " "), maxsplit=1)[0]
    return f"An event: {first}" if first else f"The event `{type_}`."


def _by_type(events: Mapping[str, str], found: Components) -> Schema:
    """What events may tell, each under its type; the service's own decide nothing."""
    data = {tag: found[name]["properties"]["data"] for tag, name in events.items()}
    return {
        "description": "The events of a roll by type, each with its `data`; new ones may come.",
        "type": "object",
        "properties": {tag: each for tag, each in data.items() if tag not in RECORDS},
    }


def _with(schema: Schema, **properties: Schema) -> Schema:
    """A copy of an object's schema with some properties made narrower."""
    return {**schema, "properties": {**schema["properties"], **properties}}


def _name_values(found: Components) -> None:
    """A closed list of the values of a map gets a name: Java would call each of them the same.
    So does one of what is in a set: of a list without a name its client does not compile.

    Not the name of the map itself, which Python's generator makes of owner and field.
    """
    for name, schema in list(found.items()):
        for field, given in schema.get("properties", {}).items():
            place = "items" if given.get("uniqueItems") else "additionalProperties"
            values = given.get(place)
            if isinstance(values, dict) and "enum" in values:
                made = f"{name}{field[0].upper()}{field[1:]}Value"
                found[made] = values
                given[place] = reference(made)


def one_of(tag: str, branches: Mapping[str, str], description: str) -> Schema:
    """A tagged union with its full mapping."""
    return {
        "description": description,
        "oneOf": [reference(name) for name in dict.fromkeys(branches.values())],
        "discriminator": {
            "propertyName": tag,
            "mapping": {value: REF + name for value, name in branches.items()},
        },
    }


PLACED = {
    "Command": ("ReadyCommand.command", "OddsAsked.command", "Problem.nearest"),
    "CustomContent": ("CustomShown.document", "CustomWish.document"),
    "Event": ("EventOfGame.event",),
    "GameOptions": ("GameSummary.options", "RulesetDetail.defaults"),
    "JsonSchema": ("RulesetDetail.options", "Template.schema"),
    "Odds": ("ReadyCommand.odds", "OddsAnswer.odds", "Explanation.prospects"),
    "Preview": ("CheckPassed.preview",),
    "RollResult": ("RollRecord.result",),
    "Worthwhile": ("ReadyCommand.worthwhile",),
}
"""The fields for which the structs say Any, by what they are."""


def _place(found: Components) -> None:
    """Put the unions in their places; nothing stands beside a reference, so its owner has it."""
    for form, places in PLACED.items():
        for owner, name in (place.split(".") for place in places):
            told, field = found[owner], found[owner]["properties"][name]
            told["properties"][name] = reference(form)
            if "null" in field.pop("type", ()):
                told["properties"][name] = field | {"oneOf": [reference(form), {"type": "null"}]}
            elif "description" in field:
                told["description"] += f"\n\n`{name}`: {field['description']}"
    events = {"type": "array", "items": reference("Event")}
    found["Explanation"]["properties"]["tallies"]["additionalProperties"] = reference("Tally")
    found["RollRecord"]["properties"]["reasons"]["additionalProperties"] = reference("Tally")
    found["EntryPage"]["properties"]["items"]["items"] = reference("Entry")
    found["CustomKind"]["properties"]["examples"]["items"] = reference("CustomContent")
    found["CommandDone"]["properties"]["events"] = events
    page = found.pop("Page")
    rolls = {"type": "array", "items": reference("RollRecord")}
    found["EventPage"] = _with(page, items=events) | {"description": "Events in order of `seq`."}
    found["RollPage"] = _with(page, items=rolls) | {"description": "Rolls in order of rolling."}
    found["Document"] = {"type": "object", "description": "An OpenAPI 3.1 document."}
    found["JsonSchema"] = {"type": "object", "description": "A JSON Schema (2020-12)."}
    found["CustomContent"] = {
        "type": "object",
        "description": "A document of the kind; `getCustomSchema` describes it.",
        "additionalProperties": True,
        "maxProperties": 2000,
    }
    for name in ("ViewAnswer", "WireEvent", "EntryShown"):
        del found[name]


def _split(found: Components, bodies: set[str]) -> Components:
    """Requests are closed and bounded, answers are open; what is in both counts as a request."""
    asked = closure(bodies, found)
    return {
        name: _fields_last(bounded(schema) if name in asked else opened(schema))
        for name, schema in sorted(found.items())
    }


def _fields_last(schema: Schema) -> Schema:
    """What it is and what it must have before its fields: so it often fits on one line."""
    return dict(sorted(schema.items(), key=lambda each: each[0] == "properties"))
