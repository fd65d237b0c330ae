"""The evidence page judges as the program does: good files, tampered ones, what is no bundle."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from domain.kernel.codec import canonical
from domain.kernel.setup import Result
from service.container import pack, unpack
from service.evidence.chain import GENESIS, hash_of
from service.evidence.records import BatchRolled, GameClosed, GameCreated
from service.evidence.verify import verify
from tests.service.evidence.playing import GAMES, Cheat, Table, at_sea
from tests.service.evidence.playing import finished as pennant_game
from tests.service.evidence.test_epochs import table as went_back
from tests.spec.whole import ROOT_KEY, whole
from tests.support import pennant
from tests.support.chromium import shoot
from tests.support.server import Running

from .conftest import Person

FIRST_BATTLE = Path(__file__).resolve().parents[1] / "games" / "first-battle.decklog"
replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def clerk(browser: Browser, server: Running) -> Iterator[Person]:
    """Somebody at the evidence page, for all tests here: file after file, loaded once."""
    made = Person(browser, server.url)
    made.go("evidence")
    made.page.locator(".drop").wait_for()
    yield made
    made.leave()


def judged(person: Person, path: Path) -> tuple[str, str]:
    """The verdict in a word, and the whole report."""
    person.page.get_by_label("Verdict").evaluate("section => section.replaceChildren()")
    person.page.set_input_files("#file", path)
    person.page.locator("dl, [role=alert]").first.wait_for()
    report = person.page.get_by_label("Verdict").inner_text()
    return report.split("\n")[0].split(",")[0], report


def written(folder: Path, data: bytes) -> Path:
    """A file of its own for each case: a browser that has one chosen does not look at it again."""
    path = folder / f"{hashlib.sha256(data).hexdigest()[:12]}.decklog"
    path.write_bytes(data)
    return path


def test_a_finished_game_is_consistent_and_its_result_is_not_shown(
    clerk: Person, evidence: Path
) -> None:
    word, report = judged(clerk, evidence)
    assert word == "CONSISTENT"
    assert "rules not judged" in report
    assert "won by" not in report
    assert "Not judged here" in report
    assert "origin not proven: the file is unsigned" in report
    for check in ("container", "chain", "seals", "orders", "dice", "secrets"):
        assert f"{check}: " in report
    shoot(clerk.page, "evidence-consistent")
    assert clerk.serious() == []


def test_who_knows_the_root_key_is_told_who_signed(clerk: Person, tmp_path: Path) -> None:
    """By the browser's own Ed25519; one without it says so."""
    asked = "async () => (await import('/pages/ed25519.js')).able()"
    able = clerk.page.evaluate(asked)
    clerk.page.get_by_text("What you know of the service").click()
    field = clerk.page.get_by_label("Its root key")
    field.fill(str(ROOT_KEY.verify_key))
    _, report = judged(clerk, written(tmp_path, whole(tmp_path / "log")))
    told = (
        "shown: signed by decklog.example/bundles+" if able else "not judged: this browser cannot"
    )
    assert f"CONSISTENT, rules not judged; origin {told}" in report
    assert ("signed orders: 4 orders are signed by their seats" in report) == able
    assert clerk.serious() == []
    word, report = judged(clerk, written(tmp_path, pennant_game().export()))
    assert (word, "found none" in report) == ("REFUTED", True)
    field.fill("")


def test_the_battle_of_the_readme_is_consistent_with_as_many_faces_as_the_program_counts(
    clerk: Person,
) -> None:
    told = verify(FIRST_BATTLE.read_bytes(), {})
    dice = next(check for check in told.checks if check.check == "dice")
    word, report = judged(clerk, FIRST_BATTLE)
    assert word == "CONSISTENT"
    assert f"dice: {dice.text}" in report


