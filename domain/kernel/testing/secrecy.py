"""What is hidden is hidden from the others, seen by whose it is, and owned up to while it lasts.

No list says what a game's secrets are. A field of an event is one if its type may hold ``Hidden``,
or if ``redact`` shows somebody another value of it than the truth has; a choice is one if it ends
in such a field. So a new secret is held to all of this as soon as a game shows it:

- whoever ordered it, or whose dice they were, sees it as it is;
- somebody else does not, and ``Game.secrets`` says so while anybody's view is not the truth, and
  only then, or while somebody is asked for what will be sealed;
- an event that shows all of a secret means something to readers, and ``revealed`` shows one;
- two worlds that differ in it alone send everybody else the same events, in number and in every
  byte, until they show it: views, sentences, pictures and scores follow from those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, zip_longest
from typing import Any, NamedTuple

from msgspec import inspect as forms

from ..chance import PUBLIC_DOMAIN, domain_seat
from ..codec import canonical
from ..conformance import Nonconformance, play, throw
from ..events import DiceThrown
from ..game import Game
from ..rules import Refused
from ..setup import Setup
from ..values import CHANCE, PUBLIC, Choose, Hidden, Known, Seat, Viewer
from .completeness import Gap, file_of
from .revealing import differing, follow, for_something, hidden_in

AnyGame = Game[Any, Any, Any]
Order = tuple[Seat, Any]

WORLDS = 3
"""Pairs of worlds that are tried in one position."""
AFTER = 6
"""Orders that are given in both of two worlds after they differ."""
TRIES = 6
"""How often a field of a command is tried that no secret came of yet."""


class Spot(NamedTuple):
    """A field of an event that may hold a secret."""

    kind: type
    name: str

    def __str__(self) -> str:
        return f"event {self.kind.NAME}, field {self.name}"  # type: ignore[attr-defined]


@dataclass
class Watched:
    """What the games that were watched showed of each spot.

    met     its value was known in truth
    sealed  the public could not see it
    shown   a seat could see it that the public could not
    worlds  it differed in two worlds that were compared
    tried   how often a field of a command was looked at, by the command's type
    domains whose dice there may be, by the game's own word for each set-up
    means   types of events that mean ``revealed``, and whether one had less sealed after it
    """

    met: set[Spot] = field(default_factory=set)
    sealed: set[Spot] = field(default_factory=set)
    shown: set[Spot] = field(default_factory=set)
    worlds: set[Spot] = field(default_factory=set)
    tried: Counter[tuple[type, str]] = field(default_factory=Counter)
    domains: set[str] = field(default_factory=set)
    means: dict[type, bool] = field(default_factory=dict)


# --- where secrets may be ------------------------------------------------------------------------


def spots(game: AnyGame) -> set[Spot]:
    """The fields of events whose type may hold something hidden."""
    kinds: tuple[Any, ...] = game.events
    return {spot for kind in kinds for spot in _typed(kind)}


@cache
def _typed(kind: Any) -> frozenset[Spot]:
    form = forms.type_info(kind)
    assert isinstance(form, forms.StructType)
    return frozenset(Spot(kind, each.name) for each in form.fields if _hides(each.type, ()))


def _hides(form: Any, around: tuple[Any, ...]) -> bool:
    """Whether a type holds ``Hidden``, however deep."""
    if isinstance(form, forms.StructType):
        if form.cls in (Hidden, *around):
            return form.cls is Hidden
        return any(_hides(each.type, (*around, form.cls)) for each in form.fields)
    parts = (getattr(form, name, None) for name in ("type", "item_type", "key_type", "value_type"))
    several = (getattr(form, name, ()) for name in ("types", "item_types"))
    inner = [each for each in parts if isinstance(each, forms.Type)]
    return any(_hides(each, around) for each in (*inner, *(e for some in several for e in some)))


def blind_spots(game: AnyGame) -> frozenset[tuple[type, str]]:
    """What the game lists as seen by no seat."""
    return game.tables.blind if game.tables is not None else frozenset()


# --- along a game --------------------------------------------------------------------------------


def watch(
    game: AnyGame, setup: Setup, choose: Choose, watched: Watched, limit: int = 100, most: int = 8
) -> None:
    """Plays at random and holds each position to the promises above; raises Nonconformance.

    limit  commands that are played at most
    most   positions in which two worlds are compared at most, the first ones that part
    """
    views: dict[Viewer, Any] = dict.fromkeys((*setup.seats, PUBLIC))
    watched.domains.update(game.domains(setup))
    state, known, parted, sealed = None, 0, 0, False
    for number, played in enumerate(play(game, setup, choose)):
        batch = played.events[known:]
        owner = _owner(game, state, played.turns[-1][0]) if played.turns else CHANCE
        for event in batch:
            _seen(game, event, owner, setup.seats, watched)
        before, known, state = state, len(played.events), played.state
        for viewer, view in views.items():
            if viewer != PUBLIC:
                views[viewer] = game.fold([game.seen(event, viewer) for event in batch], view)
        views[PUBLIC] = follow(game, before, views[PUBLIC], batch, watched.means)
        sealed |= _owned_up(game, state, views, sealed)
        if number >= limit or game.result(state) is not None:
            return
        if parted < most:
            parted += bool(compare(game, state, views, choose, watched))


def _owner(game: AnyGame, state: Any, seat: Seat) -> Seat:
    """Who knows what an order led to: who gave it, or who draws by dice that not all may see."""
    awaited = game.awaiting(state)
    if seat != CHANCE or awaited is None or awaited.domain == PUBLIC_DOMAIN:
        return seat
    return domain_seat(awaited.domain) or awaited.owner


def _seen(game: AnyGame, event: Any, owner: Seat, seats: Sequence[Seat], watched: Watched) -> None:
    """An event: what of it is sealed, and that its owner sees all of it."""
    kind = type(event)
    watched.met |= {Spot(kind, name) for name in event.__struct_fields__}
    for name in hidden_in(game, event, PUBLIC):
        watched.sealed.add(Spot(kind, name))
        blind = {seat for seat in seats if name in hidden_in(game, event, seat)}
        if blind != set(seats):
            watched.shown.add(Spot(kind, name))
        if owner in blind and Spot(kind, name) not in blind_spots(game):
            raise Nonconformance(
                f"{Spot(kind, name)}: hidden from {owner}, whose it is ({file_of(game.redact)})"
            )


def _owned_up(game: AnyGame, state: Any, views: dict[Viewer, Any], was: bool) -> bool:
    """``secrets`` says so while anybody's view is not the truth, and not for nothing once one was.

    Whether something is sealed now.
    """
    hidden = {viewer: names for viewer, v in views.items() if (names := differing(v, state))}
    over = game.result(state) is not None
    if game.secrets(state):
        if not hidden and (was or over):
            for_something(game, state)
    elif not over:
        for viewer, names in hidden.items():
            raise Nonconformance(
                f"field {min(names)} of the state: hidden from {viewer}, and Game.secrets says "
                f"that nothing is ({file_of(game.secrets)})"
            )
    return bool(hidden)


# --- two worlds ----------------------------------------------------------------------------------


class World(NamedTuple):
    """One of two: the truth in it, and one viewer's view."""

    state: Any
    view: Any

    def after(self, game: AnyGame, viewer: Viewer, event: Any) -> World:
        """What is so after an event."""
        shown = game.seen(event, viewer)
        return World(game.evolve(self.state, event), game.evolve(self.view, shown))


