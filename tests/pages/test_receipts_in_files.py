"""Whoever exports a game from a page has his receipts in it, as the program puts them there."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from service import container
from service.evidence import bundle
from service.evidence.beside import with_receipts
from service.evidence.receipts import Given, as_field
from service.evidence.verify import verify
from tests.service.evidence.playing import GAMES
from tests.service.evidence.test_rulings import begun as in_play
from tests.spec.whole import ROOT_KEY, cosigned, receipt, whole
from tests.support.programs import NODE
from tests.support.second import CONSISTENT, opinions
from tests.support.server import ROOT, Running

from .conftest import Person


def by_page(data: bytes, given: list[Given], folder: Path) -> tuple[bytes, str]:
    """The file that the page makes, and what it says where it makes none."""
    file, out = folder / "given.decklog", folder / "made.decklog"
    file.write_bytes(data)
    script = ROOT / "tests" / "support" / "with_receipts.mjs"
    told = "".join(f"{as_field(each.envelope)}\n" for each in given)
    done = subprocess.run(
        [NODE, str(script), str(file), str(out)], input=told, capture_output=True, text=True,
        check=True, timeout=120,
    )  # fmt: skip
    return (out.read_bytes() if out.exists() else b""), done.stdout


def test_a_page_puts_them_where_the_program_does(tmp_path: Path) -> None:
    data = whole(tmp_path / "log")
    given = [receipt(data, place) for place in (2, 0, 1)]
    made, said = by_page(data, [*given, given[0]], tmp_path)
    assert (made, said) == (with_receipts(data, given), "")
    told = verify(made, GAMES, root=ROOT_KEY.verify_key)
    assert told.text().startswith("UPHELD")
    assert "3 receipts have their events" in told.text()
    (second,) = opinions([made], tmp_path, str(ROOT_KEY.verify_key))
    assert second["word"] == CONSISTENT
    assert "3 receipts have their events" in second["checks"]["receipts"]


def test_what_a_file_has_already_stays_and_stands_once(tmp_path: Path) -> None:
    data = cosigned(tmp_path)
    more = receipt(data, 1)
    made, _ = by_page(data, [receipt(data, 0), more], tmp_path)
    assert made == with_receipts(data, [more])
    assert by_page(data, [], tmp_path)[0] == data


def test_no_file_of_a_game_in_play_gets_any(tmp_path: Path) -> None:
    given = [receipt(whole(tmp_path / "log"), 0)]
    made, said = by_page(in_play().export(), given, tmp_path)
    assert (made, said) == (
        b"",
        "the game is not over: by a receipt one could guess a hidden order\n",
    )


@pytest.mark.slow("pages")
def test_the_replay_gives_the_file_with_what_the_browser_keeps(
    person: Callable[..., Person], server: Running, finished: str, tmp_path: Path
) -> None:
    kept = as_field(receipt(whole(tmp_path / "log"), 0).envelope)
    one = person()
    one.go(f"replay/{finished}")
    link = one.page.get_by_role("link", name="Evidence file")
    link.wait_for()
    assert link.get_attribute("title") is None, "it keeps none yet"
    one.page.evaluate(
        """async ([game, receipt]) => {
          const { keepReceipt } = await import("/pages/receipts.js");
          await Promise.all([keepReceipt(game, receipt), keepReceipt(game, receipt)]);
          await keepReceipt("0".repeat(32), receipt);
        }""",
        [finished, kept],
    )
    one.page.reload()
    expect(link).to_have_attribute("title", "With your 1 receipts of this service")
    with one.page.expect_download() as saved:
        link.click()
    assert saved.value.suggested_filename == f"{finished}.decklog"
    files = container.unpack(Path(saved.value.path()).read_bytes())
    assert len(files[bundle.RECEIPTS].splitlines()) == 1
    assert bundle.SECRETS in files


@pytest.mark.slow("pages")
def test_what_the_client_hears_is_kept(person: Callable[..., Person], finished: str) -> None:
    """By the very client of the pages, told an answer as a service with keys gives it."""
    one = person()

    def signed(route: Route) -> None:
        answer = route.fetch()
        own = {**answer.headers, "decklog-receipt": "bm8gcmVjZWlwdA=="}
        route.fulfill(response=answer, headers=own)

    one.page.route(f"**/v1/games/{finished}", signed)
    one.go(f"replay/{finished}")
    one.page.wait_for_function(
        """async (game) => {
          const { keptReceipts } = await import("/pages/receipts.js");
          return (await keptReceipts(game)).includes("bm8gcmVjZWlwdA==");
        }""",
        arg=finished,
    )
