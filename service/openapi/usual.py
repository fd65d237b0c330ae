"""Words for a field that means the same wherever its name stands, and has none of its own.

A type's own docstring comes first, then that of the types that it is made from. Here stand names
alone that a reader of the document could not tell by their type: of each, the kind of value that it
has. Another kind of value under the same name gets no words.
"""

from __future__ import annotations

from typing import Any

TEXT, NUMBER, TEXTS, PAGE = "string", "integer", "list of texts", "list"
MEANT = {
    ("ability", TEXT): "id of the ability",
    ("actor", TEXT): 'a seat, or "service"',
    ("attacker", TEXT): "id of the unit that attacks",
    ("card", TEXT): "id of the card",
    ("at", "time"): "when it was",
    ("base", TEXT): "id of the base",
    ("carrier", TEXT): "id of the carrier",
    ("cards", TEXTS): "ids of the cards",
    ("causedBy", TEXT): "id of the command that led to it",
    ("count", NUMBER): "number of them",
    ("createdAt", "time"): "when it was made",
    ("edition", TEXT): "edition of the rules",
    ("face", NUMBER): "face of the die",
    ("game", TEXT): "id of the game",
    ("id", TEXT): "its id",
    ("kind", TEXT): "its kind",
    ("label", TEXT): "label of the roll",
    ("name", TEXT): "its name",
    ("nextBatch", NUMBER): "number of the dice batch that the next roll opens",
    ("owner", TEXT): "the seat whose dice they are",
    ("perMille", NUMBER): "the same in thousandths",
    ("rules", TEXTS): "IDs of its rules",
    ("ruleset", TEXT): "id of the ruleset",
    ("scenario", TEXT): "id of the scenario",
    ("seat", TEXT): "the seat",
    ("sector", TEXT): "id of the sector",
    ("ship", TEXT): "id of the ship",
    ("spotter", TEXT): "id of the unit that spots",
    ("text", TEXT): "the same in words",
    ("timestamp", "time"): "when the message was made",
    ("title", TEXT): "its title",
    ("turn", NUMBER): "number of the turn",
    ("unit", TEXT): "id of the unit",
    ("units", TEXTS): "ids of the units",
    ("updatedAt", "time"): "when it last changed",
    ("version", NUMBER): "version of the game",
    ("viewer", TEXT): "the eyes with which it is seen: a seat, `public` or `truth`",
}
"""By name and kind of value."""

NEXT = "cursor of the next page; null on the last one"


def usual_words(components: dict[str, dict[str, Any]]) -> None:
    """Give the fields without words those that their names have everywhere."""
    for name, schema in components.items():
        for field, told in schema.get("properties", {}).items():
            if "description" in told or "$ref" in told or "const" in told:
                continue
            words = MEANT.get((field, _kind(told)), "")
            if name.endswith(("Page", "List")):
                words = {"next": NEXT, "items": "the entries, in order"}.get(field, words)
            if words:
                told["description"] = words


def _kind(told: dict[str, Any]) -> str:
    if told.get("format") == "date-time":
        return "time"
    kind = str(told.get("type", ""))
    return TEXTS if kind == "array" and told.get("items", {}).get("type") == TEXT else kind
