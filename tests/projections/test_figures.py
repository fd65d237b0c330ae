"""Every value of every list is found a second time, in another way, and its order with it.

A projection takes in one event after the other and adds up. Here the whole log is at hand: what a
column should say is asked of all its events at once. ``FIGURES`` has for each projection the rows
of its list, in the order of the list, each with every number, text, time and yes or no that is in
it. A projection without an entry fails, and so does a value that is in none, a row that should not
be listed (rank 0) or one that stands elsewhere.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from projections.finder import found
from projections.follow import Document, DocumentStore, Entry, Projection
from projections.lobby import Activity
from projections.lobby import take as lobby_take
from projections.records import ENDED, ROLLED, TAKEBACK
from tests.support.followed import Memory, entries

EVERY = found()
Figures = dict[str, Any]
"""Values by where they stand in a document: ``dice/0/counts/3``."""


# --- the second way -------------------------------------------------------------------------------


@cache
def log() -> tuple[Entry, ...]:
    """The log that never changes, with twins, the longest game first, and one that is only begun;
    hidden batches are opened at their own places.
    """
    told = _longest_first([each for entry in entries() for each in _twins(entry)])
    times = sorted(each.at for each in told)
    log = [
        replace(each, place=place, at=at)
        for place, (each, at) in enumerate(zip(told, times, strict=True), 1)
    ]
    places = {(each.game, each.seq): each.place for each in log}
    return tuple(
        replace(
            each,
            opened=tuple(replace(o, place=places[o.game, o.seq]) for o in each.opened),
        )
        for each in log
    )


def _longest_first(told: list[Entry]) -> list[Entry]:
    """The longest game, and then the others as they were: what was stored late has not lived long,
    so a rank by the place in the log is not one by the version. Last comes the first event of a
    game that has no other: whoever lists what was only begun, is seen.
    """
    (longest, _), *_ = Counter(each.game for each in told).most_common(1)
    begun = replace(told[0], game=f"only begun {told[0].game}")
    return [*sorted(told, key=lambda each: each.game != longest), begun]


TWINNED = "pennant"
TWIN = "second"
"""The ruleset whose games are played in another edition as well, and that edition."""


def _twins(entry: Entry) -> Iterator[Entry]:
    """An event, and that of a game of another edition, which means more where it means one thing:
    another thing first, and the same of a second unit last.

    Event after event: whoever keeps by ruleset what is a game's, mistakes one for the other.
    """
    yield entry
    if entry.ruleset == TWINNED:
        yield replace(_of_twin(entry), opened=tuple(map(_of_twin, entry.opened)))


def _of_twin(entry: Entry) -> Entry:
    first = tuple(replace(each, role="left") for each in entry.roles)
    last = tuple(replace(each, unit=f"{each.unit} too") for each in entry.roles if each.unit)
    told = data(entry)
    if entry.seq == 1:
        told["setup"]["edition"] = TWIN
    return replace(
        entry,
        game=entry.game[::-1],
        data=json.dumps(told).encode(),
        roles=(*first, *entry.roles, *last),
    )


@cache
def by_game() -> dict[str, list[Entry]]:
    """The events of each game, the game that something happened in last at the end."""
    known: dict[str, list[Entry]] = {}
    for entry in log():
        known[entry.game] = [*known.pop(entry.game, ()), entry]
    return known


def orders(events: list[Entry]) -> int:
    """Every order is some seat's."""
    return len([each for each in events if each.by])


def data(entry: Entry) -> Any:
    return json.loads(entry.data)


def lobby() -> dict[str, Figures]:
    """The game that something happened in last comes first."""
    return {
        game: {
            "game": game,
            "version": len(events),
            "commands": orders(events),
            "latestAt": events[-1].at,
        }
        for game, events in reversed(by_game().items())
    }


def results() -> dict[str, Figures]:
    """The game that was closed last comes first; the others are not listed."""
    return {each.game: _result(each) for each in reversed(log()) if each.type in ENDED}


