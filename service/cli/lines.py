"""Bars and answers of the time-travel commands, drawn with letters."""

from __future__ import annotations

from typing import Any

BAR = 30


def bar(value: int, most: int) -> str:
    """A bar of ``value`` where ``most`` is as long as it gets."""
    length = max(0, value) * BAR // most if most else 0
    return "#" * length


def events_told(events: list[dict[str, Any]]) -> list[str]:
    """``seq  sentence (rules)`` lines; book-keeping by its type."""
    lines = []
    for event in events:
        text = event["text"] or event["type"]
        rules = f" ({', '.join(event['rules'])})" if event["rules"] else ""
        lines.append(f"  {event['seq']:>5}  {text}{rules}")
    return lines


def tally_told(name: str, tally: dict[str, Any]) -> list[str]:
    """A number with its reasons."""
    lines = [f"  {name}: {tally['total']}"]
    for reason in tally["reasons"]:
        counted = "" if reason.get("counted", True) else "  (overlapped)"
        source = f" [{reason['source']}]" if reason.get("source") else ""
        lines.append(
            f"    {reason['value']:+}  {reason['label']}{source}  {reason['rule']}{counted}"
        )
    return lines


def ratio(told: dict[str, str]) -> str:
    """A fraction to one decimal, cut off."""
    tenths = 10 * int(told["numerator"]) // int(told["denominator"])
    sign = "-" if tenths < 0 else ""
    return f"{sign}{abs(tenths) // 10}.{abs(tenths) % 10}"
