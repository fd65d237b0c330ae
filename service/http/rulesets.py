"""Rulesets, and what they ship: units, abilities, rules, scenarios, maps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response
from litestar.di import Provide
from litestar.params import QueryParameter

from domain.kernel.shown.catalogue import Kind
from domain.kernel.shown.option_texts import described
from domain.kernel.shown.rulebook import RuleText
from service.play.opening import rules_of, texts_of
from service.problems import Refusal

from .access import anybody
from .asked import AnyGame, Asked
from .given import Given
from .operation import tells
from .paging import cut, read_offset
from .parameters import AbilityId, Cursor, Limit, RuleId, RulesetId, UnitId
from .plain_schema import inlined
from .reply import Reply
from .routes import get
from .wire import EntryPage, EntryShown, Page, RulePage, RulesetDetail, RulesetList, ruleset_info

TAG = "rulesets"
CACHE = "public, max-age=300"
FOREVER = "public, max-age=31536000, immutable"

Digest = Annotated[
    str,
    QueryParameter(
        max_length=64,
        pattern="^([0-9a-f]{64})?$",
        description="Only as these rules have it: the `texts` of the ruleset, and such an answer "
        "never changes and may be kept for ever; or its `digest`, which the `rules` of a game "
        "name, and its texts may still be improved. Where others are installed it is refused.",
    ),
]
Words = Annotated[
    str,
    QueryParameter(
        max_length=100, description="Only items whose id, name or text has these words."
    ),
]

READING = ("ruleset.other-version", "resource.not-found")
LISTING = ("query.invalid", *READING)


def offered_as(asked: Asked, name: str) -> AnyGame:
    """The ruleset of that name; raises ``resource.not-found``."""
    try:
        return asked.desk.games[name]
    except KeyError:
        raise Refusal("resource.not-found", "No such ruleset is on offer.") from None


def provide_offered(request: Asked, ruleset: RulesetId) -> AnyGame:
    """The ruleset that the path names; raises ``resource.not-found``."""
    return offered_as(request, ruleset)


def provide_cache(*, digest: Digest = "", offered: Given[AnyGame]) -> str:
    """How long an answer may be kept: for ever where the address says which texts it means.

    Raises ``ruleset.other-version``.
    """
    if digest == texts_of(offered):
        return FOREVER
    installed = rules_of(offered, "").digest
    if digest not in ("", installed):
        raise Refusal(
            "ruleset.other-version", hint=f"Installed here is the ruleset with digest {installed}."
        )
    return CACHE


GIVEN: dict[str, Any] = {
    "offered": Provide(provide_offered, sync_to_thread=False),
    "cache": Provide(provide_cache, sync_to_thread=False),
}
"""The ruleset of the path, and then how long what is told of it may be kept."""


class Rulesets(Controller):
    """What can be played."""

    path = "/v1/rulesets"
    tags = (TAG,)
    dependencies = GIVEN

    @get(
        summary="List the rulesets",
        guards=[anybody()],
        opt=tells("The rulesets.", "ETag"),
    )
    async def list_rulesets(self, request: Asked) -> Response[RulesetList]:
        """The rulesets that games can be created with."""
        infos = tuple(ruleset_info(game) for game in request.desk.games.values())
        return request.told(RulesetList(items=infos), tagged=True, cache=CACHE)

    @get(
        "/{ruleset:str}",
        summary="Show a ruleset",
        guards=[anybody()],
        opt=tells("The ruleset.", "ETag", problems=READING),
    )
    async def get_ruleset(
        self, request: Asked, offered: Given[AnyGame], cache: Given[str]
    ) -> Response[RulesetDetail]:
        """Editions, seats, phases of a turn, and the options of a new game with their JSON Schema
        and defaults.
        """
        info = msgspec.structs.asdict(ruleset_info(offered))
        detail = RulesetDetail(
            **info,
            phases=offered.phases,
            options=options_schema(offered),
            defaults=defaults(offered),
        )
        return request.told(detail, tagged=True, cache=cache)

    @get(
        "/{ruleset:str}/units",
        summary="List units",
        guards=[anybody()],
        opt=tells("A page of units.", "ETag", "Link", problems=LISTING),
    )
    async def list_units(
        self,
        *,
        request: Asked,
        q: Words = "",
        cursor: Cursor = "",
        limit: Limit = 200,
        offered: Given[AnyGame],
        cache: Given[str],
    ) -> Response[EntryPage]:
        """All units of the ruleset, page by page; `q` searches them. The answer changes only when
        the service is updated: its ETag is the hash of its bytes. With `texts` as its `digest` it
        never changes.
        """
        return _listed(request, _entries(offered, "unit"), q, cursor, limit, cache)

    @get(
        "/{ruleset:str}/units/{unit:str}",
        summary="Show a unit",
        guards=[anybody()],
        opt=tells("The unit.", "ETag", schema="Entry", problems=READING),
    )
    async def get_unit(
        self, request: Asked, offered: Given[AnyGame], unit: UnitId, cache: Given[str]
    ) -> Response[EntryShown]:
        """Everything the service knows of a unit, with where it comes from."""
        return _shown(request, _entries(offered, "unit"), "unit", unit, cache)

    @get(
        "/{ruleset:str}/abilities",
        summary="List abilities",
        guards=[anybody()],
        opt=tells("A page of abilities.", "ETag", "Link", problems=LISTING),
    )
    async def list_abilities(
        self,
        *,
        request: Asked,
        q: Words = "",
        cursor: Cursor = "",
        limit: Limit = 200,
        offered: Given[AnyGame],
        cache: Given[str],
    ) -> Response[EntryPage]:
        """All abilities of the ruleset, page by page; `q` searches them. The answer changes only
        when the service is updated: its ETag is the hash of its bytes. With `texts` as its `digest`
        it never changes.
        """
        return _listed(request, _entries(offered, "ability"), q, cursor, limit, cache)

    @get(
        "/{ruleset:str}/abilities/{ability:str}",
        summary="Show an ability",
        guards=[anybody()],
        opt=tells("The ability.", "ETag", schema="Entry", problems=READING),
    )
    async def get_ability(
        self, request: Asked, offered: Given[AnyGame], ability: AbilityId, cache: Given[str]
    ) -> Response[EntryShown]:
        """Everything the service knows of an ability, with where it comes from."""
        return _shown(request, _entries(offered, "ability"), "ability", ability, cache)

    @get(
        "/{ruleset:str}/rules",
        summary="List rules and rulings",
        guards=[anybody()],
        opt=tells("A page of rules and rulings.", "ETag", "Link", problems=LISTING),
    )
    async def list_rules(
        self,
        *,
        request: Asked,
        q: Words = "",
        cursor: Cursor = "",
        limit: Limit = 200,
        offered: Given[AnyGame],
        cache: Given[str],
    ) -> Response[RulePage]:
        """All rules and rulings of the ruleset, page by page; `q` searches them. The answer changes
        only when the service is updated: its ETag is the hash of its bytes. With `texts` as its
        `digest` it never changes.
        """
        return _listed(request, offered.catalogue.rules(), q, cursor, limit, cache)

    @get(
        "/{ruleset:str}/rules/{rule:str}",
        summary="Show a rule",
        guards=[anybody()],
        opt=tells("The rule.", "ETag", problems=READING),
    )
    async def get_rule(
        self, request: Asked, offered: Given[AnyGame], rule: RuleId, cache: Given[str]
    ) -> Response[RuleText]:
        """Everything the service knows of a rule, with where it comes from."""
        return _shown(request, offered.catalogue.rules(), "rule", rule, cache)

    @get(
        "/{ruleset:str}/scenarios",
        summary="List scenarios",
        guards=[anybody()],
        opt=tells("A page of scenarios.", "ETag", "Link", problems=LISTING),
    )
    async def list_scenarios(
        self,
        *,
        request: Asked,
        q: Words = "",
        cursor: Cursor = "",
        limit: Limit = 200,
        offered: Given[AnyGame],
        cache: Given[str],
    ) -> Response[EntryPage]:
        """All scenarios of the ruleset, page by page; `q` searches them. The answer changes only
        when the service is updated: its ETag is the hash of its bytes. With `texts` as its `digest`
        it never changes.
        """
        return _listed(request, _entries(offered, "scenario"), q, cursor, limit, cache)

    @get(
        "/{ruleset:str}/maps",
        summary="List maps",
        guards=[anybody()],
        opt=tells("A page of maps.", "ETag", "Link", problems=LISTING),
    )
    async def list_maps(
        self,
        *,
        request: Asked,
        q: Words = "",
        cursor: Cursor = "",
        limit: Limit = 200,
        offered: Given[AnyGame],
        cache: Given[str],
    ) -> Response[EntryPage]:
        """All maps of the ruleset, page by page; `q` searches them. The answer changes only when
        the service is updated: its ETag is the hash of its bytes. With `texts` as its `digest` it
        never changes.
        """
        return _listed(request, _entries(offered, "map"), q, cursor, limit, cache)


@cache
def _entries(game: AnyGame, kind: Kind) -> tuple[EntryShown, ...]:
    """The entries of a kind; they do not change while the ruleset is installed."""
    shipped = game.catalogue
    every = {
        "unit": shipped.units,
        "ability": shipped.abilities,
        "scenario": shipped.scenarios,
        "map": shipped.maps,
    }
    return tuple(EntryShown.of(game.ruleset, kind, each) for each in every[kind]())


def _listed(
    asked: Asked, items: Sequence[Any], words: str, cursor: str, limit: int, cache: str
) -> Reply:
    """One page of what a ruleset ships."""
    found = _matching(items, words) if words else items
    page, more = cut(found, read_offset(cursor), limit)
    link = asked.next_link(more)
    return asked.told(Page(items=page, next=more), tagged=True, headers=link, cache=cache)


def _shown(asked: Asked, items: Sequence[Any], what: str, wanted: str, cache: str) -> Reply:
    """The one item of that id."""
    for item in items:
        if item.id == wanted:
            return asked.told(item, tagged=True, cache=cache)
    raise Refusal("resource.not-found", f"The ruleset has no {what} of that id.")


def options_schema(game: AnyGame) -> dict[str, Any]:
    """JSON Schema of the options, whole in itself, with what people read of each."""
    return described(inlined(msgspec.json.schema(game.options)), game.option_texts)


def defaults(game: AnyGame) -> dict[str, Any]:
    """The options that hold where none are given, with the ruleset; required ones are left out."""
    found: dict[str, Any] = {"ruleset": game.ruleset}
    for option in msgspec.structs.fields(game.options):
        if option.default is not msgspec.NODEFAULT:
            found[option.encode_name] = msgspec.to_builtins(option.default)
        elif option.default_factory is not msgspec.NODEFAULT:
            found[option.encode_name] = msgspec.to_builtins(option.default_factory())
    return found


def _matching(items: Sequence[Any], words: str) -> Sequence[Any]:
    wanted = words.lower().split()
    return [item for item in items if all(word in _haystack(item) for word in wanted)]


def _haystack(item: Any) -> str:
    name = item.title if isinstance(item, RuleText) else item.name
    return f"{item.id} {name} {item.text}".lower()
