"""Messages of what happens: by the roles of events, for everybody, and of no secret."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from domain.examples.pennant.rules.events import Chosen
from domain.kernel.shown.roles import PARTS, Role, phase
from domain.kernel.values import PUBLIC, TRUTH, Known
from projections.follow import Entry
from service.desk import Desk
from service.following.log import FollowedEntry, read_log
from service.following.meaning import Meanings
from service.views.views import ViewCache
from service.webhooks.keeper import NewWebhook, Owner
from service.webhooks.messages import Messages, MessageType, News, told
from service.webhooks.rows import ACTIVE, Hook, Wishes, wishes_of
from tests.every_game.test_differences import positions
from tests.service.desk.kit import desk_in, fresh_key, new_game, order
from tests.service.http.table import Match, code, sink
from tests.service.webhooks.conftest import House, MovedClock, check_signed
from tests.support import history
from tests.support.looking import RecordedViews
from tests.support.pennant import GAME, Choose
from tests.support.suites import Suite, suites

OLD = "your-turn game-over"
"""What a program of before roles has stored."""


def happened(house: House, path: str) -> list[dict[str, Any]]:
    """The data of the messages of events that came to a path."""
    letters = [letter.message for letter in house.receiver.letters if letter.path == path]
    return [message["data"] for message in letters if message["type"] == "happened"]


def expected(house: House, match: Match, wanted: Sequence[str]) -> list[dict[str, Any]]:
    """The same by the events that everybody may read."""
    found = []
    for event in house.table.get(f"{match.path}/events?limit=200").json()["items"]:
        roles = [role for role in event["roles"] if role["role"] in wanted]
        if roles:
            names = [part for part in PARTS if any(role["role"] == part for role in roles)]
            seats = {role.get("seat", "") for role in roles}
            seat = seats.pop() if len(seats) == 1 else ""
            found.append({"game": match.id, "seq": event["seq"], "seat": seat, "roles": names})
    return found


def sinking(house: House) -> Match:
    return house.table.create(seed="tenders", options={"turns": 400})


def test_everybody_who_asks_is_told_what_happens_in_order(house: House) -> None:
    match = sinking(house)
    both = ["lost", "revealed"]
    made = {who: house.hook(match, who, roles=both, types=[]) for who in ("p1", "p2", "")}
    house.hook(match, types=["game-over"], roles=["lost"], url=house.receiver.url("/only"))
    plain = house.hook(match, "p2", types=[], url=house.receiver.url("/plain"))
    house.table.choose_colours(match)
    sink(house.table, match)
    wanted = expected(house, match, ("lost", "revealed"))
    house.until(lambda: len(happened(house, "/only")) == 1)
    for who, hook in made.items():
        house.settled(match, hook, who)
    house.settled(match, plain, "p2")
    assert [each["roles"] for each in wanted] == [["revealed"], ["lost"]]
    assert wanted[1]["seat"] in ("p1", "p2")
    for path in ("/p1", "/p2", "/organiser"):
        assert happened(house, path) == wanted, path
        mine = [letter for letter in house.receiver.letters if letter.path == path]
        seqs = [letter.message["data"]["seq"] for letter in mine]
        assert seqs == sorted(seqs)
        assert len({letter.headers["webhook-id"] for letter in mine}) == len(mine)
    assert happened(house, "/only") == wanted[1:]
    assert {
        letter.message["type"] for letter in house.receiver.letters if letter.path == "/only"
    } == {"happened"}
    assert happened(house, "/plain") == []


def test_messages_tell_what_the_stream_of_events_tells(house: House) -> None:
    """Whoever is fired at is not in the event: the position before it says who else plays."""
    match = sinking(house)
    hook = house.hook(match, types=["game-over"], roles=list(PARTS), url=house.receiver.url("/all"))
    house.table.choose_colours(match)
    sink(house.table, match)
    wanted = expected(house, match, PARTS)
    house.until(lambda: len(happened(house, "/all")) >= len(wanted))
    house.settled(match, hook)
    assert happened(house, "/all") == wanted
    attacked = [each["seat"] for each in wanted if each["roles"] == ["attacked"]]
    assert set(attacked) == {"p1", "p2"}


class Shelf:
    """The views of one recorded game, as the cache of a service would hand them out."""

    def __init__(self, views: RecordedViews) -> None:
        self.views = views

    def of(self, game: str) -> RecordedViews:
        return self.views


@pytest.mark.parametrize("suite", suites().values(), ids=lambda suite: suite.folder)
def test_over_a_recorded_game_they_tell_what_its_stream_tells(suite: Suite) -> None:
    files = sorted(history.files(suite), key=lambda each: each.stat().st_size)
    path = files[len(files) // 2]
    views = RecordedViews(suite, [(event, "") for event, _ in positions(suite, path, TRUTH)])
    name, heads = suite.game.ruleset, [told.head for told in views.told(0, views.latest)]
    log = [
        FollowedEntry(Entry(1, "g", name, h.seq, h.type, h.schema, "", "", False, b""), "")
        for h in heads
    ]
    unused: Any = None
    shelf: Any = Shelf(views)
    messages, hook = (
        Messages(unused, shelf, MovedClock()),
        msgspec.structs.replace(listening("p1", *PARTS), since=0),
    )
    stream = {each.seq: each.roles for each in views.seen(PUBLIC, 0, views.latest) if each.roles}
    for size in (len(log), 7):
        cut = [log[at : at + size] for at in range(0, len(log), size)]
        news = [each for part in cut for each in messages.news("g", part)]
        assert {each.seq: each.roles for each in news} == stream
        for each in news:
            data: Any = told(hook, each)
            seats = {role.seat for role in each.roles}
            assert data.seat == (seats.pop() if len(seats) == 1 else "")
            assert set(data.roles) == {role.role for role in each.roles}
    meant = {role for roles in stream.values() for role in roles}
    assert {role.role for role in meant} >= {"attacked", "damaged"}
    assert all(role.seat for role in meant if role.unit), "whose unit it is, is known"


def test_where_nobody_asks_for_a_meaning_no_position_is_looked_at() -> None:
    unused: Any = None
    told_ = FollowedEntry(Entry(1, "g", "pennant", 1, "pennant.opened", 1, "", "", False, b""), "")
    assert list(Messages(unused, unused, MovedClock()).news("g", [told_], meant=False)) == []


def test_a_message_is_repeated_byte_by_byte(house: House) -> None:
    match = sinking(house)
    made = house.hook(match, types=["game-over"], roles=["revealed"])
    house.table.choose_colours(match)
    [delivery] = house.settled(match, made)
    assert delivery["type"] == "happened"
    house.act(match, f"{house.path(made)}/deliveries/{delivery['id']}/repeat")
    one, two = house.receiver.await_letters(2)
    assert (one.body, one.headers["webhook-id"]) == (two.body, two.headers["webhook-id"])
    check_signed(two, made.json()["secret"])


def test_roles_are_shown_in_the_order_of_the_vocabulary(house: House) -> None:
    match = house.table.create()
    made = house.hook(match, roles=["lost", "moved"], types=[])
    shown = made.json()["webhook"]
    assert shown["roles"] == ["moved", "lost"]
    assert shown["types"] == ["your-turn", "game-over"], "both when none are named"
    assert house.table.get(house.path(made), match.tokens["p1"]).json() == shown
    assert house.hook(match).json()["webhook"]["roles"] == []
    assert house.hook(match, roles=list(PARTS)).json()["webhook"]["roles"] == list(PARTS)


@pytest.mark.parametrize("roles", [["sunk"], ["lost", "lost"], "lost", [*PARTS, "lost"], None])
def test_roles_that_do_not_fit_are_refused(house: House, roles: Any) -> None:
    match = house.table.create()
    answer = house.hook(match, roles=roles)
    assert code(answer) == "body.invalid"
    assert answer.json()["errors"][0]["pointer"].startswith("/roles")


def test_a_row_of_before_roles_is_read_as_before(house: House) -> None:
    match = house.table.create()
    made = house.hook(match, roles=["revealed"])
    id_ = made.json()["webhook"]["id"]
    older = ("UPDATE webhooks SET types = ? WHERE webhook = ?", (OLD, id_))
    house.desk.store.recorder.put((), [older])
    shown = house.table.get(house.path(made), match.tokens["p1"]).json()
    assert (shown["types"], shown["roles"]) == (["your-turn", "game-over"], [])
    house.table.play_out(match)
    house.settled(match, made)
    house.until(lambda: house.receiver.letters[-1].message["type"] == "game-over")
    assert {letter.message["type"] for letter in house.receiver.letters} == {
        "your-turn", "game-over"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "wishes"),
    [
        (OLD, Wishes(("your-turn", "game-over"))),
        ("game-over", Wishes(("game-over",))),
        ("game-over happened:moved happened:lost", Wishes(("game-over",), ("moved", "lost"))),
    ],
)
def test_what_is_stored_is_read_and_written_again(words: str, wishes: Wishes) -> None:
    assert wishes_of(words) == wishes
    assert wishes.words == words


def test_no_word_of_a_role_is_a_type() -> None:
    assert not any(":" in type_ for type_ in get_args(MessageType))


def listening(seat: str, *roles: Any) -> Hook:
    return Hook("h", "g", seat, 3, Wishes(("game-over",), roles).words, ACTIVE, "")


def test_the_seat_is_the_one_that_all_matching_roles_name() -> None:
    lost = (Role("lost", "a", "p1"), Role("damaged", "b", "p2"), Role("lost", "c", "p1"))
    hook = listening("p2", "damaged", "lost")
    cases = [
        (lost, ("damaged", "lost"), ""),
        (lost[::2], ("lost",), "p1"),
        ((Role("lost", "a"), lost[0]), ("lost",), ""),
        ((Role("moved", "a", "p1"), lost[1]), ("damaged",), "p2"),
    ]
    for roles, names, seat in cases:
        data: Any = told(hook, News("happened", 4, roles=roles))
        assert (data.roles, data.seat, data.seq) == (names, seat, 4)
    assert told(hook, News("happened", 4, roles=(Role("moved", "a", "p2"),))) is None
    assert told(hook, News("happened", 3, roles=lost)) is None, "it was made later"


def told_of(row: Any) -> tuple[str, bytes]:
    """Name and data of a delivery that is put in."""
    delivery, *_, body, _, _ = row[1]
    return delivery, msgspec.json.encode(msgspec.json.decode(body)["data"])


async def choose(desk: Desk, game: str) -> None:
    """Through the secret part: the second choice has both revealed."""
    await order(desk, game, "p1", Choose(colour="bold"))
    await order(desk, game, "p2", Choose(colour="steady"))


TALKATIVE = {"pennant": replace(GAME, roles=dict.fromkeys(GAME.events, phase))}
"""A Pennant of which each event means something, whatever comes after it in its command."""


def test_batches_cut_anywhere_tell_the_same(tmp_path: Path) -> None:
    async def run() -> None:
        async with desk_in(
            tmp_path, games=TALKATIVE, webhook_private=True, webhook_seconds=0
        ) as desk:
            game = (await new_game(desk)).game.id
            new = NewWebhook(url="http://127.0.0.1:1/x", roles=list(PARTS))
            await desk.webhooks.create(Owner(game, "p2", "0" * 16), new, key=fresh_key())
            await choose(desk, game)
            _, log = read_log(desk.store.recorder, 0, 1 << 30, meanings=Meanings(TALKATIVE))
            messages = Messages(desk.store, ViewCache(desk.store, TALKATIVE, 1000), MovedClock())
            whole = [told_of(row) for row in messages.take(log)]
            for size in range(1, len(log)):
                cut = [log[at : at + size] for at in range(0, len(log), size)]
                assert [told_of(row) for part in cut for row in messages.take(part)] == whole
            assert sum(b'"roles":["phase"]' in data for _, data in whole) == 3

    asyncio.run(run())


def _told_of_a_choice(state: Any, event: Chosen) -> tuple[Role, ...]:
    choice = event.choice
    return (Role("revealed", choice.items[0], event.seat),) if isinstance(choice, Known) else ()


INDISCREET = replace(GAME, roles={**GAME.roles, Chosen: _told_of_a_choice})
"""A Pennant in which a choice means something to whoever sees it: to nobody but its seat."""


def test_of_a_secret_nothing_is_told_not_even_to_its_seat(tmp_path: Path) -> None:
    async def run() -> None:
        games = {"pennant": INDISCREET}
        async with desk_in(tmp_path, games=games, webhook_private=True, webhook_seconds=0) as desk:
            game = (await new_game(desk)).game.id
            for seat in ("p1", "p2", ""):
                new = NewWebhook(url="http://127.0.0.1:1/x", types=["game-over"], roles=list(PARTS))
                await desk.webhooks.create(Owner(game, seat, "0" * 16), new, key=fresh_key())
            await choose(desk, game)
            seen = await desk.reader.events(game, "p1", 0, 200)
            known = [each.seq for each in seen if each.roles]
            public = await desk.reader.events(game, "public", 0, 200)
            open_ = [each.seq for each in public if each.roles]
            assert len(known) == len(open_) + 1, "the seat itself is told more by its own stream"
            sql = "SELECT webhook, seq FROM deliveries ORDER BY webhook, seq"
            found: list[Any] = []
            for _ in range(400):
                if len(found) >= 3 * len(open_):
                    break
                await asyncio.sleep(0.05)
                found = desk.store.recorder.query(sql, ())
            assert sorted(seq for _, seq in found) == sorted(open_ * 3)

    asyncio.run(run())
