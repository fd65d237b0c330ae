"""A stalled game is played to its end by whoever has its master, as its service would have."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from domain.kernel.codec import canonical, full
from service.evidence import chain
from service.evidence.beacon import NETWORKS, QUICKNET
from service.evidence.records import BeaconSeen
from tests.service.cli.conftest import Run
from tests.service.cli.test_escrow import keepers, played
from tests.service.evidence.playing import Table
from tests.support import pennant
from tests.support.beacon import OWN, signed
from tests.support.pennant import GAME, Choose, Fire


def stalled(folder: Path, table: Table, viewer: str = "public") -> list[str]:
    """The command, for a game that its service has left there."""
    (folder / "game.decklog").write_bytes(table.export(viewer))
    (folder / "master").write_text(table.book.master.hex())
    return ["escrow", "finish", str(folder / "game.decklog"), "--master", str(folder / "master")]


def by_service(table: Table, count: int) -> list[dict[str, Any]]:
    """The events of the game from number ``count`` on, as its service went on."""
    read = [chain.read(row.body) for row in table.rows[count:]]
    own = [each for each in read if not each.type.startswith("decklog.")]
    return [{"type": each.type, "data": json.loads(bytes(each.data))} for each in own]


def test_the_usual_answers_lead_to_the_end_that_the_service_would_have_come_to(
    run: Run, tmp_path: Path
) -> None:
    table = Table(setup=pennant.setup(10)).play(2, orders=5)
    count = len(table.rows)
    done = run(*stalled(tmp_path, table), "--usual", "--json")
    assert done.code == 0, done
    while (asked := GAME.pending(table.state)) and GAME.result(table.state) is None:
        table.order(asked[0].seat, GAME.usual(table.state, asked[0]))
    theirs = by_service(table, count)
    ours = [each for order in done.json["done"] for each in order["events"]]
    assert [each["type"] for each in ours] == [each["type"] for each in theirs]
    result = GAME.result(table.state)
    assert (done.json["result"], done.json["waitsFor"]) == (
        json.loads(json.dumps(full(result))),
        [],
    )
    text = run(*stalled(tmp_path, Table(setup=pennant.setup(10)).play(2, orders=5)), "--usual")
    assert text.out.splitlines()[-1].startswith("The game is over, won by ")


def test_orders_are_carried_out_with_the_dice_of_the_service(run: Run, tmp_path: Path) -> None:
    table = Table(setup=pennant.setup(10)).play(2, orders=5)
    words, count = stalled(tmp_path, table), len(table.rows)
    table.play(2, orders=4)
    lines = [{"seat": each.seat, "command": json.loads(each.command)} for each in table.orders[5:]]
    (tmp_path / "orders").write_text("\n".join(map(json.dumps, lines)) + "\n")
    done = run(*words, "--orders", tmp_path / "orders", "--json")
    assert done.code == 0, done
    assert (len(done.json["done"]), done.json["result"]) == (len(lines), None)
    rolled = [chain.read(row.body) for row in table.rows[count:]]
    faces = [
        [roll["faces"] for roll in json.loads(bytes(each.data))["rolls"]]
        for each in rolled if each.type == "decklog.batch-rolled"
    ]  # fmt: skip
    ours = [dice for order in done.json["done"] for dice in order["dice"]]
    assert [[roll["faces"] for roll in each["rolls"]] for each in ours] == faces != []
    assert run(*words, "--orders", tmp_path / "orders").out.rstrip().endswith(".")


def within_an_order(run: Run, folder: Path) -> tuple[list[str], str, Any]:
    """The command, for a game that was lost after links were given; p1's link, and the dice."""
    before, link, rolled = asyncio.run(played(folder, keepers(run, folder)))
    evidence, master = folder / "before.decklog", folder / "master"
    evidence.write_bytes(before)
    shares = []
    for name in ("ann", "cleo"):
        shares.append(folder / f"{name}.json")
        shares[-1].write_text(run("escrow", "share", evidence, "--key", folder / name).out)
    assert run("escrow", "open", evidence, *shares, "-o", master).code == 0
    words = ["escrow", "finish", evidence, "--master", master, "--orders", folder / "orders"]
    return list(map(str, words)), link, rolled


FIRE = f'{{"command": {canonical(Fire("hull")).decode()}, "seat": "p1"}}'