def _result(end: Entry) -> Figures:
    events = [each for each in by_game()[end.game] if each.seq <= end.seq]
    begun, ended = data(events[0]), data(end)["result"]
    setup, used = begun["setup"], begun["rules"]
    return {
        "game": end.game,
        "ruleset": setup["ruleset"],
        "edition": setup["edition"],
        "scenario": setup["scenario"],
        "grade": begun["grade"],
        "seedNamed": begun.get("seedNamed", False),
        "reason": ended["reason"],
        "rule": ended["rule"],
        "version": end.seq,
        "commands": orders(events),
        "createdAt": events[0].at,
        "finishedAt": end.at,
        "rules/edition": setup["edition"],
        **{f"rules/{key}": used[key] for key in ("ruleset", "version", "digest")},
        **{f"seats/{n}": seat for n, seat in enumerate(setup["seats"])},
        **{f"winners/{n}": seat for n, seat in enumerate(ended["winners"])},
    }


def batches(ruleset: str = "") -> Iterator[tuple[Entry, Any]]:
    """Batches with their rolls as they are known in the end, the hidden ones opened."""
    opened = {(each.game, each.seq): each for last in log() for each in last.opened}
    for each in log():
        if each.type == ROLLED and ruleset in ("", each.ruleset):
            yield each, data(opened.get((each.game, each.seq), each))


def dice() -> dict[str, Figures]:
    """The roll that was thrown last comes first."""
    rows: dict[str, Figures] = {}
    for entry, batch in batches():
        for roll in batch["rolls"]:
            figures: Figures = {
                "game": entry.game,
                "ruleset": entry.ruleset,
                "roll": roll["label"],
                "seq": entry.seq,
                "at": entry.at,
                "batch": batch["t"],
                "domain": batch["domain"],
                "hidden": not batch["link"],
            }
            for n, pool in enumerate(roll["pools"]):
                figures |= {f"pools/{n}/{key}": pool[key] for key in ("count", "sides")}
                faces = roll["faces"][n] if batch["link"] else ()
                figures |= {f"pools/{n}/faces/{m}": face for m, face in enumerate(faces)}
            rows[f"{entry.game}/{roll['label']}"] = figures
    return dict(reversed(rows.items()))


def statistics() -> dict[str, Figures]:
    """The last name comes first."""
    names = sorted({each.ruleset for each in log()}, reverse=True)
    return {name: _statistics(name) for name in names}


def _undone(back: Entry) -> range:
    """The numbers of the events that were taken back."""
    return range(data(back)["first"], back.seq)


def _statistics(ruleset: str) -> Figures:
    mine = [each for each in log() if each.ruleset == ruleset]
    ends = [data(each)["result"] for each in mine if each.type in ENDED]
    wins = Counter(seat for end in ends for seat in end["winners"])
    endings = Counter((end["reason"], end["rule"]) for end in ends)
    known = list(batches(ruleset))
    undone = {(back.game, seq) for back in mine if back.type == TAKEBACK for seq in _undone(back)}
    standing = [each for each in mine if (each.game, each.seq) not in undone]
    figures: Figures = {
        "ruleset": ruleset,
        "latestAt": max(each.at for each in mine),
        "games": len({each.game for each in mine}),
        "finished": len(ends),
        "draws": len([end for end in ends if not end["winners"]]),
        "events": len(mine),
        "commands": orders(mine),
        "rolls": sum(len(batch["rolls"]) for _, batch in known),
        "losses": len([role for each in standing for role in each.roles if role.role == "lost"]),
    }
    figures |= {f"wins/{seat}": count for seat, count in wins.items()}
    for n, (reason, rule) in enumerate(sorted(endings)):
        figures |= {f"endings/{n}/reason": reason, f"endings/{n}/rule": rule}
        figures |= {f"endings/{n}/games": endings[reason, rule]}
    shown = Counter(
        (pool["sides"], face)
        for _, batch in known
        if batch["link"]
        for roll in batch["rolls"]
        for pool, faces in zip(roll["pools"], roll["faces"], strict=True)
        for face in faces
    )
    for n, sides in enumerate(sorted({sides for sides, _ in shown})):
        counts = [shown[sides, face] for face in range(1, sides + 1)]
        figures |= {f"dice/{n}/sides": sides, f"dice/{n}/dice": sum(counts)}
        figures |= {f"dice/{n}/counts/{m}": count for m, count in enumerate(counts)}
    return figures


FIGURES: dict[str, Callable[[], dict[str, Figures]]] = {
    "lobby": lobby,
    "results": results,
    "dice": dice,
    "statistics": statistics,
}
"""By the name of a projection, what its list should say."""


# --- what is listed -------------------------------------------------------------------------------


