"""One player's part of the table: rows, submarines, reserves, hand, cards in play, ships sunk."""

from __future__ import annotations

from .....kernel.shown.drawing import Point, wrapped
from .....kernel.shown.scene import Box, Group, Item, Word
from .....kernel.shown.wording import count
from .....kernel.values import Hidden, Known, Seat
from ...rules import facts
from ...rules.evening import made_up
from ...rules.facts import points, total
from ...rules.scenarios import is_linked
from ...rules.state import Ship, State
from .. import names
from .cards import HAND_HEIGHT, HAND_WIDTH, HEIGHT, WIDTH, backs, face, owner_title, ship_card

LEFT = 20
LABEL = 74
GAP = 8
PER_ROW = 6
TOTAL = LEFT + LABEL + PER_ROW * (WIDTH + GAP) + 20
HAND_PER_ROW = (TOTAL - LEFT - LABEL - 30) // (HAND_WIDTH + GAP)


class Fleet:
    """Writes a player's part from its upper left ``corner`` on; ``places``: middles of ships."""

    def __init__(
        self, state: State, seat: Seat, corner: Point, focus: str, *, front_first: bool
    ) -> None:
        self.state, self.seat, self.focus = state, seat, focus
        self.left, self.top = corner
        self.order = (1, 2, 3, 0) if front_first else (0, 3, 2, 1)
        self.y = self.top
        self.items: list[Item] = []
        self.places: dict[str, Point] = {}

    def group(self) -> Group:
        """All of it, with its frame."""
        self._title()
        for row in self.order:
            ships = facts.row(self.state, self.seat, row)
            if ships:
                self._row(row, ships)
        self._committed()
        self._hand()
        self._in_play()
        self._piles()
        frame = Box(
            self.left - 8, self.top, TOTAL - LEFT, self.y - self.top + 10, "panel", "side-frame", 8
        )
        return Group((frame, *self.items), f"side seat-{self.seat}", f"side {self.seat}")

    def _title(self) -> None:
        state, seat = self.state, self.seat
        said = [count(points(state, seat), "point")]
        given = made_up(state, seat)
        said += [f"{given} of them for a smaller fleet"] if given else []
        said += [f"{total(state, seat)} in all"] if is_linked(state.scenario) else []
        said += [count(state.hands[seat].count, "hand card")] if seat in state.hands else []
        said += ["its turn"] if state.active == seat else []
        said += ["passed"] if seat in state.passed else []
        said += ["agrees to end"] if seat in state.calls else []
        said += [f"withdrew in round {state.withdrew[seat]}"] if seat in state.withdrew else []
        said += ["has left the game"] if seat in state.gone else []
        self.y += 24
        self.items.append(
            Word(self.left, self.y, owner_title(state, seat), 17, "strong", name="side-name")
        )
        self.items.append(Word(self.left + 260, self.y, ", ".join(said), 13, "text", name="score"))

    def _label(self, text: str, name: str, height: int) -> None:
        at = self.y + height // 2 + 12
        self.items.append(Word(self.left, at, text, 12, "strong", name=name))

    def _row(self, row: int, ships: list[Ship]) -> None:
        self._label(f"row {row}" if row else "below", f"row-{row}", HEIGHT)
        for number, ship in enumerate(ships):
            if number % PER_ROW == 0:
                self.y += HEIGHT + GAP if number else 8
            x = self.left + LABEL + number % PER_ROW * (WIDTH + GAP)
            self.places[ship.id] = (x + WIDTH // 2, self.y + HEIGHT // 2)
            self.items.append(ship_card(self.state, ship, (x, self.y), self.focus))
        self.y += HEIGHT

    def _committed(self) -> None:
        held = self.state.committed.get(self.seat)
        if isinstance(held, Hidden):
            self._backs("fleet", 1, "fleet-hidden", "a secret fleet")
        elif isinstance(held, Known) and held.items:
            self._words("fleet", names.ship_names(held.items), "fleet-known")

    def _hand(self) -> None:
        held = self.state.hands.get(self.seat)
        if isinstance(held, Hidden) and held.count:
            title = f"{count(held.count, 'card')} in the hand of {self.seat}"
            self._backs("hand", held.count, "hand-hidden", title)
        elif isinstance(held, Known) and held.items:
            self._faces("hand", held.items, "hand-card")

    def _in_play(self) -> None:
        state, seat = self.state, self.seat
        cards = [(card, "retreat") for card in state.retreats.get(seat, ())]
        cards += [
            (each.card, f"prepared{' prepared-used' if each.used else ''}")
            for each in state.prepared.get(seat, ())
        ]
        if cards:
            self._faces("in play", tuple(card for card, _ in cards), *(name for _, name in cards))
            said = [
                f"{names.card_name(state, each.card)} by {names.ship_name(each.ship)}"
                + (", used" if each.used else "")
                for each in state.prepared.get(seat, ())
            ]
            if said:
                self._words("prepared", "; ".join(said), "prepared-by")

    def _piles(self) -> None:
        sunk, reserve = self.state.sunk.get(self.seat, ()), self.state.reserves.get(self.seat, ())
        if sunk:
            self._words("has sunk", names.ship_names(sunk), "sunk-ships")
        if reserve:
            self._words("reserve", names.ship_names(reserve), "reserve")

    def _backs(self, label: str, number: int, name: str, title: str) -> None:
        self._label(label, f"label-{name}", HAND_HEIGHT)
        self.y += 8
        self.items.append(backs(number, (self.left + LABEL, self.y), name, title))
        self.y += HAND_HEIGHT

    def _faces(self, label: str, cards: tuple[str, ...], *kinds: str) -> None:
        self._label(label, "label-cards", HAND_HEIGHT)
        for number, card in enumerate(cards):
            if number % HAND_PER_ROW == 0:
                self.y += HAND_HEIGHT + GAP if number else 8
            x = self.left + LABEL + number % HAND_PER_ROW * (HAND_WIDTH + GAP)
            kind = kinds[min(number, len(kinds) - 1)]
            self.items.append(face(self.state, card, (x, self.y), kind))
        self.y += HAND_HEIGHT

    def _words(self, label: str, text: str, name: str) -> None:
        self.items.append(Word(self.left, self.y + 20, label, 12, "strong", name=name))
        for line in wrapped(text, 135):
            self.y += 16
            self.items.append(Word(self.left + LABEL, self.y + 4, line, 12, "text"))
        self.y += 4