def test_the_order_that_was_locked_comes_first_and_no_other(run: Run, tmp_path: Path) -> None:
    words, link, rolled = within_an_order(run, tmp_path)
    (tmp_path / "orders").write_text('{"seat":"p1","command":{"type":"pennant.pass"}}')
    run(*words, "--link", f"p1={link}").assert_mistake("not the order of p1 that was locked")
    (tmp_path / "orders").write_text(FIRE)
    done = run(*words, "--link", f"p1={link}", "--usual", "--json")
    assert done.code == 0, done
    (first, *_) = done.json["done"][0]["dice"]
    assert first["batch"] == 1
    assert tuple(map(tuple, first["rolls"][0]["faces"])) == rolled.faces, "no other dice"
    assert done.json["result"]["reason"]


def test_no_dice_are_rolled_where_a_link_that_was_given_is_not_there(
    run: Run, tmp_path: Path
) -> None:
    words, _, _ = within_an_order(run, tmp_path)
    (tmp_path / "orders").write_text(FIRE)
    run(*words, "--usual").assert_mistake("p1 has given a link of batch 1, which is not here")
    run(*words, "--link", f"p9={'00' * 32}").assert_mistake("there is no seat p9")


def test_no_dice_are_rolled_whose_round_of_the_beacon_nobody_has_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of grade A3 the service names another round for each batch, as it closes the links."""
    monkeypatch.setitem(NETWORKS, QUICKNET, OWN)
    table = Table(setup=pennant.setup(6), grade="A3", tips=True).play(1, orders=2)
    named = "nobody has named the round of the beacon that batch"
    words = [*stalled(tmp_path, table), "--orders", str(tmp_path / "orders")]
    (tmp_path / "orders").write_text(FIRE)
    run(*words).assert_mistake(named)
    honest = Table.write

    def write(self: Table, records: Any, *more: Any, **fields: Any) -> Any:
        if any(isinstance(each, BeaconSeen) for each in records):
            raise Lost
        return honest(self, records, *more, **fields)

    monkeypatch.setattr(Table, "write", write)
    with pytest.raises(Lost):
        table.order("p1", Fire("hull"))
    closing = json.loads(bytes(chain.read(table.rows[-1].body).data))
    words = [*stalled(tmp_path, table), "--orders", str(tmp_path / "orders")]
    words += ["--beacon", signed(closing["round"])]
    for place, seat in enumerate(table.setup.seats):
        words += ["--link", f"{seat}={table.player_link(place, closing['t']).hex()}"]
    done = run(*words, "--json")
    assert done.code == 0, done
    assert [each["batch"] for each in done.json["done"][0]["dice"]] == [closing["t"]]
    (tmp_path / "orders").write_text(f"{FIRE}\n{FIRE.replace('p1', 'p2')}")
    run(*words).assert_mistake(named)


class Lost(Exception):
    """The service ends here."""


def test_another_master_is_said_to_be_another(run: Run, tmp_path: Path) -> None:
    words = stalled(tmp_path, Table(setup=pennant.setup(10)).play(2, orders=5))
    (tmp_path / "master").write_text("00" * 32)
    run(*words, "--usual").assert_mistake("not the game's master")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"seat":"p9"}', "p9 is not asked anything"),
        ('{"seat":"p1","command":{"type":"pennant.sink"}}', "cannot be played on"),
        ("p1", "has no orders"),
    ],
)
def test_what_cannot_be_played_on(run: Run, tmp_path: Path, text: str, what: str) -> None:
    words = stalled(tmp_path, Table(setup=pennant.setup(10)).play(2, orders=5))
    (tmp_path / "orders").write_text(text)
    run(*words, "--orders", tmp_path / "orders").assert_mistake(what)


def test_a_game_of_which_something_is_hidden_is_not_played_on(run: Run, tmp_path: Path) -> None:
    table = Table(setup=pennant.setup(10))
    table.order("p1", Choose("bold"))
    words = stalled(tmp_path, table, "p2")
    run(*words, "--usual").assert_mistake("hides something of the position")


def test_a_game_that_is_over_is_not_played_on(run: Run, tmp_path: Path) -> None:
    words = stalled(tmp_path, Table(setup=pennant.setup(6)).play(1))
    run(*words, "--usual").assert_mistake("is over")