def listed(projection: Projection) -> dict[str, Figures]:
    """The rows of the list in its order, each with all that is in it."""
    shelf = Memory()
    for entry in log():
        projection.take(shelf, entry)
    rows = [(rank, key, text) for key, (rank, _, text) in shelf.rows.items() if rank]
    return {key: dict(values(json.loads(text))) for _, key, text in sorted(rows, reverse=True)}


def values(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a document that is no list or object, with where it stands."""
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in inside:
            yield from values(each, f"{place}/{key}" if place else str(key))
    else:
        yield place, value


def faults(projection: Projection, wanted: dict[str, Figures]) -> list[str]:
    """What a list says otherwise than the log."""
    rows = listed(projection)
    wrong = [f"{key} is not listed" for key in wanted if key not in rows]
    wrong += [f"{key} is listed" for key in rows if key not in wanted]
    if not wrong and [*rows] != [*wanted]:
        wrong.append(f"the order is {[*rows][:4]}, and not {[*wanted][:4]}")
    for key in rows.keys() & wanted.keys():
        here, there = rows[key], wanted[key]
        wrong += [
            f"{key}: {place} is {here.get(place)}, and not {there.get(place)}"
            for place in sorted(here.keys() | there.keys())
            if here.get(place) != there.get(place)
        ]
    return wrong


@pytest.mark.parametrize("name", EVERY)
def test_its_values_and_its_order_are_those_of_the_log(name: str) -> None:
    module = EVERY[name].take.__module__.rpartition(".")[2]
    assert name in FIGURES, (
        f"projections/{module}.py is told once only: add to FIGURES of {__name__} what its "
        "list should say, worked out of the whole log and not as it does it"
    )
    wrong = faults(EVERY[name], FIGURES[name]())
    assert wrong == [], f"projections/{module}.py or {name} of {__name__}"


def test_the_log_has_what_a_list_may_mistake() -> None:
    """Two editions of one ruleset, side by side, and events that mean two things, or one twice."""
    editions = {(e.ruleset, data(e)["setup"]["edition"]) for e in log() if e.seq == 1}
    assert len({ruleset for ruleset, _ in editions}) < len(editions)
    assert {len({role.role for role in each.roles}) for each in log()} >= {0, 1, 2}
    lost = [[role.role for role in each.roles].count("lost") for each in log()]
    assert max(lost) > 1
    assert any(
        count and each.roles[0].role != "lost" for count, each in zip(lost, log(), strict=True)
    )


def test_the_order_of_the_log_is_not_that_of_versions_and_a_game_is_only_begun() -> None:
    lost = [each.seq for each in log() if any(role.role == "lost" for role in each.roles)]
    assert lost != sorted(lost)
    assert 1 in Counter(each.game for each in log()).values()
    places = [(each.place, each.at) for each in log()]
    assert places == sorted(places)


def test_there_are_no_figures_of_what_is_gone() -> None:
    assert FIGURES.keys() == EVERY.keys()


# --- what is found --------------------------------------------------------------------------------


def test_throws_that_count_as_orders_are_found() -> None:
    def take(shelf: DocumentStore, entry: Entry) -> None:
        thrown = entry.type == ROLLED and not entry.ordered
        lobby_take(shelf, replace(entry, ordered=entry.ordered or thrown))

    assert any("commands is" in each for each in faults(Projection("lobby", 1, take), lobby()))


@pytest.mark.parametrize(
    ("rank", "said"),
    [(lambda entry: 0, "is not listed"), (lambda entry: -entry.place, "the order")],
)
def test_a_row_that_is_not_listed_or_elsewhere_is_found(
    rank: Callable[[Entry], int], said: str
) -> None:
    class Elsewhere:
        def __init__(self, shelf: DocumentStore, entry: Entry) -> None:
            self.shelf, self.entry = shelf, entry
            self.read = shelf.read

        def write(self, key: str, document: Any, *, rank_: int = 0, **words: Any) -> None:
            self.shelf.write(key, document, rank=rank(self.entry), kind=words["kind"])

    def take(shelf: DocumentStore, entry: Entry) -> None:
        lobby_take(Elsewhere(shelf, entry), entry)

    assert any(said in each for each in faults(Projection("lobby", 1, take), lobby()))


@pytest.mark.parametrize(
    ("field", "other"), [("latest_at", "2000-01-01T00:00:00.000Z"), ("game", "another")]
)
def test_another_time_or_text_is_found(field: str, other: str) -> None:
    class Otherwise:
        def __init__(self, shelf: DocumentStore) -> None:
            self.shelf, self.read = shelf, shelf.read

        def write(self, key: str, document: Any, *, rank: int = 0, kind: str = "") -> None:
            self.shelf.write(key, replace(document, **{field: other}), rank=rank, kind=kind)

    def take(shelf: DocumentStore, entry: Entry) -> None:
        lobby_take(Otherwise(shelf), entry)

    said = {"latest_at": "latestAt"}.get(field, field)
    assert any(
        f"{said} is {other}" in each for each in faults(Projection("lobby", 1, take), lobby())
    )


def test_a_value_that_nobody_told_is_found() -> None:
    class More(Activity, frozen=True):
        thrown: bool

    def take(shelf: DocumentStore, entry: Entry) -> None:
        known = shelf.read(entry.game, More)
        thrown = (known is not None and known.thrown) or entry.type == ROLLED
        more = More(game=entry.game, version=entry.seq, commands=0, latest_at="", thrown=thrown)
        shelf.write(entry.game, more, rank=entry.place)

    assert any("thrown is" in each for each in faults(Projection("lobby", 1, take), lobby()))


class Meant(Document, frozen=True):
    """How often something happened in games of an edition."""

    edition: str
    times: int = 0


def meant(shelf: DocumentStore, entry: Entry, own: str, roles: Iterable[str]) -> None:
    if entry.seq == 1:
        shelf.write(own, Meant(edition=data(entry)["setup"]["edition"]))
    known = shelf.read(own, Meant)
    assert known is not None
    for role in roles:
        key = f"{known.edition}/{role}"
        row = shelf.read(key, Meant) or Meant(edition=known.edition)
        shelf.write(key, replace(row, times=row.times + 1), rank=1)


def meanings() -> dict[str, Figures]:
    editions = {each.game: data(each)["setup"]["edition"] for each in log() if each.seq == 1}
    rows = Counter(f"{editions[each.game]}/{role.role}" for each in log() for role in each.roles)
    return {
        key: {"edition": key.partition("/")[0], "times": rows[key]}
        for key in sorted(rows, reverse=True)
    }


def all_roles(shelf: DocumentStore, entry: Entry) -> None:
    meant(shelf, entry, f"of/{entry.game}", (each.role for each in entry.roles))


def one_role(shelf: DocumentStore, entry: Entry) -> None:
    meant(shelf, entry, f"of/{entry.game}", (each.role for each in entry.roles[:1]))


def each_once(shelf: DocumentStore, entry: Entry) -> None:
    meant(shelf, entry, f"of/{entry.game}", {each.role for each in entry.roles})


def by_ruleset(shelf: DocumentStore, entry: Entry) -> None:
    meant(shelf, entry, f"of/{entry.ruleset}", (each.role for each in entry.roles))


def test_an_edition_of_the_ruleset_and_a_forgotten_meaning_are_found() -> None:
    assert faults(Projection("meant", 1, all_roles), meanings()) == []
    assert faults(Projection("meant", 1, one_role), meanings())
    assert faults(Projection("meant", 1, each_once), meanings())
    assert faults(Projection("meant", 1, by_ruleset), meanings())


class Lost(Document, frozen=True):
    """Units that were lost in a game."""

    units: int = 0


@pytest.mark.parametrize(
    ("count", "right"),
    [
        (lambda roles: roles.count("lost"), True),
        (lambda roles: roles[:1].count("lost"), False),
        (lambda roles: roles[-1:].count("lost"), False),
        (lambda roles: int("lost" in roles), False),
    ],
)
def test_one_meaning_that_is_read_off_the_first_the_last_or_once_is_found(
    count: Callable[[list[str]], int], right: bool
) -> None:
    """Whoever asks for one meaning only, and takes it where events of our games have it."""

    def take(shelf: DocumentStore, entry: Entry) -> None:
        units = count([each.role for each in entry.roles])
        if units:
            known = shelf.read(entry.game, Lost) or Lost()
            shelf.write(entry.game, Lost(units=known.units + units), rank=1)

    lost = Counter(e.game for e in log() for role in e.roles if role.role == "lost")
    wanted = {game: {"units": lost[game]} for game in sorted(lost, reverse=True)}
    assert (faults(Projection("lost", 1, take), wanted) == []) == right
