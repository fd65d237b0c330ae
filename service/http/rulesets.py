"""Rulesets, and what they ship: units, abilities, rules, scenarios, maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from domain.kernel.shown.catalogue import Entry
from domain.kernel.shown.option_texts import described
from domain.kernel.shown.rulebook import RuleText
from service.play.opening import rules_of, texts_of
from service.problems import Refusal

from .call import AnyGame, Call
from .operation import Operation, json_answer
from .paging import cut, next_link, read_offset
from .plain_schema import inlined
from .reply import Reply
from .wire import EntryPage, Page, RulePage, RulesetDetail, RulesetList, ruleset_info

TAG = "rulesets"
CACHE = "public, max-age=300"
FOREVER = "public, max-age=31536000, immutable"

Digest = Annotated[
    str,
    Meta(
        max_length=64,
        pattern="^([0-9a-f]{64})?$",
        description="Only as these rules have it: the `texts` of the ruleset, and such an answer "
        "never changes and may be kept for ever; or its `digest`, which the `rules` of a game "
        "name, and its texts may still be improved. Where others are installed it is refused.",
    ),
]
Limit = Annotated[int, Meta(ge=1, le=200, description="Items of a page.")]
Cursor = Annotated[str, Meta(max_length=200, description="Where the page before ended.")]
Words = Annotated[
    str, Meta(max_length=100, description="Only items whose id, name or text has these words.")
]


class RulesQuery(msgspec.Struct, frozen=True):
    """By which rules."""

    digest: Digest = ""


class CatalogueQuery(msgspec.Struct, frozen=True):
    """Which entries of a list."""

    q: Words = ""
    cursor: Cursor = ""
    limit: Limit = 200
    digest: Digest = ""


def ruleset_of(call: Call) -> AnyGame:
    """The ruleset that the path names; raises ``resource.not-found``."""
    try:
        return call.desk.games[call.param("ruleset")]
    except KeyError:
        raise Refusal("resource.not-found", "No such ruleset is on offer.") from None


def caching(call: Call, game: AnyGame) -> str:
    """For ever where the address says which texts it means. Raises ``ruleset.other-version``."""
    wanted = call.query.digest
    if wanted == texts_of(game):
        return FOREVER
    installed = rules_of(game, "").digest
    if wanted not in ("", installed):
        raise Refusal(
            "ruleset.other-version", hint=f"Installed here is the ruleset with digest {installed}."
        )
    return CACHE


async def list_rulesets(call: Call) -> Reply:
    infos = tuple(ruleset_info(game) for game in call.desk.games.values())
    return call.json(RulesetList(items=infos), tagged=True, cache=CACHE)


async def get_ruleset(call: Call) -> Reply:
    game = ruleset_of(call)
    cache = caching(call, game)
    info = msgspec.structs.asdict(ruleset_info(game))
    detail = RulesetDetail(
        **info, phases=game.phases, options=options_schema(game), defaults=defaults(game)
    )
    return call.json(detail, tagged=True, cache=cache)


def options_schema(game: AnyGame) -> dict[str, Any]:
    """JSON Schema of the options, whole in itself, with what people read of each."""
    return described(inlined(msgspec.json.schema(game.options)), game.option_texts)


def defaults(game: AnyGame) -> dict[str, Any]:
    """The options that hold where none are given; required ones are left out."""
    found = {}
    for option in msgspec.structs.fields(game.options):
        if option.default is not msgspec.NODEFAULT:
            found[option.encode_name] = msgspec.to_builtins(option.default)
        elif option.default_factory is not msgspec.NODEFAULT:
            found[option.encode_name] = msgspec.to_builtins(option.default_factory())
    return found


Source = Callable[[AnyGame], Sequence[Any]]


def _units(game: AnyGame) -> Sequence[Entry]:
    return game.catalogue.units()


def _abilities(game: AnyGame) -> Sequence[Entry]:
    return game.catalogue.abilities()


def _scenarios(game: AnyGame) -> Sequence[Entry]:
    return game.catalogue.scenarios()


def _maps(game: AnyGame) -> Sequence[Entry]:
    return game.catalogue.maps()


def _rules(game: AnyGame) -> Sequence[RuleText]:
    return game.catalogue.rules()


def _matching(items: Sequence[Any], words: str) -> Sequence[Any]:
    wanted = words.lower().split()
    return [item for item in items if all(word in _haystack(item) for word in wanted)]


def _haystack(item: Any) -> str:
    name = item.title if isinstance(item, RuleText) else item.name
    return f"{item.id} {name} {item.text}".lower()


def lister(source: Source) -> Callable[[Call], Any]:
    """An operation that lists what ``source`` has."""

    async def run(call: Call) -> Reply:
        game = ruleset_of(call)
        cache, items = caching(call, game), source(game)
        if call.query.q:
            items = _matching(items, call.query.q)
        page, cursor = cut(items, read_offset(call.query.cursor), call.query.limit)
        link = next_link(call, cursor)
        return call.json(Page(items=page, next=cursor), tagged=True, headers=link, cache=cache)

    return run


def getter(source: Source, parameter: str) -> Callable[[Call], Any]:
    """An operation that shows the one item of ``source`` that the path names."""

    async def run(call: Call) -> Reply:
        game, wanted = ruleset_of(call), call.param(parameter)
        cache = caching(call, game)
        for item in source(game):
            if item.id == wanted:
                return call.json(item, tagged=True, cache=cache)
        raise Refusal("resource.not-found", f"The ruleset has no {parameter} of that id.")

    return run


READING = ("ruleset.other-version", "resource.not-found")


def _list(
    name: str, path: str, what: str, schema: type[msgspec.Struct], source: Source
) -> Operation:
    return Operation(
        id=f"list{name}",
        method="GET",
        path=f"/v1/rulesets/{{ruleset}}/{path}",
        tag=TAG,
        summary=f"List {what}",
        description=f"All {what} of the ruleset, page by page; `q` searches them. "
        "The answer changes only when the service is updated: its ETag is the hash of its bytes. "
        "With `texts` as its `digest` it never changes.",
        run=lister(source),
        access="open",
        query=CatalogueQuery,
        answers=(json_answer(200, f"A page of {what}.", schema, "ETag", "Link"),),
        problems=("query.invalid", *READING),
    )


def _get(
    name: str, path: str, what: str, schema: type[msgspec.Struct], source: Source
) -> Operation:
    parameter = name.lower()
    return Operation(
        id=f"get{name}",
        method="GET",
        path=f"/v1/rulesets/{{ruleset}}/{path}/{{{parameter}}}",
        tag=TAG,
        summary=f"Show {what}",
        description=f"Everything the service knows of {what}, with where it comes from.",
        run=getter(source, parameter),
        access="open",
        query=RulesQuery,
        answers=(json_answer(200, f"The {parameter}.", schema, "ETag"),),
        problems=READING,
    )


OPERATIONS = (
    Operation(
        id="listRulesets",
        method="GET",
        path="/v1/rulesets",
        tag=TAG,
        summary="List the rulesets",
        description="The rulesets that games can be created with.",
        run=list_rulesets,
        access="open",
        answers=(json_answer(200, "The rulesets.", RulesetList, "ETag"),),
    ),
    Operation(
        id="getRuleset",
        method="GET",
        path="/v1/rulesets/{ruleset}",
        tag=TAG,
        summary="Show a ruleset",
        description="Editions, seats, phases of a turn, and the options of a new game with their "
        "JSON Schema and defaults.",
        run=get_ruleset,
        access="open",
        query=RulesQuery,
        answers=(json_answer(200, "The ruleset.", RulesetDetail, "ETag"),),
        problems=READING,
    ),
    _list("Units", "units", "units", EntryPage, _units),
    _get("Unit", "units", "a unit", Entry, _units),
    _list("Abilities", "abilities", "abilities", EntryPage, _abilities),
    _get("Ability", "abilities", "an ability", Entry, _abilities),
    _list("Rules", "rules", "rules and rulings", RulePage, _rules),
    _get("Rule", "rules", "a rule", RuleText, _rules),
    _list("Scenarios", "scenarios", "scenarios", EntryPage, _scenarios),
    _list("Maps", "maps", "maps", EntryPage, _maps),
)
