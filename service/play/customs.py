"""Documents that players bring: how they are named, checked, kept, and found for a new game.

A document is named by its content: SHA-256 over ruleset, kind and canonical JSON. Posting the same
again changes nothing, nobody can exchange what a name stands for, and whoever knows the name may
read it. Lists show only what its poster wanted listed (openapi/decisions).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import UNSET

from domain.kernel.codec import canonical
from domain.kernel.custom import CUSTOM, Custom, Kind, Unfit
from domain.kernel.form import Fault
from domain.kernel.game import Game

from ..deadlines import days_later
from ..dice.nwd1 import th
from ..errors import BadSetup, CustomRefused, StoreUnavailable
from ..models import USUAL_SCENARIO, CustomBrought, CustomDocument, CustomWish, NewGame
from ..store.bulk import Statement
from ..store.customs import StoredCustom, insertion, listing, used
from ..store.store import Store
from .engine import WorkingGames, Write

AnyGame = Game[Any, Any, Any]

DOCUMENT_LIMIT = 65_536
"""Bytes of a document in its canonical form."""

KINDS: tuple[Kind, ...] = get_args(Kind)


def kind_of(game: AnyGame, name: str) -> Custom[Any]:
    """The kind of document that the ruleset takes under that name. Raises KeyError."""
    return {custom.kind: custom for custom in game.customs}[name]  # type: ignore[index]


def name_of(ruleset: str, kind: str, document: Any) -> str:
    """The name of a document: TH("decklog/custom", ruleset, kind, canonical JSON), hexadecimal."""
    return th("decklog/custom", ruleset.encode(), kind.encode(), canonical(document)).hex()


def checked(game: AnyGame, kind: str, document: Any) -> CustomDocument:
    """The document as it would be kept. Raises CustomRefused, :class:`Unfit`."""
    size = len(canonical(document))
    if size > DOCUMENT_LIMIT:
        hint = f"It has {size} bytes; a document has at most {DOCUMENT_LIMIT}."
        raise CustomRefused(hint, code="document.too-large")
    kind_of(game, kind).read(document)
    return CustomDocument(
        id=name_of(game.ruleset, kind, document),
        ruleset=game.ruleset,
        kind=kind,
        name=title_of(document),
        document=document,
    )


def title_of(document: Any) -> str:
    """What a document calls itself, for lists; "" where it has no name."""
    name = document.get("name", "") if isinstance(document, dict) else ""
    return name if isinstance(name, str) else ""


def keep(bench: WorkingGames, document: CustomDocument, *, listed: bool) -> Write:
    """The document, kept; the same one twice is kept once."""
    text = canonical(document.document)
    kept = StoredCustom(document.id, document.ruleset, document.kind, document.name, text, bench.at)
    statements = [insertion(kept), used(kept.id, bench.at)]
    if listed:
        statements.append(listing(kept.id))
    goes = days_later(bench.at, bench.store.document_days)
    return Write(statements, msgspec.structs.replace(document, expires_at=goes))


def sound(kept: StoredCustom) -> StoredCustom:
    """The document that its name stands for. Raises StoreUnavailable for another one."""
    try:
        named = name_of(kept.ruleset, kept.kind, msgspec.json.decode(kept.document))
    except (msgspec.DecodeError, UnicodeDecodeError, UnicodeEncodeError):
        named = ""
    if named != kept.id:
        raise StoreUnavailable("The document is not as it was posted: tell the operator.")
    return kept


def shown(kept: StoredCustom, days: int) -> CustomDocument:
    """A document from the store, which keeps it for so many days. Raises StoreUnavailable."""
    sound(kept)
    return CustomDocument(
        id=kept.id,
        ruleset=kept.ruleset,
        kind=kept.kind,
        name=kept.name,
        document=msgspec.json.decode(kept.document),
        expires_at=days_later(kept.at, days),
    )


def brought(new: NewGame, game: AnyGame, store: Store) -> dict[Kind, Any]:
    """The documents of a new game by kind: those it carries, and those it names.

    Raises BadSetup for a document that is not there, CustomRefused for one that is too large.
    """
    found: dict[Kind, Any] = {}
    for kind in KINDS:
        wish: CustomWish | msgspec.UnsetType = getattr(new.customs, kind)
        if wish is not UNSET:
            found[kind] = _document(wish, kind, game, store)
    return found


def named(new: NewGame, at: str) -> list[Statement]:
    """The documents that the game names are kept for as long again."""
    wishes = (getattr(new.customs, kind) for kind in KINDS)
    return [used(wish.id, at) for wish in wishes if wish is not UNSET and wish.id is not UNSET]


def _document(wish: CustomWish, kind: Kind, game: AnyGame, store: Store) -> Any:
    at = f"/customs/{kind}"
    if (wish.id is UNSET) == (wish.document is UNSET):
        hint = "Give the id of a posted document, or the document itself."
        raise BadSetup(hint, code="custom.unclear", pointer=at)
    if wish.id is UNSET:
        if len(canonical(wish.document)) > DOCUMENT_LIMIT:
            hint = f"A document has at most {DOCUMENT_LIMIT} bytes."
            raise CustomRefused(hint, code="document.too-large", pointer=f"{at}/document")
        return wish.document
    kept = store.custom(wish.id)
    if kept is None or (kept.ruleset, kept.kind) != (game.ruleset, kind):
        hint = f"No {kind} for {game.ruleset} has been posted under that id."
        raise BadSetup(hint, code="custom.unknown", pointer=f"{at}/id")
    return msgspec.json.decode(sound(kept).document)


def scenario_name(new: NewGame, customs: Mapping[Kind, Any]) -> str:
    """The scenario of the set-up: one that is brought is always called ``custom``."""
    if "scenario" not in customs:
        return new.scenario
    if new.scenario not in (USUAL_SCENARIO, CUSTOM):
        hint = f"The game brings a scenario: leave 'scenario' out, or write {CUSTOM!r}."
        raise BadSetup(hint, code="custom.unclear", pointer="/scenario")
    return CUSTOM


def references(ruleset: str, customs: Mapping[Kind, Any]) -> tuple[CustomBrought, ...]:
    """What everybody may know of the documents of a game: their names."""
    return tuple(
        CustomBrought(kind=kind, id=name_of(ruleset, kind, document), name=title_of(document))
        for kind, document in customs.items()
    )


def in_the_request(unfit: Unfit) -> Unfit:
    """The faults with pointers into the request, where each document is in a field of its own."""
    return Unfit(tuple(_carried(fault) for fault in unfit.faults))


def _carried(fault: Fault) -> Fault:
    steps = fault.pointer.split("/")  # "", "customs", the kind, and the place in the document
    pointer = "/".join((*steps[:3], "document", *steps[3:]))
    return msgspec.structs.replace(fault, pointer=pointer)