class Parting(NamedTuple):
    """Where two worlds part: whose secret it is, the two orders, and the spots that differ."""

    owner: Seat
    orders: tuple[Order, Order]
    spots: frozenset[Spot]


def compare(
    game: AnyGame, state: Any, views: dict[Viewer, Any], choose: Choose, watched: Watched
) -> int:
    """Compares worlds that part here in a secret of somebody; how many pairs there were."""
    pairs = list(_parting(game, state, choose, watched))
    for pair in pairs:
        for viewer, view in views.items():
            if viewer != pair.owner:
                _alike(game, viewer, World(state, view), pair, choose)
    return len(pairs)


def _parting(game: AnyGame, state: Any, choose: Choose, watched: Watched) -> Iterator[Parting]:
    """Two orders of one seat, or two throws for one, that differ in a secret alone."""
    awaited = game.awaiting(state)
    if awaited is not None:
        if awaited.domain != PUBLIC_DOMAIN:
            thrown = [throw(awaited, choose) for _ in range(2)]
            found = _sealed(game, game.decide(state, CHANCE, thrown[0]))
            watched.worlds |= found
            orders = (CHANCE, thrown[0]), (CHANCE, thrown[1])
            yield Parting(_owner(game, state, CHANCE), orders, found)
        return
    for question in game.pending(state):
        seat = question.seat
        commands = game.legal(state, seat).commands
        pairs = [each for each in _choices(commands) if watched.tried[_field(each)] < TRIES]
        for _ in range(min(WORLDS, len(pairs))):
            pair = pairs.pop(choose(len(pairs)))
            found = _secret(game, state, seat, pair)
            watched.worlds |= found
            watched.tried[_field(pair)] += 0 if found else 1
            if found:
                yield Parting(seat, ((seat, pair[1]), (seat, pair[2])), found)


