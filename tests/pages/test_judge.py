"""The program's own judge in the page: Python for WebAssembly says what the command line says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from domain.kernel.finder import games
from domain.kernel.setup import Setup
from service import container
from service.clock import SYSTEM, stamp
from service.evidence import bundle
from service.evidence.signing import seal_envelope, write_envelope
from service.evidence.verdict import Verdict
from service.evidence.verify import verify
from service.judge import __main__ as build
from service.judge import alone, parts, vendor
from tests.service.evidence.playing import Table
from tests.service.evidence.test_mutations import BUNDLES, KEYS
from tests.support.chromium import shoot
from tests.support.programs import NPM
from tests.support.server import Running, running

from .conftest import Person
from .test_evidence import _other_actor, altered

pytestmark = pytest.mark.slow("pages")

ROOT = Path(__file__).resolve().parents[2]
README_BATTLE = ROOT / "tests" / "games" / "first-battle.decklog"
HISTORY = ROOT / "tests" / "evidence" / "history"
PATIENCE = 120_000


@pytest.fixture(scope="module")
def judge() -> None:
    """Its parts, before the server reads them."""
    vendor.fetch(NPM)
    build.main()


@pytest.fixture(scope="module")
def served(judge: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("judge"), games="both") as started:
        yield started


@pytest.fixture(scope="module")
def clerk(browser: Browser, served: Running) -> Iterator[Person]:
    """Somebody at the evidence page; the judge is loaded once."""
    made = Person(browser, served.url)
    made.go("evidence")
    made.page.locator(".drop").wait_for()
    yield made
    made.leave()


def by_command_line(data: bytes) -> Verdict:
    """As ``decklog verify`` says it: ages by the clock of today."""
    return verify(data, games(), now=stamp(SYSTEM.now()))


def told(person: Person, path: Path) -> str:
    section = person.page.get_by_label("Judge", exact=True)
    section.evaluate("section => section.replaceChildren()")
    person.page.set_input_files("#file", path)
    expect(section.locator("pre, [role=status]")).to_be_visible(timeout=PATIENCE)
    return section.locator("pre, [role=status]").inner_text()


@pytest.mark.parametrize(
    "path", [README_BATTLE, HISTORY / "first-battle.decklog"], ids=["today's", "of history"]
)
def test_the_page_says_what_the_command_line_says(clerk: Person, path: Path) -> None:
    expected = by_command_line(path.read_bytes())
    assert expected.word == "UPHELD"
    assert told(clerk, path).split() == expected.text().split()
    heading = clerk.page.get_by_label("Judge", exact=True).get_by_role("heading").inner_text()
    assert heading == "UPHELD, origin not proven: unsigned, and no --head was given"
    shoot(clerk.page, "evidence-judge")
    assert clerk.serious() == []


def test_a_tampered_file_is_refuted_as_by_the_command_line(clerk: Person, tmp_path: Path) -> None:
    data = altered(README_BATTLE.read_bytes(), "events.jsonl", _other_actor)
    path = tmp_path / "tampered.decklog"
    path.write_bytes(data)
    expected = by_command_line(data)
    assert expected.word == "REFUTED"
    assert told(clerk, path).split() == expected.text().split()


def test_parts_that_are_not_what_was_pinned_are_no_judge(judge: None, tmp_path: Path) -> None:
    for name, content in vendor.vendored().items():
        (tmp_path / name).write_bytes(content)
        assert parts.built(tmp_path) == {"judge.json": b"[]"}
    (tmp_path / "pyodide.mjs").write_bytes(b"other")
    with pytest.raises(vendor.NotPinned):
        parts.built(tmp_path)


def test_our_packages_make_the_same_archive_twice(judge: None) -> None:
    first = (vendor.FOLDER / parts.TREE).read_bytes()
    build.main()
    assert (vendor.FOLDER / parts.TREE).read_bytes() == first


def of_today() -> bytes:
    """The beginning of a battle under the rules as they are in this tree."""
    created = msgspec.json.decode(
        container.unpack(README_BATTLE.read_bytes())[bundle.SETUP], type=Setup
    )
    return Table(game=games()["war-at-sea"], setup=created).play(1, 12).export()


def test_the_rules_of_this_tree_are_the_page_s_own(clerk: Person, tmp_path: Path) -> None:
    """Their digest there is that of the archive that is built here."""
    path = tmp_path / "today.decklog"
    path.write_bytes(of_today())
    expected = by_command_line(path.read_bytes())
    assert (expected.word, expected.scope) == ("UPHELD", "partial")
    assert not any("engine" in note for note in expected.notes), "the installed rules decide"
    assert told(clerk, path).split() == expected.text().split()


@pytest.fixture(scope="module")
def offline(browser: Browser, judge: None) -> Iterator[Page]:
    """``judge.html`` from a folder, in a browser without any network."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition(":")[0]))
    page.on("console", lambda message: asked.append(message.text))
    page.goto((vendor.FOLDER / alone.NAME).as_uri())
    yield page
    context.close()
    assert set(asked) == {"file", "blob"}, "and nothing was complained of"


FILED = [
    README_BATTLE,
    *(
        pytest.param(path, marks=pytest.mark.slow("clients"))
        for path in sorted(HISTORY.glob("*.decklog"))
    ),
]
"""One file always, those of the past where the page or what judges has changed."""


@pytest.mark.parametrize("path", FILED, ids=lambda path: path.stem)
def test_the_page_from_a_disk_says_what_the_command_line_says(offline: Page, path: Path) -> None:
    expected = by_command_line(path.read_bytes())
    first = "UPHELD, origin not proven: unsigned, and no --head was given"
    assert dropped(offline, path) == (first, expected.text().split())


def test_the_page_from_a_disk_checks_signatures_without_any_library(
    offline: Page, tmp_path: Path
) -> None:
    """It has no root key to ask for, and holds the signature to the list of keys in the file."""
    data = bundle.signed(README_BATTLE.read_bytes(), BUNDLES, KEYS)
    files = container.unpack(data)
    other = write_envelope(seal_envelope(bundle.SIGNED_KIND, b"another", [BUNDLES]))
    for name, judged in (
        ("signed", data),
        ("other", container.pack({**files, bundle.SIGNATURE: other})),
    ):
        path = tmp_path / f"{name}.decklog"
        path.write_bytes(judged)
        expected = by_command_line(judged).text()
        assert dropped(offline, path) == (expected.splitlines()[0], expected.split())
    assert BUNDLES.verify_key.hint in dropped(offline, tmp_path / "signed.decklog")[0]


def test_the_page_from_a_disk_refutes(offline: Page, tmp_path: Path) -> None:
    data = altered(README_BATTLE.read_bytes(), "events.jsonl", _other_actor)
    path = tmp_path / "tampered.decklog"
    path.write_bytes(data)
    assert dropped(offline, path) == ("REFUTED", by_command_line(data).text().split())


def dropped(page: Page, path: Path) -> tuple[str, list[str]]:
    page.locator("#told").evaluate("pre => { pre.textContent = ''; }")
    page.set_input_files("#file", path)
    expect(page.locator("#told")).not_to_be_empty(timeout=PATIENCE)
    return page.locator("#word").inner_text(), page.locator("#told").inner_text().split()


def test_the_page_from_a_disk_is_made_alike_twice(judge: None) -> None:
    first = (vendor.FOLDER / alone.NAME).read_bytes()
    build.main()
    assert (vendor.FOLDER / alone.NAME).read_bytes() == first
