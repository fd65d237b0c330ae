"""A bot: it fires at what is worth more points on average, and never passes."""

from __future__ import annotations

from domain.kernel.commands import deed
from domain.kernel.shown.bot import Item, Position


class Gunner:
    """Steady by choice. A hit in the magazine is worth seven points, one on the hull one."""

    judges = frozenset({"choose", "turn"})
    """The questions of the game that it has an opinion on."""

    def choose(self, position: Position) -> Item:
        """The item with the highest worth; of equal ones the first."""
        return max(position.items, key=self._worth)

    def _worth(self, item: Item) -> int:
        command = item["command"]
        match deed(command["type"]):
            case "fire":
                return 7 * _hits(item) if command["aim"] == "magazine" else 2 * _hits(item)
            case "choose":
                return int(command["colour"] == "steady")
            case _:
                return -1


def _hits(item: Item) -> int:
    """Chance of a hit in thousandths: listed with the item as an exact fraction."""
    chance = (item.get("odds") or {}).get("hit", {"in": 0, "of": 1})
    hits: int = 1000 * chance["in"] // chance["of"]
    return hits