CASES: dict[str, Callable[[], bytes]] = {
    "players' links": lambda: pennant_game(tips=True).export(),
    "a renewal of the chains": lambda: pennant_game(turns=12, length=8).export(),
    "stores that went back, and a renewal": lambda: went_back().export(),
    "hidden dice": lambda: at_sea().export(),
    "hidden dice, for one seat": lambda: at_sea(orders=6).export("p1"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_the_program_upholds_the_browser_finds_consistent(
    clerk: Person, tmp_path: Path, name: str
) -> None:
    data = CASES[name]()
    assert verify(data, GAMES).code == 0
    assert judged(clerk, written(tmp_path, data))[0] == "CONSISTENT"


def forged(cheat: Cheat, **more: Any) -> bytes:
    """A game whose every hash fits, by a service that cheats."""
    table = Table(setup=pennant.setup(6), cheat=cheat, length=256, **more)
    return table.play(5).forge()


def _false_faces(record: Any) -> Any:
    if not isinstance(record, BatchRolled):
        return record
    faces = tuple(tuple(7 - face for face in pool) for pool in record.rolls[0].faces)
    return replace(record, rolls=(replace(record.rolls[0], faces=faces), *record.rolls[1:]))


def _false_link(record: Any) -> Any:
    return replace(record, link="ab" * 32) if isinstance(record, BatchRolled) else record


def _false_tips(record: Any) -> Any:
    if not isinstance(record, GameCreated):
        return record
    return replace(record, tips=dict.fromkeys(record.tips, "cd" * 32))


FORGERIES = {
    "faces": (Cheat(record=_false_faces), "dice"),
    "a link": (Cheat(record=_false_link), "dice"),
    "the tips": (Cheat(record=_false_tips), "dice"),
    "a number": (Cheat(number=lambda t: t + 1), "dice"),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_what_the_program_refutes_the_browser_refutes(
    clerk: Person, tmp_path: Path, what: str
) -> None:
    cheat, check = FORGERIES[what]
    data = forged(cheat)
    told = verify(data, GAMES)
    assert told.code == 1
    assert told.finding is not None
    word, report = judged(clerk, written(tmp_path, data))
    assert (word, told.finding.check) == ("REFUTED", check)
    assert f"{check}, event {told.finding.seq}:" in report


def altered(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The bundle with one file changed, and a manifest that fits it."""
    files = unpack(data)
    files[name] = change(files[name])
    manifest = json.loads(files["manifest.json"])
    for entry in manifest["files"]:
        content = files[entry["name"]]
        entry["size"], entry["sha256"] = len(content), hashlib.sha256(content).hexdigest()
    files["manifest.json"] = canonical(manifest)
    return pack(files)


def _other_actor(text: bytes) -> bytes:
    lines = text.split(b"\n")
    lines[4] = lines[4].replace(b'"actor":"p1"', b'"actor":"p2"')
    assert b"\n".join(lines) != text
    return b"\n".join(lines)


def test_a_tampered_event_is_refuted(clerk: Person, tmp_path: Path) -> None:
    data = altered(FIRST_BATTLE.read_bytes(), "events.jsonl", _other_actor)
    word, report = judged(clerk, written(tmp_path, data))
    assert (word, verify(data, {}).code) == ("REFUTED", 1)
    assert "chain, event 6: prev" in report
    shoot(clerk.page, "evidence-refuted")
    assert clerk.serious() == []


def test_a_tampered_opening_and_a_tampered_order_are_refuted(clerk: Person, tmp_path: Path) -> None:
    whole = FIRST_BATTLE.read_bytes()
    for name, old, new, check in (
        ("openings.jsonl", b'"payload":null', b'"payload":true', "seal"),
        ("commands.jsonl", b'"bismarck"', b'"tirpitz"', "order"),
    ):
        data = altered(whole, name, lambda text, old=old, new=new: text.replace(old, new, 1))  # type: ignore[misc]
        word, report = judged(clerk, written(tmp_path, data))
        assert word == "REFUTED"
        assert f"{check}, event" in report
        assert verify(data, {}).code == 1


def _other_winner(record: Any) -> Any:
    if not isinstance(record, GameClosed):
        return record
    return replace(record, result=Result(("p2",), "bribery", "PEN-6"))


def test_a_winner_that_the_rules_do_not_give_is_nowhere_shown(
    clerk: Person, tmp_path: Path
) -> None:
    data = forged(Cheat(record=_other_winner))
    assert verify(data, GAMES).code == 1
    word, report = judged(clerk, written(tmp_path, data))
    assert word == "CONSISTENT"
    assert "bribery" not in report
    assert clerk.page.locator("h2.good").count() == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: data[:5000] + b"!" + data[5001:],
        lambda data: data + b"\0",
        lambda data: b"no bundle at all",
    ],
    ids=["cut", "a byte", "more", "other"],
)
def test_what_is_no_whole_bundle_is_unreadable(
    clerk: Person, tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    data = spoil(FIRST_BATTLE.read_bytes())
    assert judged(clerk, written(tmp_path, data))[0] == "UNREADABLE"
    assert verify(data, {}).code == 2


def test_the_chain_that_the_tests_forge_is_the_chain_of_the_format() -> None:
    events = unpack(FIRST_BATTLE.read_bytes())["events.jsonl"].splitlines()
    prev = GENESIS
    for line in events:
        assert json.loads(line)["prev"] == prev
        prev = hash_of(line)


def test_a_dropped_file_is_judged(clerk: Person) -> None:
    clerk.page.get_by_label("Verdict").evaluate("section => section.replaceChildren()")
    clerk.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["nothing"], "x.decklog"));
          document.querySelector(".drop").dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    verdict = clerk.page.get_by_label("Verdict")  # the judge beside it comes when it is ready
    verdict.get_by_role("heading", name="UNREADABLE").wait_for()