def _sealed(game: AnyGame, events: Sequence[Any]) -> frozenset[Spot]:
    """What the public does not see of events."""
    return frozenset(
        Spot(type(event), name) for event in events for name in hidden_in(game, event, PUBLIC)
    )


def _field(pair: tuple[str, Any, Any]) -> tuple[type, str]:
    """The field of a command that a pair differs in."""
    return type(pair[1]), pair[0]


def _choices(commands: Sequence[Any]) -> Iterator[tuple[str, Any, Any]]:
    """Pairs of a kind of command that differ in one field, with its name."""
    for one, other in combinations(commands[:40], 2):
        if type(one) is type(other):
            names = differing(one, other)
            if len(names) == 1:
                yield names.pop(), one, other


def _secret(game: AnyGame, state: Any, seat: Seat, pair: tuple[str, Any, Any]) -> frozenset[Spot]:
    """The spots in which the choice ends, by their type or since ``redact`` hides them."""
    name, found = pair[0], []

    def may_be_sealed(event: Any, each: str) -> bool:
        spot = Spot(type(event), each)
        return spot in _typed(spot.kind) or each in hidden_in(game, event, PUBLIC)

    for command in pair[1:]:
        chosen = getattr(command, name)
        found.append(frozenset(
            Spot(type(event), each)
            for event in game.decide(state, seat, command)
            for each in event.__struct_fields__
            if _holds(getattr(event, each), chosen) and may_be_sealed(event, each)
        ))  # fmt: skip
    return found[0] & found[1]


def _holds(value: Any, chosen: Any) -> bool:
    """Whether a field of an event has what was chosen."""
    items = value.items if isinstance(value, Known) else (value,)
    return chosen in items or chosen == items


def _alike(game: AnyGame, viewer: Viewer, before: World, parting: Parting, choose: Choose) -> None:
    """Goes on in both worlds with the same orders, as long as the secret is one."""
    pair, secret = (before, before), frozenset[str]()
    for number in range(AFTER):
        orders = parting.orders
        if number:
            following = _next(game, pair[0].state, choose)
            if following is None:
                return
            orders = following, following
        try:
            batches = [game.decide(w.state, *o) for w, o in zip(pair, orders, strict=True)]
        except Refused:
            return
        if not number:
            secret = frozenset(differing(*(game.fold(each, before.state) for each in batches)))
        found = _told(game, viewer, pair, batches, (secret, parting.spots if not number else ()))
        if found is None:
            return
        pair = found


