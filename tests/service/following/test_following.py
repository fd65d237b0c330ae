"""Each event is taken in once, whatever happens between two steps, and whoever else follows."""

from __future__ import annotations

import random
import time
from collections import Counter
from itertools import pairwise

import msgspec
import pytest

from projections.finder import found
from projections.follow import DocumentStore, Entry, Projection
from service.evidence.records import SERVICE, BatchRolled, GameClosed
from service.following.follower import (
    NEW,
    Follower,
    Projecting,
    compare,
    make_beside,
    place_of,
    rebuild,
)
from service.following.log import read_log
from service.settings import Settings
from service.store.bulk import Statement
from service.store.database import Database
from tests.service.following.conftest import played
from tests.service.following.kit import MEANINGS, documents, follow, opened, place

pytestmark = pytest.mark.slow("stores")

STATISTICS = found()["statistics"]
EVERY = tuple(found().values())


class Seen(msgspec.Struct):
    """The places that were taken in, in order."""

    places: list[int]


def _remember(shelf: DocumentStore, entry: Entry) -> None:
    seen = shelf.read("all", Seen) or Seen([])
    shelf.write("all", Seen([*seen.places, entry.place]), rank=1)


WITNESS = Projection("witness", 1, _remember)


def places(recorder: Database) -> list[int]:
    sql = f"SELECT {recorder.place} FROM stored_events ORDER BY {recorder.place}"
    return [row[0] for row in recorder.query(sql)]


def witnessed(recorder: Database) -> list[int]:
    found: list[int] = documents(recorder, "witness")["all"][2]["places"]
    return found


def to_the_end(follower: Follower, recorder: Database) -> None:
    while follower.step(recorder.settled(), 3):
        pass


@pytest.mark.parametrize("limit", [1, 3, 7, 500])
def test_every_event_once_and_in_order_however_many_at_a_time(
    recorder: Database, limit: int
) -> None:
    steps = follow(recorder, WITNESS, limit=limit)
    assert witnessed(recorder) == places(recorder)
    assert steps >= len(places(recorder)) // limit
    assert follow(recorder, WITNESS) == 0


def test_two_who_follow_the_same_do_it_once(recorder: Database) -> None:
    chance = random.Random(6)
    two = [Follower(recorder, Projecting(recorder, WITNESS)) for _ in range(2)]
    upto = recorder.settled()
    while chance.choice(two).step(upto, chance.randrange(1, 5)):
        pass
    assert witnessed(recorder) == places(recorder)


class Overtaken(Projecting):
    """While it works in memory, another follower of the same name stores something."""

    def __init__(self, recorder: Database, other: Follower, upto: int) -> None:
        super().__init__(recorder, WITNESS)
        self.other = other
        self.upto = upto

    def take(self, told: object) -> list[Statement]:
        statements = super().take(told)  # type: ignore[arg-type]
        self.other.step(self.upto, 2)
        return statements


def test_whoever_was_overtaken_has_done_nothing(recorder: Database) -> None:
    upto = recorder.settled()
    other = Follower(recorder, Projecting(recorder, WITNESS))
    slow = Follower(recorder, Overtaken(recorder, other, upto))
    while slow.step(upto, 5):
        pass
    assert witnessed(recorder) == places(recorder)


