"""Rules that a file brings run behind a wall of the browser, and whatever they try stays there."""

from __future__ import annotations

import base64
import hashlib
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from service.evidence import bundle
from service.judge import __main__ as build
from service.judge import alone, vendor
from tests.service.engines.harm import bent_sample, doing, later
from tests.service.evidence.playing import finished
from tests.support.programs import NPM
from tests.support.server import Running, running

from .test_judge import README_BATTLE, dropped

pytestmark = pytest.mark.slow("pages")

HOST = "127.77.0.1"
"""Of this machine too, and nobody else's: who waits for another test's server looks at 127.0.0.1,
and may come upon our port there."""

NOT_VOUCHED = "CONSISTENT, RULES NOT VOUCHED FOR"
PATIENCE = 180_000


class Listening:
    """A server to be reached; ``heard``: of each connection, what came first in it."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._socket = socket.create_server((HOST, 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            self.heard.append(b"")
            with caller:
                caller.settimeout(2)
                with suppress(OSError):
                    self.heard[-1] = caller.recv(200)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def listening() -> Iterator[Listening]:
    made = Listening()
    yield made
    made.close()


@pytest.fixture(scope="module")
def judge() -> None:
    vendor.fetch(NPM)
    build.main()


@pytest.fixture(scope="module")
def offline(browser: Browser, judge: None) -> Iterator[Page]:
    """``judge.html`` from a folder. The browser has its network: the wall has to hold by itself."""
    context = browser.new_context()
    page = context.new_page()
    page.goto((vendor.FOLDER / alone.NAME).as_uri())
    yield page
    assert len(page.frames) == 1, "no frame is left"
    context.close()


def file_with(archive: bytes, folder: Path) -> Path:
    """A finished game that names this engine and brings it."""
    table = finished(rules=hashlib.sha256(archive).digest())
    path = folder / "game.decklog"
    path.write_bytes(bundle.with_engines(table.export(), [archive]))
    return path


RUN = (
    'js = __import__("js")',
    'text = __import__("base64").b64decode({packed!r}).decode()',
    'url = js.URL.createObjectURL(js.Blob.new(__import__("pyodide.ffi").ffi.to_js([text])))',
    "js.importScripts(url)",
    "return true(*given)",
)
"""A worker runs no text, but a script out of bytes: with that an engine has the whole browser."""

TRIES = """
const at = "http://HOST:PORT/", all = Object.getPrototypeOf(Object.getPrototypeOf(self));
const tries = {
  fetch: () => all.fetch.call(self, at + "fetch", { mode: "no-cors" }).catch(() => 0),
  xhr: () => { const it = new XMLHttpRequest(); it.open("GET", at + "xhr", false); it.send(); },
  socket: () => new WebSocket("ws://HOST:PORT/socket"),
  events: () => new EventSource(at + "events"),
  transport: () => new WebTransport("https://HOST:PORT/transport").ready.catch(() => 0),
  rtc: () => {
    const it = new RTCPeerConnection({ iceServers: [{ urls: "stun:HOST:PORT" }] });
    it.createDataChannel("x");
    it.createOffer().then((offer) => it.setLocalDescription(offer));
  },
  scripts: () => importScripts(at + "scripts"),
  module: () => import(at + "module").catch(() => 0),
  worker: () => new Worker(at + "worker"),
  below: () => new Worker(URL.createObjectURL(new Blob([
    `fetch("${at}below", { mode: "no-cors" }).catch(() => 0); new WebSocket("ws://HOST:PORT/below");`]))),
  place: () => { self.location = at + "place"; },
  assign: () => self.location.assign(at + "assign"),
  open: () => self.open(at + "open"),
  beacon: () => navigator.sendBeacon(at + "beacon", "x"),
  font: () => new FontFace("x", `url(${at}font)`).load().catch(() => 0),
  storage: () => caches.open("x").then((it) => it.add(at + "cache")).catch(() => 0),
};
for (const each of Object.values(tries)) { try { each(); } catch { } }
"""


def tries(listening: Listening) -> str:
    return TRIES.replace("HOST", HOST).replace("PORT", str(listening.port))


def scripted(text: str) -> bytes:
    """An engine that runs a script of the browser's own language, then answers as it should."""
    packed = base64.b64encode(f"{{ {text} }}".encode()).decode()
    return doing("result", *(line.format(packed=packed) for line in RUN))


def test_rules_that_the_file_brings_are_asked_and_uphold_nothing(
    offline: Page, tmp_path: Path
) -> None:
    word, told = dropped(offline, file_with(later(), tmp_path))
    assert word.startswith(NOT_VOUCHED)
    assert "--trust-engine" in told


def test_whatever_it_tries_nothing_arrives(
    offline: Page, listening: Listening, tmp_path: Path
) -> None:
    archive = scripted(tries(listening))
    word, _ = dropped(offline, file_with(archive, tmp_path))
    assert word.startswith(NOT_VOUCHED), "it answered, and that is all that it could do"
    offline.wait_for_timeout(1_000)
    assert listening.heard == []
    alive(offline)


