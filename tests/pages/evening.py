"""A whole game at pages, each seat in a browser of its own, and what it cost whoever played.

Bots say what is given; people give it, by mouse, by finger or by keys, from the first question to
the last. On the way the service is killed and started again, and a browser loses the network.
"""

from __future__ import annotations

import json
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, CDPSession, expect

from domain.kernel.finder import games
from service.bots import Bot, Position, bots_of
from service.bots.client import DecklogClient
from service.evidence.verify import verify
from tests.support.chromium import shoot
from tests.support.server import start

from .conftest import Person
from .hands import WAYS, Hand, give

KILLED, OFFLINE = 3, 6
"""After how many orders the service is killed, and whoever gives the next loses the network; not
while something is dragged, which the service judges before it is given."""
DRAGGED = {"place", "path"}
DRAWN = "version => Number(document.querySelector('.boardbox').dataset.drawn) > version"
KEEPS = "localStorage.setItem('decklog.games', %s)"
"""A seat's token is in the browser before the page is."""
MOST = 1_500
"""Orders of a game that is going to end."""


class Evening(NamedTuple):
    """What is played: the ruleset, who sits there, what was agreed."""

    ruleset: str
    seats: int = 2
    edition: str = ""
    options: Mapping[str, Any] = {}

    def body(self, seed: str) -> dict[str, Any]:
        seats = [{"seat": f"p{n}", "hold": "keep"} for n in range(1, self.seats + 1)]
        told: dict[str, Any] = {"ruleset": self.ruleset, "seats": seats, "seed": seed}
        told["options"] = dict(self.options)
        return told | ({"edition": self.edition} if self.edition else {})


class Meter:
    """What a page asked of the service, and what it holds, as the browser itself counts it.

    files     of the pages, which a browser keeps; ``requests`` are those of the API
    """

    def __init__(self, person: Person) -> None:
        self.session: CDPSession = person.context.new_cdp_session(person.page)
        self.files = self.requests = 0
        self.each: dict[str, int] = defaultdict(int)
        self.asked: dict[str, str] = {}
        self.session.on("Network.requestWillBeSent", self._asked)
        self.session.on("Network.dataReceived", self._came)
        self.session.on("Network.loadingFinished", self._done)
        for domain in ("Network", "Performance", "HeapProfiler"):
            self.session.send(f"{domain}.enable")

    def _asked(self, told: Any) -> None:
        asks = "/v1" in told["request"]["url"]
        self.asked[told["requestId"]] = f"{told['request']['method']} {told['request']['url']}"
        self.requests += asks
        self.files += not asks

    def _came(self, told: Any) -> None:
        self.each[told["requestId"]] += told["encodedDataLength"]

    def _done(self, told: Any) -> None:
        self.each[told["requestId"]] = int(told["encodedDataLength"])

    @property
    def bytes(self) -> int:
        return sum(self.each.values())

    def holds(self) -> dict[str, int]:
        """Memory and elements, after what is no longer used was given back."""
        self.session.send("HeapProfiler.collectGarbage")
        told = {
            m["name"]: m["value"] for m in self.session.send("Performance.getMetrics")["metrics"]
        }
        elements = "document.querySelectorAll('*').length"
        value = self.session.send("Runtime.evaluate", {"expression": elements})["result"]["value"]
        return {"heap": int(told["JSHeapUsedSize"]), "elements": int(value)}