def test_a_step_that_fails_leaves_place_and_documents(recorder: Database) -> None:
    def fails(shelf: DocumentStore, entry: Entry) -> None:
        _remember(shelf, entry)
        if entry.place >= middle and not mended:
            raise RuntimeError("a plug-in at fault")

    every, mended = places(recorder), False
    middle = every[len(every) // 2]
    follower = Follower(recorder, Projecting(recorder, Projection("witness", 1, fails)))
    with pytest.raises(RuntimeError):
        to_the_end(follower, recorder)
    done = place(recorder, "witness")
    assert witnessed(recorder) == [each for each in every if each <= done]
    mended = True
    to_the_end(follower, recorder)
    assert witnessed(recorder) == every


@pytest.mark.parametrize("projection", EVERY, ids=lambda each: each.name)
def test_a_rebuild_makes_what_is_there(recorder: Database, projection: Projection) -> None:
    follow(recorder, projection, limit=4)
    live = documents(recorder, projection.name)
    assert live, f"no game of this store fills {projection.name}: play one in conftest.py that does"
    assert compare(recorder, projection, meanings=MEANINGS) == (len(live), [])
    steps: list[tuple[int, int]] = []
    rebuild(recorder, projection, lambda at, of: steps.append((at, of)), MEANINGS)
    assert documents(recorder, projection.name) == live
    assert steps[-1][0] == steps[-1][1] == recorder.settled()
    assert documents(recorder, projection.name + NEW) == {}
    assert place_of(recorder, projection.name + NEW) is None


def test_a_check_finds_what_was_changed_and_a_rebuild_puts_it_right(recorder: Database) -> None:
    follow(recorder, STATISTICS)
    live = documents(recorder, "statistics")
    changed = b'{"ruleset":"pennant"}'
    sql = "UPDATE projected SET document = ? WHERE projection = 'statistics' AND key = 'pennant'"
    recorder.put((), [(sql, (changed,))])
    recorder.put((), [("DELETE FROM projected WHERE key = 'soundings'", ())])
    _, differing = compare(recorder, STATISTICS, meanings=MEANINGS)
    assert [(each.key, bool(each.live)) for each in differing] == [
        ("pennant", True),
        ("soundings", False),
    ]
    rebuild(recorder, STATISTICS, meanings=MEANINGS)
    assert documents(recorder, "statistics") == live


def test_an_interrupted_rebuild_is_carried_on(recorder: Database) -> None:
    class Interrupted(Exception):
        pass

    def interrupt(at: int, of: int) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        make_beside(recorder, WITNESS, interrupt)
    assert place(recorder, "witness" + NEW) > 0
    rebuild(recorder, WITNESS)
    assert witnessed(recorder) == places(recorder)


def test_a_rebuild_while_others_follow_neither_loses_nor_doubles(recorder: Database) -> None:
    every = places(recorder)
    follower = Follower(recorder, Projecting(recorder, WITNESS))
    follower.step(every[5], 3)
    follower.step(every[5], 3)
    rebuild(recorder, WITNESS, lambda at, of: None)
    assert not follower.step(recorder.settled()), "it sees that another run took its place"
    assert witnessed(recorder) == every


def test_what_was_not_opened_yet_is_not_in_the_projections(given: Settings) -> None:
    played(given, 2, "soundings")
    with opened(given) as recorder:
        truth = _hidden_batches(recorder)
        assert truth, "a game under way with hidden dice"
        for projection in EVERY:
            follow(recorder, projection)
        kept = documents(recorder, "dice")
        for batch in truth:
            for roll in batch.rolls:
                _, _, document = next(d for d in kept.values() if d[2]["roll"] == roll.label)
                assert document["hidden"]
                assert all(pool["faces"] == [] for pool in document["pools"])
        shown = documents(recorder, "statistics")["soundings"][2]
        assert sum(faces["dice"] for faces in shown["dice"]) == 0 or shown["rolls"] > len(truth)
        everything = recorder.query("SELECT document FROM projected")
        links = [batch.link.encode() for batch in truth]
        assert not [link for link in links for (text,) in everything if link in bytes(text)]


def _hidden_batches(recorder: Database) -> list[BatchRolled]:
    rows = recorder.query(
        "SELECT state FROM stored_events WHERE topic LIKE 'decklog.batch-rolled%'"
    )
    stored = [msgspec.json.decode(bytes(state)) for (state,) in rows]
    return [msgspec.convert(each["truth"], BatchRolled) for each in stored if "truth" in each]


def test_hidden_dice_are_told_when_their_game_is_closed(recorder: Database) -> None:
    for projection in EVERY:
        follow(recorder, projection, limit=5)
    truth = _hidden_batches(recorder)
    assert truth
    kept = documents(recorder, "dice")
    assert not [key for key, (_, _, document) in kept.items() if document["hidden"]]
    told = {
        document["roll"]: document for _, kind, document in kept.values() if kind == "soundings"
    }
    for batch in truth:
        for roll in batch.rolls:
            assert [tuple(pool["faces"]) for pool in told[roll.label]["pools"]] == list(roll.faces)
    dice = sum(len(faces) for batch in truth for roll in batch.rolls for faces in roll.faces)
    figures = documents(recorder, "statistics")["soundings"][2]
    assert sum(faces["dice"] for faces in figures["dice"]) >= dice


def test_the_figures_are_those_of_the_log(recorder: Database) -> None:
    follow(recorder, STATISTICS)
    _, told = read_log(recorder, 0, recorder.settled(), 1_000_000)
    events = Counter(each.entry.ruleset for each in told)
    closed = Counter(e.entry.ruleset for e in told if e.entry.type == GameClosed.TYPE)
    commands = Counter(game for (game,) in recorder.query(
        "SELECT g.ruleset FROM commands c JOIN games g ON g.game = c.game"
    ))  # fmt: skip
    kept = documents(recorder, "statistics")
    for ruleset in events:
        figures = kept[ruleset][2]
        assert figures["events"] == events[ruleset]
        assert figures["finished"] == closed[ruleset] > 0
        assert figures["commands"] == commands[ruleset] > 0
        assert sum(ending["games"] for ending in figures["endings"]) == figures["finished"]
        assert figures["draws"] + sum(figures["wins"].values()) == figures["finished"]


def test_the_store_has_a_loss(recorder: Database) -> None:
    """So that whatever follows losses has rows here."""
    follow(recorder, STATISTICS)
    assert documents(recorder, "statistics")["pennant"][2]["losses"] > 0


def test_a_damaged_event_is_passed_over(recorder: Database) -> None:
    every = places(recorder)
    bad = every[4]
    sql = f"UPDATE stored_events SET state = ? WHERE {recorder.place} = ?"
    recorder.put((), [(sql, (b'{"body":{},"hash":"0"}', bad))])
    follow(recorder, WITNESS)
    assert witnessed(recorder) == [each for each in every if each != bad]


def test_the_log_rises(recorder: Database) -> None:
    reached, told = read_log(recorder, 0, recorder.settled())
    assert reached == recorder.settled()
    assert all(a.entry.place < b.entry.place for a, b in pairwise(told))


def test_the_office_is_held_by_one_store_at_a_time(given: Settings) -> None:
    with opened(given) as one:
        assert one.lead("watch")
        assert one.lead("watch")
        if not given.store:
            return
        with opened(given) as two:
            assert not two.lead("watch")
            assert two.lead("another")
            one.close()
            # The server frees a lock when it sees that the line is closed, not when we close it.
            deadline = time.monotonic() + 20
            while not two.lead("watch"):
                assert time.monotonic() < deadline, "the holder is gone"
                time.sleep(0.02)


def test_every_order_has_its_seat(recorder: Database) -> None:
    told = [each.entry for each in read_log(recorder, 0, recorder.settled(), 5_000, MEANINGS)[1]]
    ordered = [entry for entry in told if entry.ordered]
    rows = recorder.query("SELECT seat FROM commands ORDER BY game, first")
    assert sorted(entry.by for entry in ordered) == sorted(seat for (seat,) in rows)
    assert SERVICE not in {entry.by for entry in told}
    assert {entry.by for entry in told if not entry.ordered} == {""}
