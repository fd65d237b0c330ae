"""What each side holds beside the table: aircraft at bases, fleets to come, losses, its units."""

from __future__ import annotations

from .....kernel.shown.drawing import cut, wrapped
from .....kernel.shown.scene import Box, Group, Item, Word
from .....kernel.shown.wording import count, join
from .....kernel.values import Hidden, Known, Seat
from ...rules.edges import home_of
from ...rules.facts import card_of, own
from ...rules.state import LAND_BASE, State, Unit
from .. import names
from .layout import BASE_SLOT, PANEL_WIDTH, Frame
from .pieces import LETTERS, token

LINE = 15
LETTERS_WIDE = 68
PER_ROW = (PANEL_WIDTH - 12) // BASE_SLOT


class Panel:
    """Writes a side's panel from ``top`` downwards."""

    def __init__(self, state: State, seat: Seat, frame: Frame, top: int, focus: str) -> None:
        self.state, self.seat, self.top, self.focus = state, seat, top, focus
        self.x = frame.panel
        self.y = top
        self.items: list[Item] = []

    def group(self) -> Group:
        """All of it, with its frame."""
        self._title()
        self._based()
        self._secrets()
        self._losses()
        self._roll()
        frame = Box(self.x, self.top, PANEL_WIDTH, self.y - self.top + 10, "panel", "side-frame", 8)
        return Group((frame, *self.items), f"side seat-{self.seat}", f"side {self.seat}")

    def _line(self, text: str, size: int = 12, name: str = "", *, strong: bool = False) -> None:
        self.y += LINE if size < 14 else LINE + 7
        paint = Word(self.x + 10, self.y, text, size, "strong" if strong else "text", name=name)
        self.items.append(paint)

    def _text(self, heading: str, text: str, name: str) -> None:
        self._line(heading, 12, name, strong=True)
        for line in wrapped(text, LETTERS_WIDE):
            self._line(line)

    def _title(self) -> None:
        state, seat = self.state, self.seat
        side = state.side(seat)
        look = "full" if side == state.seats[0] else "hollow"
        self._line(f"{seat} ({look}), {home_of(state, seat)} edge", 16, "side-name", strong=True)
        said = [count(state.scores[side], "point")]
        said += ["has left"] if seat in state.gone else []
        said += [f"with {join(self._partners())}"] if self._partners() else []
        said += ["first player"] if state.first == side else []
        said += ["escorts the convoy"] if side in state.terms.escorts else []
        said += ["lands its troops"] if state.terms.lander == side else []
        said += ["passed"] if seat in state.passed else []
        said += ["offers a draw"] if seat in state.draw else []
        self._line(", ".join(said), name="score")

    def _partners(self) -> list[Seat]:
        return [seat for seat in self.state.members(self.seat) if seat != self.seat]

    def _based(self) -> None:
        bases: dict[str, list[Unit]] = {}
        for unit in own(self.state, self.seat):
            if unit.pose is None and unit.at is None:
                bases.setdefault(unit.base, []).append(unit)
        for base, units in bases.items():
            kind = "land-base" if base == LAND_BASE else "aboard"
            self._line(f"at {names.base_name(self.state, base)}", 12, kind, strong=True)
            for number, unit in enumerate(units):
                if number % PER_ROW == 0:
                    self.y += 54
                at = self.x + 38 + number % PER_ROW * BASE_SLOT, self.y - 26
                self.items.append(token(self.state, unit, at, self.focus))

    def _secrets(self) -> None:
        held, dives = self.state.fleets.get(self.seat), self.state.dives.get(self.seat)
        if isinstance(held, Hidden):
            self._sealed("its fleet is sealed", "fleet-hidden")
        elif isinstance(held, Known) and held.items:
            self._text("to set up", names.fleet(pick.card for pick in held.items), "fleet-known")
        if isinstance(dives, Hidden):
            self._sealed("which of its submarines dive is sealed", "dives-hidden")
        elif isinstance(dives, Known):
            self._text("dives", ", ".join(dives.items) or "none", "dives-known")

    def _sealed(self, text: str, name: str) -> None:
        self.y += 36
        back = Box(self.x + 12, self.y - 26, 44, 30, "back", name=f"{name}-back", round=3)
        self.items.append(Group((back, Word(self.x + 64, self.y - 6, text, 12)), name, text))

    def _losses(self) -> None:
        gone = [
            f"{names.card_name(lost.card)} ({lost.id}, turn {lost.turn}, {lost.cause})"
            for lost in self.state.lost
            if lost.seat == self.seat
        ]
        if gone:
            self._text("out of play", "; ".join(gone), "lost-units")

    def _roll(self) -> None:
        """Every unit in play by name, in two columns."""
        units = list(own(self.state, self.seat))
        if not units:
            return
        self._line("in play", 12, "roll", strong=True)
        half = -(-len(units) // 2)
        for number, unit in enumerate(units):
            card = card_of(self.state, unit)
            x = self.x + 10 + number // half * (PANEL_WIDTH // 2)
            y = self.y + (number % half + 1) * LINE
            text = cut(f"{unit.id} {LETTERS[card.type]} {card.name}", 33)
            self.items.append(Word(x, y, text, 12, "text", name="roll-line"))
        self.y += half * LINE