class Table:
    """A game, its people and their hands."""

    def __init__(self, browser: Browser, folder: Path, evening: Evening, way: str) -> None:
        self.browser, self.folder, self.evening, self.way = browser, folder, evening, way
        self.servers = [start(folder, "installed")]
        self.url = self.servers[0].url
        self.client = DecklogClient(self.url)
        self.asked: dict[str, list[int]] = defaultdict(list)
        self.sight: list[float] = []
        self.orders = self.restarts = self.lost = 0

    def sit(self, seed: str) -> None:
        rules = games()[self.evening.ruleset]
        made = self.client.create_game(**self.evening.body(seed))
        self.game = made["game"]["id"]
        tokens = {each["seat"]: each["token"] for each in made["tokens"]}
        self.holders = {seat: self.client.as_holder(token) for seat, token in tokens.items()}
        self.units = self.client.units(self.evening.ruleset)
        make = next(iter(bots_of(rules).values()))
        self.bots: dict[str, Bot] = {seat: make(f"{seed}/{seat}") for seat in tokens}
        self.people = {
            seat: Person(self.browser, self.url, **WAYS[self.way].looks) for seat in tokens
        }
        self.meters = {seat: Meter(person) for seat, person in self.people.items()}
        self.hands: dict[str, Hand] = {
            seat: WAYS[self.way](person.page) for seat, person in self.people.items()
        }
        for seat, person in self.people.items():
            kept = {self.game: {"name": "Whole", "seats": {seat: tokens[seat]}, "invitations": {}}}
            person.context.add_init_script(KEEPS % json.dumps(json.dumps(kept)))
            person.go(f"game/{self.game}")
            person.turn.wait_for(state="attached")

    def stop(self) -> None:
        self.servers[-1].stop()

    def leave(self) -> None:
        for person in self.people.values():
            person.watch.complaints.clear()  # a browser tells of connections that were refused
            person.leave()

    def play(self) -> None:
        """To the end."""
        opened = next(iter(self.meters.values()))
        next(iter(self.people.values())).page.wait_for_function(DRAWN, arg=0)
        self.opened, self.files = opened.requests, opened.files
        self.loaded, self.began = opened.bytes, opened.holds()
        while (asked := self._asked()) is not None and self.orders < MOST:
            seat, question, item, version = asked
            try:
                self._order(seat, question, item, version)
            except Exception as error:
                error.add_note(self._told(seat, question, item, version))
                raise
        for person in self.people.values():
            expect(person.turn).to_contain_text("The game is over")

    def _told(self, seat: str, question: str, item: Any, version: int) -> str:
        """Where a game stuck: what was given, and what every page shows; with their pictures."""
        shown = [f"order {self.orders} of {seat} at {version}, asked to {question}: {item}"]
        for each, person in self.people.items():
            shoot(person.page, f"stuck-{self.evening.ruleset}-{self.way}-{each}")
            parts = ".boardbox, .ask, #lamp, .problem, .chips .command"
            said = f"[...document.querySelectorAll('{parts}')]"
            about = (
                f"{said}.map((each) => JSON.stringify(each.dataset) + each.innerText).slice(0, 8)"
            )
            shown.append(f"{each}: {person.page.evaluate(about)}"[:1500])
        return "\n".join(shown)

    def _asked(self) -> tuple[str, str, Any, int] | None:
        """Who is to move, what about, and what a bot would do."""
        summary = self.client.summary(self.game)
        if summary["status"] == "finished":
            return None
        question = summary["toMove"][0]
        seat, holder = question["seat"], self.holders[question["seat"]]
        listed = holder.commands(self.game)
        position = Position(
            seat,
            question["question"],
            listed["items"],
            lambda: holder.view(self.game, listed["version"])["state"],
            self.units,
            subject=question.get("subject", ""),
        )
        chosen = self.bots[seat].choose(position)["command"]
        listed_so = (each for each in listed["items"] if each["command"] == chosen)
        # A bot may make up a fleet; people take a ready one.
        item = next(listed_so, listed["items"][0])
        return seat, question["question"], item, listed["version"]

    def _order(self, seat: str, question: str, item: Any, version: int) -> None:
        hand, person = self.hands[seat], self.people[seat]
        offer = person.page.get_by_label("What you may do")
        expect(offer).to_have_attribute("data-version", str(version))
        harm = self._harm(item)
        with harm(person):
            told = give(hand, item)
            self._sure(hand, told, version)
        for role, presses in told:
            self.asked[f"{question} / {role}"].append(presses)
        self.orders += 1
        for each in self.people.values():
            each.page.wait_for_function(DRAWN, arg=version)
            if each is not person and not self.harmed:
                self.sight.append(time.perf_counter() - hand.pressed)

    def _sure(self, hand: Hand, told: list[tuple[str, int]], version: int) -> None:
        """Where the page asks once more, it is meant."""
        if not self.harmed:
            come = f"version => document.querySelector('button.sure') || ({DRAWN})(version)"
            hand.page.wait_for_function(come, arg=version)
        if hand.page.locator("button.sure").count():
            told.append(("sure", hand.sure()))

    def _harm(self, item: Any) -> Any:
        dragged = any(part["role"] in DRAGGED for part in item["parts"])
        killed = not self.restarts and self.orders >= KILLED
        offline = not self.lost and self.restarts and self.orders >= OFFLINE
        self.harmed = not dragged and (killed or offline)
        return unharmed if not self.harmed else self._killed if killed else self._offline

    @contextmanager
    def _killed(self, person: Person) -> Iterator[None]:
        """The service is away while the order is given, and comes back at the same address."""
        self.servers[-1].kill()
        yield
        expect(person.page.locator("#lamp")).to_have_attribute("data-lit", "no")
        port = int(self.url.rpartition(":")[2])
        self.servers.append(start(self.folder, "installed", port=port))
        self.restarts += 1

    @contextmanager
    def _offline(self, person: Person) -> Iterator[None]:
        person.context.set_offline(True)
        yield
        expect(person.page.locator("#lamp")).to_have_attribute("data-lit", "no")
        person.context.set_offline(False)
        self.lost += 1

    def figures(self) -> dict[str, Any]:
        """What the game cost the one who sat at the first seat, and the wait of all others."""
        meter = next(iter(self.meters.values()))
        held = sorted(self.sight)
        return {
            "ruleset": self.evening.ruleset,
            "way": self.way,
            "browsers": self.evening.seats,
            "orders": self.orders,
            "restarts": self.restarts,
            "lost networks": self.lost,
            "asked": {name: counted(each) for name, each in sorted(self.asked.items())},
            "sight": {
                "median": round(statistics.median(held), 3),
                "of 20 the last": round(held[int(0.95 * (len(held) - 1))], 3),
            },
            "opening": {"files": self.files, "requests": self.opened, "bytes": self.loaded},
            "requests": meter.requests - self.opened,
            "bytes": meter.bytes - self.loaded,
            "memory": {"at first": self.began, "at last": meter.holds()},
        }


@contextmanager
def unharmed(person: Person) -> Iterator[None]:
    yield


def counted(presses: list[int]) -> dict[str, float]:
    mean = round(statistics.mean(presses), 1)
    return {"times": len(presses), "mean": mean, "most": max(presses)}


def played(browser: Browser, folder: Path, evening: Evening, way: str, seed: str) -> dict[str, Any]:
    """One game to its end; its figures. Its evidence is judged, pictures of its end are left."""
    with ExitStack() as stack:
        table = Table(browser, folder, evening, way)
        stack.callback(table.stop)
        table.sit(seed)
        table.play()
        told = verify(table.client.evidence(table.game), games())
        assert told.code == 0, told.text()
        for seat, person in table.people.items():
            shoot(person.page, f"evening-{evening.ruleset}-{way}-{seat}")
        figures = table.figures()
        table.leave()
        return figures