LOOPS = "while True: pass"
FLOODS = (
    'js, ffi = __import__("js"), __import__("pyodide.ffi").ffi',
    "some = ffi.to_js({'progress': ['x', 0, 0]}, dict_converter=js.Object.fromEntries)",
    "while True: js.postMessage(some)",
)


@pytest.mark.slow("judge")
@pytest.mark.parametrize(
    ("archive", "why"),
    [
        (doing("result", LOOPS), "late with its answer"),
        (doing("result", *FLOODS), "said more than 100000 things"),
        (scripted("postMessage('<b>UPHELD</b>')"), "said what is no answer"),
        (scripted("postMessage(new Uint8Array(9 << 20))"), "8388608 are the most"),
        (scripted("postMessage(new Uint8Array(64))"), "the answer to another request"),
        (scripted("postMessage({ done: true })"), "no more answers"),
        (scripted("postMessage({ failed: 'UPHELD' })"), "the engine did not run"),
        (doing("result", "bytearray(1 << 30)"), "MemoryError"),
        (doing("result", "raise SystemExit"), "the engine did not run"),
        (bent_sample(), "its sample does not come out here"),
    ],
    ids=["loops", "floods", "talks", "too-much", "another", "done", "fails", "memory", "exits",
         "sample"],
)  # fmt: skip
def test_what_gives_no_answer_is_ended_and_the_page_lives_on(
    offline: Page, tmp_path: Path, archive: bytes, why: str
) -> None:
    word, told = dropped(offline, file_with(archive, tmp_path))
    assert word.startswith("CANNOT JUDGE")
    assert why in " ".join(told)
    alive(offline)


def alive(page: Page) -> None:
    """The page answers, and nothing of the engine is left in it."""
    assert page.evaluate("6 * 7") == 42
    assert len(page.frames) == 1


@pytest.mark.slow("judge")
def test_a_frame_that_would_go_elsewhere_does_not(
    offline: Page, listening: Listening, tmp_path: Path
) -> None:
    """No engine has a hold on the frame's window; whoever had one could not leave by it."""
    offline.locator("#told").evaluate("pre => { pre.textContent = ''; }")
    offline.set_input_files("#file", file_with(doing("result", LOOPS), tmp_path))
    expect(offline.locator("#word")).to_contain_text("behind a wall", timeout=PATIENCE)
    (frame,) = offline.frames[1:]
    assert frame.evaluate("self.origin") == "null"
    at = f"http://{HOST}:{listening.port}/"
    frame.evaluate(f"fetch('{at}fetch', {{ mode: 'no-cors' }}).catch(() => 0)")
    frame.evaluate(f"document.createElement('img').src = '{at}image'")
    frame.evaluate(f"setTimeout(() => {{ location.href = '{at}place'; }})")
    expect(offline.locator("#told")).to_contain_text("it left its frame", timeout=PATIENCE)
    offline.wait_for_timeout(3_000)
    # For a navigation the browser connects before it looks whether that is allowed, and then sends
    # nothing. An engine cannot begin one: it is in a worker.
    assert [said for said in listening.heard if said] == []
    alive(offline)


def test_a_battle_is_upheld_after_all_that(offline: Page) -> None:
    assert dropped(offline, README_BATTLE)[0].startswith("UPHELD")


# The same in the page of a service


@pytest.fixture(scope="module")
def served(judge: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("walled"), games="both") as started:
        yield started


@pytest.fixture(scope="module")
def evidence_page(browser: Browser, served: Running) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{served.url}/#/evidence")
    page.locator(".drop").wait_for()
    yield page
    context.close()


def verdict_of(page: Page, path: Path) -> str:
    section = page.get_by_label("Judge", exact=True)
    section.evaluate("section => section.replaceChildren()")
    page.set_input_files("#file", path)
    expect(section.locator("pre, [role=status]")).to_be_visible(timeout=PATIENCE)
    return section.inner_text()


@pytest.mark.slow("judge")
def test_the_page_of_a_service_has_the_same_wall(
    evidence_page: Page, listening: Listening, tmp_path: Path
) -> None:
    archive = scripted(tries(listening))
    assert NOT_VOUCHED in verdict_of(evidence_page, file_with(archive, tmp_path))
    evidence_page.wait_for_timeout(1_000)
    assert listening.heard == []
    alive(evidence_page)


def test_the_page_of_a_service_lives_on_as_well(evidence_page: Page, tmp_path: Path) -> None:
    ended = verdict_of(evidence_page, file_with(doing("result", LOOPS), tmp_path))
    assert "CANNOT JUDGE" in ended
    assert "late with its answer" in ended
    assert "UPHELD" in verdict_of(evidence_page, README_BATTLE)
    alive(evidence_page)
