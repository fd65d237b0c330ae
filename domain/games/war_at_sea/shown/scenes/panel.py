"""What each side holds beside the map: bases, fleets to come, losses, and the roll of its units."""

from __future__ import annotations

from collections.abc import Iterator

from .....kernel.order import ordered
from .....kernel.shown.drawing import cut, wrapped
from .....kernel.shown.scene import Box, Group, Item, Paint, Word
from .....kernel.shown.wording import count
from .....kernel.values import Hidden, Known, Seat
from ...rules import board
from ...rules.facts import card_of, own
from ...rules.state import AIRBASE, State, Unit
from .. import names
from .layout import BASE_SLOT, PANEL, PANEL_WIDTH, Slot
from .pieces import letters, piece

LINE = 15
LETTERS_WIDE = 66
PER_ROW = (PANEL_WIDTH - 12) // BASE_SLOT


class Panel:
    """Writes a side's panel from ``top`` downwards; ``slots`` says where units came to lie."""

    def __init__(self, state: State, seat: Seat, top: int, focus: str) -> None:
        self.state, self.seat, self.top, self.focus = state, seat, top, focus
        self.y = top
        self.items: list[Item] = []
        self.slots: dict[str, Slot] = {}

    def group(self) -> Group:
        """All of it, with its frame."""
        self._title()
        for heading, name, units in self._holdings():
            self._units(heading, name, units)
        self._fleet()
        self._stacks()
        self._losses()
        self._roll()
        frame = Box(PANEL, self.top, PANEL_WIDTH, self.y - self.top + 10, "panel", "side-frame", 8)
        title = f"side {self.seat}"
        return Group((frame, *self.items), name=f"side seat-{self.seat}", title=title)

    def _line(self, text: str, size: int = 12, name: str = "", *, strong: bool = False) -> None:
        self.y += LINE if size < 14 else LINE + 7
        paint: Paint = "strong" if strong else "text"
        self.items.append(Word(PANEL + 10, self.y, text, size, paint, name=name))

    def _title(self) -> None:
        state, seat = self.state, self.seat
        parts = [f"{seat} ({'full' if seat == state.seats[0] else 'hollow'})"]
        parts += [str(state.alliances[seat])] if seat in state.alliances else []
        parts += [f"{state.edges[seat]} edge"] if seat in state.edges else []
        self._line(", ".join(parts), 16, "side-name", strong=True)
        said = [count(state.scores.get(seat, 0), "point")]
        said += [f"claimed {sector}" for sector, by in ordered(state.claimed) if by == seat]
        said += ["escorts the convoy"] if state.escort == seat else []
        said += ["first player"] if state.first == seat else []
        said += ["passed"] if seat in state.passed else []
        said += ["asks for a stalemate"] if seat in state.stalemate else []
        said += ["claims nothing this turn"] if seat in state.barred else []
        for line in wrapped(", ".join(said), LETTERS_WIDE):
            self._line(line, name="score")

    def _holdings(self) -> Iterator[tuple[str, str, list[Unit]]]:
        """Groups of units that are in no sector."""
        state, seat = self.state, self.seat
        based: dict[str, list[Unit]] = {}
        for unit in own(state, seat):
            if not unit.sector:
                based.setdefault(unit.base, []).append(unit)
        for base, units in based.items():
            if not base:
                yield "off the map", "off-map", units
            elif base == AIRBASE:
                yield "at the land airbase", "airbase", units
            else:
                yield f"at {names.base_name(state, base)}", "aboard", units
        field = board.AIRFIELDS.get(state.edges[seat]) if seat in state.edges else None
        raiders = [unit for unit in state.all_units if unit.sector and unit.sector == field]
        if raiders:
            yield "over its land airbase", "raid", raiders

    def _units(self, heading: str, name: str, units: list[Unit]) -> None:
        self._line(heading, 12, name, strong=True)
        for number, unit in enumerate(units):
            if number % PER_ROW == 0:
                self.y += 52
            slot = Slot((PANEL + 40 + number % PER_ROW * BASE_SLOT, self.y - 24))
            self.slots[unit.id] = slot
            self.items.append(piece(self.state, unit, slot, self.focus))

    def _fleet(self) -> None:
        held = self.state.fleets.get(self.seat)
        if isinstance(held, Hidden):
            self.y += 34
            back = Box(PANEL + 12, self.y - 26, 44, 30, "back", "fleet-sealed", 3)
            words = Word(PANEL + 64, self.y - 6, "its fleet is sealed", 12)
            self.items.append(Group((back, words), "fleet-hidden", "a sealed fleet"))
        elif isinstance(held, Known) and held.items:
            self._text("to deploy", names.fleet(held.items), "fleet-known")

    def _stacks(self) -> None:
        for carrier, cards in ordered(self.state.stacks):
            unit = self.state.units.get(carrier)
            if cards and unit is not None and unit.seat == self.seat:
                self._text(f"stacked with {carrier}", names.fleet(cards), "stack")

    def _losses(self) -> None:
        gone = [
            f"{names.card_name(lost.card)} ({lost.id}, turn {lost.turn}, {lost.cause})"
            for lost in self.state.lost
            if lost.seat == self.seat
        ]
        if gone:
            self._text("out of play", "; ".join(gone), "lost-units")

    def _text(self, heading: str, text: str, name: str) -> None:
        self._line(heading, 12, name, strong=True)
        for line in wrapped(text, LETTERS_WIDE):
            self._line(line)

    def _roll(self) -> None:
        """Every unit in play by name, in two columns."""
        units = own(self.state, self.seat)
        if not units:
            return
        self._line("in play", 12, "roll", strong=True)
        half = -(-len(units) // 2)
        for number, unit in enumerate(units):
            card = card_of(self.state, unit)
            x = PANEL + 10 + number // half * (PANEL_WIDTH // 2)
            y = self.y + (number % half + 1) * LINE
            text = cut(f"{unit.id} {letters(card)} {card.name}", 33)
            self.items.append(Word(x, y, text, 12, "text", name="roll-line"))
        self.y += half * LINE