def _next(game: AnyGame, state: Any, choose: Choose) -> Order | None:
    """An order that may come next; none after private dice, which need not fall alike."""
    awaited = game.awaiting(state)
    if game.result(state) is not None:
        return None
    if awaited is not None:
        return (CHANCE, throw(awaited, choose)) if awaited.domain == PUBLIC_DOMAIN else None
    asked = game.pending(state)
    seat = asked[choose(len(asked))].seat
    offered = game.legal(state, seat).commands
    return (seat, offered[choose(len(offered))]) if offered else None


def _told(
    game: AnyGame,
    viewer: Viewer,
    pair: tuple[World, World],
    batches: Sequence[Sequence[Any]],
    secret: tuple[frozenset[str], Collection[Spot]],
) -> tuple[World, World] | None:
    """Both worlds after the events; None once ``viewer`` sees what parts them.

    secret  the fields of the state in which the worlds differ, and the spots that are sealed
            whatever is shown by the events after them
    """
    one, other = pair
    kinds = {spot.kind for spot in secret[1]}
    for first, second in zip_longest(*batches):
        told = [game.seen(each, viewer) for each in (first, second) if each is not None]
        one = one.after(game, viewer, first) if first is not None else one
        other = other.after(game, viewer, second) if second is not None else other
        if type(first) not in kinds and not secret[0] & differing(one.view, one.state):
            return None
        if len(told) < 2 or canonical(told[0]) != canonical(told[1]):
            kind = type(first if first is not None else second)
            raise Nonconformance(
                f"event {kind.NAME}: tells {viewer} what is secret in "
                f"{', '.join(sorted(secret[0]))} of the state: {told} ({file_of(game.redact)}, "
                "or the rule that tells it)"
            )
    return one, other


# --- when all games were watched -----------------------------------------------------------------


def check_secrets(
    game: AnyGame, watched: Watched, elsewhere: frozenset[tuple[type, str]] = frozenset()
) -> None:
    """Raises Nonconformance with everything that lacks after all games were watched.

    elsewhere  spots that differ in two worlds of a test of their own, since no listed command and
               no private dice come to them: a fleet that is sent in whole
    """
    found = [str(gap) for gap in unkept(game, watched, elsewhere)]
    if found:
        raise Nonconformance(f"secrets of {game.title}:\n" + "\n".join(found))


def _open_dice(spot: Spot, watched: Watched) -> bool:
    """Dice have one shape in all games; where all dice are open to all, it hides nothing."""
    return issubclass(spot.kind, DiceThrown) and watched.domains == {PUBLIC_DOMAIN}


def unkept(
    game: AnyGame, watched: Watched, elsewhere: frozenset[tuple[type, str]] = frozenset()
) -> Iterator[Gap]:
    """What no game showed to be a secret, though a type says that it is one; and who sees none."""
    for kind in [each for each, less in watched.means.items() if not less]:
        lacks = "something that is sealed no more after it, or another meaning than revealed"
        yield Gap(f"event {kind.NAME}", lacks, "Game.roles")  # type: ignore[attr-defined]
    typed = {spot for spot in spots(game) if not _open_dice(spot, watched)}
    for spot in sorted(typed | watched.sealed, key=str):
        listed = spot in blind_spots(game)
        if spot not in watched.met:
            yield Gap(str(spot), "a random game that shows it", "tests")
        elif spot not in watched.sealed:
            yield Gap(str(spot), "somebody who may not see it", file_of(game.redact))
        elif spot not in watched.shown and not listed:
            what = "a seat that sees it, or an entry that none does (Tables.blind)"
            yield Gap(str(spot), what, file_of(game.redact))
        elif listed and spot in watched.shown:
            yield Gap(str(spot), "blindness: it is listed as seen by none", file_of(game.redact))
        elif not listed and (spot in watched.worlds) == (spot in elsewhere):
            what = "two worlds that differ in it: a listed command or private dice that lead to it"
            untrue = "strangeness to random games: it is said to be compared elsewhere"
            yield Gap(str(spot), untrue if spot in elsewhere else what, "tests")
